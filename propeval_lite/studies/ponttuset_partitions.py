"""Studies of segmenters: precision-recall curves of boundaries and of objects and parts, and where the two disagree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from propeval_lite._checks.values import check_positive_int
from propeval_lite._kernels.boundaries import neighbours_within
from propeval_lite.meta.scales import SUMMARY, ods, ois
from propeval_lite.partitions.boundaries import BoundaryCounts, contours, offsets_within


def precision_recall(scores: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Precision and recall of boundaries and of objects and parts over the images of each group.

    Parameters
    ----------
    scores : DataFrame
        One row per image with the columns of fb and fop that `score_all` gives.
    by : sequence of str
        Columns that name a group, such as method, parameter and swapped.

    Returns
    -------
    DataFrame
        Columns `by`, ``measure, precision, recall, f, images``. For fb the counts are added first; for fop
        precision and recall are means over the rows and F is theirs.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["a", "a"], "matched_truth": [1, 3], "truth": [4, 4],
    ...     "matched_partition": [2, 2], "partition": [2, 6], "fop_precision": [1, 0], "fop_recall": [1, 0.5]})
    >>> precision_recall(table, ["method"])[["measure", "precision", "recall", "f"]].to_numpy().tolist()
    [['fb', 0.5, 0.5, 0.5], ['fop', 0.5, 0.75, 0.6]]
    """
    rows = []
    for key, group in scores.groupby(list(by), sort=False):
        counts = BoundaryCounts(*(int(group[name].sum()) for name in BoundaryCounts._fields))
        f, precision, recall = counts.scores()
        rows.append((*key, "fb", precision, recall, f, len(group)))
        precision, recall = (math.fsum(group[name]) / len(group) for name in ("fop_precision", "fop_recall"))
        f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        rows.append((*key, "fop", precision, recall, f, len(group)))
    return pd.DataFrame(rows, columns=[*by, "measure", "precision", "recall", "f", "images"])


