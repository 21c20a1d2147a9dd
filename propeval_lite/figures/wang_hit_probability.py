"""Pictures of chance: regions of corners, how IoU moves with a corner, HPRS, its rounding and its cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import FuncFormatter, NullFormatter

from propeval_lite.chance.omega import Region
from propeval_lite.figures.style import COLOURS, MARKERS, new_figure

LINES = ("-", "--", "-.", ":")
TITLES = {"min": r"first corners, $\Omega_{\min}$", "max": r"second corners, $\Omega_{\max}$"}


def region_spans(region: Region, n: int = 241) -> pd.DataFrame:
    """Return the table that :func:`draw_regions` wants, for a region whose partner is the object's own corner."""
    x1, y1, x2, y2 = region.box
    partner = (x2, y2) if region.corner == "min" else (x1, y1)
    x = np.linspace(*region.x_range, n)
    low, high = region.bounds(x)
    return pd.DataFrame(
        {
            "corner": region.corner,
            "partner": "the object's own corner",
            "partner_x": partner[0],
            "partner_y": partner[1],
            "x": x,
            "low": low,
            "high": high,
        }
    )


def draw_regions(photo: np.ndarray, box, spans: pd.DataFrame):
    """Draw the regions Ω over a photograph, with those left when the other corner is given.

    Parameters
    ----------
    photo : (height, width, 3) array
    box : x1, y1, x2, y2 of the object on the lattice of pixel edges, from 1
    spans : DataFrame
        Columns ``corner`` ("min" or "max"), ``partner``, ``partner_x``, ``partner_y``, ``x``, ``low``,
        ``high``: for each given partner the rows of the region at each x. One panel per corner, one colour
        per partner.
    """
    corners = list(dict.fromkeys(spans["corner"]))
    left, right, low, high = _view(photo, box, spans)
    panel = 7.0 * (high - low) / (right - left) + 0.45
    figure, axes = new_figure(1, len(corners), 7.0, len(corners) * panel + 0.7, squeeze=False)
    x1, y1, x2, y2 = box
    # Few grey levels and only the rows in view: the picture is stored inside the figure.
    grey = np.round(photo[: int(high) + 1].mean(axis=2)[max(0, int(low) - 1) :] / 4) * 4
    top = max(0, int(low) - 1) + 1
    for axis, corner in zip(axes.ravel(), corners, strict=True):
        axis.imshow(grey, cmap="gray", vmin=-60, vmax=300, interpolation="none",
                    extent=(1, photo.shape[1] + 1, top + len(grey), top))  # fmt: skip
        axis.add_patch(Rectangle((x1, y1), x2 - x1, y2 - y1, fill=False, color="black", label="object $o$"))
        groups = spans[spans["corner"] == corner].groupby("partner", sort=False)
        for i, (name, rows_of) in enumerate(groups):
            x = rows_of["x"].to_numpy()
            outline = np.column_stack([np.r_[x, x[::-1]], np.r_[rows_of["low"], rows_of["high"][::-1]]])
            colour = COLOURS[i]
            axis.add_patch(Polygon(outline, facecolor=colour, alpha=0.4 if i == 0 else 0.0))
            axis.add_patch(Polygon(outline, fill=False, edgecolor=colour, linewidth=2, linestyle=LINES[i]))
            point = rows_of[["partner_x", "partner_y"]].iloc[0]
            axis.plot(*point, MARKERS[i], color=colour, markersize=9, markeredgecolor="white", label=name)
        axis.set(xlim=(left, right), ylim=(high, low), aspect="equal", title=TITLES[corner], ylabel="$y$")
        axis.grid(visible=False)
    axes[-1, -1].set_xlabel("$x$ (lattice points from 1)")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, ncols=3)
    return figure


def _view(photo, box, spans):
    """Limits that show the object and every region, with a margin, in the photograph's own scale."""
    margin = 0.06 * (spans["x"].max() - spans["x"].min())
    left, right = min(box[0], spans["x"].min()) - margin, max(box[2], spans["x"].max()) + margin
    low, high = min(box[1], spans["low"].min()), max(box[3], spans["high"].max())
    margin = 0.25 * (high - low)
    return left, right, low - margin, high + margin


