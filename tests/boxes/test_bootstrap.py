"""The bootstrap over images: what it draws, what it returns, and how wide it is."""

import numpy as np
import pandas as pd
import pytest
from criteria import CRITERIA

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import average_recall, mabo, recall, vus
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.match import Overlaps


def random_table(seed=0, n_images=60, budgets=(10, 100)):
    rng = np.random.default_rng(seed)
    images = np.repeat(np.arange(n_images), rng.integers(0, 4, n_images))
    iou = np.sort(rng.random((len(images), len(budgets))), axis=1)
    return Overlaps.from_iou(iou, budgets, image_row=images, category=rng.integers(0, 5, len(images)))


@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_has_an_interval(name):
    table, criterion = random_table(), CRITERIA[name]
    interval = bootstrap(table, criterion, n=200)
    assert interval.columns.tolist() == ["low", "estimate", "high"]
    np.testing.assert_array_equal(interval["estimate"], np.ravel(criterion(table)))
    assert (interval["low"] < interval["estimate"]).all()
    assert (interval["estimate"] < interval["high"]).all()


def test_replicates_equal_tables_made_from_repeated_rows():
    table = random_table()
    replicates = []
    for draws in np.random.default_rng(7).integers(0, table.n_images, (50, table.n_images)):
        rows = np.concatenate([np.flatnonzero(table.image_row == i) for i in draws])
        image = np.concatenate([np.full((table.image_row == i).sum(), n) for n, i in enumerate(draws)])
        again = Overlaps.from_iou(
            table.iou[rows], table.budgets, image_row=image, category=table.category_code[rows]
        )
        replicates.append([average_recall(again, average="image"), mabo(again)])
    wanted = np.quantile(np.array(replicates), [0.05, 0.95], axis=0)
    for number, criterion in enumerate((lambda t: average_recall(t, average="image"), mabo)):
        found = bootstrap(table, criterion, n=50, level=0.9, seed=7)
        np.testing.assert_allclose(found[["low", "high"]].T, wanted[:, number], rtol=0, atol=1e-12)


def test_width_agrees_with_the_binomial():
    table = Overlaps.from_iou([[1.0]] * 200 + [[0.0]] * 200, 10, image_row=np.arange(400))
    interval = bootstrap(table, recall, 0.5, n=4000)
    error = np.sqrt(0.25 / 400)
    np.testing.assert_allclose(
        interval[["low", "high"]], [[0.5 - 1.96 * error, 0.5 + 1.96 * error]], atol=0.004
    )


def test_objects_of_one_image_are_drawn_together():
    alone = Overlaps.from_iou([[1.0], [0.0]] * 50, 10, image_row=np.arange(100))
    pairs = Overlaps.from_iou([[1.0]] * 50 + [[0.0]] * 50, 10, image_row=np.repeat(np.arange(50), 2))
    width = [np.ptp(bootstrap(t, recall, 0.5, n=500)[["low", "high"]].to_numpy()) for t in (alone, pairs)]
    assert width[1] > 1.2 * width[0]


def test_arguments_shapes_and_seeds():
    table = random_table()
    first = bootstrap(table, average_recall, kind="coco", average="image", n=20)
    assert first.index.tolist() == [10, 100]
    assert first.attrs == {"dataset": "unknown", "n": 20, "level": 0.95, "seed": 0}
    pd.testing.assert_frame_equal(first, bootstrap(table, average_recall, "coco", "image", n=20, seed=0))
    assert not first.equals(bootstrap(table, average_recall, "coco", "image", n=20, seed=1))
    several = bootstrap(table, recall, [0.5, 0.8], n=20)
    assert several.index.names == ["tau", "budget"]
    assert several.loc[(0.8, 100), "estimate"] == recall(table, 0.8)[100]
    assert bootstrap(table, vus, n=20).index.tolist() == ["vus"]


def test_tables_without_objects_have_no_interval():
    empty = Overlaps.from_iou(np.zeros((0, 1)), 10, image_row=[])
    assert bootstrap(empty, recall, 0.5, n=5).isna().all(axis=None)


def test_replicates_without_objects_are_left_out():
    table = Overlaps.from_iou([[1.0]], 10, image_row=[2])
    assert bootstrap(table, recall, 0.5, n=50).to_numpy().tolist() == [[1.0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "expected n to be a whole number >= 1, got 0"),
        ({"level": 95}, r"expected level in \(0, 1\), got 95"),
        ({"criterion": "recall"}, "expected criterion to be a function of an overlap table, got 'recall'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        bootstrap(random_table(), **({"criterion": average_recall} | options))


def test_odd_options_and_criteria_are_refused():
    table = Overlaps.from_iou([[1.0]], budgets=[1], image_row=[0])
    for options in ({"level": "a"}, {"level": None}, {"seed": -1}, {"seed": None}, {"seed": 1.5}):
        with pytest.raises(InputError, match=next(iter(options))):
            bootstrap(table, recall, 0.5, n=2, **options)
    for criterion in (lambda _: "a", lambda _: None):
        with pytest.raises(InputError, match="the criterion to give 1 numbers for every table"):
            bootstrap(table, criterion, n=2)
