"""Pictures of OMA: recall and OMA side by side, against number and IoU."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from propeval_lite.figures.style import mark_every, method_styles, new_figure

CHANCE = {"color": "0.35", "linestyle": (0, (1, 1.5)), "linewidth": 1.6}
ZERO = {"color": "0.5", "linewidth": 0.9}
LIMITS = {"color": "0.6", "linestyle": (0, (6, 2)), "linewidth": 1.2}
PAIRS = (("recall", "OMA"), ("AR", "AO"))
TITLES = {"recall": "recall", "OMA": "OMA", "AR": "average recall", "AO": "average OMA"}


def criteria_versus_number(table: pd.DataFrame, taus: Sequence[float]):
    """Draw recall over OMA against the number of candidates: one column per threshold, one for averages.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.wang_criteria.criteria_curves`; one data set, one kind of average.
    taus : sequence of float
    """
    styles = method_styles(pd.unique(table["method"]))
    number = table[table["axis"] == "number"]
    figure, axes = new_figure(
        len(taus) + 1, 2, width=8.2, height=6.4, squeeze=False, sharex=True, sharey="row"
    )
    for column, tau in zip(axes.T, [*taus, None], strict=True):
        names = PAIRS[tau is None]
        level = number["tau"].isna() if tau is None else np.isclose(number["tau"], tau)
        ending = "" if tau is None else f" at IoU {tau:g}"
        _pair(column, number[level], names, "budget", styles)
        for panel, name in zip(column, names, strict=True):
            panel.set(title=TITLES[name] + ending, xscale="log")
            panel.minorticks_off()
        column[1].set_xlabel("candidates per image")
    # The panels of a row share their scale, so it must hold the curves of all of them.
    drawn = number[number["tau"].isna() | np.isin(number["tau"], list(taus))]
    ours = drawn.loc[drawn["criterion"].isin(["OMA", "AO"]), "value"]
    axes[1, 0].set_ylim(min(ours.min(), 0) - 0.03, max(ours.max(), 0) + 0.03)
    return criteria_legend(figure, styles)


def criteria_versus_iou(table: pd.DataFrame, budget: int):
    """Draw recall and OMA against the IoU threshold, side by side.

    Parameters
    ----------
    table : DataFrame
        As in :func:`criteria_versus_number`.
    budget : int
        For the titles.
    """
    styles = method_styles(pd.unique(table["method"]))
    figure, axes = new_figure(2, width=8.2, height=4.4)
    _pair(axes, table[table["axis"] == "IoU"], PAIRS[0], "tau", styles)
    for panel, name in zip(axes, PAIRS[0], strict=True):
        panel.set(title=f"{name}, {budget:,} candidates", xlabel="IoU threshold", xlim=(0.5, 1))
        panel.xaxis.set_major_locator(MultipleLocator(0.1))
    return criteria_legend(figure, styles)


def many_versus_iou(table: pd.DataFrame, named: Sequence[str]):
    """Draw recall and OMA of many methods against IoU: some by name, the others thin and grey.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, tau, recall, chance, OMA``, from :func:`propeval_lite.studies.wang_criteria.pooled_oma`.
    named : sequence of str
    """
    styles = method_styles(named)
    figure, axes = new_figure(2, width=8.2, height=4.6)
    for method, curve in table.groupby("method", sort=False):
        style = styles.get(method, {"color": "0.8", "linewidth": 0.8})
        for panel, name in zip(axes, PAIRS[0], strict=True):
            order = 3 if method in styles else 1
            panel.plot(curve["tau"], curve[name], markersize=4.5, markevery=4, zorder=order, **style)
    chance = table.groupby("tau")["chance"].first()
    _chance(axes, chance)
    for panel, name in zip(axes, PAIRS[0], strict=True):
        panel.set(title=name, xlabel="IoU threshold", xlim=(0.5, 1), ylabel=f"{name}, pooled over objects")
        panel.xaxis.set_major_locator(MultipleLocator(0.1))
    other = [Line2D([], [], color="0.8", linewidth=0.8, label="other methods")]
    return criteria_legend(figure, styles, other)


def _pair(panels, table, names, x, styles):
    """Draw one criterion of recall over, or beside, its OMA counterpart, with what chance would do."""
    for panel, name in zip(panels, names, strict=True):
        for method, curve in table[table["criterion"] == name].groupby("method", sort=False):
            every = mark_every(curve)
            panel.plot(curve[x], curve["value"], markersize=4.5, markevery=every, **styles[method])
        if panel.get_subplotspec().is_first_col() or x == "tau":
            panel.set_ylabel(TITLES[name])
    wide = table.pivot_table(index=["method", x], columns="criterion", values="value")
    _chance(panels, (wide[names[0]] - wide[names[1]]).groupby(x).mean())


def _chance(panels, chance):
    """Draw what random boxes reach, and the best and the worst OMA that are possible."""
    panels[0].plot(chance.index, chance, **CHANCE)
    panels[0].set_ylim(-0.02, 1.02)
    panels[1].axhline(0, **CHANCE)
    low, high = panels[1].get_ylim()
    for limit in (1 - chance, -chance):
        panels[1].plot(chance.index, limit, **LIMITS)
    panels[1].set_ylim(min(low, -0.02), max(high, 0.02))


def criteria_legend(figure, styles, more=(), chance=True):
    """Put one legend, which holds for all panels, below the figure."""
    handles = [Line2D([], [], label=method, markersize=4.5, **style) for method, style in styles.items()]
    if chance:
        more = [*more, Line2D([], [], label="chance", **CHANCE)]
        more.append(Line2D([], [], label="best and worst possible", **LIMITS))
    figure.legend(
        handles=[*handles, *more], loc="outside lower center", ncols=4, handlelength=3, frameon=False
    )
    return figure
