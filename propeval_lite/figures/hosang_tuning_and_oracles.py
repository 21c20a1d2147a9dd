"""Pictures of tuning: recall of each variant, AR against mAP, the grid of falling thresholds, and oracles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import seaborn as sns

from propeval_lite.figures.style import COLOURS, TEXT, new_figure, styled

ADAPTIVE = "AR"


def variant_colours(variants: Sequence[str]) -> dict:
    """Return a colour for each variant: from dark to light with Δ, and black for the adaptive one."""
    plain = [name for name in variants if name != ADAPTIVE]
    shades = sns.color_palette("viridis", len(plain) + 1)[: len(plain)]  # the last is too light on white
    return dict(zip(plain, shades, strict=True)) | {ADAPTIVE: "black"}


@styled
def recall_of_variants(table: pd.DataFrame):
    """Draw recall against the IoU threshold, a panel per data set, a line per variant, a dot where it is tuned for.

    Parameters
    ----------
    table : DataFrame
        Columns ``dataset, variant, tau, value``; variants are "0.50" … or "AR".
    """
    panels, variants = list(pd.unique(table["dataset"])), sorted(pd.unique(table["variant"]))
    colours = variant_colours(variants)
    rows = -(-len(panels) // 2)
    figure, axes = new_figure(
        min(len(panels), 2), rows, height=1.2 + 2.5 * rows, sharex=True, sharey=True, squeeze=False
    )
    for axis, name in zip(axes.flat, panels, strict=False):
        for variant in variants:
            line = table[(table["dataset"] == name) & (table["variant"] == variant)].sort_values("tau")
            adaptive = variant == ADAPTIVE
            axis.plot(line["tau"], line["value"], color=colours[variant], linestyle="--" if adaptive else "-",
                      linewidth=2.2 if adaptive else 1.4, zorder=3 if adaptive else 2)  # fmt: skip
            if not adaptive and len(line):
                height = np.interp(float(variant), line["tau"], line["value"])
                axis.plot(float(variant), height, "o", color=colours[variant], markersize=5)
        axis.set(title=name, xlim=(0.5, 1), ylim=(0, 1), xticks=(0.5, 0.7, 0.9), yticks=(0, 0.5, 1))
    for axis in axes.flat[len(panels) :]:
        axis.set_axis_off()
    for axis in axes[-1]:
        axis.set_xlabel("IoU threshold")
    for axis in axes[:, 0]:
        axis.set_ylabel("recall")
    _legend(figure, axes.flat[0], colours)
    return figure


@styled
def ar_against_map(table: pd.DataFrame, correlations: dict[str, float]):
    """Draw mAP against AR, a panel per detector: a path through the variants in order of Δ, and the adaptive one.

    Parameters
    ----------
    table : DataFrame
        Columns ``detector, variant, AR, mAP``; with ``low, high`` an interval of mAP.
    correlations : dict
        By detector, to be printed in its panel.
    """
    panels, variants = list(pd.unique(table["detector"])), sorted(pd.unique(table["variant"]))
    colours = variant_colours(variants)
    rows = -(-len(panels) // 2)
    figure, axes = new_figure(min(len(panels), 2), rows, height=1.3 + 2.35 * rows, squeeze=False)
    for axis, name in zip(axes.flat, panels, strict=False):
        mine = table[table["detector"] == name].set_index("variant").sort_index()
        path = mine.drop(index=ADAPTIVE, errors="ignore")
        axis.plot(path["AR"], path["mAP"], "-", color="0.7", linewidth=1, zorder=1)
        for variant, point in mine.iterrows():
            if {"low", "high"} <= set(mine.columns):
                axis.plot(
                    [point["AR"]] * 2,
                    point[["low", "high"]],
                    "-",
                    color=colours[variant],
                    linewidth=0.8,
                    alpha=0.5,
                )
            axis.plot(point["AR"], point["mAP"], "D" if variant == ADAPTIVE else "o", color=colours[variant])
        axis.set_title(name.replace(" with", "\nwith").replace(" not", "\nnot"))
        axis.text(0.04, 0.95, _text(correlations[name]), transform=axis.transAxes, va="top", size=TEXT)
        axis.margins(0.1)
        axis.locator_params(nbins=4)
        axis.set(xlabel="AR", ylabel="mAP")
    for axis in axes.flat[len(panels) :]:
        axis.set_axis_off()
    _legend(figure, axes.flat[0], colours, line=False)
    return figure


@styled
def falling_thresholds(table: pd.DataFrame):
    """Draw AR for each start and factor of the falling threshold, as a table of coloured cells.

    Parameters
    ----------
    table : DataFrame
        Columns ``beta, eta, AR``.
    """
    cells = table.pivot_table(index="beta", columns="eta", values="AR").sort_index(ascending=False)
    figure, axis = new_figure(height=1.2 + 0.42 * len(cells))
    sns.heatmap(
        cells, annot=True, fmt=".3f", cmap="viridis", cbar=False, ax=axis, linewidths=0.5,
        annot_kws={"size": TEXT - 1},
    )  # fmt: skip
    axis.set(xlabel="η, the factor after each box kept", ylabel="β₀, the first threshold")
    axis.grid(visible=False)
    axis.tick_params(length=0, labelrotation=0)
    return figure


@styled
def oracles(table: pd.DataFrame, order: Sequence[str]):
    """Draw AP of each category and their mean, a row per oracle, a panel per source.

    Parameters
    ----------
    table : DataFrame
        Columns ``source, oracle, category, AP``.
    order : sequence of str
        Oracles from the top.
    """
    sources = list(pd.unique(table["source"]))
    figure, axes = new_figure(len(sources), 1, height=3.1, sharex=True, sharey=True, squeeze=False)
    for axis, source in zip(axes[0], sources, strict=True):
        mine = table[table["source"] == source]
        for place, oracle in enumerate(order):
            values = mine.loc[mine["oracle"] == oracle, "AP"].to_numpy()
            axis.plot(values, np.full(len(values), place), "|", color=COLOURS[0], markersize=9, alpha=0.6)
            axis.plot(values.mean(), place, "D", color="black", markersize=6)
            axis.text(
                values.mean(), place - 0.22, f"{values.mean():.1f}", ha="center", va="bottom", size=TEXT - 1
            )
        axis.set(title=source, xlim=(0, 105), xticks=(0, 50, 100), xlabel="AP", yticks=range(len(order)))
        axis.set_yticklabels(order)
        axis.set_ylim(len(order) - 0.5, -0.7)
    return figure


def _text(r: float) -> str:
    return f"r = {r:.3f}" if np.isfinite(r) else "r undefined"


def _legend(figure, axis, colours: dict, line: bool = True) -> None:
    for name, colour in colours.items():
        adaptive = name == ADAPTIVE
        marker = "" if line and adaptive else "D" if adaptive else "o"
        axis.plot([], [], color=colour, marker=marker, linestyle=("--" if adaptive else "-") if line else "",
                  label=name.removeprefix("0") or name)  # fmt: skip
    figure.legend(
        loc="outside lower center", ncols=5, title="tuned for", columnspacing=1.2, handletextpad=0.5
    )
