"""Region measures of one contingency table: a partition seen as a clustering of the pixels (§3.1).

Every function takes a `Contingency`, rows truth, and returns a float. References are to Pont-Tuset & Marqués.
"""

from __future__ import annotations

import math

import numpy as np

from propeval_lite._kernels.bipartite import heaviest_matching
from propeval_lite._kernels.contingency import largest_in_group
from propeval_lite.partitions.contingency import Contingency


def hamming_partition(table: Contingency) -> float:
    r"""Directional Hamming distance with every partition region given to the truth region it shares most with.

    Fraction of pixels in [0, 1): those left over. 0 where the partition refines the truth.

    :math:`d_H(S \Rightarrow G) = 1 - \frac1N \sum_{R \in S} \max_{R' \in G} |R \cap R'|` for a partition
    :math:`S`, a truth :math:`G` and :math:`N` pixels. One minus it is the precision of the regions, weighted by
    area, and the *achievable segmentation accuracy* of superpixels. The paper counts pixels; here :math:`N`
    divides them.

    See §3.1, eq. (3).

    Examples
    --------
    Truth ``aaab``, partition ``xxyy``: x lies in a, y loses one pixel.

    >>> from propeval_lite.partitions.contingency import contingency
    >>> hamming_partition(contingency([0, 0, 0, 1], [0, 0, 1, 1]))
    0.25
    >>> hamming_partition(contingency([0, 0, 0, 0], [0, 0, 1, 1])), hamming_truth(contingency([0] * 4, [0, 0, 1, 1]))
    (0.0, 0.5)
    """
    kept = largest_in_group(table.column, table.count, table.shape[1]).sum()
    return int(table.n_pixels - kept) / table.n_pixels


def hamming_truth(table: Contingency) -> float:
    r"""Directional Hamming distance with every truth region given to the partition region it shares most with.

    Fraction of pixels in [0, 1): those left over. 0 where the truth refines the partition.

    :math:`d_H(G \Rightarrow S) = 1 - \frac1N \sum_{R' \in G} \max_{R \in S} |R \cap R'|`.

    See §3.1, eq. (3) with the arguments exchanged.

    Examples
    --------
    Truth ``aabb``, partition ``xyzz``: a is cut in two halves, b is whole.

    >>> from propeval_lite.partitions.contingency import contingency
    >>> hamming_truth(contingency([0, 0, 1, 1], [0, 1, 2, 2]))
    0.25
    """
    kept = largest_in_group(table.row, table.count, table.shape[0]).sum()
    return int(table.n_pixels - kept) / table.n_pixels


def van_dongen(table: Contingency) -> float:
    r"""Van Dongen's distance: the two directional Hamming distances together.

    In [0, 2), 0 for equal partitions; symmetric.

    :math:`d_{vD} = d_H(S \Rightarrow G) + d_H(G \Rightarrow S)`, both as fractions of the pixels.

    See §3.1, eq. (5).

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> van_dongen(contingency([0, 0, 1, 1], [0, 0, 0, 1]))
    0.5
    """
    return hamming_partition(table) + hamming_truth(table)


def _covering(table: Contingency, group: np.ndarray, sizes: np.ndarray) -> float:
    union = table.truth_sizes[table.row] + table.partition_sizes[table.column] - table.count
    return float(sizes @ largest_in_group(group, table.count / union, len(sizes))) / table.n_pixels


def covering_truth(table: Contingency) -> float:
    r"""Segmentation covering of the truth by the partition (the direction of the BSDS benchmark).

    In (0, 1], 1 for equal partitions.

    :math:`C(S \to G) = \frac1N \sum_{R' \in G} |R'| \max_{R \in S} \frac{|R \cap R'|}{|R \cup R'|}`.

    See §3.1, eq. (4).

    Examples
    --------
    Truth ``aaaa``, partition ``xxxy``: the best Jaccard index of a is 3/4. The other way round, x has 3/4 with
    three pixels and y has 1/4 with one.

    >>> from propeval_lite.partitions.contingency import contingency
    >>> table = contingency([0, 0, 0, 0], [0, 0, 0, 1])
    >>> covering_truth(table), covering_partition(table)
    (0.75, 0.625)
    """
    return _covering(table, table.row, table.truth_sizes)


