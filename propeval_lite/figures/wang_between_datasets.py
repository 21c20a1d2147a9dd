"""Pictures of two data sets, or two parts of one: the gap between their curves, and how far they lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.lines import Line2D

from propeval_lite.figures.panels import legend_below
from propeval_lite.figures.style import COLOURS, DOTTED, MARKERS, SOLID, WIDTH, styled

CHANCE: dict[str, Any] = {"color": "0.5", "linewidth": 0.9}
DIAGONAL: dict[str, Any] = {"color": "0.6", "linestyle": (0, (6, 2)), "linewidth": 1.2}
KINDS = {"recall": COLOURS[0], "OMA": COLOURS[1]}
IS_OMA = ("OMA", "AO")
ROW, PANEL = 1.25, 2.6


@styled
def two_datasets(table: pd.DataFrame, names: Sequence[str], tau: float):
    """Draw each method on two data sets: solid the first, dotted the second, the gap between them filled.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.wang_criteria.criteria_curves`, with both data sets.
    names : two of str
        Of the data sets.
    tau : float
        Threshold of the curves against the number of candidates.

    Returns
    -------
    Figure
        One row of panels per method, one column per kind of curve; recall in one colour, OMA in the other. The area
        of a band, counted at the sampling points, is the distance between the two curves.
    """
    columns = (f"IoU {tau:g}", "averages", "by IoU")
    is_iou, is_average = table["axis"] == "IoU", table["tau"].isna()
    chosen = table.assign(
        panel=np.select([is_iou, is_average], [columns[2], columns[1]], columns[0]),
        x=np.where(is_iou, table["tau"], table["budget"]),
        criterion=np.where(table["criterion"].isin(IS_OMA), "OMA", "recall"),
    )[is_iou | is_average | np.isclose(table["tau"], tau)].reset_index(drop=True)
    dashes: dict[str, Any] = dict(zip(names, (SOLID, DOTTED), strict=True))
    grid = sns.relplot(
        chosen, x="x", y="value", row="method", col="panel", col_order=columns, hue="criterion", palette=KINDS,
        style="dataset", style_order=list(names), dashes=dashes,
        kind="line", estimator=None, height=ROW, aspect=WIDTH / 3 / ROW, legend=False, linewidth=1.4,
        facet_kws={"sharex": "col", "sharey": True},
    )  # fmt: skip
    grid.map_dataframe(_fill_gap, names=names)
    grid.set_titles("")
    for (method, column), panel in grid.axes_dict.items():
        panel.axhline(0, **CHANCE)
        if column != columns[2]:
            panel.set_xscale("log")
            panel.minorticks_off()
        else:
            panel.set_xlim(0.5, 1)
        if column == columns[0]:
            panel.text(0.03, 0.97, method, transform=panel.transAxes, va="top")
        panel.set(ylabel="")
    for column, panel in zip(columns, grid.axes[0], strict=True):
        panel.set_title(column)
    for column, panel in zip(columns, grid.axes[-1], strict=True):
        panel.set_xlabel("IoU threshold" if column == columns[2] else "candidates")
    styles: dict[str, Any] = dict(zip(names, ("-", (0, DOTTED)), strict=True))
    handles = [Line2D([], [], color=colour, linewidth=4, label=name) for name, colour in KINDS.items()]
    handles += [Line2D([], [], color="0.2", linestyle=style, label=name) for name, style in styles.items()]
    grid.figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=2)
    grid.figure.set_size_inches(WIDTH, grid.figure.get_size_inches()[1])
    grid.figure.tight_layout(w_pad=0.4, h_pad=0.4)
    return grid.figure


def _fill_gap(data: pd.DataFrame, names: Sequence[str], **_) -> None:
    """Fill what lies between the two curves of each criterion, at the points that both have."""
    axis = plt.gca()
    for name, rows in data.groupby("criterion"):
        wide = rows.pivot_table("value", "x", "dataset").reindex(columns=list(names)).dropna()
        axis.fill_between(wide.index, *wide.to_numpy().T, color=KINDS[str(name)], alpha=0.25, linewidth=0)


@styled
def distances(table: pd.DataFrame):
    """Draw the distance between curves under OMA against that under recall, one panel per kind of curve.

    Parameters
    ----------
    table : DataFrame
        Columns ``source, method, curve, recall, OMA``; one row per method and curve. Points below the diagonal
        are methods for which OMA brings the two data sets closer.
    """
    sources = list(pd.unique(table["source"]))
    grid = sns.relplot(
        table, x="recall", y="OMA", col="curve", hue="source", style="source", hue_order=sources,
        style_order=sources, palette=dict(zip(sources, COLOURS, strict=False)),
        markers=dict(zip(sources, MARKERS, strict=False)), s=34, alpha=0.85, linewidth=0.4,
        height=PANEL, aspect=WIDTH / 3 / PANEL, facet_kws={"sharex": False, "sharey": False},
    )  # fmt: skip
    for curve, panel in grid.axes_dict.items():
        part = table[table["curve"] == curve]
        top = 1.1 * part[["recall", "OMA"]].to_numpy().max()
        panel.axline((0, 0), slope=1, **DIAGONAL)
        # A title of two lines fits above a panel of a third of the width.
        title = curve.replace(" vs ", "\nvs ")
        panel.set(title=title, xlim=(0, top), ylim=(0, top), aspect="equal", xlabel="distance,\nrecall")
    grid.set_ylabels("distance, OMA")
    legend_below(grid, columns=2)
    return grid.figure
