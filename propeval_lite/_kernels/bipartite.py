"""Matchings in sparse bipartite graphs: the most pairs, and among those the cheapest.

A graph is given by compressed rows: the edges of row ``r`` are ``edges[start[r]:start[r + 1]]``, each the
number of a column.
"""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def maximum_matching(start, edges, n_right):
    """Match rows to columns so that as many pairs as possible are formed.

    One shortest augmenting path is sought from each unmatched row. Where there is none, everything the search
    reached can never be part of a later path: it is the *surplus* (more rows than columns) and is not visited
    again. In every maximum matching each surplus column is matched to a surplus row and each other row is
    matched.

    Parameters
    ----------
    start : int64 array, (rows + 1,)
    edges : int32 array
    n_right : int
        Number of columns.

    Returns
    -------
    left : int64 array, (rows,)
        Partner of each row, −1 for none.
    surplus_rows, surplus_columns : bool array, (rows,) and (n_right,)
    """
    n_left = len(start) - 1
    left = np.full(n_left, -1, dtype=np.int64)
    right = np.full(n_right, -1, dtype=np.int64)
    for row in range(n_left):
        for e in range(start[row], start[row + 1]):
            if right[edges[e]] < 0:
                left[row] = edges[e]
                right[edges[e]] = row
                break
    surplus_rows = np.zeros(n_left, dtype=np.bool_)
    surplus_columns = np.zeros(n_right, dtype=np.bool_)
    seen = np.full(n_right, -1, dtype=np.int64)
    came_from = np.empty(n_right, dtype=np.int64)
    queue = np.empty(n_left, dtype=np.int64)
    for root in range(n_left):
        if left[root] >= 0:
            continue
        queue[0] = root
        head = 0
        tail = 1
        end = -1
        while head < tail and end < 0:
            row = queue[head]
            head += 1
            for e in range(start[row], start[row + 1]):
                column = edges[e]
                if seen[column] == root or surplus_columns[column]:
                    continue
                seen[column] = root
                came_from[column] = row
                if right[column] < 0:
                    end = column
                    break
                queue[tail] = right[column]
                tail += 1
        if end < 0:
            for k in range(tail):
                row = queue[k]
                surplus_rows[row] = True
                if left[row] >= 0:
                    surplus_columns[left[row]] = True
        while end >= 0:
            row = came_from[end]
            following = left[row]
            left[row] = end
            right[end] = row
            end = following
    return left, surplus_rows, surplus_columns


@njit(cache=True)
def transpose(start, edges, n_right):
    """Exchange rows and columns of a graph.

    Parameters
    ----------
    start : int64 array, (rows + 1,)
    edges : int32 array
    n_right : int
        Number of columns.

    Returns
    -------
    begin : int64 array, (n_right + 1,)
    rows : int32 array
        The edges of the transposed graph.
    place : int64 array
        Where each of them stands in `edges`.
    """
    n_left = len(start) - 1
    begin = np.zeros(n_right + 1, dtype=np.int64)
    for e in range(len(edges)):
        begin[edges[e] + 1] += 1
    for k in range(n_right):
        begin[k + 1] += begin[k]
    fill = begin[:n_right].copy()
    rows = np.empty(len(edges), dtype=np.int32)
    place = np.empty(len(edges), dtype=np.int64)
    for row in range(n_left):
        for e in range(start[row], start[row + 1]):
            at = fill[edges[e]]
            fill[edges[e]] += 1
            rows[at] = row
            place[at] = e
    return begin, rows, place


@njit(cache=True)
def _push(heap_cost, heap_node, size, cost, node):
    k = size
    while k > 0:
        parent = (k - 1) >> 1
        if heap_cost[parent] <= cost:
            break
        heap_cost[k] = heap_cost[parent]
        heap_node[k] = heap_node[parent]
        k = parent
    heap_cost[k] = cost
    heap_node[k] = node
    return size + 1


@njit(cache=True)
def _pop(heap_cost, heap_node, size):
    size -= 1
    cost = heap_cost[size]
    node = heap_node[size]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and heap_cost[child + 1] < heap_cost[child]:
            child += 1
        if heap_cost[child] >= cost:
            break
        heap_cost[k] = heap_cost[child]
        heap_node[k] = heap_node[child]
        k = child
    heap_cost[k] = cost
    heap_node[k] = node
    return size


