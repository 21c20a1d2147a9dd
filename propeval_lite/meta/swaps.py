"""Which image stands in for which, and how labels of one image are laid over another."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.seeding import check_seed
from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.meta.choices import check_choices


def swap_partners(n_images: int, swaps: int = 1, seed: int = 0) -> np.ndarray:
    """Draw the other images that each image is swapped with.

    Parameters
    ----------
    n_images : int
        At least 2.
    swaps : int
        Other images per image, less than `n_images`.
    seed : int
        The images are put in a random circle; image i meets the `swaps` images behind it.

    Returns
    -------
    int64 array, shape (n_images, swaps)
        Row numbers. No image meets itself, and each serves equally often.

    Examples
    --------
    >>> swap_partners(2).tolist()
    [[1], [0]]
    """
    check_positive_int(n_images, "number of images", 2)
    check_positive_int(swaps, "swaps")
    if swaps >= n_images:
        raise fail(f"swaps below the number of images, {n_images}", swaps, "Ask for fewer swaps.", "swaps")
    circle = np.random.default_rng(check_seed(seed)).permutation(n_images)
    partners = np.empty((n_images, swaps), dtype=np.int64)
    for step in range(1, swaps + 1):
        partners[circle, step - 1] = np.roll(circle, -step)
    return partners


def fit_labels(
    labels: np.ndarray, shape: tuple[int, int], shapes: str = "auto", where: str = "labels"
) -> np.ndarray:
    """Lay labels of one image over an image of another shape.

    Parameters
    ----------
    labels : int array, shape (height, width)
        Labels of the other image.
    shape : (int, int)
        Height and width wanted.
    shapes : {"auto", "rotate", "resize"}
        "rotate" turns by a quarter, counter-clockwise, where height and width are exchanged, and refuses other
        shapes (the authors' code; BSDS500 needs no more). "resize" takes the nearest pixel. "auto" turns
        upright onto landscape images, then resizes where still needed.
    where : str
        Named in errors.

    Returns
    -------
    int array of the wanted shape

    Examples
    --------
    >>> fit_labels(np.array([[1, 2]]), (2, 1)).tolist()
    [[2], [1]]
    >>> fit_labels(np.array([[1, 2]]), (1, 4), shapes="resize").tolist()
    [[1, 1, 2, 2]]
    """
    check_choices(shapes=shapes)
    if labels.shape == tuple(shape):
        return labels
    upright = (labels.shape[0] > labels.shape[1]) != (shape[0] > shape[1])
    if shapes != "resize" and (labels.shape[::-1] == tuple(shape) or (shapes == "auto" and upright)):
        labels = np.ascontiguousarray(np.rot90(labels))
    if labels.shape == tuple(shape):
        return labels
    if shapes == "rotate":
        remedy = "Use shapes='auto' for data sets with images of several sizes."
        raise fail(f"shape {tuple(shape)} or a quarter turn of it", f"shape {labels.shape}", remedy, where)
    rows = np.arange(shape[0]) * labels.shape[0] // shape[0]
    columns = np.arange(shape[1]) * labels.shape[1] // shape[1]
    return np.ascontiguousarray(labels[np.ix_(rows, columns)])
