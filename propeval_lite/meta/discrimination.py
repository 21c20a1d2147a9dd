"""Discrimination of methods from baselines (SABD, §5.2) and from swapped images (SISD, §5.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.values import as_floats, check_flag, check_type, fail
from propeval_lite.datasets.base import check_dataset
from propeval_lite.meta.choices import TIES, check_choices
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import Measure, find_measure
from propeval_lite.partitions.scores import score_all


@dataclass(frozen=True, eq=False)
class Discrimination:
    """A meta-measure with the scores behind it.

    Attributes
    ----------
    value : float
        The meta-measure, at most 1.
    good, bad : DataFrame
        Scores that should be better and those that should be worse. SIHD: column ``score``, with
        ``image_id, other_id`` where known. SABD, SISD: one row per image, one column per method.
    higher_is_better : bool
        Direction of the scores.
    threshold : float
        Where the classifier of SIHD divides the scores; NaN for the others.
    conventions : dict
        Every choice that moves the value.
    """

    value: float
    good: pd.DataFrame
    bad: pd.DataFrame
    higher_is_better: bool
    threshold: float
    conventions: dict

    def __repr__(self) -> str:
        chosen = ", ".join(f"{key}={value!r}" for key, value in self.conventions.items())
        return f"Discrimination({self.value:.4f}; {len(self.good)} and {len(self.bad)} rows; {chosen})"


def sabd(
    measure: str | Callable | Measure,
    dataset,
    methods: Mapping,
    baselines: Mapping,
    *,
    higher_is_better: bool | None = None,
    ties: str = "correct",
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
    check_choices(ties=ties, against=against, nan=nan)
    judge = find_measure(measure, higher_is_better)
    check_dataset(dataset)
    tables = [
        _judged(judge, dataset, group, name)
        for group, name in ((methods, "methods"), (baselines, "baselines"))
    ]
    good, bad = _defined(tables, judge, nan)
    return sabd_of_scores(good, bad, judge.higher_is_better, ties, against)


def sisd(
    measure: str | Callable | Measure,
    dataset,
    methods: Mapping,
    *,
    higher_is_better: bool | None = None,
    ties: str = "correct",
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
    check_choices(ties=ties, shapes=shapes, nan=nan)
    judge = find_measure(measure, higher_is_better)
    ids = check_dataset(dataset).images["image_id"].tolist()
    partner = {ids[i]: ids[j] for i, (j,) in enumerate(swap_partners(len(ids), seed=seed))}
    same = _judged(judge, dataset, methods, "methods")
    swapped = _judged(judge, dataset, methods, "methods", partner, shapes)
    good, bad = _defined([same, swapped], judge, nan)
    return sisd_of_scores(good, bad, judge.higher_is_better, ties)


def _judged(
    judge: Measure, dataset, group: Mapping, name: str, partner: Mapping | None = None, shapes: str = "auto"
) -> pd.DataFrame:
    """Scores of every method's partition of each image, or of its partner: a row per image, a column per method."""
    remedy = "Give a name and the partitions for each."
    check_type(group, Mapping, "a mapping from name to partitions", remedy, name)
    if not group:
        raise fail("at least one method", "none", remedy, name)
    ids = dataset.images["image_id"].tolist()
    columns: dict[str, list[float]] = {key: [] for key in group}
    for key, given in group.items():
        for image_id in ids:
            truths, where = dataset.partitions(image_id), f"image {image_id!r}"
            labels = _partition(given, partner[image_id] if partner else image_id, f"{name}: {key}")
            if partner:
                labels = fit_labels(labels, truths[0].shape, shapes, where)
            columns[key].append(score_all([judge], labels, truths, where)[judge.name])
    return pd.DataFrame(columns, index=ids)


def _partition(given: object, image_id: object, where: str) -> np.ndarray:
    if callable(given):
        return np.asarray(given(image_id))
    if not isinstance(given, Mapping):
        expected = "a mapping from image id to partition, or a function"
        raise fail(expected, type(given).__name__, "Segment the images first.", where)
    if image_id not in given:
        raise fail(f"a partition of image {image_id!r}", "none", "Segment every image.", where)
    return np.asarray(given[image_id])


def _defined(tables: list[pd.DataFrame], judge: Measure, nan: str) -> list[pd.DataFrame]:
    both = pd.concat(tables, axis=1)
    values = defined_scores(
        both.to_numpy().ravel(),
        judge.name,
        judge.higher_is_better,
        nan,
        lambda at: (
            f"image {both.index.tolist()[at // both.shape[1]]!r} of {both.columns[at % both.shape[1]]}"
        ),
    )
    whole = pd.DataFrame(values.reshape(both.shape), both.index, both.columns)
    return [whole.iloc[:, : tables[0].shape[1]], whole.iloc[:, tables[0].shape[1] :]]


