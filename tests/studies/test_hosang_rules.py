"""What the rules of a recall study move: draws, copies, frames."""

import numpy as np
import pandas as pd
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite.results import verdict
from propeval_lite.studies import hosang_rules as rules

NAMES = {"uniform": "Uniform", "gaussian": "Gaussian"}


def theirs(**values):
    rows = [(name, "AR", np.nan, value) for name, value in values.items()]
    printed = {"paper": "Hosang et al.", "figure": "7c"}  # as the published table has them, beside the values
    return pd.DataFrame(rows, columns=["method", "criterion", "tau", "value"]).assign(**printed)


def test_spread_is_that_of_several_draws():
    data = toy()
    drawn = rules.draws(data, 20, (0.5,), 3)
    assert len(drawn) == 2 * 3 * 2
    one = drawn.query("method == 'gaussian' and seed == 2 and criterion == 'AR'")["value"].item()
    table = pe.match(data, pe.propose("gaussian", data, 20, 2, duplicates="hosang"), [20])
    assert one == float(pe.average_recall(table))
    spread = rules.spreads(drawn).query("method == 'uniform' and criterion == 'AR'").iloc[0]
    values = drawn.query("method == 'uniform' and criterion == 'AR'")["value"]
    assert (spread["draws"], spread["mean"], spread["spread"]) == (3, values.mean(), values.std())


def test_a_random_baseline_is_judged_by_the_spread_of_its_draws():
    drawn = pd.DataFrame({"method": "uniform", "seed": [1, 2, 3], "criterion": "AR", "tau": np.nan,
                          "value": [0.29, 0.30, 0.31]})  # fmt: skip
    near = rules.beside_draws(drawn, theirs(Uniform=0.33), NAMES)
    assert near["apart"].tolist() == pytest.approx([3])
    assert verdict("hosang.uniform", **rules.judge_draws(near, "Uniform")).verdict == "within tolerance"
    far = rules.beside_draws(drawn, theirs(Uniform=0.36), NAMES)
    judged = rules.judge_draws(far, "Uniform")
    assert verdict("hosang.uniform", **judged).verdict == "differs"
    assert "AR is 6.0 spreads" in judged["because"]
    assert rules.in_words(far) == "Uniform, AR: 0.3600 published and 0.3000 here"
    none = rules.beside_draws(None, theirs(Uniform=0.36), NAMES)
    assert verdict("hosang.uniform", **rules.judge_draws(none, "Uniform")).verdict == "not reproducible here"


def test_windows_are_judged_without_tolerance():
    rows = pd.DataFrame({"paper": [0.22878], "here": [0.228776], "difference": [-4e-6]})
    assert verdict("hosang.sliding_window", **rules.judge_windows(rows)).verdict == "exact"
    rows = rows.assign(here=0.2293, difference=0.0005)
    assert verdict("hosang.sliding_window", **rules.judge_windows(rows)).verdict == "differs"
    assert list(rules.judge_windows(rows[:0])) == ["because"]


def test_copies_are_counted_by_each_rule():
    (row,) = rules.copies(["uniform"], toy(), 9, 1).to_dict("records")
    assert row == {"method": "uniform", "exact": 9, "rounded": 9, "hosang": 9, "keep": 9}


def test_mixed_frames_move_the_truth_by_a_pixel():
    data = toy()
    (row,) = rules.mixed(["uniform"], data, 15, 2).to_dict("records")
    boxes = pe.propose("uniform", data, 15, 2, duplicates="hosang")
    assert row["as declared"] == float(pe.average_recall(pe.match(data, boxes, [15])))
    moved = data.objects.assign(x1=data.objects["x1"] - 1, y1=data.objects["y1"] - 1)
    larger = pe.Dataset("moved", data.images, moved)
    assert row["mixed"] == pytest.approx(float(pe.average_recall(pe.match(larger, boxes, [15]))), abs=1e-12)
    assert row["change"] == row["mixed"] - row["as declared"]
    assert rules.mixed([], data, 15, 2).empty
