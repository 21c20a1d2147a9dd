"""Contours of label arrays, their thinning, and the pixels of one contour near those of another."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit


def _deletable(second: bool) -> np.ndarray:
    """Tabulate which of the 256 neighbourhoods let a pixel go in one half-step of Guo and Hall's thinning.

    Bit k of the index is neighbour k, counted anticlockwise from east. A pixel goes if it has exactly one
    run of neighbours (crossing number 1), two or three neighbours when adjacent ones are paired, and lies
    on the north-east side (first half-step) or the south-west side (second).
    """
    table = np.zeros(256, dtype=np.bool_)
    for code in range(256):
        x = [(code >> k) & 1 for k in range(8)]
        runs = sum(1 for k in (0, 2, 4, 6) if not x[k] and (x[k + 1] or x[(k + 2) % 8]))
        pairs_after = sum(x[k] | x[k + 1] for k in (0, 2, 4, 6))
        pairs_before = sum(x[k + 1] | x[(k + 2) % 8] for k in (0, 2, 4, 6))
        if second:
            side = (x[5] or x[6] or not x[3]) and x[4]
        else:
            side = (x[1] or x[2] or not x[7]) and x[0]
        table[code] = runs == 1 and 2 <= min(pairs_after, pairs_before) <= 3 and not side
    return table


FIRST_HALF, SECOND_HALF = _deletable(False), _deletable(True)


@njit(cache=True)
def contour_map(labels):
    """Mark each pixel that differs from its neighbour to the east, south or south-east.

    Parameters
    ----------
    labels : int or bool array, (height, width)

    Returns
    -------
    bool array, (height, width)
    """
    height, width = labels.shape
    out = np.zeros((height, width), dtype=np.bool_)
    for i in range(height):
        below = min(i + 1, height - 1)
        for j in range(width):
            right = min(j + 1, width - 1)
            here = labels[i, j]
            out[i, j] = labels[i, right] != here or labels[below, j] != here or labels[below, right] != here
    return out


@njit(cache=True)
def thin_map(contour, first_half, second_half):
    """Thin a contour map until nothing changes; each half-step looks at the map before any of its deletions.

    Parameters
    ----------
    contour : bool array, (height, width)
    first_half, second_half : bool array, (256,)
        Neighbourhoods that let a pixel go: `FIRST_HALF` and `SECOND_HALF`.

    Returns
    -------
    bool array, (height, width)
    """
    height, width = contour.shape
    stride = width + 2
    # A frame of empty pixels spares every test for the border.
    image = np.zeros((height + 2) * stride, dtype=np.uint8)
    pixels = np.empty(height * width, dtype=np.int64)
    n = 0
    for i in range(height):
        for j in range(width):
            if contour[i, j]:
                at = (i + 1) * stride + j + 1
                image[at] = 1
                pixels[n] = at
                n += 1
    doomed = np.empty(n, dtype=np.int64)
    changed = True
    while changed:
        changed = False
        for half in range(2):
            table = first_half if half == 0 else second_half
            n_doomed = 0
            kept = 0
            for k in range(n):
                at = pixels[k]
                code = (
                    image[at + 1]
                    | image[at - stride + 1] << 1
                    | image[at - stride] << 2
                    | image[at - stride - 1] << 3
                    | image[at - 1] << 4
                    | image[at + stride - 1] << 5
                    | image[at + stride] << 6
                    | image[at + stride + 1] << 7
                )
                if table[code]:
                    doomed[n_doomed] = at
                    n_doomed += 1
                else:
                    pixels[kept] = at
                    kept += 1
            n = kept
            for k in range(n_doomed):
                image[doomed[k]] = 0
            changed |= n_doomed > 0
    out = np.zeros((height, width), dtype=np.bool_)
    for k in range(n):
        out[pixels[k] // stride - 1, pixels[k] % stride - 1] = True
    return out


@njit(cache=True)
def neighbours_within(source, target, offsets):
    """List, for each pixel of one map, the pixels of another at the given offsets, in the offsets' order.

    Parameters
    ----------
    source, target : bool array, (height, width)
    offsets : int64 array, (offsets, 2)
        Steps down and right.

    Returns
    -------
    start : int64 array, (n + 1,)
        Pixel r of `source`, in row-major order, owns ``edges[start[r]:start[r + 1]]``.
    edges : int32 array
        Pixels of `target`, numbered in row-major order.
    taken : int32 array
        Offset that each edge came from.
    n_target : int
        Number of pixels of `target`.
    """
    height, width = source.shape
    n_offsets = len(offsets)
    reach = 0
    for k in range(n_offsets):
        reach = max(reach, abs(offsets[k, 0]), abs(offsets[k, 1]))
    stride = width + 2 * reach
    number = np.full((height + 2 * reach) * stride, -1, dtype=np.int32)
    pixels = np.empty(height * width, dtype=np.int64)
    n_target = 0
    n_source = 0
    for i in range(height):
        at = (i + reach) * stride + reach
        for j in range(width):
            if target[i, j]:
                number[at + j] = n_target
                n_target += 1
            if source[i, j]:
                pixels[n_source] = at + j
                n_source += 1
    steps = np.empty(n_offsets, dtype=np.int64)
    for k in range(n_offsets):
        steps[k] = offsets[k, 0] * stride + offsets[k, 1]
    start = np.zeros(n_source + 1, dtype=np.int64)
    edges = np.empty(8 * n_source + n_offsets, dtype=np.int32)
    taken = np.empty(len(edges), dtype=np.int32)
    n_edges = 0
    for row in range(n_source):
        if n_edges + n_offsets > len(edges):
            edges = np.concatenate((edges, np.empty(len(edges), dtype=np.int32)))
            taken = np.concatenate((taken, np.empty(len(taken), dtype=np.int32)))
        for k in range(n_offsets):
            other = number[pixels[row] + steps[k]]
            if other >= 0:
                edges[n_edges] = other
                taken[n_edges] = k
                n_edges += 1
        start[row + 1] = n_edges
    return start, edges[:n_edges], taken[:n_edges], n_target


@njit(cache=True)
def dilate(contour, offsets):
    """Mark every pixel that lies at one of the offsets from a pixel of the contour.

    Parameters
    ----------
    contour : bool array, (height, width)
    offsets : int64 array, (offsets, 2)
        Steps down and right.

    Returns
    -------
    bool array, (height, width)
    """
    height, width = contour.shape
    out = np.zeros((height, width), dtype=np.bool_)
    for i in range(height):
        for j in range(width):
            if contour[i, j]:
                for k in range(len(offsets)):
                    y = i + offsets[k, 0]
                    x = j + offsets[k, 1]
                    if 0 <= y < height and 0 <= x < width:
                        out[y, x] = True
    return out
