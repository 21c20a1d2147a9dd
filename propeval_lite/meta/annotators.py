"""Swapped-image human discrimination (§5.1): a measure tells humans who saw one image from humans who saw two."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.values import check_flag, check_positive_int, check_type, fail
from propeval_lite.datasets.base import check_dataset
from propeval_lite.meta.choices import check_choices
from propeval_lite.meta.classify import classify_scores
from propeval_lite.meta.discrimination import Discrimination, check_score_columns, defined_scores
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import Measure, find_measure, find_measures
from propeval_lite.partitions.scores import score_all


def sihd(
    measure: str | Callable | Measure,
    dataset,
    *,
    higher_is_better: bool | None = None,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
    partners: Mapping | None = None,
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    nan: str = "error",
    progress: bool = False,
) -> Discrimination:
    r"""Swapped-image human discrimination: the measure tells whether two humans saw the same image.

    Parameters
    ----------
    measure : str, Measure or callable
        A name such as "fop", or your own ``f(partition, truths) -> float``.
    dataset : Dataset
        At least two images, with several partitions per image.
    higher_is_better : bool, optional
        Direction of a measure of your own.
    classifier, bins, errors
        How scores are told apart, see `classify_scores`.
    partners, swaps, seed
        Other images that each image meets, see `human_scores`.
    shapes : {"auto", "rotate", "resize"}
        How partitions of the other image are laid over the image, see `fit_labels`.
    nan : {"error", "worst"}
        Refuse undefined scores, or replace them by the worst score of all.
    progress : bool
        Show a progress bar.

    Returns
    -------
    Discrimination
        ``good`` are the same-image scores, ``bad`` the different-image scores.

    Notes
    -----
    Every human partition is judged once by the other partitions of its image and `swaps` times by all partitions of
    another image. With the rates of error :math:`e_s` among the same-image and :math:`e_d` among the
    different-image scores, SIHD is :math:`1 - e_s - e_d`. All defaults are the rule of the authors' code, save that
    their draw of partners is in a file (`propeval_lite.meta.seism.read_partners`).

    References
    ----------
    Pont-Tuset & Marqués, §5.1 and fig. 5.
    """
    check_choices(classifier=classifier, errors=errors, nan=nan)
    check_positive_int(bins, "bins", 3)
    judge = find_measure(measure, higher_is_better)
    scores = human_scores(
        [judge], dataset, partners=partners, swaps=swaps, seed=seed, shapes=shapes, progress=progress
    )
    found = sihd_of_scores(scores, judge, classifier=classifier, bins=bins, errors=errors, nan=nan)
    drawn = {"swaps": swaps, "seed": seed} if partners is None else {"partners": "given"}
    return replace(found, conventions={**found.conventions, **drawn, "shapes": shapes})


def human_scores(
    measures: Iterable,
    dataset,
    *,
    partners: Mapping | None = None,
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    truths: str = "together",
    progress: bool = False,
) -> pd.DataFrame:
    """Score human partitions against the others of their image, and against those of another image.

    Parameters
    ----------
    measures : iterable of str, Measure or callable
        See `find_measure`.
    dataset : Dataset
        With several partitions per image.
    partners : mapping, optional
        Image id to the other image that stands in for it, or to a sequence of them, one per draw. Without it they
        are drawn.
    swaps, seed
        How partners are drawn, see `swap_partners`.
    shapes
        See `fit_labels`.
    truths : {"together", "one by one"}
        Judge a partition by all partitions of the other side at once, or by each of them alone.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per judgement: ``image_id, annotator, other_id`` (equal to ``image_id`` for the same image),
        ``same`` (bool), ``draw`` (which of the image's partners, from 0; -1 for the same image), then one column per
        measure and the extra columns of `score_all`.
    """
    check_choices(truths=truths, shapes=shapes)
    check_flag(progress, "progress")
    check_dataset(dataset)
    judges = find_measures(measures)
    ids = dataset.images["image_id"].tolist()
    if partners is None:
        partners = {
            ids[i]: [ids[j] for j in row] for i, row in enumerate(swap_partners(len(ids), swaps, seed))
        }
    remedy = "Give each image id the id of another image."
    check_type(partners, Mapping, "a mapping from image to image", remedy, "partners")
    met_by = {image_id: _partners_of(partners, image_id, ids) for image_id in ids}
    if not any(len(dataset.partitions(image_id)) > 1 for image_id in ids):
        remedy = "Use a data set with several annotators."
        raise fail("an image with at least two partitions", "none", remedy, dataset.name)
    rows = []
    for image_id in tqdm(ids, desc="humans", unit="image", disable=not progress):
        own = dataset.partitions(image_id)
        others = [
            (draw, other_id, dataset.partitions(other_id)) for draw, other_id in enumerate(met_by[image_id])
        ]
        for k, partition in enumerate(own):
            judged = [(-1, image_id, own[:k] + own[k + 1 :])] if len(own) > 1 else []
            for draw, other_id, drawn in judged + others:
                fitted = [
                    fit_labels(truth, partition.shape, shapes, f"image {other_id!r}") for truth in drawn
                ]
                head = {
                    "image_id": image_id,
                    "annotator": k,
                    "other_id": other_id,
                    "same": draw < 0,
                    "draw": draw,
                }
                for jury in [fitted] if truths == "together" else [[one] for one in fitted]:
                    rows.append({**head, **score_all(judges, partition, jury, f"image {image_id!r}")})
    return pd.DataFrame(rows)


def _partners_of(partners: Mapping, image_id: Hashable, ids: list) -> list:
    """Other images that an image meets, checked."""
    if image_id not in partners:
        raise fail(f"a partner of image {image_id!r}", "none", "Give every image another one.", "partners")
    met = partners[image_id]
    met = list(met) if isinstance(met, (list, tuple)) else [met]
    for other_id in met:
        if other_id == image_id or other_id not in ids:
            got = "the image itself" if other_id == image_id else repr(other_id)
            remedy = "Use the partners of this data set, or leave them out to draw some."
            raise fail(f"another image of the data set for {image_id!r}", got, remedy, "partners")
    return met


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
    check_score_columns(scores, ["image_id", "annotator", "other_id", "same", judge.name], "scores")
    names = list(zip(scores["image_id"].tolist(), scores["other_id"].tolist(), strict=True))
    values = defined_scores(
        scores[judge.name],
        judge.name,
        judge.higher_is_better,
        nan,
        lambda row: "images {!r}, {!r}".format(*names[row]),
    )
    table = scores[["image_id", "annotator", "other_id"]].assign(score=values)
    same = scores["same"].astype(bool)
    good, bad = (table[side].reset_index(drop=True) for side in (same, ~same))
    alike, apart = (judge.similarity(side["score"]) for side in (good, bad))
    value, threshold = classify_scores(alike, apart, True, classifier, bins, errors)
    chosen = {"classifier": classifier, "bins": bins, "errors": errors, "nan": nan}
    return Discrimination(
        value, good, bad, judge.higher_is_better, float(judge.of_similarity(threshold)), chosen
    )
