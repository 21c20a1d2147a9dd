"""From a data set's boxes to the lattice, and OMA as recall less chance."""

import gc
import importlib
import inspect
from fractions import Fraction
from math import comb

import naive
import numpy as np
import pandas as pd
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.boxes.oma import average_oma, chance_recall, object_chance, oma
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.chance.lattice import object_lattice
from propeval_lite.datasets.base import Dataset

# The package may export a function of the same name.
module = importlib.import_module("propeval_lite.boxes.oma")
SIZES = [(6, 5), (4, 4), (5, 3)]
ROWS = [(0, (2, 2, 4, 4)), (2, (1, 1, 5, 3)), (2, (2, 1, 3, 2)), (2, (1, 2, 4, 3))]
IOU = [[0.4, 0.8], [0.5, 1.0], [0.0, 0.55], [0.6, 0.6]]
BUDGETS = [2, 5]


def make_dataset(rows=ROWS, **conventions):
    conventions = {"pixels": "inclusive", "origin": 1} | conventions
    images = pd.DataFrame(SIZES, columns=["width", "height"])
    images.insert(0, "image_id", ["a", "empty", "c"])
    objects = pd.DataFrame([box for _, box in rows], columns=["x1", "y1", "x2", "y2"])
    objects["image_id"] = [images["image_id"][i] for i, _ in rows]
    objects["object_id"] = np.arange(len(rows))
    return Dataset("tiny", images, objects.assign(category="cup", ignore=False), **conventions)


@pytest.fixture
def table():
    return Overlaps.from_iou(IOU, BUDGETS, dataset=make_dataset())


def naive_chance(tau, k):
    """HPRS of each object by trying all candidates of its image."""
    tau = Fraction(tau)
    values = []
    for image, box in ROWS:
        total = comb(SIZES[image][0], 2) * comb(SIZES[image][1], 2)
        hits = naive.count_lattice_hits(box, SIZES[image], tau.numerator, tau.denominator)
        values.append(1 - comb(total - hits, k) / comb(total, k))
    return np.array(values)


def naive_oma(tau, column, average):
    gain = np.array([row[column] >= float(Fraction(tau)) for row in IOU]) - naive_chance(tau, BUDGETS[column])
    return gain.mean() if average == "object" else (gain[0] + gain[1:].mean()) / 2


@pytest.mark.parametrize("average", ["image", "object"])
@pytest.mark.parametrize("tau", ["1/2", "3/5", "1"])
def test_oma_follows_equation_8(table, tau, average):
    curve = oma(table, tau, average=average)
    np.testing.assert_allclose(curve, [naive_oma(tau, column, average) for column in (0, 1)])
    assert curve.index.tolist() == BUDGETS
    assert curve.attrs["lattice"] == "pixels"
    assert curve.attrs["average"] == average


def test_average_oma_follows_equation_9(table):
    taus = [Fraction(10 + k, 20) for k in range(1, 11)]
    for average in ("image", "object"):
        expected = [np.mean([naive_oma(tau, column, average) for tau in taus]) for column in (0, 1)]
        np.testing.assert_allclose(average_oma(table, average=average), expected)
    np.testing.assert_allclose(average_oma(table, n_iou=1), oma(table, 1))


def test_oma_is_recall_less_chance(table):
    for average in ("image", "object"):
        gap = recall(table, [0.5, 0.7], average) - chance_recall(table, [0.5, 0.7], average)
        np.testing.assert_allclose(oma(table, [0.5, 0.7], average), gap)
        level_mean = np.mean(
            [chance_recall(table, Fraction(10 + k, 20), average) for k in range(1, 11)], axis=0
        )
        expected = average_recall(table, "sum", average) - level_mean
        np.testing.assert_allclose(average_oma(table, average=average), expected)


@pytest.mark.parametrize("arguments", [{}, {"average": "object"}, {"average": "image"}])
def test_recall_less_oma_is_the_recall_of_chance(table, arguments):
    taus = [0.5, 0.7, 0.95]
    gap = recall(table, taus, **arguments) - oma(table, taus, **arguments)
    np.testing.assert_allclose(gap, chance_recall(table, taus, **arguments), rtol=0, atol=1e-12)
    level = average_recall(table, "sum", **arguments) - average_oma(table, **arguments)
    steps = [Fraction(10 + k, 20) for k in range(1, 11)]
    luck = np.mean([chance_recall(table, tau, **arguments) for tau in steps], axis=0)
    np.testing.assert_allclose(level, luck, rtol=0, atol=1e-12)


def test_recall_oma_and_chance_have_one_default_average(table):
    criteria = (recall, oma, chance_recall, average_recall, average_oma)
    assert {inspect.signature(function).parameters["average"].default for function in criteria} == {"object"}
    assert not np.allclose(oma(table, 0.5, "image"), oma(table, 0.5, "object"))
    assert oma(table, 0.5).attrs["average"] == "object"


