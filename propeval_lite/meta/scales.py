"""Scores over a swept parameter, and the optimal scale for a data set (ODS) or for each image (OIS)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from propeval_lite._checks.seeding import check_seed
from propeval_lite._checks.values import check_flag, fail
from propeval_lite.datasets.base import check_dataset
from propeval_lite.meta.choices import check_choices
from propeval_lite.meta.discrimination import check_score_columns
from propeval_lite.meta.summaries import summarise
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import find_measure, find_measures
from propeval_lite.partitions.scores import score_all
from propeval_lite.segmenters.registry import Segmenter, find_segmenter, find_segmenters


class DatasetScale(NamedTuple):
    """The best single parameter of a data set.

    `chosen_at` is its value over the images it was chosen on, `value` that over the images it is reported on; `scores`
    are those of these images at the parameter, index ``image_id``.
    """

    parameter: object
    chosen_at: float
    value: float
    scores: pd.Series


class ImageScale(NamedTuple):
    """The best parameter of each image.

    `value` is that over the images, each at its own best parameter; `parameters` and `scores` are those of each image,
    index ``image_id``.
    """

    value: float
    parameters: pd.Series
    scores: pd.Series


def score_sweep(
    measures: Iterable,
    dataset,
    segmenter: str | Callable | Segmenter,
    parameters: Sequence | None = None,
    *,
    swapped: bool = False,
    shapes: str = "auto",
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Segment every image at every parameter and score the partitions by several measures.

    Parameters
    ----------
    measures : iterable of str, Measure or callable
        See `find_measure`.
    dataset : Dataset
        With pictures and partitions.
    segmenter : str, callable or Segmenter
        See `find_segmenter`.
    parameters : sequence, optional
        The sweep; the segmenter's own without.
    swapped : bool
        Also judge each partition by the truths of another image (see `swap_partners`).
    shapes : {"auto", "rotate", "resize"}
        How a partition is laid over another image, see `fit_labels`.
    seed : int
        For segmenters that draw random numbers and for the swaps.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        One row per image, parameter and side: ``image_id`` (whose truths judge), ``parameter``, ``swapped``
        (bool), ``regions``, then one column per measure and the extra columns of `score_all`.
    """
    judges = find_measures(measures)
    method = find_segmenter(segmenter, parameters)
    check_choices(shapes=shapes)
    check_seed(seed)
    check_dataset(dataset)
    check_flag(swapped, "swapped")
    check_flag(progress, "progress")
    ids = dataset.images["image_id"].tolist()
    judge_of = {}
    if swapped:
        judge_of = {int(other): ids[i] for i, (other,) in enumerate(swap_partners(len(ids), seed=seed))}
    rows = []
    for i, image_id in enumerate(tqdm(ids, desc=method.name, unit="image", disable=not progress)):
        cuts = method.partitions(dataset, image_id, seed=seed)
        sides = [(image_id, False)] + ([(judge_of[i], True)] if swapped else [])
        for judged_by, is_swapped in sides:
            truths = dataset.partitions(judged_by)
            for parameter, cut in zip(method.parameters, cuts, strict=True):
                where = f"{method.name} at {parameter}, image {judged_by!r}"
                labels = fit_labels(cut, truths[0].shape, shapes, where) if is_swapped else cut
                head = {"image_id": judged_by, "parameter": parameter, "swapped": is_swapped}
                rows.append(
                    {**head, "regions": int(cut.max()) + 1, **score_all(judges, labels, truths, where)}
                )
    return pd.DataFrame(rows)


