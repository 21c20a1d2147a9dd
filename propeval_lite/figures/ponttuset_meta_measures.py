"""Pictures of meta-measures: densities of scores, duels of scores, and measures ranked by what they can tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from propeval_lite.figures.style import COLOURS, MARKERS, new_figure

SIDES = {"same": "same image", "different": "two images"}
RULES = {"density": ("where the densities cross", "--"), "threshold": ("best threshold", ":")}


def draw_densities(bins: pd.DataFrame, thresholds: pd.DataFrame, titles: dict[str, str]):
    """Draw how the scores of same-image and of different-image pairs are spread, one panel per measure.

    Parameters
    ----------
    bins : DataFrame
        Columns ``measure, side`` ("same" or "different"), ``low, high`` (edges of the bin), ``density``.
    thresholds : DataFrame
        Columns ``measure, classifier`` ("density" or "threshold"), ``threshold``.
    titles : dict
        Measure to title of its panel; the panels in this order.
    """
    figure, axes = new_figure(len(titles), width=7.4, height=3.5, squeeze=False)
    for axis, (measure, title) in zip(axes[0], titles.items(), strict=True):
        rows = bins[bins["measure"] == measure]
        for (side, _), colour, hatch in zip(SIDES.items(), COLOURS, ("", "///"), strict=False):
            part = rows[rows["side"] == side].sort_values("low")
            edges = [*part["low"], part["high"].iloc[-1]]
            axis.stairs(part["density"], edges, fill=True, alpha=0.35, color=colour, hatch=hatch)
            axis.stairs(part["density"], edges, color=colour, linewidth=1.6)
        for row in thresholds[thresholds["measure"] == measure].itertuples():
            axis.axvline(row.threshold, color="black", linestyle=RULES[row.classifier][1], linewidth=1.8)
        seen = rows[rows["density"] > 0]
        pad = 0.04 * (seen["high"].max() - seen["low"].min())
        axis.set(title=title, xlabel="score", xlim=(seen["low"].min() - pad, seen["high"].max() + pad))
        axis.title.set_fontsize(10)
        axis.set_ylim(bottom=0)
    axes[0, 0].set_ylabel("density")
    handles = [
        Patch(facecolor=colour, alpha=0.45, hatch=hatch, label=f"pairs of {name}")
        for name, colour, hatch in zip(SIDES.values(), COLOURS, ("", "///"), strict=False)
    ]
    handles += [Line2D([], [], color="black", linestyle=line, label=name) for name, line in RULES.values()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def draw_duels(duels: pd.DataFrame, titles: dict[str, str], better: dict[str, bool], names: Sequence[str]):
    """Draw the score of what should be better against the score of what should be worse, a dot per image and method.

    Parameters
    ----------
    duels : DataFrame
        Columns ``measure, method, good, bad``.
    titles : dict
        Measure to title of its panel; the panels in this order.
    better : dict
        Measure to whether higher is better; the side of wrong judgements is grey.
    names : sequence of str
        Labels of the axes: what is worse (x) and what is better (y).
    """
    figure, axes = new_figure(len(titles), width=7.4, height=4.3, squeeze=False)
    methods = list(dict.fromkeys(duels["method"]))
    for axis, (measure, title) in zip(axes[0], titles.items(), strict=True):
        rows = duels[duels["measure"] == measure]
        low, high = rows[["good", "bad"]].min().min(), rows[["good", "bad"]].max().max()
        pad = 0.05 * (high - low or 1.0)
        ends = np.array([low - pad, high + pad])
        wrong = ends[0] if better[measure] else ends[1]
        axis.fill_between(ends, ends, wrong, color="0.9", zorder=0)
        axis.plot(ends, ends, color="0.35", linewidth=1)
        for i, method in enumerate(methods):
            part = rows[rows["method"] == method]
            axis.plot(part["bad"], part["good"], MARKERS[i % len(MARKERS)], color=COLOURS[i % len(COLOURS)],
                      markersize=5, markeredgecolor="white", markeredgewidth=0.4)  # fmt: skip
        corner = (0.97, 0.04, "right", "bottom") if better[measure] else (0.03, 0.96, "left", "top")
        axis.text(
            *corner[:2], "misjudged", transform=axis.transAxes, ha=corner[2], va=corner[3], color="0.35"
        )
        axis.set(title=title, xlabel=names[0], xlim=ends, ylim=ends, aspect="equal")
        axis.title.set_fontsize(10)
    axes[0, 0].set_ylabel(names[1])
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=MARKERS[i % len(MARKERS)],
            color=COLOURS[i % len(COLOURS)],
            label=method,
        )
        for i, method in enumerate(methods)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4))
    return figure


def draw_rows(table: pd.DataFrame, titles: dict[str, str]):
    """Draw meta-measures of measures, one panel per meta-measure, published beside computed.

    Parameters
    ----------
    table : DataFrame
        Columns ``measure, meta_measure, source, value`` in per cent, and ``low, high`` (NaN without a range). The
        measures are drawn from the top in the order in which they come.
    titles : dict
        Meta-measure to title of its panel.
    """
    measures = list(dict.fromkeys(table["measure"]))
    sources = list(dict.fromkeys(table["source"]))
    place = {name: -i for i, name in enumerate(measures)}
    figure, axes = new_figure(
        len(titles), width=7.4, height=1.3 + 0.3 * len(measures), sharey=True, squeeze=False
    )
    for axis, (meta, title) in zip(axes[0], titles.items(), strict=True):
        for i, source in enumerate(sources):
            rows = table[(table["meta_measure"] == meta) & (table["source"] == source)]
            y = rows["measure"].map(place)
            axis.hlines(y, rows["low"], rows["high"], color=COLOURS[i], linewidth=3, alpha=0.35)
            axis.plot(rows["value"], y, MARKERS[i], color=COLOURS[i], markersize=7,
                      markerfacecolor="white" if i else COLOURS[i], markeredgewidth=1.6)  # fmt: skip
        axis.set(title=title, xlabel="per cent")
        axis.title.set_fontsize(10)
    axes[0, 0].set_yticks(list(place.values()), measures)
    handles = [
        Line2D([], [], linestyle="", marker=MARKERS[i], color=COLOURS[i], markeredgewidth=1.6,
               markerfacecolor="white" if i else COLOURS[i], label=source)
        for i, source in enumerate(sources)
    ]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure
