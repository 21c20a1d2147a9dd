"""Surface patterns of the synthetic scenes.

A pattern maps surface coordinates (u, v), in periods of the pattern, to a mix in [0, 1] between two colours. Only
arithmetic, comparisons and table look-ups are used, so that a seed gives the same picture on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

SIDE = 256  # side of the noise tables; a power of two, so that coordinates wrap with a bit mask
SCALE = 16  # table cells per period
TEXTURES: dict[str, Callable] = {}


@lru_cache(maxsize=1)
def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Smooth noise and white noise in [0, 1], both periodic, and a table of random numbers per cell."""
    rng = np.random.default_rng(20140905)
    smooth = np.zeros((SIDE, SIDE))
    for cells, weight in ((16, 0.46), (32, 0.28), (64, 0.16), (128, 0.10)):
        lattice = rng.random((cells, cells))
        place = np.arange(SIDE) * cells / SIDE
        low = np.floor(place).astype(np.int64)
        part = place - low
        part = part * part * (3 - 2 * part)
        high = (low + 1) % cells
        rows = lattice[low] * (1 - part)[:, None] + lattice[high] * part[:, None]
        smooth += weight * (rows[:, low] * (1 - part) + rows[:, high] * part)
    smooth = np.clip((smooth - 0.5) * 2.2 + 0.5, 0, 1)
    return (
        smooth.astype(np.float32),
        rng.random((SIDE, SIDE), dtype=np.float32),
        rng.random((3, 64, 64), np.float32),
    )


def noise(u, v):
    """Smooth noise in [0, 1], interpolated between table cells."""
    table = _tables()[0].ravel()
    x, y = u * np.float32(SCALE), v * np.float32(SCALE)
    left, top = np.floor(x), np.floor(y)
    fx, fy = x - left, y - top
    i, j = left.astype(np.int32), top.astype(np.int32)
    i0, i1 = i & (SIDE - 1), (i + 1) & (SIDE - 1)
    j0, j1 = (j & (SIDE - 1)) * SIDE, ((j + 1) & (SIDE - 1)) * SIDE
    above = table[j0 + i0]
    above += (table[j0 + i1] - above) * fx
    below = table[j1 + i0]
    below += (table[j1 + i1] - below) * fx
    return above + (below - above) * fy


def grain(columns, rows):
    """White noise in [0, 1], one value per row and column."""
    return _tables()[1][rows & (SIDE - 1)][:, columns & (SIDE - 1)]


def _chance(i, j, which):
    """Random number (one of three) of the cell in column `i` and row `j`."""
    return _tables()[2][which].ravel()[(j.astype(np.int32) & 63) * 64 + (i.astype(np.int32) & 63)]


def _fraction(x):
    return x - np.floor(x)


def _stagger(row):
    """Half a period for every other row."""
    return (row.astype(np.int32) & 1).astype(np.float32) * np.float32(0.5)


def _wave(x):
    t = np.abs(2 * _fraction(x) - 1)
    return t * t * (3 - 2 * t)


def _ramp(x, edge, width):
    return np.clip((x - edge) / width + 0.5, 0, 1)


def _cells(u, v, jitter):
    """Squared distance to one random point per cell, and the cell's random number."""
    i, j = np.floor(u), np.floor(v)
    x = u - i - 0.5 - jitter * (_chance(i, j, 0) - 0.5)
    y = v - j - 0.5 - jitter * (_chance(i, j, 1) - 0.5)
    return x * x + y * y, _chance(i, j, 2)


def _courses(u, v, rows, columns):
    """Position inside staggered bricks, and a random number per brick."""
    row = np.floor(v * rows)
    along = u * columns + _stagger(row)
    brick = np.floor(along)
    return along - brick, v * rows - row, _chance(brick, row, 2)


def _texture(function):
    TEXTURES[function.__name__[1:]] = function
    return function


@_texture
def _soft(u, v):
    return noise(u * 0.5, v * 0.5)


@_texture
def _stripes(u, v):
    return _ramp(_wave(u), 0.5, 0.3)


@_texture
def _bands(u, v):
    return _ramp(_wave(v), 0.5, 0.3)


@_texture
def _spots(u, v):
    distance, size = _cells(u, v, 0.45)
    return 1 - _ramp(distance, 0.05 + 0.06 * size, 0.03)


@_texture
def _dots(u, v):
    x, y = _fraction(u * 1.4) - 0.5, _fraction(v * 1.4) - 0.5
    return 1 - _ramp(x * x + y * y, 0.09, 0.05)


