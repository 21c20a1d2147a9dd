"""The switchboard of conventions: the same boxes judged under every combination of choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, product

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite.boxes.recall import average_recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.transforms import with_ignored
from propeval_lite.results.provenance import Result
from propeval_lite.studies.hosang_recall import covered

SWITCHES = {
    "kind": ("integral", "coco", "sum"),
    "matching": ("greedy", "optimal", "best", "coco"),
    "pixels": ("edges", "inclusive"),
    "ignore": ("count", "exclude", "absorb"),
}


def marked(dataset: Dataset, min_visible: float) -> tuple[Dataset, int]:
    """Return a data set with its doubtful objects marked ``ignore``, as in :func:`with_ignored`, and their number."""
    data = with_ignored(dataset, min_visible)
    return data, int(data.objects["ignore"].sum())


def switchboard(
    methods: Sequence[str], dataset: Dataset, budget: int, seed: int = 0, made: dict | None = None
) -> pd.DataFrame:
    """Average recall of the same boxes under every combination of conventions.

    Parameters
    ----------
    methods : sequence of str
        Those that belong to other data sets are left out, as in :func:`propeval_lite.boxes.cover.usable`.
    dataset : Dataset
        With some objects marked ``ignore``, or the policy for them changes nothing.
    budget : int
        Proposals per image.
    seed : int
        Of the methods.
    made : dict, optional
        Proposals made earlier, as in :func:`propeval_lite.studies.hosang_recall.covered`.

    Returns
    -------
    DataFrame
        Columns ``kind, matching, pixels, ignore, method, AR``. COCO's matching has no IoU to integrate, so
        that "integral" is NaN with it.
    """
    names = ("matching", "pixels", "ignore")
    settings = [dict(zip(names, values, strict=True)) for values in product(*(SWITCHES[n] for n in names))]
    levels = {"thresholds": np.linspace(0.5, 1, 11)}
    ways = [setting | levels for setting in settings]
    rows = []
    for method, tables in covered(methods, dataset, [budget], seed, ways, made=made):
        for (setting, table), kind in product(zip(settings, tables, strict=True), SWITCHES["kind"]):
            known = kind != "integral" or table.iou is not None
            value = float(average_recall(table, kind)) if known else np.nan
            rows.append({"kind": kind, **setting, "method": method, "AR": value})
    return pd.DataFrame(rows)


def effects(board: pd.DataFrame, reference: dict[str, str]) -> pd.DataFrame:
    """Compare every setting of a switchboard with one of them.

    Parameters
    ----------
    board : DataFrame
        From :func:`switchboard`.
    reference : dict
        A value for each of ``kind, matching, pixels, ignore``.

    Returns
    -------
    DataFrame
        One row per setting that has values: the four switches, the AR of each method, ``turned`` (how many
        switches differ from the reference), ``change`` (that of the method that moves most, signed),
        ``moved`` (that method; empty where nothing moves) and ``flipped`` (pairs of methods that change places
        strictly).
    """
    keys = list(SWITCHES)
    wide = board.dropna().pivot_table(index=keys, columns="method", values="AR")
    order = [place for place in product(*SWITCHES.values()) if place in wide.index]
    wide = wide.loc[order, list(dict.fromkeys(board["method"]))]
    home = wide.xs(tuple(reference[key] for key in keys))
    change = wide - home
    moved = change.abs().idxmax(axis=1)
    table = wide.reset_index()
    table["turned"] = sum((table[key] != reference[key]).astype(int) for key in keys)
    table["change"] = [change.loc[place, method] for place, method in zip(moved.index, moved, strict=True)]
    table["moved"] = np.where(table["change"] == 0, "", moved)
    table["flipped"] = [
        ", ".join(
            f"{a}/{b}"
            for a, b in combinations(wide.columns, 2)
            if (row[a] - row[b]) * (home[a] - home[b]) < 0
        )
        for _, row in wide.iterrows()
    ]
    return table.rename_axis(columns=None)


def one_switch(effects: pd.DataFrame, reference: dict[str, str], methods: Sequence[str]) -> pd.DataFrame:
    """Return the settings that differ from a reference in one switch, those that move least first.

    Parameters
    ----------
    effects : DataFrame
        From :func:`effects`.
    reference : dict
        The setting that the first row shows.
    methods : sequence of str
        Columns of AR to keep.

    Returns
    -------
    DataFrame
        Columns ``setting, change, moved``, one per method, and ``flipped``.
    """
    table = effects[effects["turned"] <= 1].copy()
    table["setting"] = "the paper's"
    for switch, home in reference.items():
        turned = table[switch] != home
        table.loc[turned, "setting"] = switch + " = " + table.loc[turned, switch]
    table = table.sort_values(["turned", "change"], key=abs)
    return table[["setting", "change", "moved", *methods, "flipped"]]


def stored_switches(result: Result) -> pd.DataFrame:
    """Return a table of :func:`one_switch` as it was before it was stored, or one that says that there is none."""
    if result.table is None:
        return pd.DataFrame({"setting": [result.origin]})
    # A CSV file does not tell an empty text from a missing one.
    return result.table.assign(flipped=result.table["flipped"].astype(object).fillna(""))


def largest_moves(single: pd.DataFrame) -> pd.Series:
    """By how much each switch alone moves an AR at most, without sign.

    Parameters
    ----------
    single : DataFrame
        From :func:`one_switch`.
    """
    return pd.Series(
        {
            switch: single.loc[single["setting"].str.startswith(f"{switch} ="), "change"].abs().max()
            for switch in SWITCHES
        }
    )


def every_combination(effects: pd.DataFrame) -> pd.DataFrame:
    """Return the change of every setting and how many pairs of methods it makes change places, in words.

    Parameters
    ----------
    effects : DataFrame
        From :func:`effects`.

    Returns
    -------
    DataFrame
        Columns ``matching, ignore, pixels`` and one per kind of AR; NaN where a setting has no value.
    """
    pairs = effects["flipped"].map(lambda text: len(text.split(", ")) if text else 0)
    cells = effects.assign(
        cell=[
            f"{change:+.3f}" + (f" · {count} flipped" if count else "")
            for change, count in zip(effects["change"], pairs, strict=True)
        ]
    )
    keys = ["matching", "ignore", "pixels"]
    table = cells.pivot_table(index=keys, columns="kind", values="cell", aggfunc="first", sort=False)
    return table[list(SWITCHES["kind"])].reset_index().rename_axis(columns=None)


def flips(effects: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of methods that change places, the most frequent first.

    Parameters
    ----------
    effects : DataFrame
        From :func:`effects`.

    Returns
    -------
    DataFrame
        Columns ``pair, settings`` (in how many), ``of`` (how many there are beside the reference) and ``AR apart``
        (their distance in the reference).
    """
    pairs = effects["flipped"].str.split(", ").explode()
    table = pairs[pairs != ""].value_counts().rename_axis("pair").reset_index(name="settings")
    home = effects[effects["turned"] == 0].iloc[0]
    apart = [abs(home[a] - home[b]) for a, b in table["pair"].str.split("/")]
    table["of"], table["AR apart"] = len(effects) - 1, apart
    return table


