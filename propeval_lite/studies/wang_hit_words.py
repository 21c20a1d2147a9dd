"""Sentences of the page on chance, made from its tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd


def printed_sentence(spans: pd.DataFrame) -> str:
    """Say at which places the printed region is the derived one.

    Parameters
    ----------
    spans : DataFrame
        From :func:`propeval_lite.studies.wang_hit_probability.printed_spans`.
    """
    parts = []
    for place, rows in spans.groupby("place", sort=False):
        derived, printed = (
            rows.loc[rows["formula"] == name, ["low", "high"]].to_numpy()
            for name in ("derived", "as printed")
        )
        same = np.isclose(derived, printed, rtol=0, atol=1e-9).all(axis=1)
        empty = ~(printed[:, 0] <= printed[:, 1])
        text = f"at $x = {place:g}$ in {same.mean():.0%} of its columns"
        parts.append(text + (f" (and it names no row at all in {empty.mean():.0%})" if empty.any() else ""))
    return "The printed region equals the derived one " + ", ".join(parts) + "."


def rounding_sentence(errors: pd.DataFrame, old: str, new: str) -> str:
    """Say how fast one way to compute HPRS loses digits, and what the largest error of the other is.

    Parameters
    ----------
    errors : DataFrame
        From :func:`propeval_lite.studies.wang_hit_probability.rounding_errors`.
    old, new : str
        The two ways.

    Examples
    --------
    >>> table = pd.DataFrame({"way": ["a", "a", "a", "b"], "k": 1, "candidates": [100, 10**4, 10**6, 100],
    ...                       "relative_error": [1e-9, 1e-7, 1e-4, 1e-16]})
    >>> rounding_sentence(table, "a", "b").partition(".")[0]
    'From each number of candidates to the hundredfold a loses 2'
    """
    rows = errors[(errors["way"] == old) & (errors["relative_error"] > 0)].sort_values("candidates")
    steps = [
        np.diff(np.log10(part["relative_error"])) / np.diff(np.log10(part["candidates"])) * 2
        for _, part in rows.groupby("k")
    ]
    lost = np.concatenate(steps)
    worst = errors.groupby("way")["relative_error"].max()
    none_left = rows[rows["relative_error"] >= 1].groupby("k")["candidates"].min()
    gone = "; ".join(f"{n:,} with {k:,} {'draw' if k == 1 else 'draws'}" for k, n in none_left.items())
    return (
        f"From each number of candidates to the hundredfold {old} loses {lost.min():.1f} to {lost.max():.1f} digits, "
        f"{lost.mean():.1f} on average. "
        + (f"No digit is left from this number of candidates on: {gone}. " if gone else "")
        + f"The largest relative error of {new} is {worst[new]:.1e}."
    )


def step_sentence(objects: pd.DataFrame, law) -> str:
    """Say how many objects lie on the law, below it, and between never and surely.

    Parameters
    ----------
    objects : DataFrame
        With the column ``hprs``.
    law : array
        What the law says of each object.
    """
    hprs = objects["hprs"].to_numpy()
    below, above = (hprs < 0.95 * law).mean(), (hprs > 1.05 * law).mean()
    rare, sure = (hprs < 0.1).mean(), (hprs > 0.9).mean()
    return (
        f"{1 - below - above:.0%} of the objects lie within a twentieth of the law, {below:.0%} below it and "
        f"{above:.0%} above. The step: {rare:.0%} of the objects are found with a probability under 0.1 and {sure:.0%} "
        f"with one over 0.9, which leaves {1 - rare - sure:.0%} between."
    )


def recall_sentence(summary: pd.DataFrame) -> str:
    """Say what chance recalls at its best and at its worst.

    Parameters
    ----------
    summary : DataFrame
        From :func:`propeval_lite.studies.wang_hit_probability.summarise`, by data set.
    """
    parts = []
    for name, rows in summary.groupby("dataset", sort=False):
        loose, strict, k = rows["tau"].min(), rows["tau"].max(), rows["k"].max()
        at = rows[rows["k"] == k].set_index("tau")["mean"]
        parts.append(
            f"{at[loose]:.1%} of the objects of {name} at IoU {loose:g} and {at[strict]:.1%} at {strict:g}"
        )
    return f"With {k:,} draws chance finds " + "; ".join(parts) + "."


def sizes_sentence(chosen: pd.DataFrame, classes: Sequence[str]) -> str:
    """Say how mean HPRS changes from the smallest class of objects to the largest.

    Parameters
    ----------
    chosen : DataFrame
        Columns ``dataset, size, mean``, at one threshold and number of draws.
    classes : sequence of str
        Names of the sizes, from the smallest.
    """
    parts = []
    for name, rows in chosen.groupby("dataset", sort=False):
        means = rows.set_index("size")["mean"].reindex(list(classes)).dropna()
        rises = "rises at each step" if (means.diff().dropna() >= 0).all() else "does not rise at each step"
        parts.append(f"*{name}:* from {means.iloc[0]:.2g} ({means.index[0]}) to {means.iloc[-1]:.4g} "
                     f"({means.index[-1]}); it {rises}")  # fmt: skip
    return "Mean HPRS by size. " + ". ".join(parts) + "."


def work_sentence(work: pd.DataFrame) -> str:
    """Say how many boxes Algorithm 1 tries for each that hits.

    Parameters
    ----------
    work : DataFrame
        From :func:`propeval_lite.studies.wang_hit_costs.work_table`.
    """
    parts = [
        f"{row['pairs / hits']:.1f} ({row['dataset']}, IoU {row['tau']:g})" for row in work.to_dict("records")
    ]
    return "For each box that hits Algorithm 1 tries " + ", ".join(parts) + " boxes."


def ratios_sentence(table: pd.DataFrame) -> str:
    """Compare the paper's ratios of times with our ratios of boxes tried.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_hit_costs.table_1`, rows that the paper has too.
    """
    factors = table["paper's ratio"] / table["candidates / pairs"]
    parts = [
        f"{name} at {tau:g}: {factor:.3g} times"
        for name, tau, factor in zip(table["dataset"], table["tau"], factors, strict=True)
    ]
    least = 100 * (1 - 1 / table["exh. / Alg. 1"].min())
    return (
        "The paper's ratio of times, against our ratio of boxes tried, is "
        + "; ".join(parts)
        + f". Algorithm 1 saves at least {least:.1f} % of the time of exhaustion here; the paper says over 95 %."
    )


def growth_sentence(factors: pd.DataFrame) -> str:
    """Say by what factor the time of each way changes from the cheaper end to the dearer one.

    Parameters
    ----------
    factors : DataFrame
        From :func:`propeval_lite.studies.wang_hit_costs.growth_factors`.

    Examples
    --------
    >>> growth_sentence(pd.DataFrame({"width": [1.0, 1200.0]}, index=["exhaustion", "Algorithm 1"]))
    'Along the width time changes by a factor of 1.0 (exhaustion), 1,200.0 (Algorithm 1).'
    """
    names = {"width": "the width", "tau": "the threshold"}
    return " ".join(
        f"Along {names[str(varied)]} time changes by a factor of "
        + ", ".join(f"{factor:,.1f} ({method})" for method, factor in column.items())
        + "."
        for varied, column in factors.items()
    )
