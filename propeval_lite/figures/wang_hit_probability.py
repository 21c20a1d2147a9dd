"""Pictures of chance: regions of corners, how IoU moves with a corner, HPRS, its rounding and its cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import FuncFormatter

from propeval_lite.chance.omega import Region
from propeval_lite.figures.panels import GREY_TEXT, curves
from propeval_lite.figures.style import COLOURS, GREY, MARKERS, WIDTH, new_figure, seaborn_looks, styled

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


@styled
def draw_examples(photo: np.ndarray, box, examples: pd.DataFrame):
    """Draw candidates around an object over a photograph, hits green and misses blue, each with its IoU.

    Parameters
    ----------
    photo : (height, width, 3) array
    box : x1, y1, x2, y2 of the object on the lattice of pixel edges, from 1
    examples : DataFrame
        From :func:`propeval_lite.studies.wang_hit_probability.example_boxes`.
    """
    height, width = photo.shape[:2]
    corners = np.vstack([np.array(box, dtype=np.float64), examples[["x1", "y1", "x2", "y2"]].to_numpy()])
    (left, top), (right, bottom) = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
    margin = 0.4 * (bottom - top)
    figure, axes = new_figure(
        1, height=WIDTH * (bottom - top + 2 * margin) / (right - left + 2 * margin) + 0.5
    )
    axis = np.ravel(axes)[0]
    grey = np.round(photo.mean(axis=2) / 4) * 4
    axis.imshow(
        grey, cmap="gray", vmin=-60, vmax=300, interpolation="none", extent=(1, width + 1, height + 1, 1)
    )
    frames = [(*box, "object $o$", "red", "-")]
    frames += [
        (*row[:4], f"{row.iou:.2f}", COLOURS[2] if row.hits else COLOURS[0], "-" if row.hits else "--")
        for row in examples.itertuples(index=False)
    ]
    for i, (x1, y1, x2, y2, text, colour, line) in enumerate(frames):
        size = (x2 - x1, y2 - y1)
        axis.add_patch(Rectangle((x1, y1), *size, fill=False, edgecolor=colour, linewidth=2, linestyle=line))
        # The object's label has the upper left corner; others in turn the lower left and the upper right one.
        at_left, below = i == 0 or i % 2, i % 2
        place: dict[str, Any] = {"ha": "left" if at_left else "right", "va": "top" if below else "bottom"}
        axis.text(x1 if at_left else x2, y2 if below else y1, text, color="white", fontsize="small",
                  bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.5}, **place)  # fmt: skip
    axis.set(aspect="equal", xlabel="$x$ (lattice points from 1)", ylabel="$y$")
    axis.set(xlim=(left - margin, right + margin), ylim=(bottom + margin, top - margin))
    axis.grid(visible=False)
    return figure


@styled
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
    panel = WIDTH * (high - low) / (right - left) + 0.45
    figure, axes = new_figure(1, len(corners), height=len(corners) * panel + 0.9, squeeze=False)
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
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _view(photo, box, spans):
    """Limits that show the object and every region, with a margin, in the photograph's own scale."""
    margin = 0.06 * (spans["x"].max() - spans["x"].min())
    left, right = min(box[0], spans["x"].min()) - margin, max(box[2], spans["x"].max()) + margin
    low, high = min(box[1], spans["low"].min()), max(box[3], spans["high"].max())
    margin = 0.25 * (high - low)
    return left, right, low - margin, high + margin


@styled
def draw_sliding(sliding: pd.DataFrame, peaks: dict):
    """Draw IoU while one side of a candidate moves: one panel per side, one line per fixed first corner.

    Parameters
    ----------
    sliding : DataFrame
        Columns ``side``, ``first_corner``, ``position``, ``iou``.
    peaks : dict
        For each side the position where the object's own side lies, drawn as a dotted line.
    """
    grid = curves(sliding, "position", "iou", hue="first_corner", panels="side", share_x=False, every=25)
    for side, axis in grid.axes_dict.items():
        axis.axvline(peaks[side], color=GREY, linestyle=":", zorder=0)
        axis.set(xlabel="lattice points", ylim=(0, 1.08 * sliding["iou"].max()))
    grid.set_ylabels("IoU with the object")
    grid.figure.legends[0].set_title("first corner of the candidate")
    return grid.figure


