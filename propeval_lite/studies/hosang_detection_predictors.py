"""Which number of a proposal method tells how well a detector will do with it, and how sure 16 methods make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pandas as pd

from propeval_lite._checks.seeding import image_draws
from propeval_lite._checks.values import fail
from propeval_lite.results.published import published
from propeval_lite.studies.hosang_detection import DETECTORS, PANELS, compared, mean_precisions, precisions

AR = "AR"
MOST_EXACT = 16  # pairs whose 2^n swaps are all tried
LEVEL = 0.95


def partial(low: float, high: float) -> str:
    """Name of the mean recall between two thresholds.

    Examples
    --------
    >>> partial(0.5, 0.7)
    'AR .5–.7'
    """
    return f"AR {low:g}–{high:g}".replace("0.", ".")


def at(tau: float) -> str:
    """Name of the recall at a threshold.

    Examples
    --------
    >>> at(0.5), at(0.525), at(1)
    ('recall at .50', 'recall at .525', 'recall at 1')
    """
    text = f"{tau:.2f}" if round(tau * 100) == tau * 100 else f"{tau:g}"
    return f"recall at {'1' if tau == 1 else text.lstrip('0')}"


def recalls() -> pd.DataFrame:
    """Return published recall with 1 000 proposals: a row per method compared, a column per threshold."""
    table = published("hosang_detection_recall")
    table = table[(table["criterion"] == "recall") & table["compared"]]
    return table.pivot_table(index="method", columns="tau", values="value").loc[compared()]


def average_recalls() -> pd.DataFrame:
    """Return published AR with 1 000 proposals: a row per method compared, columns ``all`` and one per category."""
    table = published("hosang_detection_recall")
    table = table[(table["criterion"] == "AR") & table["compared"]]
    columns = pd.unique(table["category"])
    return table.pivot_table(index="method", columns="category", values="value").loc[compared(), columns]


def mean_recall(recall: pd.DataFrame, low: float, high: float) -> pd.Series:
    """Mean of the recalls at the thresholds from `low` to `high`, both included: the paper's partial AR.

    Examples
    --------
    >>> table = pd.DataFrame({0.5: [0.9], 0.6: [0.6], 0.7: [0.3]}, index=["mine"])
    >>> float(mean_recall(table, 0.5, 0.6)["mine"])
    0.75
    """
    taus = recall.columns.to_numpy(dtype=np.float64)
    wanted = (taus >= low - 1e-9) & (taus <= high + 1e-9)
    if not wanted.any():
        raise fail("a threshold in the range", f"{low} to {high}", "Ask for a wider range.", "mean_recall")
    return recall.loc[:, wanted].mean(axis=1)


def predictors(ranges: Sequence[tuple[float, float]] = ((0.5, 0.7), (0.6, 0.8))) -> pd.DataFrame:
    """Return what may predict mAP: a row per method; AR, AR over part of the range, recall at each threshold."""
    recall = recalls()
    table = pd.DataFrame({AR: average_recalls()["all"]})
    for low, high in ranges:
        table[partial(low, high)] = mean_recall(recall, low, high)
    return table.join(recall.rename(columns=at))


def correlation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r of the last axis; NaN where one side is constant.

    Examples
    --------
    >>> float(correlation(np.array([1.0, 2, 3]), np.array([2.0, 4, 6])))
    1.0
    """
    x, y = (v - v.mean(axis=-1, keepdims=True) for v in np.broadcast_arrays(x, y))
    below = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    above = (x * y).sum(axis=-1)
    return np.where(below > 1e-12, above / np.where(below > 1e-12, below, 1), np.nan)


