"""Pictures of partitions: label grids, matchings of contours, kinds of regions, segmentations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from scipy.ndimage import distance_transform_edt

from propeval_lite.figures.style import COLOURS, new_figure
from propeval_lite.partitions.boundaries import contours

KIND_COLOURS = {
    "object": COLOURS[2],
    "part": COLOURS[5],
    "fragment": COLOURS[4],
    "noise": COLOURS[1],
    "ignored": "#bbbbbb",
}
KIND_LETTERS = {"object": "O", "part": "P", "fragment": "F", "noise": "N", "ignored": ""}


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
    figure, axes = new_figure(3, width=7.4, height=2.9, width_ratios=(1, 1, 1.35))
    for axis, labels, letters, title, colours in (
        (axes[0], truth, truth_names, "truth $G$", COLOURS),
        (axes[1], partition, names, "partition $S$", (COLOURS[3], COLOURS[4], COLOURS[5], COLOURS[7])),
    ):
        grid = np.asarray(labels)
        axis.imshow(np.array([_pale(colours[k]) for k in range(grid.max() + 1)])[grid])
        for (row, column), label in np.ndenumerate(grid):
            axis.text(column, row, letters[label], ha="center", va="center", fontsize=11)
        _borders(axis, grid)
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


def draw_matchings(partition: np.ndarray, truths: Sequence[np.ndarray], choices: Sequence[dict]):
    """Draw contour pixels of a partition and of truths, with the pairs of several choices of matchings.

    Parameters
    ----------
    partition : bool array
        Contour of the partition.
    truths : sequence of bool arrays
        Contours of the truths, drawn side by side.
    choices : sequence of dict
        Each with ``title`` and ``pairs``: for every truth a list of ((row, column), (row, column)), partition
        pixel first. One row of panels per choice.
    """
    figure, axes = new_figure(
        len(truths), len(choices), width=6.4, height=0.7 + 1.25 * len(choices), squeeze=False
    )
    height, width = partition.shape
    for line, choice in zip(axes, choices, strict=True):
        for k, (axis, truth, pairs) in enumerate(zip(line, truths, choice["pairs"], strict=True)):
            for (row, column), (row2, column2) in pairs:
                axis.plot([column, column2], [row, row2], color="black", linewidth=2.5, zorder=1)
            for contour, style, marker in ((partition, 0, "s"), (truth, 1, "o")):
                rows, columns = np.nonzero(contour)
                axis.scatter(columns, rows, s=110, marker=marker, color=COLOURS[style], zorder=2)
            axis.set(xlim=(-0.7, width - 0.3), ylim=(height - 0.3, -0.7), aspect="equal",
                     title=f"{choice['title']}, truth {k + 1}")  # fmt: skip
            axis.set_xticks(range(width), [""] * width)
            axis.set_yticks(range(height), [""] * height)
            axis.tick_params(length=0)
            axis.title.set_fontsize(10)
    handles = [
        Line2D([], [], linestyle="", marker="s", markersize=9, color=COLOURS[0], label="partition's contour"),
        Line2D([], [], linestyle="", marker="o", markersize=9, color=COLOURS[1], label="truth's contour"),
        Line2D([], [], color="black", linewidth=2.5, label="matched"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return figure


def draw_spread(spread: pd.DataFrame, counts):
    """Draw how often each count of matched pixels came out of blindly picked maximum matchings.

    Parameters
    ----------
    spread : DataFrame
        From :func:`propeval_lite.studies.ponttuset_partitions.matching_spread`.
    counts : BoundaryCounts
        Those of the nearest maximum matching, marked by a line.
    """
    figure, axes = new_figure(2, height=2.9, width=7.2, sharey=True)
    titles = {"matched_truth": "matched truth pixels (recall)",
              "matched_partition": "matched partition pixels (precision)"}  # fmt: skip
    spans = [np.ptp([*spread[name], getattr(counts, name)]) for name in titles]
    width = max(map(float, spans)) / 2 + 3
    for axis, (name, title) in zip(axes, titles.items(), strict=True):
        values = spread[name].value_counts().sort_index()
        axis.bar(values.index, values, color=COLOURS[5], edgecolor=COLOURS[0], width=max(1.0, width / 30))
        mark = getattr(counts, name)
        axis.axvline(mark, color=COLOURS[1], linestyle="--", linewidth=2)
        low, high = min(mark, values.index.min()), max(mark, values.index.max())
        middle = (low + high) / 2
        axis.set(title=title, xlabel="pixels", xlim=(middle - width, middle + width))
        axis.title.set_fontsize(10)
        axis.ticklabel_format(useOffset=False, style="plain")
        axis.locator_params(axis="x", nbins=5)
    axes[0].set_ylabel("trials")
    handles = [Patch(facecolor=COLOURS[5], edgecolor=COLOURS[0], label="picked blindly"),
               Line2D([], [], color=COLOURS[1], linestyle="--", linewidth=2, label="nearest pairs (here)")]  # fmt: skip
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False)
    return figure


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
    figure, axes = _grid(panels, columns, 7.4)
    seen = set()
    for axis, panel in zip(axes, panels, strict=False):
        if "kinds" not in panel:
            axis.imshow(panel["image"], interpolation="none")
        else:
            seen |= set(panel["kinds"].values())
            axis.imshow(_kind_picture(panel), interpolation="none")
            _letter_regions(axis, panel, letters_from)
        axis.set_title(panel["title"], fontsize=10)
    handles = [
        Patch(facecolor=colour, edgecolor="black", label=f"{KIND_LETTERS[kind]}  {kind}".strip())
        for kind, colour in KIND_COLOURS.items()
        if kind in seen
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def draw_pictures(panels: Sequence[dict], columns: int):
    """Draw pictures and partitions in a grid; partitions are filled with the mean colour of each region.

    Parameters
    ----------
    panels : sequence of dict
        Each with ``title`` and ``image``, and for a partition ``labels``; None leaves a gap.
    columns : int
    """
    figure, axes = _grid(panels, columns, 7.4)
    for axis, panel in zip(axes, panels, strict=False):
        if panel is None:
            continue
        shown = panel["image"]
        if "labels" in panel:
            shown = _mean_colours(panel["image"], panel["labels"])
        axis.imshow(shown, interpolation="none")
        axis.set_title(panel["title"], fontsize=9)
    return figure


def _pale(colour: str) -> np.ndarray:
    return 0.45 * np.array(to_rgb(colour)) + 0.55


def _borders(axis, grid: np.ndarray) -> None:
    """Draw a line wherever two neighbouring cells have different labels."""
    for row, column in np.argwhere(grid[:, 1:] != grid[:, :-1]):
        axis.plot([column + 0.5] * 2, [row - 0.5, row + 0.5], color="black", linewidth=2)
    for row, column in np.argwhere(grid[1:] != grid[:-1]):
        axis.plot([column - 0.5, column + 0.5], [row + 0.5] * 2, color="black", linewidth=2)


def _grid(panels: Sequence, columns: int, width: float):
    """Axes for pictures of one shape, without ticks."""
    first = next(panel for panel in panels if panel is not None)
    shape = np.shape(first["image"] if "image" in first else first["labels"])
    rows = -(-len(panels) // columns)
    height = rows * (width / columns * shape[0] / shape[1] + 0.24) + 0.3
    figure, axes = new_figure(columns, rows, width, height, squeeze=False)
    for axis in axes.ravel():
        axis.axis("off")
    return figure, axes.ravel()


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


def _mean_colours(image: np.ndarray, labels: np.ndarray) -> np.ndarray:
    labels = np.asarray(labels)
    pixels = np.bincount(labels.ravel())
    sums = [np.bincount(labels.ravel(), image[..., channel].ravel()) for channel in range(3)]
    means = np.stack(sums, axis=1) / np.maximum(pixels, 1)[:, None] / 255
    shown = means[labels]
    shown[contours(labels)] = to_rgb("#ffffff") if shown.mean() < 0.5 else (0, 0, 0)
    return shown
