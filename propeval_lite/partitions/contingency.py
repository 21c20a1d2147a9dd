"""The contingency table of two partitions: joint pixel counts, from which every region measure follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from propeval_lite._checks.values import check_choice, check_labels, check_truths, check_void, fail, unmasked
from propeval_lite._kernels.contingency import count_pairs, nonzero_cells, renumber, sum_in_group, sum_pairs

# Above this many cells a dense table costs more than sorting the pairs.
_DENSE_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class Contingency:
    """Joint pixel counts of a truth (rows) and a partition (columns), cells without pixels left out.

    Regions are numbered in the order in which a row-by-row scan of the image first meets them.

    Attributes
    ----------
    truth_labels, partition_labels : int64 array, shapes (n,) and (m,)
        Original label of each row and of each column.
    row, column, count : int64 array, shape (cells,)
        Cells that hold pixels, sorted by row, then column.
    truth_sizes, partition_sizes : int64 array, shapes (n,) and (m,)
        Row sums and column sums: the pixels of each region.
    """

    truth_labels: np.ndarray
    partition_labels: np.ndarray
    row: np.ndarray
    column: np.ndarray
    count: np.ndarray
    truth_sizes: np.ndarray
    partition_sizes: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """Number of truth regions and of partition regions."""
        return len(self.truth_labels), len(self.partition_labels)

    @property
    def n_pixels(self) -> int:
        """Number of pixels counted."""
        return int(self.truth_sizes.sum())

    def dense(self) -> np.ndarray:
        """Return the whole table, shape (n, m); as large as the product of the numbers of regions."""
        table = np.zeros(self.shape, dtype=np.int64)
        table[self.row, self.column] = self.count
        return table

    def swapped(self) -> Contingency:
        """Return the table with truth and partition exchanged."""
        order = np.lexsort((self.row, self.column))
        return Contingency(
            self.partition_labels,
            self.truth_labels,
            self.column[order],
            self.row[order],
            self.count[order],
            self.partition_sizes,
            self.truth_sizes,
        )

    def merged(self, into: np.ndarray) -> Contingency:
        """Return the table after merging partition regions, without counting pixels again.

        Parameters
        ----------
        into : int array, shape (m,)
            New region of each column, numbered 0, 1, … without gaps. The new labels are these numbers.

        Examples
        --------
        >>> table = contingency([0, 0, 1, 1], [0, 1, 2, 2])
        >>> table.merged(np.array([0, 0, 1])).dense().tolist()
        [[2, 0], [0, 2]]
        """
        into = unmasked(into, "into")
        numbers = np.unique(into)
        whole = into.dtype.kind in "iu" and into.shape == self.partition_labels.shape
        if not whole or not np.array_equal(numbers, np.arange(len(numbers))):
            got = f"{into.dtype.name} of shape {into.shape}, {numbers[:5].tolist()}…"
            expected = f"{len(self.partition_labels)} region numbers 0, 1, … without gaps"
            raise fail(expected, got, "Give the new region of each column.", "into")
        into = into.astype(np.int64)
        labels = np.arange(int(into.max()) + 1)
        cells = _cells(self.row, into[self.column], self.count, len(self.truth_labels), len(labels))
        sizes = sum_in_group(into, self.partition_sizes, len(labels))
        return Contingency(self.truth_labels, labels, *cells, self.truth_sizes, sizes)


def contingency(truth: object, partition: object, void: int | None = None) -> Contingency:
    """Count the pixels that each truth region shares with each partition region.

    Parameters
    ----------
    truth, partition : int array, the same shape
        Label of each pixel, >= 0. Pixels with one label form one region, connected or not.
    void : int, optional
        Truth label of pixels to leave out of both sides. Nothing is left out unless this is given.

    Returns
    -------
    Contingency
        Rows are truth regions.

    References
    ----------
    Pont-Tuset & Marqués, §3.1: every region measure is a function of the overlaps ``|R ∩ R'|``.

    Examples
    --------
    >>> contingency([7, 7, 7, 3], [1, 1, 2, 2]).dense().tolist()
    [[2, 1], [0, 1]]
    >>> contingency([7, 7, 7, 3], [1, 1, 2, 2], void=7).dense().tolist()
    [[1]]
    """
    return contingency_tables(partition, [truth], void)[0]


def contingency_tables(
    partition: object, truths: Iterable, void: int | None = None, void_in: str = "each"
) -> list[Contingency]:
    """Count one partition against several truths, one table each.

    Parameters
    ----------
    partition : int array
        Label of each pixel, >= 0.
    truths : sequence of int arrays
        At least one, each of the partition's shape.
    void : int, optional
        Truth label of pixels to leave out.
    void_in : {"each", "any"}
        Leave a pixel out of the table of the truth that calls it void, or of all tables as soon as one truth does.

    Returns
    -------
    list of Contingency
        In the order of `truths`.

    Examples
    --------
    >>> tables = contingency_tables([0, 0, 1], [[5, 5, 6], [9, 5, 5]], void=9)
    >>> [table.n_pixels for table in tables]
    [3, 2]
    >>> [table.n_pixels for table in contingency_tables([0, 0, 1], [[5, 5, 6], [9, 5, 5]], 9, void_in="any")]
    [2, 2]
    """
    check_choice(void_in, ("each", "any"), "void_in")
    void = check_void(void)
    labels, references = check_partition(partition, truths)
    flat = labels.ravel()
    if void is None:
        numbered = _renumber(flat)
        return [_count(_renumber(truth.ravel()), numbered) for truth in references]
    kept = [truth.ravel() != void for truth in references]
    if void_in == "any":
        kept = [np.logical_and.reduce(kept)] * len(kept)
    tables = []
    for k, (truth, keep) in enumerate(zip(references, kept, strict=True)):
        if not keep.any():
            remedy = "Leave this image out or choose another void label."
            raise fail(f"a pixel that is not void ({void})", "only void pixels", remedy, f"truth {k}")
        tables.append(_count(_renumber(truth.ravel()[keep]), _renumber(flat[keep])))
    return tables


def mean_of_tables(of_table: Callable, tables: list[Contingency]) -> float:
    """Mean over the truths of a function of one contingency table."""
    return math.fsum(map(of_table, tables)) / len(tables)


def check_partition(partition: object, truths: Iterable) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return a partition and its truths as int64 label arrays of one shape."""
    labels = check_labels(partition, "partition")
    references = [check_labels(truth, f"truth {k}") for k, truth in enumerate(check_truths(truths))]
    if not references:
        raise fail("at least one truth", "none", "Give a list with one or more label arrays.", "truths")
    for k, truth in enumerate(references):
        if truth.shape != labels.shape:
            remedy = "Give truths as a list of label arrays of the same image, not transposed or resized."
            raise fail(f"the partition's shape {labels.shape}", f"shape {truth.shape}", remedy, f"truth {k}")
    return labels, references


