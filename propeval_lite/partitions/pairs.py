"""Measures of one contingency table that judge pairs of pixels: together or apart (§3.2).

Every function takes a `Contingency`, rows truth. References are to Pont-Tuset & Marqués.
"""

from __future__ import annotations

import math

from propeval_lite.partitions.contingency import Contingency, mean_of_tables
from propeval_lite.partitions.precision_recall import f_of


def pixel_pairs(table: Contingency) -> tuple[int, int, int, int]:
    """Count the pairs of pixels by whether each partition puts them together.

    Returns
    -------
    p11, p10, p01, p00 : int
        Together in both; in the partition only; in the truth only; in neither. They sum to N (N - 1) / 2.

    See §3.2.

    Examples
    --------
    Truth ``aaab``, partition ``xxyy``:

    >>> from propeval_lite.partitions.contingency import contingency
    >>> pixel_pairs(contingency([0, 0, 0, 1], [0, 0, 1, 1]))
    (1, 1, 2, 2)
    """
    both, partition, truth = (
        int(sizes @ (sizes - 1)) // 2 for sizes in (table.count, table.partition_sizes, table.truth_sizes)
    )
    everything = table.n_pixels * (table.n_pixels - 1) // 2
    return both, partition - both, truth - both, everything - partition - truth + both


def rand_index(table: Contingency) -> float:
    r"""Rand index: the fraction of pixel pairs that both partitions treat alike.

    In [0, 1], 1 for equal partitions; symmetric. NaN for a single pixel, which makes no pair.

    :math:`RI = (|P_{00}| + |P_{11}|) / |P|`. Its mean over annotators is the probabilistic Rand index (PRI).

    See §3.2, eq. (8).

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> rand_index(contingency([0, 0, 0, 1], [0, 0, 1, 1]))
    0.5
    """
    p11, p10, p01, p00 = pixel_pairs(table)
    return _ratio(p00 + p11, p11 + p10 + p01 + p00)


def region_precision(table: Contingency) -> float:
    r"""Precision for regions: of the pixel pairs the partition joins, the fraction the truth joins too.

    In [0, 1]. NaN where every pixel is a region of its own in the partition, which then joins no pair.

    :math:`P_r = |P_{11}| / (|P_{11}| + |P_{10}|)`.

    See §3.2, eq. (9).

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> table = contingency([0, 0, 0, 1], [0, 0, 1, 1])
    >>> region_precision(table), round(region_recall(table), 4)
    (0.5, 0.3333)
    """
    p11, p10, _, _ = pixel_pairs(table)
    return _ratio(p11, p11 + p10)


def region_recall(table: Contingency) -> float:
    r"""Recall for regions: of the pixel pairs the truth joins, the fraction the partition joins too.

    In [0, 1]. NaN where every pixel is a region of its own in the truth.

    :math:`R_r = |P_{11}| / (|P_{11}| + |P_{01}|)`.

    See §3.2, eq. (9).

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> region_recall(contingency([0, 0, 1, 1], [0, 0, 0, 1]))
    0.5
    """
    p11, _, p01, _ = pixel_pairs(table)
    return _ratio(p11, p11 + p01)


def region_f(table: Contingency) -> float:
    r"""F measure for regions: harmonic mean of their precision and recall.

    In [0, 1]; symmetric. NaN only where neither partition joins any pair.

    :math:`F_r = 2 |P_{11}| / (2 |P_{11}| + |P_{10}| + |P_{01}|)`.

    See §3.2, below eq. (9).

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> region_f(contingency([0, 0, 0, 1], [0, 0, 1, 1]))
    0.4
    """
    p11, p10, p01, _ = pixel_pairs(table)
    return _ratio(2 * p11, 2 * p11 + p10 + p01)


def region_f_of_tables(tables: list[Contingency]) -> tuple[float, float, float]:
    r"""F, precision and recall for regions over several truths, one table per truth of the same partition.

    Precision and recall are averaged over the :math:`K` truths first, as in the authors' code; the mean of the F of
    each truth is another number.

    .. math:: F_r = \frac{2 \bar P_r \bar R_r}{\bar P_r + \bar R_r}, \qquad
        \bar P_r = \frac1K \sum_k P_r(G_k), \quad \bar R_r = \frac1K \sum_k R_r(G_k).

    F is 0 where the partition joins no pair that a truth joins, and NaN where nobody joins a pair or a mean is
    undefined. With one truth it is `region_f`.

    See §3.2, below eq. (9), and §6.3 for several truths.

    Examples
    --------
    Precision 1/2 and 1, recall 1/3 and 1: F of their means 3/4 and 2/3, while the mean of F is 0.7.

    >>> from propeval_lite.partitions.contingency import contingency
    >>> tables = [contingency(truth, [0, 0, 1, 1]) for truth in ([0, 0, 0, 1], [0, 0, 1, 1])]
    >>> [round(value, 4) for value in region_f_of_tables(tables)]
    [0.7059, 0.75, 0.6667]
    """
    precision, recall = (mean_of_tables(side, tables) for side in (region_precision, region_recall))
    joined = [pixel_pairs(table)[:3] for table in tables]
    if not any(both for both, _, _ in joined):
        return (0.0 if any(map(any, joined)) else math.nan), precision, recall
    return f_of(precision, recall), precision, recall


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
