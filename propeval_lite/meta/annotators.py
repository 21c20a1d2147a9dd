"""How human partitions score against those of the same image and of another one."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import check_choice, fail
from propeval_lite.meta.discrimination import Discrimination, classify_scores, defined_scores
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import Measure, find_measure
from propeval_lite.partitions.scores import score_all


def human_scores(
    measures: Sequence,
    dataset,
    *,
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    truths: str = "together",
    progress: bool = False,
) -> pd.DataFrame:
    """Score human partitions against the others of their image, and against those of another image.

    Parameters
    ----------
    measures : sequence of str, Measure or callable
        See `find_measure`.
    dataset : Dataset
        With several partitions per image.
    swaps, seed, shapes
        See `swap_partners` and `fit_labels`.
    truths : {"together", "one by one"}
        Judge a partition by all partitions of the other side at once, or by each of them alone.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per judgement: ``image_id, partition, other_id`` (equal to ``image_id`` for the same image),
        ``same`` (bool), then one column per measure and the extra columns of `score_all`.
    """
    check_choice(truths, ("together", "one by one"), "truths")
    judges = [find_measure(measure) for measure in measures]
    ids = dataset.images["image_id"].tolist()
    partners = swap_partners(len(ids), swaps, seed)
    rows = []
    for i, image_id in enumerate(tqdm(ids, desc="humans", unit="image", disable=not progress)):
        own = dataset.partitions(image_id)
        others = [(ids[j], dataset.partitions(ids[j])) for j in partners[i]]
        for k, partition in enumerate(own):
            judged = [(image_id, own[:k] + own[k + 1 :])] if len(own) > 1 else []
            for other_id, drawn in judged + others:
                fitted = [
                    fit_labels(truth, partition.shape, shapes, f"image {other_id!r}") for truth in drawn
                ]
                head = {
                    "image_id": image_id,
                    "partition": k,
                    "other_id": other_id,
                    "same": other_id == image_id,
                }
                for jury in [fitted] if truths == "together" else [[one] for one in fitted]:
                    rows.append({**head, **score_all(judges, partition, jury, f"image {image_id!r}")})
    table = pd.DataFrame(rows)
    if table.empty or not table["same"].any():
        raise fail(
            "an image with at least two partitions",
            "none",
            "Use a data set with several annotators.",
            dataset.name,
        )
    return table


def sihd_of_scores(
    scores: pd.DataFrame,
    measure: str | Measure,
    *,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
    nan: str = "error",
) -> Discrimination:
    """Swapped-image human discrimination from scores that are already computed.

    Parameters
    ----------
    scores : DataFrame
        From `human_scores`.
    measure : str or Measure
        One of its columns.
    classifier, bins, errors
        See `classify_scores`.
    nan : {"error", "worst"}
        See `defined_scores`.

    Returns
    -------
    Discrimination
    """
    judge = find_measure(measure)
    names = list(zip(scores["image_id"].tolist(), scores["other_id"].tolist(), strict=True))
    values = defined_scores(
        scores[judge.name],
        judge.name,
        judge.higher_is_better,
        nan,
        lambda row: "images {!r}, {!r}".format(*names[row]),
    )
    table = scores[["image_id", "partition", "other_id"]].assign(score=values)
    same = scores["same"].astype(bool)
    good, bad = (table[side].reset_index(drop=True) for side in (same, ~same))
    value, threshold = classify_scores(
        good["score"], bad["score"], judge.higher_is_better, classifier, bins, errors
    )
    chosen = {"classifier": classifier, "bins": bins, "errors": errors, "nan": nan}
    return Discrimination(value, good, bad, judge.higher_is_better, threshold, chosen)
