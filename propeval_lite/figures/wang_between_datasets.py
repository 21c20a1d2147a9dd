"""Pictures of two data sets side by side, and of how far their curves lie apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from propeval_lite.figures.style import COLOURS, MARKERS, mark_every, method_styles, new_figure
from propeval_lite.figures.wang_criteria import LIMITS, PAIRS, TITLES, ZERO, criteria_legend


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
                    markevery=mark_every(curve), markerfacecolor=filled, **style,
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
    return criteria_legend(figure, plain, [*parts, Line2D([], [], label="chance", **ZERO)], chance=False)


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