def sabd_of_scores(
    methods: pd.DataFrame,
    baselines: pd.DataFrame,
    higher_is_better: bool,
    ties: str = "correct",
    against: str = "best",
) -> Discrimination:
    """State-of-the-art versus baseline discrimination from tables of scores.

    Parameters
    ----------
    methods, baselines : DataFrame
        One row per image (the same index), one column per method or baseline, each at its optimal data set scale.
    higher_is_better : bool
        Direction of the scores.
    ties : {"correct", "half", "wrong"}
        What equal scores count. The authors' program calls only a lower score wrong, so that ties are correct. That
        gives a constant measure full marks; "half" gives it 0.5.
    against : {"best", "each"}
        Compare a method with the baseline that scores best on the image (the authors' code), or with each.

    Returns
    -------
    Discrimination
        ``value`` is the fraction of right judgements over all images and methods.

    References
    ----------
    Pont-Tuset & Marqués, §5.2.

    Examples
    --------
    >>> methods = pd.DataFrame({"a": [0.9, 0.2], "b": [0.5, 0.5]})
    >>> sabd_of_scores(methods, pd.DataFrame({"quadtree": [0.4, 0.5]}), True).value
    0.75
    """
    check_choices(against=against, ties=ties)
    check_flag(higher_is_better, "higher_is_better")
    good = _score_table(methods, "methods")
    bad = _score_table(baselines, "baselines")
    if not good.index.equals(bad.index):
        raise fail("the same images in both tables", "different indexes", "Align them by image.", "baselines")
    if against == "best":
        best = bad.max(axis=1) if higher_is_better else bad.min(axis=1)
        value = _share_right(good.to_numpy(), best.to_numpy()[:, None], higher_is_better, ties)
    else:
        value = _share_right(good.to_numpy()[:, :, None], bad.to_numpy()[:, None, :], higher_is_better, ties)
    return Discrimination(value, good, bad, higher_is_better, np.nan, {"ties": ties, "against": against})


def sisd_of_scores(
    same: pd.DataFrame, swapped: pd.DataFrame, higher_is_better: bool, ties: str = "correct"
) -> Discrimination:
    """Swapped-image state-of-the-art discrimination from tables of scores.

    Parameters
    ----------
    same : DataFrame
        Score of each method's partition of an image: one row per image, one column per method.
    swapped : DataFrame
        Score, against the same truths, of the method's partition of another image: the same rows and columns.
    higher_is_better, ties
        See `sabd_of_scores`.

    Returns
    -------
    Discrimination
        ``value`` is the fraction of right judgements over all images and methods.

    References
    ----------
    Pont-Tuset & Marqués, §5.3.

    Examples
    --------
    >>> same = pd.DataFrame({"a": [0.9, 0.2]})
    >>> sisd_of_scores(same, pd.DataFrame({"a": [0.4, 0.5]}), True).value
    0.5
    """
    check_flag(higher_is_better, "higher_is_better")
    good, bad = _score_table(same, "same"), _score_table(swapped, "swapped")
    if not good.index.equals(bad.index) or list(good.columns) != list(bad.columns):
        raise fail(
            "the same images and methods in both tables", "different ones", "Align both tables.", "swapped"
        )
    value = _share_right(good.to_numpy(), bad.to_numpy(), higher_is_better, ties)
    return Discrimination(value, good, bad, higher_is_better, np.nan, {"ties": ties})


def defined_scores(
    scores: object, name: str, higher_is_better: bool, nan: str, describe: Callable[[int], str]
) -> np.ndarray:
    """Return scores without NaN: they are refused, or replaced by the worst score of all.

    Parameters
    ----------
    scores : float array
        Scores of the measure `name`.
    name : str
        Named in errors.
    higher_is_better : bool
        Direction of the scores.
    nan : {"error", "worst"}
        What to do with NaN.
    describe : callable
        What the score at a position judges, for the error.

    Examples
    --------
    >>> defined_scores([0.5, np.nan, 0.2], "mine", True, "worst", str).tolist()
    [0.5, 0.2, 0.2]
    """
    check_choices(nan=nan)
    values = as_floats(scores, "scores that are numbers", "Convert the column to numbers.", name)
    missing = np.isnan(values)
    if not missing.any():
        return values
    if nan == "error":
        got = f"NaN for {describe(int(np.argmax(missing)))} ({int(missing.sum())} NaN in all)"
        remedy = "Define the measure there, or pass nan='worst'."
        raise fail("a number for every pair", got, remedy, name)
    if missing.all():
        raise fail("at least one number", "only NaN", "Check the measure.", name)
    worst = np.nanmin(values) if higher_is_better else np.nanmax(values)
    return np.where(missing, worst, values)


def check_score_columns(table: Any, columns: list[str], name: str) -> pd.DataFrame:
    """Return `table` if it is a table with these columns."""
    check_type(table, pd.DataFrame, "a table of scores (DataFrame)", "Score some images first.", name)
    missing = [column for column in columns if column not in table.columns]
    if missing:
        remedy = "Add the missing columns."
        raise fail(f"columns {', '.join(columns)}", f"no {', '.join(missing)}", remedy, name)
    return table


def _score_table(table: pd.DataFrame, name: str) -> pd.DataFrame:
    check_type(
        table,
        pd.DataFrame,
        "a table of scores (DataFrame)",
        "One row per image, one column per method.",
        name,
    )
    numbers = as_floats(table.to_numpy(), "scores that are numbers", "Convert the columns to numbers.", name)
    frame = pd.DataFrame(numbers, table.index, table.columns)
    if frame.empty:
        raise fail(
            "at least one image and one method", f"a table of shape {frame.shape}", "Add scores.", name
        )
    missing = frame.isna().to_numpy()
    if missing.any():
        row, column = np.argwhere(missing)[0]
        got = f"NaN for image {frame.index[row]!r}, method {frame.columns[column]!r}"
        remedy = "A measure must have a value for every partition; see nan='worst'."
        raise fail("a score for every image and method", got, remedy, name)
    return frame


def _share_right(good: np.ndarray, bad: np.ndarray, higher_is_better: bool, ties: str) -> float:
    check_choices(ties=ties)
    good, bad = np.broadcast_arrays(good, bad)
    right = good > bad if higher_is_better else good < bad
    return float((right + TIES[ties] * (good == bad)).mean())