@_texture
def _checks(u, v):
    return _ramp((2 * _wave(u * 0.8) - 1) * (2 * _wave(v * 0.8) - 1), 0, 0.25)


@_texture
def _scales(u, v):
    row = np.floor(v * 1.5)
    x = _fraction(u * 1.1 + _stagger(row)) - 0.5
    y = v * 1.5 - row
    return _ramp(2.6 * x * x + y * y * 0.8, 0.62, 0.5)


@_texture
def _wool(u, v):
    return np.clip((noise(u * 1.1, v * 1.1) - 0.5) * 1.8 + 0.5, 0, 1)


@_texture
def _fur(u, v):
    return noise(u * 2.4, v * 0.6)


@_texture
def _wood(u, v):
    return 0.75 * _wave(v * 1.2 + 1.6 * noise(u * 0.12, v * 0.35)) + 0.25 * noise(u * 0.5, v * 4)


@_texture
def _bricks(u, v):
    x, y, random = _courses(u, v, 1.7, 0.8)
    mortar = (x < 0.07) | (y < 0.13)
    return np.where(mortar, np.float32(1), 0.45 * random)


@_texture
def _planks(u, v):
    x, y, random = _courses(u, v, 1.0, 0.22)
    seam = (x < 0.012) | (y < 0.06)
    return np.where(seam, np.float32(1), 0.5 * random + 0.3 * noise(u * 0.2 + 9 * random, v * 2.5))


@_texture
def _tiles(u, v):
    x, y = _fraction(u * 0.7), _fraction(v * 0.7)
    tint = _chance(np.floor(u * 0.7), np.floor(v * 0.7), 2)
    return np.where((x < 0.06) | (y < 0.06), np.float32(1), 0.3 * tint)


@_texture
def _panes(u, v):
    x, y = _fraction(u * 0.9), _fraction(v * 0.75)
    inside = (x > 0.25) & (x < 0.75) & (y > 0.2) & (y < 0.78)
    return np.where(inside, 0.75 + 0.25 * _wave(u * 0.9 + v), np.float32(0.08) * noise(u, v))


@_texture
def _zigzag(u, v):
    return _ramp(_wave(v * 1.3 + np.abs(_fraction(u * 1.1) - 0.5)), 0.5, 0.3)


@_texture
def _marble(u, v):
    vein = _wave(u * 0.5 + v * 0.3 + 2.2 * noise(u * 0.3, v * 0.3))
    return vein * vein


@_texture
def _patches(u, v):
    return _ramp(noise(u * 0.42, v * 0.42), 0.52, 0.06)


@_texture
def _tiger(u, v):
    return _ramp(_wave(u * 1.1 + 1.1 * noise(u * 0.4, v * 0.4)), 0.45, 0.25)


@_texture
def _plaid(u, v):
    return 0.5 * _ramp(_wave(u * 0.9), 0.55, 0.2) + 0.5 * _ramp(_wave(v * 0.9), 0.55, 0.2)


@_texture
def _veins(u, v):
    return _ramp(_wave(v * 1.5 + np.abs(_fraction(u * 0.5) - 0.5) * 1.6), 0.75, 0.35)


@_texture
def _brushed(u, v):
    return 0.35 + 0.4 * (noise(u * 0.12, v * 3.0) - 0.5) + 0.35 * _wave(u * 0.22 + v * 0.1)


@_texture
def _speckle(u, v):
    distance, size = _cells(u * 2.2, v * 2.2, 0.8)
    return 1 - _ramp(distance, 0.14 * size, 0.05)


@_texture
def _glass(u, v):
    return 0.25 + 0.6 * _ramp(_wave((u + v) * 0.21), 0.62, 0.12)


@_texture
def _grass(u, v):
    return 0.65 * noise(u * 2.6, v * 0.7) + 0.35 * noise(u * 0.25, v * 0.25)


@_texture
def _waves(u, v):
    return _wave(v * 1.1 + 1.5 * noise(u * 0.22, v * 0.5)) * (0.35 + 0.5 * noise(u * 0.3, v * 0.8))


@_texture
def _leaves(u, v):
    small = noise(u * 1.3, v * 1.3)
    return 0.5 * np.floor(small * 4) / 4 + 0.5 * noise(u * 0.3, v * 0.3)


@_texture
def _cloud(u, v):
    return _ramp(noise(u * 0.1, v * 0.22), 0.62, 0.5)
