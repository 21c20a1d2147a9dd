"""Precision and recall for objects and parts (Fop): regions judged as object and part candidates (§4)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.values import fail, is_number
from propeval_lite._kernels.contingency import OBJECT, PART, classify_overlaps
from propeval_lite.partitions.contingency import Contingency, contingency_tables
from propeval_lite.partitions.precision_recall import f_of

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
    mine, sides = _classify(tables, gamma_object, gamma_part, beta, coverage)
    precision = float(mine.credit.sum()) / int(mine.judged.sum())
    recall = sum(float(side.credit.sum()) for side in sides) / sum(int(side.judged.sum()) for side in sides)
    return f_of(precision, recall), precision, recall


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
    mine, sides = _classify(tables, gamma_object, gamma_part, beta, coverage)
    frames = [side.describe() for side in sides]
    for k, frame in enumerate(frames):
        frame.insert(0, "truth", k)
    return RegionClasses(mine.describe(), pd.concat(frames, ignore_index=True))


class _Side(NamedTuple):
    """The regions of one partition: which are judged, as what, and with which credit."""

    labels: np.ndarray
    sizes: np.ndarray
    judged: np.ndarray
    kind: np.ndarray
    credit: np.ndarray

    @classmethod
    def of(cls, labels: np.ndarray, sizes: np.ndarray, coverage: Fraction) -> _Side:
        """Return the regions before they are compared: no kind, and as credit the pixels that fragments cover."""
        kind, covered = np.zeros(len(sizes), dtype=np.int8), np.zeros(len(sizes), dtype=np.int64)
        return cls(labels, sizes, _largest_regions(sizes, coverage), kind, covered)

    def credited(self, beta: float, n_others: int = 1) -> _Side:
        """Turn pixels into credit: 1 for an object, beta for a part, else the fraction that fragments cover."""
        covered = self.credit / (n_others * self.sizes)
        credit = np.where(self.kind == OBJECT, 1.0, np.where(self.kind == PART, beta, covered))
        return self._replace(credit=np.where(self.judged, credit, 0.0))

    def describe(self) -> pd.DataFrame:
        """Return a row per region: ``label, pixels, kind, credit``."""
        chosen = [~self.judged, self.kind == OBJECT, self.kind == PART, self.credit > 0]
        names = np.select(chosen, ["ignored", "object", "part", "fragment"], "noise")
        columns = {"label": self.labels, "pixels": self.sizes, "kind": names, "credit": self.credit}
        return pd.DataFrame(columns)


def _classify(
    tables: list[Contingency], gamma_object: float, gamma_part: float, beta: float, coverage: float
) -> tuple[_Side, list[_Side]]:
    """Judge the regions of the partition and those of each truth."""
    rules = {"gamma_object": gamma_object, "gamma_part": gamma_part, "beta": beta, "coverage": coverage}
    for name, value in rules.items():
        if not is_number(value):
            raise fail(f"{name} to be a number", repr(value), "Use for example the default.")
    if not 0 < gamma_part < gamma_object <= 1:
        got = f"gamma_part={gamma_part}, gamma_object={gamma_object}"
        raise fail("0 < gamma_part < gamma_object <= 1", got, "The published numbers use 0.25 and 0.9.")
    for name, low, inside in (("beta", "[0", 0 <= beta <= 1), ("coverage", "(0", 0 < coverage <= 1)):
        if not inside:
            remedy = "The published numbers use beta 0.1 and coverage 0.99."
            raise fail(f"{name} in {low}, 1]", rules[name], remedy)
    exact = Fraction(str(coverage))
    mine = _Side.of(tables[0].partition_labels, tables[0].partition_sizes, exact)
    sides = [_Side.of(table.truth_labels, table.truth_sizes, exact) for table in tables]
    for table, side in zip(tables, sides, strict=True):
        cells, sizes, judged = (
            (table.row, table.column, table.count),
            (side.sizes, mine.sizes),
            (side.judged, mine.judged),
        )
        gammas, found = (
            (float(gamma_object), float(gamma_part)),
            (side.kind, side.credit, mine.kind, mine.credit),
        )
        classify_overlaps(*cells, *sizes, *judged, *gammas, *found)
    return mine.credited(beta, len(tables)), [side.credited(beta) for side in sides]


def _largest_regions(sizes: np.ndarray, coverage: Fraction) -> np.ndarray:
    """Mark the largest regions until they hold the fraction `coverage`, decided in whole numbers."""
    order = np.lexsort((np.arange(len(sizes)), sizes))[::-1]
    before = np.cumsum(sizes[order]) - sizes[order]
    judged = np.zeros(len(sizes), dtype=np.bool_)
    # Python's integers have no end; products with many digits of coverage would leave 64 bits.
    judged[order] = before < -(-coverage.numerator * int(sizes.sum()) // coverage.denominator)
    return judged
