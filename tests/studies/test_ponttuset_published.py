"""Published numbers beside ours, on rows made up so that each difference is known."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.studies import ponttuset_published as study

COLUMNS = ["method", "proposals", "statistic", "level", "value"]
THEIRS = pd.DataFrame(
    [("QT", 10, "mean", np.nan, 0.2), ("QT", 10, "recall", 0.5, 0.1), ("QT", 1000, "mean", np.nan, 0.4),
     ("GOP", 652, "mean", np.nan, 0.7), ("GOP", 652, "recall", 0.5, 0.8), ("GOP", 652, "recall", 0.85, 0.3),
     ("CPMC", 99, "recall", 0.5, 0.6), ("CPMC", 600, "recall", 0.5, 0.7), ("CPMC", 600, "recall", 0.85, 0.4)],
    columns=COLUMNS,
)  # fmt: skip


def ours():
    rows = []
    for method, shift in (("quadtree", 0.01), ("quadtree, both", -0.1), ("grouping", 0.5)):
        for measure in ("jaccard", "boundary"):
            for budget, mean, low in ((10, 0.2, 0.1), (1000, 0.4, 0.3)):
                given = budget if measure == "jaccard" else -1
                rows.append((method, measure, budget, given, "mean", np.nan, mean + shift, 0.02))
                rows.append((method, measure, budget, given, "median", np.nan, 0.9, 0.02))
                rows.append((method, measure, budget, given, "recall", 0.5, low - shift, 0.0))
    columns = ["method", "measure", "budget", "proposals", "statistic", "level", "value", "error"]
    return pd.DataFrame(rows, columns=columns)


def test_files_of_mcg():
    table = study.mcg_files()
    assert set(COLUMNS) <= set(table.columns) and table["proposals"].dtype == float
    assert (
        table.query("method == 'QT' and proposals == 100 and statistic == 'mean'")["value"].item() == 0.348983
    )


def test_numbers_that_fit():
    # A third and a half, rounded to six digits, are shares of multiples of six.
    shares = np.array([0.333333, 0.5])
    assert study.numbers_that_fit(shares, range(2, 20)) == [6, 12, 18]
    assert study.numbers_that_fit(np.array([0.3333]), range(2, 20)) == []


def test_here_beside():
    table = study.here_beside(ours())
    assert table["method"].unique().tolist() == ["quadtree (here)", "grouping (here)"]
    assert set(table["statistic"]) == {"mean", "recall"} and (table["measure"] == "jaccard").all()


def test_quadtree_differences_and_their_terms():
    table = study.quadtree_differences(THEIRS, ours())
    # Three published numbers, of which no recall at 1,000, under two conventions.
    assert len(table) == 6
    here = table[table["method"] == "quadtree"].set_index(["statistic", "budget"])
    assert here["difference"].to_dict() == pytest.approx(
        {("mean", 10): 0.01, ("mean", 1000): 0.01, ("recall", 10): -0.01}
    )
    assert here.loc[("mean", 10), "in standard errors"] == pytest.approx(0.5)
    assert np.isnan(here.loc[("recall", 10), "in standard errors"])
    terms = study.quadtree_terms(table).set_index("method")
    assert terms.index.tolist() == ["quadtree", "quadtree, both"]
    assert terms.loc["quadtree"].tolist() == pytest.approx([0.01 / 3, 0.01, 0.5, 3])
    assert terms.loc["quadtree, both"].tolist() == pytest.approx([-0.1 / 3, 0.1, 5, 3])
    means = study.quadtree_means(table)
    assert means["masks"].tolist() == [10, 1000]
    assert means[["published", "here", "difference"]].to_numpy() == pytest.approx(
        np.array([[0.2, 0.21, 0.01], [0.4, 0.41, 0.01]])
    )


def test_nearest_in_ratio():
    rows = pd.DataFrame(
        [("a", 10, 1), ("a", 1000, 2), ("b", 30, 3)], columns=["method", "proposals", "value"]
    )
    rows = rows.assign(statistic="mean", level=np.nan)
    # 101 is nearer to 1,000 than to 10 in ratio, not in difference.
    assert study.nearest(rows, 101, "mean")["value"].tolist() == [2, 3]
    assert study.nearest(rows, 99, "mean")["value"].tolist() == [1, 3]
    assert study.nearest(rows, 99, "recall", 0.5).empty


def test_at_budgets_leaves_out_what_is_not_near():
    table = study.at_budgets((THEIRS, study.here_beside(ours())), (100, 1000), (0.5, 0.85)).set_index(
        "method"
    )
    assert table.index.tolist() == ["grouping (here)", "GOP", "quadtree (here)", "QT", "CPMC"]
    assert table.loc["CPMC", "100: recall 0.5"] == 0.6 and table.loc["CPMC", "1,000: recall 0.5"] == 0.7
    assert table.loc["GOP", ["1,000: mean J", "1,000: recall 0.85"]].tolist() == [0.7, 0.3]
    assert table.loc[["QT", "GOP"], "100: recall 0.5"].isna().all()


def test_at_levels_takes_the_masks_of_the_first():
    table = study.at_levels(THEIRS, ["GOP", "CPMC"], [0.5, 0.85])
    assert table.loc["GOP"].tolist() == [0.8, 0.3] and table.loc["CPMC"].tolist() == [0.7, 0.4]


def test_sentences_about_published_methods():
    terms = pd.DataFrame({"method": ["quadtree", "quadtree, shorter side first", "quadtree, void counted",
                                     "quadtree, both"],
                          "mean difference": [-0.01, -0.02, -0.04, -0.05]})  # fmt: skip
    terms["mean absolute difference"] = terms["mean difference"].abs()
    trees = pd.DataFrame({"difference": [-0.1, 0.1]})
    said = study.tell_conventions(terms, trees)
    assert "Nearest is quadtree, on average 0.010 away" in said and "we are nearer to" in said
    assert "lower than published at 1 of 2" in said
    near = pd.DataFrame(
        {"method": ["MCG", "SCG", "QT", "grouping (here)"], "1,000: mean J": [0.75, 0.74, 0.4, 0.6]}
    )
    said = study.tell_methods(near, terms)
    assert "0.74 to 0.75 published, 0.60 for our best" in said and "by 0.030 on average, more than" in said
    assert "1,000 masks: MCG 0.750 before SCG 0.740" in study.tell_best(near)


def test_who_leads_at_each_level():
    close = study.at_levels(THEIRS, ["GOP", "CPMC"], [0.5, 0.85])
    assert "exchange their ranks" in study.tell_leaders(close)
    assert "GOP at 0.5, CPMC at 0.85" in study.tell_leaders(close)