def draw_sliding(curves: pd.DataFrame, peaks: dict):
    """Draw IoU while one side of a candidate moves: one panel per side, one line per fixed first corner.

    Parameters
    ----------
    curves : DataFrame
        Columns ``side``, ``first_corner``, ``position``, ``iou``.
    peaks : dict
        For each side the position where the object's own side lies.
    """
    sides = list(dict.fromkeys(curves["side"]))
    figure, axes = new_figure(len(sides), 1, 7.4, 3.6, sharey=True)
    for axis, side in zip(axes, sides, strict=True):
        axis.axvline(peaks[side], color="0.5", linestyle=":", label="the object's side")
        groups = curves[curves["side"] == side].groupby("first_corner", sort=False)
        for i, (name, rows) in enumerate(groups):
            axis.plot(rows["position"], rows["iou"], LINES[i], color=COLOURS[i], linewidth=2, label=name)
            best = rows.loc[rows["iou"].idxmax()]
            axis.plot(best["position"], best["iou"], MARKERS[i], color=COLOURS[i], markersize=7)
        axis.set(xlabel=f"{side} (lattice points)", ylim=(0, 1.08 * curves["iou"].max()))
    axes[0].set_ylabel("IoU with the object")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, ncols=3, title="first corner")
    return figure


def draw_printed(spans: pd.DataFrame, boxes: list):
    """Draw the printed region beside the derived one for the same object at several places.

    Parameters
    ----------
    spans : DataFrame
        Columns ``place``, ``formula``, ``x``, ``low``, ``high``; NaN where a formula gives no row.
    boxes : list of x1, y1, x2, y2, one per place
    """
    places = list(dict.fromkeys(spans["place"]))
    figure, axes = new_figure(len(places), 1, 7.4, 3.3, sharey=True)
    styles = {
        "derived": {"facecolor": COLOURS[0], "alpha": 0.35},
        "as printed": {"facecolor": "none", "edgecolor": COLOURS[1], "hatch": "//", "linewidth": 1.5},
    }
    for axis, place, box in zip(axes, places, boxes, strict=True):
        size = (box[2] - box[0], box[3] - box[1])
        axis.add_patch(Rectangle(box[:2], *size, fill=False, color="black", label="object $o$"))
        for name, rows in spans[spans["place"] == place].groupby("formula", sort=False):
            valid = rows["low"] <= rows["high"]
            axis.fill_between(rows["x"], rows["low"], rows["high"], where=valid, label=name, **styles[name])
        axis.set(
            xlim=(box[0] - 1.15 * size[0], box[2] + 0.15 * size[0]),
            ylim=(box[3] + 0.3 * size[1], box[1] - 1.3 * size[1]),
            title=f"$x_{{\\min}}^o = {box[0]:g}$",
            xlabel="$x$",
        )
    axes[0].set_ylabel("$y$")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, ncols=3)
    return figure


def draw_rounding(errors: pd.DataFrame, wanted: float):
    """Draw the relative error of HPRS against the number of candidates, per way of computing and budget.

    Parameters
    ----------
    errors : DataFrame
        Columns ``way``, ``k``, ``candidates``, ``relative_error``.
    wanted : float
        Error that is still fine, drawn as a line.
    """
    figure, axis = new_figure(height=3.8)
    floor = 1e-17
    for i, (way, group) in enumerate(errors.groupby("way", sort=False)):
        for j, (k, rows) in enumerate(group.groupby("k")):
            shown = np.maximum(rows["relative_error"], floor)
            axis.plot(rows["candidates"], shown, LINES[j], marker=MARKERS[3 * i + j], markersize=6,
                      color=COLOURS[i], label=f"{way}, k = {k:,}")  # fmt: skip
    axis.axhline(wanted, color="0.3", linestyle=(0, (1, 3)), label=f"error of {wanted:g}")
    axis.axhline(1, color="0.3", linewidth=0.8)
    axis.text(errors["candidates"].min(), 1.3, "no digit right", fontsize=9, color="0.3", va="bottom")
    axis.set(
        xscale="log", yscale="log", xlabel="candidates $N$ in the image", ylabel="relative error of HPRS"
    )
    figure.legend(loc="outside lower center", frameon=False, ncols=2)
    return figure


