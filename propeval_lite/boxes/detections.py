"""Detections of categories, and which of them are right: what average precision is computed from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS, as_numbers, check_boxes
from propeval_lite._checks.values import check_choice, check_positive_int, check_threshold, check_type, fail
from propeval_lite._kernels.detections import detection_outcomes
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame

COLUMNS = ("image_id", "category", "score", *BOX_COLUMNS)
OUTCOMES = {1: "right", 0: "wrong", -1: "not judged"}
IGNORE = ("absorb", "exclude", "count")


def check_detections(detections: object, dataset: Dataset) -> pd.DataFrame:
    """Return the columns of a table of detections if each row is a scored box of an image of `dataset`."""
    where = "detections"
    table = check_type(detections, pd.DataFrame, "a table (DataFrame)", "Give one row per detection.", where)
    missing = [column for column in COLUMNS if column not in table.columns]
    if missing:
        got = f"none called {', '.join(missing)}"
        raise fail(f"columns {', '.join(COLUMNS)}", got, "Rename or add the columns.", where)
    twice = [column for column in COLUMNS if list(table.columns).count(column) > 1]
    if twice:
        raise fail("each column once", f"{twice[0]!r} twice", "Remove or rename one of them.", where)
    table = table[list(COLUMNS)].reset_index(drop=True)
    if table["category"].isna().any():
        row = int(np.argmax(table["category"].isna().to_numpy()))
        raise fail(
            "a category for every detection", f"none in row {row}", "Fill it in or drop the row.", where
        )
    corners = np.column_stack([as_numbers(table[name], f"{where}: column {name}") for name in BOX_COLUMNS])
    scores = as_numbers(table["score"], f"{where}: column score")
    check_boxes(corners, where, scores)
    dataset.image_rows(table["image_id"], where)
    return table.assign(score=scores, **dict(zip(BOX_COLUMNS, corners.reshape(-1, 4).T, strict=True)))


def judge_detections(
    dataset: Dataset,
    detections: pd.DataFrame,
    tau=0.5,
    matching: str = "voc",
    ignore: str = "absorb",
    pixels: str | None = None,
    limit: int | None = None,
) -> tuple[pd.DataFrame, pd.Series]:
    """Say of each detection whether it is right, by falling score within its category.

    Parameters
    ----------
    dataset : Dataset
        Its objects need categories.
    detections : DataFrame
        Columns ``image_id, category, score, x1, y1, x2, y2``, in the frame of the data set. Equal scores keep the
        order of images in `dataset`, then of rows.
    tau : float
        IoU in (0, 1] from which a detection can be right; equal is enough.
    matching : {"voc", "coco"}
        Whom a detection goes to. "voc": the object of its category that it overlaps most; a second one there is
        wrong. "coco": the object that it overlaps most among those still free.
    ignore : {"absorb", "exclude", "count"}
        What objects do that are marked ``ignore`` or ``crowd``. "absorb": the detections that go to them are not
        judged, as in VOC (any number) and COCO (one; any number for a crowd, by the share of the detection that lies
        in it). "exclude": they are not there, so such a detection is wrong. "count": objects like any other.
    pixels : {"edges", "inclusive"}, optional
        By default as the data set declares.
    limit : int, optional
        Only the best detections of an image and category take part (COCO: 100).

    Returns
    -------
    judged : DataFrame
        The detections that take part, by category and falling score, with the columns ``outcome`` ("right",
        "wrong", "not judged") and ``object_row``, the row of ``dataset.objects`` or −1.
    counts : Series
        Number of objects to be found, by category; zero where a category has detections only.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5 (the VOC criterion).
    """
    level = check_threshold(tau)
    ranked = rank_detections(dataset, detections, matching, ignore, pixels, limit)
    outcome, taken = ranked.outcomes(float(level))
    table = ranked.table.assign(
        outcome=pd.Series(outcome).map(OUTCOMES).astype("str"), object_row=ranked.object_rows(taken)
    )
    return table.iloc[ranked.by_score].reset_index(drop=True), ranked.counts


class Ranked(NamedTuple):
    """Detections and objects, checked and sorted once for all thresholds.

    Parameters
    ----------
    table : DataFrame
        Detections by category, image and falling score.
    counts : Series
        Number of objects to be found, by category.
    kind : int64 array, (m,)
        Place in `counts` of the category of each detection.
    by_score : int64 array, (m,)
        Rows of `table` by category and falling score.
    arguments : tuple
        Of the kernel, before the threshold.
    rows : int64 array, (n,)
        The object's row in the data set.
    extra : float
    coco : bool
    """

    table: pd.DataFrame
    counts: pd.Series
    kind: np.ndarray
    by_score: np.ndarray
    arguments: tuple
    rows: np.ndarray
    extra: float
    coco: bool

    def outcomes(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Outcome of each row of `table` (1, 0, −1), and the number of the object it was given to."""
        reached = min(level, 1 - 1e-10) if self.coco else level
        return detection_outcomes(*self.arguments, reached, self.extra, self.coco)

    def object_rows(self, taken: np.ndarray) -> np.ndarray:
        """Rows of the data set for numbers of objects; −1 stays."""
        known = self.rows if len(self.rows) else np.zeros(1, dtype=np.int64)
        return np.where(taken >= 0, known[taken], -1)


