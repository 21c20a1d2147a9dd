"""Repeatability of a method on a data set, from what became of its boxes on each picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.seeding import image_draws
from propeval_lite.boxes import repeated_areas as areas_of
from propeval_lite.studies.hosang_repeatability import ALL, TOUCHING, Task

LEVEL = 0.95


def pooled(answers: Sequence[dict], kind: str, row: int, boxes: str = ALL) -> Iterator[tuple]:
    """Yield IoU and group of the boxes compared, image by image.

    Parameters
    ----------
    answers : sequence of dict
        From :func:`~propeval_lite.studies.hosang_repeatability.repeat_dataset`.
    kind : str
    row : int
        Place of the value.
    boxes : {"all", "touching"}
    """
    value, group = ("iou", "group") if boxes == ALL else ("touching", "touching group")
    for answer in answers:
        iou = answer[f"{kind}.{value}"][row]
        known = ~np.isnan(iou)
        yield iou[known], answer[f"{kind}.{group}"][known]


def summarise(
    task: Task, answers: Sequence[dict], thin: int | None, empty: str, n_bootstrap: int, seed: int
) -> pd.DataFrame:
    """Return repeatability at each value of each perturbation.

    Returns
    -------
    DataFrame
        Columns ``perturbation, value, of, repeatability, low, high, boxes, images, empty groups``. `of` says which
        boxes: all, or only those that touch an object. The interval is a bootstrap over images of the mean IoU per
        group, moved to the value.
    """
    rows = []
    draws = np.array(
        [np.bincount(d, minlength=len(answers)) for d in image_draws(len(answers), n_bootstrap, seed)]
    )
    for kind, values in task.settings:
        for i, value in enumerate(values):
            for of in (ALL, TOUCHING):
                parts = list(pooled(answers, kind, i, of))
                iou, group = (np.concatenate([part[j] for part in parts]) for j in (0, 1))
                areas = areas_of.group_areas(iou, group.astype(np.int64), thin)
                worth = areas_of.mean_area(areas, empty)
                low, high = _interval(parts, draws, empty)
                rows.append(
                    (
                        kind, float(value), of, worth, worth + low, worth + high, len(iou),
                        sum(len(part[0]) > 0 for part in parts), int(np.isnan(areas).sum()),
                    )
                )  # fmt: skip
    columns = [
        "perturbation",
        "value",
        "of",
        "repeatability",
        "low",
        "high",
        "boxes",
        "images",
        "empty groups",
    ]
    return pd.DataFrame(rows, columns=columns)


def _interval(parts: list, draws: np.ndarray, empty: str) -> tuple[float, float]:
    """How far below and above its value a bootstrap of the mean IoU per group goes.

    A group that is empty in a drawn sample alone is left out there: the rule for empty groups is no matter of chance.
    """
    n = areas_of.GROUPS
    sums = np.array([np.bincount(group, iou, minlength=n) for iou, group in parts]).reshape(len(parts), n)
    counts = np.array([np.bincount(group, minlength=n) for _, group in parts]).reshape(len(parts), n)
    filled = int((counts.sum(axis=0) > 0).sum())
    share = filled / n if empty == "zero" else 1.0

    def mean(total, number):
        known = number > 0
        means = np.divide(total, number, out=np.zeros_like(total, dtype=np.float64), where=known)
        return np.where(known.any(axis=-1), means.sum(axis=-1) / np.maximum(known.sum(axis=-1), 1), np.nan)

    drawn = share * (mean(draws @ sums, draws @ counts) - mean(sums.sum(axis=0), counts.sum(axis=0)))
    if not len(drawn) or np.isnan(drawn).all():
        return float("nan"), float("nan")
    edge = (1 - LEVEL) / 2
    low, high = np.nanquantile(drawn, [edge, 1 - edge])
    return min(float(low), 0.0), max(float(high), 0.0)
