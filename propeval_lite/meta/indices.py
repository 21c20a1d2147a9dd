"""Measures of measures: does a measure prefer what is plainly better? SIHD, SABD and SISD of any measure (§5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from propeval_lite._checks.values import fail
from propeval_lite.meta.annotators import human_scores, sihd_of_scores
from propeval_lite.meta.discrimination import (
    Discrimination,
    defined_scores,
    sabd_of_scores,
    sisd_of_scores,
)
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import Measure, find_measure
from propeval_lite.partitions.scores import score_all


def sihd(
    measure: str | Callable | Measure,
    dataset,
    *,
    higher_is_better: bool | None = None,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
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
    swaps, seed
        Other images that each image meets, and how they are drawn, see `swap_partners`.
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
    different-image scores, SIHD is :math:`1 - e_s - e_d`.

    References
    ----------
    Pont-Tuset & Marqués, §5.1 and fig. 5.
    """
    judge = find_measure(measure, higher_is_better)
    scores = human_scores([judge], dataset, swaps=swaps, seed=seed, shapes=shapes, progress=progress)
    found = sihd_of_scores(scores, judge, classifier=classifier, bins=bins, errors=errors, nan=nan)
    return replace(found, conventions={**found.conventions, "swaps": swaps, "seed": seed, "shapes": shapes})


def sabd(
    measure: str | Callable | Measure,
    dataset,
    methods: Mapping,
    baselines: Mapping,
    *,
    higher_is_better: bool | None = None,
    ties: str = "half",
    against: str = "best",
    nan: str = "error",
) -> Discrimination:
    """State-of-the-art versus baseline discrimination: the measure prefers a method to a baseline.

    Parameters
    ----------
    measure, higher_is_better
        See `sihd`.
    dataset : Dataset
        With partitions.
    methods, baselines : mapping
        Name to the partitions of that method at its optimal data set scale: a mapping from image id to an int
        array, or a function of the image id. The scale must be optimal for this very measure, see
        `propeval_lite.meta.scales.ods`; `report` does all of it.
    ties, against
        See `sabd_of_scores`.
    nan : {"error", "worst"}
        See `sihd`.

    Returns
    -------
    Discrimination

    References
    ----------
    Pont-Tuset & Marqués, §5.2 and fig. 6.
    """
    judge = find_measure(measure, higher_is_better)
    ids = dataset.images["image_id"].tolist()
    tables = []
    for group, name in ((methods, "methods"), (baselines, "baselines")):
        columns = {
            key: _column(judge, dataset, ids, _source(key, given, name)) for key, given in group.items()
        }
        tables.append(pd.DataFrame(columns, index=ids))
    good, bad = _defined_tables(tables, judge, nan)
    return sabd_of_scores(good, bad, judge.higher_is_better, ties, against)


def sisd(
    measure: str | Callable | Measure,
    dataset,
    methods: Mapping,
    *,
    higher_is_better: bool | None = None,
    ties: str = "half",
    seed: int = 0,
    shapes: str = "auto",
    nan: str = "error",
) -> Discrimination:
    """Swapped-image state-of-the-art discrimination: the measure prefers the partition of the right image.

    Parameters
    ----------
    measure, dataset, methods, higher_is_better, ties, nan
        See `sabd`.
    seed : int
        Draws the other image, see `swap_partners`.
    shapes : {"auto", "rotate", "resize"}
        See `sihd`.

    Returns
    -------
    Discrimination
        ``good`` are the scores of each image's own partition, ``bad`` those of the other image's partition.

    References
    ----------
    Pont-Tuset & Marqués, §5.3 and fig. 7.
    """
    judge = find_measure(measure, higher_is_better)
    ids = dataset.images["image_id"].tolist()
    partner = {ids[i]: ids[j] for i, (j,) in enumerate(swap_partners(len(ids), seed=seed))}
    same, swapped = {}, {}
    for key, given in methods.items():
        source = _source(key, given, "methods")

        def other(image_id, source=source):
            shape = dataset.partitions(image_id)[0].shape
            return fit_labels(np.asarray(source(partner[image_id])), shape, shapes, f"image {image_id!r}")

        same[key] = _column(judge, dataset, ids, source)
        swapped[key] = _column(judge, dataset, ids, other)
    good, bad = _defined_tables([pd.DataFrame(same, index=ids), pd.DataFrame(swapped, index=ids)], judge, nan)
    return sisd_of_scores(good, bad, judge.higher_is_better, ties)


def _source(key: str, given: object, name: str) -> Callable:
    if isinstance(given, Mapping):

        def lookup(image_id):
            if image_id not in given:
                raise fail(
                    f"a partition of image {image_id!r}", "none", "Segment every image.", f"{name}: {key}"
                )
            return given[image_id]

        return lookup
    if callable(given):
        return given
    raise fail(
        "a mapping from image id to partition, or a function",
        type(given).__name__,
        "Segment the images first.",
        f"{name}: {key}",
    )


def _column(judge: Measure, dataset, ids: list, source: Callable) -> list[float]:
    scores = []
    for image_id in ids:
        labels, where = np.asarray(source(image_id)), f"image {image_id!r}"
        scores.append(score_all([judge], labels, dataset.partitions(image_id), where)[judge.name])
    return scores


def _defined_tables(tables: list[pd.DataFrame], judge: Measure, nan: str) -> list[pd.DataFrame]:
    places = [(row, column) for table in tables for row in table.index for column in table.columns]
    values = defined_scores(
        np.concatenate([table.to_numpy().ravel() for table in tables]),
        judge.name,
        judge.higher_is_better,
        nan,
        lambda at: "image {!r} of {}".format(*places[at]),
    )
    ends = np.cumsum([table.size for table in tables])[:-1]
    return [
        pd.DataFrame(part.reshape(table.shape), index=table.index, columns=table.columns)
        for table, part in zip(tables, np.split(values, ends), strict=True)
    ]
