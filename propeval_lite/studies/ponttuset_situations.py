"""Masks that pixels and boundaries judge differently, built around a real object (§2, figure 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import ndimage

from propeval_lite.masks.foreground import boundary_f, f_measure, jaccard

WAYS = ("matching", "morphological")


def both_ways(truth: np.ndarray, mask: np.ndarray, tolerance: float) -> list[float]:
    """Return the boundary F of a mask by matching and in the morphological form."""
    return [boundary_f(truth, mask, tolerance, way) for way in WAYS]


def situations(truth: np.ndarray, tolerance: float, seed: int) -> dict[str, np.ndarray]:
    """Build five masks around an object.

    Parameters
    ----------
    truth : bool array, shape (height, width)
        The object.
    tolerance : float
        Of boundaries, as a share of the image's diagonal; lengths below are in tolerances.
    seed : int

    Returns
    -------
    dict from name to bool array
        A second annotator, whose contour wobbles by half a tolerance; hairs, five tolerances long; a neighbour, a band
        that fits against the object's left side; a ragged mask, whose contour wobbles by 2.5; a rim along the contour.
    """
    draw = np.random.default_rng(seed)
    depth = ndimage.distance_transform_edt(truth) - ndimage.distance_transform_edt(~truth)
    radius, side = tolerance * np.hypot(*truth.shape), np.sqrt(truth.sum())
    middle = np.median(np.nonzero(truth)[1])
    left = np.arange(truth.shape[1])[None, :] < middle + 0.2 * side
    return {
        "(a) second annotator": depth + _wobble(truth.shape, 0.5 * radius, 2 * radius, draw) > 0,
        "(b) hairs": _hairs(truth, depth, 9, 5 * radius, draw),
        "(c) neighbour": (depth <= 1.5) & (depth > -0.25 * side) & left,
        "(d) ragged": depth + _wobble(truth.shape, 2.5 * radius, 1.3 * radius, draw) > 0,
        "(e) rim": (depth <= 1.5) & (depth > -1.5),
    }


def _wobble(shape: tuple[int, int], height: float, length: float, draw: np.random.Generator) -> np.ndarray:
    """Smooth random field with that standard deviation; both numbers in pixels."""
    field = ndimage.gaussian_filter(draw.standard_normal(shape), length)
    return height * field / field.std()


def _hairs(
    truth: np.ndarray, depth: np.ndarray, number: int, length: float, draw: np.random.Generator
) -> np.ndarray:
    """Grow straight lines two pixels wide out of the object's contour, against the slope of the depth."""
    mask = truth.copy()
    slope = np.array(np.gradient(-ndimage.gaussian_filter(depth, 3)))
    start = draw.permutation(np.argwhere((depth > 0) & (depth <= 1)))[:number]
    for y, x in start:
        way = slope[:, y, x] / np.hypot(*slope[:, y, x])
        steps = np.round(np.arange(0, length, 0.5)[:, None] * way + (y, x)).astype(int)
        inside = ((steps >= 0) & (steps < truth.shape)).all(axis=1)
        mask[tuple(steps[inside].T)] = True
    return ndimage.binary_dilation(mask & ~truth, np.ones((2, 2), bool)) | truth


def situation_scores(truth: np.ndarray, masks: Mapping[str, np.ndarray], tolerance: float) -> pd.DataFrame:
    """Return ``situation, J, F, matching, morphological`` and the ``difference`` of the last two."""
    rows = [
        (name, jaccard(truth, mask), f_measure(truth, mask), *both_ways(truth, mask, tolerance))
        for name, mask in masks.items()
    ]
    table = pd.DataFrame(rows, columns=["situation", "J", "F", *WAYS])
    return table.assign(difference=table["morphological"] - table["matching"])


def tolerance_sweep(
    truth: np.ndarray, masks: Mapping[str, np.ndarray], tolerances: Sequence[float]
) -> pd.DataFrame:
    """Return the boundary F of each mask at each tolerance by both methods: ``situation, method, tolerance, value``."""
    rows = [
        (name, way, within, value)
        for name, mask in masks.items()
        for within in tolerances
        for way, value in zip(WAYS, both_ways(truth, mask, within), strict=True)
    ]
    return pd.DataFrame(rows, columns=["situation", "method", "tolerance", "value"])


def beside_figure_8(scores: pd.DataFrame, paper: pd.DataFrame) -> pd.DataFrame:
    """Put the paper's four situations beside ours; `paper` is the published table ``ponttuset_situations``."""
    here = scores.iloc[: len(paper)].reset_index(drop=True)
    return pd.DataFrame(
        {
            "situation": here["situation"],
            "J: paper": paper["jaccard"],
            "here": here["J"],
            "boundary: paper": paper["boundary_first"],
            "(in brackets)": paper["boundary_in_brackets"],
            "matching: here": here["matching"],
            "morphological: here": here["morphological"],
        }
    )
