"""The switchboard of conventions: the same boxes judged under every combination of choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd

from propeval_lite.boxes.cover import cover, label
from propeval_lite.boxes.recall import average_recall
from propeval_lite.datasets.base import Dataset

SWITCHES = {
    "kind": ("integral", "coco", "sum"),
    "matching": ("greedy", "optimal", "best", "coco"),
    "pixels": ("edges", "inclusive"),
    "ignore": ("count", "exclude", "absorb"),
}


def switchboard(
    methods: Sequence[str], dataset: Dataset, budget: int, seed: int = 0, made: dict | None = None
) -> pd.DataFrame:
    """Average recall of the same boxes under every combination of conventions.

    Parameters
    ----------
    methods : sequence of str
    dataset : Dataset
        With some objects marked ``ignore``, or the policy for them changes nothing.
    budget : int
        Proposals per image.
    seed : int
        Of the methods.
    made : dict, optional
        Proposals made earlier, as in :func:`propeval_lite.studies.hosang_recall.cover`.

    Returns
    -------
    DataFrame
        Columns ``kind, matching, pixels, ignore, method, AR``. COCO's matching has no IoU to integrate, so
        that "integral" is NaN with it.
    """
    names = ("matching", "pixels", "ignore")
    settings = [dict(zip(names, values, strict=True)) for values in product(*(SWITCHES[n] for n in names))]
    levels = {"thresholds": np.linspace(0.5, 1, 11)}
    rows = []
    for method in methods:
        tables = cover(method, dataset, [budget], seed, [setting | levels for setting in settings], made=made)
        for (setting, table), kind in product(zip(settings, tables, strict=True), SWITCHES["kind"]):
            known = kind != "integral" or table.iou is not None
            value = float(average_recall(table, kind)) if known else np.nan
            rows.append({"kind": kind, **setting, "method": label(method), "AR": value})
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
    home = wide.loc[tuple(reference[key] for key in keys)]
    change = wide - home
    moved = change.abs().idxmax(axis=1)
    table = wide.reset_index()
    table["turned"] = sum((table[key] != reference[key]).astype(int) for key in keys)
    table["change"] = [change.loc[place, method] for place, method in moved.items()]
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
