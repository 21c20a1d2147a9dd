"""Judging a partition by every region measure of Table 1: their registry and the scores of one partition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import pandas as pd

from propeval_lite.partitions.base import Measure
from propeval_lite.partitions.contingency import Contingency, contingency_tables
from propeval_lite.partitions.pairs import rand_index, region_f, region_precision, region_recall
from propeval_lite.partitions.regions import (
    bipartite_matching,
    consistency_error,
    covering_partition,
    covering_truth,
    hamming_partition,
    hamming_truth,
    normalised_voi,
    van_dongen,
    variation_of_information,
)


def _region_measure(
    name: str, symbol: str, of_table: Callable, high: float, higher_is_better: bool, section: str
) -> Measure:
    def score(partition: object, truths: Iterable, void: int | None = None) -> float:
        return _mean([of_table(table) for table in contingency_tables(partition, truths, void)])

    return Measure(name, symbol, score, 0.0, high, higher_is_better, section, of_table)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        _region_measure("hamming_partition", "dH(S⇒G)", hamming_partition, 1.0, False, "§3.1 eq. 3"),
        _region_measure("hamming_truth", "dH(G⇒S)", hamming_truth, 1.0, False, "§3.1 eq. 3"),
        _region_measure("van_dongen", "dvD", van_dongen, 2.0, False, "§3.1 eq. 5"),
        _region_measure("covering_truth", "C(S→G)", covering_truth, 1.0, True, "§3.1 eq. 4"),
        _region_measure("covering_partition", "C(G→S)", covering_partition, 1.0, True, "§3.1 eq. 4"),
        _region_measure("bgm", "BGM", bipartite_matching, 1.0, False, "§3.1"),
        _region_measure("bce", "BCE", consistency_error, 1.0, False, "§3.1 eq. 6"),
        _region_measure("voi", "VoI", variation_of_information, math.inf, False, "§3.1 eq. 7"),
        _region_measure("nvoi", "nVoI", normalised_voi, 1.0, False, "§3.1 eq. 7"),
        _region_measure("pri", "PRI", rand_index, 1.0, True, "§3.2 eq. 8"),
        _region_measure("region_precision", "Pr", region_precision, 1.0, True, "§3.2 eq. 9"),
        _region_measure("region_recall", "Rr", region_recall, 1.0, True, "§3.2 eq. 9"),
        _region_measure("region_f", "Fr", region_f, 1.0, True, "§3.2 eq. 9"),
    )
}


def partition_scores(partition: object, truths: Iterable, void: int | None = None) -> pd.Series:
    """Score a partition by every region measure: the mean over the truths.

    Parameters
    ----------
    partition : int array
        Label of each pixel, >= 0.
    truths : sequence of int arrays
        At least one, each of the partition's shape.
    void : int, optional
        Truth label of pixels that a truth leaves out.

    Returns
    -------
    Series
        One value per name in `MEASURES`. NaN where a measure is undefined for one of the truths (see
        `rand_index`, `region_precision`, `region_recall`, `region_f`).

    Notes
    -----
    All measures of `MEASURES` are averaged over the truths (§6.3). Those with a definition of their own for
    several truths are `fop` and `fb`.

    References
    ----------
    Pont-Tuset & Marqués, §3, Table 1, and §6.3 for several truths.

    Examples
    --------
    >>> scores = partition_scores([0, 0, 1, 1], [[0, 0, 0, 1], [0, 0, 1, 1]])
    >>> float(scores["pri"]), float(scores["hamming_partition"])
    (0.75, 0.125)
    """
    return table_scores(contingency_tables(partition, truths, void))


def table_scores(tables: list[Contingency]) -> pd.Series:
    """Score by every region measure from contingency tables that are already counted, one per truth.

    Parameters
    ----------
    tables : list of Contingency
        See `contingency_tables`.

    Returns
    -------
    Series
        As `partition_scores`.

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> float(table_scores([contingency([0, 1], [0, 1])])["bgm"])
    0.0
    """
    values = {
        name: _mean([measure.of_table(table) for table in tables]) for name, measure in MEASURES.items()
    }
    return pd.Series(values, name="score")
