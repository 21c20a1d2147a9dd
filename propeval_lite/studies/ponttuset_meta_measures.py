"""Measures of measures: tables of SIHD and of duels, and the duels that a measure judges best and worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import pandas as pd

from propeval_lite.datasets import Dataset
from propeval_lite.meta import human_scores, sihd_of_scores
from propeval_lite.meta.choices import TIES
from propeval_lite.meta.classify import densities
from propeval_lite.meta.report import scale_and_swapped
from propeval_lite.meta.scales import DatasetScale, sweep_methods
from propeval_lite.meta.swaps import swap_partners
from propeval_lite.partitions.measures import TABLE_2, find_measure
from propeval_lite.segmenters import find_segmenter

#: Columns of `sihd_table` that are shares.
SHARES = ["sihd", "best threshold", "lowest draw", "highest draw", "pooled"]
#: The measures of Table 2 in words.
WORDS = dict(
    zip(
        TABLE_2,
        (
            "F of boundary precision and recall",
            "F of objects and parts",
            "variation of information, over its bound for the number of regions",
            "covering: best IoU of each truth region",
            "bidirectional consistency error",
            "pairs of pixels judged alike (Rand)",
            "van Dongen distance",
            "one-to-one matching of regions",
            "directional Hamming: partition inside truth",
            "F of pairs of pixels",
            "covering: best IoU of each partition region",
            "directional Hamming: truth inside partition",
        ),
        strict=True,
    )
)


def higher_is_better(name: str) -> bool:
    """Direction of a measure.

    Examples
    --------
    >>> higher_is_better("pri"), higher_is_better("voi")
    (True, False)
    """
    return find_measure(name).higher_is_better


def list_measures() -> pd.DataFrame:
    """List the measures of Table 2 in words, with their directions."""
    rows = [(name, words, "higher" if higher_is_better(name) else "lower") for name, words in WORDS.items()]
    return pd.DataFrame(rows, columns=["name", "what it is", "better"])


def judge_people(
    names: Sequence[str], dataset: Dataset, swaps: int, seed: int, first: Mapping | None = None
) -> pd.DataFrame:
    """Score people against those of their image and of several others: `human_scores`, one draw per swap.

    Parameters
    ----------
    names : sequence of str
        Measures.
    dataset : Dataset
        With several partitions per image.
    swaps, seed
        Draws of other images, see `swap_partners`.
    first : mapping, optional
        Image id to the image that it meets in draw 0, before those that are drawn at random.
    """
    ids = dataset.images["image_id"].tolist()
    drawn = swap_partners(len(ids), swaps, seed)
    partners = {
        image_id: ([] if first is None else [first[image_id]]) + [ids[j] for j in row]
        for image_id, row in zip(ids, drawn, strict=True)
    }
    return human_scores(names, dataset, partners=partners)


def one_draw(humans: pd.DataFrame, draw: int = 0) -> pd.DataFrame:
    """Rows of `human_scores` of the same image and of one draw of others.

    Examples
    --------
    >>> one_draw(pd.DataFrame({"draw": [-1, 0, 1]}), 1)["draw"].tolist()
    [-1, 1]
    """
    return humans[humans["draw"].isin([-1, draw])]


def sihd_table(humans: pd.DataFrame, names: Sequence[str], bins: int = 50) -> pd.DataFrame:
    """SIHD of every measure for the first draw of swaps, and how it moves with the draw and with the threshold.

    Parameters
    ----------
    humans : DataFrame
        From `judge_people`.
    names : sequence of str
        Measures.
    bins : int
        Of the densities, see `densities`.

    Returns
    -------
    DataFrame
        Columns ``measure, sihd`` (draw 0, where densities cross), ``best threshold`` (draw 0), ``lowest draw, highest
        draw`` (over all single draws), ``pooled`` (all draws together), ``crossing at, best at`` (the thresholds).
    """
    rows = []
    for name in names:
        crossing, best = (sihd_of_scores(one_draw(humans), name, classifier=kind, bins=bins)
                          for kind in ("density", "threshold"))  # fmt: skip
        each = [sihd_of_scores(one_draw(humans, draw), name, bins=bins).value
                for draw in range(humans["draw"].max() + 1)]  # fmt: skip
        pooled = sihd_of_scores(humans, name, bins=bins).value
        rows.append((name, crossing.value, best.value, min(each), max(each), pooled, crossing.threshold,
                     best.threshold))  # fmt: skip
    return pd.DataFrame(rows, columns=["measure", *SHARES, "crossing at", "best at"])


def in_per_cent(sihd: pd.DataFrame) -> pd.DataFrame:
    """SIHD for readers: `sihd_table` in per cent, best measure first; the thresholds are scores and stay."""
    table = sihd.sort_values("sihd", ascending=False)
    return table.assign(**(100 * table[SHARES]).round(1))


def thresholds(sihd: pd.DataFrame) -> pd.DataFrame:
    """Thresholds of `sihd_table`, one row per measure and ``classifier`` ("density" or "threshold")."""
    names = {"crossing at": "density", "best at": "threshold"}
    table = sihd.melt("measure", list(names), "classifier", "threshold")
    return table.assign(classifier=table["classifier"].map(names))


def density_bins(humans: pd.DataFrame, name: str, bins: int = 50) -> pd.DataFrame:
    """Densities of the same-image and the different-image scores of a measure, as SIHD compares them.

    Parameters
    ----------
    humans : DataFrame
        From `human_scores`, one draw.
    name : str
        Measure.
    bins : int
        See `densities`.

    Returns
    -------
    DataFrame
        Columns ``measure, side`` ("same" or "different"), ``low, high`` (edges of the bin, as scores of the measure),
        ``density``.
    """
    judge = find_measure(name)
    alike = judge.similarity(humans[name])
    found = densities(alike[humans["same"]], alike[~humans["same"]], bins)
    ends = np.append(found["left"], np.ceil(alike.max()))
    edges = np.sort(judge.of_similarity(np.stack([ends[:-1], ends[1:]])), axis=0)
    tables = []
    for side in ("same", "different"):
        # A bin holds the same share of the scores in either unit.
        density = found[side] * np.diff(ends) / (edges[1] - edges[0])
        columns = {"measure": name, "side": side, "low": edges[0], "high": edges[1], "density": density}
        tables.append(pd.DataFrame(columns).sort_values("low"))
    return pd.concat(tables, ignore_index=True)


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


def sweep_table_2(
    methods: Sequence, baselines: Sequence, train: Dataset, test: Dataset, seed: int = 0
) -> pd.DataFrame:
    """Score methods and baselines by the measures of Table 2: input of `report_of_scores`, see `sweep_methods`."""
    return sweep_methods(TABLE_2, methods, train, test, baselines, seed=seed)


def scale_of(sweeps: pd.DataFrame, name: str, method: str) -> DatasetScale:
    """Choose the scale of a method for a measure on the training images, and score the test images there.

    Parameters
    ----------
    sweeps : DataFrame
        As for `report_of_scores`.
    name, method : str
        Measure and segmenter.
    """
    return scale_and_swapped(sweeps[sweeps["method"] == method], name)[0]


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
    for name in names:
        rivals = pd.DataFrame({rival: scale_of(sweeps, name, rival).scores for rival in baselines})
        best = rivals.max(axis=1) if higher_is_better(name) else rivals.min(axis=1)
        for method in methods:
            scale, other = scale_and_swapped(sweeps[sweeps["method"] == method], name)
            scores = {"baseline": best, "method": scale.scores, "swapped": other}
            table = pd.DataFrame(scores).rename_axis("image_id").reset_index()
            tables.append(
                table.assign(measure=name, segmenter=method, parameter=cast(float, scale.parameter))
            )
    return pd.concat(tables, ignore_index=True)


def duel_points(duels: pd.DataFrame, rival: str, ties: str = "correct") -> pd.Series:
    """Count each duel with the column `rival` ("baseline" or "swapped"): 1 when won, 0 when lost.

    Examples
    --------
    >>> rows = pd.DataFrame({"measure": ["fb", "bce"], "method": [0.9, 0.9], "swapped": [0.2, 0.2]})
    >>> duel_points(rows, "swapped").tolist()
    [1.0, 0.0]
    """
    sign = duels["measure"].map(lambda name: 1 if higher_is_better(name) else -1)
    won = sign * duels["method"] > sign * duels[rival]
    return won + TIES[ties] * (duels["method"] == duels[rival])


def lost_shares(duels: pd.DataFrame, rival: str) -> pd.Series:
    """Share of the duels that a measure misjudges, from columns ``measure`` and `rival` (see `duel_points`).

    Examples
    --------
    >>> lost_shares(pd.DataFrame({"measure": "pri", "sabd": [1.0, 0.5, 0.0, 1.0]}), "sabd").to_dict()
    {'pri': 0.25}
    """
    return (duels[rival] < 0.5).groupby(duels["measure"]).mean()


def extreme_duels(duels: pd.DataFrame, name: str) -> pd.DataFrame:
    """Duels with the baseline that a measure finds won most clearly and lost worst, in this order."""
    rows = duels[duels["measure"] == name]
    margin = (rows["method"] - rows["baseline"]) * (1 if higher_is_better(name) else -1)
    order = margin.sort_values().index
    return rows.loc[[order[-1], order[0]]]


def duel_panels(
    rows: pd.DataFrame,
    data: Dataset,
    methods: Sequence,
    baselines: Sequence,
    sweeps: pd.DataFrame,
    seed: int = 0,
) -> list[dict]:
    """Panels of duels: the image, an annotator, the method and the best baseline, at the scales the measure has chosen.

    Parameters
    ----------
    rows : DataFrame
        Rows of `duel_table`, four panels each.
    data : Dataset
        The judged images.
    methods, baselines, sweeps, seed
        See `sweep_table_2`.
    """
    found = {segmenter.name: segmenter for segmenter in map(find_segmenter, [*methods, *baselines])}
    blind = [find_segmenter(baseline).name for baseline in baselines]
    panels = []
    for measure, method, image_id in rows[["measure", "segmenter", "image_id"]].to_numpy():
        scales = {rival: scale_of(sweeps, measure, rival) for rival in [method, *blind]}
        scores = {rival: scale.scores[image_id] for rival, scale in scales.items()}
        best = (max if higher_is_better(measure) else min)(blind, key=scores.__getitem__)
        image = data.image(image_id)
        panels.append({"image": image, "title": "image"})
        panels.append({"image": image, "labels": data.partitions(image_id)[0], "title": "an annotator"})
        for name in (method, best):
            cut = found[name].partitions(data, image_id, [scales[name].parameter], seed=seed)[0]
            title = f"{name.replace('merged_superpixels', 'merged')}: {scores[name]:.2f}"
            panels.append({"image": image, "labels": cut, "title": title})
    return panels
