"""How many objects a synthetic scene has and how large they are: as in photographs of PASCAL VOC."""

from __future__ import annotations

import numpy as np

# Share of images with 1, 2, … objects (the last: 20 or more), and quantiles, at LEVELS, of sqrt(box area / image area)
# in images with 1, 2, 3, 4–5, 6–9 and 10 or more objects. Computed by us from all 14 976 boxes of the 4 952 images of
# PASCAL VOC 2007 test (difficult ones included, a box being x2 − x1 + 1 pixels wide).
COUNT_SHARES = (
    0.3847, 0.2332, 0.1115, 0.0824, 0.0497, 0.0366, 0.0279, 0.0206, 0.0143, 0.0073,
    0.0061, 0.0048, 0.0053, 0.0036, 0.0030, 0.0016, 0.0008, 0.0010, 0.0010, 0.0046,
)  # fmt: skip
LEVELS = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
SIZE_QUANTILES = {
    1: (0.051, 0.177, 0.244, 0.431, 0.655, 0.812, 0.918, 0.960, 1.000),
    2: (0.030, 0.108, 0.156, 0.291, 0.458, 0.631, 0.793, 0.882, 1.000),
    3: (0.024, 0.073, 0.100, 0.173, 0.323, 0.524, 0.725, 0.848, 1.000),
    4: (0.029, 0.062, 0.080, 0.143, 0.273, 0.448, 0.614, 0.729, 0.999),
    6: (0.023, 0.052, 0.064, 0.104, 0.181, 0.314, 0.461, 0.578, 0.985),
    10: (0.018, 0.042, 0.052, 0.078, 0.128, 0.210, 0.331, 0.441, 0.996),
}


def pick(shares: tuple[float, ...], u: float) -> int:
    """Index of the share in which `u` falls when the shares are laid one after the other.

    Examples
    --------
    >>> pick((0.5, 0.3, 0.2), 0.6)
    1
    """
    for index, share in enumerate(shares):
        if u < share:
            return index
        u -= share
    return len(shares) - 1


def draw_count(rng: np.random.Generator) -> int:
    """Draw the number of objects of an image."""
    return 1 + pick(COUNT_SHARES, rng.random())


def draw_size(rng: np.random.Generator, count: int) -> float:
    """Draw sqrt(box area / image area) for an object of an image with `count` objects."""
    row = SIZE_QUANTILES[max(least for least in SIZE_QUANTILES if least <= count)]
    u = rng.random()
    k = max(index for index, level in enumerate(LEVELS[:-1]) if level <= u)
    share = (u - LEVELS[k]) / (LEVELS[k + 1] - LEVELS[k])
    return row[k] + share * (row[k + 1] - row[k])
