"""Precision and recall for objects and parts (Fop): regions judged as object and part candidates (§4)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.values import fail
from propeval_lite._kernels.contingency import OBJECT, PART, classify_overlaps
from propeval_lite.partitions.contingency import Contingency, contingency_tables

#: Kinds of regions, worst first; "ignored" regions are too small to be judged.
KINDS = ("ignored", "noise", "fragment", "part", "object")


class RegionClasses(NamedTuple):
    """Kind and credit of every region of a partition and of its truths.

    Attributes
    ----------
    partition : DataFrame
        Columns ``label, pixels, kind, credit``, one row per region.
    truth : DataFrame
        The same with a first column ``truth``, the position of the truth in the list.
    """

    partition: pd.DataFrame
    truth: pd.DataFrame


def fop(
    partition: object,
    truths: Iterable,
    gamma_object: float = 0.9,
    gamma_part: float = 0.25,
    beta: float = 0.1,
    coverage: float = 0.99,
    void: int | None = None,
) -> tuple[float, float, float]:
    r"""F measure, precision and recall for objects and parts.

    Parameters
    ----------
    partition : int array
        Label of each pixel, >= 0.
    truths : sequence of int arrays
        At least one, each of the partition's shape.
    gamma_object, gamma_part : float
        Overlaps from which a region is an object or a part candidate, 0 < gamma_part < gamma_object <= 1. The
        papers print 0.95 for objects; the published numbers need 0.9.
    beta : float
        Credit of a part candidate, in [0, 1].
    coverage : float
        Only the largest regions that together hold this fraction of the pixels are judged, in (0, 1]; of regions
        of equal size the one met later in a row-by-row scan counts as larger.
    void : int, optional
        Truth label of pixels to leave out. A pixel that one truth calls void is left out for all.

    Returns
    -------
    f, precision, recall : float
        In [0, 1]; always defined.

    Notes
    -----
    For a region :math:`R_i` of the partition :math:`S` and a region :math:`R'_j` of one of the :math:`K` truths
    let :math:`o_S = |R_i \cap R'_j| / |R_i|` and :math:`o_G = |R_i \cap R'_j| / |R'_j|`. Both regions are
    *objects* if :math:`o_S, o_G \ge \gamma_o`; :math:`R_i` is a *part* if :math:`o_S \ge \gamma_o` and
    :math:`o_G \ge \gamma_p`, and :math:`R'_j` is one if the two are exchanged. The best class of a region stands.
    A region that is neither earns the fraction of it that smaller regions of the other side fill,

    .. math:: fr(R_i) = \frac1K \sum_j \{o_S : o_G \ge \gamma_o\}, \qquad fr(R'_j) = \sum_i \{o_G : o_S \ge \gamma_o\},

    and :math:`P = (oc + fr + \beta\,pc) / |S|`, :math:`R = (oc' + fr' + \beta\,pc') / |G|` with the numbers of
    object and part candidates, where :math:`G` pools the regions of all truths. :math:`F` is their harmonic mean.
    Over a data set the authors report the F of the mean P and the mean R.

    References
    ----------
    Pont-Tuset & Marqués, §4, Algorithm 1, eqs (10) and (11).

    Examples
    --------
    Truth ``aaaabbbb`` and partition ``xxyybbbb``: b is found as an object; x and y are parts of a. So P is
    (1 + 2 · 0.1) / 3. The truth's a is filled wholly by fragments and b is an object: R = 1.

    >>> [round(value, 4) for value in fop([0, 0, 1, 1, 2, 2, 2, 2], [[0, 0, 0, 0, 1, 1, 1, 1]])]
    [0.5714, 0.4, 1.0]
    >>> [round(value, 4) for value in fop([0, 0, 0, 0, 1, 1, 1, 1], [[0, 0, 1, 1, 2, 2, 2, 2]])]
    [0.5714, 1.0, 0.4]
    """
    return fop_of_tables(
        contingency_tables(partition, truths, void, void_in="any"), gamma_object, gamma_part, beta, coverage
    )


def fop_of_tables(
    tables: list[Contingency],
    gamma_object: float = 0.9,
    gamma_part: float = 0.25,
    beta: float = 0.1,
    coverage: float = 0.99,
) -> tuple[float, float, float]:
    """F, precision and recall for objects and parts from tables already counted, one per truth.

    Parameters
    ----------
    tables : list of Contingency
        Of the same partition and the same pixels; see `contingency_tables`.
    gamma_object, gamma_part, beta, coverage : float
        See `fop`.

    Returns
    -------
    f, precision, recall : float
        See `fop`.

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> fop_of_tables([contingency([0, 0, 1, 1], [0, 0, 1, 1])])
    (1.0, 1.0, 1.0)
    """
    (judged, _, credit), truth_side = _classify(tables, gamma_object, gamma_part, beta, coverage)
    precision = float(credit.sum()) / int(judged.sum())
    recall = sum(float(side[2].sum()) for side in truth_side) / sum(int(side[0].sum()) for side in truth_side)
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f, precision, recall


def classify_regions(
    partition: object,
    truths: Iterable,
    gamma_object: float = 0.9,
    gamma_part: float = 0.25,
    beta: float = 0.1,
    coverage: float = 0.99,
    void: int | None = None,
) -> RegionClasses:
    """Classify each region as object, part, fragment or noise, with its credit in precision or recall.

    Parameters
    ----------
    partition, truths, gamma_object, gamma_part, beta, coverage, void
        See `fop`.

    Returns
    -------
    RegionClasses
        Tables ``partition`` and ``truth``. Kinds are those of `KINDS`: a *fragment* holds whole regions of the
        other side (under-segmented in the partition, over-segmented in the truth); *ignored* regions lie outside
        the coverage. The credits add up to the numerator of precision (or recall), the regions not ignored are
        its denominator.

    References
    ----------
    Pont-Tuset & Marqués, §4, Algorithm 1 and fig. 4.

    Examples
    --------
    >>> classes = classify_regions([0, 0, 1, 1, 2, 2, 2, 2], [[0, 0, 0, 0, 1, 1, 1, 1]])
    >>> classes.partition["kind"].tolist(), classes.truth["kind"].tolist()
    (['part', 'part', 'object'], ['fragment', 'object'])
    """
    tables = contingency_tables(partition, truths, void, void_in="any")
    side, truth_sides = _classify(tables, gamma_object, gamma_part, beta, coverage)
    frames = [
        _describe(table.truth_labels, table.truth_sizes, *found)
        for table, found in zip(tables, truth_sides, strict=True)
    ]
    for k, frame in enumerate(frames):
        frame.insert(0, "truth", k)
    return RegionClasses(
        _describe(tables[0].partition_labels, tables[0].partition_sizes, *side),
        pd.concat(frames, ignore_index=True),
    )


def _classify(
    tables: list[Contingency], gamma_object: float, gamma_part: float, beta: float, coverage: float
):
    """Judge both sides: (judged, class, credit) of the partition's regions and of each truth's."""
    for name, value in (
        ("gamma_object", gamma_object),
        ("gamma_part", gamma_part),
        ("beta", beta),
        ("coverage", coverage),
    ):
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            raise fail(f"{name} to be a number", repr(value), "Use for example the default.")
    if not 0 < gamma_part < gamma_object <= 1:
        raise fail(
            "0 < gamma_part < gamma_object <= 1",
            f"gamma_part={gamma_part}, gamma_object={gamma_object}",
            "The published numbers use 0.25 and 0.9.",
        )
    for name, value, low in (("beta", beta, "[0"), ("coverage", coverage, "(0")):
        if not 0 <= value <= 1 or (value == 0 and low == "(0"):
            raise fail(f"{name} in {low}, 1]", value, "The published numbers use beta 0.1 and coverage 0.99.")
    exact = Fraction(str(coverage))
    first = tables[0]
    judged = _largest_regions(first.partition_sizes, exact)
    kind = np.zeros(len(judged), dtype=np.int8)
    covered = np.zeros(len(judged), dtype=np.int64)
    truth_sides = []
    for table in tables:
        truth_judged = _largest_regions(table.truth_sizes, exact)
        truth_kind = np.zeros(len(truth_judged), dtype=np.int8)
        truth_covered = np.zeros(len(truth_judged), dtype=np.int64)
        classify_overlaps(
            table.row,
            table.column,
            table.count,
            table.truth_sizes,
            first.partition_sizes,
            truth_judged,
            judged,
            float(gamma_object),
            float(gamma_part),
            truth_kind,
            truth_covered,
            kind,
            covered,
        )
        truth_sides.append(
            (
                truth_judged,
                truth_kind,
                _credit(truth_judged, truth_kind, truth_covered / table.truth_sizes, beta),
            )
        )
    return (
        judged,
        kind,
        _credit(judged, kind, covered / (len(tables) * first.partition_sizes), beta),
    ), truth_sides


def _largest_regions(sizes: np.ndarray, coverage: Fraction) -> np.ndarray:
    """Mark the largest regions until they hold the fraction `coverage`, decided in whole numbers."""
    order = np.lexsort((np.arange(len(sizes)), sizes))[::-1]
    before = np.cumsum(sizes[order]) - sizes[order]
    judged = np.zeros(len(sizes), dtype=np.bool_)
    # Python's integers have no end; products with many digits of coverage would leave 64 bits.
    judged[order] = before < -(-coverage.numerator * int(sizes.sum()) // coverage.denominator)
    return judged


def _credit(judged: np.ndarray, kind: np.ndarray, covered: np.ndarray, beta: float) -> np.ndarray:
    """Credit of each region: 1 for an object, beta for a part, else the fraction that fragments cover."""
    credit = np.where(kind == OBJECT, 1.0, np.where(kind == PART, beta, covered))
    return np.where(judged, credit, 0.0)


def _describe(
    labels: np.ndarray, sizes: np.ndarray, judged: np.ndarray, kind: np.ndarray, credit: np.ndarray
):
    names = np.select(
        [~judged, kind == OBJECT, kind == PART, credit > 0],
        ["ignored", "object", "part", "fragment"],
        "noise",
    )
    return pd.DataFrame({"label": labels, "pixels": sizes, "kind": names, "credit": credit})
