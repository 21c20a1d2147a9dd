"""From a box to the object beside it: a linear correction of centre and size."""

from __future__ import annotations

import numpy as np

LARGEST = 1.0  # of the logarithm of a change of size: a correction is not an invention


def corrections(boxes: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return what leads from boxes to targets, both (n, 4) edges; float64, (n, 4).

    Notes
    -----
    ``dx = (X − x) / w, dy = (Y − y) / h, dw = ln(W / w), dh = ln(H / h)`` with centres x, y and sides w, h of the box
    and capitals those of the target.

    Examples
    --------
    >>> corrections(np.array([[0, 0, 10, 10]]), np.array([[5, 0, 15, 10]])).tolist()
    [[0.5, 0.0, 0.0, 0.0]]
    """
    sides, wanted = _sides(boxes), _sides(targets)
    shift = (targets[:, :2] + targets[:, 2:] - boxes[:, :2] - boxes[:, 2:]) / 2
    return np.hstack([shift / sides, np.log(wanted / sides)])


def corrected(boxes: np.ndarray, change: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return boxes after a correction, (n, 4), cut at the borders of images of `sizes` (n, 2) width and height.

    A box that would lie outside its image stays as it was.

    Examples
    --------
    >>> corrected(np.array([[0, 0, 10, 10]]), np.array([[0.5, 0, 0, 0]]), np.array([[12, 50]])).tolist()
    [[5.0, 0.0, 12.0, 10.0]]
    """
    sides = _sides(boxes)
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2 + change[:, :2] * sides
    half = sides * np.exp(np.clip(change[:, 2:], -LARGEST, LARGEST)) / 2
    found = np.hstack([centres - half, centres + half])
    found = np.clip(found, 0, np.tile(sizes, 2))
    lost = (found[:, 2:] - found[:, :2]).min(axis=1, initial=np.inf) < 1
    return np.where(lost[:, np.newaxis], boxes, found)


def fit_corrections(features: np.ndarray, wanted: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """Least squares with a penalty: weights (d, 4) and intercepts (4,) that predict corrections from features.

    Notes
    -----
    Minimises ``Σ |t_i − (W x_i + b)|² + ridge · |W|²``; the intercept is free.
    """
    from sklearn.linear_model import Ridge

    found = Ridge(alpha=ridge, solver="cholesky").fit(features, wanted)
    return found.coef_.T, found.intercept_


def _sides(boxes: np.ndarray) -> np.ndarray:
    return np.maximum(boxes[:, 2:] - boxes[:, :2], 1)
