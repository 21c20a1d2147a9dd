"""Columns of boxes in any order of images, brought into the order of the container."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import (
    BOX_COLUMNS,
    as_boxes,
    as_numbers,
    as_scores,
    bad_boxes,
    left_out_report,
    need_columns,
    raise_first,
    score_name,
)
from propeval_lite._checks.values import check_choice, fail, unmasked

#: What the four numbers of a box in a file are: two corners in pixels, a corner and two sides, or shares of the sides.
LAYOUTS = ("corners", "xywh", "relative")


def table_columns(table: pd.DataFrame, name: str, on_bad: str, score: str | None = None, layout=None):
    """Return image ids, (n, 4) corners and (n,) scores or None of a table with a row per box."""
    need_columns(table.columns, name)
    boxes = np.empty((len(table), 4))
    for j, column in enumerate(BOX_COLUMNS):
        boxes[:, j] = as_numbers(table[column], f"{name}: column {column}", on_bad)
    rest = [column for column in table.columns if column not in ("image_id", *BOX_COLUMNS)]
    numbers = [c for c in rest if table[c].dtype.kind in "fiu" and table[c].notna().any()]
    ranking = score_name(rest, numbers, score, name)
    scores = None if ranking is None else as_numbers(table[ranking], f"{name}: column {ranking}", on_bad)
    return table["image_id"], as_corners(boxes, layout), scores


def as_corners(boxes: np.ndarray, layout: str | None) -> np.ndarray:
    """Return (n, 4) boxes of a file as corners; a width and a height count from the left upper corner.

    Examples
    --------
    >>> as_corners(np.array([[1.0, 2.0, 10.0, 20.0]]), "xywh").tolist()
    [[1.0, 2.0, 11.0, 22.0]]
    """
    if check_choice(layout or LAYOUTS[0], LAYOUTS, "boxes") != "xywh":
        return boxes
    return np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])


def group_columns(image_id, boxes, scores, name: str, on_bad: str):
    """Sort boxes by image (in order of first appearance) and falling score; faulty rows are refused or left out.

    Returns
    -------
    image_ids, offsets, boxes, scores : arrays
        As in :class:`propeval_lite.proposals.container.Proposals`.
    report : list of dict
        What was left out.
    """
    check_choice(on_bad, ("error", "drop"), "on_bad")
    boxes = as_boxes(boxes, name)
    scores = None if scores is None else as_scores(scores, len(boxes), name)
    try:
        # The stubs leave out extension arrays.
        codes, ids = pd.factorize(pd.Series(image_id).array)  # type: ignore[call-overload]
    except (TypeError, ValueError) as error:
        raise fail("one image id per box", error, "Give a list of ids.", name) from None
    if len(codes) != len(boxes):
        raise fail(f"{len(boxes)} image ids", f"{len(codes)}", "Give one image id per box.", name)
    if (codes < 0).any():
        got, remedy = f"none in row {np.argmax(codes < 0)}", "Fill in the missing image id or remove the row."
        raise fail("an image_id for every box", got, remedy, name)
    faults, report = bad_boxes(boxes, scores), []
    if faults:
        rows = (faults, boxes, scores, lambda row: ids[codes[row]])
        if on_bad == "error":
            raise_first(*rows, name)
        report = left_out_report(*rows)
        good = np.ones(len(boxes), dtype=bool)
        good[np.concatenate([fault.rows for fault in faults])] = False
        codes, boxes = codes[good], boxes[good]
        scores = None if scores is None else scores[good]
    if (codes[1:] < codes[:-1]).any():
        # Both sorts at once: the constructor then has nothing left to move.
        order = np.argsort(codes, kind="stable") if scores is None else np.lexsort((-scores, codes))
        boxes = boxes[order]
        scores = None if scores is None else scores[order]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(codes, minlength=len(ids)))))
    return np.asarray(ids), offsets, boxes, scores, report


#: When two boxes of an image are the same.
DUPLICATES = ("exact", "rounded", "hosang", "keep")


def rounded(boxes: np.ndarray, policy: str) -> np.ndarray:
    """Return the (n, 4) `boxes` as a policy of `DUPLICATES` compares them.

    Examples
    --------
    >>> boxes = np.array([[0.4, 0.5, 4.4, 4.6]])
    >>> [rounded(boxes, policy).tolist() for policy in ("rounded", "hosang")]
    [[[0.0, 0.0, 4.0, 5.0]], [[0.0, 1.0, 5.0, 5.0]]]
    """
    if policy == "rounded":
        return np.round(boxes)
    if policy == "hosang":
        # Halves go up, as in MATLAB; coordinates are not negative by more than one pixel.
        return np.hstack([np.floor(boxes[:, :2] + 0.5), np.ceil(boxes[:, 2:])])
    return boxes


def check_offsets(offsets, n_images: int, n_boxes: int, name: str) -> np.ndarray:
    """Return offsets as int64, rising from 0 to the number of boxes, with the rows of each image between two."""
    array = unmasked(offsets, f"{name}: offsets")
    if array.dtype.kind not in "iu" or array.ndim != 1:
        got = f"{array.dtype} of shape {array.shape}"
        raise fail("offsets that are whole numbers", got, "Convert them to a row of int64.", name)
    fits = array.shape == (n_images + 1,) and array[0] == 0 and array[-1] == n_boxes
    if not fits or (np.diff(array.astype(np.int64)) < 0).any():
        expected = f"{n_images + 1} rising offsets from 0 to {n_boxes}"
        raise fail(expected, repr(array), "offsets[i]:offsets[i+1] are the rows of image i.", name)
    return array.astype(np.int64, copy=False)


def settled(proposals, given: tuple) -> list[np.ndarray | None]:
    """Return boxes, scores and offsets, best first in each image, that do not change with the arrays `given`."""
    kept = [proposals.boxes, proposals.scores, proposals.offsets]
    order = None if kept[1] is None else falling(kept[2], kept[1])
    if order is not None:
        kept[:2] = kept[0][order], kept[1][order]
    for k, theirs in enumerate(given):
        if kept[k] is not None and isinstance(theirs, (np.ndarray, pd.Series, pd.DataFrame)):
            # The caller may use his arrays again; what was converted or sorted is a new array already.
            kept[k] = kept[k].copy() if np.may_share_memory(kept[k], theirs) else kept[k]
    return kept


def falling(offsets: np.ndarray, scores: np.ndarray) -> np.ndarray | None:
    """Return the order that sorts each image by falling score, ties as they are; None if it is so already.

    Examples
    --------
    >>> falling(np.array([0, 2, 3]), np.array([0.1, 0.9, 0.5]))
    array([1, 0, 2])
    """
    rises = np.flatnonzero(scores[1:] > scores[:-1]) + 1
    owners = np.searchsorted(offsets, rises, side="right") - 1
    owners = np.unique(owners[rises != offsets[owners]])
    if not owners.size:
        return None
    order = np.arange(len(scores))
    for image in owners:
        rows = slice(offsets[image], offsets[image + 1])
        order[rows] = rows.start + np.argsort(-scores[rows], kind="stable")
    return order


def first_of_each(rows: np.ndarray) -> np.ndarray:
    """Return the numbers of those of the (n, m) `rows` that equal no earlier row, rising.

    Examples
    --------
    >>> first_of_each(np.array([[0, 0, 2, 2], [0, 0, 1, 1], [0, 0, 2, 2]]))
    array([0, 1])
    """
    # Sorting one key per row is faster than several columns; it is enough unless different rows share a key.
    columns = np.asarray(rows, dtype=np.float64).T
    keys = sum(np.sqrt(prime) * column for prime, column in zip((1, 2, 3, 5, 7), columns, strict=False))
    order = np.argsort(keys, kind="stable")
    again = _equal_to_previous(rows[order])
    if np.count_nonzero(_equal_to_previous(keys[order, None])) != np.count_nonzero(again):
        order = np.lexsort(columns[::-1])
        again = _equal_to_previous(rows[order])
    return np.sort(order[~again])


def _equal_to_previous(rows: np.ndarray) -> np.ndarray:
    equal = np.zeros(len(rows), dtype=bool)
    equal[1:] = (rows[1:] == rows[:-1]).all(axis=1)
    return equal