def draw_sizes(objects: pd.DataFrame, law: pd.DataFrame, k: int):
    """Draw the HPRS of every object against its share of the image, and the law for small objects.

    Parameters
    ----------
    objects : DataFrame
        Columns ``dataset``, ``share`` (area of the object over that of the image), ``hprs``.
    law : DataFrame
        Columns ``share``, ``hprs``, the curve without image borders.
    k : int
        Number of draws, for the label.
    """
    figure, axis = new_figure(height=4.0)
    axis.plot(law["share"], law["hprs"], color="black", linestyle="--", label="far from any border", zorder=3)
    for i, (name, rows) in enumerate(objects.groupby("dataset", sort=False)):
        many = len(rows) > 1000
        axis.plot(rows["share"], rows["hprs"], MARKERS[i], color=COLOURS[i], alpha=0.15 if many else 0.7,
                  markersize=2 if many else 4, markeredgewidth=0, rasterized=many)  # fmt: skip
        axis.plot([], [], MARKERS[i], color=COLOURS[i], label=f"{name}, {len(rows):,} objects")
    axis.set(
        xscale="log",
        xlabel="share of the image that the object's box covers",
        ylabel=f"HPRS for {k:,} draws",
        ylim=(-0.03, 1.03),
    )
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    figure.legend(loc="outside lower center", frameon=False, ncols=3)
    return figure


def draw_chance_recall(summary: pd.DataFrame):
    """Draw the mean HPRS against the threshold: one colour per number of draws, one line style per data set.

    Parameters
    ----------
    summary : DataFrame
        Columns ``dataset``, ``tau``, ``k``, ``mean``.
    """
    figure, axis = new_figure(height=4.0)
    for i, (k, group) in enumerate(summary.groupby("k")):
        for j, (_, rows) in enumerate(group.groupby("dataset", sort=False)):
            axis.plot(rows["tau"], rows["mean"], LINES[j], marker=MARKERS[i], markersize=5, color=COLOURS[i],
                      label=f"{k:,} draw{'s' * (k != 1)}" if j == 0 else None)  # fmt: skip
    for j, name in enumerate(dict.fromkeys(summary["dataset"])):
        axis.plot([], [], LINES[j], color="0.3", label=name)
    axis.set(xlabel="IoU threshold", ylabel="mean HPRS", ylim=(-0.02, 1.02))
    figure.legend(loc="outside lower center", frameon=False, ncols=4)
    return figure


def draw_growth(times: pd.DataFrame):
    """Draw seconds per object against the object's width and against the threshold, both axes of time alike.

    Parameters
    ----------
    times : DataFrame
        Columns ``varied`` ("width" or "tau"), ``value``, ``method``, ``seconds``.
    """
    figure, axes = new_figure(2, 1, 7.4, 3.9, sharey=True)
    labels = {"width": "width of the object", "tau": "IoU threshold"}
    for axis, (varied, group) in zip(axes, times.groupby("varied", sort=False), strict=True):
        for i, (name, rows) in enumerate(group.groupby("method", sort=False)):
            axis.plot(
                rows["value"], rows["seconds"], LINES[i], marker=MARKERS[i], color=COLOURS[i], label=name
            )
        axis.set(yscale="log", xlabel=labels[varied])
        if varied == "width":
            axis.set_xscale("log")
            axis.set_xticks(rows["value"], [f"{value:g}" for value in rows["value"]])
            axis.xaxis.set_minor_formatter(NullFormatter())
    axes[0].set_ylabel("seconds per object")
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", frameon=False, ncols=3)
    return figure
