"""Our detector behind several methods: what is counted, what is reported, what is left out."""

import numpy as np
import pandas as pd
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset
from propeval_lite.studies import hosang_detection_ours as ours
from propeval_lite.studies.hosang_detection_predictors import AR, at, partial

METHODS = ["uniform", "edge_boxes", "broken=toys:fails_on_some"]


def scenes(n, seed):
    return pe.load_dataset("scenes", n=n, seed=seed, width=96, height=72, categories=["flamingo", "van"])


@pytest.fixture(scope="module")
def found():
    return ours.evaluate(scenes(10, 1), scenes(8, 2), METHODS, 30, "edge_boxes", seed=1)


@pytest.mark.jit
def test_every_method_has_a_row_and_every_variant_an_ap(found):
    assert found.summary["method"].tolist() == ["uniform", "edge_boxes", "broken"]
    assert len(found.precisions) == 3 * 4 * 2
    for (method, variant), part in found.precisions.groupby(["method", "variant"]):
        row = found.summary.set_index("method").loc[method]
        assert row[variant] == pytest.approx(part["ap"].mean())
    same = found.summary.set_index("method").loc["edge_boxes"]
    assert same["one training"] == same["own training"]
    assert same["one training, regression"] == same["own training, regression"]


@pytest.mark.jit
def test_failures_are_listed_by_image_and_method(found):
    test = scenes(8, 2)
    odd = [name for name in test.images["image_id"] if test.image(name)[0, 0].sum() % 2]
    lost = found.left_out[found.left_out["part"] == "test"]
    assert odd
    assert lost["image_id"].tolist() == odd
    assert set(lost["method"]) == {"broken"}
    assert lost["got"].str.contains("RuntimeError: no").all()
    assert not len(found.tests["broken"].proposals.aligned(test).of(odd[0])[0])


@pytest.mark.jit
def test_quality_is_that_of_the_library(found):
    described = found.tests["uniform"]
    overlaps = pe.match(described.dataset, described.proposals, 30)
    row = found.summary.set_index("method").loc["uniform"]
    assert row[AR] == float(pe.average_recall(overlaps))
    assert row[ours.FROM_ZERO] == pytest.approx(float(pe.abo(overlaps)))
    assert row[at(0.7)] == float(pe.recall(overlaps, 0.7))
    grid = [float(pe.recall(overlaps, tau)) for tau in np.round(np.arange(0.5, 0.701, 0.025), 3)]
    assert row[partial(0.5, 0.7)] == pytest.approx(np.mean(grid))


@pytest.mark.jit
def test_the_same_again_is_the_same(found):
    again = ours.evaluate(scenes(10, 1), scenes(8, 2), METHODS, 30, "edge_boxes", seed=1)
    pd.testing.assert_frame_equal(found.summary, again.summary)
    pd.testing.assert_frame_equal(found.precisions, again.precisions)


@pytest.mark.jit
def test_scores_and_maps(found):
    scores = ours.scores_by_overlap(found)
    assert set(scores["detector"]) == {"ours", "ours with regression"}
    assert scores["score"].dropna().between(0, 1).all()
    maps, objects = ours.score_maps(found)
    assert maps.shape == (len(objects), 11, 11)
    assert len(objects) == len(scenes(8, 2).objects)
    assert maps.min() == 0 and maps.max() == 1
    hits = ours.found_objects(found, "edge_boxes", 0.5, 0.3)
    assert hits.index.tolist() == objects["object_row"].tolist()
    kinds = ours.all_kinds(found, ("area", "voc11"), 0.5, 0.3).set_index("method")
    summary = found.summary.set_index("method")
    np.testing.assert_allclose(kinds["area"], summary["one training, regression"])


@pytest.mark.jit
def test_gains_are_differences_in_points(found):
    gain = ours.gains(found.summary).set_index("method")
    row = found.summary.set_index("method").loc["uniform"]
    assert gain.loc["uniform", "regression"] == pytest.approx(
        100 * (row["one training, regression"] - row["one training"])
    )
    assert gain.loc["edge_boxes", "own training"] == 0


def test_only_categories_with_examples_and_objects_are_used():
    training, test = toy(6), toy(6, seed=4)
    strange = test.objects.assign(
        category=np.where(test.objects.index == 0, "zebra", test.objects["category"])
    )
    test = Dataset("toy", test.images, strange, read_image=test.read_image)
    table = ours.coverage(training, test).set_index("category")
    assert table["used"].to_dict() == {"a": True, "b": True, "zebra": False}
    wanted, marked = ours.shared_categories(training, test)
    assert wanted == ["a", "b"]
    assert marked.objects["ignore"].tolist() == [True] + [False] * (len(strange) - 1)
    nothing = Dataset("toy", test.images, test.objects.assign(category="zebra"), read_image=test.read_image)
    with pytest.raises(InputError, match="a category in both parts"):
        ours.shared_categories(training, nothing)


def test_files_and_methods_of_other_data_sets_are_no_methods_here():
    with pytest.raises(InputError, match="at least one method"):
        ours.evaluate(toy(3), toy(3), ["uniform?dataset=voc2007"], 5, "uniform")


def test_pictures_are_read_once():
    data = toy(3)
    kept = ours.in_memory(data)
    assert kept.image("i1") is kept.image("i1")
    np.testing.assert_array_equal(kept.image("i2"), data.image("i2"))
