"""How far a criterion would move if other images had been drawn: the bootstrap over images."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from propeval_lite._checks.seeding import check_seed, image_draws
from propeval_lite._checks.values import check_number, check_positive_int, fail
from propeval_lite.boxes.table import Overlaps, check_overlaps


def bootstrap(
    overlaps: Overlaps,
    criterion: Callable,
    *args,
    n: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    **options,
) -> pd.DataFrame:
    """Percentile confidence interval of a criterion, by drawing images with replacement.

    Images are drawn, not objects, because objects of one image are found or missed together. Nothing is
    matched again: a replicate is a table with the rows of the images drawn.

    Parameters
    ----------
    overlaps : Overlaps
    criterion : callable
        A function of an overlap table, such as :func:`~propeval_lite.recall`, :func:`~propeval_lite.auc` or your
        own, called as ``criterion(table, *args, **options)``.
    *args, **options
        Arguments of the criterion, such as ``kind="coco"``.
    n : int
        Number of replicates.
    level : float
        Coverage of the interval, in (0, 1).
    seed : int
        Same seed, same interval.

    Returns
    -------
    DataFrame
        Columns ``low``, ``estimate``, ``high``; one row per budget (per threshold and budget, or a single
        row, where the criterion gives that). `estimate` is the criterion of `overlaps` itself. Replicates
        without a value (no object drawn) are left out of the quantiles; NaN where there is none at all.

    Notes
    -----
    With N images, each replicate draws N of them. The interval runs from the (1 − level)/2 to
    the (1 + level)/2 quantile of the n values.

    Examples
    --------
    Half of 100 images are solved, the others missed. The recall of 100 draws has standard error 0.05.

    >>> from propeval_lite.boxes.recall import recall
    >>> table = Overlaps.from_iou([[1.0]] * 50 + [[0.0]] * 50, budgets=[10], image_row=range(100))
    >>> bootstrap(table, recall, 0.5, n=4000).round(1)
            low  estimate  high
    budget
    10      0.4       0.5   0.6
    """
    check_overlaps(overlaps)
    n = check_positive_int(n, "n")
    seed = check_seed(seed)
    check_number(level, "level in (0, 1)", lambda share: 0 < share < 1, "Use for example 0.95.")
    if not callable(criterion):
        raise fail(
            "criterion to be a function of an overlap table", repr(criterion), "Pass for example recall."
        )
    estimate = criterion(overlaps, *args, **options)
    values = np.empty((n, np.size(estimate)))
    for replicate, draws in zip(values, image_draws(overlaps.n_images, n, seed), strict=True):
        value = np.ravel(criterion(overlaps.resample(draws), *args, **options))
        if value.dtype.kind not in "fiub" or value.shape != replicate.shape:
            got = f"{value.dtype.name} of shape {value.shape}"
            remedy = "Return a number, or one number per budget."
            raise fail(f"the criterion to give {len(replicate)} numbers for every table", got, remedy)
        replicate[:] = value
    if isinstance(estimate, pd.DataFrame):
        index: pd.Index = pd.MultiIndex.from_product([estimate.index, estimate.columns])
    elif isinstance(estimate, pd.Series):
        index = estimate.index
    else:
        index = pd.Index([getattr(criterion, "__name__", "criterion")])
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.transpose([_quantiles(column, tails) for column in values.T])
    table = pd.DataFrame({"low": low, "estimate": np.ravel(estimate), "high": high}, index=index)
    table.attrs = overlaps.conventions | {"n": n, "level": level, "seed": seed}
    return table


def _quantiles(values: np.ndarray, tails: list[float]) -> np.ndarray:
    known = values[~np.isnan(values)]
    return np.quantile(known, tails) if known.size else np.full(len(tails), np.nan)
