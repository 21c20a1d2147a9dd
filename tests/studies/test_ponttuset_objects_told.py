"""Sentences and verdicts of the page on masks follow their tables."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.results import Result, ledger, published, verdict
from propeval_lite.studies import ponttuset_objects_told as study

LEVELS = (0.5, 0.7, 0.85)


def summary(last):
    keys = {"dataset": "voc2012", "measure": "jaccard", "statistic": "mean", "level": np.nan}
    return pd.DataFrame([{**keys, "method": name, "budget": k, "value": value} for name, values in
                         {"m": (0.2, last), "quadtree, both": (0.9, 0.1)}.items()
                         for k, value in zip((1, 10), values, strict=True)])  # fmt: skip


def test_all_curves_rise_only_where_none_falls():
    assert study.rising(summary(0.3)) == "None of the 1 curves falls anywhere."
    assert study.rising(summary(0.1)) == "0 of 1 curves never fall; m, jaccard, mean does."


def test_medians_are_counted():
    top = pd.DataFrame({"dataset": "d", "measure": ["jaccard"] * 2, "mean": [0.5, 0.5], "median": [0.6, 0.4]})
    assert study.medians(top) == "The median is above the mean for: d, pixels: 1 of 2 methods."


def test_rankings_turned_round():
    counts = pd.DataFrame({"pairs": [5, 5], "J against F": [1, 0], "J against boundary F": [1, 2]})
    assert "Of 10 comparisons, averaging $F$ turns 1 round and boundary $F$ 3" in study.turned(counts)
    assert "disagree more often" in study.turned(counts)


def situations():
    rows = [("(a) second annotator", 0.95, 0.94, 0.95), ("(b) hairs", 0.97, 0.8, 0.83),
            ("(c) neighbour", 0.0, 0.5, 0.5),
            ("(d) ragged", 0.8, 0.4, 0.42), ("(e) rim", 0.0, 0.66, 1.0)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["situation", "J", "matching", "morphological"])
    return table.assign(difference=table["morphological"] - table["matching"])


def test_situations_say_which_measure_is_stricter():
    said = study.situations(situations())
    assert "(b) hairs: boundaries are stricter; (c) neighbour: pixels are stricter" in said
    assert "Pixels prefer the ragged mask, boundaries the neighbour." in said
    assert "most for (e) rim, by 0.34, and by at most 0.03 elsewhere" in said


def test_both_readings_of_the_bracket_of_figure_8():
    table = situations()
    rows = [(name, "morphological", tolerance, value - less)
            for name, value in table[["situation", "matching"]].to_numpy()
            for tolerance, less in ((0.002, 0.1), (0.0075, -0.1))]  # fmt: skip
    sweep = pd.DataFrame(rows, columns=["situation", "method", "tolerance", "value"])
    assert "4 of 4 at 0.20%, 0 of 4 at 0.75%" in study.bracket(table, sweep)


def test_rows_of_figure_8():
    lines = study.of_figure_8(situations(), published("ponttuset_situations"), "s")
    found = {line["row"]: verdict(**line) for line in lines}
    assert [one.verdict for one in found.values()] == ["exact", "same trend", "same trend", "same trend"]
    turned = situations().assign(J=[0.95, 0.5, 0.9, 0.1, 0])
    lines = study.of_figure_8(turned, published("ponttuset_situations"), "s")
    assert [verdict(**line).verdict for line in lines][1:] == ["differs"] * 3


@pytest.mark.parametrize("known", [True, False])
def test_the_page_on_masks_fills_all_its_rows_of_the_ledger(known):
    rows = ledger()
    wanted = set(rows.index[rows["chapter"] == "ponttuset_objects"])
    on_the_page = {"eq1", "eq2", "fig2", "morphological_fb", "over_proposals", "tolerance_8_percent"}
    keys = {"dataset": "voc2012", "method": "m", "budget": 9, "level": np.nan}
    values = [
        ("jaccard", "mean", 0.5),
        ("jaccard", "median", 0.6),
        ("boundary", "mean", 0.5),
        ("boundary", "median", 0.4),
    ]
    table = pd.DataFrame([{**keys, "measure": m, "statistic": s, "value": v} for m, s, v in values])
    voc = Result(table if known else None, "voc2012", stored=False)
    near = pd.DataFrame({"method": ["MCG", "QT"], "1,000: mean J": [0.7, 0.4]})
    close = pd.DataFrame({0.5: [0.7, 0.8], 0.7: [0.6, 0.7], 0.85: [0.4, 0.3]}, index=["CPMC", "GOP"])
    lines = study.of_figure_9(voc, near, close, LEVELS)
    lines += study.of_figure_8(situations(), published("ponttuset_situations"), "s")
    assert {line["row"] for line in lines} | {f"ponttuset.{name}" for name in on_the_page} == wanted
    found = {line["row"].removeprefix("ponttuset."): verdict(**line).verdict for line in lines}
    assert found["claim_gop_cpmc"] == "same trend" and found["claim_mcg_slightly"] == "exact"
    assert found["claim_median_saturates"] == ("differs" if known else "not reproducible here")
