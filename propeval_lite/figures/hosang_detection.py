"""Pictures of detection: scores around objects, mAP against average recall, and how sure 16 methods make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import seaborn as sns

from propeval_lite.figures.panels import curves, intervals
from propeval_lite.figures.style import COLOURS, MARKERS, looks, new_figure, styled

SHADES = "viridis"


@styled
def score_maps(maps: Mapping[str, np.ndarray]):
    """Draw score maps as shades, two in a row: the middle is the object's place.

    Parameters
    ----------
    maps : mapping of str to array, (n, n)
        Title and map; each is stretched to its own range.
    """
    rows = (len(maps) + 1) // 2
    figure, axes = new_figure(2, rows, height=2.75 * rows, squeeze=False)
    for axis, (title, one) in zip(axes.flat, maps.items(), strict=False):
        half = one.shape[0] // 2
        reach = half + 0.5
        axis.imshow(one, cmap=SHADES, extent=(-reach, reach, reach, -reach))
        axis.plot(0, 0, "+", color="white", markersize=10, markeredgewidth=2)
        axis.set(title=title, xticks=(-half, 0, half), yticks=(-half, 0, half))
        axis.grid(visible=False)
    for axis in axes.flat[len(maps) :]:
        axis.set_axis_off()
    return figure


@styled
def scores_by_overlap(scores: pd.DataFrame, low: float, high: float):
    """Draw mean scores against overlap, one line per detector, the range of the claim shaded.

    Parameters
    ----------
    scores : DataFrame
        Columns ``detector, iou, score, group``; a panel per group.
    low, high : float
    """
    grid = curves(
        scores, "iou", "score", hue="detector", panels="group", wrap=1, every=2, height=2.5, band=None
    )
    for axis in grid.axes.flat:
        axis.axvspan(low, high, color="0.92", zorder=0)
    grid.set(ylim=(0, 1.02), xlim=(0.2, 1))
    grid.set_axis_labels("IoU with the object", "score, stretched")
    return grid.figure


@styled
def differences(table: pd.DataFrame):
    """Draw Table 2 as shades: the change of AP of each category by each method's proposals.

    Parameters
    ----------
    table : DataFrame
        A row per method, a column per category. One number in twenty is beyond the shades.
    """
    figure, axis = new_figure(height=4.9)
    reach = float(np.quantile(np.abs(table.to_numpy()), 0.95))
    sns.heatmap(
        table, ax=axis, cmap="RdBu", center=0, vmin=-reach, vmax=reach, linewidths=0.4,
        cbar_kws={"label": "change of AP, points", "shrink": 0.8, "extend": "both"}, xticklabels=True, yticklabels=True,
    )  # fmt: skip
    axis.set(xlabel="", ylabel="")
    axis.tick_params(axis="x", rotation=90)
    return figure


@styled
def correlation_by_threshold(table: pd.DataFrame, names: Sequence[str]):
    """Draw how mAP correlates with recall at each threshold, and with AR: a panel per detector.

    Parameters
    ----------
    table : DataFrame
        Columns ``detector, predictor, tau, r, low, high``; ``tau`` is NaN for predictors that are no recall.
    names : sequence of str
        Of those predictors: a level line each.
    """
    detectors = list(pd.unique(table["detector"]))
    columns = min(len(detectors), 2)
    rows = (len(detectors) + columns - 1) // columns
    figure, axes = new_figure(columns, rows, height=2.5 * rows + 0.9, squeeze=False, sharex=True, sharey=True)
    for axis, name in zip(axes.flat, detectors, strict=False):
        part = table[table["detector"] == name]
        line = part[part["tau"].notna()].sort_values("tau")
        axis.plot(line["tau"], line["r"], color=COLOURS[0], label="recall at the threshold")
        axis.fill_between(line["tau"], line["low"], line["high"], color=COLOURS[0], alpha=0.15, linewidth=0)
        for i, predictor in enumerate(names):
            value = float(part.loc[part["predictor"] == predictor, "r"].iloc[0])
            axis.axhline(value, color=COLOURS[i + 1], linestyle=("--", ":", "-.")[i % 3], label=predictor)
        axis.set(title=name, xlim=(0.5, 1), ylim=(0, 1))
    for axis in axes[-1]:
        axis.set_xlabel("IoU threshold")
    for axis in axes[:, 0]:
        axis.set_ylabel("correlation, r")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


@styled
def against_ar(table: pd.DataFrame):
    """Draw mAP against average recall, a mark per method and a panel per detector, with the straight line that fits.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, detector, AR, mAP``.
    """
    detectors = list(pd.unique(table["detector"]))
    columns = min(len(detectors), 2)
    rows = (len(detectors) + columns - 1) // columns
    known = marks(pd.unique(table["method"]))
    lines = (len(known) + 2) // 3
    figure, axes = new_figure(
        columns, rows, height=2.5 * rows + 0.3 + 0.22 * lines, squeeze=False, sharex=True
    )
    for axis, name in zip(axes.flat, detectors, strict=False):
        part = table[table["detector"] == name]
        ends = np.array([part["AR"].min(), part["AR"].max()])
        if len(part) > 1 and ends[0] < ends[1]:
            axis.plot(ends, np.polyval(np.polyfit(part["AR"], part["mAP"], 1), ends), color="0.6", zorder=1)
        for method, x, y in zip(part["method"], part["AR"], part["mAP"], strict=True):
            colour, marker = known[method]
            axis.plot(x, y, marker, color=colour, label=method)
        axis.set(title=name, ylim=(0, None), xlim=(0, None))
    for axis in axes[-1]:
        axis.set_xlabel("average recall")
    for axis in axes[:, 0]:
        axis.set_ylabel("mAP")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    pairs = [(h, text) for h, text in zip(handles, labels, strict=True) if not text.startswith("_")]
    figure.legend(*zip(*pairs, strict=True), loc="outside lower center", ncols=3, columnspacing=1)
    return figure


@styled
def which_survive(table: pd.DataFrame):
    """Draw the differences of two correlations with their intervals; a filled mark where the methods suffice to tell.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.hosang_detection_predictors.comparisons`.
    """
    pairs = list(dict.fromkeys(zip(table["first"], table["second"], strict=True)))
    detectors = list(pd.unique(table["detector"]))
    figure, axis = new_figure(height=1.6 + 0.2 * len(table))
    numbers = table[["difference", "low", "high"]].to_numpy(dtype=np.float64)
    labelled = ~table["detector"].duplicated()
    for k, (middle, low, high) in enumerate(numbers):
        i = detectors.index(table["detector"].iloc[k])
        pair = pairs.index((table["first"].iloc[k], table["second"].iloc[k]))
        axis.errorbar(
            middle, pair + (i - (len(detectors) - 1) / 2) * 0.18, fmt=MARKERS[i % len(MARKERS)], capsize=2,
            xerr=np.maximum([[middle - low], [high - middle]], 0), color=COLOURS[i % len(COLOURS)],
            markerfacecolor=None if table["survives"].iloc[k] else "white",
            label=detectors[i] if labelled.iloc[k] else None,
        )  # fmt: skip
    axis.axvline(0, color="black", linewidth=1)
    axis.set_yticks(range(len(pairs)), [f"{a}\nover {b}" for a, b in pairs])
    axis.set(xlabel="difference of the two correlations", ylim=(len(pairs) - 0.5, -0.5))
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


@styled
def by_category(each: pd.DataFrame):
    """Draw the correlation of AR and AP in each category, a mark per detector, the smallest on top.

    Parameters
    ----------
    each : DataFrame
        Columns ``detector, category, r``.
    """
    order = each.groupby("category")["r"].mean().sort_values().index.tolist()
    figure, axis = intervals(
        each.drop(columns=["low", "high"]), "r", "category", hue="detector", order=order, height=6.4
    )
    axis.set(xlabel="correlation of AR and AP, r", xlim=(None, 1))
    return figure


@styled
def gains(table: pd.DataFrame, named: int = 4):
    """Draw what training anew adds against how well a method places its boxes.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, localisation, gain, group``; a panel per group.
    named : int
        So many methods with the largest gains are named in each panel.
    """
    groups = list(pd.unique(table["group"]))
    figure, axes = new_figure(len(groups), height=3.4, squeeze=False)
    for i, (axis, group) in enumerate(zip(axes[0], groups, strict=True)):
        part = table[table["group"] == group].sort_values("gain", ascending=False, kind="stable")
        axis.plot(part["localisation"], part["gain"], MARKERS[i], color=COLOURS[i])
        right = part["localisation"].max()
        for method, x, y in zip(part["method"][:named], part["localisation"], part["gain"], strict=False):
            side = ("right", -5) if x > right / 2 else ("left", 5)
            axis.annotate(method, (x, y), (side[1], 4), textcoords="offset points", ha=side[0])
        axis.axhline(0, color="black", linewidth=1)
        axis.set(title=group, xlabel="recall at .8 over recall at .5", xlim=(0, None))
        axis.margins(y=0.15)
    axes[0, 0].set_ylabel("gain of mAP, points")
    return figure


def marks(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return colour and marker of each method as everywhere in the book; of two alike the later gets another marker.

    Examples
    --------
    >>> found = marks(["Objectness", "Gaussian"])
    >>> found["Objectness"][0] == found["Gaussian"][0], found["Objectness"] == found["Gaussian"]
    (True, False)
    """
    taken: dict[str, tuple[str, str]] = {}
    for name, look in looks(names).items():
        pairs = [(look.colour, marker) for marker in (look.marker, *MARKERS)]
        taken[name] = next((pair for pair in pairs if pair not in taken.values()), pairs[0])
    return taken
