"""Pictures of meta-measures: densities of scores, duels of scores, and measures ranked by what they can tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from propeval_lite.figures.panels import intervals
from propeval_lite.figures.segmentations import draw_pictures
from propeval_lite.figures.style import COLOURS, MARKERS, line_style, looks, new_figure, seaborn_looks, styled

__all__ = ["draw_densities", "draw_duels", "draw_pictures", "draw_rows", "draw_sihd"]

SIDES = {"same": ("same image", COLOURS[0], ""), "different": ("two images", COLOURS[1], "///")}
RULES = {"density": ("where the densities cross", "--"), "threshold": ("best threshold", ":")}


@styled
def draw_sihd(table: pd.DataFrame):
    """Draw SIHD of every measure with the range of single draws, and with the best threshold.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.ponttuset_meta_measures.sihd_table` in per cent, best measure first.
    """
    names = {"sihd": "densities cross (line: single draws)", "best threshold": "best threshold"}
    tall = table.melt("measure", list(names), "classifier", "SIHD in per cent").replace({"classifier": names})
    own = tall["classifier"] == names["sihd"]
    tall = tall.merge(table[["measure", "lowest draw", "highest draw"]], on="measure")
    tall["low"], tall["high"] = (tall[end].where(own) for end in ("lowest draw", "highest draw"))
    return intervals(tall, "SIHD in per cent", "measure", hue="classifier", order=table["measure"])[0]


@styled
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
    figure, axes = new_figure(len(titles), height=3.9, squeeze=False)
    for axis, (measure, title) in zip(axes[0], titles.items(), strict=True):
        rows = bins[bins["measure"] == measure]
        for side, (_, colour, hatch) in SIDES.items():
            part = rows[rows["side"] == side].sort_values("low")
            edges = [*part["low"], part["high"].iloc[-1]]
            axis.stairs(part["density"], edges, fill=True, alpha=0.35, color=colour, hatch=hatch)
            axis.stairs(part["density"], edges, color=colour, linewidth=1.6)
        for row in thresholds[thresholds["measure"] == measure].to_dict("records"):
            axis.axvline(
                row["threshold"], color="black", linestyle=RULES[row["classifier"]][1], linewidth=1.8
            )
        seen = rows[rows["density"] > 0]
        pad = 0.04 * (seen["high"].max() - seen["low"].min())
        axis.set(title=title, xlabel="score", xlim=(seen["low"].min() - pad, seen["high"].max() + pad))
        axis.set_ylim(bottom=0)
    axes[0, 0].set_ylabel("density")
    handles: list[Artist] = [Patch(facecolor=colour, alpha=0.45, hatch=hatch, label=f"pairs of {name}")
               for name, colour, hatch in SIDES.values()]  # fmt: skip
    handles += [Line2D([], [], color="black", linestyle=line, label=name) for name, line in RULES.values()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


@styled
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
    figure, axes = new_figure(len(titles), height=4.0, squeeze=False)
    methods = list(pd.unique(duels["method"]))
    told = seaborn_looks(methods)
    dots = {key: told[key] for key in ("palette", "markers", "hue_order", "style_order")}
    for axis, (measure, title) in zip(axes[0], titles.items(), strict=True):
        rows = duels[duels["measure"] == measure]
        low, high = rows[["good", "bad"]].min().min(), rows[["good", "bad"]].max().max()
        pad = 0.05 * (high - low or 1.0)
        ends = np.array([low - pad, high + pad])
        axis.fill_between(ends, ends, ends[0] if better[measure] else ends[1], color="0.9", zorder=0)
        axis.plot(ends, ends, color="0.35", linewidth=1)
        sns.scatterplot(rows, x="bad", y="good", hue="method", style="method", s=32, legend=False, ax=axis,
                        **dots)  # fmt: skip
        x, y, ha, va = (0.97, 0.04, "right", "bottom") if better[measure] else (0.03, 0.96, "left", "top")
        axis.text(x, y, "misjudged", transform=axis.transAxes, ha=ha, va=va, color="0.35")
        axis.set(title=title, xlabel=names[0], ylabel="", xlim=ends, ylim=ends, aspect="equal")
    axes[0, 0].set_ylabel(names[1])
    handles = [Line2D([], [], label=method, **line_style(look) | {"linestyle": ""})
               for method, look in looks(methods).items()]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 3))
    return figure


@styled
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
    measures, sources = (list(pd.unique(table[name])) for name in ("measure", "source"))
    place = {name: i for i, name in enumerate(measures)}
    height = 1.4 + 0.27 * len(measures)
    figure, axes = new_figure(len(titles), height=height, sharey=True, squeeze=False)
    for axis, (meta, title) in zip(axes[0], titles.items(), strict=True):
        for i, source in enumerate(sources):
            rows = table[(table["meta_measure"] == meta) & (table["source"] == source)]
            y = rows["measure"].map(place)
            axis.hlines(y, rows["low"], rows["high"], color=COLOURS[i], linewidth=3, alpha=0.35)
            axis.plot(rows["value"], y, **_dot(i))
        axis.set(title=title, xlabel="per cent")
    axes[0, 0].set_yticks(range(len(measures)), measures)
    axes[0, 0].set_ylim(len(measures) - 0.5, -0.5)
    handles = [Line2D([], [], label=source, **_dot(i)) for i, source in enumerate(sources)]
    figure.legend(handles=handles, loc="outside lower center", ncols=1)
    return figure


def _dot(i: int) -> dict:
    """Look of a source: the first is filled, the others let it shine through."""
    return {"linestyle": "", "marker": MARKERS[i], "color": COLOURS[i], "markeredgewidth": 1.6,
            "markerfacecolor": "white" if i else COLOURS[i]}  # fmt: skip
