"""Precision-recall curves of segmenters, for boundaries and for objects and parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from propeval_lite.figures.style import COLOURS, MARKERS, new_figure

TITLES = {"fb": "boundaries, $F_b$", "fop": "objects and parts, $F_{op}$"}
LINES = ("-", "-", "-", "-", "-", "--", "-.", "--")


def draw_curves(curves: pd.DataFrame, points: pd.DataFrame, chosen: pd.DataFrame, swapped: bool = True):
    """Draw precision against recall: a row of panels per data set, a column per measure.

    Parameters
    ----------
    curves : DataFrame
        Columns ``dataset, method, swapped, measure, precision, recall``, in the order of the sweep.
    points : DataFrame
        Humans: ``dataset, same, measure, precision, recall, f``.
    chosen : DataFrame
        Marks: ``dataset, method, measure, precision, recall, f`` at the optimal data set scale.
    swapped : bool
        Draw the swapped curves, too, dotted.
    """
    datasets, methods = list(dict.fromkeys(curves["dataset"])), list(dict.fromkeys(curves["method"]))
    figure, axes = new_figure(
        2, len(datasets), width=7.4, height=1.3 + 3.7 * len(datasets), squeeze=False, sharey=True
    )
    for line, dataset in zip(axes, datasets, strict=True):
        for axis, measure in zip(line, TITLES, strict=True):
            _f_lines(axis)
            here = [table[(table["dataset"] == dataset) & (table["measure"] == measure)]
                    for table in (curves, points, chosen)]  # fmt: skip
            _panel(axis, *here, methods, swapped)
            head = f"{dataset}: {TITLES[measure]}"
            axis.set(title=head, xlabel="recall", xlim=(0, 1), ylim=(0, 1), aspect="equal")
            axis.title.set_fontsize(10)
        line[0].set_ylabel("precision")
    handles = [Line2D([], [], label=method, **_style(methods, method)) for method in methods]
    handles.append(Line2D([], [], linestyle="", marker="*", color="black", markersize=12, label="human"))
    hollow = {"markerfacecolor": "white", "markersize": 12}
    handles.append(Line2D([], [], linestyle="", marker="*", color="black", label="human, swapped", **hollow))
    if swapped:
        handles.append(Line2D([], [], linestyle=":", color="0.4", label="image swapped"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, handlelength=2.6, frameon=False)
    return figure


def draw_against_published(here: pd.DataFrame, published: pd.DataFrame, methods: Sequence[tuple[str, str]]):
    """Draw our curves over the published ones.

    Parameters
    ----------
    here : DataFrame
        Columns ``method, swapped, measure, precision, recall``.
    published : DataFrame
        Columns ``method, image`` ("same" or "swapped"), ``measure, kind, precision, recall``.
    methods : sequence of (str, str)
        Name here and name in the paper.
    """
    figure, axes = new_figure(2, width=7.4, height=5.2, sharey=True)
    for axis, measure in zip(axes, TITLES, strict=True):
        _f_lines(axis)
        for i, (ours, theirs) in enumerate(methods):
            colour = COLOURS[i % len(COLOURS)]
            for swapped, line in ((False, "-"), (True, ":")):
                rows = here[(here["method"] == ours) & (here["measure"] == measure)]
                rows = rows[rows["swapped"] == swapped]
                axis.plot(rows["recall"], rows["precision"], line, color=colour, linewidth=2)
                rows = published[(published["method"] == theirs) & (published["measure"] == measure)]
                rows = rows[(rows["kind"] == "curve") & ((rows["image"] == "swapped") == swapped)]
                axis.plot(rows["recall"], rows["precision"], MARKERS[i % len(MARKERS)], color=colour,
                          markersize=4, markerfacecolor="white")  # fmt: skip
        axis.set(title=TITLES[measure], xlabel="recall", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes[0].set_ylabel("precision")
    handles = [
        Line2D([], [], color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)], markersize=4,
               markerfacecolor="white", label=ours if ours == theirs else f"{ours} ({theirs})")
        for i, (ours, theirs) in enumerate(methods)
    ]  # fmt: skip
    grey = {"color": "0.3", "markerfacecolor": "white", "markersize": 4}
    handles.append(Line2D([], [], linestyle="-", label="here", **grey))
    handles.append(Line2D([], [], linestyle=":", label="here, image swapped", **grey))
    handles.append(Line2D([], [], linestyle="", marker="o", label="published", **grey))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, handlelength=2.6, frameon=False)
    return figure


def _style(methods: list, method: str) -> dict:
    i = methods.index(method)
    return {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)],
            "linestyle": LINES[i % len(LINES)], "markersize": 6}  # fmt: skip


def _panel(axis, curves, points, chosen, methods, swapped) -> None:
    for (method, is_swapped), rows in curves.groupby(["method", "swapped"], sort=False):
        if is_swapped and not swapped:
            continue
        style = _style(methods, method) | {"marker": "", "linewidth": 1.1 if is_swapped else 1.8}
        style |= {"linestyle": ":"} if is_swapped else {}
        axis.plot(rows["recall"], rows["precision"], **style)
    for row in chosen.itertuples():
        axis.plot(
            row.recall, row.precision, **_style(methods, row.method) | {"linestyle": "", "markersize": 8}
        )
    for row in points.itertuples():
        fill = "black" if row.same else "white"
        axis.plot(row.recall, row.precision, "*", color="black", markerfacecolor=fill, markersize=13)


def _f_lines(axis) -> None:
    """Draw lines of equal F, each with its value."""
    for f in (0.2, 0.4, 0.6, 0.8):
        recall = np.linspace(f / (2 - f), 1, 60)
        axis.plot(recall, f * recall / (2 * recall - f), color="0.85", linewidth=0.8, zorder=0)
        axis.text(0.995, f / (2 - f) + 0.012, f"{f:g}", fontsize=7, color="0.5", ha="right")
    axis.grid(visible=False)
