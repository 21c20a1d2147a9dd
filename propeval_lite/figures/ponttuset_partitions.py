"""Pictures of partitions: label grids, matchings of contours, kinds of regions, precision and recall, scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from scipy.ndimage import distance_transform_edt

from propeval_lite.figures.panels import equal_f_lines
from propeval_lite.figures.ponttuset_files import draw_borders, draw_files, draw_interpretations
from propeval_lite.figures.segmentations import draw_pictures, picture_grid
from propeval_lite.figures.style import COLOURS, MARKERS, line_style, looks, new_figure, seaborn_looks, styled
from propeval_lite.partitions.boundaries import contours

__all__ = [
    "draw_against_published", "draw_curves", "draw_files", "draw_interpretations", "draw_kinds", "draw_matchings",
    "draw_pictures", "draw_scales", "draw_spread", "draw_table",
]  # fmt: skip

TITLES = {"fb": "boundaries, $F_b$", "fop": "objects and parts, $F_{op}$"}
SHORT = {"fb": "$F_b$", "fop": "$F_{op}$"}
CHOICES = {"test": "training pictures", "best": "test pictures", "OIS": "each picture (OIS)"}
HUMAN: dict[str, Any] = {"marker": "*", "edgecolor": "black", "s": 130, "zorder": 3, "legend": False}

KIND_COLOURS = {
    "object": COLOURS[2],
    "part": COLOURS[5],
    "fragment": COLOURS[4],
    "noise": COLOURS[1],
    "ignored": "#bbbbbb",
}
KIND_LETTERS = {"object": "O", "part": "P", "fragment": "F", "noise": "N", "ignored": ""}


@styled
def draw_table(truth, partition, table: np.ndarray, truth_names: Sequence[str], names: Sequence[str]):
    """Draw a truth, a partition and their contingency table.

    Parameters
    ----------
    truth, partition : int array, shape (height, width)
        Regions numbered from 0.
    table : int array, shape (truth regions, partition regions)
    truth_names, names : sequence of str
        Letters of the regions.
    """
    figure, axes = new_figure(3, height=2.3, width_ratios=(1, 1, 1.35))
    for axis, labels, letters, title, colours in (
        (axes[0], truth, truth_names, "truth $G$", COLOURS),
        (axes[1], partition, names, "partition $S$", (COLOURS[3], COLOURS[4], COLOURS[5], COLOURS[7])),
    ):
        grid = np.asarray(labels)
        axis.imshow(np.array([_pale(colours[k]) for k in range(grid.max() + 1)])[grid])
        for (row, column), label in np.ndenumerate(grid):
            axis.text(column, row, letters[label], ha="center", va="center", fontsize=11)
        draw_borders(axis, grid)
        axis.set(title=title, xticks=[], yticks=[])
        axis.grid(visible=False)
    axis = axes[2]
    whole = np.pad(table.astype(float), ((0, 1), (0, 1)))
    whole[-1, :-1], whole[:-1, -1], whole[-1, -1] = table.sum(axis=0), table.sum(axis=1), table.sum()
    shade = np.where(np.pad(np.ones(table.shape), ((0, 1), (0, 1))) > 0, whole / table.max(), 0.0)
    axis.imshow(shade, cmap="Blues", vmin=0, vmax=2.2, aspect="auto")
    for (row, column), value in np.ndenumerate(whole):
        axis.text(column, row, f"{value:g}", ha="center", va="center", fontsize=11)
    axis.axhline(table.shape[0] - 0.5, color="black", linewidth=1)
    axis.axvline(table.shape[1] - 0.5, color="black", linewidth=1)
    axis.set_xticks(range(table.shape[1] + 1), [*names, "sum"])
    axis.set_yticks(range(table.shape[0] + 1), [*truth_names, "sum"])
    axis.set(title="shared pixels")
    axis.tick_params(length=0, top=False)
    axis.grid(visible=False)
    return figure


@styled
def draw_matchings(partition: np.ndarray, truths: Sequence[np.ndarray], choices: pd.DataFrame):
    """Draw contour pixels of a partition and of truths of one pixel each, with who takes which.

    Parameters
    ----------
    partition : bool array
        Contour of the partition.
    truths : sequence of bool arrays
        Contours of the truths, drawn side by side, each with one pixel.
    choices : DataFrame
        Columns ``truth_1_takes``, ``truth_2_takes``, … (row number of the pixel among the partition's), ``P, R``: one
        row of panels each.
    """
    figure, axes = new_figure(len(truths), len(choices), height=0.7 + 1.35 * len(choices), squeeze=False)
    ends = np.argwhere(partition)
    height, width = partition.shape
    for line, choice in zip(axes, choices.to_dict("records"), strict=True):
        for k, (axis, truth) in enumerate(zip(line, truths, strict=True), start=1):
            pair = np.array([ends[choice[f"truth_{k}_takes"]], *np.argwhere(truth)])
            axis.plot(pair[:, 1], pair[:, 0], color="black", linewidth=2.5, zorder=1)
            for contour, style, marker in ((partition, 0, "s"), (truth, 1, "o")):
                rows, columns = np.nonzero(contour)
                axis.scatter(columns, rows, s=110, marker=marker, color=COLOURS[style], zorder=2)
            axis.set(xlim=(-0.7, width - 0.3), ylim=(height - 0.3, -0.7), aspect="equal",
                     title=f"P = {choice['P']:g}, R = {choice['R']:g}, truth {k}")  # fmt: skip
            axis.set_xticks(range(width), [""] * width)
            axis.set_yticks(range(height), [""] * height)
            axis.tick_params(length=0)
    handles = [
        Line2D([], [], linestyle="", marker="s", markersize=9, color=COLOURS[0], label="partition's contour"),
        Line2D([], [], linestyle="", marker="o", markersize=9, color=COLOURS[1], label="truth's contour"),
        Line2D([], [], color="black", linewidth=2.5, label="matched"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


@styled
def draw_spread(spread: pd.DataFrame, counts):
    """Draw how often each count of matched pixels came out of blindly picked maximum matchings.

    Parameters
    ----------
    spread : DataFrame
        From :func:`propeval_lite.studies.ponttuset_pictures.matching_spread`.
    counts : BoundaryCounts
        Those of the nearest maximum matching, marked by a line.
    """
    figure, axes = new_figure(2, height=3.2, sharey=True)
    titles = {"matched_truth": "truth pixels (recall)", "matched_partition": "partition pixels (precision)"}
    spans = [np.ptp([*spread[name], getattr(counts, name)]) for name in titles]
    width = max(map(float, spans)) / 2 + 3
    for axis, (name, title) in zip(axes, titles.items(), strict=True):
        values = spread[name].value_counts().sort_index()
        axis.bar(values.index, values, color=COLOURS[5], edgecolor=COLOURS[0], width=max(1.0, width / 30))
        mark = getattr(counts, name)
        axis.axvline(mark, color=COLOURS[1], linestyle="--", linewidth=2)
        low, high = min(mark, values.index.min()), max(mark, values.index.max())
        middle = (low + high) / 2
        axis.set(title=title, xlabel="matched pixels", xlim=(middle - width, middle + width))
        axis.ticklabel_format(useOffset=False, style="plain")
        axis.locator_params(axis="x", nbins=4)
    axes[0].set_ylabel("trials")
    handles = [Patch(facecolor=COLOURS[5], edgecolor=COLOURS[0], label="picked blindly"),
               Line2D([], [], color=COLOURS[1], linestyle="--", linewidth=2, label="nearest pairs (here)")]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


@styled
def draw_kinds(panels: Sequence[dict], columns: int = 2, letters_from: float = 0.004):
    """Draw partitions with each region coloured by its kind: object, part, fragment, noise or ignored.

    Parameters
    ----------
    panels : sequence of dict
        Each with ``title``, ``labels`` and ``kinds`` (mapping from label to kind); without ``kinds`` the panel
        shows ``image`` as it is. With both, the picture shines through.
    columns : int
    letters_from : float
        Regions larger than this share of the picture get a letter, too.
    """
    figure, axes = picture_grid(panels, columns)
    seen = set()
    for axis, panel in zip(axes, panels, strict=False):
        if "kinds" not in panel:
            axis.imshow(panel["image"], interpolation="none")
        else:
            seen |= set(panel["kinds"].values())
            axis.imshow(_kind_picture(panel), interpolation="none")
            _letter_regions(axis, panel, letters_from)
        axis.set_title(panel["title"])
    handles = [
        Patch(facecolor=colour, edgecolor="black", label=f"{KIND_LETTERS[kind]}  {kind}".strip())
        for kind, colour in KIND_COLOURS.items()
        if kind in seen
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


@styled
def draw_curves(curves: pd.DataFrame, points: pd.DataFrame, chosen: pd.DataFrame):
    """Draw precision against recall: a row of panels per data set, a column per measure.

    Parameters
    ----------
    curves : DataFrame
        Columns ``dataset, method, swapped, measure, precision, recall``, in the order of the sweep. All swapped curves
        look alike: they say together what is had without looking.
    points : DataFrame
        Humans: ``dataset, same, measure, precision, recall``.
    chosen : DataFrame
        Marks: ``dataset, method, measure, precision, recall`` at the optimal data set scale.
    """
    datasets, methods = list(pd.unique(curves["dataset"])), list(pd.unique(curves["method"]))
    figure, axes = new_figure(2, len(datasets), height=1.1 + 2.75 * len(datasets), squeeze=False, sharey=True)
    plane: dict[str, Any] = {"x": "recall", "y": "precision"}
    told = seaborn_looks(methods)
    dots = {key: told[key] for key in ("palette", "markers", "hue_order", "style_order")}
    lines = {key: told[key] for key in ("palette", "dashes", "hue_order", "style_order")}
    lines |= {"hue": "method", "style": "method", "sort": False, "estimator": None, "legend": False}
    for line, dataset in zip(axes, datasets, strict=True):
        for axis, (measure, title) in zip(line, TITLES.items(), strict=True):
            own, people, marks = (table[(table["dataset"] == dataset) & (table["measure"] == measure)]
                                  for table in (curves, points, chosen))  # fmt: skip
            equal_f_lines(axis)
            for _, rows in own[own["swapped"]].groupby("method", sort=False):
                axis.plot(rows["recall"], rows["precision"], color="0.45", linestyle=":", linewidth=1.1)
            sns.lineplot(own[~own["swapped"]], **plane, **lines, ax=axis)
            sns.scatterplot(marks, **plane, hue="method", style="method", s=55, zorder=3, legend=False, ax=axis,
                            **dots)  # fmt: skip
            for same, fill in ((True, "black"), (False, "white")):
                sns.scatterplot(people[people["same"] == same], **plane, color=fill, **HUMAN, ax=axis)
            axis.set(title=f"{dataset}\n{title}", xlabel="recall", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        line[0].set_ylabel("precision")
    handles = [Line2D([], [], label=method, **line_style(look)) for method, look in looks(methods).items()]
    star: dict[str, Any] = {"linestyle": "", "marker": "*", "color": "black", "markersize": 11}
    handles.append(Line2D([], [], label="human", **star))
    handles.append(Line2D([], [], label="human, swapped", markerfacecolor="white", **star))
    handles.append(Line2D([], [], label="any method, swapped", linestyle=":", color="0.45"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3, handlelength=2.4)
    return figure


@styled
def draw_scales(listing: pd.DataFrame):
    """Draw F of every method at its optimal scales: a row of panels per data set, a column per measure.

    Parameters
    ----------
    listing : DataFrame
        From :func:`propeval_lite.studies.ponttuset_partitions.list_scales`. The mean number of regions at the chosen
        scale stands at the right of each row.
    """
    datasets, methods = list(pd.unique(listing["dataset"])), sorted(pd.unique(listing["method"]))
    height = 1.0 + len(datasets) * (0.75 + 0.26 * len(methods))
    figure, axes = new_figure(2, len(datasets), height=height, squeeze=False, sharex=True, sharey=True)
    for line, dataset in zip(axes, datasets, strict=True):
        for axis, (measure, name) in zip(line, SHORT.items(), strict=True):
            rows = listing[(listing["dataset"] == dataset) & (listing["measure"] == measure)]
            rows = rows.set_index("method").reindex(methods)
            places = range(len(methods))
            axis.hlines(places, rows["test"], rows["OIS"], color="0.75", linewidth=2, zorder=1)
            for i, choice in enumerate(CHOICES):
                axis.plot(rows[choice], places, MARKERS[i], color=COLOURS[i], markersize=(8, 5, 5)[i])
            for place, regions in zip(places, rows["regions (mean)"], strict=True):
                axis.text(1.02, place, f"{regions:.0f}", transform=axis.get_yaxis_transform(), va="center")
            axis.text(1.02, 1.02, "regions", transform=axis.transAxes, va="bottom", ha="center")
            axis.set_title(f"{dataset}, {name}", loc="left")
    axes[0, 0].set_yticks(range(len(methods)), methods)
    axes[0, 0].set_ylim(len(methods) - 0.5, -0.5)
    for axis in axes[-1]:
        axis.set_xlabel("F")
    handles = [Line2D([], [], linestyle="", marker=MARKERS[i], color=COLOURS[i], label=label)
               for i, label in enumerate(CHOICES.values())]  # fmt: skip
    figure.legend(
        handles=handles, loc="outside lower center", ncols=3, title="scale chosen on", handletextpad=0.1
    )
    return figure


@styled
def draw_against_published(here: pd.DataFrame, published: pd.DataFrame, names: dict[str, str]):
    """Draw our curves under the published ones, a panel per method.

    Parameters
    ----------
    here : DataFrame
        Columns ``method, swapped, measure, precision, recall``.
    published : DataFrame
        Columns ``method, image`` ("same" or "swapped"), ``measure, kind, precision, recall``.
    names : dict
        Name here to name in the paper.
    """
    rows = -(-len(names) // 2)
    figure, axes = new_figure(2, rows, height=1.1 + 2.6 * rows, squeeze=False, sharey=True, sharex=True)
    printed = published[published["kind"] == "curve"]
    for axis, (ours, theirs) in zip(axes.ravel(), names.items(), strict=False):
        equal_f_lines(axis)
        for (measure, colour), marker in zip(zip(TITLES, COLOURS, strict=False), MARKERS, strict=False):
            for swapped, dash in ((False, "-"), (True, ":")):
                line = here[
                    (here["method"] == ours) & (here["measure"] == measure) & (here["swapped"] == swapped)
                ]
                axis.plot(line["recall"], line["precision"], dash, color=colour)
                dots = printed[(printed["method"] == theirs) & (printed["measure"] == measure)]
                dots = dots[(dots["image"] == "swapped") == swapped]
                axis.plot(dots["recall"], dots["precision"], marker, color=colour, markersize=4.5,
                          markerfacecolor="white")  # fmt: skip
        title = ours if ours == theirs else f"{ours} (paper: {theirs})"
        axis.set(title=title, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    for axis in axes[:, 0]:
        axis.set_ylabel("precision")
    for axis in axes.ravel()[: len(names)][-2:]:
        axis.set_xlabel("recall")
        axis.tick_params(labelbottom=True)
    for axis in axes.ravel()[len(names) :]:
        axis.axis("off")
    handles = [Line2D([], [], color=colour, marker=marker, markersize=4.5, markerfacecolor="white", label=title)
               for title, colour, marker in zip(TITLES.values(), COLOURS, MARKERS, strict=False)]  # fmt: skip
    handles += [Line2D([], [], color="0.3", linestyle=dash, label=label)
                for dash, label in (("-", "here"), (":", "here, image swapped"))]  # fmt: skip
    handles.append(Line2D([], [], color="0.3", linestyle="", marker="o", markersize=4.5, markerfacecolor="white",
                          label="published"))  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def _pale(colour: str) -> np.ndarray:
    return 0.45 * np.array(to_rgb(colour)) + 0.55


def _kind_picture(panel: dict) -> np.ndarray:
    labels = np.asarray(panel["labels"])
    colours = np.zeros((int(labels.max()) + 1, 3))
    for label, kind in panel["kinds"].items():
        colours[label] = to_rgb(KIND_COLOURS[kind])
    picture = colours[labels]
    if "image" in panel:
        grey = np.asarray(panel["image"], dtype=float).mean(axis=2, keepdims=True) / 255
        picture = picture * (0.7 + 0.3 * grey)
    picture[contours(labels, thin=False)] = 0.1
    return picture


def _letter_regions(axis, panel: dict, share: float) -> None:
    labels = np.asarray(panel["labels"])
    for label, kind in panel["kinds"].items():
        inside = np.pad(labels == label, 1)
        if inside.sum() < share * labels.size:
            continue
        row, column = np.unravel_index(distance_transform_edt(inside).argmax(), inside.shape)
        text = axis.text(column - 1, row - 1, KIND_LETTERS[kind], ha="center", va="center", fontsize=10)
        text.set(fontweight="bold", path_effects=[withStroke(linewidth=2.5, foreground="white")])