def sweep_methods(
    measures: Iterable,
    methods: Iterable,
    train,
    test,
    baselines: Iterable = (),
    *,
    shapes: str = "auto",
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Score several segmenters over their sweeps, on images to choose the scale on and on images to report.

    Parameters
    ----------
    measures, shapes, seed, progress
        See `score_sweep`.
    methods, baselines : iterable of str, callable or Segmenter
        See `find_segmenter`. The partitions of methods are also swapped, on `test`.
    train : Dataset or None
        None to choose the scale on `test`.
    test : Dataset

    Returns
    -------
    DataFrame
        Rows of `score_sweep` with columns ``method``, ``kind`` ("method" or "baseline") and ``split`` ("train" or
        "test").
    """
    measures, tables = find_measures(measures), []
    methods, baselines = list(methods), list(baselines)
    check_sweeps([*methods, *baselines], train, test)
    for kind, specs in (("method", methods), ("baseline", baselines)):
        for method in find_segmenters(specs).values():
            for split, data in (("train", train), ("test", test)):
                if data is None:
                    continue
                swapped = split == "test" and kind == "method"
                table = score_sweep(
                    measures, data, method, swapped=swapped, shapes=shapes, seed=seed, progress=progress
                )
                tables.append(table.assign(method=method.name, kind=kind, split=split))
    return pd.concat(tables, ignore_index=True)


def check_sweeps(segmenters: Iterable, train, test) -> None:
    """Refuse segmenters that are none, or have nothing to cut in one of the data sets, before the first sweep."""
    for data, name in ((train, "train"), (test, "test")):
        if data is None and name == "train":
            continue
        check_dataset(data, name)
        for segmenter in find_segmenters(segmenters).values():
            segmenter.check_images(data)


def ods(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    measure: str,
    higher_is_better: bool | None = None,
    summary: str | None = None,
    parameter: str = "parameter",
) -> DatasetScale:
    """Optimal data set scale: the parameter that is best for a whole data set.

    Parameters
    ----------
    train : DataFrame
        Scores to choose on: columns ``image_id``, `parameter` and `measure`, every image at every parameter.
    test : DataFrame, optional
        Scores to report, with the same columns. Without it `train` is reported too, which flatters.
    measure : str
        Column of the scores.
    higher_is_better : bool, optional
        Direction; known for measures of the library.
    summary : {"mean", "f_of_means", "f_of_counts"}, optional
        See `summarise`.
    parameter : str
        Column of the parameter.

    Returns
    -------
    DatasetScale
        Of equally good parameters the first in the table. A parameter with a NaN score is never chosen.

    References
    ----------
    Pont-Tuset & Marqués, §6.3: the parameter that is best on the training images. Their program takes the test images.

    Examples
    --------
    >>> train = pd.DataFrame({"image_id": [1, 1, 2, 2], "parameter": [5, 9, 5, 9], "voi": [1, 2, 4, 1]})
    >>> test = pd.DataFrame({"image_id": [3, 3], "parameter": [5, 9], "voi": [0.0, 7.0]})
    >>> scale = ods(train, test, measure="voi")
    >>> scale.parameter, scale.chosen_at, scale.value
    (9, 1.5, 7.0)
    """
    up = find_measure(measure).higher_is_better if higher_is_better is None else higher_is_better
    test = train if test is None else test
    for table, name in ((train, "train"), (test, "test")):
        _check_sweep(table, measure, parameter, name)
    values = {key: summarise(rows, measure, summary) for key, rows in train.groupby(parameter, sort=False)}
    able = {key: value for key, value in values.items() if not math.isnan(value)}
    if not able:
        raise fail(
            "a parameter without NaN scores", "NaN at each", "Score other parameters.", f"ods of {measure}"
        )
    best = max(able, key=lambda key: able[key] if up else -able[key])
    rows = test[test[parameter] == best]
    if rows.empty:
        raise fail(
            f"the chosen parameter {best!r} in test", "no such rows", "Sweep the same parameters.", "test"
        )
    return DatasetScale(
        best, able[best], summarise(rows, measure, summary), rows.set_index("image_id")[measure]
    )


def ois(
    scores: pd.DataFrame,
    *,
    measure: str,
    higher_is_better: bool | None = None,
    summary: str | None = None,
    parameter: str = "parameter",
) -> ImageScale:
    """Optimal image scale: the parameter that is best for each image, chosen with its truths.

    Parameters
    ----------
    scores, measure, higher_is_better, summary, parameter
        See `ods`. There is nothing to choose on training images: this is what an oracle of the scale would reach.

    Returns
    -------
    ImageScale

    Examples
    --------
    >>> scores = pd.DataFrame({"image_id": [1, 1, 2, 2], "parameter": [5, 9, 5, 9], "voi": [1.0, 2.0, 4.0, 1.0]})
    >>> scale = ois(scores, measure="voi")
    >>> scale.value, scale.parameters.tolist()
    (1.0, [5, 9])
    """
    up = find_measure(measure).higher_is_better if higher_is_better is None else higher_is_better
    _check_sweep(scores, measure, parameter, "scores")
    ranked = scores.assign(_place=np.arange(len(scores)), _rank=scores[measure] * (-1 if up else 1))
    best = ranked.sort_values(["_rank", "_place"], na_position="last").groupby("image_id", sort=False).head(1)
    rows = best.set_index("image_id").loc[scores["image_id"].drop_duplicates()]
    return ImageScale(summarise(rows, measure, summary), rows[parameter], rows[measure])


def _check_sweep(table: pd.DataFrame, measure: str, parameter: str, name: str) -> None:
    check_score_columns(table, ["image_id", parameter, measure], name)
    if table.empty:
        raise fail("at least one score", "none", "Score some images first.", name)
    twice = table.duplicated(["image_id", parameter])
    if twice.any():
        image_id, value = (table.loc[twice, column].tolist()[0] for column in ("image_id", parameter))
        expected, got = "one row per image and parameter", f"two for image {image_id!r}, parameter {value!r}"
        raise fail(expected, got, "Give the rows of one method and one side (swapped or not).", name)
    if table["image_id"].nunique() * table[parameter].nunique() != len(table):
        raise fail("every image at every parameter", "gaps", "Score the missing ones.", name)
