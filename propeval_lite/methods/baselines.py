"""Three baselines: boxes drawn at random from two distributions, and the boxes of superpixels.

For the arguments `image`, `k` and `rng` and for the answer see :mod:`propeval_lite.methods`. No baseline gives scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from propeval_lite._checks.traits import traits
from propeval_lite._checks.values import check_choice, fail
from propeval_lite.methods.fit import FEATURES, load_defaults
from propeval_lite.methods.registry import MethodUnavailable
from propeval_lite.proposals.columns import first_of_each
from propeval_lite.superpixels.colours import COLOURS, label_boxes, segment

# A very small image has fewer different boxes than are asked for; drawing then ends after this many draws per box.
MOST_DRAWS = 50
GAUSSIAN_RULE: dict[str, Any] = {
    "smallest": 5,
    "move": True,
}  # of its authors: shortest side in pixels, moved into the image


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
    As in the authors' program, which counts pixels from 1, the first pixel is round(x W + ½ - w / 2) and the
    last round(w) - 1 further: on average half a pixel to the left of and above the centre drawn. Their program draws
    10 000 boxes once and leaves repeated ones out.

    References
    ----------
    Hosang et al., §2.4.
    """
    return _distinct(_uniform_features(rng, fit), image, k), None


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
    A draw that no box in the image can have (a relative area outside (0, 1], a centre outside the image) or that
    equals an earlier box is drawn again. Sides are at least 5 pixels. Boxes have whole pixels, placed as by
    :func:`uniform`; one that reaches over the left or upper border is moved inside, and what then reaches over the
    right or lower border is cut off. This is the rule of the authors' program.

    References
    ----------
    Hosang et al., §2.4.
    """
    return _distinct(_gaussian_features(rng, fit), image, k, **GAUSSIAN_RULE), None


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


def draw_prior(
    prior: str, width: int, height: int, n: int, rng: np.random.Generator, fit: dict | None = None
) -> np.ndarray:
    """Draw boxes from the prior of a random baseline; unlike its proposals they may repeat.

    Parameters
    ----------
    prior : {"uniform", "gaussian"}
    width, height : int
        Of the image, in pixels.
    n : int
        Number of boxes.
    rng : Generator
    fit : dict, optional
        As in :func:`uniform` and :func:`gaussian`.

    Returns
    -------
    float array, (n, 4)
        Edges of whole pixels, counted from 0.

    Examples
    --------
    >>> boxes = draw_prior("uniform", 500, 375, 1000, np.random.default_rng(0))
    >>> boxes.shape, bool((boxes[:, 2:] > boxes[:, :2]).all())
    ((1000, 4), True)
    """
    features, rule = PRIORS[check_choice(prior, tuple(PRIORS), "prior")]
    draw = features(rng, fit)
    boxes, drawn = np.empty((0, 4)), 0
    while len(boxes) < n:
        if drawn >= MOST_DRAWS * n:
            got = f"{len(boxes)} of {n} boxes in {drawn} draws"
            raise fail("a fit that gives boxes inside the image", got, "Fit it on other boxes.", prior)
        boxes = np.concatenate([boxes, _to_boxes(draw(n), width, height, **rule)])
        drawn += n
    return boxes[:n]


def _uniform_features(rng: np.random.Generator, fit: dict | None) -> Callable[[int], np.ndarray]:
    ranges = _features(fit, load_defaults()["uniform"], FEATURES, "fit_uniform")
    low, high = np.array([ranges[name] for name in FEATURES], dtype=np.float64).T
    return lambda n: low + (high - low) * rng.random((n, 4))


def _gaussian_features(rng: np.random.Generator, fit: dict | None) -> Callable[[int], np.ndarray]:
    fitted = _features(fit, load_defaults()["gaussian"], ("mean", "covariance"), "fit_gaussian")
    mean = np.asarray(fitted["mean"], dtype=np.float64)
    root = np.linalg.cholesky(np.asarray(fitted["covariance"], dtype=np.float64))
    # A plain sum, not a matrix product: a row then never depends on how many rows are drawn with it.
    return lambda n: mean + (rng.standard_normal((n, 1, 4)) * root).sum(axis=2)


#: The priors that boxes can be drawn from: random features, n rows at a time, and how they become boxes.
PRIORS: dict[str, tuple[Callable, dict[str, Any]]] = {
    "uniform": (_uniform_features, {}),
    "gaussian": (_gaussian_features, GAUSSIAN_RULE),
}


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


def _distinct(draw: Callable[[int], np.ndarray], image: np.ndarray, k: int, **rule) -> np.ndarray:
    """Draw until there are k different boxes; more draws only append, so smaller requests are prefixes."""
    height, width = image.shape[:2]
    boxes, drawn = np.empty((0, 4)), 0
    while len(boxes) < k and drawn < MOST_DRAWS * k:
        count = (5 * (k - len(boxes))) // 4 + 16
        drawn += count
        boxes = np.concatenate([boxes, _to_boxes(draw(count), width, height, **rule)])
        boxes = boxes[first_of_each(boxes)]
    return boxes[:k]


def _to_boxes(
    features: np.ndarray, width: int, height: int, smallest: int = 0, move: bool = False
) -> np.ndarray:
    """Turn log2 aspect, sqrt relative area and relative centre into boxes of whole pixels inside the image.

    Rows that no box in the image can have are left out. Sides are at least `smallest` pixels. What reaches over the
    left or upper border is cut off, or with `move` moved inside; at the right and lower border it is cut off.
    """
    possible = (features[:, 1] > 0) & (features[:, 1] <= 1)
    possible &= ((features[:, 2:] >= 0) & (features[:, 2:] <= 1)).all(axis=1)
    aspect, scale = features[possible, :2].T
    limit = np.array([width, height], dtype=np.float64)
    side = scale * np.sqrt(width * height)
    sides = np.maximum(np.stack([side * np.exp2(aspect / 2), side * np.exp2(-aspect / 2)], axis=1), smallest)
    # The authors count pixels from 1, so their centre lies half a pixel further; the result counts edges from 0.
    low = np.rint(features[possible, 2:] * limit + 0.5 - sides / 2) - 1
    high = low + np.rint(sides)
    if move:
        over = np.maximum(-low, 0)
        low, high = low + over, high + over
    # What rounding or cutting made empty becomes one pixel, inside the image.
    low = np.minimum(np.maximum(low, 0), limit - 1)
    return np.hstack([low, np.maximum(np.minimum(high, limit), low + 1)])
