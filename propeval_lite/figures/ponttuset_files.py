"""Pictures of figure 11 from the authors' files, and of the three ways to see a partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from propeval_lite.figures.panels import equal_f_lines
from propeval_lite.figures.style import COLOURS, line_style, looks, new_figure, styled

TITLES = {"fb": "boundaries, $F_b$", "fop": "objects and parts, $F_{op}$"}
STAR: dict[str, Any] = {"linestyle": "", "marker": "*", "color": "black", "markersize": 11}


@styled
def draw_files(curves: pd.DataFrame, people: pd.DataFrame, groups: Sequence[Sequence[str]]):
    """Draw precision against recall of many methods: a row of panels per group of them, all others grey behind.

    Parameters
    ----------
    curves : DataFrame
        Columns ``method, swapped, measure, precision, recall, f``, in the order of the lines.
    people : DataFrame
        Columns ``same, measure, precision, recall``, a row per side and measure.
    groups : sequence of sequences of str
        Methods in colour in each row. A larger marker stands where F is best.
    """
    figure, axes = new_figure(2, len(groups), height=1.5 + 2.75 * len(groups), squeeze=False, sharey=True)
    style = looks([name for group in groups for name in group])
    for line, group in zip(axes, groups, strict=True):
        for axis, (measure, title) in zip(line, TITLES.items(), strict=True):
            equal_f_lines(axis)
            rows = curves[curves["measure"] == measure].dropna(subset=["precision", "recall"])
            for (method, swapped), points in rows.groupby(["method", "swapped"], sort=False):
                if swapped:
                    axis.plot(points["recall"], points["precision"], ":", color="0.45", linewidth=1.1)
                elif method not in group:
                    axis.plot(points["recall"], points["precision"], color="0.8", linewidth=1.1, zorder=1)
                else:
                    look = line_style(style[str(method)])
                    best = points.loc[[points["f"].idxmax()]]
                    axis.plot(points["recall"], points["precision"], **{**look, "marker": ""})
                    axis.plot(best["recall"], best["precision"], **look, markersize=8, zorder=3)
            crowd = people[people["measure"] == measure]
            for same, fill in ((True, "black"), (False, "white")):
                points = crowd[crowd["same"] == same]
                axis.plot(points["recall"], points["precision"], **STAR, markerfacecolor=fill, zorder=3)
            axis.set(title=title, xlabel="recall", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        line[0].set_ylabel("precision")
    handles = [Line2D([], [], label=method, **line_style(look)) for method, look in style.items()]
    handles += [Line2D([], [], label="human", **STAR),
                Line2D([], [], label="human, swapped", markerfacecolor="white", **STAR),
                Line2D([], [], label="methods, swapped", linestyle=":", color="0.45")]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=3, handlelength=2.4)
    return figure


@styled
def draw_interpretations(labels: np.ndarray, together: np.ndarray, letters: str):
    """Draw a partition as regions, as pairs of pixels and as contour.

    Parameters
    ----------
    labels : int array, (height, width)
        Regions numbered from 0.
    together : bool array, (pixels, pixels)
        Which pixels lie in one region, row by row.
    letters : str
        A letter for each region.
    """
    figure, axes = new_figure(3, height=2.4)
    colours = np.array([to_rgb(COLOURS[k % len(COLOURS)]) for k in range(labels.max() + 1)])
    axes[0].imshow(0.45 * colours[labels] + 0.55)
    axes[1].imshow(~together, cmap="gray", vmin=-0.6, interpolation="nearest")
    axes[2].imshow(np.ones((*labels.shape, 3)))
    for (row, column), label in np.ndenumerate(labels):
        axes[0].text(column, row, letters[label], ha="center", va="center")
    draw_borders(axes[2], labels)
    titles = ("sets of pixels", "pairs of pixels", "contour")
    for axis, title in zip(axes, titles, strict=True):
        axis.set(title=title, xticks=[], yticks=[])
        axis.grid(visible=False)
    return figure


def draw_borders(axis, labels: np.ndarray) -> None:
    """Draw a line wherever two neighbouring cells have different labels."""
    for row, column in np.argwhere(labels[:, 1:] != labels[:, :-1]):
        axis.plot([column + 0.5] * 2, [row - 0.5, row + 0.5], color="black", linewidth=2)
    for row, column in np.argwhere(labels[1:] != labels[:-1]):
        axis.plot([column - 0.5, column + 0.5], [row + 0.5] * 2, color="black", linewidth=2)
