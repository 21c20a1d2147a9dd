"""Correlations with mAP: those of the paper, their intervals, and tests against slow versions."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from propeval_lite._checks.values import InputError
from propeval_lite.studies import hosang_detection as study
from propeval_lite.studies import hosang_detection_predictors as telling

seeds = st.integers(0, 10**6)


def test_the_correlations_of_the_paper():
    table, targets = telling.predictors(), telling.targets()
    found = [round(float(telling.correlation(table["AR"], targets[name])), 3) for name in study.PANELS]
    assert found == [0.928, 0.978, 0.961, 0.877]
    part = telling.correlation(table[telling.partial(0.5, 0.7)], targets["Fast R-CNN with regression"])
    assert round(float(part), 3) == 0.949


def test_the_correlations_by_category():
    each, mean = telling.by_category(20, 0)
    assert [round(r, 3) for r in mean["r"]] == [0.895, 0.956, 0.948, 0.873]
    assert len(each) == 80
    by_hand = each.groupby("detector", sort=False)["r"].mean()
    np.testing.assert_allclose(by_hand, mean["r"], atol=1e-12)
    assert (mean["low"] <= mean["high"]).all()


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_correlation_equals_scipy(seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 7))
    assert telling.correlation(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)


def test_a_constant_side_has_no_correlation():
    assert np.isnan(telling.correlation(np.ones(4), np.arange(4.0)))
    table = pd.DataFrame({"AR": [1.0, 1, 1]}, index=list("abc"))
    found = telling.correlations(table, pd.DataFrame({"mAP": [1.0, 2, 3]}, index=list("abc")), 10, 0)
    assert found[["r", "least", "rank"]].isna().all(axis=None)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(0)
    inside, trials, truth = 0, 200, 0.8
    for _ in range(trials):
        x = rng.normal(size=40)
        y = truth * x + np.sqrt(1 - truth**2) * rng.normal(size=40)
        _, low, high = telling.intervals(x, y, telling.drawn(40, 300, 1))
        inside += low <= truth <= high
    assert 0.85 < inside / trials < 0.99


def test_the_method_whose_absence_matters_most():
    table = pd.DataFrame({"AR": [1.0, 2, 3, 4, 50]}, index=list("abcde"))
    targets = pd.DataFrame({"mAP": [1.0, 2, 3, 4, -50]}, index=list("abcde"))
    (row,) = telling.correlations(table, targets, 20, 0).to_dict("records")
    assert row["without"] == "e"
    assert row["least"] == pytest.approx(1)
    assert row["r"] < 0


def slow_swaps(a, b, y):
    a, b = ((v - np.mean(v)) / np.std(v) for v in (a, b))

    def r(v):
        return stats.pearsonr(v, y).statistic

    seen = abs(r(a) - r(b))
    found = []
    for swap in product([False, True], repeat=len(a)):
        found.append(abs(r(np.where(swap, b, a)) - r(np.where(swap, a, b))) >= seen - 1e-12)
    return np.mean(found)


@given(seeds)
@settings(max_examples=15, deadline=None)
def test_swaps_equal_the_slow_version(seed):
    a, b, y = np.random.default_rng(seed).normal(size=(3, 6))
    assert telling.swap_test(a, b, y) == pytest.approx(slow_swaps(a, b, y), abs=1e-12)
    assert telling.swap_test(b, a, y) == telling.swap_test(a, b, y)


def test_swaps_tell_a_good_predictor_from_a_bad_one():
    rng = np.random.default_rng(0)
    y = rng.normal(size=16)
    good, bad = y + 0.05 * rng.normal(size=16), rng.normal(size=16)
    assert telling.swap_test(good, bad, y) < 0.01
    many = np.concatenate([y, rng.normal(size=4)])
    assert 0 < telling.swap_test(many + 0.01 * rng.normal(size=20), rng.normal(size=20), many, n=500) < 0.05


def test_chance_is_what_scipy_says():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 12))
    y = y + 0.5 * x
    theirs = stats.pearsonr(x, y).pvalue
    assert telling.against_chance(x, y, 20000, 0) == pytest.approx(theirs, abs=0.03)


def test_holm_by_hand():
    assert telling.holm(np.array([0.5, 0.01, 0.02, 0.3])).tolist() == pytest.approx([0.6, 0.04, 0.06, 0.6])


def test_comparisons_say_who_survives():
    rng = np.random.default_rng(0)
    names = [f"m{i}" for i in range(16)]
    y = rng.normal(size=16)
    table = pd.DataFrame({"good": y + 0.05 * rng.normal(size=16), "bad": rng.normal(size=16)}, index=names)
    table["same"] = table["good"]
    found = telling.comparisons(
        table, pd.DataFrame({"mAP": y}, index=names), [("good", "bad"), ("good", "same")], 300, 0
    )
    assert found["survives"].tolist() == [True, False]
    assert found.loc[1, "p"] == 1
    assert found.loc[1, "difference"] == 0
    assert (found["p of all"] >= found["p"]).all()


def test_none_of_the_papers_comparisons_survives_sixteen_methods():
    pairs = [("AR", telling.at(tau)) for tau in (0.5, 0.7, 0.8)]
    found = telling.comparisons(telling.predictors(), telling.targets(), pairs, 500, 1)
    assert len(found) == 12
    assert not found["survives"].any()


def test_detectors_are_compared_in_pairs():
    found = telling.detectors_apart(telling.predictors(), telling.targets(), "AR", 200, 1)
    assert len(found) == 6
    assert found.loc[0, "difference"] == pytest.approx(0.928101 - 0.977667, abs=1e-5)


def test_names_and_ranges():
    assert telling.at(0.525) == "recall at .525" and telling.at(0.5) == "recall at .50"
    table = telling.recalls()
    assert table.shape == (16, 21)
    np.testing.assert_allclose(telling.mean_recall(table, 0.5, 0.7), table.iloc[:, :9].mean(axis=1))
    with pytest.raises(InputError, match="a threshold in the range"):
        telling.mean_recall(table, 0.1, 0.2)