def covering_partition(table: Contingency) -> float:
    r"""Segmentation covering of the partition by the truth.

    In (0, 1], 1 for equal partitions.

    :math:`C(G \to S) = \frac1N \sum_{R \in S} |R| \max_{R' \in G} \frac{|R \cap R'|}{|R \cup R'|}`.

    See §3.1, eq. (4) with the arguments exchanged.

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> covering_partition(contingency([0, 0, 0, 1], [0, 0, 0, 0]))
    0.75
    """
    return _covering(table, table.column, table.partition_sizes)


def bipartite_matching(table: Contingency) -> float:
    r"""Bipartite-graph-matching distance: regions are paired one to one so that they share most pixels.

    Fraction of pixels in [0, 1) outside the shared part of matched regions; symmetric.

    :math:`BGM = 1 - \frac1N \max_m \sum_{(R, R') \in m} |R \cap R'|` over the matchings :math:`m` of regions
    of the two partitions. It is the least fraction of pixels to ignore until the partitions are identical.
    The assignment is solved exactly, in whole numbers.

    See §3.1.

    Examples
    --------
    Truth ``aaabb``, partition ``xxyyy``: a with x (2 pixels) and b with y (2 pixels).

    >>> from propeval_lite.partitions.contingency import contingency
    >>> bipartite_matching(contingency([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]))
    0.2
    """
    if table.shape[0] > table.shape[1]:
        table = table.swapped()
    shared = heaviest_matching(table.row, table.column, table.count, *table.shape)
    return int(table.n_pixels - shared) / table.n_pixels


def consistency_error(table: Contingency) -> float:
    r"""Bidirectional consistency error.

    In [0, 1), 0 for equal partitions; symmetric.

    :math:`BCE = 1 - \frac1N \sum_{R \in S} \sum_{R' \in G} |R \cap R'|
    \min\left\{\frac{|R \cap R'|}{|R|}, \frac{|R \cap R'|}{|R'|}\right\}`.

    See §3.1, eq. (6).

    Examples
    --------
    Truth ``aaaa``, partition ``xxyy``: each cell of 2 pixels is half of a, so 2 · 1/2 + 2 · 1/2 of 4.

    >>> from propeval_lite.partitions.contingency import contingency
    >>> consistency_error(contingency([0, 0, 0, 0], [0, 0, 1, 1]))
    0.5
    """
    larger = np.maximum(table.truth_sizes[table.row], table.partition_sizes[table.column])
    return float((table.count * ((larger - table.count) / larger)).sum()) / table.n_pixels


def variation_of_information(table: Contingency) -> float:
    r"""Variation of information, in bits.

    In [0, log2 N], 0 for equal partitions; symmetric.

    :math:`VoI = H(S) + H(G) - 2 I(S, G) = H(S|G) + H(G|S)` with the entropies of the region that a random pixel
    falls in. The second form is computed: it has no cancellation and is exactly 0 for equal partitions.

    See §3.1, eq. (7).

    Examples
    --------
    Knowing the half of a pixel leaves one bit open, its quarter:

    >>> from propeval_lite.partitions.contingency import contingency
    >>> variation_of_information(contingency([0, 0, 1, 1], [0, 1, 2, 3]))
    1.0
    """
    product = table.truth_sizes[table.row] / table.count * (table.partition_sizes[table.column] / table.count)
    return float((table.count * np.log2(product)).sum()) / table.n_pixels


def normalised_voi(table: Contingency) -> float:
    r"""Variation of information divided by its bound for the number of regions.

    In [0, 1], 0 for equal partitions (also where both have one region and the bound is 0); symmetric.

    :math:`nVoI = VoI / (2 \log_2 N)` with the number :math:`N` of regions of the partition that has more of them.
    The paper says "normalised by log N"; the factor 2, which makes 1 the bound, is that of the authors' code.

    See §3.1, below eq. (7).

    Examples
    --------
    Four regions, of which two and two make one of the truth; one bit is lost of at most 2 · 2:

    >>> from propeval_lite.partitions.contingency import contingency
    >>> normalised_voi(contingency([0, 0, 1, 1], [0, 1, 2, 3]))
    0.25
    """
    bits = variation_of_information(table)
    # Rounding may lift the extreme case a little above its bound.
    return min(bits / (2 * math.log2(max(table.shape))), 1.0) if bits else 0.0
