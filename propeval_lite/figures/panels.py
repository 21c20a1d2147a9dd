"""Kinds of picture that several chapters draw: curves with bands, intervals, lines of equal F, one legend below."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.artist import Artist

from propeval_lite.figures.style import (
    COLOURS,
    MARKERS,
    PANEL,
    TEXT,
    WIDTH,
    new_figure,
    seaborn_looks,
    styled,
)


@styled
def curves(
    table: pd.DataFrame,
    x: str,
    y: str = "value",
    *,
    hue: str = "method",
    panels: str | None = None,
    rows: str | None = None,
    wrap: int = 2,
    band: tuple[str, str] | None = ("low", "high"),
    every: float = 1,
    log: bool = False,
    height: float = PANEL,
    share: bool | str = True,
    share_x: bool | str = True,
    legend: bool = True,
) -> sns.FacetGrid:
    """Draw one line per method, in small panels side by side.

    Parameters
    ----------
    table : DataFrame
        Tidy: columns `x`, `y`, `hue`, and those of `panels`, `rows` and `band`. Rows of a line in any order.
    x, y, hue : str
        Columns; methods in `hue` get the look that they have everywhere in the book.
    panels, rows : str, optional
        Columns whose values get a panel each, in the order in which they occur. With `panels` alone the panels wrap
        after `wrap`; `rows` adds a second direction.
    band : (str, str), optional
        Columns of the lower and upper end of an interval; drawn only if the table has them.
    every : int or float
        A marker on every so many points, or, below 1, after such a share of the panel.
    log : bool
        Logarithmic x axis.
    height : float
        Of a panel, in inches; the figure is as wide as every other.
    share, share_x : bool or "col"
        Panels share the y axis, and the x axis; with "col" only those below one another do.
    legend : bool
        One legend for all panels, below them.

    Returns
    -------
    seaborn.FacetGrid
        ``grid.axes_dict`` has the panels by value; ``grid.figure`` is the figure to show.
    """
    table = table.reset_index(drop=True)  # seaborn takes rows of the same label for one another
    columns = 1 if panels is None else table[panels].nunique()
    columns = min(columns, wrap) if rows is None else columns
    order: dict[str, Any] = {
        f"{way}_order": list(pd.unique(table[name])) for way, name in (("col", panels), ("row", rows)) if name
    }
    style = seaborn_looks(pd.unique(table[hue]))
    grid = sns.relplot(
        table, x=x, y=y, hue=hue, style=hue, col=panels, row=rows, kind="line", estimator=None, **order,
        col_wrap=columns if panels and not rows else None, height=height, aspect=WIDTH / columns / height,
        facet_kws={"sharey": share, "sharex": share_x}, markevery=every, legend="full" if legend else False,
        **style,
    )  # fmt: skip
    if band is not None and set(band) <= set(table.columns):
        grid.map_dataframe(_band, x=x, band=band, hue=hue, palette=style["palette"])
    if log:
        grid.set(xscale="log")
        for axis in grid.axes.flat:
            axis.minorticks_off()
    grid.set_titles("{col_name}" if rows is None else "{row_name}: {col_name}" if panels else "{row_name}")
    if legend:
        legend_below(grid)
    return grid


def _band(data: pd.DataFrame, x: str, band: tuple[str, str], hue: str, palette: dict, **_) -> None:
    axis = plt.gca()
    for name, rows in data.groupby(hue, sort=False):
        rows = rows.sort_values(x)
        axis.fill_between(rows[x], rows[band[0]], rows[band[1]], color=palette[name], alpha=0.12, linewidth=0)


@styled
def intervals(
    table: pd.DataFrame,
    value: str,
    label: str,
    *,
    hue: str | None = None,
    panels: str | None = None,
    band: tuple[str, str] = ("low", "high"),
    order: Sequence | None = None,
    height: float | None = None,
):
    """Draw values with their intervals, one row per label: what a long table of numbers says at a glance.

    Parameters
    ----------
    table : DataFrame
        One row per label and `hue`.
    value, label : str
        Columns of the number and of what it belongs to.
    hue : str, optional
        Column of what is compared within a label, a marker and colour each, side by side.
    panels : str, optional
        Column whose values get a panel each, side by side; all have the same rows.
    band : (str, str)
        Columns of the ends of the interval; without them only the values are drawn.
    order : sequence, optional
        Labels from the top; by default by falling mean value.
    height : float, optional
        Of the figure, in inches.

    Returns
    -------
    figure, axis
        With `panels` a dict of axes, by value.
    """
    grid = {None: table} if panels is None else dict(iter(table.groupby(panels, sort=False)))
    if order is None:
        order = table.groupby(label, sort=False)[value].mean().sort_values(ascending=False).index.tolist()
    order = list(order)
    groups = [None] if hue is None else list(pd.unique(table[hue]))
    height = 1.0 + 0.3 * len(order) if height is None else height
    figure, axes = new_figure(len(grid), height=height, squeeze=False, sharey=True)
    for axis, (title, part) in zip(axes[0], grid.items(), strict=True):
        for i, group in enumerate(groups):
            rows = (part if hue is None else part[part[hue] == group]).set_index(label)
            rows = rows.reindex([name for name in order if name in rows.index])
            place = np.array([order.index(name) for name in rows.index], dtype=float)
            place += 0.6 / len(groups) * (i - (len(groups) - 1) / 2)
            ends = None
            if set(band) <= set(table.columns):
                ends = np.abs(rows[list(band)].to_numpy(dtype=float).T - rows[value].to_numpy(dtype=float))
            axis.errorbar(rows[value], place, xerr=ends, fmt=MARKERS[i % len(MARKERS)], linestyle="", capsize=2,
                          color=COLOURS[i % len(COLOURS)], label=None if group is None else str(group))  # fmt: skip
        axis.set(
            xlabel=value, title="" if title is None else textwrap.fill(str(title), width=44 // len(grid))
        )
    axes[0, 0].set_yticks(range(len(order)), [str(name) for name in order])
    axes[0, 0].set_ylim(len(order) - 0.5, -0.5)
    if hue is not None:
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(len(groups), 3))
    return figure, axes[0, 0] if panels is None else dict(zip(grid, axes[0], strict=True))


#: Dark enough to read on white (contrast 4.6 to 1).
GREY_TEXT = "0.45"


def equal_f_lines(axis, values: Sequence[float] = (0.2, 0.4, 0.6, 0.8)) -> None:
    """Draw lines of equal F behind precision (up) against recall (right), each with its value."""
    for f in values:
        recall = np.linspace(f / (2 - f), 1, 60)
        axis.plot(recall, f * recall / (2 * recall - f), color="0.85", linewidth=0.8, zorder=0, label="_f")
        axis.text(0.995, f / (2 - f) + 0.012, f"{f:g}", fontsize=TEXT - 1, color=GREY_TEXT, ha="right")
    axis.grid(visible=False)


def legend_below(grid: sns.FacetGrid, columns: int = 3, more: Sequence[Artist] = ()) -> None:
    """Move a grid's one legend below its panels, without a title, where it hides nothing; add further entries."""
    (old,) = grid.figure.legends
    handles: list[Any] = [*old.legend_handles, *more]
    labels = [*(text.get_text() for text in old.get_texts()), *(str(handle.get_label()) for handle in more)]
    old.remove()
    # As seaborn's own move_legend does: `grid.legend` is the one that is seen.
    grid._legend = grid.figure.legend(  # type: ignore[attr-defined]  # the stubs leave it out
        handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=columns, frameon=False
    )
    grid.figure.set_size_inches(WIDTH, grid.figure.get_size_inches()[1])
    grid.figure.tight_layout()