@njit(cache=True)
def cheapest_assignment(start, edges, cost, rows, columns, left, right):
    """Match every marked row to a marked column at the least total cost; such a matching must exist.

    Shortest augmenting paths with integer prices on the columns.

    Parameters
    ----------
    start : int64 array, (rows + 1,)
    edges : int32 array
    cost : int64 array
        Of each edge.
    rows, columns : bool array
        Which take part.
    left, right : int64 array, overwritten
        Partners of rows and of columns; −1 before.
    """
    n_left = len(start) - 1
    n_right = len(right)
    price = np.zeros(n_right, dtype=np.int64)
    paid = np.zeros(n_left, dtype=np.int64)
    free = np.empty(n_left, dtype=np.int64)
    n_free = 0
    for row in range(n_left):
        if rows[row]:
            free[n_free] = row
            n_free += 1
    # Cheap start: each row takes its best column and raises the price to its second choice.
    for _ in range(2):
        waiting = n_free
        n_free = 0
        for k in range(waiting):
            row = free[k]
            first = -1
            second = -1
            least = 0
            next_least = 0
            first_cost = 0
            second_cost = 0
            for e in range(start[row], start[row + 1]):
                column = edges[e]
                if not columns[column]:
                    continue
                reduced = cost[e] - price[column]
                if first < 0 or reduced < least:
                    second, next_least, second_cost = first, least, first_cost
                    first, least, first_cost = column, reduced, cost[e]
                elif second < 0 or reduced < next_least:
                    second, next_least, second_cost = column, reduced, cost[e]
            if second < 0:
                free[n_free] = row
                n_free += 1
                continue
            evicted = right[first]
            if least < next_least:
                price[first] -= next_least - least
            elif evicted >= 0:
                first, first_cost = second, second_cost
                evicted = right[first]
            left[row] = first
            right[first] = row
            paid[row] = first_cost
            if evicted >= 0:
                left[evicted] = -1
                free[n_free] = evicted
                n_free += 1
    distance = np.empty(n_right, dtype=np.int64)
    seen = np.full(n_right, -1, dtype=np.int64)
    done = np.full(n_right, -1, dtype=np.int64)
    came_from = np.empty(n_right, dtype=np.int64)
    came_cost = np.empty(n_right, dtype=np.int64)
    scanned = np.empty(n_right, dtype=np.int64)
    heap_cost = np.empty(len(edges) + 1, dtype=np.int64)
    heap_node = np.empty(len(edges) + 1, dtype=np.int64)
    for k in range(n_free):
        root = free[k]
        row = root
        base = np.int64(0)
        size = 0
        n_scanned = 0
        while True:
            for e in range(start[row], start[row + 1]):
                column = edges[e]
                if not columns[column] or done[column] == k:
                    continue
                through = base + cost[e] - price[column]
                if seen[column] != k or through < distance[column]:
                    seen[column] = k
                    distance[column] = through
                    came_from[column] = row
                    came_cost[column] = cost[e]
                    size = _push(heap_cost, heap_node, size, through, column)
            while True:
                nearest = heap_cost[0]
                column = heap_node[0]
                size = _pop(heap_cost, heap_node, size)
                if done[column] != k:
                    break
            if right[column] < 0:
                break
            done[column] = k
            scanned[n_scanned] = column
            n_scanned += 1
            row = right[column]
            base = nearest - (paid[row] - price[column])
        for m in range(n_scanned):
            price[scanned[m]] += distance[scanned[m]] - nearest
        while True:
            row = came_from[column]
            following = left[row]
            left[row] = column
            right[column] = row
            paid[row] = came_cost[column]
            if row == root:
                break
            column = following


@njit(cache=True)
def cheapest_maximum_matching(start, edges, cost, n_right):
    """Find, among the matchings with the most pairs, one of least total cost.

    Parameters
    ----------
    start : int64 array, (rows + 1,)
    edges : int32 array
    cost : int64 array
        Of each edge.
    n_right : int
        Number of columns.

    Returns
    -------
    int64 array, (rows,)
        Partner of each row, −1 for none.
    """
    found, surplus_rows, surplus_columns = maximum_matching(start, edges, n_right)
    left = np.full(len(found), -1, dtype=np.int64)
    right = np.full(n_right, -1, dtype=np.int64)
    cheapest_assignment(start, edges, cost, ~surplus_rows, ~surplus_columns, left, right)
    # Where rows are in surplus every column is matched, so there the columns choose.
    begin, rows, place = transpose(start, edges, n_right)
    cheapest_assignment(begin, rows, cost[place], surplus_columns, surplus_rows, right, left)
    return left


@njit(cache=True)
def heaviest_matching(row, column, weight, n_rows, n_columns):
    """Largest total weight of a matching.

    Parameters
    ----------
    row, column, weight : int64 array, (edges,)
        Sorted by row; weights are not negative.
    n_rows, n_columns : int

    Returns
    -------
    int
    """
    n_edges = len(row)
    start = np.zeros(n_rows + 1, dtype=np.int64)
    edges = np.empty(n_edges + n_rows, dtype=np.int32)
    cost = np.empty(n_edges + n_rows, dtype=np.int64)
    heaviest = np.int64(0)
    for e in range(n_edges):
        heaviest = max(heaviest, weight[e])
    e = 0
    for r in range(n_rows):
        while e < n_edges and row[e] == r:
            edges[e + r] = column[e]
            cost[e + r] = heaviest - weight[e]
            e += 1
        # A column of its own, worth nothing, lets every row be matched.
        edges[e + r] = n_columns + r
        cost[e + r] = heaviest
        start[r + 1] = e + r + 1
    left = np.full(n_rows, -1, dtype=np.int64)
    right = np.full(n_columns + n_rows, -1, dtype=np.int64)
    every_row = np.ones(n_rows, dtype=np.bool_)
    every_column = np.ones(n_columns + n_rows, dtype=np.bool_)
    cheapest_assignment(start, edges, cost, every_row, every_column, left, right)
    total = np.int64(0)
    for r in range(n_rows):
        for e in range(start[r], start[r + 1]):
            if edges[e] == left[r]:
                total += heaviest - cost[e]
                break
    return total
