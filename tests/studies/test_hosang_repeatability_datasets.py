import numpy as np
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.datasets.registry import load_dataset
from propeval_lite.results.provenance import Result
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies import hosang_repeatability_datasets as datasets

SPEC = "scenes?n=2&seed=1&width=64&height=48"


@pytest.fixture(scope="module")
def found():
    options = datasets.Options(k=40, n_bootstrap=5)
    return datasets.measure(SPEC, load_dataset(SPEC), ["uniform", "sliding_window"], options, workers=1)


def test_measure_gives_every_table(found):
    n_values = sum(len(p.strengths) for p in PERTURBATIONS.values())
    assert len(found.curve) == 2 * 2 * n_values
    assert found.problems.empty and found.left_out == []
    assert set(found.sizes["method"]) == {"annotations", "uniform", "sliding_window"}
    assert np.allclose(found.sizes.groupby("method")["share"].sum(), 1)
    assert set(found.recall["method"]) == {"uniform", "sliding_window"}


def test_sizes_count_boxes_and_objects(found):
    data = found.dataset
    boxes = data.objects
    share = np.sqrt((boxes["x2"] - boxes["x1"]) * (boxes["y2"] - boxes["y1"]) / (64 * 48))
    expected = [((share >= g / 10) & ((share < (g + 1) / 10) | (g == 9))).sum() for g in range(10)]
    assert found.sizes.query("method == 'annotations'")["boxes"].tolist() == expected
    assert found.sizes.query("method == 'uniform'")["boxes"].sum() == 2 * 40


def test_recall_by_group_falls(found):
    for _, rows in found.recall.groupby(["method", "size"]):
        assert rows["iou"].is_monotonic_increasing and rows["recall"].is_monotonic_decreasing


def test_nothing_to_run_is_an_error():
    data = load_dataset(SPEC)
    with pytest.raises(InputError, match="a method that can run on scenes"):
        datasets.measure(SPEC, data, ["uniform?dataset=photos"], datasets.Options(k=5), workers=1)


def test_a_run_on_real_data_offers_its_curves(found, monkeypatch):
    offered = {}

    def take(table, real, name, source):
        offered[real] = None if table is None else (len(table), name, source)
        return Result(table, source, False)

    monkeypatch.setattr(datasets, "fresh_or_stored", take)
    run = found._replace(spec="coco:somewhere/instances.json?images=pictures")
    datasets.everywhere([run], datasets.Options(k=40))
    assert offered["voc2007"] is None and offered["coco"][:2] == (len(found.curve), "hosang_repeatability")
    assert "2 images, 40 proposals, thinned to 500, empty groups count 0" in offered["coco"][2]


def test_the_richest_is_the_first_of_equals(found):
    less = found._replace(spec="less", curve=found.curve[found.curve["method"] == "uniform"])
    assert datasets.richest([less, found, found._replace(spec="again")]) is found


def test_problems_name_image_and_perturbation(found):
    task = study.Task("x", study.settings(["blur"]), 10, 1)
    texts = np.array(["", "", "RuntimeError: no", "", "", ""])
    answers = [{"blur.problem": texts}, {"blur.problem": np.full(6, "")}]
    table = datasets.problems_of(task, answers, found.dataset)
    assert table.to_numpy().tolist() == [
        [found.dataset.images["image_id"][0], "blur", 2.0, "RuntimeError: no"]
    ]


def test_a_method_that_ran_nowhere_is_an_error(found):
    left = found._replace(left_out=["bing", "edge_boxes"])
    datasets.check_all_ran(["uniform"], [left])
    datasets.check_all_ran(["uniform", "bing"], [left, found])
    with pytest.raises(InputError, match="methods that can run on one of scenes, scenes, got bing"):
        datasets.check_all_ran(["uniform", "bing"], [left, left])
