"""Superpixels in several colour spaces: the common ground of the grouping methods."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import find_objects

from propeval_lite._checks.values import check_choice

COLOURS = ("lab", "opponent", "rg", "hsv")


def to_colour(image: np.ndarray, colour: str) -> np.ndarray:
    """Convert an RGB picture into a colour space with every channel scaled to about 0 … 1.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
        RGB picture.
    colour : {"rgb", "lab", "opponent", "rg", "hsv"}
        "opponent" is (R - G, R + G - 2B, R + G + B), "rg" is (R, G) / (R + G + B) with the intensity.

    Returns
    -------
    float array, (height, width, 3)

    Examples
    --------
    >>> to_colour(np.array([[[255, 255, 255]]], dtype=np.uint8), "opponent").round(3)
    array([[[0.5, 0.5, 1. ]]])
    """
    from skimage.color import rgb2hsv, rgb2lab

    check_choice(colour, ("rgb", *COLOURS), "colour")
    if colour == "lab":
        return rgb2lab(image) / 100 + np.array([0, 0.5, 0.5])
    if colour == "hsv":
        return rgb2hsv(image)
    rgb = image / 255.0
    if colour == "rgb":
        return rgb
    red, green, blue = np.moveaxis(rgb, 2, 0)
    total = red + green + blue
    if colour == "opponent":
        return np.stack([(red - green + 1) / 2, (red + green - 2 * blue + 2) / 4, total / 3], axis=2)
    # Black has no colour: it gets the grey point.
    safe = np.where(total > 0, total, 1)
    grey = np.where(total > 0, 0, 1 / 3)
    return np.stack([red / safe + grey, green / safe + grey, total / 3], axis=2)


def segment(
    image: np.ndarray, colour: str = "lab", scale: float = 100, sigma: float = 0.8, min_size: int = 100
):
    """Segment a picture by Felzenszwalb and Huttenlocher's graph-based method.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
        RGB picture.
    colour : str
        Colour space of the distances (see :func:`to_colour`).
    scale, sigma, min_size : float, float, int
        Larger `scale` gives larger regions; `sigma` smooths before; smaller regions than `min_size` are merged.

    Returns
    -------
    int array, (height, width)
        Labels 0 … n-1.
    """
    from skimage.segmentation import felzenszwalb

    return felzenszwalb(to_colour(image, colour), scale=scale, sigma=sigma, min_size=min_size)


def label_boxes(labels: np.ndarray) -> np.ndarray:
    """Return the bounding box of each label 0 … n-1 of a label image, (n, 4) in 0-based edge coordinates.

    Examples
    --------
    >>> label_boxes(np.array([[0, 0, 1], [0, 1, 1]]))
    array([[0., 0., 2., 2.],
           [1., 0., 3., 2.]])
    """
    return np.array(
        [[x.start, y.start, x.stop, y.stop] for y, x in find_objects(labels + 1)], dtype=np.float64
    )