def _renumber(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replace labels by numbers in order of first appearance; returns them and the original labels."""
    largest = int(labels.max())
    if largest > max(1 << 16, 4 * labels.size):
        names, labels = np.unique(labels, return_inverse=True)
        numbers, order = renumber(labels, len(names) - 1)
        return numbers, names[order]
    return renumber(labels, largest)


def _count(truth: tuple[np.ndarray, np.ndarray], partition: tuple[np.ndarray, np.ndarray]) -> Contingency:
    """Build the table of two numberings of the same pixels."""
    rows, truth_labels = truth
    columns, partition_labels = partition
    n, m = len(truth_labels), len(partition_labels)
    if n * m <= _DENSE_CELLS:
        cells = nonzero_cells(count_pairs(rows, columns, n, m))
    else:
        cells = _sorted_cells(rows, columns, np.ones(len(rows), dtype=np.int64), m)
    row, column, count = cells
    return Contingency(
        truth_labels,
        partition_labels,
        row,
        column,
        count,
        sum_in_group(row, count, n),
        sum_in_group(column, count, m),
    )


def _cells(
    rows: np.ndarray, columns: np.ndarray, counts: np.ndarray, n: int, m: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Add up the counts of cells named more than once; sorted by row, then column."""
    if n * m <= _DENSE_CELLS:
        return nonzero_cells(sum_pairs(rows, columns, counts, n, m))
    return _sorted_cells(rows, columns, counts, m)


def _sorted_cells(rows: np.ndarray, columns: np.ndarray, counts: np.ndarray, m: int) -> tuple:
    keys, place = np.unique(rows.astype(np.int64) * m + columns, return_inverse=True)
    return keys // m, keys % m, sum_in_group(place, counts, len(keys))
