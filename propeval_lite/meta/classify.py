"""Same-image scores told from different-image scores by one threshold: where their densities cross, or the best."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.values import as_floats, check_flag, check_positive_int, fail
from propeval_lite.meta.choices import check_choices


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
        "density" divides where the two densities cross (the authors' code); "threshold" where the two error rates
        together are least.
    bins : int
        Points of the grid of the densities, see `densities`.
    errors : {"sum", "mean"}
        Take off the sum of the two error rates (the authors' code; 0 for a useless measure) or their mean (the
        fraction of right decisions when both kinds are equally frequent).

    Returns
    -------
    value, threshold : float
        A score exactly at the threshold counts as different-image.

    Notes
    -----
    The crossing is looked for from the bin before that of the median different-image score (or from its own, if
    different-image scores are not the denser ones before) towards better scores: the first bin where different-image
    scores are not the denser ones. Between the centres of this bin and of the one
    before it both densities are taken as straight lines; if there is no such bin everything counts as
    different-image. Scores that are better when lower are negated first; `sihd_of_scores` turns the distances of the
    library into 1 minus the distance instead, as the authors do. With few
    scores a bin may be empty, and the walk ends there: take fewer bins, or the best threshold, which needs none.

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
    check_choices(classifier=classifier, errors=errors)
    check_positive_int(bins, "bins", 3)
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


def densities(same: object, different: object, bins: int = 50) -> pd.DataFrame:
    r"""Densities of same-image and different-image scores, as the authors' code makes them.

    Parameters
    ----------
    same, different : float array
        Scores, higher is better.
    bins : int
        Points of the grid, equally spaced from the whole number below all scores to the one above.

    Returns
    -------
    DataFrame
        Columns ``left`` (edge of the bin), ``centre``, ``same``, ``different``; ``bins - 1`` rows, none where all
        scores are the same whole number.

    Notes
    -----
    The last bin counts only scores equal to its left edge, a centre lies half of :math:`(high - low) / bins` right of
    the left edge, and a density is its counts over their trapezoidal sum: these are facts of the code behind the
    paper's Table 2, not choices that one would make.

    References
    ----------
    Pont-Tuset & Marqués, §5.1 and fig. 5; their program for the conference version.

    Examples
    --------
    >>> table = densities([0.3, 0.4, 0.9], [0.1, 0.3], bins=5)
    >>> table["left"].tolist(), table["same"].tolist(), table["different"].round(3).tolist()
    ([0.0, 0.25, 0.5, 0.75], [0.0, 4.0, 0.0, 0.0], [2.667, 2.667, 0.0, 0.0])
    """
    check_positive_int(bins, "bins", 3)
    samples = {"same": _sample(same, "same"), "different": _sample(different, "different")}
    low = np.floor(min(scores.min() for scores in samples.values()))
    high = np.ceil(max(scores.max() for scores in samples.values()))
    left = np.linspace(low, high, bins)[:-1] if low < high else np.empty(0)
    table = {"left": left, "centre": left + (high - low) / bins / 2}
    for name, scores in samples.items():
        counts = np.zeros(len(left))
        if len(left):
            counts[:-1] = np.histogram(scores[scores < left[-1]], left)[0]
            counts[-1] = (scores == left[-1]).sum()
        # Whole numbers are divided first, so that equal shares stay equal.
        twice = (counts[1:] + counts[:-1]).sum()
        table[name] = counts / max(twice, 1) * (2 * (bins - 1) / max(high - low, 1))
    return pd.DataFrame(table)


def _crossing(good: np.ndarray, bad: np.ndarray, bins: int) -> float:
    """Threshold where the density of the good scores overtakes that of the bad ones, above the bad median."""
    table = densities(good, bad, bins)
    p_good, p_bad, centre = (table[name].to_numpy() for name in ("same", "different", "centre"))
    if table.empty:
        return float(good[0])
    total = np.cumsum(p_bad)
    median = int(np.searchsorted(total.round(9), round(total[-1] / 2, 9)))
    # Where half of the density lies exactly below a bin's end the authors begin at this bin, else at the one before.
    # Their program fails where that one is empty; the median's own bin serves then.
    start = median if np.isclose(total[median], total[-1] / 2) else max(median - 1, 0)
    start = start if p_bad[start] > p_good[start] else median
    after = np.flatnonzero(p_bad[start:] <= p_good[start:])
    if not len(after):
        return float(np.ceil(max(good.max(), bad.max())))
    place = start + int(after[0])
    if place == 0 or p_bad[place - 1] <= p_good[place - 1]:
        return float(table["left"].iloc[place])
    before, gap = p_bad[place - 1] - p_good[place - 1], p_good[place] - p_bad[place]
    return float(centre[place - 1] + before / (before + gap) * (centre[place] - centre[place - 1]))


def _best_threshold(good: np.ndarray, bad: np.ndarray) -> float:
    """Threshold of the least sum of error rates, half way between scores; the lowest of equally good ones."""
    values = np.unique(np.concatenate([good, bad]))
    at = np.concatenate([[values[0] - 1], (values[:-1] + values[1:]) / 2, [values[-1]]])
    missed = np.searchsorted(np.sort(good), at, side="right") / len(good)
    taken = 1 - np.searchsorted(np.sort(bad), at, side="right") / len(bad)
    return float(at[np.argmin((missed + taken).round(12))])
