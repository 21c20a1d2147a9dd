"""Our mask proposals on VOC 2012 beside the numbers that come with the code of MCG (§6.2, figure 9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite.results.provenance import Result
from propeval_lite.results.published import published
from propeval_lite.studies.ponttuset_objects import without_variants


def mcg_files() -> pd.DataFrame:
    """Return the published numbers: ``method, proposals, statistic, level, value`` and where each was found."""
    return published("ponttuset_objects").astype({"proposals": float})


def numbers_that_fit(shares: np.ndarray, candidates: Sequence[int], error: float = 6e-7) -> list[int]:
    """Return the numbers of objects of which all these rounded shares can be whole parts.

    Examples
    --------
    >>> numbers_that_fit(np.array([0.333333, 0.142857]), range(2, 40))
    [21]
    """
    return [n for n in candidates if np.abs(np.round(shares * n) / n - shares).max() < error]


def here_beside(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of our summary that the published files have, too, our methods marked as "(here)"."""
    rows = without_variants(summary)
    rows = rows[(rows["measure"] == "jaccard") & (rows["statistic"] != "median")]
    return rows.assign(method=rows["method"] + " (here)")


def quadtree_differences(theirs: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Put each published number of the quadtree (``QT``) beside ours, under each convention.

    Returns
    -------
    DataFrame
        Rows of our summary, with ``value published``, ``difference`` (ours minus theirs), ``in standard errors``.
    """
    tree = theirs[theirs["method"] == "QT"].rename(columns={"proposals": "budget"})
    ours = summary[(summary["measure"] == "jaccard") & summary["method"].str.startswith("quadtree")]
    both = tree[["statistic", "level", "budget", "value"]].merge(
        ours, on=["statistic", "level", "budget"], suffixes=(" published", "")
    )
    both["difference"] = both["value"] - both["value published"]
    # Nothing spreads where nothing is found.
    both["in standard errors"] = both["difference"] / both["error"].where(both["error"] > 0)
    return both


def quadtree_terms(differences: pd.DataFrame) -> pd.DataFrame:
    """Sum up :func:`quadtree_differences` under each convention, in the order of the rows."""
    groups = differences.groupby("method", sort=False)
    table = {
        "mean difference": groups["difference"].mean(),
        "mean absolute difference": groups["difference"].agg(lambda d: d.abs().mean()),
        "largest, in standard errors": groups["in standard errors"].agg(lambda d: d.abs().max()),
        "values compared": groups.size(),
    }
    return pd.DataFrame(table).reset_index()


def quadtree_means(differences: pd.DataFrame) -> pd.DataFrame:
    """Return published and our mean J of the quadtree at each number of masks, under the page's own conventions."""
    columns = {"budget": "masks", "value published": "published", "value": "here", "difference": "difference",
               "error": "standard error", "in standard errors": "in standard errors"}  # fmt: skip
    rows = differences[(differences["method"] == "quadtree") & (differences["statistic"] == "mean")]
    return rows[list(columns)].rename(columns=columns)


def nearest(table: pd.DataFrame, budget: float, statistic: str, level: float | None = None) -> pd.DataFrame:
    """Return the row of each method at the number of masks nearest to a budget, in ratio."""
    rows = table[table["statistic"] == statistic]
    rows = rows[rows["level"].isna() if level is None else rows["level"] == level]
    away = (np.log(rows["proposals"]) - np.log(budget)).abs()
    return rows.loc[away.groupby(rows["method"]).idxmin()]


def at_budgets(
    tables: Sequence[pd.DataFrame], budgets: Sequence[int], levels: Sequence[float]
) -> pd.DataFrame:
    """Return mean J and recalls of each method near each budget, the best mean at the last budget first.

    Numbers of masks within a factor of 2 count as near; columns ``method`` and, say, ``1,000: recall 0.5``.
    """
    rows = []
    for budget in budgets:
        for level in (None, *levels):
            statistic = "mean" if level is None else "recall"
            title = f"{budget:,}: " + ("mean J" if level is None else f"recall {level:g}")
            for table in tables:
                near = nearest(table, budget, statistic, level)
                near = near[(near["proposals"] / budget).between(0.5, 2)]
                rows.append(near.assign(column=title)[["method", "column", "value"]])
    wide = pd.concat(rows).pivot_table("value", "method", "column").rename_axis(columns=None)
    return wide.sort_values(f"{budgets[-1]:,}: mean J", ascending=False).reset_index()


def at_levels(table: pd.DataFrame, methods: Sequence[str], levels: Sequence[float]) -> pd.DataFrame:
    """Return the recall of some methods, a row each, at each level, a column each.

    The number of masks is that of the first row of the first method, and the nearest that the others have.
    """
    budget = table.loc[table["method"] == methods[0], "proposals"].iloc[0]
    chosen = table[table["method"].isin(methods)]
    found = pd.concat(nearest(chosen, budget, "recall", level) for level in levels)
    return found.pivot_table("value", "method", "level")


def beside_files(voc: Result) -> Result:
    """Provenance of what stands beside the published files: theirs and ours."""
    return voc._replace(origin=f"MCG files, VOC 2012 val; here: {voc.origin}")


def tell_conventions(terms: pd.DataFrame, trees: pd.DataFrame) -> str:
    """Say which conventions come nearest to the published quadtree, from `quadtree_terms` and `quadtree_means`."""
    away = terms.set_index("method")["mean absolute difference"].sort_values()
    left_out, counted = (
        away[[name for name in away.index if ("void" in name or "both" in name) == with_void]]
        for with_void in (False, True)
    )
    void = "nearer" if left_out.max() < counted.min() else "not always nearer"
    lower = (trees["difference"] < 0).sum()
    return (
        f"Nearest is {away.index[0]}, on average {away.iloc[0]:.3f} away. With void left out, whichever side is halved "
        f"first, we are {void} to the published values than with void counted ({left_out.max():.3f} or less against "
        f"{counted.min():.3f} or more). Mean $J$ here is lower than published at {lower} of {len(trees)} "
        "numbers of masks."
    )


def tell_methods(near: pd.DataFrame, terms: pd.DataFrame) -> str:
    """Say how published methods and ours compare at 1,000 masks, and void beside a step from one to the next.

    Parameters
    ----------
    near : DataFrame
        From `at_budgets`, of both tables.
    terms : DataFrame
        From `quadtree_terms`.
    """
    at_1000 = near.set_index("method")["1,000: mean J"].dropna()
    by_us = at_1000.index.str.endswith("(here)")
    learnt = at_1000[~by_us].drop("QT")
    differences = terms.set_index("method")["mean difference"]
    moves = abs(differences["quadtree, void counted"] - differences["quadtree"])
    step = np.median(np.diff(np.sort(learnt)))
    return (
        f"Mean $J$ at 1,000 masks: {learnt.min():.2f} to {learnt.max():.2f} published, {at_1000[by_us].max():.2f} for "
        f"our best. Counting void moves the quadtree by {moves:.3f} on average, "
        f"{'more' if moves > step else 'less'} than the "
        f"median step from one published method to the next, {step:.3f}."
    )


def tell_leaders(close: pd.DataFrame) -> str:
    """Say which of two methods leads in recall at each level, from `at_levels`."""
    parts = [f"{name} at {level:g}" for level, name in close.idxmax().items()]
    exchanged = "exchange their ranks" if len(set(close.idxmax())) > 1 else "keep their ranks"
    one, two = close.index
    return (
        f"{one} and {two}, whose exchange the paper reads from BSDS500, {exchanged} in the published VOC numbers: "
        f"{', '.join(parts)}."
    )


def tell_best(near: pd.DataFrame) -> str:
    """Say which published method has the best mean J at each number of masks, and by how much, from `at_budgets`."""
    parts = []
    for column in map(str, near.filter(like="mean J")):
        values = near.set_index("method")[column].dropna().sort_values(ascending=False)
        parts.append(f"{column.partition(':')[0]} masks: {values.index[0]} {values.iloc[0]:.3f} before "
                     f"{values.index[1]} {values.iloc[1]:.3f}")  # fmt: skip
    return f"Best mean $J$ of the published methods, {'; '.join(parts)}."
