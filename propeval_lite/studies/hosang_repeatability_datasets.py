"""Repeatability of several methods on several data sets: those of this run, and stored ones behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.naming import short_name
from propeval_lite._checks.values import fail
from propeval_lite.boxes import repeated_areas as areas_of
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.results.provenance import Result
from propeval_lite.results.store import fresh_or_stored
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies import hosang_repeatability_pooled as pool

#: Data sets whose results are stored, by the name of their spec.
REAL = ("voc2007", "voc2012", "coco")


class Options(NamedTuple):
    """How boxes are made and pooled: per picture k of them, `thin` and `empty` of the measure, seeds and draws."""

    k: int = 1000
    seed: int = 0
    thin: int | None = areas_of.THIN
    empty: str = "zero"
    n_bootstrap: int = 200
    example: tuple[str, float] = ("blur", 1)


class Measured(NamedTuple):
    """What a run found on one data set; tables have columns ``dataset`` and ``method``.

    Attributes
    ----------
    spec : str
    dataset : Dataset
    curve, sizes, recall, problems : DataFrame
        `curve` as :func:`~propeval_lite.studies.hosang_repeatability_pooled.summarise` gives it, the others as the
        functions below; `sizes` has the true objects too.
    left_out : list of str
        Methods that cannot run there.
    """

    spec: str
    dataset: Dataset
    curve: pd.DataFrame
    sizes: pd.DataFrame
    recall: pd.DataFrame
    problems: pd.DataFrame
    left_out: list[str]


def measure(spec: str, dataset: Dataset, methods: Sequence[str], options: Options, **how) -> Measured:
    """Let each method that can repeat itself on a data set.

    Parameters
    ----------
    spec : str
        What the data set was loaded from.
    dataset : Dataset
    methods : sequence of str
    options : Options
    **how
        ``workers``, ``progress`` and ``checkpoint``, as in
        :func:`~propeval_lite.studies.hosang_repeatability.repeat_dataset`.
    """
    good, left_out = study.runnable(methods, dataset)
    parts: dict[str, list[pd.DataFrame]] = {
        "curve": [],
        "sizes": [true_sizes(dataset)],
        "recall": [],
        "problems": [],
    }
    for method in good:
        task, answers = study.repeat_dataset(method, dataset, None, options.k, options.seed, **how)
        found = {
            "curve": pool.summarise(
                task, answers, options.thin, options.empty, options.n_bootstrap, options.seed
            ),
            "sizes": sizes_of(answers),
            "recall": recall_by_group(task, answers, options.example, options.thin),
            "problems": problems_of(task, answers, dataset),
        }
        for name, table in found.items():
            parts[name].append(table.assign(method=short_name(method)))
    if not good:
        got, remedy = ", ".join(methods) or "none", "Name one, such as uniform."
        raise fail(f"a method that can run on {dataset.name}", got, remedy, "methods")
    tables = {
        name: pd.concat(tables, ignore_index=True).assign(dataset=dataset.name)
        for name, tables in parts.items()
    }
    return Measured(spec, dataset, **tables, left_out=left_out)


def check_all_ran(methods: Sequence[str], measured: Sequence[Measured]) -> None:
    """Raise an error if a method that was asked for ran on no data set, so that none is missing in silence."""
    idle = [name for name in methods if all(name in found.left_out for found in measured)]
    if idle:
        names = ", ".join(found.dataset.name for found in measured)
        remedy = "Leave them out, or name a data set with pictures in others."
        raise fail(f"methods that can run on one of {names}", ", ".join(idle), remedy, "methods")


def true_sizes(dataset: Dataset) -> pd.DataFrame:
    """Count the objects of a data set by group of sizes; their method is "annotations"."""
    frame = Frame.of(dataset)
    areas = frame.areas(dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64))
    whole = dataset.images["width"].to_numpy() * dataset.images["height"].to_numpy()
    share = np.sqrt(areas / whole[dataset.image_rows(dataset.objects["image_id"])])
    groups = np.minimum((share * areas_of.GROUPS + 1e-9).astype(np.int64), areas_of.GROUPS - 1)
    return _shares(np.bincount(groups, minlength=areas_of.GROUPS)).assign(method="annotations")


def sizes_of(answers: Sequence[dict]) -> pd.DataFrame:
    """Count the boxes on unchanged pictures by group of sizes: columns ``size, boxes, share``."""
    kind = next(name.partition(".")[0] for name in answers[0] if not name.startswith("rotation"))
    groups = np.concatenate([answer[f"{kind}.group"] for answer in answers])
    return _shares(np.bincount(groups.astype(np.int64), minlength=areas_of.GROUPS))


def _shares(counts: np.ndarray) -> pd.DataFrame:
    middle = np.round((np.arange(areas_of.GROUPS) + 0.5) / areas_of.GROUPS, 6)
    total = counts.sum()
    return pd.DataFrame({"size": middle, "boxes": counts, "share": counts / total if total else np.nan})


def recall_by_group(
    task: study.Task, answers: Sequence[dict], example: tuple[str, float], thin: int | None
) -> pd.DataFrame:
    """Return recall against the IoU threshold for each group of sizes: columns ``size, iou, recall, boxes``.

    Empty where the method was not asked for that perturbation. Of a long curve at most a hundred points are kept.
    """
    kind, value = example
    values = dict(task.settings).get(kind, ())
    rows = []
    if value in values:
        parts = list(pool.pooled(answers, kind, values.index(value)))
        iou, group = (np.concatenate([part[j] for part in parts]) for j in (0, 1))
        for g in range(areas_of.GROUPS):
            x, y = areas_of.recall_curve(iou[group == g], thin)
            few = np.unique(np.linspace(0, max(len(x) - 1, 0), min(len(x), 100)).astype(int))
            low, high = g / areas_of.GROUPS, (g + 1) / areas_of.GROUPS
            rows += [(f"{low:g}–{high:g}", x[i], y[i], int((group == g).sum())) for i in few]
    return pd.DataFrame(rows, columns=["size", "iou", "recall", "boxes"])


def problems_of(task: study.Task, answers: Sequence[dict], dataset: Dataset) -> pd.DataFrame:
    """List what could not be judged: columns ``image_id, perturbation, value, problem``."""
    rows = [
        (image_id, kind, float(value), str(problem))
        for image_id, answer in zip(dataset.images["image_id"], answers, strict=True)
        for kind, values in task.settings
        for value, problem in zip(values, answer[f"{kind}.problem"], strict=True)
        if problem
    ]
    return pd.DataFrame(rows, columns=["image_id", "perturbation", "value", "problem"])


def richest(measured: Sequence[Measured]) -> Measured:
    """Return the results with the most methods, the first of equals: pictures are needed for most of them."""
    return max(measured, key=lambda found: found.curve["method"].nunique())


class Everywhere(NamedTuple):
    """Curves of the run and stored ones behind them, and by each name of `REAL` where its curves come from."""

    curve: pd.DataFrame
    origins: dict[str, Result]


def describe(found: Measured, options: Options) -> str:
    """Say what numbers were made from, for captions."""
    thin = "all values" if options.thin is None else f"thinned to {options.thin}"
    empty = "empty groups count 0" if options.empty == "zero" else "empty groups left out"
    return (
        f"{found.dataset.name}: {len(found.dataset.images):,} images, {options.k:,} proposals, {thin}, {empty}, "
        f"seed {options.seed}"
    )


def everywhere(measured: Sequence[Measured], options: Options) -> Everywhere:
    """Join what a run found with stored results of the real data that it did not look at, and offer its own."""
    tables, origins = [found.curve for found in measured], {}
    here = {found.dataset.name for found in measured}
    for real in REAL:
        fresh = next(
            (found for found in measured if found.spec.partition("?")[0].partition(":")[0] == real), None
        )
        table, source = (None, "") if fresh is None else (fresh.curve, describe(fresh, options))
        origins[real] = fresh_or_stored(table, real, "hosang_repeatability", source)
        stored = origins[real].table
        if origins[real].stored and stored is not None:
            tables.append(stored[~stored["dataset"].isin(here)])
    return Everywhere(pd.concat(tables, ignore_index=True), origins)