def middle(values: np.ndarray) -> tuple[float, float]:
    """Return the ends of the middle 95 % of the values that are numbers; NaN where there is none.

    Examples
    --------
    >>> [round(end, 9) for end in middle(np.arange(201.0))]
    [5.0, 195.0]
    """
    if np.isnan(values).all():
        return np.nan, np.nan
    low, high = np.nanquantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def intervals(x, y, draws: np.ndarray) -> tuple[float, float, float]:
    """Return r and its 95 % interval over methods drawn anew, from `draws` (n_draws, n_methods) of row numbers."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    found = correlation(x[draws], y[draws])
    low, high = middle(found)
    return float(correlation(x, y)), low, high


def correlations(table: pd.DataFrame, targets: pd.DataFrame, n: int, seed: int) -> pd.DataFrame:
    """Correlate each column of predictors with each column of mAP over the methods.

    Parameters
    ----------
    table, targets : DataFrame
        Rows of both are the same methods.
    n : int
        Methods are drawn anew so many times.
    seed : int

    Returns
    -------
    DataFrame
        Columns ``detector, predictor, r, low, high, least, without`` (r without the method whose absence changes it
        most, and its name) and ``rank`` (Spearman's correlation).
    """
    from scipy.stats import spearmanr

    draws = drawn(len(table), n, seed)
    rows = []
    for detector, predictor in product(targets.columns, table.columns):
        x, y = table[predictor].to_numpy(), targets[detector].to_numpy()
        r, low, high = intervals(x, y, draws)
        others = ~np.eye(len(x), dtype=bool)
        left_out = np.array([correlation(x[keep], y[keep]) for keep in others], dtype=float)
        most = int(np.nanargmax(np.abs(left_out - r))) if np.isfinite(left_out).any() else 0
        constant = np.ptp(x) == 0 or np.ptp(y) == 0
        rank = np.nan if constant else float(spearmanr(x, y).statistic)
        rows.append((detector, predictor, r, low, high, left_out[most], table.index[most], rank))
    columns = ["detector", "predictor", "r", "low", "high", "least", "without", "rank"]
    return pd.DataFrame(rows, columns=columns)


def drawn(n_methods: int, n: int, seed: int) -> np.ndarray:
    """Row numbers of `n_methods` methods drawn with replacement, (n, n_methods)."""
    return np.array(list(image_draws(n_methods, n, seed)))


def against_chance(x, y, n: int, seed: int) -> float:
    """How often methods shuffled against one another correlate at least as strongly, in size: a permutation test.

    Examples
    --------
    >>> against_chance(np.arange(8.0), np.arange(8.0), 999, seed=0) < 0.01
    True
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    rng = np.random.default_rng(seed)
    shuffled = rng.permuted(np.tile(y, (n, 1)), axis=1)
    found = np.abs(correlation(x, shuffled)) >= abs(correlation(x, y)) - 1e-12
    return float((found.sum() + 1) / (n + 1))


def swap_test(first, second, target, n: int = 9999, seed: int = 0) -> float:
    """Whether one of two predictors is better: how often a difference as large comes up when they are the same thing.

    Parameters
    ----------
    first, second, target : array, (n_methods,)
    n, seed : int
        Swaps drawn where all 2^n_methods are too many.

    Returns
    -------
    float
        Share of all ways to swap the two standardised predictors method by method in which the two correlations differ
        at least as much, in size. With up to 16 methods all ways are counted, and the number is exact.

    Examples
    --------
    Two predictors that are the same can never be told apart:

    >>> x = np.array([1.0, 2, 4, 3])
    >>> swap_test(x, 2 * x + 1, np.array([1.0, 2, 3, 4]))
    1.0
    """
    a, b, y = (np.asarray(v, dtype=np.float64) for v in (first, second, target))
    a, b = ((v - v.mean()) / v.std() for v in (a, b))
    if len(a) <= MOST_EXACT:
        swaps = (np.arange(2 ** len(a))[:, np.newaxis] >> np.arange(len(a))) & 1 == 1
    else:
        swaps = np.random.default_rng(seed).random((n, len(a))) < 0.5
    seen = abs(correlation(a, y) - correlation(b, y))
    other = (
        np.abs(correlation(np.where(swaps, b, a), y) - correlation(np.where(swaps, a, b), y)) >= seen - 1e-12
    )
    return float(other.mean()) if len(a) <= MOST_EXACT else float((other.sum() + 1) / (n + 1))


def comparisons(
    table: pd.DataFrame, targets: pd.DataFrame, pairs: Sequence[tuple[str, str]], n: int, seed: int
) -> pd.DataFrame:
    """Say of pairs of predictors which one correlates more, and whether the methods suffice to tell.

    Parameters
    ----------
    table, targets, n, seed
        As in :func:`correlations`.
    pairs : sequence of (str, str)
        Columns of `table`.

    Returns
    -------
    DataFrame
        Columns ``detector, first, second, r first, r second, difference, low, high`` (interval over methods drawn
        anew), ``p`` (:func:`swap_test`), ``p of all`` (Holm's for all rows together) and ``survives``: the interval
        leaves 0 out and ``p of all`` is below .05.
    """
    draws = drawn(len(table), n, seed)
    rows = []
    for detector in targets.columns:
        y = targets[detector].to_numpy()
        for first, second in pairs:
            a, b = table[first].to_numpy(), table[second].to_numpy()
            spread = correlation(a[draws], y[draws]) - correlation(b[draws], y[draws])
            low, high = middle(spread)
            one, other = float(correlation(a, y)), float(correlation(b, y))
            p = swap_test(a, b, y, seed=seed)
            rows.append((detector, first, second, one, other, one - other, low, high, p))
    columns = ["detector", "first", "second", "r first", "r second", "difference", "low", "high", "p"]
    found = pd.DataFrame(rows, columns=columns)
    found["p of all"] = holm(found["p"].to_numpy())
    apart = (found["low"] > 0) | (found["high"] < 0)
    return found.assign(survives=apart & (found["p of all"] < 1 - LEVEL))


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's p-values for a family of tests.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(np.asarray(p)[order] * np.arange(len(p), 0, -1))
    found = np.empty(len(p))
    found[order] = np.minimum(raised, 1)
    return found


def detectors_apart(
    table: pd.DataFrame, targets: pd.DataFrame, predictor: str, n: int, seed: int
) -> pd.DataFrame:
    """Compare the correlation of one predictor with two detectors: columns ``first, second, difference, low, high``."""
    draws, x = drawn(len(table), n, seed), table[predictor].to_numpy()
    rows = []
    names = list(targets.columns)
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            y, z = targets[first].to_numpy(), targets[second].to_numpy()
            spread = correlation(x[draws], y[draws]) - correlation(x[draws], z[draws])
            low, high = middle(spread)
            rows.append((first, second, float(correlation(x, y) - correlation(x, z)), low, high))
    return pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high"])


def by_category(n: int, seed: int, source: Callable = precisions) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Correlate AR and AP of each category over the 16 methods, for the four detectors of figure 14.

    Returns
    -------
    each : DataFrame
        Columns ``detector, category, r, low, high``.
    mean : DataFrame
        Columns ``detector, r, low, high``: the mean over categories; one draw of methods serves all categories.
    """
    recall = average_recalls().drop(columns="all")
    draws = drawn(len(recall), n, seed)
    each, means = [], []
    for name in PANELS:
        ap = source(*DETECTORS[name]).loc[recall.index, recall.columns]
        all_draws = []
        for category in recall.columns:
            x, y = recall[category].to_numpy(), ap[category].to_numpy()
            each.append((name, category, *intervals(x, y, draws)))
            all_draws.append(correlation(x[draws], y[draws]))
        mine = [row[2] for row in each if row[0] == name]
        low, high = middle(np.mean(all_draws, axis=0))
        means.append((name, float(np.mean(mine)), low, high))
    return (
        pd.DataFrame(each, columns=["detector", "category", "r", "low", "high"]),
        pd.DataFrame(means, columns=["detector", "r", "low", "high"]),
    )


def targets() -> pd.DataFrame:
    """Return the mAPs of the four detectors of figures 13 and 14."""
    return mean_precisions()[list(PANELS)]
