"""What is subtracted from recall: chance under each convention, or what a prior expects; and how boxes are matched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import short_name
from propeval_lite._checks.values import fail
from propeval_lite.boxes.cover import cover
from propeval_lite.boxes.curves import mean_over
from propeval_lite.boxes.oma import chance_recall
from propeval_lite.boxes.recall import recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.chance.prior import prior_chance, prior_hits
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods.baselines import PRIORS, draw_prior
from propeval_lite.studies.wang_criteria import BLIND

#: Independent parts of the draws, whose spread tells the error of their mean.
PARTS = 5
UNIFORM_CHANCE = "uniform chance"
#: How boxes are matched and measured: as the data set counts pixels, and by corners, as the probability to hit has it.
MATCHINGS = {
    "best box, own pixels": {"matching": "best"},
    "one-to-one, own pixels": {"matching": "greedy"},
    "best box, corners": {"matching": "best", "pixels": "edges"},
}


def conventions(dataset: Dataset, taus: Sequence[float] = (0.5, 0.8), budget: int = 1000) -> pd.DataFrame:
    """Return what chance recalls under each way of averaging and on each lattice, one column per threshold."""
    blank = Overlaps.from_iou(np.zeros((len(dataset.objects), 1)), [budget], dataset=dataset)
    rows = [
        (average, lattice, *chance_recall(blank, list(taus), average, lattice, round=True).to_numpy()[:, 0])
        for average in ("image", "object")
        for lattice in ("pixels", "edges")
    ]
    return pd.DataFrame(rows, columns=["average over", "lattice", *(f"chance at {tau:g}" for tau in taus)])


def prior_recall(
    dataset: Dataset, points: pd.DataFrame, draws: int, seed: int, average: str = "image"
) -> pd.DataFrame:
    """Recall that boxes drawn from the fitted priors expect, with its standard error.

    Parameters
    ----------
    dataset : Dataset
    points : DataFrame
        Columns ``tau, budget``: where it is wanted; others are ignored. Rows without a threshold, and budgets that
        a fifth of the draws does not reach, are left out.
    draws : int
        Boxes drawn per image from each prior, in :data:`PARTS` independent parts.
    seed : int
    average : {"image", "object"}

    Returns
    -------
    DataFrame
        Columns ``dataset, prior, tau, budget, recall, error``.

    Notes
    -----
    Each part gives an estimate with the right mean, see :func:`propeval_lite.chance.prior_chance`; the error is
    the standard error of the mean over the parts. It says how well the draws tell the prior's recall, not how
    that would vary from data set to data set.
    """
    each = draws // PARTS
    wanted = points[["tau", "budget"]].dropna().drop_duplicates()
    wanted = wanted[wanted["budget"] <= each].sort_values(["tau", "budget"])
    if wanted.empty:
        remedy = "Draw more boxes, or ask for fewer."
        raise fail(f"budgets up to {each}, a part of {draws} draws", points["budget"].min(), remedy, "prior")
    taus = pd.unique(wanted["tau"]).tolist()
    blank = Overlaps.from_iou(np.zeros((len(dataset.objects), 1)), [1], dataset=dataset)
    rows = []
    for prior in PRIORS:
        draw = partial(draw_prior, prior)
        found = [prior_hits(dataset, draw, taus, each, PARTS * seed + part) for part in range(PARTS)]
        for tau, budget in wanted.itertuples(index=False):
            columns = [hits[:, [taus.index(tau)]] for hits in found]
            values = [
                mean_over(blank, np.asarray(prior_chance(column, each, budget)), average)[0]
                for column in columns
            ]
            error = np.std(values, ddof=1) / np.sqrt(PARTS)
            rows.append((dataset.name, prior, tau, int(budget), np.mean(values), error))
    return pd.DataFrame(rows, columns=["dataset", "prior", "tau", "budget", "recall", "error"])


def against_priors(curves: pd.DataFrame, priors: pd.DataFrame) -> pd.DataFrame:
    """Subtract from recall what uniform chance expects, and what each prior expects.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`, of one data set.
    priors : DataFrame
        From :func:`prior_recall`, of the same data set.

    Returns
    -------
    DataFrame
        Columns ``method, axis, tau, budget, baseline, expected, OMA``: a row per baseline, uniform chance first,
        at all points that the priors have.
    """
    keys = ["method", "axis", "tau", "budget"]
    rows = curves[curves["criterion"].isin(["recall", "OMA"])]
    wide = rows.pivot_table("value", keys, "criterion", sort=False).reset_index()
    wide[UNIFORM_CHANCE] = wide["recall"] - wide["OMA"]
    titles = {prior: f"{prior} prior" for prior in pd.unique(priors["prior"])}
    columns = priors.pivot_table("recall", ["tau", "budget"], "prior").rename(columns=titles).reset_index()
    joined = wide.merge(columns, on=["tau", "budget"], how="inner")
    tall = joined.melt([*keys, "recall"], [UNIFORM_CHANCE, *titles.values()], "baseline", "expected")
    tall["OMA"] = tall["recall"] - tall["expected"]
    return tall.drop(columns="recall").rename_axis(columns=None)


def prior_lesson(table: pd.DataFrame, taus: Sequence[float]) -> pd.DataFrame:
    """Return OMA of each method against each baseline at some thresholds, a column per threshold and baseline.

    A column is called by its baseline, ``chance`` or the name of a prior, and its threshold.

    Parameters
    ----------
    table : DataFrame
        From :func:`against_priors`; its rows along IoU are used.
    taus : sequence of float
    """
    rows = table[
        (table["axis"] == "IoU") & np.isclose(table["tau"].to_numpy()[:, None], list(taus)).any(axis=1)
    ]
    short = rows["baseline"].map(
        lambda name: "chance" if name == UNIFORM_CHANCE else name.removesuffix(" prior")
    )
    order = [f"{name} {tau:g}" for tau in taus for name in pd.unique(short)]
    wide = rows.assign(column=short + rows["tau"].map(" {:g}".format)).pivot_table("OMA", "method", "column")
    wide = wide.reindex(index=pd.unique(rows["method"]), columns=order)
    return wide.rename_axis(columns=None).reset_index()


def losers(table: pd.DataFrame, tau: float) -> dict[str, tuple[list[str], list[str]]]:
    """Say for each baseline which methods that look are above it at a threshold, and which are not.

    Parameters
    ----------
    table : DataFrame
        From :func:`against_priors`.
    tau : float

    Returns
    -------
    dict
        By baseline, the methods above it and the others; blind methods are in neither.
    """
    rows = table[(table["axis"] == "IoU") & np.isclose(table["tau"], tau) & ~table["method"].isin(BLIND)]
    return {
        str(name): (
            part.loc[part["OMA"] > 0, "method"].tolist(),
            part.loc[part["OMA"] <= 0, "method"].tolist(),
        )
        for name, part in rows.groupby("baseline", sort=False)
    }


def matching_effect(
    methods: Sequence[str], dataset: Dataset, budget: int, taus: Sequence[float], seed: int
) -> pd.DataFrame:
    """Return the recall of methods under the conventions of published overlaps and those of chance.

    Parameters
    ----------
    methods : sequence of str
        That run on the data set.
    dataset : Dataset
    budget : int
    taus : sequence of float
    seed : int

    Returns
    -------
    DataFrame
        Columns ``method, tau, average`` and one for each of :data:`MATCHINGS`.
    """
    rows = []
    for method in methods:
        tables = cover(method, dataset, [budget], seed, list(MATCHINGS.values()))
        for average in ("image", "object"):
            found = [recall(table, list(taus), average=average).to_numpy()[:, 0] for table in tables]
            rows += [
                (short_name(method), tau, average, *values) for tau, *values in zip(taus, *found, strict=True)
            ]
    return pd.DataFrame(rows, columns=["method", "tau", "average", *MATCHINGS])
