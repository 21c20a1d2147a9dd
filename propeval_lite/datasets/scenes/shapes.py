"""Outlines of the synthetic scenes: primitives that give polygons, and polygons turned into pixel coverage.

Every step uses integers, or the four arithmetic operations and the square root, which IEEE 754 rounds in one way only;
library functions such as ``sin`` or ``exp`` differ in the last bit between machines. So a seed gives the same pixels
everywhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np

UNIT = 256  # fixed-point steps in a pixel
LINES = 4  # scan lines through each row of pixels
FULL = 255  # coverage of a pixel that lies wholly inside


def sine(turns):
    """Sine of an angle in turns, by a polynomial whose error is below 1e-7.

    Examples
    --------
    >>> [round(float(sine(t)), 6) for t in (0, 1 / 12, 1 / 4, 3 / 4)]
    [0.0, 0.5, 1.0, -1.0]
    """
    t = np.asarray(turns, dtype=np.float64)
    t = t - np.floor(t + 0.5)
    t = np.where(t > 0.25, 0.5 - t, np.where(t < -0.25, -0.5 - t, t)) * 6.283185307179586
    s = t * t
    series = 1 - s / 110 * (1 - s / 156)
    for divisor in (72, 42, 20, 6):
        series = 1 - s / divisor * series
    return t * series


def cosine(turns):
    """Cosine of an angle in turns."""
    return sine(np.asarray(turns, dtype=np.float64) + 0.25)


def rotate(points: np.ndarray, turns: float) -> np.ndarray:
    """Rotate `points` (n, 2) about the origin."""
    c, s = cosine(turns), sine(turns)
    x, y = points[:, 0], points[:, 1]
    return np.stack((x * c - y * s, x * s + y * c), axis=1)


@cache
def _circle(corners: int) -> np.ndarray:
    angle = np.arange(corners) / corners
    return np.stack((cosine(angle), sine(angle)), axis=1)


def oval(x: float, y: float, rx: float, ry: float, tilt: float = 0.0, corners: int = 32) -> np.ndarray:
    """Ellipse around (x, y), turned by `tilt` turns."""
    points = _circle(corners) * (rx, ry)
    points = rotate(points, tilt) if tilt else points
    return points + np.array((x, y))


def smooth(points: np.ndarray, rounds: int) -> np.ndarray:
    """Polygon with its corners cut off `rounds` times (Chaikin's curve)."""
    for _ in range(rounds):
        following = np.roll(points, -1, axis=0)
        points = np.stack((0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following), axis=1)
        points = points.reshape(-1, 2)
    return points


def block(x1: float, y1: float, x2: float, y2: float, radius: float = 0.0) -> np.ndarray:
    """Upright rectangle with rounded corners."""
    angle = np.arange(6) / 20
    arc = radius * np.stack((cosine(angle), sine(angle)), axis=1)
    centres: tuple[tuple[float, float], ...] = ((x2 - radius, y2 - radius), (x1 + radius, y2 - radius))
    centres += ((x1 + radius, y1 + radius), (x2 - radius, y1 + radius))
    return np.concatenate([rotate(arc, 0.25 * k) + centre for k, centre in enumerate(centres)])


def limb(x1: float, y1: float, x2: float, y2: float, r1: float, r2: float | None = None) -> np.ndarray:
    """Bar from (x1, y1) to (x2, y2) with round ends of radius `r1` and `r2`."""
    r2 = r1 if r2 is None else r2
    dx, dy = x2 - x1, y2 - y1
    length = np.sqrt(dx * dx + dy * dy)
    ux, uy = dx / length, dy / length
    angle = np.arange(9) / 16 + 0.25
    arc = np.stack((cosine(angle), sine(angle)), axis=1)
    both = np.concatenate((r1 * arc, -r2 * arc + (length, 0.0)))
    return np.stack((both[:, 0] * ux - both[:, 1] * uy + x1, both[:, 0] * uy + both[:, 1] * ux + y1), axis=1)


def ring(x: float, y: float, outer: float, inner: float) -> np.ndarray:
    """Circle with a hole, as one outline that runs around outside, then back inside."""
    angle = np.arange(33) / 32
    circle = np.stack((cosine(angle), sine(angle)), axis=1)
    return np.concatenate((outer * circle, inner * circle[::-1])) + np.array((x, y))


def lathe(half: np.ndarray) -> np.ndarray:
    """Polygon symmetric about x = 0 from its right half, from bottom to top."""
    return np.concatenate((half, half[::-1] * (-1.0, 1.0)))


def coverage(outlines, width: int, height: int) -> tuple[int, int, np.ndarray]:
    """How much of each pixel lies inside the union of polygons.

    Parameters
    ----------
    outlines : sequence of (n, 2) float arrays
        Corners in pixels, ``y`` down; pixel (0, 0) covers the unit square at the origin.
    width, height : int
        Size of the picture; what lies outside is cut off.

    Returns
    -------
    x0, y0 : int
        Position of the crop in the picture.
    cover : (h, w) uint8
        0 outside to 255 inside; a pixel belongs to the shape from 128 on.

    Notes
    -----
    Each row is cut by four scan lines. A crossing at x adds the sign of its edge to all pixels on its right, in
    proportion to the pixel's part right of x, so a running sum along the row gives signed area. All outlines are made
    to run the same way round; where several meet in a pixel their shares add up, to at most the whole pixel.

    Examples
    --------
    >>> x0, y0, cover = coverage([np.array([[1, 1], [3.5, 1], [3.5, 2], [1, 2]])], 8, 8)
    >>> x0, y0, cover.tolist()
    (1, 1, [[255, 255, 127]])
    """
    starts, ends = [], []
    for outline in outlines:
        points = np.floor(outline * UNIT + 0.5).astype(np.int64)
        following = np.concatenate((points[1:], points[:1]))
        area = int(np.sum(points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]))
        starts.append(points if area >= 0 else following)
        ends.append(following if area >= 0 else points)
    start, end = np.concatenate(starts), np.concatenate(ends)
    x0, y0 = np.maximum(start.min(axis=0) // UNIT, 0)
    x1, y1 = np.minimum(-(-start.max(axis=0) // UNIT), (width, height))
    if x1 <= x0 or y1 <= y0:
        return 0, 0, np.zeros((0, 0), np.uint8)
    step = UNIT // LINES
    upward = start[:, 1] > end[:, 1]
    top = np.where(upward[:, None], end, start)
    bottom = np.where(upward[:, None], start, end)
    first = np.clip(-((step // 2 - top[:, 1]) // step), y0 * LINES, y1 * LINES)
    last = np.clip(-((step // 2 - bottom[:, 1]) // step), y0 * LINES, y1 * LINES)
    count = last - first
    edge = np.repeat(np.arange(len(count)), count)
    line = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
    run = bottom[edge] - top[edge]
    x = top[edge, 0] + (line * step + step // 2 - top[edge, 1]) * run[:, 0] // run[:, 1]
    x = np.clip(x - x0 * UNIT, 0, (x1 - x0) * UNIT)
    sign = np.where(upward[edge], -1, 1)
    columns = int(x1 - x0) + 2
    cell = (line // LINES - y0) * columns + x // UNIT
    inside = x % UNIT
    cells = int(y1 - y0) * columns
    total = np.bincount(cell, sign * (UNIT - inside), cells) + np.bincount(cell + 1, sign * inside, cells)
    total = np.abs(np.cumsum(total.astype(np.int32).reshape(-1, columns)[:, :-2], axis=1, dtype=np.int32))
    full = UNIT * LINES
    return int(x0), int(y0), (np.minimum(total, full) * FULL // full).astype(np.uint8)


def _box_mean(values: np.ndarray, radius: int) -> np.ndarray:
    """Mean of 2 radius + 1 rows around each row, rounded down."""
    size, width = len(values), 2 * radius + 1
    running = np.zeros((size + width, values.shape[1]), np.int32)
    np.cumsum(values, axis=0, out=running[radius + 1 : radius + 1 + size])
    running[radius + 1 + size :] = running[radius + size]
    return (running[width:] - running[:-width]) // width


def soften(cover: np.ndarray, radius: int) -> np.ndarray:
    """Blur whole numbers twice with a (2 radius + 1)² box; outside counts as 0; the crop keeps its size."""
    rows = _box_mean(_box_mean(cover.astype(np.int32), radius), radius)
    return _box_mean(_box_mean(np.ascontiguousarray(rows.T), radius), radius).T
