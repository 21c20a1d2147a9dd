"""Measures of measures on BSDS500: what both Table 2s are compared with, and how the numbers depend on the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite.datasets import Dataset
from propeval_lite.meta import human_scores, report_of_scores, sihd_of_scores
from propeval_lite.partitions.measures import TABLE_2
from propeval_lite.studies.ponttuset_meta_authors import (
    META,
    authors_partners,
    authors_table,
    differences_per_pair,
    find_examples,
)
from propeval_lite.studies.ponttuset_meta_measures import density_bins, one_draw

#: Labels of the tables of `published("ponttuset_table2")`.
JOURNAL, CONFERENCE = "Table 2", "CVPR 2013, Table 2"
#: Results of `real_tables`.
TABLES = ("authors", "people", "segmenters", "robustness", "averages", "crossings", "heaps", "examples")
#: How the scores against single truths are put together, see `sihd_by_average`.
AVERAGES = {"mean": "mean", "median": "median", "maximum": "max"}
#: Measures that the paper averages over the truths by a plain mean.
AVERAGED = tuple(name for name in TABLE_2 if name not in ("fb", "fop", "region_f"))


def whole_test_set(dataset: Dataset, root: str | Path | None) -> dict[str, str] | None:
    """Partners that the authors drew, if the data set is all of BSDS500's test images and their files are there.

    Parameters
    ----------
    dataset : Dataset
        Any.
    root : path or None
        Folder of the real data.
    """
    if root is None or dataset.provenance.get("spec") != "bsds500":
        return None
    partners = authors_partners(root)
    return partners if set(partners) == set(dataset.images["image_id"]) else None


def real_tables(
    dataset: Dataset,
    root: str | Path,
    partners: Mapping,
    humans: pd.DataFrame,
    sihd: pd.DataFrame,
    sweeps: pd.DataFrame,
    printed: pd.DataFrame,
    bins: int = 50,
    against: str = "best",
) -> dict[str, pd.DataFrame]:
    """Compute on the test images of BSDS500 all that is compared with the paper.

    Parameters
    ----------
    dataset, root, partners
        See `whole_test_set`.
    humans, sihd, sweeps : DataFrame
        From `judge_people`, `sihd_table` and `sweep_table_2`, already computed there; draw 0 met `partners`.
    printed : DataFrame
        ``published("ponttuset_meta_figures")``.
    bins, against
        As for them. SABD and SISD count ties as right, as the authors do.

    Returns
    -------
    dict
        ``authors`` (from their files, see `authors_table`), ``people`` (our measures on their pairs: `sihd_table` and
        `differences_per_pair`), ``segmenters`` (SABD and SISD of this library's methods), ``robustness`` (see
        `sihd_readings`), ``averages`` (see `sihd_by_average`), ``crossings`` and ``heaps`` of F_b (one against all,
        and against one), ``examples`` (see `find_examples`).
    """
    names = list(TABLE_2)
    report = report_of_scores(names, one_draw(humans), sweeps, bins=bins, ties="correct", against=against)
    alone = human_scores(names, dataset, partners=partners, truths="one by one")
    ways = {"one against all": one_draw(humans), "one against one": alone}
    found = {way: sihd_of_scores(scores, "fb", bins=bins) for way, scores in ways.items()}
    return {
        "authors": authors_table(root),
        "people": sihd.merge(differences_per_pair(root, humans), on="measure"),
        "segmenters": report[["sabd", "sisd"]].reset_index().assign(
            judged=sweeps.loc[sweeps["split"] == "test", "image_id"].nunique()
        ),
        "robustness": sihd_readings(humans, alone, names, bins),
        "averages": sihd_by_average(alone, AVERAGED, bins),
        "crossings": pd.DataFrame(
            [(way, one.threshold, one.value) for way, one in found.items()], columns=["way", "threshold", "sihd"]
        ),
        "heaps": pd.concat([density_bins(scores, "fb", bins).assign(way=way) for way, scores in ways.items()]),
        "examples": find_examples(root, printed),
    }  # fmt: skip


def sihd_readings(humans: pd.DataFrame, alone: pd.DataFrame, names: Sequence[str], bins: int) -> pd.DataFrame:
    """SIHD of every measure by rules that are each one step away from the authors'.

    Parameters
    ----------
    humans, names, bins
        See `sihd_table`; draw 0 is the authors'.
    alone : DataFrame
        From `human_scores`, one annotator against one, with the authors' draw.

    Returns
    -------
    DataFrame
        Columns ``reading, measure, sihd``.
    """
    theirs = one_draw(humans)
    readings: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
        "as in the authors' program": (theirs, {}),
        "mean of the errors, not their sum": (theirs, {"errors": "mean"}),
        "best threshold, no densities": (theirs, {"classifier": "threshold"}),
        "half as many points": (theirs, {"bins": bins // 2}),
        "twice as many points": (theirs, {"bins": 2 * bins}),
        **{f"another draw, {k}": (one_draw(humans, k), {}) for k in range(1, humans["draw"].max() + 1)},
        "all draws pooled": (humans, {}),
        "one annotator against one": (alone, {}),
    }
    rows = [
        (words, name, sihd_of_scores(scores, name, **{"bins": bins, **choices}).value)
        for words, (scores, choices) in readings.items()
        for name in names
    ]
    return pd.DataFrame(rows, columns=["reading", "measure", "sihd"])


def reading_distances(readings: pd.DataFrame, journal: pd.DataFrame) -> pd.DataFrame:
    """How far each row of `sihd_readings` is from the printed SIHD, in points.

    Returns
    -------
    DataFrame
        Index ``reading``; columns ``mean difference, largest`` (with its sign), ``of`` (its measure), ``as printed``
        (measures that are equal after rounding).
    """
    value = 100 * readings["sihd"]
    paper = readings["measure"].map(journal["sihd"])
    gaps = readings.assign(gap=value - paper, size=(value - paper).abs(), exact=(value - paper).abs() <= 0.05)
    groups = gaps.groupby("reading", sort=False)
    worst = gaps.loc[groups["size"].idxmax()].set_index("reading")
    return pd.DataFrame(
        {
            "mean difference": groups["size"].mean(),
            "largest": worst["gap"],
            "of": worst["measure"],
            "as printed": groups["exact"].sum(),
        }
    )


def sihd_by_average(alone: pd.DataFrame, names: Sequence[str], bins: int) -> pd.DataFrame:
    """SIHD when the scores against single truths are put together by their mean, median or maximum.

    Parameters
    ----------
    alone : DataFrame
        From `human_scores`, one annotator against one.
    names : sequence of str
        Measures that are averaged over the truths.
    bins : int
        See `sihd_table`.

    Returns
    -------
    DataFrame
        Columns ``measure, mean, median, maximum`` (shares; the maximum is that of the score as it stands, of a
        distance the worst), ``margin``: half of the interval that holds the SIHD of the mean in 95 of 100 samples of
        as many independent people.
    """
    keys = ["image_id", "annotator", "other_id", "same", "draw"]
    grouped = alone.groupby(keys, sort=False)
    rows = []
    for name in names:
        found = {
            words: sihd_of_scores(grouped[name].agg(how).reset_index(), name, bins=bins)
            for words, how in AVERAGES.items()
        }
        one = found["mean"]
        sign = 1 if one.higher_is_better else -1
        sides = [
            sign * one.good["score"] > sign * one.threshold,
            sign * one.bad["score"] > sign * one.threshold,
        ]
        spread = np.sqrt(sum(side.mean() * (1 - side.mean()) / len(side) for side in sides))
        rows.append((name, *(one.value for one in found.values()), 1.96 * spread))
    return pd.DataFrame(rows, columns=["measure", *AVERAGES, "margin"])


def beyond_margin(averages: pd.DataFrame) -> pd.DataFrame:
    """Measures whose SIHD moves by more than `margin` of `sihd_by_average`, one row per measure and average."""
    tall = averages.melt(["measure", "mean", "margin"], ["median", "maximum"], "average", "sihd")
    tall["points"] = 100 * (tall["sihd"] - tall["mean"])
    return tall[tall["points"].abs() > 100 * tall["margin"]]


def printed_table(printed: pd.DataFrame, table: str = JOURNAL) -> pd.DataFrame:
    """Table 2 as printed, in per cent: a row per measure in the journal's order, a column per meta-measure.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_table2")``.
    table : str
        `JOURNAL` or `CONFERENCE`.
    """
    rows = printed[printed["table"] == table]
    wide = rows.pivot_table(index="measure", columns="meta_measure", values="value")
    return wide.reindex(list(TABLE_2))


def beside(printed: pd.DataFrame, computed: pd.DataFrame, keys: Sequence[str] = META) -> pd.DataFrame:
    """Set printed and computed meta-measures side by side, in per cent: ``KEY: paper, KEY: here`` for each key.

    Parameters
    ----------
    printed : DataFrame
        From `printed_table`.
    computed : DataFrame
        Column ``measure`` and the keys, as shares.
    """
    ours = 100 * computed.set_index("measure")[list(keys)].reindex(printed.index)
    columns = {}
    for key in keys:
        columns[f"{key}: paper"] = printed[key]
        columns[f"{key}: here"] = ours[key]
    return pd.DataFrame(columns).reset_index()


def as_printed(table: pd.DataFrame, key: str) -> pd.Series:
    """Whether each row of `beside` rounds to what is printed, index ``measure``."""
    gap = (table[f"{key}: here"] - table[f"{key}: paper"]).abs()
    return (gap <= 0.05 + 1e-9).set_axis(table["measure"])


def stack_sources(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Meta-measures of several sources in one long table, in per cent.

    Parameters
    ----------
    tables : mapping
        Label of the source to a table with index ``measure`` and some of the columns ``sihd, sabd, sisd``, in per cent.

    Returns
    -------
    DataFrame
        Columns ``measure, meta_measure, value, source, low, high`` (no ranges: NaN).
    """
    tall = [
        table.reindex(columns=list(META))
        .reset_index()
        .melt("measure", var_name="meta_measure")
        .assign(source=label)
        for label, table in tables.items()
    ]
    return pd.concat(tall, ignore_index=True).dropna(subset="value").assign(low=np.nan, high=np.nan)


def agreement(journal: pd.DataFrame, computed: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation and largest difference of two tables in per cent with index ``measure``, per meta-measure.

    Returns
    -------
    DataFrame
        Columns ``what, rank correlation, largest difference, of`` (the measure of that difference).
    """
    rows = []
    for key in META:
        if key in computed:
            gap = (computed[key] - journal[key]).abs()
            order = computed[key].corr(journal[key], method="spearman")
            rows.append((key.upper(), order, gap.max(), gap.idxmax()))
    return pd.DataFrame(rows, columns=["what", "rank correlation", "largest difference", "of"])


def lay_out(tall: pd.DataFrame) -> pd.DataFrame:
    """Lay `stack_sources` out with a row per measure and columns such as ``SIHD: paper, 2016``."""
    short = tall["source"].str.partition(":")[0]
    columns = tall.assign(column=tall["meta_measure"].str.upper() + ": " + short)
    wide = columns.pivot_table(index="measure", columns="column", values="value", sort=False)
    return wide.rename_axis(columns=None).reset_index()
