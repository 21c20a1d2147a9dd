"""Pictures in, label arrays out: what every segmenter does first and last."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.values import fail, unmasked
from propeval_lite._kernels.contingency import renumber as number


def check_image(image: object) -> np.ndarray:
    """Return a picture as RGB, (height, width, 3) uint8; a grey one, (height, width), is repeated three times."""
    array = unmasked(image, "image")
    if array.dtype != np.uint8:
        raise fail("a uint8 picture", f"{array.dtype.name} values", "Scale to 0 … 255 and convert.", "image")
    if array.ndim == 2:
        array = np.repeat(array[:, :, None], 3, axis=2)
    if array.ndim != 3 or array.shape[2] != 3 or array.size == 0:
        raise fail(
            "shape (height, width, 3) or (height, width)",
            f"shape {array.shape}",
            "Give one picture.",
            "image",
        )
    return np.ascontiguousarray(array)


def connected(labels: np.ndarray, neighbours: int = 8) -> np.ndarray:
    """Give each connected region a label of its own, numbered row by row.

    Parameters
    ----------
    labels : int array, shape (height, width)
        Any labels >= 0.
    neighbours : {4, 8}
        Pixels that touch: sides only, or corners too.

    Returns
    -------
    int32 array, shape (height, width)
        Labels 0 … n − 1.

    Examples
    --------
    >>> connected(np.array([[5, 5, 2], [2, 2, 5]])).tolist()
    [[0, 0, 1], [1, 1, 0]]
    >>> connected(np.array([[5, 5, 2], [2, 2, 5]]), neighbours=4).tolist()
    [[0, 0, 1], [2, 2, 3]]
    """
    from skimage.measure import label

    return label(labels, background=-1, connectivity=1 if neighbours == 4 else 2).astype(np.int32) - 1


def renumber(labels: np.ndarray) -> np.ndarray:
    """Give labels >= 0 the numbers 0 … n − 1 in the order of their first pixel, row by row (int32).

    Examples
    --------
    >>> renumber(np.array([[3, 1], [1, 3]])).tolist()
    [[0, 1], [1, 0]]
    """
    return number(np.ascontiguousarray(labels).ravel(), int(labels.max()))[0].reshape(labels.shape)
