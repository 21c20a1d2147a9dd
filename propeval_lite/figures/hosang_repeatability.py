"""Pictures of the chapter on repeatability: perturbations, the crop of a rotation, curves beside published ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from propeval_lite.datasets.homographies import rotation_crop
from propeval_lite.datasets.perturbations import LOSSLESS, PERTURBATIONS, perturb
from propeval_lite.figures.panels import curves
from propeval_lite.figures.style import GREY, TEXT, WIDTH, line_style, looks, new_figure, styled

NAMES = {
    "scale": "scale", "jpeg": "JPEG", "rotation": "rotation", "illumination": "illumination", "blur": "blur",
    "salt_and_pepper": "salt and pepper",
}  # fmt: skip
AXES = {
    "scale": "log₂ of the scale", "jpeg": "JPEG quality, %", "rotation": "rotation, degrees",
    "illumination": "brightness, %", "blur": "σ of the blur, pixels",
    "salt_and_pepper": "log₁₀ of the changed pixels; none at −1",
}  # fmt: skip
#: Values of each kind in the picture of examples.
EXAMPLES = {
    "scale": (0.5, 0.9, 1), "jpeg": (5, 20, LOSSLESS), "rotation": (-20, -5, 0), "illumination": (50, 130, 100),
    "blur": (8, 2, 0), "salt_and_pepper": (1000, 100, 0),
}  # fmt: skip


def place(kind: str, values) -> np.ndarray:
    """Where the paper draws values: scale as its binary logarithm, numbers of pixels as their decimal one.

    Examples
    --------
    >>> place("scale", [0.5, 1]).tolist(), place("salt_and_pepper", [0, 1, 10]).tolist()
    ([-1.0, 0.0], [-1.0, 0.0, 1.0])
    """
    values = np.asarray(values, dtype=np.float64)
    if kind == "scale":
        return np.log2(values)
    if kind == "salt_and_pepper":
        return np.log10(np.maximum(values, 0.1))
    return values


def label(kind: str, value: float) -> str:
    """One value with its unit, as a title says it.

    Examples
    --------
    >>> label("rotation", -5), label("jpeg", 120), label("salt_and_pepper", 1000)
    ('−5°', 'lossless', '1,000 pixels')
    """
    text = f"{value:,g}".replace("-", "−")
    ends = {"scale": f"× {text}", "jpeg": f"{text} %", "rotation": f"{text}°", "illumination": f"{text} %",
            "blur": f"σ = {text}", "salt_and_pepper": f"{value:,.0f} pixels"}  # fmt: skip
    return "lossless" if kind == "jpeg" and value == LOSSLESS else ends[kind]


@styled
def examples(image: np.ndarray):
    """Draw a picture under all six perturbations, a row each, the strongest first and the unchanged one last."""
    height, width = image.shape[:2]
    figure, axes = new_figure(3, len(EXAMPLES), height=len(EXAMPLES) * (WIDTH / 3 * height / width + 0.42))
    for row, (kind, values) in zip(axes, EXAMPLES.items(), strict=True):
        for axis, value in zip(row, values, strict=True):
            axis.imshow(perturb(image, kind, value))
            axis.set_title(label(kind, value), fontsize=TEXT - 1, pad=3)
            _bare(axis)
        row[0].set_ylabel(NAMES[kind])
    return figure


@styled
def crops(image: np.ndarray, angles: Sequence[float] = (20, -5)):
    """Draw, for each angle, the turned picture with the part that is kept, and that part.

    The frame drawn is the crop of :func:`~propeval_lite.datasets.homographies.rotation_crop`.
    """
    height, width = image.shape[:2]
    figure, axes = new_figure(2, len(angles), height=len(angles) * (WIDTH / 2 * height / width + 0.4))
    for row, angle in zip(axes, angles, strict=True):
        crop, first = rotation_crop((width, height), angle)
        row[0].imshow(turned(image, angle))
        x, y = first - 1.5
        corners = np.array(
            [[x, y], [x + crop.width, y], [x + crop.width, y + crop.height], [x, y + crop.height]]
        )
        row[0].fill(*corners.T, facecolor="none", edgecolor="#D55E00", linewidth=2)
        row[0].set_title(f"turned by {label('rotation', angle)}", fontsize=TEXT)
        row[1].imshow(perturb(image, "rotation", angle))
        row[1].set_title(f"its crop, {crop.width} × {crop.height}", fontsize=TEXT)
        for axis in row:
            _bare(axis)
    return figure


def _bare(axis) -> None:
    """Leave a picture without ticks, grid and border."""
    axis.set(xticks=[], yticks=[])
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)


def turned(image: np.ndarray, angle: float) -> np.ndarray:
    """Return a picture turned counter-clockwise about its middle, white where it does not reach."""
    height, width = image.shape[:2]
    a = np.deg2rad(angle)
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    source_x = np.rint(np.cos(a) * x - np.sin(a) * y + (width - 1) / 2).astype(int)
    source_y = np.rint(np.sin(a) * x + np.cos(a) * y + (height - 1) / 2).astype(int)
    inside = (source_x >= 0) & (source_x < width) & (source_y >= 0) & (source_y < height)
    out = np.full_like(image, 255)
    out[inside] = image[source_y[inside], source_x[inside]]
    return out


def sizes(table: pd.DataFrame):
    """Draw the share of boxes by group of sizes, a line per method, and the objects."""
    grid = curves(table, x="size", y="share", band=None, height=3.2)
    grid.set_axis_labels("square root of the relative area", "share of boxes")
    return grid.figure


@styled
def recall_by_size(table: pd.DataFrame):
    """Draw recall against the IoU threshold, a line per group of sizes, large ones dark."""
    import matplotlib

    with_boxes = list(pd.unique(table["size"]))
    figure, axis = new_figure(height=4.6)
    shades = matplotlib.colormaps["viridis_r"](np.linspace(0.08, 1, max(len(with_boxes), 1)))
    for shade, name in zip(shades, with_boxes, strict=True):
        rows = table[table["size"] == name]
        axis.plot(rows["iou"], rows["recall"], color=shade, label=f"{name} ({rows['boxes'].iloc[0]:,} boxes)")
    axis.set(xlabel="IoU threshold", ylabel="recall", xlim=(0, 1), ylim=(0, 1.02))
    handles, names = axis.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2)
    return figure


@styled
def all_curves(table: pd.DataFrame, kinds: Sequence[str] = tuple(NAMES)):
    """Draw repeatability against the strength of each perturbation: a row per kind, a column per source.

    Parameters
    ----------
    table : DataFrame
        Columns ``source, method, perturbation, value, repeatability``.
    kinds : sequence of str
    """
    sources = list(pd.unique(table["source"]))
    style = looks(pd.unique(table["method"]))
    figure, axes = new_figure(
        len(sources), len(kinds), height=2.35 * len(kinds) + 1.8, squeeze=False, sharey=True
    )
    for row, kind in zip(axes, kinds, strict=True):
        for axis, source in zip(row, sources, strict=True):
            part = table[(table["perturbation"] == kind) & (table["source"] == source)]
            for name, line in part.groupby("method", sort=False):
                line = line.sort_values("value")
                axis.plot(place(kind, line["value"]), line["repeatability"], label=name, markersize=3.5,
                          **line_style(style[str(name)]))  # fmt: skip
            axis.axvline(
                float(place(kind, PERTURBATIONS[kind].identity)), color=GREY, linewidth=0.8, zorder=0
            )
            axis.set(ylim=(0, 1.04))
            axis.set_title(f"{NAMES[kind]}: {source}", fontsize=TEXT)
            axis.set_xlabel(AXES[kind] if len(AXES[kind]) < 24 else AXES[kind].replace("; ", "\n"))
            if kind == "jpeg":
                axis.set_xticks([5, 50, 100, LOSSLESS], ["5", "50", "100", "loss-\nless"])
                axis.invert_xaxis()
        row[0].set_ylabel("repeatability")
    _legend(figure, style)
    return figure


@styled
def against(table: pd.DataFrame):
    """Draw published values as marks and ours as lines, a panel per perturbation; `table` is that of ``beside``."""
    kinds = list(pd.unique(table["perturbation"]))
    style = looks(pd.unique(table["method"]))
    figure, axes = new_figure(len(kinds), 1, height=3.9, squeeze=False, sharey=True)
    for axis, kind in zip(axes[0], kinds, strict=True):
        for name, line in table[table["perturbation"] == kind].groupby("method", sort=False):
            line, look = line.sort_values("value"), line_style(style[str(name)])
            x = place(kind, line["value"])
            axis.plot(x, line["here"], **{**look, "marker": ""})
            axis.plot(x, line["paper"], marker=look["marker"], linestyle="", markerfacecolor="none",
                      markeredgecolor=look["color"])  # fmt: skip
        axis.set(xlabel=AXES[kind], title=NAMES[kind], ylim=(0, 1.04))
    axes[0, 0].set_ylabel("repeatability")
    _legend(figure, style)
    return figure


@styled
def touching(table: pd.DataFrame):
    """Draw repeatability of boxes that touch objects against that of all boxes, a panel per source.

    Parameters
    ----------
    table : DataFrame
        Columns ``source, method, all, touching``.
    """
    sources = list(pd.unique(table["source"]))
    style = looks(pd.unique(table["method"]))
    figure, axes = new_figure(len(sources), 1, height=4.4, squeeze=False, sharey=True)
    for axis, source in zip(axes[0], sources, strict=True):
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, zorder=0)
        for name, rows in table[table["source"] == source].groupby("method", sort=False):
            look = style[str(name)]
            axis.plot(
                rows["all"],
                rows["touching"],
                linestyle="",
                marker=look.marker,
                color=look.colour,
                markersize=4,
            )
        axis.set(xlabel="all boxes", title=source, xlim=(0, 1.04), ylim=(0, 1.04))
    axes[0, 0].set_ylabel("boxes that touch objects")
    _legend(figure, style)
    return figure


def _legend(figure, style: dict) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=name, markersize=5, **line_style(look)) for name, look in style.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
