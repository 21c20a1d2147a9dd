"""Sentences and verdicts of the page on masks, each made from the table it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from propeval_lite.results.provenance import Result
from propeval_lite.studies.ponttuset_objects import without_variants

MEASURES = {"jaccard": "pixels", "boundary": "boundaries"}
#: Differences of J and boundary F below this say that both judge alike.
ALIKE = 0.05


def rising(summary: pd.DataFrame) -> str:
    """Say whether all curves of a summary rise with the number of masks, and which do not.

    Examples
    --------
    >>> keys = {"method": "m", "measure": "jaccard", "statistic": "mean", "level": float("nan")}
    >>> rising(pd.DataFrame([{**keys, "budget": k, "value": v} for k, v in ((1, 0.2), (5, 0.1))]))
    '0 of 1 curves never fall; m, jaccard, mean does.'
    """
    keys = ["method", "measure", "statistic", "level"]
    falling = []
    groups = without_variants(summary).groupby(keys, sort=False, dropna=False)
    for (method, measure, statistic, level), rows in groups:
        if (rows.sort_values("budget")["value"].diff() < -1e-12).any():
            at = f" at {level}" if statistic == "recall" else ""
            falling.append(f"{method}, {measure}, {statistic}{at}")
    if not falling:
        return f"None of the {groups.ngroups} curves falls anywhere."
    verb = "does" if len(falling) == 1 else "do"
    return (
        f"{groups.ngroups - len(falling)} of {groups.ngroups} curves never fall; {'; '.join(falling)} {verb}."
    )


def medians(top: pd.DataFrame) -> str:
    """Say for how many methods the median is above the mean, from `at_largest`."""
    parts = []
    for (name, measure), rows in top.groupby(["dataset", "measure"], sort=False):
        above = (rows["median"] >= rows["mean"]).sum()
        parts.append(f"{name}, {MEASURES[str(measure)]}: {above} of {len(rows)} methods")
    return f"The median is above the mean for: {'; '.join(parts)}."


def quadtree_halves(halves: pd.DataFrame) -> str:
    """Say by which measure the quadtree does better on small objects than on large ones, from `by_size`."""
    parts = []
    for name, rows in halves.groupby("dataset", sort=False):
        tree = rows[rows["method"] == "quadtree"]
        if tree.empty:
            continue
        by = {m: (tree[f"{m}: smaller"] / tree[f"{m}: larger"]).iloc[0] for m in ("J", "Fb")}
        work = "the tolerance at work" if by["Fb"] > max(1.0, by["J"]) else "no sign of the tolerance"
        parts.append(f"{name}, {by['J']:.2f} by pixels and {by['Fb']:.2f} by boundaries ({work})")
    told = "; ".join(parts) or "not run"
    return f"Score of the quadtree on the smaller half of the objects, divided by that on the larger half: {told}."


def turned(counts: pd.DataFrame) -> str:
    """Say how often averages rank pairs of methods differently, from `disagreements`."""
    total = counts[["pairs", "J against F", "J against boundary F"]].sum()
    by_f, by_boundary = total["J against F"], total["J against boundary F"]
    more = "more" if by_boundary > by_f else "not more"
    return (
        f"Of {total['pairs']} comparisons, averaging $F$ turns {by_f} round and boundary $F$ {by_boundary}: pixels and "
        f"boundaries disagree {more} often than two averages of the same counts."
    )


def situations(table: pd.DataFrame) -> str:
    """Say what pixels and boundaries give each situation, and whether neighbour or ragged mask is preferred."""
    rows = table.set_index("situation")
    parts = [f"{name}: {_category(row['J'], row['matching'])}" for name, row in rows.iterrows()]
    neighbour, ragged = (rows.loc[name] for name in ("(c) neighbour", "(d) ragged"))
    by_pixels = "the ragged mask" if ragged["J"] > neighbour["J"] else "the neighbour"
    by_contour = "the ragged mask" if ragged["matching"] > neighbour["matching"] else "the neighbour"
    widest = rows["difference"].idxmax()
    return (
        f"{'; '.join(parts)}. Pixels prefer {by_pixels}, boundaries {by_contour}. Dilation exceeds matching most for "
        f"{widest}, by {rows['difference'].max():.2f}, and by at most "
        f"{rows['difference'].drop(widest).max():.2f} elsewhere."
    )


def _category(j: float, fb: float) -> str:
    if abs(j - fb) < ALIKE:
        return "both judge alike"
    return "boundaries are stricter" if j > fb else "pixels are stricter"


def bracket(table: pd.DataFrame, sweep: pd.DataFrame) -> str:
    """Say at which tolerances dilation falls below matching at the page's own, as if the bracket is the original.

    Parameters
    ----------
    table : DataFrame
        From `situation_scores`; its first four rows are the situations of the paper.
    sweep : DataFrame
        From `tolerance_sweep`.
    """
    four = table.iloc[:4].set_index("situation")["matching"]
    rows = sweep[(sweep["method"] == "morphological") & sweep["situation"].isin(four.index)]
    below = rows["value"] <= rows["situation"].map(four)
    counts = below.groupby(rows["tolerance"]).sum()
    told = ", ".join(f"{count} of 4 at {tolerance:.2%}" for tolerance, count in counts.items())
    return f"Our four masks whose value by dilation is not above that by matching: {told} of the diagonal."


def line(row: str, here: Any, source: str | Result, because: str = "", **options) -> dict[str, Any]:
    """Arguments of `verdict` for one row of this paper."""
    return {"row": f"ponttuset.{row}", "here": here, "source": source, "because": because, **options}


def of_figure_8(table: pd.DataFrame, printed: pd.DataFrame, source: str) -> list[dict[str, Any]]:
    """Verdicts on the four situations: the same trend where the same measure is the stricter one."""
    lines = []
    for (_, here), paper in zip(table.iloc[:4].iterrows(), printed.to_dict("records"), strict=True):
        theirs = [paper["jaccard"], paper["boundary_first"], paper["boundary_in_brackets"]]
        same = _category(here["J"], here["matching"]) == _category(*theirs[:2])
        reason = "the masks of the figure are not public: these are of the same kind"
        ours = [here["J"], here["matching"], here["morphological"]]
        lines.append(
            line(f"fig8{paper['situation']}", ours, source, reason, paper=theirs, digits=2, trend=same)
        )
    return lines


def of_figure_9(
    voc: Result, near: pd.DataFrame, close: pd.DataFrame, levels: Sequence[float]
) -> list[dict[str, Any]]:
    """Verdicts on figure 9 and what §6.2 reads from it.

    Parameters
    ----------
    voc : Result
        Summary of this library's methods on VOC 2012.
    near : DataFrame
        From `at_budgets`, of the published methods alone.
    close : DataFrame
        Recall of GOP and CPMC at each level.
    levels : sequence of float
        The three of the figure.
    """
    missing = "the object masks of BSDS500 and the proposals are not public"
    rows = ("j_mean", "j_median", "j_recall", "fb_mean", "fb_median", "fb_recall")
    lines = [line(f"fig9.{row}", None, "figure 9", missing) for row in rows]
    other = "read from the numbers that the authors published for VOC 2012"
    means = near.filter(like="mean J")
    first = all(str(near["method"].iloc[means[column].argmax()]).startswith("MCG") for column in means)
    lines.append(line("claim_mcg_slightly", first, "MCG files, VOC 2012 val", other))
    leaders = [str(name) for name in close[list(levels)].idxmax()]
    exchanged = leaders == ["GOP", "CPMC", "CPMC"]
    reason = (
        other if exchanged else f"at {levels[1]:g} {leaders[1]} leads on VOC 2012, whose numbers are public"
    )
    partly = leaders[0] == "GOP" and leaders[-1] == "CPMC"
    lines.append(line("claim_gop_cpmc", exchanged, "MCG files, VOC 2012 val", reason, trend=partly))
    lines.append(
        line("claim_mcg_boundaries", None, "MCG files, VOC 2012 val", "only scores by pixels are public")
    )
    if voc.table is None:
        unknown = "no run on VOC 2012 is stored"
        claims = ("claim_median_above_mean", "claim_median_saturates")
        return [*lines, *(line(row, None, voc, unknown) for row in claims)]
    table = without_variants(voc.table)
    top = table[table["budget"] == table["budget"].max()]
    wide = top[top["statistic"].isin(["mean", "median"])].pivot_table(
        "value", ["measure", "method"], "statistic"
    )
    above = wide["median"] >= wide["mean"]
    reason = f"{above.sum()} of {len(above)} pairs of our methods and a measure, on VOC 2012"
    lines.append(
        line("claim_median_above_mean", bool(above.all()), voc, reason, trend=bool(above.mean() > 0.5))
    )
    best = wide.loc["boundary", "median"].max()
    reason = f"{best:.2f} is the best of our own methods, on VOC 2012"
    return [*lines, line("claim_median_saturates", bool(best >= 1 - 1e-9), voc, reason)]
