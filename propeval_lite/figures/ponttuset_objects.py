"""Pictures of masks: Jaccard against F, situations that measures judge differently, quality of proposals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D

from propeval_lite.figures.style import COLOURS, LEGEND_COLUMNS, MARKERS, method_styles, new_figure

LEVEL_LINES = ("-", "--", ":", "-.")
PAPER, BLUE = "#FFFFFF", "#6AAED6"


def draw_equivalence(curve: pd.DataFrame, points: pd.DataFrame):
    """Draw J as a function of F, the identity, and measured masks on it.

    Parameters
    ----------
    curve, points : DataFrame
        Columns ``f`` and ``j``.
    """
    figure, axis = new_figure(width=5.4, height=4.6)
    axis.plot([0, 1], [0, 1], color="0.55", linestyle="--", label="identity")
    axis.plot(curve["f"], curve["j"], color=COLOURS[0], linewidth=2, label="$J = F / (2 - F)$")
    axis.plot(points["f"], points["j"], "o", color=COLOURS[1], markersize=4, label="measured masks")
    axis.set(xlabel="F measure $F$", ylabel="Jaccard index $J$", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def draw_averages(curve: pd.DataFrame, scores: pd.DataFrame):
    """Draw two methods' objects on the curve J(F), and where their means lie.

    Parameters
    ----------
    curve : DataFrame
        Columns ``f`` and ``j``.
    scores : DataFrame
        Columns ``method``, ``f``, ``j``; one row per object.
    """
    figure, axis = new_figure(width=5.4, height=4.6)
    axis.plot(curve["f"], curve["j"], color="0.6", label="$J = F / (2 - F)$")
    for i, (name, rows) in enumerate(scores.groupby("method", sort=False)):
        axis.plot(
            rows["f"], rows["j"], MARKERS[i], color=COLOURS[i], label=f"objects of {name}", markersize=7
        )
        axis.plot(rows["f"], rows["j"], color=COLOURS[i], linewidth=1, linestyle=":")
        mean = rows[["f", "j"]].mean()
        axis.plot(mean["f"], mean["j"], MARKERS[i], color=COLOURS[i], markerfacecolor="white", markersize=10,
                  markeredgewidth=2, label=f"mean of {name}")  # fmt: skip
    axis.set(xlabel="F measure", ylabel="Jaccard index", xlim=(0, 1.03), ylim=(0, 1.03), aspect="equal")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def draw_situations(truth: np.ndarray, masks: dict[str, np.ndarray], scores: pd.DataFrame):
    """Draw masks beside the object that they should cover; its contour is drawn over each.

    Parameters
    ----------
    truth : bool array, (height, width)
    masks : dict from name to bool array
    scores : DataFrame
        Columns ``situation`` (the names), ``J``, ``matching``, ``morphological``.
    """
    rows, columns = np.nonzero(np.any([truth, *masks.values()], axis=0))
    margin = 12
    window = np.s_[
        max(rows.min() - margin, 0) : rows.max() + margin,
        max(columns.min() - margin, 0) : columns.max() + margin,
    ]
    panels = {"the object": truth, **masks}
    figure, axes = new_figure(3, -(-len(panels) // 3), width=7.0, height=2.55 * -(-len(panels) // 3))
    colours = ListedColormap([PAPER, BLUE])
    for axis, (name, mask) in zip(axes.flat, panels.items(), strict=False):
        axis.imshow(mask[window], cmap=colours, vmin=0, vmax=1, interpolation="nearest")
        axis.contour(truth[window], levels=[0.5], colors=COLOURS[1], linewidths=0.7)
        title = name
        if name != "the object":
            row = scores.set_index("situation").loc[name]
            title += f"\n$J$ = {row['J']:.2f}, $F_b$ = {row['matching']:.2f} ({row['morphological']:.2f})"
        axis.set_title(title, fontsize=9.5)
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
        axis.grid(False)
        axis.spines[:].set_visible(False)
    for axis in list(axes.flat)[len(panels) :]:
        axis.axis("off")
    return figure


def draw_best(image: np.ndarray, truth: np.ndarray, panels: Sequence[tuple[str, np.ndarray]]):
    """Draw masks as light areas on a picture, with the contour of the object that they should cover.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
    truth : bool array, (height, width)
    panels : sequence of (title, mask)
    """
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    height = 7.4 / columns * image.shape[0] / image.shape[1] + 0.45
    figure, axes = new_figure(columns, rows, width=7.4, height=rows * height, squeeze=False)
    for axis, (title, mask) in zip(axes.flat, panels, strict=False):
        axis.imshow(np.where(mask[:, :, None], image, image // 4))
        axis.contour(truth, levels=[0.5], colors=COLOURS[4], linewidths=1.2)
        axis.set_title(title, fontsize=9.5)
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
        axis.axis("off")
    return figure


def draw_quality(summary: pd.DataFrame, measures: dict[str, str]):
    """Draw mean, median and recall of the best score against the number of proposals; a row per measure.

    Parameters
    ----------
    summary : DataFrame
        From :func:`propeval_lite.studies.ponttuset_objects.summarise_masks`; one data set.
    measures : dict from a value of the column ``measure`` to its label
    """
    styles = method_styles(pd.unique(summary["method"]))
    levels = sorted(summary["level"].dropna().unique())
    figure, axes = new_figure(3, len(measures), width=8.2, height=0.9 + 2.9 * len(measures), sharex=True,
                              sharey=True, squeeze=False)  # fmt: skip
    for row, (measure, label) in zip(axes, measures.items(), strict=True):
        part = summary[summary["measure"] == measure]
        for axis, statistic in zip(row, ("mean", "median", "recall"), strict=True):
            shown = part[part["statistic"] == statistic]
            for method, rows in shown.groupby("method", sort=False):
                style = {**styles[method], "markersize": 4}
                if statistic != "recall":
                    axis.plot(rows["proposals"], rows["value"], **style)
                    continue
                for level, line in zip(levels, LEVEL_LINES, strict=False):
                    at = rows[rows["level"] == level]
                    axis.plot(at["proposals"], at["value"], **{**style, "linestyle": line})
            axis.set(title=statistic, xscale="log", ylim=(0, 1))
            axis.minorticks_off()
        row[0].set_ylabel(label)
    for axis in axes[-1]:
        axis.set_xlabel("proposals per image")
    handles = [Line2D([], [], label=name, markersize=4, **style) for name, style in styles.items()]
    handles += [
        Line2D([], [], color="0.3", linestyle=line, label=f"recall at {level:g}")
        for level, line in zip(levels, LEVEL_LINES, strict=False)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3)
    return figure


def draw_published(published: pd.DataFrame, here: pd.DataFrame):
    """Draw published curves (hollow markers) and our own (full markers): mean J, then recall at each level.

    Parameters
    ----------
    published, here : DataFrame
        Columns ``method``, ``proposals``, ``statistic``, ``level``, ``value``.
    """
    levels = sorted(published["level"].dropna().unique())
    figure, axes = new_figure(2, 2, width=8.2, height=7.0, sharex=True, squeeze=False)
    names = [*pd.unique(published["method"]), *pd.unique(here["method"])]
    styles = method_styles(names)
    for axis, level in zip(axes.flat, [None, *levels], strict=True):
        for table in (published, here):
            chosen = table["statistic"] == "mean" if level is None else table["level"] == level
            for method, rows in table[chosen].groupby("method", sort=False):
                hollow = {"markerfacecolor": "white"} if table is published else {"linewidth": 2.2}
                axis.plot(rows["proposals"], rows["value"], **{**styles[method], "markersize": 5, **hollow})
        axis.set(title="mean $J$" if level is None else f"recall at $J$ = {level:g}", xscale="log")
        axis.set_ylim(0, 1)
        axis.minorticks_off()
    for axis in axes[-1]:
        axis.set_xlabel("proposals per image")
    handles = [
        Line2D([], [], markersize=5, label=name, **{**styles[name], **hollow})
        for table, hollow in ((published, {"markerfacecolor": "white"}), (here, {"linewidth": 2.2}))
        for name in pd.unique(table["method"])
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3)
    return figure


def draw_tolerances(table: pd.DataFrame, printed: Sequence[float]):
    """Draw the boundary F of each situation against the tolerance, one line style per method.

    Parameters
    ----------
    table : DataFrame
        Columns ``situation``, ``method``, ``tolerance``, ``value``.
    printed : sequence of float
        Tolerances marked by vertical lines.
    """
    figure, axis = new_figure(height=3.9)
    for i, (name, group) in enumerate(table.groupby("situation", sort=False)):
        for line, (_, rows) in zip(("-", "--"), group.groupby("method", sort=True), strict=True):
            axis.plot(100 * rows["tolerance"], rows["value"], line, marker=MARKERS[i], markersize=4.5,
                      color=COLOURS[i], label=name if line == "-" else None)  # fmt: skip
    for value in printed:
        axis.axvline(100 * value, color="0.4", linewidth=1)
    axis.plot([], [], color="0.3", label="matching")
    axis.plot([], [], "--", color="0.3", label="morphological")
    axis.set(xlabel="tolerance (% of the diagonal)", ylabel="boundary $F_b$", xscale="log", ylim=(0, 1.03))
    ticks = 100 * np.unique(table["tolerance"])
    axis.set_xticks(ticks, [f"{tick:.3g}" for tick in ticks])
    axis.minorticks_off()
    figure.legend(loc="outside lower center", ncols=4)
    return figure
