"""Counting of label pairs, and sums and maxima over the cells of a contingency table."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def renumber(labels, largest):
    """Replace labels by 0, 1, … in order of first appearance; returns the numbers and the labels in that order."""
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
    """Dense joint counts of two numberings of the same pixels."""
    table = np.zeros((n_rows, n_columns), dtype=np.int64)
    for k in range(len(rows)):
        table[rows[k], columns[k]] += 1
    return table


@njit(cache=True)
def sum_pairs(rows, columns, counts, n_rows, n_columns):
    """Dense joint counts from cells that may name the same pair more than once."""
    table = np.zeros((n_rows, n_columns), dtype=np.int64)
    for k in range(len(rows)):
        table[rows[k], columns[k]] += counts[k]
    return table


@njit(cache=True)
def nonzero_cells(table):
    """Cells of a dense table that are not zero, row by row: row, column, count."""
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
    """Largest value (>= 0) of each group."""
    out = np.zeros(n_groups, dtype=values.dtype)
    for k in range(len(group)):
        out[group[k]] = max(out[group[k]], values[k])
    return out


@njit(cache=True)
def sum_in_group(group, values, n_groups):
    """Sum of the values of each group."""
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
    """Algorithm 1 of Pont-Tuset and Marqués for one truth; writes into the last four arrays.

    The best class of a region stands (object before part). The pixels that fragments cover add up over all
    cells, whether or not the other region of the cell is judged.
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
