"""Pictures of recall: against the IoU threshold, against the number of proposals, across data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from propeval_lite.figures.style import COLOURS, LEGEND_COLUMNS, MARKERS, method_styles, new_figure

LINES = ("-", "--", "-.", ":")


def recall_versus_iou(table: pd.DataFrame, budgets: Sequence[int]):
    """Draw recall against the IoU threshold, one panel per budget.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.hosang_recall.summarise`; one data set.
    budgets : sequence of int
    """
    styles = method_styles(pd.unique(table["method"]))
    figure, axes = new_figure(len(budgets), height=3.7, width=8.2, sharey=True, squeeze=False)
    curves = table[table["criterion"] == "recall"]
    for panel, budget in zip(axes[0], budgets, strict=True):
        _lines(panel, curves[curves["budget"] == budget], "tau", styles, every=4)
        panel.set(title=_proposals(budget), xlabel="IoU threshold", ylim=(0, 1), xlim=(0.5, 1))
        panel.xaxis.set_major_locator(MultipleLocator(0.1))
    axes[0, 0].set_ylabel("recall")
    return _legend(figure, styles)


def recall_versus_number(table: pd.DataFrame, taus: Sequence[float]):
    """Draw recall at each threshold of `taus`, and average recall, against the number of proposals.

    Parameters
    ----------
    table : DataFrame
        As in :func:`recall_versus_iou`.
    taus : sequence of float
    """
    styles = method_styles(pd.unique(table["method"]))
    figure, axes = new_figure(len(taus) + 1, height=3.7, width=8.2, sharey=True, squeeze=False)
    for panel, tau in zip(axes[0], [*taus, None], strict=True):
        _number_panel(panel, table, tau, styles)
    return _legend(figure, styles)


def other_datasets(table: pd.DataFrame, budget: int, tau: float):
    """Draw a row of three panels per data set: recall against IoU, recall and AR against the number.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.hosang_recall.summarise`; any number of data sets.
    budget : int
        Of the first panel.
    tau : float
        Threshold of the second.
    """
    names = pd.unique(table["dataset"])
    styles = method_styles(pd.unique(table["method"]))
    height = 0.7 + 2.9 * len(names)
    figure, axes = new_figure(3, len(names), height=height, width=8.2, sharey=True, squeeze=False)
    for row, name in zip(axes, names, strict=True):
        part = table[table["dataset"] == name]
        curves = part[(part["criterion"] == "recall") & (part["budget"] == budget)]
        _lines(row[0], curves, "tau", styles, every=4)
        row[0].set(title=_proposals(budget), xlabel="IoU threshold", xlim=(0.5, 1), ylim=(0, 1), ylabel=name)
        row[0].xaxis.set_major_locator(MultipleLocator(0.1))
        for panel, level in zip(row[1:], (tau, None), strict=True):
            _number_panel(panel, part, level, styles)
    return _legend(figure, styles)


def across_datasets(table: pd.DataFrame, budget: int):
    """Draw the average recall of each method on each data set, with its interval.

    Parameters
    ----------
    table : DataFrame
        As in :func:`other_datasets`.
    budget : int
    """
    rows = table[(table["criterion"] == "AR") & (table["budget"] == budget)]
    names = pd.unique(rows["dataset"])
    order = rows.groupby("method")["value"].mean().sort_values().index
    figure, axes = new_figure(height=1.4 + 0.42 * len(order), width=7.0)
    for i, name in enumerate(names):
        part = rows[rows["dataset"] == name].set_index("method").reindex(order).dropna(subset=["value"])
        place = order.get_indexer(part.index) + 0.7 / len(names) * ((len(names) - 1) / 2 - i)
        error = np.abs(part[["low", "high"]].to_numpy().T - part["value"].to_numpy())
        axes.errorbar(part["value"], place, xerr=error, fmt=MARKERS[i % len(MARKERS)],
                      color=COLOURS[i % len(COLOURS)], capsize=2, label=name)  # fmt: skip
    axes.set_yticks(range(len(order)), order)
    axes.set(xlabel=f"average recall, {_proposals(budget)}", xlim=(0, None))
    figure.legend(frameon=False, loc="outside lower center", ncols=min(len(names), LEGEND_COLUMNS))
    return figure


def size_histograms(table: pd.DataFrame):
    """Draw how large the objects of each data set are: share of objects per bin of relative size.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.hosang_recall.size_histogram`; any number of data sets.
    """
    figure, axes = new_figure(height=4.0)
    for i, (name, part) in enumerate(table.groupby("dataset", sort=False)):
        axes.stairs(
            part["share"],
            [*part["low"], part["high"].iloc[-1]],
            color=COLOURS[i % len(COLOURS)],
            linestyle=LINES[i % len(LINES)],
            linewidth=2,
            label=f"{name} ({part['objects'].sum():,} objects)",
        )
    axes.set(xlabel="relative size of the object", ylabel="share of objects", xlim=(0, 1), ylim=(0, None))
    figure.legend(frameon=False, loc="outside lower center", ncols=2, handlelength=3)
    return figure


def board_ranges(effects: pd.DataFrame, methods: Sequence[str], reference: dict[str, str]):
    """Draw the average recall of each method under every setting of the switchboard, by kind of AR.

    Parameters
    ----------
    effects : DataFrame
        From :func:`propeval_lite.studies.hosang_switchboard.effects`.
    methods : sequence of str
        Its columns of AR.
    reference : dict
        The setting marked by a ring.
    """
    home = effects[effects["turned"] == 0].iloc[0]
    order = sorted(methods, key=lambda method: home[method])
    figure, axes = new_figure(height=1.6 + 0.42 * len(order), width=7.0)
    for i, kind in enumerate(pd.unique(effects["kind"])):
        part = effects[effects["kind"] == kind]
        for place, method in enumerate(order):
            axes.plot(part[method], np.full(len(part), place + 0.2 * (i - 1)), MARKERS[i], color=COLOURS[i],
                      markersize=5, alpha=0.6, label=kind if place == 0 else None)  # fmt: skip
    offset = 0.2 * (pd.unique(effects["kind"]).tolist().index(reference["kind"]) - 1)
    axes.plot([home[method] for method in order], np.arange(len(order)) + offset, "o", markersize=11,
              markerfacecolor="none", markeredgecolor="black", label="the paper's setting")  # fmt: skip
    axes.set_yticks(range(len(order)), order)
    axes.set(xlabel="average recall of the same boxes")
    figure.legend(frameon=False, loc="outside lower center", ncols=LEGEND_COLUMNS)
    return figure


def _lines(axes, table, x, styles, every=1):
    for method, curve in table.groupby("method", sort=False):
        style = styles[method]
        axes.plot(curve[x], curve["value"], label=method, markersize=4.5, markevery=every, **style)
        axes.fill_between(
            curve[x], curve["low"], curve["high"], color=style["color"], alpha=0.08, linewidth=0
        )


def _number_panel(axes, table, tau, styles):
    wanted = table["criterion"] == "AR" if tau is None else np.isclose(table["tau"], tau)
    _lines(axes, table[wanted], "budget", styles)
    title = "average recall" if tau is None else f"recall at IoU {tau:g}"
    axes.set(title=title, xlabel="proposals per image", xscale="log", ylim=(0, 1))
    axes.minorticks_off()


def _proposals(budget: int) -> str:
    return f"{budget:,} proposals"


def _legend(figure, styles):
    """Put one legend, which holds for all panels, below the figure."""
    handles = [Line2D([], [], label=method, markersize=4.5, **style) for method, style in styles.items()]
    figure.legend(
        frameon=False, handles=handles, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3
    )
    return figure