def test_several_thresholds_make_a_table(table):
    result = oma(table, [0.5, 0.8])
    assert result.index.tolist() == [0.5, 0.8]
    assert result.columns.tolist() == BUDGETS
    np.testing.assert_allclose(result.loc[0.8], oma(table, 0.8))
    assert result.attrs["round"] is False
    assert float(oma(Overlaps.from_iou([[1.0]] * 4, 2, dataset=table.dataset), 0.5)) > 0


def test_chance_is_counted_once_per_object(table, monkeypatch):
    calls = []
    count = module.count_hits
    monkeypatch.setattr(
        module, "count_hits", lambda boxes, *rest: calls.append(len(boxes)) or count(boxes, *rest)
    )
    first = object_chance(table.select(np.array([True, False, True, False])), 0.5)
    both = object_chance(table, 0.5)
    np.testing.assert_array_equal(both[[0, 2]], first)
    resampled = object_chance(table.resample(np.array([2, 0, 2])), 0.5)
    np.testing.assert_array_equal(resampled, both[[1, 2, 3, 0, 1, 2, 3]])
    assert calls == [2, 2]
    np.testing.assert_allclose(both[:, 1], naive_chance("1/2", 5))


def test_what_is_known_goes_with_its_data_set():
    table = Overlaps.from_iou(IOU, BUDGETS, dataset=make_dataset())
    object_chance(table, 0.5)
    key = id(table.dataset)
    assert key in module._KNOWN
    del table
    gc.collect()
    assert key not in module._KNOWN


def test_more_draws_than_candidates_draw_them_all():
    table = Overlaps.from_iou(np.array(IOU)[:, :1], [10**6], dataset=make_dataset())
    np.testing.assert_array_equal(object_chance(table, 0.5), 1)


def test_no_objects_give_nan():
    empty = Overlaps.from_iou(IOU, BUDGETS, dataset=make_dataset()).select(np.zeros(4, dtype=bool))
    assert np.isnan(oma(empty, 0.5)).all()
    assert np.isnan(average_oma(empty)).all()


def test_bad_tables(table):
    nameless = Overlaps.from_iou([[0.5]], [1], image_row=[0])
    for function in (lambda t: oma(t, 0.5), average_oma, lambda t: chance_recall(t, 0.5)):
        with pytest.raises(
            InputError, match="expected a table that knows its data set, got one made without"
        ):
            function(nameless)
    endless = Overlaps.from_iou([[0.5]] * 4, None, dataset=table.dataset)
    with pytest.raises(
        InputError, match=r"expected finite budgets, got \[inf\]. Chance needs a number of draws"
    ):
        oma(endless, 0.5)
    with pytest.raises(InputError, match="expected average to be one of object, image, got 'both'"):
        oma(table, 0.5, average="both")
    with pytest.raises(InputError, match="expected lattice to be one of pixels, edges, got 'points'"):
        oma(table, 0.5, lattice="points")
    with pytest.raises(InputError, match="expected n_iou to be a whole number >= 1, got 0"):
        average_oma(table, n_iou=0)


def test_both_storages_reach_the_same_lattices():
    """The same pixels, stored 1-based inclusive and 0-based with edges."""
    voc = make_dataset()
    shifted = [(i, (x1 - 1, y1 - 1, x2, y2)) for i, (x1, y1, x2, y2) in ROWS]
    coco = make_dataset(shifted, pixels="edges", origin=0)
    for lattice in ("pixels", "edges"):
        for first, second in zip(
            object_lattice(voc, None, lattice), object_lattice(coco, None, lattice), strict=True
        ):
            np.testing.assert_array_equal(first, second)
    assert object_lattice(voc)[1][0].tolist() == [6, 5]
    assert object_lattice(coco)[1][0].tolist() == [7, 6]
    boxes, sizes = object_lattice(coco, rows=[1, 3])
    assert boxes.tolist() == [[1, 1, 6, 4], [1, 2, 5, 4]]
    assert sizes.tolist() == [[6, 4]] * 2


def test_rounding_moves_corners_to_the_nearest_points_and_keeps_an_area():
    rows = [(0, (0.4, 0.6, 3.5, 2.4)), (1, (1.1, 1.1, 1.3, 3)), (2, (4.6, 0, 5, 2.6))]
    dataset = make_dataset(rows, pixels="edges", origin=0)
    with pytest.raises(InputError, match="tiny: objects on the lattice 'edges': expected whole coordinates"):
        object_lattice(dataset)
    boxes, _ = object_lattice(dataset, round=True)
    assert boxes.tolist() == [[1, 2, 5, 3], [2, 2, 3, 4], [5, 1, 6, 4]]
    assert not np.isnan(oma(Overlaps.from_iou([[1]] * 3, 1, dataset=dataset), 0.5, round=True)).any()


def test_one_pixel_objects_need_the_lattice_of_edges():
    dataset = make_dataset([(0, (2, 2, 2, 4))])
    with pytest.raises(InputError, match='for boxes one pixel wide count on the lattice "edges"'):
        object_lattice(dataset)
    boxes, sizes = object_lattice(dataset, lattice="edges")
    assert (boxes.tolist(), sizes.tolist()) == ([[2, 2, 3, 5]], [[7, 6]])
