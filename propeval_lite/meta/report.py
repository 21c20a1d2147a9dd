"""All three meta-measures of many measures: the rows of Table 2, and a row for a measure of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pandas as pd

from propeval_lite._checks.values import check_flag, check_list, fail
from propeval_lite.datasets.base import check_dataset
from propeval_lite.meta.annotators import human_scores, sihd_of_scores
from propeval_lite.meta.choices import check_choices
from propeval_lite.meta.discrimination import (
    check_score_columns,
    defined_scores,
    sabd_of_scores,
    sisd_of_scores,
)
from propeval_lite.meta.scales import DatasetScale, check_sweeps, ods, sweep_methods
from propeval_lite.partitions.measures import TABLE_2, Measure, find_measure, find_measures
from propeval_lite.segmenters.registry import SEGMENTERS


def report(
    measure: str | Callable | Measure,
    dataset,
    *,
    train=None,
    higher_is_better: bool | None = None,
    built_in: Sequence[str] = TABLE_2,
    methods: Sequence | None = None,
    baselines: Sequence | None = None,
    classifier: str = "density",
    ties: str = "correct",
    against: str = "best",
    swaps: int = 1,
    seed: int = 0,
    shapes: str = "auto",
    nan: str = "error",
    progress: bool = False,
) -> pd.DataFrame:
    """Rank a measure of your own among those of the library.

    Parameters
    ----------
    measure : str, Measure or callable
        ``"package.module:function"`` or a function; see `find_measure`.
    dataset : Dataset
        Images to report on, with pictures and several partitions each.
    train : Dataset, optional
        Images to choose the scales on, as in the journal version. Without it they are chosen on `dataset` itself, as
        in the authors' program; that flatters methods and baselines alike.
    higher_is_better : bool, optional
        Direction of a measure of your own.
    built_in : sequence of str
        Measures of the library to compare with; those of Table 2 by default.
    methods, baselines : sequence of str, callable or Segmenter, optional
        See `find_segmenter`; all segmenters of the library by default.
    classifier, swaps, seed, shapes, nan
        See `sihd`.
    ties, against
        See `sabd_of_scores`.
    progress : bool
        Show progress bars.

    Returns
    -------
    DataFrame
        Index ``measure``; columns ``sihd, sabd, sisd, global`` (the mean of the three), ``higher_is_better``
        and ``own``; best first. ``attrs["conventions"]`` holds every choice.

    References
    ----------
    Pont-Tuset & Marqués, §6.3 and Table 2.
    """
    check_choices(classifier=classifier, ties=ties, against=against, shapes=shapes, nan=nan)
    judge = find_measure(measure, higher_is_better)
    others = check_list(built_in, "a list of measures", "Leave it out for those of Table 2.", "built_in")
    judges = find_measures([judge, *others])
    check_flag(progress, "progress")
    check_dataset(dataset)
    if train is not None:
        check_dataset(train, "train")
    for group, name in ((methods, "methods"), (baselines, "baselines")):
        if group is not None and not check_list(group, "a list of segmenters", "Give ['egb'].", name):
            raise fail("a list of segmenters", "an empty one", "Leave it out for those of the library.", name)
    if methods is None:
        methods = [name for name, entry in SEGMENTERS.items() if not entry.baseline]
    if baselines is None:
        baselines = [name for name, entry in SEGMENTERS.items() if entry.baseline]
    check_sweeps([*methods, *baselines], train, dataset)
    humans = human_scores(judges, dataset, swaps=swaps, seed=seed, shapes=shapes, progress=progress)
    sweeps = sweep_methods(
        judges, methods, train, dataset, baselines, shapes=shapes, seed=seed, progress=progress
    )
    table = report_of_scores(
        judges, humans, sweeps, classifier=classifier, ties=ties, against=against, nan=nan
    )
    chosen_on = "the images reported" if train is None else "train"
    table.attrs["conventions"] |= {"swaps": swaps, "seed": seed, "shapes": shapes, "scales": chosen_on}
    table["own"] = table.index == judge.name if judge.section == "own" else False
    return table


def report_of_scores(
    measures: Iterable,
    humans: pd.DataFrame,
    sweeps: pd.DataFrame,
    *,
    classifier: str = "density",
    bins: int = 50,
    errors: str = "sum",
    ties: str = "correct",
    against: str = "best",
    nan: str = "error",
) -> pd.DataFrame:
    """Meta-measures of several measures from scores that are already computed.

    Parameters
    ----------
    measures : iterable of str, Measure or callable
        Columns of both tables, with their directions.
    humans : DataFrame
        From `human_scores`.
    sweeps : DataFrame
        From `sweep_methods`.
    classifier, bins, errors
        See `classify_scores`.
    ties, against
        See `sabd_of_scores`.
    nan : {"error", "worst"}
        See `sihd`.

    Returns
    -------
    DataFrame
        Index ``measure``; columns ``sihd, sabd, sisd, global, higher_is_better``; best first.

    Notes
    -----
    Each method is judged at its optimal data set scale for the measure (see `summarise`), chosen on train where the
    sweeps have it.
    """
    check_choices(classifier=classifier, errors=errors, ties=ties, against=against, nan=nan)
    judges, rows = find_measures(measures), []
    columns = [judge.name for judge in judges]
    check_score_columns(humans, columns, "humans")
    keys = ["kind", "method", "image_id", "parameter", "swapped"]
    check_score_columns(sweeps, [*keys, *columns], "sweeps")
    for judge in judges:
        same, swapped, bad = {}, {}, {}
        for (kind, name), part in sweeps.groupby(["kind", "method"], sort=False):
            values = defined_scores(
                part[judge.name], judge.name, judge.higher_is_better, nan, partial(_describe, part)
            )
            filled = part.assign(**{judge.name: values})
            scale, others = scale_and_swapped(filled, judge.name, judge.higher_is_better)
            if kind == "baseline":
                bad[name] = scale.scores
            else:
                same[name], swapped[name] = scale.scores, others
        good = pd.DataFrame(same)
        marks = {
            "sihd": sihd_of_scores(
                humans, judge, classifier=classifier, bins=bins, errors=errors, nan=nan
            ).value,
            "sabd": sabd_of_scores(good, pd.DataFrame(bad), judge.higher_is_better, ties, against).value,
            "sisd": sisd_of_scores(good, pd.DataFrame(swapped), judge.higher_is_better, ties).value,
        }
        mean = sum(marks.values()) / len(marks)
        rows.append(
            {"measure": judge.name, **marks, "global": mean, "higher_is_better": judge.higher_is_better}
        )
    table = pd.DataFrame(rows).set_index("measure").sort_values("global", ascending=False, kind="stable")
    table.attrs["conventions"] = {
        "classifier": classifier,
        "bins": bins,
        "errors": errors,
        "ties": ties,
        "against": against,
        "nan": nan,
    }
    return table


def scale_and_swapped(
    sweep: pd.DataFrame, measure: str, higher_is_better: bool | None = None
) -> tuple[DatasetScale, pd.Series]:
    """Choose the scale of one segmenter, and score the swapped partitions there too.

    Parameters
    ----------
    sweep : DataFrame
        Rows of `score_sweep`. With rows whose column ``split`` is "train" the scale is chosen on them and reported on
        the rest.
    measure, higher_is_better
        See `ods`.

    Returns
    -------
    scale : DatasetScale
    swapped : Series
        Scores of the other images' partitions at the same parameter, in the order of ``scale.scores``.
    """
    crossed = sweep["swapped"].astype(bool)
    train, test = sweep[~crossed], None
    if "split" in sweep and (train["split"] == "train").any():
        train, test = (train[train["split"] == split] for split in ("train", "test"))
    scale = ods(train, test, measure=measure, higher_is_better=higher_is_better)
    others = sweep[crossed & (sweep["parameter"] == scale.parameter)].set_index("image_id")[measure]
    return scale, others.reindex(scale.scores.index)


def _describe(part: pd.DataFrame, row: int) -> str:
    method, parameter, image_id = (part[name].tolist()[row] for name in ("method", "parameter", "image_id"))
    return f"{method} at {parameter}, image {image_id!r}"
