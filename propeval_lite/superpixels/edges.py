"""An edge map computed from colour gradients, for methods that reason about contours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import ndimage


def edge_map(image: np.ndarray, sigmas: Sequence[float] = (1, 2, 4), surround: float = 12, top: float = 98):
    """Find thin colour edges, held back inside textures.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
        RGB picture.
    sigmas : sequence of float
        Scales of the Gaussian derivatives in pixels.
    surround : float
        Scale of the neighbourhood whose mean strength is taken off.
    top : float
        Percentile of the thin edges that gets strength 1.

    Returns
    -------
    strength : float32 array, (height, width)
        0 … 1; 0 off the ridges.
    orientation : float32 array, (height, width)
        Direction of the gradient, across the edge, in 0 … π; x points right and y down.

    Notes
    -----
    At each scale σ the Lab gradients g, times σ, give the structure tensor J = Σ_channel g gᵀ. The strength is the
    root of its larger eigenvalue, averaged over scales, less the mean strength around (texture has strong
    neighbours, contours have not); the orientation is the main axis of Σ_σ J. Ridges are the pixels not weaker than
    both neighbours one pixel away across the edge.

    Examples
    --------
    >>> step = np.zeros((40, 40, 3), np.uint8)
    >>> step[:, 20:] = 255
    >>> strength, orientation = edge_map(step)
    >>> np.flatnonzero(strength[20] > 0.5)
    array([19, 20])
    >>> float(orientation[20, 20])
    0.0
    """
    from skimage.color import rgb2lab

    lab = rgb2lab(image)
    strengths, tensor = [], np.zeros((3, *lab.shape[:2]))
    for sigma in sigmas:
        x = sigma * ndimage.gaussian_filter(lab, (sigma, sigma, 0), order=(0, 1, 0))
        y = sigma * ndimage.gaussian_filter(lab, (sigma, sigma, 0), order=(1, 0, 0))
        xx, xy, yy = (x * x).sum(axis=2), (x * y).sum(axis=2), (y * y).sum(axis=2)
        tensor += np.stack([xx, xy, yy])
        strengths.append(np.sqrt((xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)))
    strength = np.mean(strengths, axis=0)
    strength = np.maximum(strength - ndimage.gaussian_filter(strength, surround), 0)
    orientation = np.mod(np.arctan2(2 * tensor[1], tensor[0] - tensor[2]) / 2, np.pi)
    ridge = (strength > 0) & _is_ridge(strength, orientation)
    if not ridge.any():
        return np.zeros_like(strength, dtype=np.float32), orientation.astype(np.float32)
    full = np.percentile(strength[ridge], top)
    return np.where(ridge, np.minimum(strength / full, 1), 0).astype(np.float32), orientation.astype(
        np.float32
    )


def _is_ridge(strength: np.ndarray, orientation: np.ndarray) -> np.ndarray:
    # Light smoothing and one per cent of slack keep a ridge whole where two pixels are equally strong.
    smooth = ndimage.gaussian_filter(strength, 1)
    rows, columns = np.indices(strength.shape)
    down, right = np.sin(orientation), np.cos(orientation)
    ridge = np.ones(strength.shape, dtype=bool)
    for side in (-1, 1):
        beside = [rows + side * down, columns + side * right]
        ridge &= 1.01 * smooth >= ndimage.map_coordinates(smooth, beside, order=1, mode="nearest")
    return ridge
