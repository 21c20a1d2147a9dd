"""The baseline SlidingWindow: windows of fixed sizes on regular grids.

For the arguments `image`, `k` and `rng` and for the answer see :mod:`propeval_lite.methods`.
"""

from __future__ import annotations

import functools

import numpy as np

from propeval_lite._checks.traits import traits

#: Widths, by height: the sizes of Bing.
WIDTHS = {
    512: (512, 256, 128, 64),
    256: (512, 256, 128, 64, 32),
    128: (512, 256, 128, 64, 32, 16),
    64: (512, 256, 128, 64, 32, 16),
    32: (128, 64, 32, 16),
    16: (64, 32, 16),
}
SIZES = tuple((width, height) for height, widths in WIDTHS.items() for width in widths)
FEWEST = 100  # a smaller request gets the first windows of this one
FIRST_DENSER = 5  # place of the first size that may get more than its share
DENSER = 0.75


@traits(needs="size", nested=False, overhang=1)
def sliding_window(image: np.ndarray, k: int, rng: np.random.Generator):
    """Windows of 28 fixed sizes on regular grids, the number shared out evenly among the sizes.

    Notes
    -----
    A size counts if it is smaller than the image in both directions; n of them do. If n < 28 the first window is the
    whole image. Then come the sizes, from large to small. Each has at most floor(k / n) places, in rows and columns
    with one distance d = √(free_x free_y / floor(k / n)), free_x = W - w; d grows by 1 until the places are few
    enough. What is left of k goes to the sizes from the sixth on in their order: their d becomes ¾ of itself, up
    to the first size for which too little is left.

    The places follow the authors' program, which counts pixels from 1: the first is at 1 + ½ mod(free_x - 1, d), so
    that they lie in the middle, and they may lie between pixels. Both ends belong to a window, which therefore is a
    pixel wider and higher than its size, and so is the whole image, from 0 to W: it reaches over the left and the
    upper border by one pixel. A request for fewer than 100 windows gets the first ones of 100.
    Because the grids depend on k, the first windows of a larger request are not those of a smaller one.

    References
    ----------
    Hosang et al., §2.4: after the windows of Bing.

    Examples
    --------
    >>> boxes, _ = sliding_window(np.zeros((20, 36, 3)), 3, None)
    >>> boxes.round(2)
    array([[-1.  , -1.  , 36.  , 20.  ],
           [ 0.09,  0.09, 33.09, 17.09],
           [ 0.09,  0.65, 33.09, 17.65]])
    """
    height, width = image.shape[:2]
    return _windows(width, height, max(k, FEWEST))[:k].copy(), None


@functools.lru_cache(maxsize=4096)
def _windows(width: int, height: int, k: int) -> np.ndarray:
    """Windows on the grid of pixel edges; all are laid counting pixels from 1, both ends included."""
    sizes = np.array([(w, h) for w, h in SIZES if w < width and h < height], dtype=np.int64).reshape(-1, 2)
    windows = [np.array([[0, 0, width, height]], dtype=np.float64)] if len(sizes) < len(SIZES) else []
    share = k // max(len(sizes), 1)
    free = np.array([width, height]) - sizes
    distances = [_distance(width - w, height - h, share) for w, h in sizes.tolist()]
    left = k - len(windows) - sum(map(_count, free, distances))
    for i in range(FIRST_DENSER, len(sizes)):
        more = _count(free[i], DENSER * distances[i]) - _count(free[i], distances[i])
        if more >= left:
            break
        distances[i] *= DENSER
        left -= more
    for size, room, distance in zip(sizes, free, distances, strict=True):
        x, y = np.meshgrid(*(_places(side, distance) for side in room), indexing="ij")
        starts = np.stack([x.ravel(), y.ravel()], axis=1)
        windows.append(np.hstack([starts, starts + size]))
    return np.concatenate(windows) - np.array([1, 1, 0, 0])


def _distance(free_x: int, free_y: int, most: int) -> float:
    """Smallest of d, d + 1, … with at most `most` places, where d² is the free area per place."""
    distance = float(np.sqrt(free_x * free_y / most))
    while _count((free_x, free_y), distance) > most:
        distance += 1
    return distance


def _count(free, distance: float) -> int:
    return len(_places(free[0], distance)) * len(_places(free[1], distance))


def _places(free: int, distance: float) -> np.ndarray:
    """Places from 1 to `free`, `distance` apart, in the middle."""
    first = 1 + (free - 1) % distance / 2
    # The last place may fall on `free` exactly; without a tolerance rounding would lose it.
    return first + distance * np.arange(int((free - first) / distance + 1e-10) + 1)
