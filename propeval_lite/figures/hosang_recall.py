"""Pictures of recall: against the IoU threshold, against the number of proposals, across data sets, by convention."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import seaborn as sns

from propeval_lite.figures.hosang_overview import boxes_on_photo
from propeval_lite.figures.panels import curves, intervals, legend_below
from propeval_lite.figures.style import COLOURS, MARKERS, TEXT, WIDTH, new_figure, styled

__all__ = [
    "across_datasets", "beside_published", "board_ranges", "boxes_on_photo", "every_combination",
    "other_datasets", "published_curves", "recall_versus_iou", "recall_versus_number", "size_histograms",
]  # fmt: skip

LOOKING, BLIND = "looking", "blind"
COLUMNS = 4  # of small panels, one per published method


@styled
def recall_versus_iou(table: pd.DataFrame, budgets: Sequence[int], looking: Collection[str]):
    """Draw recall against the IoU threshold: a row per budget, methods that look beside those that do not.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.hosang_recall.summarise`; one data set.
    budgets : sequence of int
    looking : collection of str
        Methods that look at pictures.
    """
    wanted = table[(table["criterion"] == "recall") & table["budget"].isin(budgets)]
    rows = _grouped(wanted, looking).sort_values("budget", kind="stable")
    rows["proposals"] = rows["budget"].map(_proposals)
    grid = curves(rows, "tau", panels="group", rows="proposals", every=4, height=1.9)
    grid.set(xlim=(0.5, 1), ylim=(0, 1), xticks=(0.5, 0.7, 0.9), yticks=(0, 0.5, 1))
    grid.set_axis_labels("IoU threshold", "recall")
    return grid.figure


@styled
def recall_versus_number(table: pd.DataFrame, taus: Sequence[float], looking: Collection[str]):
    """Draw recall at thresholds, and average recall, against the number of proposals: a row for each of them.

    Parameters
    ----------
    table, looking
        As in :func:`recall_versus_iou`.
    taus : sequence of float
    """
    rows = _by_number(_grouped(table, looking), taus)
    grid = curves(rows, "budget", panels="group", rows="panel", log=True, height=1.9)
    grid.set(ylim=(0, 1), yticks=(0, 0.5, 1))
    grid.set_axis_labels("proposals per image", "")
    return grid.figure


@styled
def other_datasets(table: pd.DataFrame, budget: int, tau: float, looking: Collection[str]):
    """Draw three panels per data set and group of methods: recall against IoU, recall and AR against the number.

    Parameters
    ----------
    table : DataFrame
        Tidy, from :func:`propeval_lite.studies.hosang_recall.summarise`; any number of data sets.
    budget : int
        Of the first panel.
    tau : float
        Threshold of the second.
    looking : collection of str
        Methods that look at pictures.
    """
    places = {name: place for place, name in enumerate(pd.unique(table["dataset"]))}
    table = _grouped(table, looking)
    first = table[(table["criterion"] == "recall") & (table["budget"] == budget)]
    head = f"recall,\n{_proposals(budget)}"
    first = first.assign(panel=head, x=first["tau"])
    rest = _by_number(table, [tau]).assign(x=lambda rows: rows["budget"].astype(float))
    rest["panel"] = rest["panel"].str.replace(" at ", "\nat ")
    rows = pd.concat([first, rest])
    rows["row"] = rows["dataset"] + ", " + rows["group"]
    # Each data set with both its groups; within them the rows stay as they are.
    rows = rows.sort_values("dataset", key=lambda names: names.map(places), kind="stable")
    grid = curves(rows, "x", panels="panel", rows="row", height=1.45, share_x="col")
    grid.set(ylim=(0, 1), yticks=(0, 0.5, 1), ylabel="").set_titles("")
    for column, (name, axes) in enumerate(zip(grid.col_names, grid.axes.T, strict=True)):
        grid.axes[0, column].set_title(f"{name}\n")
        grid.axes[-1, column].set_xlabel("IoU threshold" if name == head else "proposals")
        if name == head:
            axes[0].set(xlim=(0.5, 1), xticks=(0.5, 0.75, 1))
        else:
            axes[0].set_xscale("log")
        for axis in axes:
            axis.minorticks_off()
            for line in axis.lines:
                line.set_markevery(5 if name == head else 1)
    for name, axes in zip(grid.row_names, grid.axes, strict=True):
        # Left out of the layout, or the first panels would be as wide as their names.
        axes[0].text(0, 1.04, name, transform=axes[0].transAxes, weight="bold", in_layout=False)
    legend_below(grid)
    return grid.figure


@styled
def across_datasets(ar: pd.DataFrame, budget: int):
    """Draw the average recall of each method on each data set, with its interval.

    Parameters
    ----------
    ar : DataFrame
        From :func:`propeval_lite.studies.hosang_datasets.average_recalls`.
    budget : int
        Theirs.
    """
    methods = ar["method"].nunique()
    figure, axis = intervals(ar, "value", "method", hue="dataset", height=1.4 + 0.45 * methods)
    axis.set(xlabel=f"average recall, {_proposals(budget)}", xlim=(0, None))
    return figure


@styled
def size_histograms(table: pd.DataFrame, means: pd.Series):
    """Draw how large the objects of each data set are: share of objects per ten pixels of side, mean marked.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.hosang_datasets.size_histogram`; any number of data sets.
    means : Series
        Mean side by data set, where a line is drawn.
    """
    edges = [*np.unique(table["low"]), table["high"].max()]
    table = table.assign(middle=(table["low"] + table["high"]) / 2)
    columns, height = 2, 1.6
    grid = sns.displot(
        table, x="middle", weights="share", col="dataset", col_wrap=columns, bins=edges, color=COLOURS[0],
        alpha=0.55, height=height, aspect=WIDTH / columns / height, linewidth=0.5,
    )  # fmt: skip
    counts = table.groupby("dataset")["objects"].sum()
    for name, axis in grid.axes_dict.items():
        axis.axvline(means[name], color="black", linestyle="--", linewidth=1.4)
        axis.set_title(f"{name}\n{counts[name]:,} objects, mean {means[name]:.0f} px")
    grid.set(xlim=(0, 400), xlabel="side, pixels", ylabel="share")
    grid.figure.tight_layout()
    return grid.figure


@styled
def every_combination(effects: pd.DataFrame):
    """Draw the change of AR under every setting of the switchboard, with the pairs of methods that change places.

    Parameters
    ----------
    effects : DataFrame
        From :func:`propeval_lite.studies.hosang_switchboard.effects`.
    """
    pairs = effects["flipped"].map(lambda text: len(text.split(", ")) if text else 0)
    setting = effects["matching"] + ", " + effects["ignore"] + ", " + effects["pixels"]
    text = [
        f"{change:+.3f}" + f" ({n})" * (n > 0) for change, n in zip(effects["change"], pairs, strict=True)
    ]
    cells = effects.assign(setting=setting, text=text)
    kinds = list(pd.unique(cells["kind"]))
    change, words = (
        cells.pivot_table(index="setting", columns="kind", values=value, aggfunc="first", sort=False)[kinds]
        for value in ("change", "text")
    )
    figure, axis = new_figure(height=1.0 + 0.25 * len(change))
    reach = change.abs().max().max()
    sns.heatmap(
        change, annot=words.fillna(""), fmt="", cmap="vlag", vmin=-reach, vmax=reach, ax=axis, linewidths=0.5,
        annot_kws={"size": TEXT - 1}, cbar=False,
    )  # fmt: skip
    axis.set(xlabel="", ylabel="matching, ignored objects, pixels")
    axis.grid(visible=False)
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    return figure


@styled
def board_ranges(effects: pd.DataFrame, methods: Sequence[str], reference: dict[str, str]):
    """Draw the average recall of each method under every setting of the switchboard, by kind of AR.

    Parameters
    ----------
    effects : DataFrame
        From :func:`propeval_lite.studies.hosang_switchboard.effects`.
    methods : sequence of str
        Its columns of AR.
    reference : dict
        The setting marked by a ring.
    """
    home = effects[effects["turned"] == 0].iloc[0]
    order = sorted(methods, key=lambda method: -home[method])
    kinds = list(pd.unique(effects["kind"]))
    tidy = effects.melt("kind", methods, "method", "AR")
    figure, axis = new_figure(height=1.4 + 0.42 * len(order))
    sns.stripplot(
        tidy, x="AR", y="method", hue="kind", order=order, hue_order=kinds, palette=COLOURS[: len(kinds)],
        dodge=True, jitter=False, alpha=0.55, size=5, ax=axis, legend=False,
    )  # fmt: skip
    # Seaborn spreads the kinds of a method over 0.8 of its row.
    offset = 0.8 * ((kinds.index(reference["kind"]) + 0.5) / len(kinds) - 0.5)
    axis.plot([home[method] for method in order], np.arange(len(order)) + offset, "o", markersize=11,
              markerfacecolor="none", markeredgecolor="black", label="the paper's setting")  # fmt: skip
    for kind, colour in zip(kinds, COLOURS, strict=False):
        axis.plot([], [], "o", color=colour, label=kind)
    axis.set(xlabel="average recall of the same boxes", ylabel="")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@styled
def beside_published(table: pd.DataFrame):
    """Draw our values with their intervals, and the published ones as hollow marks beside them.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.hosang_datasets.beside_published`.
    """
    height = 1.4 + 0.45 * table["method"].nunique()
    figure, axis = intervals(table, "here", "method", hue="criterion", height=height)
    names = [text.get_text() for text in axis.get_yticklabels()]
    criteria = pd.unique(table["criterion"])
    for i, (container, criterion) in enumerate(zip(axis.containers, criteria, strict=True)):
        places = container.lines[0].get_ydata()
        paper = table[table["criterion"] == criterion].set_index("method")["paper"]
        axis.plot(paper[[names[round(place)] for place in places]], places, MARKERS[i], color=COLOURS[i],
                  markerfacecolor="white", markersize=7, zorder=0)  # fmt: skip
    axis.set(xlabel="filled: here, with its interval; hollow: published", xlim=(0, None))
    return figure


@styled
def published_curves(table: pd.DataFrame, x: str, lines: str, ours: pd.DataFrame | None = None):
    """Draw one small panel per method, a line per value of a column, and our own values as hollow marks.

    Parameters
    ----------
    table : DataFrame
        Columns ``method, value``, `x` and `lines`; panels in order of falling mean value.
    x : str
        "budget", which is drawn on a log axis, or "tau".
    lines : str
        Column whose values get a line each, at most eight.
    ours : DataFrame, optional
        Columns ``method, here``, `x` and `lines`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    order = table.groupby("method")["value"].mean().sort_values(ascending=False).index
    kinds = list(pd.unique(table[lines]))
    rows = -(-len(order) // COLUMNS)
    figure, axes = new_figure(
        COLUMNS, rows, height=0.8 + 1.35 * rows, sharex=True, sharey=True, squeeze=False
    )
    for place, axis in enumerate(axes.flat):
        if place >= len(order):
            axis.set_axis_off()
            continue
        axis.set_title(order[place], fontsize="medium")
        for kind, colour, marker in zip(kinds, COLOURS, MARKERS, strict=False):
            wanted = (table["method"] == order[place]) & (table[lines] == kind)
            curve = table[wanted].sort_values(x)
            axis.plot(curve[x], curve["value"], color=colour, linewidth=1.4)
            if ours is not None:
                mine = ours[(ours["method"] == order[place]) & (ours[lines] == kind)]
                axis.plot(mine[x], mine["here"], marker, color=colour, markerfacecolor="none", markersize=4.5)
        axis.set(ylim=(0, 1), yticks=(0, 0.5, 1))
        if x == "budget":
            axis.set_xscale("log")
            axis.minorticks_off()
            axis.set_xticks([10, 1000])
        else:
            axis.set_xticks(np.array([0.5, 1.0]))
    # A panel whose lower neighbour is missing shows the axis itself.
    for place in range(max(len(order) - COLUMNS, 0), len(order)):
        axes.flat[place].tick_params(labelbottom=True)
        axes.flat[place].set_xlabel("proposals" if x == "budget" else "IoU")
    for kind, colour, marker in zip(kinds, COLOURS, MARKERS, strict=False):
        axes.flat[0].plot([], [], marker=marker, color=colour, markerfacecolor="none", label=str(kind))
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _grouped(table: pd.DataFrame, looking: Collection[str]) -> pd.DataFrame:
    """Rows of the methods that look, then those of the others; `group` says which."""
    looks = table["method"].isin(looking)
    return pd.concat([table[looks].assign(group=LOOKING), table[~looks].assign(group=BLIND)])


def _by_number(table: pd.DataFrame, taus: Sequence[float]) -> pd.DataFrame:
    """Rows to draw against the number of proposals, criterion by criterion; `panel` says which."""
    parts = [table[np.isclose(table["tau"], tau)].assign(panel=f"recall at IoU {tau:g}") for tau in taus]
    return pd.concat([*parts, table[table["criterion"] == "AR"].assign(panel="average recall")])


def _proposals(budget: int) -> str:
    return f"{budget:,} proposals"
