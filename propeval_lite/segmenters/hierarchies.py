"""Hierarchies of partitions: from an ultrametric contour map to scores at every threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import as_floats, check_positive_int, check_truths, fail
from propeval_lite._kernels.trees import sweep
from propeval_lite.partitions.boundaries import contours, fb_counts
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import fop_of_tables
from propeval_lite.partitions.scores import table_scores


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Partitions of one image at rising thresholds, each a merging of the one before.

    Attributes
    ----------
    base : int64 array, shape (height, width)
        Partition at the lowest threshold, regions numbered 0, 1, … in row-by-row order.
    thresholds : float64 array, shape (levels,)
        Rising.
    into : int64 array, shape (levels, regions of base)
        Region that each base region belongs to at each threshold, numbered in row-by-row order.
    """

    base: np.ndarray
    thresholds: np.ndarray
    into: np.ndarray

    def partition(self, level: int) -> np.ndarray:
        """Label array at ``thresholds[level]``."""
        return self.into[level][self.base]

    @property
    def n_regions(self) -> np.ndarray:
        """Number of regions at each threshold."""
        return self.into.max(axis=1) + 1


def ucm_hierarchy(ucm2: object, thresholds: Sequence[float]) -> Hierarchy:
    """Cut an ultrametric contour map at several thresholds.

    Parameters
    ----------
    ucm2 : float array, shape (2 h + 1, 2 w + 1)
        Contour strengths on the doubled grid: pixels at odd rows and columns (0 there), contours between them.
    thresholds : sequence of float
        Rising. At t the regions are the 8-connected components of ``ucm2 <= t``.

    Returns
    -------
    Hierarchy
        All thresholds from one sweep over the map.

    Examples
    --------
    Two pixels with a contour of strength 0.5 between them:

    >>> ucm2 = np.zeros((3, 5))
    >>> ucm2[:, 2] = 0.5
    >>> hierarchy = ucm_hierarchy(ucm2, [0.1, 0.5])
    >>> hierarchy.partition(0).tolist(), hierarchy.partition(1).tolist()
    ([[0, 1]], [[0, 0]])
    """
    strengths = as_floats(ucm2, "an array of numbers", "Pass the doubled map ucm2.", "ucm2")
    levels = as_floats(thresholds, "rising thresholds", "Give numbers.", "thresholds")
    if strengths.ndim != 2 or any(side < 3 or side % 2 == 0 for side in strengths.shape):
        raise fail(
            "shape (2 h + 1, 2 w + 1)",
            f"shape {strengths.shape}",
            "Pass the doubled map ucm2, not the one of the image's size.",
            "ucm2",
        )
    if np.isnan(strengths).any():
        raise fail("a strength at every place", "NaN", "Repair the map.", "ucm2")
    if levels.ndim != 1 or not len(levels) or np.isnan(levels).any() or not (np.diff(levels) > 0).all():
        raise fail("rising thresholds", thresholds, "Sort them and remove repeats.", "thresholds")
    pixels = strengths[1::2, 1::2]
    if not (pixels <= levels[0]).all():
        raise fail(
            f"pixels not above the lowest threshold {levels[0]}",
            f"{pixels.max()} at an odd row and column",
            "Pixels hold 0 in a ucm2; check that the map is not shifted by one.",
            "ucm2",
        )
    opened = np.searchsorted(levels, strengths.ravel(), side="left").reshape(strengths.shape)
    base, into = sweep(opened, len(levels))
    return Hierarchy(base, levels, into)


def hierarchy_scores(
    hierarchy: Hierarchy, truths: Iterable, boundaries: bool = False, tolerance: float = 0.0075
) -> pd.DataFrame:
    """Score every partition of a hierarchy by all region measures and by objects and parts.

    Pixels are counted once, at the lowest threshold; the tables of the others follow by merging columns.

    Parameters
    ----------
    hierarchy : Hierarchy
        Partitions to judge.
    truths : sequence of int arrays
        At least one, of the image's shape.
    boundaries : bool
        Also match the contours (slower), giving the counts of `fb_counts`.
    tolerance : float
        See `fb`.

    Returns
    -------
    DataFrame
        One row per threshold: ``threshold, regions``, the names in `MEASURES`, ``fop, fop_precision,
        fop_recall``, and with `boundaries` the counts ``matched_truth, truth, matched_partition, partition``.

    Examples
    --------
    >>> ucm2 = np.zeros((3, 5))
    >>> ucm2[:, 2] = 0.5
    >>> scores = hierarchy_scores(ucm_hierarchy(ucm2, [0.1, 0.5]), [[[0, 1]]])
    >>> scores[["threshold", "regions", "fop_precision", "fop_recall", "voi"]].to_numpy().tolist()
    [[0.1, 2.0, 1.0, 1.0, 0.0], [0.5, 1.0, 1.0, 0.1, 1.0]]
    """
    truths = list(check_truths(truths))
    tables = contingency_tables(hierarchy.base, truths)
    truth_contours = [contours(truth) for truth in truths] if boundaries else []
    rows = []
    for level, (threshold, regions) in enumerate(zip(hierarchy.thresholds, hierarchy.n_regions, strict=True)):
        if rows and rows[-1]["regions"] == regions:
            rows.append({**rows[-1], "threshold": float(threshold)})
            continue
        merged = [table.merged(hierarchy.into[level]) for table in tables]
        row = {"threshold": float(threshold), "regions": int(regions), **table_scores(merged)}
        row.update(zip(("fop", "fop_precision", "fop_recall"), fop_of_tables(merged), strict=True))
        if boundaries:
            row.update(fb_counts(hierarchy.partition(level), truth_contours, tolerance)._asdict())
        rows.append(row)
    return pd.DataFrame(rows)


def score_hierarchies(
    load: Callable[[str], tuple[np.ndarray, list[np.ndarray]]],
    image_ids: Sequence[str],
    thresholds: Sequence[float],
    boundaries: bool = False,
    workers: int = 1,
    progress: bool = True,
) -> pd.DataFrame:
    """Score the contour maps of many images at many thresholds, with a progress bar.

    Parameters
    ----------
    load : callable
        ``load(image_id) -> (ucm2, truths)``; a function of a module, so that other processes can call it.
    image_ids : sequence of str
        Images, in the order of the result.
    thresholds : sequence of float
        Rising.
    boundaries : bool
        See `hierarchy_scores`.
    workers : int
        Processes to use; the result is the same for any number.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        The rows of `hierarchy_scores` after a column ``image_id``.
    """
    check_positive_int(workers, "workers")
    if not len(image_ids):
        raise fail("at least one image", "none", "Name the images to score.", "image_ids")
    score = partial(_score_image, load, tuple(thresholds), boundaries)
    if workers == 1:
        frames = list(tqdm(map(score, image_ids), total=len(image_ids), unit="image", disable=not progress))
    else:
        with ProcessPoolExecutor(workers) as pool:
            frames = list(
                tqdm(pool.map(score, image_ids), total=len(image_ids), unit="image", disable=not progress)
            )
    return pd.concat(frames, ignore_index=True)


def _score_image(load: Callable, thresholds: tuple, boundaries: bool, image_id: str) -> pd.DataFrame:
    ucm2, truths = load(image_id)
    frame = hierarchy_scores(ucm_hierarchy(ucm2, thresholds), truths, boundaries)
    frame.insert(0, "image_id", image_id)
    return frame
