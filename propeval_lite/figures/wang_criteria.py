"""Pictures of OMA: recall and OMA side by side, against number and IoU, and OMA with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from propeval_lite.figures.panels import curves, intervals, legend_below
from propeval_lite.figures.style import styled

CHANCE: dict[str, Any] = {"color": "0.35", "linestyle": (0, (1, 1.5)), "linewidth": 1.6}
LIMITS: dict[str, Any] = {"color": "0.6", "linestyle": (0, (6, 2)), "linewidth": 1.2}
OTHERS: dict[str, Any] = {"color": "0.8", "linewidth": 0.8}
#: Criteria of the curves of recall, and what each becomes when chance is subtracted.
RECALL, OMA = ("recall", "AR"), ("OMA", "AO")
EVERY = 0.13


@styled
def criteria_versus_number(table: pd.DataFrame, taus: Sequence[float]):
    """Draw recall beside OMA against the number of candidates: one row per threshold, one for averages.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.wang_criteria.criteria_curves`; one data set, one kind of average.
    taus : sequence of float
    """
    number = table[table["axis"] == "number"]
    levels = {"average": number["tau"].isna()} | {
        f"at IoU {tau:g}": np.isclose(number["tau"], tau) for tau in taus
    }
    order = [*list(levels)[1:], "average"]
    drawn = pd.concat([number[levels[name]].assign(level=name) for name in order])
    drawn["side"] = np.where(drawn["criterion"].isin(OMA), "OMA", "recall")
    grid = curves(drawn, "budget", panels="side", rows="level", every=EVERY, log=True, share="col", height=2)
    for name in order:
        panels = [grid.axes_dict[name, side] for side in ("recall", "OMA")]
        for panel, side in zip(panels, ("recall", "OMA"), strict=True):
            panel.set(title=f"average {side}" if name == "average" else f"{side} {name}", ylabel="")
        _draw_chance(panels, drawn[drawn["level"] == name], "budget", "side")
    # The panels of a column share their scale, so it must hold the curves of all of them.
    values = drawn.loc[drawn["side"] == "OMA", "value"]
    panels[1].set_ylim(min(values.min(), 0) - 0.03, max(values.max(), 0) + 0.03)
    return _finish(grid, "candidates per image")


@styled
def criteria_versus_iou(table: pd.DataFrame, budget: int):
    """Draw recall and OMA against the IoU threshold, side by side.

    Parameters
    ----------
    table : DataFrame
        As in :func:`criteria_versus_number`.
    budget : int
        For the titles.
    """
    drawn = table[table["axis"] == "IoU"]
    grid = curves(drawn, "tau", panels="criterion", every=EVERY, share=False, height=3)
    for name, panel in grid.axes_dict.items():
        panel.set(title=f"{name}, {budget:,} candidates", ylabel="", xlim=(0.5, 1))
    _draw_chance([grid.axes_dict[name] for name in ("recall", "OMA")], drawn, "tau", "criterion")
    return _finish(grid, "IoU threshold")


@styled
def many_versus_iou(table: pd.DataFrame, named: Sequence[str]):
    """Draw recall and OMA of many methods against IoU: some by name, the others thin and grey.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, tau, recall, chance, OMA``, from :func:`propeval_lite.studies.wang_criteria.pooled_oma`.
    named : sequence of str
    """
    tidy = table.melt(["method", "tau"], ["recall", "OMA"], "criterion")
    chosen = tidy["method"].isin(named)
    in_order = tidy[chosen].sort_values(
        "method", key=lambda names: names.map(list(named).index), kind="stable"
    )
    grid = curves(in_order, "tau", panels="criterion", every=EVERY, share=False, height=3.2)
    for name, panel in grid.axes_dict.items():
        panel.set(title=f"{name}, pooled over objects", ylabel="", xlim=(0.5, 1))
        for _, curve in tidy[~chosen & (tidy["criterion"] == name)].groupby("method", sort=False):
            panel.plot(curve["tau"], curve["value"], zorder=1, **OTHERS)
    _draw_chance([grid.axes_dict[name] for name in ("recall", "OMA")], tidy, "tau", "criterion")
    return _finish(grid, "IoU threshold", [Line2D([], [], label="other methods", **OTHERS)])


@styled
def less_each_baseline(table: pd.DataFrame):
    """Draw recall less each baseline against IoU, a panel per baseline.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, tau, baseline, OMA``, from
        :func:`propeval_lite.studies.wang_criteria_baselines.against_priors`.
    """
    grid = curves(table, "tau", "OMA", panels="baseline", wrap=3, every=EVERY, height=2.6)
    for name, panel in grid.axes_dict.items():
        panel.axhline(0, **CHANCE)
        panel.set(title=f"recall less {name}".replace("less ", "less\n"), ylabel="", xlim=(0.5, 1))
    grid.set_xlabels("IoU threshold")
    legend_below(grid, columns=2, more=[Line2D([], [], label="the baseline itself", **CHANCE)])
    return grid.figure


@styled
def oma_intervals(table: pd.DataFrame):
    """Draw OMA of each method at one budget with its interval, and the largest value that it could have.

    Parameters
    ----------
    table : DataFrame
        Columns ``data, method, IoU, chance, OMA, low, high``; one panel per data set, a marker per threshold.
    """
    marked = table.assign(level=table["IoU"].map("IoU {:g}".format))
    order = list(pd.unique(marked["method"]))
    figure, axes = intervals(
        marked, "OMA", "method", hue="level", panels="data", order=order, height=1.4 + 0.32 * len(order)
    )
    for name, axis in axes.items():
        axis.axvline(0, **CHANCE)
        part = marked[marked["data"] == name]
        for i, level in enumerate(pd.unique(marked["level"])):
            rows = part[part["level"] == level]
            shift = 0.6 / marked["level"].nunique() * (i - (marked["level"].nunique() - 1) / 2)
            place = [order.index(method) + shift for method in rows["method"]]
            axis.plot(1 - rows["chance"], place, "|", color="0.45", markersize=7, markeredgewidth=1.6)
    figure.legends[0].remove()
    handles, labels = next(iter(axes.values())).get_legend_handles_labels()
    mark = Line2D([], [], marker="|", linestyle="", color="0.45", markeredgewidth=1.6)
    figure.legend(
        [*handles, Line2D([], [], **CHANCE), mark], [*labels, "chance", "best possible"],
        loc="outside lower center", ncols=2,
    )  # fmt: skip
    return figure


def _draw_chance(panels, table: pd.DataFrame, x: str, side: str) -> None:
    """Draw what random boxes reach, and the best and the worst OMA that are possible.

    `side` is the column that tells recall from OMA; chance is their difference.
    """
    wide = table.pivot_table("value", ["method", x], side)
    chance = (wide["recall"] - wide["OMA"]).groupby(x).mean()
    panels[0].plot(chance.index, chance, **CHANCE)
    panels[0].set_ylim(-0.02, 1.02)
    panels[1].axhline(0, **CHANCE)
    low, high = panels[1].get_ylim()
    for limit in (1 - chance, -chance):
        panels[1].plot(chance.index, limit, **LIMITS)
    panels[1].set_ylim(min(low, -0.02), max(high, 0.02))


def _finish(grid, xlabel: str, more: Sequence[Line2D] = ()):
    """Name the x axis and put one legend, which holds for all panels, below them."""
    grid.set_xlabels(xlabel)
    chance = Line2D([], [], label="chance", **CHANCE)
    limits = Line2D([], [], label="best and worst possible", **LIMITS)
    legend_below(grid, columns=2, more=[*more, chance, limits])
    return grid.figure