def pixels_by_size(
    methods: Sequence[str],
    dataset: Dataset,
    budget: int,
    seed: int = 0,
    made: dict | None = None,
    bounds: Sequence[float] = (0, 16, 32, 96, np.inf),
) -> pd.DataFrame:
    """Return AR under both pixel conventions, averaged over methods, for objects of different sizes.

    Parameters
    ----------
    methods, dataset, budget, seed, made
        As in :func:`switchboard`; no object is ignored.
    bounds : sequence of float
        Of the side of a square of the object's area, in pixels.

    Returns
    -------
    DataFrame
        Columns ``side of object, objects, edges, inclusive, change, in %``.
    """
    ways = [{"pixels": way, "ignore": "count"} for way in ("edges", "inclusive")]
    rows = []
    for _, pair in covered(methods, dataset, [budget], seed, ways, made=made):
        side = np.sqrt(Frame.of(dataset).areas(pair[0].objects[list(BOX_COLUMNS)]))
        for low, high in pairwise(bounds):
            wanted = (side >= low) & (side < high)
            values = [float(average_recall(table.select(wanted))) for table in pair]
            text = f"{low} to {high} px" if np.isfinite(high) else f"{low} px and more"
            rows.append((text, int(wanted.sum()), *values))
    keys = ["side of object", "objects"]
    table = pd.DataFrame(rows, columns=[*keys, "edges", "inclusive"])
    table = table.groupby(keys, sort=False).mean().reset_index()
    table["change"] = table["inclusive"] - table["edges"]
    return table.assign(**{"in %": 100 * table["change"] / table["edges"]})