def human_points(humans: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Precision and recall of human partitions, averaged within each image first, then over the images.

    Parameters
    ----------
    humans : DataFrame
        From `human_scores` with fb and fop.
    by : sequence of str
        Columns that name a group, such as ``same``.

    Returns
    -------
    DataFrame
        As `precision_recall`; F is that of the two averages. This is how the authors' human point of fop is made:
        an image with many annotators weighs no more than one with few. Partitions without a contour do not count
        for the precision of fb.

    Examples
    --------
    >>> table = pd.DataFrame({"image_id": [1, 1, 2], "same": True, "matched_truth": 1, "truth": [1, 1, 4],
    ...     "matched_partition": 1, "partition": [1, 1, 2], "fop_precision": [1, 1, 0], "fop_recall": 0.5})
    >>> human_points(table, ["same"])[["measure", "precision", "recall"]].to_numpy().tolist()
    [['fb', 0.75, 0.625], ['fop', 0.5, 0.5]]
    """
    sides = {"precision": ("matched_partition", "partition"), "recall": ("matched_truth", "truth")}
    table = humans.assign(
        **{
            f"fb_{name}": humans[matched] / humans[all_].where(humans[all_] > 0)
            for name, (matched, all_) in sides.items()
        }
    )
    names = [f"{measure}_{side}" for measure in SUMMARY for side in sides]
    means = table.groupby([*by, "image_id"], sort=False)[names].mean().groupby(list(by), sort=False).mean()
    images = table.groupby(list(by), sort=False)["image_id"].nunique()
    rows = []
    for (key, row), n in zip(means.iterrows(), images, strict=True):
        for measure in SUMMARY:
            precision, recall = (float(row[f"{measure}_{side}"]) for side in sides)
            f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            rows.append((*(key if isinstance(key, tuple) else (key,)), measure, precision, recall, f, n))
    return pd.DataFrame(rows, columns=[*by, "measure", "precision", "recall", "f", "images"])


def best_scales(scores: pd.DataFrame) -> pd.DataFrame:
    """Optimal scales of each method: chosen on the training images, reported on the test images.

    Parameters
    ----------
    scores : DataFrame
        From `propeval_lite.meta.scales.sweep_methods`.

    Returns
    -------
    DataFrame
        One row per method and measure: ``parameter`` and ``train`` (F there), ``test`` (F at this parameter),
        ``best`` (F at the parameter that the test images would have chosen), ``ois`` (F with the best
        parameter of each test image) and ``regions`` (mean number at the chosen parameter, test images).
    """
    rows = []
    own = scores[~scores["swapped"]]
    for method, table in own.groupby("method", sort=False):
        train, test = (table[table["split"] == split] for split in ("train", "test"))
        for measure in SUMMARY:
            chosen = ods(train, test, measure=measure)
            flattered = ods(test, measure=measure)
            oracle = ois(test, measure=measure)
            at = test[test["parameter"] == chosen.parameter]
            values = (chosen.chosen_at, chosen.value, flattered.value, oracle.value, at["regions"].mean())
            rows.append((method, measure, chosen.parameter, *values))
    return pd.DataFrame(
        rows, columns=["method", "measure", "parameter", "train", "test", "best", "ois", "regions"]
    )


def disagreements(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank every partition by fb and by fop and sort by how far the two ranks are apart.

    Parameters
    ----------
    scores : DataFrame
        One row per partition with columns ``fb`` and ``fop``.

    Returns
    -------
    DataFrame
        With ``fb_rank`` and ``fop_rank`` (share of partitions that score lower, ties counted half) and ``gap``,
        their difference; partitions that only fb likes come first, those that only fop likes last.

    Examples
    --------
    >>> table = disagreements(pd.DataFrame({"fb": [0.9, 0.1], "fop": [0.0, 0.5]}))
    >>> table["gap"].tolist()
    [0.5, -0.5]
    """
    ranks = {
        f"{name}_rank": (scores[name].rank() - 0.5) / scores[name].notna().sum() for name in ("fb", "fop")
    }
    table = scores.assign(**ranks)
    table["gap"] = table["fb_rank"] - table["fop_rank"]
    return table.sort_values("gap", ascending=False, kind="stable", ignore_index=True)


def matching_spread(
    partition: object, truths: Iterable, trials: int, tolerance: float = 0.0075, seed: int = 0
) -> pd.DataFrame:
    """Boundary counts when the maximum matching is picked blindly, several times.

    Parameters
    ----------
    partition, truths, tolerance
        See `fb`; label arrays.
    trials : int
        How often every contour is matched, its pixels in another random order.
    seed : int
        Of the orders.

    Returns
    -------
    DataFrame
        Columns ``trial, matched_truth, matched_partition``. All matchings have the most pairs that are possible, so
        that the first count is always the same. The second counts the pixels matched in at least one truth: it depends
        on which of the equally large matchings is taken.
    """
    check_positive_int(trials, "trials")
    found = contours(partition)
    offsets = offsets_within(found.shape, tolerance)
    graphs = [_pairs(found, contours(truth), offsets) for truth in truths]
    rng = np.random.default_rng(seed)
    rows = []
    for trial in range(trials):
        taken = np.zeros(int(found.sum()), dtype=bool)
        pairs = 0
        for graph in graphs:
            order, other = (rng.permutation(n) for n in graph.shape)
            partner = maximum_bipartite_matching(graph[order][:, other].tocsr(), perm_type="column")
            taken[order[partner >= 0]] = True
            pairs += int((partner >= 0).sum())
        rows.append((trial, pairs, int(taken.sum())))
    return pd.DataFrame(rows, columns=["trial", "matched_truth", "matched_partition"])


def _pairs(contour: np.ndarray, truth: np.ndarray, offsets: np.ndarray):
    """Pixels of a contour (rows) that may be matched to pixels of the truth's (columns)."""
    start, edges, _, n_truth = neighbours_within(contour, truth, offsets)
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    ones = np.ones(len(edges), dtype=np.int8)
    return coo_array((ones, (row, edges)), shape=(len(start) - 1, n_truth)).tocsr()
