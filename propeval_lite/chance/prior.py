"""What a blind guess with experience would do: boxes drawn from a prior that was fitted to training boxes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from propeval_lite._checks.boxes import BOX_COLUMNS, as_boxes, check_boxes
from propeval_lite._checks.seeding import check_seed, image_generator
from propeval_lite._checks.values import check_positive_int, check_threshold, fail, threshold_list
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite.chance.probability import hit_probability
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame

#: Draws a number of boxes (edges of pixels, from 0) for an image of some width and height.
Draw = Callable[[int, int, int, np.random.Generator], np.ndarray]


def prior_hits(dataset: Dataset, draw: Draw, taus, draws: int = 20_000, seed: int = 0) -> np.ndarray:
    """Count how many boxes drawn from a prior hit each object of a data set.

    Parameters
    ----------
    dataset : Dataset
    draw : callable
        ``draw(width, height, n, rng)`` returns n boxes, drawn independently, as edges of pixels counted from 0.
    taus : float or sequence of float
        IoU thresholds in (0, 1].
    draws : int
        Boxes drawn per image; all its objects are tried with the same ones.
    seed : int
        Of the draws; an image's boxes depend on the seed and on its id.

    Returns
    -------
    ndarray of int64, shape (n_objects, n_taus)

    Examples
    --------
    A prior that knows only one box hits the object with all its draws, or with none.

    >>> import pandas as pd
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [8], "height": [4]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", "x1": 0, "y1": 0,
    ...                         "x2": 4, "y2": 4, "ignore": False})
    >>> left_two_thirds = lambda width, height, n, rng: np.tile([0, 0, 6, 4], (n, 1))
    >>> prior_hits(Dataset("half", images, objects), left_two_thirds, [0.5, 0.8], draws=10)
    array([[10,  0]])
    """
    check_dataset(dataset)
    seed = check_seed(seed)
    draws = check_positive_int(draws, "draws")
    if not callable(draw):
        remedy = "Give draw(width, height, n, rng), which returns boxes."
        raise fail("a function", type(draw).__name__, remedy, "draw")
    levels = np.array([float(check_threshold(tau)) for tau in threshold_list(taus)])
    boxes = Frame.of(dataset).to_grid(dataset.objects[list(BOX_COLUMNS)])
    rows = dataset.image_rows(dataset.objects["image_id"])
    found = np.zeros((len(boxes), len(levels)), dtype=np.int64)
    nothing = np.empty((0, 4))
    for i, (name, width, height) in enumerate(
        dataset.images[["image_id", "width", "height"]].itertuples(index=False)
    ):
        inside = np.flatnonzero(rows == i)
        if inside.size:
            drawn = as_boxes(draw(width, height, draws, image_generator(seed, name)), f"draw for {name!r}")
            if len(drawn) != draws:
                raise fail(f"{draws} boxes", str(len(drawn)), "Draw as many as asked.", f"draw for {name!r}")
            check_boxes(drawn, f"draw for {name!r}")
            iou = pair_overlaps(boxes[inside], nothing, drawn, 0.0)
            found[inside] = (iou[:, :, None] >= levels).sum(axis=1)
    return found


def prior_chance(hits, draws: int, k) -> np.ndarray | np.float64:
    """Estimate the probability that k boxes of a prior hit an object at least once.

    Parameters
    ----------
    hits : array_like of int
        Of `draws` boxes from the prior, those that hit: from :func:`prior_hits`.
    draws : int
    k : array_like of int
        Boxes that the guess may draw, at most `draws`. They are drawn with replacement.

    Returns
    -------
    float64 or ndarray of float64
        Of the shape to which `hits` and `k` are broadcast.

    Notes
    -----
    If a draw hits with probability p, k draws with replacement hit with ``1 - (1 - p)^k``. Putting the share
    ``hits / draws`` for p would be too small on average, because the curve bends. The share of all choices of k
    among the `draws` boxes that hold a hit, ``1 - C(draws - hits, k) / C(draws, k)``, has exactly the right
    mean, because every such choice is itself k draws from the prior.

    Examples
    --------
    >>> prior_chance([0, 1, 10], 10, 1)
    array([0. , 0.1, 1. ])
    """
    return hit_probability(hits, check_positive_int(draws, "draws"), k)
