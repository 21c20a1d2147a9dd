"""Pictures of masks: Jaccard against F, situations that measures judge differently, quality of proposals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D

from propeval_lite.figures.panels import curves, legend_below
from propeval_lite.figures.style import COLOURS, GREY, MARKERS, WIDTH, new_figure, styled

PAPER, BLUE = "#FFFFFF", "#6AAED6"
LABELS = {"jaccard": "pixels ($J$)", "boundary": "boundaries ($F_b$)"}


@styled
def draw_equivalence(curve: pd.DataFrame, points: pd.DataFrame):
    """Draw J as a function of F, the identity, and measured masks on it.

    Parameters
    ----------
    curve, points : DataFrame
        Columns ``f`` and ``j``.
    """
    figure, axis = new_figure(height=4.8)
    axis.plot([0, 1], [0, 1], color="0.55", linestyle="--", label="identity")
    axis.plot(curve["f"], curve["j"], color=COLOURS[0], label="$J = F / (2 - F)$")
    axis.plot(points["f"], points["j"], "o", color=COLOURS[1], markersize=4, label="measured masks")
    axis.set(xlabel="F measure $F$", ylabel="Jaccard index $J$", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@styled
def draw_averages(curve: pd.DataFrame, scores: pd.DataFrame):
    """Draw two methods' objects on the curve J(F), and where their means lie.

    Parameters
    ----------
    curve : DataFrame
        Columns ``f`` and ``j``.
    scores : DataFrame
        Columns ``method``, ``f``, ``j``; one row per object.
    """
    figure, axis = new_figure(height=4.8)
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


@styled
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
    lines = -(-len(panels) // 2)
    height = WIDTH / 2 * truth[window].shape[0] / truth[window].shape[1] + 0.5
    figure, axes = new_figure(2, lines, height=lines * height, squeeze=False)
    colours = ListedColormap([PAPER, BLUE])
    for axis, (name, mask) in zip(axes.flat, panels.items(), strict=False):
        axis.imshow(mask[window], cmap=colours, vmin=0, vmax=1, interpolation="nearest")
        axis.contour(truth[window], levels=[0.5], colors=COLOURS[1], linewidths=0.7)
        title = name
        if name != "the object":
            row = scores.set_index("situation").loc[name]
            title += f"\n$J$ = {row['J']:.2f}, $F_b$ = {row['matching']:.2f} ({row['morphological']:.2f})"
        axis.set_title(title)
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
        axis.grid(False)
        axis.spines[:].set_visible(False)
    for axis in list(axes.flat)[len(panels) :]:
        axis.axis("off")
    return figure


@styled
def draw_best(image: np.ndarray, truth: np.ndarray, panels: Sequence[tuple[str, np.ndarray]]):
    """Draw masks as light areas on a picture, with the contour of the object that they should cover.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
    truth : bool array, (height, width)
    panels : sequence of (title, mask)
    """
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    height = WIDTH / columns * image.shape[0] / image.shape[1] + 0.5
    figure, axes = new_figure(columns, rows, height=rows * height, squeeze=False)
    for axis, (title, mask) in zip(axes.flat, panels, strict=False):
        axis.imshow(np.where(mask[:, :, None], image, image // 4))
        axis.contour(truth, levels=[0.5], colors=COLOURS[4], linewidths=1.2)
        axis.set_title(title)
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
        axis.axis("off")
    return figure


@styled
def draw_quality(summary: pd.DataFrame):
    """Draw mean, median and recalls of the best score against the number of proposals, pixels beside boundaries.

    Parameters
    ----------
    summary : DataFrame
        From :func:`propeval_lite.studies.ponttuset_objects.summarise_masks`; one data set. Bands are a standard error
        to either side.
    """
    rows = summary[summary["measure"].isin(LABELS)]
    shown = rows.assign(
        what=_names(rows, "mean", "recall at {:g}"), on=rows["measure"].map(LABELS),
        low=rows["value"] - rows["error"], high=rows["value"] + rows["error"],
    )  # fmt: skip
    shown = shown.sort_values(["statistic", "level"], kind="stable")
    grid = curves(shown, "proposals", panels="on", rows="what", log=True, height=1.7)
    grid.set(ylim=(0, 1))
    grid.set_axis_labels("proposals per image", "")
    return grid.figure


def _names(table: pd.DataFrame, mean: str, recall: str) -> pd.Series:
    """Titles of panels: `mean` for means, `recall` with its level for recalls, and the name of any other statistic."""
    return (
        table["statistic"]
        .replace("mean", mean)
        .where(table["level"].isna(), table["level"].map(recall.format))
    )


@styled
def draw_published(published: pd.DataFrame, here: pd.DataFrame):
    """Draw our curves and the published quadtree over the other published ones: mean J, then recall at each level.

    Parameters
    ----------
    published, here : DataFrame
        Columns ``method``, ``proposals``, ``statistic``, ``level``, ``value``.
    """
    tables = [
        table.assign(what=_names(table, "mean $J$", "recall at $J$ = {:g}")) for table in (here, published)
    ]
    ours, theirs = (table.sort_values("level", na_position="first", kind="stable") for table in tables)
    blind = theirs["method"] == "QT"
    shown = pd.concat([ours.assign(method=ours["method"].str.removesuffix(" (here)")),
                       theirs[blind].assign(method="QT (published)")])  # fmt: skip
    grid = curves(shown, "proposals", panels="what", log=True)
    for (what, _), rows in theirs[~blind].groupby(["what", "method"]):
        grid.axes_dict[what].plot(rows["proposals"], rows["value"], color=GREY, linewidth=0.8, marker="o",
                                  markersize=2.5, zorder=1, label="_published")  # fmt: skip
    grey = Line2D([], [], color=GREY, linewidth=0.8, marker="o", markersize=2.5, label="others (published)")
    legend_below(grid, more=[grey])
    grid.set(ylim=(0, 1))
    grid.set_axis_labels("proposals per image", "")
    return grid.figure


@styled
def draw_at_budgets(table: pd.DataFrame):
    """Draw scores of each method as dots: a panel per number of masks, a row per method, a mark per score.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.ponttuset_published.at_budgets`; missing scores have no dot.
    """
    long = table.melt("method", var_name="what")
    long[["masks", "score"]] = long["what"].str.split(": ", expand=True).to_numpy()
    scores = list(dict.fromkeys(long["score"]))
    panels = sorted(long["masks"].unique(), key=lambda text: int(text.replace(",", "")))
    grid = sns.catplot(
        long, x="value", y="method", hue="score", col="masks", col_order=panels, kind="point", linestyle="none",
        errorbar=None, markers=list(MARKERS[: len(scores)]), palette=list(COLOURS[: len(scores)]), markersize=5,
        height=1.0 + 0.3 * len(table), aspect=WIDTH / len(panels) / (1.0 + 0.3 * len(table)),
    )  # fmt: skip
    grid.set_titles("{col_name} masks")
    grid.set(xlim=(-0.04, 1), xticks=[0, 0.5, 1], xticklabels=["0", "0.5", "1"])
    grid.set_axis_labels("", "")
    for axis in grid.axes.flat:
        axis.grid(visible=True)
    legend_below(grid)
    return grid.figure


@styled
def draw_tolerances(table: pd.DataFrame, printed: Sequence[float]):
    """Draw the boundary F against the tolerance: a panel per situation, a line per method.

    Parameters
    ----------
    table : DataFrame
        Columns ``situation``, ``method``, ``tolerance``, ``value``.
    printed : sequence of float
        Tolerances marked by vertical lines.
    """
    shown = table.assign(percent=100 * table["tolerance"])
    grid = curves(shown, "percent", panels="situation", log=True, wrap=2, height=1.8)
    ticks = 100 * np.unique(table["tolerance"])
    for axis in grid.axes.flat:
        for value in printed:
            axis.axvline(100 * value, color=GREY, linewidth=1, zorder=0)
        axis.set_xticks(ticks, [f"{tick:.3g}" for tick in ticks])
        axis.minorticks_off()
    grid.set(ylim=(0, 1.05))
    grid.set_axis_labels("tolerance (% of the diagonal)", "boundary $F_b$")
    return grid.figure
