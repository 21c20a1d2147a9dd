"""Sentences of the page on OMA, made from its numbers: what the curves, counts and conventions say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.naming import short_name
from propeval_lite.studies.wang_criteria import BLIND
from propeval_lite.studies.wang_criteria_baselines import MATCHINGS, UNIFORM_CHANCE, losers
from propeval_lite.studies.wang_criteria_claims import AgainstChance, how_many, spans


def who_ran(dataset: str, methods: Sequence[str], left_out: Sequence[str] = (), frames: str = "") -> str:
    """Say which methods a data set has, which belong to others, and how boxes from files were read.

    Parameters
    ----------
    dataset : str
    methods : sequence of str
        Short names.
    left_out : sequence of str
        Specs, see :func:`propeval_lite.studies.wang_criteria.evaluate`.
    frames : str
        See :func:`propeval_lite.studies.hosang_recall.file_frames`.

    Examples
    --------
    >>> who_ran("photos", ["uniform"], ["best:a/ebox.npz?dataset=voc2012"])
    '*photos:* `uniform`; of another data set: `ebox`.'
    """
    text = f"*{dataset}:* " + (", ".join(f"`{name}`" for name in methods) or "no method")
    if left_out:
        text += "; of another data set: " + ", ".join(f"`{short_name(spec)}`" for spec in left_out)
    return text + (f"; how files count pixels: {frames}." if frames else ".")


class Blind(NamedTuple):
    """Where a blind method is furthest above uniform chance."""

    method: str
    tau: float
    OMA: float


def best_blind(table: pd.DataFrame) -> Blind:
    """Find the largest OMA of a blind method against uniform chance, chance itself left out.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.against_priors`.
    """
    rows = table[(table["baseline"] == UNIFORM_CHANCE) & table["method"].isin(BLIND[1:])]
    best: Any = rows.sort_values("OMA").iloc[-1]
    return Blind(str(best["method"]), float(best["tau"]), float(best["OMA"]))


def own_prior_sentence(table: pd.DataFrame, images: int) -> str:
    """Say how far the blind methods lie from their own prior, and how far sampling alone may put them.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.against_priors`.
    images : int
        That hold objects. The recall of an image lies between 0 and 1, so its standard deviation is at most one half.

    Examples
    --------
    >>> rows = [("uniform", "uniform prior", 0.02), ("uniform", "uniform prior", -0.01), ("m", "uniform prior", 0.3)]
    >>> table = pd.DataFrame(rows, columns=["method", "baseline", "OMA"]).assign(axis="IoU")
    >>> own_prior_sentence(table, 400).partition(". ")[0]
    'Against its own prior `uniform` lies between -0.010 and +0.020'
    """
    own = table[(table["axis"] == "IoU") & (table["method"] + " prior" == table["baseline"])]
    parts = [
        f"`{method}` lies between {values.min():+.3f} and {values.max():+.3f}"
        for method, values in own.groupby("method", sort=False)["OMA"]
    ]
    return (
        "Against its own prior "
        + " and ".join(parts)
        + ". Nothing but the sampling of its boxes can move it from 0, "
        f"and twice the standard error of a mean over {images:,} images is at most {1 / np.sqrt(images):.3f}."
        if parts
        else "No method of this run draws from one of the priors."
    )


def objectness_sentence(found: AgainstChance, title: str) -> str:
    """Say where Objectness stands against chance.

    Parameters
    ----------
    found : AgainstChance
    title : str
        Of the data set.
    """
    low, values = found.numbers, found.numbers.to_numpy()
    thousand = int(low.index[int(np.argmin(np.abs(np.log(low.index.to_numpy() / 1000))))])
    first, last = low.index[0], low.index[-1]
    whole = f"at each of the {len(low)} numbers of candidates from {first:,} to {last:,}"
    if (values > 0).all():
        above = f"above chance {whole}"
    else:
        above = f"above chance at {(values > 0).sum()} of the {len(low)} numbers from {first:,} to {last:,}"
    dips = "stays above chance"
    if np.isfinite(found.crossing):
        dips = f"falls below chance at {found.crossing:,.0f} candidates"
    return (
        f"*{title}:* at IoU 0.5 Objectness is {above}; with {thousand:,} its OMA is {low[thousand]:+.3f}, where the "
        f"paper has it below 0. At IoU 0.8 it {dips}; the paper says 500. Along IoU, "
        f"with about 1,000 candidates, it is below chance in these stretches: {spans(found.below)}; the paper says "
        "from 0.5 to 0.8."
    )


def prior_sentence(table: pd.DataFrame, priors: pd.DataFrame, tau: float) -> str:
    """Say what the baselines expect at a threshold, and which methods that look are above each.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.against_priors`.
    priors : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.prior_recall`.
    tau : float
    """
    rows = table[(table["axis"] == "IoU") & np.isclose(table["tau"], tau)]
    expected = (
        rows[rows["budget"] == rows["budget"].mode()[0]].groupby("baseline", sort=False)["expected"].first()
    )
    levels = ", ".join(f"{name} {value:.3f}" for name, value in expected.items())
    top = best_blind(rows)
    parts = []
    for name, (above, under) in losers(table, tau).items():
        total = len(above) + len(under)
        beaten = f" (not {', '.join(f'`{method}`' for method in under)})" if under else ""
        parts.append(f"{len(above)} of {total} are above the {name}{beaten}")
    error = priors["error"].max()
    return (
        f"At IoU {tau:g} the baselines expect a recall of {levels}. So the blind `{top.method}` has an OMA of "
        f"{top.OMA:+.3f}: a value above 0 does not show that a method has seen anything. Of the methods that look, "
        + ", ".join(parts)
        + f". (The standard error of a prior's recall from its draws is at most {error:.4f}.)"
    )


def room_sentence(at_budget: pd.DataFrame) -> str:
    """Say how far the methods that look lie apart at each threshold, and how much room OMA has there.

    Parameters
    ----------
    at_budget : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.at_budget`, of one data set.
    """
    seen = at_budget[~at_budget["method"].isin(BLIND)]
    parts = [
        f"at IoU {tau:g} they span {rows['OMA'].max() - rows['OMA'].min():.3f} of OMA under a ceiling of "
        f"{1 - rows['chance'].mean():.3f}"
        for tau, rows in seen.groupby("tau")
    ]
    return "With about 1,000 candidates, of the methods that look: " + ", ".join(parts) + "."


def counts_sentence(printed: pd.DataFrame, counted: pd.DataFrame) -> str:
    """Say how the paper's counts of images and objects relate to those of the public files.

    Parameters
    ----------
    printed : DataFrame
        The paper's, columns ``dataset, quantity, value``.
    counted : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_claims.data_counts`.
    """
    facts = printed.set_index(["dataset", "quantity"])["value"]
    rows = counted[counted["data set"] == "VOC 2007"].set_index("quantity").to_dict("index")
    images, objects = rows["images"], rows["objects"]
    agree = "agrees" if images["difference"] == 0 else "does not agree"
    other = "fewer" if objects["difference"] < 0 else "more"
    all_images, annotated = (facts["VOC 2012", name] for name in ("images", "annotated images"))
    return (
        f"The number of images of VOC 2007 {agree}. Of objects the paper counts {objects['paper']:,.0f}; every box of "
        f"the annotation file, difficult ones included, makes {abs(objects['difference']):,.0f} {other}. What else was "
        "counted is not known: the original XML files also hold boxes of body parts, but the file that is public here "
        f"has none. The paper's VOC 2012 has {all_images:,.0f} images, {annotated:,.0f} of them annotated. Those who "
        "unpacked the archive of the VOC 2012 *test* set report these two numbers for its pictures and its XML files. "
        "By the rules of the challenge such files give boxes only of people, for the action and layout tasks, so the "
        "paper's VOC 2012 is probably not a truth of twenty classes. We have not seen the files."
    )


def steady_sentence(table: pd.DataFrame) -> str:
    """Say for how many methods OMA is steadier than recall, in each part of the table.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_claims.steadiness`, with a column ``data``.
    """
    parts = []
    for (data, candidates), rows in table.groupby(["data", "candidates"], sort=False):
        claims = (
            f"{how_many(row['holds for'], row['of'])} at IoU {row['claim: most methods'].rpartition('IoU ')[2]}"
            if " at IoU " in row["claim: most methods"]
            else f"{how_many(row['holds for'], row['of'])} for the averages"
            for row in rows.to_dict("records")
        )
        parts.append(f"*{data}, {candidates} candidates:* " + ", ".join(claims))
    return "OMA is steadier than recall for this many methods. " + "; ".join(parts) + "."


def conventions_sentence(table: pd.DataFrame) -> str:
    """Say how far the lattice and the averaging move what chance recalls.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.conventions`.
    """
    groups = (table.groupby(name)[list(table.columns[2:])] for name in ("average over", "lattice"))
    lattice, average = (float((group.max() - group.min()).to_numpy().max()) for group in groups)
    return (
        f"The lattice moves these numbers by at most {lattice:.4f}, averaging by up to {average:.4f}"
        + (", far more" if average > 5 * lattice else "")
        + ". Images with a single, large object are easy for chance, and the mean over images gives them more weight. "
        "A recall pooled over objects must never be compared with a chance averaged over images."
    )


def matching_shift(table: pd.DataFrame) -> pd.DataFrame:
    """Return the change of recall under each way of matching against that of HPRS, of largest size over IoU.

    Parameters
    ----------
    table : DataFrame
        From :func:`propeval_lite.studies.wang_criteria_baselines.matching_effect`.
    """
    *others, base = MATCHINGS
    rows = []
    for (method, average), part in table.groupby(["method", "average"], sort=False):
        changes = part[others].to_numpy() - part[[base]].to_numpy()
        largest = np.abs(changes).argmax(axis=0)
        rows.append((method, average, *changes[largest, range(len(others))]))
    return pd.DataFrame(rows, columns=["method", "average", *others])


def matching_sentence(moved: pd.DataFrame, found: AgainstChance | None) -> str:
    """Say how far matching and pixels move recall, and whether that could explain Objectness at IoU 0.5.

    Parameters
    ----------
    moved : DataFrame
        From :func:`matching_shift`.
    found : AgainstChance, optional
        Of Objectness, where real results are known.
    """
    largest = float(np.abs(moved[list(MATCHINGS)[:-1]].to_numpy()).max())
    text = f"Recall of the blind methods moves by at most {largest:.4f}."
    if found is not None:
        least = found.numbers[found.numbers.index <= 1000].min()
        word = "far too little to explain" if least > 5 * largest else "which may explain"
        text += (
            f" If that holds for Objectness too, it is {word} its OMA of at least {least:+.3f} at IoU 0.5, up to 1,000 "
            "candidates."
        )
    return text


def monotone(curves: pd.DataFrame, tolerance: float = 1e-12) -> tuple[bool, bool]:
    """Say whether recall rises with the number of candidates for every method, and falls with IoU.

    Parameters
    ----------
    curves : DataFrame
        From :func:`propeval_lite.studies.wang_criteria.criteria_curves`.
    tolerance : float
        Of one step, for rounding.
    """
    rows = curves[curves["criterion"].isin(["recall", "AR"])]
    number, by_iou = (rows[rows["axis"] == axis] for axis in ("number", "IoU"))
    steps = [
        part["value"].diff().dropna()
        for _, part in number.groupby(["method", "criterion", "tau"], dropna=False)
    ]
    falls = [part.sort_values("tau")["value"].diff().dropna() for _, part in by_iou.groupby("method")]
    rises = all((step >= -tolerance).all() for step in steps)
    return rises, all((fall <= tolerance).all() for fall in falls)