@styled
def draw_printed(spans: pd.DataFrame, boxes: list):
    """Draw the printed region beside the derived one for the same object at several places.

    Parameters
    ----------
    spans : DataFrame
        Columns ``place``, ``formula``, ``x``, ``low``, ``high``; NaN where a formula gives no row.
    boxes : list of x1, y1, x2, y2, one per place
    """
    places = list(dict.fromkeys(spans["place"]))
    figure, axes = new_figure(len(places), height=2.9, sharey=True)
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
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


@styled
def draw_rounding(errors: pd.DataFrame, wanted: float):
    """Draw the relative error of HPRS against the number of candidates: a panel per way, a line per budget.

    Parameters
    ----------
    errors : DataFrame
        Columns ``way``, ``k``, ``candidates``, ``relative_error``.
    wanted : float
        Error that is still fine, drawn as a dotted line.
    """
    # No error at all has no place on a logarithmic axis: it lies on the floor.
    shown = errors.assign(
        error=errors["relative_error"].clip(lower=1e-17), draws=[_draws(k) for k in errors["k"]]
    )
    grid = curves(shown, "candidates", "error", hue="draws", panels="way", log=True)
    for axis in grid.axes.flat:
        axis.set_yscale("log")
        axis.axhline(wanted, color=GREY, linestyle=":", zorder=0)
        axis.axhline(1, color=GREY, linewidth=1, zorder=0)
        axis.set_yticks([1e-15, 1e-10, 1e-5, 1])
        axis.minorticks_off()
    start = errors["candidates"].min()
    for level, words in ((1, "no digit right"), (wanted, f"error of {wanted:g}")):
        grid.axes.flat[-1].annotate(
            words, (start, level), (0, 3), textcoords="offset points", color=GREY_TEXT
        )
    grid.set_axis_labels("candidates $N$ in the image", "relative error of HPRS")
    return grid.figure


def _draws(k: int) -> str:
    return f"{k:,} draw{'s' * (k != 1)}"


@styled
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
    figure, axis = new_figure(height=3.8)
    counts = objects.groupby("dataset", sort=False).size()
    many = len(objects) > 2000
    look = seaborn_looks(counts.index)
    sns.scatterplot(objects, x="share", y="hprs", hue="dataset", style="dataset", ax=axis, s=6 if many else 22,
                    alpha=0.15 if many else 0.7, linewidth=0, rasterized=many, legend=False,
                    **{name: look[name] for name in ("palette", "markers", "hue_order", "style_order")})  # fmt: skip
    for name, n in counts.items():
        axis.plot([], [], look["markers"][name], color=look["palette"][name], label=f"{name}, {n:,} objects")
    border = "far from any border"
    sns.lineplot(
        law, x="share", y="hprs", color="black", linestyle="--", label=border, estimator=None, ax=axis
    )
    axis.get_legend().remove()
    axis.set(
        xscale="log",
        xlabel="share of the image that the object's box covers",
        ylabel=f"HPRS for {_draws(k)}",
        ylim=(-0.03, 1.03),
    )
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@styled
def draw_chance_recall(summary: pd.DataFrame):
    """Draw the mean HPRS against the threshold: one panel per number of draws, one line per data set.

    Parameters
    ----------
    summary : DataFrame
        Columns ``dataset``, ``tau``, ``k``, ``mean``.
    """
    ordered = summary.sort_values("k", kind="stable")
    shown = ordered.assign(draws=[_draws(k) for k in ordered["k"]])
    wrap = 2 if shown["k"].nunique() in (2, 4) else 3
    grid = curves(shown, "tau", "mean", hue="dataset", panels="draws", wrap=wrap, height=2.2)
    grid.set(ylim=(-0.03, 1.03))
    grid.set_axis_labels("IoU threshold", "mean HPRS")
    return grid.figure


@styled
def draw_growth(times: pd.DataFrame):
    """Draw seconds per object against the object's width and against the threshold, both axes of time alike.

    Parameters
    ----------
    times : DataFrame
        Columns ``varied`` ("width" or "tau"), ``value``, ``method``, ``seconds``.
    """
    grid = curves(times, "value", "seconds", panels="varied", share_x=False)
    grid.set(yscale="log")
    grid.set_titles("")
    grid.set_ylabels("seconds per object")
    for varied, axis in grid.axes_dict.items():
        axis.set_xlabel("width of the object" if varied == "width" else "IoU threshold")
        if varied == "width":
            widths = times.loc[times["varied"] == varied, "value"].unique()
            axis.set_xscale("log")
            axis.set_xticks(widths, [f"{value:g}" for value in widths])
        axis.minorticks_off()
    return grid.figure
