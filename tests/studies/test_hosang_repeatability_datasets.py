import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import published_repeatability

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.datasets.registry import load_dataset
from propeval_lite.results.provenance import Result
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies import hosang_repeatability_datasets as datasets
from propeval_lite.studies import hosang_repeatability_paper as paper

SPEC = "scenes?n=2&seed=1&width=64&height=48"


@pytest.fixture(scope="module")
def found():
    options = datasets.Options(k=40, n_bootstrap=5)
    return datasets.measure(SPEC, load_dataset(SPEC), ["uniform", "sliding_window"], options, workers=1)


@pytest.mark.data
def test_the_published_table_is_made_from_the_figures(real_data):
    points = pd.read_csv(real_data / "hosang/figure_curves.csv")
    made = published_repeatability.published_repeatability(points).reset_index(drop=True)
    pd.testing.assert_frame_equal(made, pd.read_csv(published_repeatability.TARGET))


def test_published_curves_have_our_values():
    table = paper.paper_curves()
    for kind, p in PERTURBATIONS.items():
        rows = table[(table["perturbation"] == kind) & (table["of"] == "all")]
        assert np.allclose(np.sort(rows["value"].unique()), p.strengths, rtol=0, atol=1e-6)
        assert rows["method"].nunique() == 14
        assert set(rows["figure"]) == {paper.FIGURES[kind]}
    assert table["repeatability"].between(0, 1).all()


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


def published_as_ours(kinds, shift=0.0, dataset="voc2007-test"):
    names = {theirs: ours for ours, theirs in paper.PAPER_NAMES.items()}
    table = paper.paper_curves()
    table = table[table["perturbation"].isin(kinds) & table["method"].isin(names)]
    value = table["repeatability"] + shift
    columns = {"dataset": dataset, "repeatability": value, "low": value - 0.1, "high": value + 0.1}
    return table.assign(method=table["method"].map(names), **columns).drop(columns="figure")


def test_beside_finds_every_point_and_the_difference():
    ours = published_as_ours(["scale"], shift=0.02)
    table = paper.beside(ours, paper.paper_curves())
    assert len(table) == len(ours) and np.allclose(table["difference"], 0.02)
    short = paper.condensed(table[table["of"] == "all"])
    assert np.allclose(short["largest difference"], 0.02) and (short["points"] == 17).all()
    assert paper.condensed(table.iloc[:0]).empty


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, "within tolerance"), (0.009, "within tolerance"), (0.3, "other")]
)
def test_a_figure_is_judged_by_its_differences(shift, verdict):
    everything = datasets.Everywhere(
        published_as_ours(["scale"], shift).query("method in ['uniform', 'gaussian', 'sliding_window']"), {}
    )
    judged = paper.judge_figure(everything, paper.paper_curves(), "scale")
    worst = np.abs(np.subtract(judged["here"], judged["paper"])).max()
    assert np.isclose(worst, shift) and (worst <= judged["tolerance"]) == (verdict == "within tolerance")
    assert "3 blind methods" in judged["because"] and judged["trend"]


def test_figures_of_methods_that_look_are_judged_on_voc_2012():
    ours = published_as_ours(["blur"], 0.05, "voc2012-val_subset").query("of == 'all'")
    judged = paper.judge_figure(datasets.Everywhere(ours, {}), paper.paper_curves(), "blur")
    assert judged["trend"] and "on other pictures (VOC 2012)" in judged["because"]
    turned = ours.assign(repeatability=1 - ours["repeatability"])
    assert not paper.judge_figure(datasets.Everywhere(turned, {}), paper.paper_curves(), "blur")["trend"]


def test_without_results_a_figure_cannot_be_judged(found):
    everything = datasets.Everywhere(found.curve, {})
    assert set(paper.judge_figure(everything, paper.paper_curves(), "scale")) == {"because"}
    assert paper.blind_on_voc(everything, paper.paper_curves()).empty


def test_stored_results_come_after_those_of_the_run(found, monkeypatch):
    stored = published_as_ours(["scale"])
    monkeypatch.setattr(
        datasets,
        "fresh_or_stored",
        lambda table, real, name, source: Result(stored, "before", real == "voc2007"),
    )
    everything = datasets.everywhere([found], datasets.Options())
    assert len(everything.curve) == len(found.curve) + len(stored)
    assert len(paper.blind_on_voc(everything, paper.paper_curves())) == 17 * 3 + 17 * 5


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


def test_pairs_and_sides(found):
    near = paper.touching_pairs(found, paper.paper_curves())
    assert set(near["source"]) == {"published", "here"}
    assert set(near[near["source"] == "published"]["perturbation"]) == {"blur", "salt_and_pepper"}
    both = paper.side_by_side(found, paper.paper_curves())
    assert {"Uniform", "Sliding window", "MCG"} <= set(both["method"]) and both["repeatability"].notna().all()


def test_looking_beside_has_a_row_per_data_set_and_method():
    ours = published_as_ours(["scale", "blur"], 0.1, "voc2012-val_subset")
    table = paper.looking_beside(datasets.Everywhere(ours, {}), paper.paper_curves())
    assert len(table) == ours["method"].nunique()
    assert np.allclose(table["5c here"] - table["5c paper"], 0.1) and "5g here" in table


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
