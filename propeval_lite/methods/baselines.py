"""The four baselines: boxes drawn at random, boxes on a grid, and the boxes of superpixels.

For the arguments `image`, `k` and `rng` and for the answer see :mod:`propeval_lite.methods`. No baseline gives scores.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from propeval_lite._checks.traits import traits
from propeval_lite._checks.values import fail
from propeval_lite.methods.fit import FEATURES, load_defaults
from propeval_lite.methods.registry import MethodUnavailable
from propeval_lite.proposals.columns import first_of_each
from propeval_lite.superpixels.colours import COLOURS, label_boxes, segment

# A very small image has fewer different boxes than are asked for; drawing then ends after this many draws per box.
MOST_DRAWS = 50


@traits(needs="size")
def uniform(image: np.ndarray, k: int, rng: np.random.Generator, fit: dict | None = None):
    """Boxes whose centre, square root of area and log aspect ratio are uniform in fitted ranges.

    Parameters
    ----------
    fit : dict, optional
        Ranges from :func:`propeval_lite.methods.fit.fit_uniform`; the default is our fit on VOC 2007 trainval.

    Notes
    -----
    Centre and area are relative to the image: with u ~ U(range), w h = u_area² W H and w / h = 2^u_aspect.
    Boxes have whole pixels; what reaches over the border is cut off; a draw that equals an earlier box is drawn again.

    References
    ----------
    Hosang et al., §2.4.
    """
    ranges = _features(fit, load_defaults()["uniform"], FEATURES, "fit_uniform")
    low, high = np.array([ranges[name] for name in FEATURES], dtype=np.float64).T
    return _distinct(lambda n: low + (high - low) * rng.random((n, 4)), image, k), None


@traits(needs="size")
def gaussian(image: np.ndarray, k: int, rng: np.random.Generator, fit: dict | None = None):
    """Boxes whose centre, square root of area and log aspect ratio follow a fitted normal distribution.

    Parameters
    ----------
    fit : dict, optional
        Mean and covariance from :func:`propeval_lite.methods.fit.fit_gaussian`; the default is our fit on
        VOC 2007 trainval.

    Notes
    -----
    A draw that no box in the image can have (a relative area outside (0, 1], no pixel in the image) or that
    equals an earlier one is drawn again. Boxes have whole pixels; what reaches over the border is cut off.

    References
    ----------
    Hosang et al., §2.4.
    """
    fitted = _features(fit, load_defaults()["gaussian"], ("mean", "covariance"), "fit_gaussian")
    mean = np.asarray(fitted["mean"], dtype=np.float64)
    root = np.linalg.cholesky(np.asarray(fitted["covariance"], dtype=np.float64))

    def draw(n):
        # A plain sum, not a matrix product: a row then never depends on how many rows are drawn with it.
        return mean + (rng.standard_normal((n, 1, 4)) * root).sum(axis=2)

    return _distinct(draw, image, k), None


@traits(needs="size", nested=False)
def sliding_window(
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    sides: Sequence[int] = (16, 32, 64, 128, 256, 512),
    max_aspect: float = 8,
):
    """Windows of fixed sizes on regular grids, the number shared out evenly among the sizes.

    Parameters
    ----------
    sides : sequence of int
        Widths and heights in pixels; every pair is a window size.
    max_aspect : float
        Pairs more elongated than this are left out.

    Notes
    -----
    The first box is the whole image, then come the windows from the largest size to the smallest. A size that does
    not fit into the image is left out. Of the windows not yet placed each remaining size gets an equal share n. With
    free_x = W - w and free_y = H - h its grid has n_x by n_y <= n windows with the smallest max(free_x / n_x,
    free_y / n_y), laid from border to border (in the middle where n_x or n_y is 1).
    Because the grids depend on k, the first windows of a larger request are not those of a smaller one.

    References
    ----------
    Hosang et al., §2.4: after the windows of Bing.

    Examples
    --------
    >>> boxes, _ = sliding_window(np.zeros((20, 36, 3)), 4, None)
    >>> boxes
    array([[ 0.,  0., 36., 20.],
           [ 2.,  2., 34., 18.],
           [ 0.,  2., 16., 18.],
           [20.,  2., 36., 18.]])
    """
    height, width = image.shape[:2]
    return _windows(width, height, k, tuple(sides), max_aspect).copy(), None


@traits()
def superpixels(
    image: np.ndarray,
    k: int,
    rng: np.random.Generator,
    colours: Sequence[str] = COLOURS,
    scale: float = 100,
    sigma: float = 0.8,
    min_size: int = 100,
):
    """Bounding boxes of the superpixels of graph-based segmentations in several colour spaces, in random order.

    Parameters
    ----------
    colours : sequence of {"rgb", "lab", "opponent", "rg", "hsv"}
        One segmentation in each of these colour spaces.
    scale, sigma, min_size : float, float, int
        Parameters of the segmentation: larger `scale` gives larger regions, `sigma` smooths before, regions under
        `min_size` pixels are merged.

    References
    ----------
    Hosang et al., §2.4: each low-level segment of Felzenszwalb and Huttenlocher's method is a proposal.
    """
    boxes = np.concatenate(
        [label_boxes(segment(image, colour, scale, sigma, min_size)) for colour in colours]
    )
    return rng.permutation(boxes), None


def _features(given: dict | None, default: dict, keys: Sequence[str], maker: str) -> dict:
    if given is None:
        return default
    missing = [key for key in keys if not isinstance(given, dict) or key not in given]
    if missing:
        error = fail(
            f"a fit with {', '.join(keys)}",
            f"one without {', '.join(missing)}",
            f"Make it with {maker}(dataset).",
            "fit",
        )
        raise MethodUnavailable(*error.args)
    return given


def _distinct(draw: Callable[[int], np.ndarray], image: np.ndarray, k: int) -> np.ndarray:
    """Draw until there are k different boxes; more draws only append, so smaller requests are prefixes."""
    height, width = image.shape[:2]
    boxes, drawn = np.empty((0, 4)), 0
    while len(boxes) < k and drawn < MOST_DRAWS * k:
        count = (5 * (k - len(boxes))) // 4 + 16
        drawn += count
        boxes = np.concatenate([boxes, _to_boxes(draw(count), width, height)])
        boxes = boxes[first_of_each(boxes)]
    return boxes[:k]


def _to_boxes(features: np.ndarray, width: int, height: int) -> np.ndarray:
    """Turn log2 aspect, sqrt relative area and relative centre into boxes of whole pixels inside the image."""
    possible = (features[:, 1] > 0) & (features[:, 1] <= 1)
    aspect, scale, x, y = features[possible].T
    side = scale * np.sqrt(width * height) / 2
    half_w, half_h = side * np.exp2(aspect / 2), side * np.exp2(-aspect / 2)
    x, y = x * width, y * height
    boxes = np.stack([x - half_w, y - half_h, x + half_w, y + half_h], axis=1)
    limit = np.array([width, height, width, height], dtype=np.float64)
    inside = (boxes[:, 2:] > 0).all(axis=1) & (boxes[:, :2] < limit[:2]).all(axis=1)
    boxes = np.rint(np.clip(boxes[inside], 0, limit))
    # What rounding made empty becomes one pixel, inside the image.
    boxes[:, :2] = np.minimum(boxes[:, :2], limit[:2] - 1)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    return boxes


@functools.lru_cache(maxsize=4096)
def _windows(width: int, height: int, k: int, sides: tuple[int, ...], max_aspect: float) -> np.ndarray:
    fitting = [
        (w, h) for w in sides for h in sides if w <= width and h <= height and (w, h) != (width, height)
    ]
    sizes = [(w, h) for w, h in fitting if max(w / h, h / w) <= max_aspect]
    sizes.sort(key=lambda size: (-size[0] * size[1], size))
    boxes = [np.array([[0, 0, width, height]], dtype=np.float64)]
    left = k - 1
    for i, (w, h) in enumerate(sizes):
        share = left // (len(sizes) - i)
        if share > 0:
            boxes.append(_grid(width - w, height - h, share) + np.array([0, 0, w, h]))
            left -= len(boxes[-1])
    return np.concatenate(boxes)


def _grid(free_x: int, free_y: int, most: int) -> np.ndarray:
    """Return offsets (x, y, x, y) of the densest grid of at most `most` whole-pixel places on 0…free_x by 0…free_y."""
    nx = np.arange(1, min(most, free_x + 1) + 1)
    ny = np.minimum(most // nx, free_y + 1)
    gap = np.maximum(free_x / nx, free_y / ny)
    best = np.lexsort((-nx * ny, gap))[0]
    x, y = np.meshgrid(_places(free_x, nx[best]), _places(free_y, ny[best]))
    return np.stack([x.ravel(), y.ravel(), x.ravel(), y.ravel()], axis=1)


def _places(free: int, n: int) -> np.ndarray:
    return np.array([free // 2], dtype=np.float64) if n == 1 else np.rint(np.linspace(0, free, n))
