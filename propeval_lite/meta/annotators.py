"""Swapped-image human discrimination (§5.1): a measure tells humans who saw one image from humans who saw two."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import (
    as_floats,
    check_choice,
    check_flag,
    check_positive_int,
    fail,
)
from propeval_lite.datasets.base import check_dataset
from propeval_lite.meta.discrimination import Discrimination, check_score_columns, defined_scores
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import Measure, find_measure, find_measures
from propeval_lite.partitions.scores import score_all

CLASSIFIERS = ("density", "threshold")


def sihd(
    measure: str | Callable | Measure,
    dataset,
    *,
    higher_is_better: bool | None = None,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    nan: str = "error",
    progress: bool = False,
) -> Discrimination:
    r"""Swapped-image human discrimination: the measure tells whether two humans saw the same image.

    Parameters
    ----------
    measure : str, Measure or callable
        A name such as "fop", or your own ``f(partition, truths) -> float``.
    dataset : Dataset
        At least two images, with several partitions per image.
    higher_is_better : bool, optional
        Direction of a measure of your own.
    classifier, bins, errors
        How scores are told apart, see `classify_scores`.
    swaps, seed
        Other images that each image meets, and how they are drawn, see `swap_partners`.
    shapes : {"auto", "rotate", "resize"}
        How partitions of the other image are laid over the image, see `fit_labels`.
    nan : {"error", "worst"}
        Refuse undefined scores, or replace them by the worst score of all.
    progress : bool
        Show a progress bar.

    Returns
    -------
    Discrimination
        ``good`` are the same-image scores, ``bad`` the different-image scores.

    Notes
    -----
    Every human partition is judged once by the other partitions of its image and `swaps` times by all partitions of
    another image. With the rates of error :math:`e_s` among the same-image and :math:`e_d` among the
    different-image scores, SIHD is :math:`1 - e_s - e_d`.

    References
    ----------
    Pont-Tuset & Marqués, §5.1 and fig. 5.
    """
    judge = find_measure(measure, higher_is_better)
    scores = human_scores([judge], dataset, swaps=swaps, seed=seed, shapes=shapes, progress=progress)
    found = sihd_of_scores(scores, judge, classifier=classifier, bins=bins, errors=errors, nan=nan)
    return replace(found, conventions={**found.conventions, "swaps": swaps, "seed": seed, "shapes": shapes})


def human_scores(
    measures: Iterable,
    dataset,
    *,
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    truths: str = "together",
    progress: bool = False,
) -> pd.DataFrame:
    """Score human partitions against the others of their image, and against those of another image.

    Parameters
    ----------
    measures : iterable of str, Measure or callable
        See `find_measure`.
    dataset : Dataset
        With several partitions per image.
    swaps, seed, shapes
        See `swap_partners` and `fit_labels`.
    truths : {"together", "one by one"}
        Judge a partition by all partitions of the other side at once, or by each of them alone.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per judgement: ``image_id, annotator, other_id`` (equal to ``image_id`` for the same image),
        ``same`` (bool), then one column per measure and the extra columns of `score_all`.
    """
    check_choice(truths, ("together", "one by one"), "truths")
    check_flag(progress, "progress")
    check_dataset(dataset)
    judges = find_measures(measures)
    ids = dataset.images["image_id"].tolist()
    partners = swap_partners(len(ids), swaps, seed)
    rows = []
    for i, image_id in enumerate(tqdm(ids, desc="humans", unit="image", disable=not progress)):
        own = dataset.partitions(image_id)
        others = [(ids[j], dataset.partitions(ids[j])) for j in partners[i]]
        for k, partition in enumerate(own):
            judged = [(image_id, own[:k] + own[k + 1 :])] if len(own) > 1 else []
            for other_id, drawn in judged + others:
                fitted = [
                    fit_labels(truth, partition.shape, shapes, f"image {other_id!r}") for truth in drawn
                ]
                head = {
                    "image_id": image_id,
                    "annotator": k,
                    "other_id": other_id,
                    "same": other_id == image_id,
                }
                for jury in [fitted] if truths == "together" else [[one] for one in fitted]:
                    rows.append({**head, **score_all(judges, partition, jury, f"image {image_id!r}")})
    table = pd.DataFrame(rows)
    if table.empty or not table["same"].any():
        remedy = "Use a data set with several annotators."
        raise fail("an image with at least two partitions", "none", remedy, dataset.name)
    return table


def sihd_of_scores(
    scores: pd.DataFrame,
    measure: str | Measure,
    *,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
    nan: str = "error",
) -> Discrimination:
    """Swapped-image human discrimination from scores that are already computed.

    Parameters
    ----------
    scores : DataFrame
        From `human_scores`.
    measure : str or Measure
        One of its columns.
    classifier, bins, errors
        See `classify_scores`.
    nan : {"error", "worst"}
        See `defined_scores`.

    Returns
    -------
    Discrimination
    """
    judge = find_measure(measure)
    check_score_columns(scores, ["image_id", "annotator", "other_id", "same", judge.name], "scores")
    names = list(zip(scores["image_id"].tolist(), scores["other_id"].tolist(), strict=True))
    values = defined_scores(
        scores[judge.name],
        judge.name,
        judge.higher_is_better,
        nan,
        lambda row: "images {!r}, {!r}".format(*names[row]),
    )
    table = scores[["image_id", "annotator", "other_id"]].assign(score=values)
    same = scores["same"].astype(bool)
    good, bad = (table[side].reset_index(drop=True) for side in (same, ~same))
    value, threshold = classify_scores(
        good["score"], bad["score"], judge.higher_is_better, classifier, bins, errors
    )
    chosen = {"classifier": classifier, "bins": bins, "errors": errors, "nan": nan}
    return Discrimination(value, good, bad, judge.higher_is_better, threshold, chosen)


def classify_scores(
    same: object,
    different: object,
    higher_is_better: bool,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
) -> tuple[float, float]:
    r"""Tell same-image from different-image scores by one threshold.

    Parameters
    ----------
    same, different : float array
        Scores of pairs from one image, and from two.
    higher_is_better : bool
        Direction of the scores.
    classifier : {"density", "threshold"}
        "density" divides where the two histograms cross (the paper); "threshold" where the two error rates
        together are least.
    bins : int
        Bins of the histograms, equal ones between the whole numbers around all scores.
    errors : {"sum", "mean"}
        Take off the sum of the two error rates (0 for a useless measure; this gives the numbers of Table 2) or
        their mean (the fraction of right decisions when both kinds are equally frequent).

    Returns
    -------
    value, threshold : float
        A score exactly at the threshold counts as different-image.

    Notes
    -----
    The crossing is looked for from the bin of the median different-image score towards better scores: the first
    bin where the same-image scores are denser. Between the centres of this bin and of the one before it both
    densities are taken as straight lines; if there is no such bin everything counts as different-image. Few bins
    hold scores that lie close together; the best threshold does not depend on bins.

    References
    ----------
    Pont-Tuset & Marqués, §5.1.

    Examples
    --------
    >>> value, threshold = classify_scores([0.9, 0.8, 0.2], [0.1, 0.3, 0.3], True, "threshold")
    >>> round(value, 3), round(threshold, 3)
    (0.667, 0.55)
    >>> classify_scores([0.9, 0.8, 0.2], [0.1, 0.3, 0.3], True, "threshold", errors="mean")[0] > value
    True
    """
    check_choice(classifier, CLASSIFIERS, "classifier")
    check_choice(errors, ("sum", "mean"), "errors")
    check_positive_int(bins, "bins", 2)
    sign = 1.0 if check_flag(higher_is_better, "higher_is_better") else -1.0
    good, bad = (sign * _sample(scores, name) for scores, name in ((same, "same"), (different, "different")))
    at = _crossing(good, bad, bins) if classifier == "density" else _best_threshold(good, bad)
    wrong = float((good <= at).mean()) + float((bad > at).mean())
    return 1 - (wrong if errors == "sum" else wrong / 2), sign * at


def _sample(scores: object, name: str) -> np.ndarray:
    array = as_floats(scores, "a list of scores", "Give one number for each pair.", name).ravel()
    if not len(array):
        raise fail("at least one score", "none", "Give images with at least two partitions.", name)
    if not np.isfinite(array).all():
        got = f"{array[~np.isfinite(array)][0]} at position {int(np.argmin(np.isfinite(array)))}"
        remedy = "A measure must have a value for every pair; see nan='worst'."
        raise fail("finite scores", got, remedy, name)
    return array


def _crossing(good: np.ndarray, bad: np.ndarray, bins: int) -> float:
    """Threshold where the density of the good scores overtakes that of the bad ones, above the bad median."""
    low, high = np.floor(min(good.min(), bad.min())), np.ceil(max(good.max(), bad.max()))
    if low == high:
        return float(low)
    edges = np.linspace(low, high, bins + 1)
    centres = (edges[:-1] + edges[1:]) / 2
    p_good, p_bad = (np.histogram(scores, edges)[0] / len(scores) for scores in (good, bad))
    start = int(np.searchsorted(np.cumsum(p_bad).round(12), 0.5))
    after = np.flatnonzero(p_good[start:] > p_bad[start:])
    if not len(after):
        return float(high)
    place = start + int(after[0])
    if place == start:
        return float(edges[place])
    gap_before, gap = p_bad[place - 1] - p_good[place - 1], p_good[place] - p_bad[place]
    return float(centres[place - 1] + gap_before / (gap_before + gap) * (centres[place] - centres[place - 1]))


def _best_threshold(good: np.ndarray, bad: np.ndarray) -> float:
    """Threshold of the least sum of error rates, half way between scores; the lowest of equally good ones."""
    values = np.unique(np.concatenate([good, bad]))
    at = np.concatenate([[values[0] - 1], (values[:-1] + values[1:]) / 2, [values[-1]]])
    missed = np.searchsorted(np.sort(good), at, side="right") / len(good)
    taken = 1 - np.searchsorted(np.sort(bad), at, side="right") / len(bad)
    return float(at[np.argmin((missed + taken).round(12))])
