"""Measures of measures: tables of SIHD, of duels and of other readings, and the paper beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from propeval_lite.meta import sabd_of_scores, sihd_of_scores, sisd_of_scores
from propeval_lite.meta.scales import DatasetScale, ods
from propeval_lite.partitions.measures import find_measure

#: Columns of the stored results: the value of each meta-measure, for SIHD also its lowest and highest draw.
STORED = {"sihd": ("crossing", "lowest draw", "highest draw"), "sabd": ("sabd",), "sisd": ("sisd",)}
#: What a tie counts.
CREDIT = {"half": 0.5, "correct": 1.0, "wrong": 0.0}


def sihd_table(humans: pd.DataFrame, names: Sequence[str], bins: int = 50) -> pd.DataFrame:
    """SIHD of every measure by both classifiers, over all draws of swaps and over single ones.

    Parameters
    ----------
    humans : DataFrame
        From `human_scores`, with a column ``draw``: -1 for the same image, else the number of the draw.
    names : sequence of str
        Measures.
    bins : int
        Of the densities.
    """
    columns = ["measure", "crossing", "lowest draw", "highest draw", "best threshold", "mean of errors",
               "crossing at", "best at"]  # fmt: skip
    rows = []
    for name in names:
        crossing, best = (sihd_of_scores(humans, name, classifier=kind, bins=bins)
                          for kind in ("density", "threshold"))  # fmt: skip
        each = [sihd_of_scores(humans[humans["draw"].isin([-1, draw])], name, bins=bins).value
                for draw in range(humans["draw"].max() + 1)]  # fmt: skip
        halved = sihd_of_scores(humans, name, bins=bins, errors="mean").value
        rows.append((name, crossing.value, min(each), max(each), best.value, halved, crossing.threshold,
                     best.threshold))  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def density_bins(humans: pd.DataFrame, name: str, bins: int = 50) -> pd.DataFrame:
    """Histogram the same-image and the different-image scores of a measure between whole numbers.

    Returns
    -------
    DataFrame
        Columns ``measure, side`` ("same" or "different"), ``low, high`` (edges of the bin), ``density``.
    """
    low, high = np.floor(humans[name].min()), np.ceil(humans[name].max())
    edges = np.linspace(low, max(high, low + 1), bins + 1)
    tables = []
    for side, rows in (("same", humans[humans["same"]]), ("different", humans[~humans["same"]])):
        density = np.histogram(rows[name], edges, density=True)[0]
        columns = {"measure": name, "side": side, "low": edges[:-1], "high": edges[1:], "density": density}
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables)


def shared_area(heaps: pd.DataFrame) -> pd.Series:
    """Area under both densities of each measure: 0 when they are apart, 1 when they are the same.

    Parameters
    ----------
    heaps : DataFrame
        From `density_bins`, of one or several measures.
    """
    sides = heaps.pivot_table(
        index=["measure", "low", "high"], columns="side", values="density"
    ).reset_index()
    area = sides[["same", "different"]].min(axis=1) * (sides["high"] - sides["low"])
    return area.groupby(sides["measure"]).sum()


def scale_of(sweeps: pd.DataFrame, name: str, method: str) -> DatasetScale:
    """Choose the scale of a method for a measure on the training images, and score the test images there.

    Parameters
    ----------
    sweeps : DataFrame
        As for `report_of_scores`.
    name, method : str
        Measure and segmenter.
    """
    own = sweeps[(sweeps["method"] == method) & ~sweeps["swapped"].astype(bool)]
    train, test = (own[own["split"] == split] for split in ("train", "test"))
    return ods(train, test, measure=name)


def duel_table(sweeps: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Scores of every method on every image beside its rivals', all at the scales the measure has chosen.

    Parameters
    ----------
    sweeps : DataFrame
        As for `report_of_scores`.
    names : sequence of str
        Measures.

    Returns
    -------
    DataFrame
        Columns ``image_id, baseline`` (the best one's score), ``method`` (the own score), ``swapped`` (that
        of another image's segmentation), ``measure, segmenter, parameter``.
    """
    tables = []
    methods, baselines = (
        sweeps.loc[sweeps["kind"] == kind, "method"].unique() for kind in ("method", "baseline")
    )
    swapped = sweeps[sweeps["swapped"].astype(bool)]
    for name in names:
        rivals = pd.DataFrame({rival: scale_of(sweeps, name, rival).scores for rival in baselines})
        best = rivals.max(axis=1) if find_measure(name).higher_is_better else rivals.min(axis=1)
        for method in methods:
            scale = scale_of(sweeps, name, method)
            other = swapped[(swapped["method"] == method) & (swapped["parameter"] == scale.parameter)]
            scores = {"baseline": best, "method": scale.scores, "swapped": other.set_index("image_id")[name]}
            table = pd.DataFrame(scores).rename_axis("image_id").reset_index()
            tables.append(table.assign(measure=name, segmenter=method, parameter=scale.parameter))
    return pd.concat(tables, ignore_index=True)


