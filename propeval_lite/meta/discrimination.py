"""From scores to meta-measures: how well a measure tells what is good from what is bad (§5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_choice, check_positive_int, fail

CLASSIFIERS = ("density", "threshold")
TIES = ("half", "correct", "wrong")


@dataclass(frozen=True, eq=False)
class Discrimination:
    """A meta-measure with the scores behind it.

    Attributes
    ----------
    value : float
        The meta-measure, at most 1.
    good, bad : DataFrame
        Scores that should be better and those that should be worse. SIHD: column ``score``, with
        ``image_id, other_id`` where known. SABD, SISD: one row per image, one column per method.
    higher_is_better : bool
        Direction of the scores.
    threshold : float
        Where the classifier of SIHD divides the scores; NaN for the others.
    conventions : dict
        Every choice that moves the value.
    """

    value: float
    good: pd.DataFrame
    bad: pd.DataFrame
    higher_is_better: bool
    threshold: float
    conventions: dict

    def __repr__(self) -> str:
        chosen = ", ".join(f"{key}={value!r}" for key, value in self.conventions.items())
        return f"Discrimination({self.value:.4f}; {len(self.good)} and {len(self.bad)} rows; {chosen})"


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
    sign = 1.0 if higher_is_better else -1.0
    good, bad = (sign * _sample(scores, name) for scores, name in ((same, "same"), (different, "different")))
    at = _crossing(good, bad, bins) if classifier == "density" else _best_threshold(good, bad)
    wrong = float((good <= at).mean()) + float((bad > at).mean())
    return 1 - (wrong if errors == "sum" else wrong / 2), sign * at


def _sample(scores: object, name: str) -> np.ndarray:
    array = np.asarray(scores, dtype=np.float64).ravel()
    if not len(array):
        raise fail("at least one score", "none", "Give images with at least two partitions.", name)
    if not np.isfinite(array).all():
        raise fail(
            "finite scores",
            f"{array[~np.isfinite(array)][0]} at position {int(np.argmin(np.isfinite(array)))}",
            "A measure must have a value for every pair; see nan='worst'.",
            name,
        )
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


def sabd_of_scores(
    methods: pd.DataFrame,
    baselines: pd.DataFrame,
    higher_is_better: bool,
    ties: str = "half",
    against: str = "best",
) -> Discrimination:
    """State-of-the-art versus baseline discrimination from tables of scores.

    Parameters
    ----------
    methods, baselines : DataFrame
        One row per image (the same index), one column per method or baseline, each at its optimal data set scale.
    higher_is_better : bool
        Direction of the scores.
    ties : {"half", "correct", "wrong"}
        What equal scores count. The authors' code counts them as correct, which gives a constant measure full
        marks; "half" gives it 0.5.
    against : {"best", "each"}
        Compare a method with the baseline that scores best on the image (the authors' code), or with each.

    Returns
    -------
    Discrimination
        ``value`` is the fraction of right judgements over all images and methods.

    References
    ----------
    Pont-Tuset & Marqués, §5.2.

    Examples
    --------
    >>> methods = pd.DataFrame({"a": [0.9, 0.2], "b": [0.5, 0.5]})
    >>> sabd_of_scores(methods, pd.DataFrame({"quadtree": [0.4, 0.5]}), True).value
    0.625
    """
    check_choice(against, ("best", "each"), "against")
    good = _score_table(methods, "methods")
    bad = _score_table(baselines, "baselines")
    if not good.index.equals(bad.index):
        raise fail("the same images in both tables", "different indexes", "Align them by image.", "baselines")
    if against == "best":
        best = bad.max(axis=1) if higher_is_better else bad.min(axis=1)
        value = _share_right(good.to_numpy(), best.to_numpy()[:, None], higher_is_better, ties)
    else:
        value = _share_right(good.to_numpy()[:, :, None], bad.to_numpy()[:, None, :], higher_is_better, ties)
    return Discrimination(value, good, bad, higher_is_better, np.nan, {"ties": ties, "against": against})


def sisd_of_scores(
    same: pd.DataFrame, swapped: pd.DataFrame, higher_is_better: bool, ties: str = "half"
) -> Discrimination:
    """Swapped-image state-of-the-art discrimination from tables of scores.

    Parameters
    ----------
    same : DataFrame
        Score of each method's partition of an image: one row per image, one column per method.
    swapped : DataFrame
        Score, against the same truths, of the method's partition of another image: the same rows and columns.
    higher_is_better, ties
        See `sabd_of_scores`.

    Returns
    -------
    Discrimination
        ``value`` is the fraction of right judgements over all images and methods.

    References
    ----------
    Pont-Tuset & Marqués, §5.3.

    Examples
    --------
    >>> same = pd.DataFrame({"a": [0.9, 0.2]})
    >>> sisd_of_scores(same, pd.DataFrame({"a": [0.4, 0.5]}), True).value
    0.5
    """
    good, bad = _score_table(same, "same"), _score_table(swapped, "swapped")
    if not good.index.equals(bad.index) or list(good.columns) != list(bad.columns):
        raise fail(
            "the same images and methods in both tables", "different ones", "Align both tables.", "swapped"
        )
    value = _share_right(good.to_numpy(), bad.to_numpy(), higher_is_better, ties)
    return Discrimination(value, good, bad, higher_is_better, np.nan, {"ties": ties})


def defined_scores(
    scores: object, name: str, higher_is_better: bool, nan: str, describe: Callable[[int], str]
) -> np.ndarray:
    """Return scores without NaN: they are refused, or replaced by the worst score of all.

    Parameters
    ----------
    scores : float array
        Scores of the measure `name`.
    name : str
        Named in errors.
    higher_is_better : bool
        Direction of the scores.
    nan : {"error", "worst"}
        What to do with NaN.
    describe : callable
        What the score at a position judges, for the error.

    Examples
    --------
    >>> defined_scores([0.5, np.nan, 0.2], "mine", True, "worst", str).tolist()
    [0.5, 0.2, 0.2]
    """
    check_choice(nan, ("error", "worst"), "nan")
    values = np.asarray(scores, dtype=np.float64)
    missing = np.isnan(values)
    if not missing.any():
        return values
    if nan == "error":
        raise fail(
            "a number for every pair",
            f"NaN for {describe(int(np.argmax(missing)))} ({int(missing.sum())} NaN in all)",
            "Define the measure there, or pass nan='worst'.",
            name,
        )
    if missing.all():
        raise fail("at least one number", "only NaN", "Check the measure.", name)
    worst = np.nanmin(values) if higher_is_better else np.nanmax(values)
    return np.where(missing, worst, values)


def _score_table(table: pd.DataFrame, name: str) -> pd.DataFrame:
    frame = pd.DataFrame(table).astype(np.float64)
    if frame.empty:
        raise fail(
            "at least one image and one method", f"a table of shape {frame.shape}", "Add scores.", name
        )
    missing = frame.isna().to_numpy()
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise fail(
            "a score for every image and method",
            f"NaN for image {frame.index[row]!r}, method {frame.columns[column]!r}",
            "A measure must have a value for every partition; see nan='worst'.",
            name,
        )
    return frame


def _share_right(good: np.ndarray, bad: np.ndarray, higher_is_better: bool, ties: str) -> float:
    check_choice(ties, TIES, "ties")
    good, bad = np.broadcast_arrays(good, bad)
    right = good > bad if higher_is_better else good < bad
    credit = {"half": 0.5, "correct": 1.0, "wrong": 0.0}[ties]
    return float((right + credit * (good == bad)).mean())