def rank_detections(
    dataset: Dataset,
    detections: pd.DataFrame,
    matching: str,
    ignore: str,
    pixels: str | None,
    limit: int | None,
) -> Ranked:
    """Check and sort detections; arguments as in :func:`judge_detections`."""
    check_dataset(dataset)
    table = check_detections(detections, dataset)
    check_choice(matching, ("voc", "coco"), "matching")
    check_choice(ignore, IGNORE, "ignore")
    frame = Frame(dataset.pixels if pixels is None else pixels, dataset.origin).checked()
    objects, ignored, crowd, kept = _objects(dataset, ignore)
    categories = sorted(set(objects["category"]) | set(table["category"]), key=str)
    codes = pd.Index(categories)
    found = objects["category"][~ignored].value_counts()
    counts = pd.Series([int(found.get(name, 0)) for name in categories], dtype=np.int64, name="objects")
    counts.index = pd.Index(categories, name="category")

    size = len(categories) * len(dataset.images)
    group = codes.get_indexer(table["category"]) * len(dataset.images) + dataset.image_rows(table["image_id"])
    order = np.lexsort((-table["score"].to_numpy(), group))
    if limit is not None:
        sizes = np.bincount(group, minlength=size)
        place = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        order = order[place < check_positive_int(limit, "limit")]
    table, group = table.iloc[order].reset_index(drop=True), group[order]
    owner = codes.get_indexer(objects["category"]) * len(dataset.images)
    owner = owner + dataset.image_rows(objects["image_id"])
    rows = np.argsort(owner, kind="stable")
    arguments = (
        np.ascontiguousarray(objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)[rows]),
        _offsets(owner, size),
        ignored[rows],
        crowd[rows],
        np.ascontiguousarray(table[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)),
        _offsets(group, size),
    )
    kind = codes.get_indexer(table["category"]).astype(np.int64)
    by_score = np.lexsort((-table["score"].to_numpy(), kind))
    coco = matching == "coco"
    return Ranked(table, counts, kind, by_score, arguments, kept[rows], frame.extra, coco)


def _objects(dataset: Dataset, ignore: str) -> tuple[pd.DataFrame, np.ndarray, np.ndarray, np.ndarray]:
    """Objects that take part, which of them are not judged, which are crowds, and their rows in the data set."""
    objects = dataset.objects
    none = np.zeros(len(objects), dtype=bool)
    crowd = objects["crowd"].to_numpy(dtype=bool) if "crowd" in objects else none
    ignored = crowd | objects["ignore"].to_numpy(dtype=bool)
    if ignore == "count":
        ignored = crowd = none
    keep = ~ignored if ignore == "exclude" else np.ones(len(objects), dtype=bool)
    unknown = objects["category"].isna().to_numpy() & keep
    if unknown.any():
        got = f"none in row {int(np.argmax(unknown))}"
        raise fail("a category for every object", got, "Fill in the category.",
                   f"{dataset.name}: objects table")  # fmt: skip
    return objects[keep], ignored[keep], crowd[keep], np.flatnonzero(keep)


def _offsets(group: np.ndarray, size: int) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(np.bincount(group, minlength=size)))).astype(np.int64)
