"""Pictures of OMA: recall and OMA side by side, against number and IoU, and across data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from propeval_lite.figures.hosang_recall import method_styles
from propeval_lite.figures.style import COLOURS, MARKERS, new_figure

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
    return _legend(figure, styles)


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
    return _legend(figure, styles)


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
    return _legend(figure, styles, other)


def two_datasets(table: pd.DataFrame, names: Sequence[str], tau: float):
    """Draw the six criteria of each method on two data sets: solid the first, dotted the second.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.wang_criteria.criteria_curves`, with both data sets.
    names : two of str
        Of the data sets.
    tau : float
        Threshold of the curves against the number of candidates.
    """
    styles = method_styles(pd.unique(table["method"]))
    figure, axes = new_figure(3, 2, width=8.2, height=6.6, sharey="row")
    level = table["tau"].isna() | np.isclose(table["tau"], tau)
    panels = (("number", PAIRS[0], f" at IoU {tau:g}"), ("number", PAIRS[1], ""), ("IoU", PAIRS[0], ""))
    for column, (axis, pair, ending) in zip(axes.T, panels, strict=True):
        for panel, criterion in zip(column, pair, strict=True):
            part = table[(table["axis"] == axis) & (table["criterion"] == criterion)]
            part = part[level.loc[part.index]] if axis == "number" else part
            for (name, method), curve in part.groupby(["dataset", "method"], sort=False):
                style = styles[method] | {"linestyle": "-" if name == names[0] else ":"}
                filled = style["color"] if name == names[0] else "white"
                panel.plot(
                    curve["tau" if axis == "IoU" else "budget"], curve["value"], markersize=4,
                    markevery=_every(curve), markerfacecolor=filled, **style,
                )  # fmt: skip
            if criterion in ("OMA", "AO"):
                panel.axhline(0, **ZERO)
            panel.set_title(TITLES[criterion] + ending + (" by IoU" if axis == "IoU" else ""), fontsize=10)
            if axis == "IoU":
                panel.set(xlabel="IoU threshold", xlim=(0.5, 1))
            else:
                panel.set(xlabel="candidates per image", xscale="log")
                panel.minorticks_off()
    parts = [
        Line2D([], [], color="0.2", linestyle=line, label=name)
        for name, line in zip(names, ("-", ":"), strict=True)
    ]
    plain = {method: style | {"linestyle": "-"} for method, style in styles.items()}
    return _legend(figure, plain, [*parts, Line2D([], [], label="chance", **ZERO)], chance=False)


def distances(table: pd.DataFrame):
    """Draw the distance between curves under OMA against that under recall, one panel per kind of curve.

    Parameters
    ----------
    table : DataFrame
        Columns ``source, method, curve, recall, OMA``; one row per method and curve. Points below the diagonal
        are methods for which OMA brings the two data sets closer.
    """
    curves = pd.unique(table["curve"])
    sources = pd.unique(table["source"])
    figure, axes = new_figure(len(curves), width=8.2, height=3.9, squeeze=False)
    for panel, curve in zip(axes[0], curves, strict=True):
        part = table[table["curve"] == curve]
        top = 1.1 * part[["recall", "OMA"]].to_numpy().max()
        panel.plot([0, top], [0, top], **LIMITS)
        for i, source in enumerate(sources):
            points = part[part["source"] == source]
            face = "none" if source.startswith("paper") else COLOURS[i % len(COLOURS)]
            panel.plot(points["recall"], points["OMA"], MARKERS[i % len(MARKERS)], label=source,
                       color=COLOURS[i % len(COLOURS)], markerfacecolor=face, alpha=0.85)  # fmt: skip
        panel.set(title=curve, xlabel="distance, recall", xlim=(0, top), ylim=(0, top), aspect="equal")
    axes[0, 0].set_ylabel("distance, OMA")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _pair(panels, table, names, x, styles):
    """Draw one criterion of recall over, or beside, its OMA counterpart, with what chance would do."""
    for panel, name in zip(panels, names, strict=True):
        for method, curve in table[table["criterion"] == name].groupby("method", sort=False):
            every = _every(curve)
            panel.plot(curve[x], curve["value"], markersize=4.5, markevery=every, **styles[method])
        if panel.get_subplotspec().is_first_col() or x == "tau":
            panel.set_ylabel(TITLES[name])
    wide = table.pivot_table(index=["method", x], columns="criterion", values="value")
    _chance(panels, (wide[names[0]] - wide[names[1]]).groupby(x).mean())


def _every(curve) -> int:
    """Mark so few points of a curve that the marks stay apart."""
    return max(1, len(curve) // 7)


def _chance(panels, chance):
    """Draw what random boxes reach, and the best and the worst OMA that are possible."""
    panels[0].plot(chance.index, chance, **CHANCE)
    panels[0].set_ylim(-0.02, 1.02)
    panels[1].axhline(0, **CHANCE)
    low, high = panels[1].get_ylim()
    for limit in (1 - chance, -chance):
        panels[1].plot(chance.index, limit, **LIMITS)
    panels[1].set_ylim(min(low, -0.02), max(high, 0.02))


def _legend(figure, styles, more=(), chance=True):
    """Put one legend, which holds for all panels, below the figure."""
    handles = [Line2D([], [], label=method, markersize=4.5, **style) for method, style in styles.items()]
    if chance:
        more = [*more, Line2D([], [], label="chance", **CHANCE)]
        more.append(Line2D([], [], label="best and worst possible", **LIMITS))
    figure.legend(
        handles=[*handles, *more], loc="outside lower center", ncols=4, handlelength=3, frameon=False
    )
    return figure
