"""Counting the boxes of a lattice that hit an object, in integers.

A row of `cases` is one object, ``x1, y1, x2, y2, width, height``, with corners on the lattice 1..width,
1..height. The threshold is the fraction p/q. With S the area of the object, C that of a candidate and I that
of their intersection, the candidate hits when ``I / (C + S - I) >= p / q``: ``(p + q) I >= p (S + C)``.
"""

import numpy as np
from numba import prange

from propeval_lite._kernels.compiled import njit

BLOCK = 8
WAYS = ("exact", "algorithm1", "exhaustive")


@njit(cache=True, error_model="numpy")
def _ceil_div(a, b):
    return -((-a) // b)


@njit(cache=True, error_model="numpy")
def hits_exhaustive(x1, y1, x2, y2, width, height, p, q):
    """Count the hits by trying every candidate of the image.

    Parameters
    ----------
    x1, y1, x2, y2, width, height, p, q : int64
        One case, see above.

    Returns
    -------
    int64
    """
    area = (x2 - x1) * (y2 - y1)
    count = 0
    for left in range(1, width):
        for right in range(left + 1, width + 1):
            across = right - left
            inside_x = max(0, min(right, x2) - max(left, x1))
            for low in range(1, height):
                for high in range(low + 1, height + 1):
                    inside = inside_x * max(0, min(high, y2) - max(low, y1))
                    if (p + q) * inside >= p * (area + across * (high - low)):
                        count += 1
    return count


@njit(cache=True, error_model="numpy")
def region_rows(w, h, p, q, room_in, room_x, room_y):
    """List the lattice points of a region Ω, as spans of steps outward from the object's corner.

    The corner's partner is the object's opposite corner.

    Parameters
    ----------
    w, h : int64
        Sides of the object.
    p, q : int64
        The threshold p/q.
    room_in : int64
        Most steps into the object along x.
    room_x, room_y : int64
        Steps left to the image border.

    Returns
    -------
    int64 array, (room_in + room_x + 1, 2)
        Row i is the step ``i - room_in`` along x (negative: into the object); its columns are the lowest and the
        highest step along y (empty where low > high).
    """
    rows = np.empty((room_in + room_x + 1, 2), np.int64)
    for i in range(room_in + room_x + 1):
        across = w + i - room_in
        inside = min(across, w)
        # A corner on the object's own side line is the best in its column: if it misses, all do.
        spare = (p + q) * inside - p * across
        if q * inside < p * w or spare * h < p * w * h:
            rows[i, 0], rows[i, 1] = 1, 0
            continue
        # Inward: (p + q) inside b >= p (w h + across b). Outward: (p + q) inside h >= p (w h + across b).
        rows[i, 0] = _ceil_div(p * w * h, spare) - h
        rows[i, 1] = min(room_y, ((p + q) * inside * h - p * w * h) // (p * across) - h)
    return rows


@njit(cache=True, error_model="numpy")
def hits_algorithm1(x1, y1, x2, y2, width, height, p, q):
    """Count the hits by pairing every corner of Ω_min in the image with every corner of Ω_max in the image.

    Parameters
    ----------
    x1, y1, x2, y2, width, height, p, q : int64
        One case, see above.

    Returns
    -------
    int64
    """
    w, h = x2 - x1, y2 - y1
    area = w * h
    room_in = w - _ceil_div(p * w, q)
    room_out = (q * w) // p - w
    lows = region_rows(w, h, p, q, room_in, min(room_out, x1 - 1), y1 - 1)
    highs = region_rows(w, h, p, q, room_in, min(room_out, width - x2), height - y2)
    count = 0
    for i in range(lows.shape[0]):
        left = x1 - (i - room_in)
        for step in range(lows[i, 0], lows[i, 1] + 1):
            low = y1 - step
            for j in range(highs.shape[0]):
                right = x2 + j - room_in
                across = right - left
                if across <= 0:
                    continue
                inside_x = max(0, min(right, x2) - max(left, x1))
                for high in range(max(low + 1, y2 + highs[j, 0]), y2 + highs[j, 1] + 1):
                    inside = inside_x * max(0, min(high, y2) - max(low, y1))
                    if (p + q) * inside >= p * (area + across * (high - low)):
                        count += 1
    return count


@njit(cache=True, error_model="numpy")
def _floor_sum(n, m, a, b):
    """Sum of floor((a i + b) / m) for i = 0 .. n - 1, with n, a, b >= 0 and m > 0, by Euclid's steps."""
    total = 0
    while True:
        if a >= m:
            total += (n - 1) * n // 2 * (a // m)
            a %= m
        if b >= m:
            total += n * (b // m)
            b %= m
        top = a * n + b
        if top < m:
            return total
        n = top // m
        b = top - n * m
        a, m = m, a


@njit(cache=True, error_model="numpy")
def _corner_steps(reach, first, second):
    """Pairs 0 <= u <= first, 0 <= v <= second with u + v <= reach, where reach <= first + second."""
    count = (reach + 1) * (reach + 2) // 2
    over = reach - first
    if over > 0:
        count -= over * (over + 1) // 2
    over = reach - second
    if over > 0:
        count -= over * (over + 1) // 2
    return count


@njit(cache=True, error_model="numpy")
def _one_sided(inside, across, side, area, p, q, near, far):
    """Count the intervals of the other axis that stick out at one end only, and hit.

    The interval of this axis has length `across` and overlap `inside`. For overlap j of the other one its
    overhang f obeys ``p across f <= slope j - p area``: the floor of a linear function of j bounds f. `side`
    is the object's side along the other axis, `near` <= `far` are the rooms beyond its two ends.
    """
    slope = (p + q) * inside - p * across
    full = p * area
    step = p * across
    start = _ceil_div(full + step, slope)
    if start >= side:
        return 0
    # From j = by_near (by_far) on, the image border and not the threshold bounds f.
    by_near = min(side, max(start, _ceil_div(full + step * near, slope)))
    by_far = min(side, max(start, _ceil_div(full + step * far, slope)))
    count = near * (side - by_near) + far * (side - by_far)
    if by_near > start:
        count += 2 * _floor_sum(by_near - start, step, slope, slope * start - full)
    if by_far > by_near:
        count += _floor_sum(by_far - by_near, step, slope, slope * by_near - full)
    return count


@njit(cache=True, error_model="numpy")
def _inside_or_around(inside, across, side, area, p, q, near, far):
    """Count the intervals of the other axis that lie inside the object's side or cover it, and hit."""
    slope = (p + q) * inside - p * across
    count = _corner_steps(min(near + far, (slope * side - p * area) // (p * across)), near, far)
    missed = side - _ceil_div(p * area, slope)
    return count + missed * (missed + 3) // 2


@njit(cache=True, error_model="numpy")
def _whole_intervals(w, h, p, q, near_x, far_x, near_y, far_y):
    """Count the hits that lie inside the object or cover it along x, whatever they do along y."""
    area = w * h
    count = 0
    for inside in range(_ceil_div(p * w, q), w + 1):
        places = w - inside + 1
        count += places * _inside_or_around(inside, inside, h, area, p, q, near_y, far_y)
        count += places * _one_sided(inside, inside, h, area, p, q, near_y, far_y)
    for out in range(1, min((q * w) // p - w, near_x + far_x) + 1):
        places = min(near_x, out) - max(0, out - far_x) + 1
        count += places * _inside_or_around(w, w + out, h, area, p, q, near_y, far_y)
        count += places * _one_sided(w, w + out, h, area, p, q, near_y, far_y)
    return count


@njit(cache=True, error_model="numpy")
def _sticking_out(w, h, p, q, near_x, far_x, near_y, far_y):
    """Count the hits that stick out at one end along y, whatever they do along x.

    For overlaps i, j a candidate of sides c, d hits when ``c d <= level``: d is at most ``level / c``. A half
    added to the whole number `level` keeps the rounded quotient on the right side of every whole number, and
    sums of whole numbers are exact in floats. Rows of the inner loop run on to a multiple of BLOCK, where they
    add zeros, so that the compiler can treat them as vectors; this beats Euclid's steps up to sides of well
    over a thousand.
    """
    longest = min(near_x + far_x, (q * w) // p - w)
    inverse = 1.0 / np.maximum(1, np.arange(w + longest + BLOCK + 1))
    sums = np.zeros(longest + BLOCK + 1)
    ceiling = (w + near_x + far_x) * (h + far_y)
    near, far = float(near_y), float(far_y)
    count = 0
    for i in range(w, 0, -1):
        lengths = inverse[i:]
        room = longest if i == w else min(longest, far_x)
        used = 0
        for j in range(h - 1, 0, -1):
            level = min(ceiling, (p + q) * i * j // p - w * h)
            if level < i * (j + 1):
                break
            n = min(room, level // (j + 1) - i) // BLOCK * BLOCK + BLOCK
            used = max(used, n)
            top, overlap = level + 0.5, float(j)
            for e in range(np.uint64(n)):
                out = max(np.floor(top * lengths[e]) - overlap, 0.0)
                sums[e] += min(out, near) + min(out, far)
        if used == 0:
            break
        for e in range(min(used, room + 1)):
            if i == w:
                places = min(near_x, e) - max(0, e - far_x) + 1
            elif e == 0:
                places = w - i + 1
            else:
                places = 2 if e <= near_x else 1
            count += places * np.int64(sums[e])
        sums[:used] = 0.0
    return count


@njit(cache=True, error_model="numpy")
def hits_exact(x1, y1, x2, y2, width, height, p, q):
    """Count the hits: a sum over intervals of equal (overlap, overhang) along the two axes, times their places.

    Parameters
    ----------
    x1, y1, x2, y2, width, height, p, q : int64
        One case, see above.

    Returns
    -------
    int64
    """
    w, h = x2 - x1, y2 - y1
    near_x, far_x = min(x1 - 1, width - x2), max(x1 - 1, width - x2)
    near_y, far_y = min(y1 - 1, height - y2), max(y1 - 1, height - y2)
    if min(w, far_x) > min(h, far_y):
        w, h = h, w
        near_x, far_x, near_y, far_y = near_y, far_y, near_x, far_x
    count = _whole_intervals(h, w, p, q, near_y, far_y, near_x, far_x)
    return count + _sticking_out(w, h, p, q, near_x, far_x, near_y, far_y)


@njit(cache=True, parallel=True)
def count_all(cases, p, q, way):
    """Count the hits of many cases; no case depends on another, so threads change no answer.

    Parameters
    ----------
    cases : int64 array, (n, 6)
    p, q : int64
        The threshold p/q.
    way : int64
        Place in WAYS.

    Returns
    -------
    int64 array, (n,)
    """
    counts = np.empty(len(cases), np.int64)
    for i in prange(len(cases)):
        x1, y1, x2, y2, width, height = cases[i]
        if way == 0:
            counts[i] = hits_exact(x1, y1, x2, y2, width, height, p, q)
        elif way == 1:
            counts[i] = hits_algorithm1(x1, y1, x2, y2, width, height, p, q)
        else:
            counts[i] = hits_exhaustive(x1, y1, x2, y2, width, height, p, q)
    return counts
