"""What the paper reads off its curves: on numbers made up here, on the published ones, and on the authors' figures."""

import numpy as np
import pandas as pd
import pytest
from published_curves import at_budgets, published_curves

from propeval_lite.results.published import load_recalls
from propeval_lite.studies import hosang_findings as findings

NAN = float("nan")


def by_number(values, dataset=findings.VOC, criterion="AR", tau=NAN):
    """A table of AR by method, one value per budget 10, 1 000, 10 000."""
    rows = [(dataset, m, k, k, criterion, tau, v) for m, row in values.items()
            for k, v in zip((10, 1000, 10000), row, strict=True)]  # fmt: skip
    columns = ["dataset", "method", "budget", "proposals", "criterion", "tau", "value"]
    return pd.DataFrame(rows, columns=columns)


def by_iou(values):
    """Recall at .5, .8 and 1 with 1 000 proposals."""
    rows = [(findings.VOC, m, 1000, NAN, "recall", tau, v) for m, row in values.items()
            for tau, v in zip((0.5, 0.8, 1), row, strict=True)]  # fmt: skip
    columns = ["dataset", "method", "budget", "proposals", "criterion", "tau", "value"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.data
def test_the_published_table_is_what_the_figures_give(real_data):
    points = pd.read_csv(real_data / "hosang/figure_curves.csv")
    again = published_curves(points[~points["file"].str.startswith("repeat")])
    pd.testing.assert_frame_equal(again, findings.curves(), check_dtype=False)


@pytest.mark.data
def test_the_published_table_agrees_with_the_file_of_recalls(real_data):
    theirs = load_recalls(real_data / "hosang/pascal_voc07_test_recall.mat").set_index(["method", "tau"])[
        "recall"
    ]
    drawn = findings.curves().query("budget == 1000 and dataset == @findings.VOC and criterion == 'recall'")
    wanted = [
        theirs[method, round(tau, 3)] for method, tau in zip(drawn["method"], drawn["tau"], strict=True)
    ]
    assert drawn["method"].nunique() == 16
    assert drawn["value"].to_numpy() == pytest.approx(np.array(wanted), abs=1e-5)


def test_points_go_to_their_budgets_also_where_a_method_gives_fewer():
    points = pd.DataFrame({"x": [9.99, 10, 32, 99.8, 307.7, 596.8], "y": [0.1, 0.1, 0.2, 0.3, 0.4, 0.5]})
    assert [value for *_, value in at_budgets(points)] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5]
    rerun = pd.DataFrame({"x": [9.99, 76.5, 76.6, 834, 1636, 5529], "y": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]})
    assert [value for *_, value in at_budgets(rerun)] == [0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def test_first_methods_and_how_many_are_named():
    values = findings.by_budget(by_number({"a": (3, 1, 1), "b": (2, 3, 2), "c": (1, 2, 3)}), findings.VOC)
    table = findings.first_of(values, ["a", "b"])
    assert table["first"].tolist() == ["a, b", "b, c", "c, b"]
    assert table["named"].tolist() == [2, 1, 1]
    assert table["lowest place"].tolist() == [2, 3, 3]
    assert "is 3, with 1,000" in findings.lowest(table)


def test_two_groups_are_parted_at_the_widest_gap():
    values = {"a": (0.8, 0.1, 0), "b": (0.5, 0.1, 0), "c": (0.5, 0.3, 0), "d": (1, 0.7, 0)}
    (row,) = findings.groups(by_iou(values)).to_dict("records")
    assert (row["IoU"], row["coarse"], row["as in the paper"]) == (0.8, "a, b", False)
    assert row["gap"] == pytest.approx(0.6 - 0.2)
    # The paper's eight, by themselves: its groups, whatever the others are.
    named = dict.fromkeys(findings.COARSE, (1, 0.1, 0)) | {"MCG": (1, 0.9, 0)}
    assert findings.groups(by_iou(named))["as in the paper"].all()
    assert "Bing" in findings.coarse_in_words(findings.groups(by_iou(values)), 0.8)


def test_the_paper_s_groups_are_found_at_strict_thresholds_only():
    parted = findings.groups(findings.curves()).set_index("IoU")["as in the paper"]
    assert parted.to_dict() == {tau: tau >= 0.85 for tau in parted.index}


def test_gains_over_the_best_baseline():
    table = by_number({"MCG": (0.4, 0.6, 0.7), "Bing": (0.5, 0.1, 0.1), "Uniform": (0.1, 0.3, 0.7)})
    found = findings.gains(table)
    assert found["best"].tolist() == ["Bing", "MCG", "MCG"]
    assert found["ratio"].tolist() == pytest.approx([5, 2, 1])


def test_mcg_is_not_first_everywhere():
    table = findings.firsts(findings.curves())
    winners = table.drop(columns=["dataset", "criterion"]).to_numpy()
    assert winners.shape == (9, 7)
    assert (table[1000] == "MCG").all()
    assert set(winners.ravel()) == {"MCG", "Endres", "SelectiveSearch", "Bing"}


def test_parts_of_the_claim_about_the_range():
    holds = findings.range_holds(findings.curves())
    assert list(holds.values()) == [True, True, False]


def test_data_sets_are_compared_over_the_methods_of_both():
    values = {"a": (1, 1, 1), "b": (2, 2, 3), "c": (3, 4, 2)}
    other = by_number({"b": (2.5, 2, 3), "c": (3, 3, 4)}, findings.COCO)
    table = findings.alike(pd.concat([by_number(values), other]), findings.COCO)
    assert table["methods"].tolist() == [2, 2, 2]
    assert table["mean distance"].tolist() == pytest.approx([0.25, 0.5, 1])
    assert table["mean difference"].tolist() == pytest.approx([0.25, -0.5, 1])
    assert table["between neighbours"].tolist() == [1, 2, 1]
    assert table["rank correlation"].tolist() == pytest.approx([1, 1, -1])


def test_chance_counts_all_orders_of_few_methods():
    assert findings.chance_of([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(4 / 24)
    assert findings.chance_of([1, 1, 2], [5, 5, 6]) == pytest.approx(2 / 6)
    many = np.arange(9)
    assert findings.chance_of(many, many[::-1]) == pytest.approx(1)


def test_a_loss_from_pascal_to_imagenet_is_seen():
    before = {"MCG": 0.6, "Bing": 0.5, "Uniform": 0.3, "Gaussian": 0.3}
    after = {"MCG": 0.5, "Bing": 0.41, "Uniform": 0.31, "Gaussian": 0.33}
    table = pd.concat(
        by_number({m: (v, v, v) for m, v in values.items()}, name)
        for values, name in ((before, findings.VOC), (after, findings.IMAGENET))
    )
    look, blind = findings.losses(table).to_dict("records")
    assert (look["number"], look["of"]) == (2, "MCG")
    assert look["mean change"] == pytest.approx(-0.095)
    assert blind["mean change"] == pytest.approx(0.02)
    assert look["low"] < look["mean change"] < look["high"]


def test_metrics_that_rank_differently():
    table = findings.metric_places(findings.curves())
    bing = table.set_index("method").loc["Bing"]
    assert (bing["recall at .5"], bing["recall at .8"], table["method"].iloc[0]) == (2, 14, "Bing")