def duel_points(duels: pd.DataFrame, rival: str, ties: str = "half") -> pd.Series:
    """Count each duel with the column `rival` ("baseline" or "swapped"): 1 when won, 0 when lost.

    Examples
    --------
    >>> rows = pd.DataFrame({"measure": ["fb", "bce"], "method": [0.9, 0.9], "swapped": [0.2, 0.2]})
    >>> duel_points(rows, "swapped").tolist()
    [1.0, 0.0]
    """
    sign = duels["measure"].map(lambda name: 1 if find_measure(name).higher_is_better else -1)
    won = sign * duels["method"] > sign * duels[rival]
    return won + CREDIT[ties] * (duels["method"] == duels[rival])


def single_sisd(sweep: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """SISD of one segmenter, its scale chosen on the judged images themselves.

    Parameters
    ----------
    sweep : DataFrame
        From `score_sweep`, with swapped rows.
    names : sequence of str
        Measures.

    Returns
    -------
    DataFrame
        Index ``measure``; columns ``correct`` and ``half``: what ties count.
    """
    found = {}
    for name in names:
        scale = ods(sweep[~sweep["swapped"]], measure=name)
        other = sweep[sweep["swapped"] & (sweep["parameter"] == scale.parameter)].set_index("image_id")[name]
        pair = scale.scores.to_frame("one"), other.reindex(scale.scores.index).to_frame("one")
        up = find_measure(name).higher_is_better
        found[name] = [sisd_of_scores(*pair, up, ties).value for ties in ("correct", "half")]
    return pd.DataFrame.from_dict(found, "index", columns=["correct", "half"]).rename_axis("measure")


def sihd_readings(humans: pd.DataFrame, alone: pd.DataFrame, names: Sequence[str], bins: int) -> pd.DataFrame:
    """SIHD of every measure under several readings of the paper, each one step away from the first.

    Parameters
    ----------
    humans, names, bins
        See `sihd_table`; with the scores of ``nvoi``.
    alone : DataFrame
        From `human_scores`, one annotator against one.
    """
    single = {f"draw {k + 1} alone": (humans[humans["draw"].isin([-1, k])], {})
              for k in range(humans["draw"].max() + 1)}  # fmt: skip
    readings = {
        "as above": (humans, {}),
        "mean of the errors, not their sum": (humans, {"errors": "mean"}),
        "nVoI over the bound for pixels": (humans, {}),
        "best threshold, no densities": (humans, {"classifier": "threshold"}),
        "half as many bins": (humans, {"bins": bins // 2}),
        "twice as many bins": (humans, {"bins": 2 * bins}),
        **single,
        "one annotator against one, draw 1 alone": (alone, {}),
    }
    rows = []
    for words, (scores, choices) in readings.items():
        for name in names:
            column = "nvoi" if name == "nvoi_regions" and words.startswith("nVoI") else name
            rows.append((words, name, sihd_of_scores(scores, column, **{"bins": bins, **choices}).value))
    return pd.DataFrame(rows, columns=["reading", "measure", "sihd"])


def reading_distances(gaps: pd.DataFrame) -> pd.DataFrame:
    """How far each reading is from the paper, from columns ``reading, measure, gap`` (in points)."""
    sized = gaps.assign(size=gaps["gap"].abs())
    size = sized.groupby("reading", sort=False)["size"]
    worst = sized.loc[size.idxmax()].set_index("reading")
    within = {
        f"within {n} point{'s' * (n > 1)}": size.agg(lambda s, n=n: int((s <= n).sum())) for n in (1, 2)
    }
    return pd.DataFrame(
        {"mean difference": size.mean(), "largest": worst["gap"], "of": worst["measure"], **within}
    )


def sabd_of_sets(scores: Mapping, baseline: str, sets: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """SABD of several sets of methods (label to names) against one baseline, with ties right and half.

    Scores are Series per method, indexed by image; higher is better. Columns ``methods, ties, sabd``.
    """
    bad = pd.DataFrame({baseline: scores[baseline]})
    rows = [(label, ties, sabd_of_scores(pd.DataFrame({m: scores[m] for m in some}), bad, True, ties).value)
            for label, some in sets.items() for ties in ("correct", "half")]  # fmt: skip
    return pd.DataFrame(rows, columns=["methods", "ties", "sabd"])


def compare_sihd(paper: pd.Series, stored: pd.DataFrame | None) -> pd.DataFrame:
    """SIHD as printed (per cent, by measure) beside `sihd_table` (shares, same index), in per cent."""
    table = paper.to_frame("paper")
    if stored is None:
        return table
    table["here"] = (100 * stored["crossing"]).round(1)
    table["difference"] = (table["here"] - table["paper"]).round(1)
    for column in ("lowest draw", "highest draw", "best threshold", "mean of errors"):
        table[column] = (100 * stored[column]).round(1)
    reached = table["paper"].between(table["lowest draw"], table["highest draw"])
    return table.assign(**{"paper within the draws": np.where(reached, "yes", "no")})


def compare_all(journal: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """All meta-measures, printed and stored, in per cent: a row per measure (both tables have that index)."""
    table = pd.DataFrame(index=stored.index)
    for key, (column, *_) in STORED.items():
        table[f"{key}: paper"] = journal[key]
        table[f"{key}: here"] = (100 * stored[column]).round(1)
    ucm = (100 * stored[["ucm_correct", "ucm_half"]]).round(1)
    return table.assign(**{"gPb-UCM alone": ucm["ucm_correct"], "ties half": ucm["ucm_half"]}).reset_index()
