"""Counting of label pairs, and sums and maxima over the cells of a contingency table."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def renumber(labels, largest):
    """Replace labels by 0, 1, … in order of first appearance.

    Parameters
    ----------
    labels : int array, (pixels,)
        From 0 to `largest`.
    largest : int

    Returns
    -------
    numbers : int32 array, (pixels,)
    order : int64 array, (n,)
        The labels in that order.
    """
    number = np.full(largest + 1, -1, dtype=np.int32)
    order = np.empty(min(len(labels), largest + 1), dtype=np.int64)
    out = np.empty(len(labels), dtype=np.int32)
    n = 0
    for k in range(len(labels)):
        label = labels[k]
        if number[label] < 0:
            number[label] = n
            order[n] = label
            n += 1
        out[k] = number[label]
    return out, order[:n].copy()


@njit(cache=True)
def count_pairs(rows, columns, n_rows, n_columns):
    """Count how often two numberings of the same pixels meet: c[i, j] = |{k: rows[k] = i, columns[k] = j}|.

    Parameters
    ----------
    rows, columns : int array, (pixels,)
    n_rows, n_columns : int

    Returns
    -------
    int64 array, (n_rows, n_columns)
    """
    table = np.zeros((n_rows, n_columns), dtype=np.int64)
    for k in range(len(rows)):
        table[rows[k], columns[k]] += 1
    return table


@njit(cache=True)
def sum_pairs(rows, columns, counts, n_rows, n_columns):
    """Sum the counts of cells that may name the same pair more than once.

    Parameters
    ----------
    rows, columns, counts : int array, (cells,)
    n_rows, n_columns : int

    Returns
    -------
    int64 array, (n_rows, n_columns)
    """
    table = np.zeros((n_rows, n_columns), dtype=np.int64)
    for k in range(len(rows)):
        table[rows[k], columns[k]] += counts[k]
    return table


@njit(cache=True)
def nonzero_cells(table):
    """List the cells of a table that are not zero, row by row.

    Parameters
    ----------
    table : int64 array, (n, m)

    Returns
    -------
    rows, columns, counts : int64 array, (cells,)
    """
    n_rows, n_columns = table.shape
    n = 0
    for i in range(n_rows):
        for j in range(n_columns):
            if table[i, j]:
                n += 1
    rows = np.empty(n, dtype=np.int64)
    columns = np.empty(n, dtype=np.int64)
    counts = np.empty(n, dtype=np.int64)
    n = 0
    for i in range(n_rows):
        for j in range(n_columns):
            if table[i, j]:
                rows[n] = i
                columns[n] = j
                counts[n] = table[i, j]
                n += 1
    return rows, columns, counts


@njit(cache=True)
def largest_in_group(group, values, n_groups):
    """Find the largest value of each group; 0 for a group without any.

    Parameters
    ----------
    group : int array, (k,)
    values : array, (k,)
        Not negative.
    n_groups : int

    Returns
    -------
    array of the type of `values`, (n_groups,)
    """
    out = np.zeros(n_groups, dtype=values.dtype)
    for k in range(len(group)):
        out[group[k]] = max(out[group[k]], values[k])
    return out


@njit(cache=True)
def sum_in_group(group, values, n_groups):
    """Sum the values of each group.

    Parameters
    ----------
    group : int array, (k,)
    values : array, (k,)
    n_groups : int

    Returns
    -------
    array of the type of `values`, (n_groups,)
    """
    out = np.zeros(n_groups, dtype=values.dtype)
    for k in range(len(group)):
        out[group[k]] += values[k]
    return out


OBJECT, PART = 2, 1


@njit(cache=True)
def classify_overlaps(
    row,
    column,
    count,
    truth_sizes,
    partition_sizes,
    truth_judged,
    partition_judged,
    gamma_object,
    gamma_part,
    truth_class,
    truth_covered,
    partition_class,
    partition_covered,
):
    """Algorithm 1 of Pont-Tuset and Marqués for one truth.

    With the shares t = count / truth size and s = count / partition size of a cell: both regions are objects if t and s
    reach γ_object; the partition's region is a part if s reaches γ_object and t reaches γ_part, the truth's likewise.
    The best class of a region stands. A region with a share of γ_object inside a larger one is a fragment of it, and
    the pixels that fragments cover add up over all cells, whether or not the other region of the cell is judged.

    Parameters
    ----------
    row, column, count : int64 array, (cells,)
    truth_sizes, partition_sizes : int64 array, (n,) and (m,)
    truth_judged, partition_judged : bool array, (n,) and (m,)
        Regions that may be objects or parts.
    gamma_object, gamma_part : float
    truth_class, partition_class : int array, (n,) and (m,), updated
        0, PART or OBJECT.
    truth_covered, partition_covered : int64 array, (n,) and (m,), updated
        Pixels that fragments cover.
    """
    for k in range(len(row)):
        i = row[k]
        j = column[k]
        of_truth = count[k] / truth_sizes[i]
        of_partition = count[k] / partition_sizes[j]
        if truth_judged[i] and partition_judged[j]:
            if of_truth >= gamma_object and of_partition >= gamma_object:
                truth_class[i] = OBJECT
                partition_class[j] = OBJECT
            elif of_truth >= gamma_part and of_partition >= gamma_object:
                partition_class[j] = max(partition_class[j], PART)
            elif of_truth >= gamma_object and of_partition >= gamma_part:
                truth_class[i] = max(truth_class[i], PART)
        if of_partition >= gamma_object and of_truth < gamma_object:
            truth_covered[i] += count[k]
        elif of_truth >= gamma_object and of_partition < gamma_object:
            partition_covered[j] += count[k]
