"""Proposals brought into the order of a data set's images, and what to do with boxes that leave their image."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS, left_out_report, overhang, raise_first
from propeval_lite._checks.values import fail
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.transforms import full_sizes, shrunk_sizes

#: So many boxes with all their centres in the left upper quarter are no accident.
ENOUGH = 20


def gather(proposals, dataset) -> tuple[np.ndarray, np.ndarray | None]:
    """Where the boxes of each image of `dataset` lie.

    Whole-number ids and their plain spelling (7 and "7") are the same id.

    Returns
    -------
    offsets : int64 array, (n_images + 1,)
        Of the data set's images, some of them perhaps without boxes.
    rows : int64 array or None
        The rows of the boxes in the new order; None if they are in this order already.
    """
    wanted = dataset.images["image_id"]
    ids = pd.Index(proposals.image_ids)
    if ids.dtype.kind in "iu" and wanted.dtype.kind not in "iu":
        ids = ids.astype(str)
    elif wanted.dtype.kind in "iu" and ids.dtype.kind not in "iu":
        ids = pd.Index([int(i) if str(i).isdecimal() and str(int(i)) == i else i for i in ids])
    images = dataset.image_rows(ids, where=f"{proposals.name}: image_id")
    counts = np.zeros(len(wanted), dtype=np.int64)
    counts[images] = np.diff(proposals.offsets)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    if (np.diff(images) > 0).all():
        return offsets, None
    start = np.zeros(len(wanted), dtype=np.int64)
    start[images] = proposals.offsets[:-1]
    return offsets, np.repeat(start - offsets[:-1], counts) + np.arange(len(proposals))


def treat_outside(proposals, dataset, outside: str, tolerance: float):
    """Apply `outside` ("error", "clip" or "drop") to proposals that are aligned with `dataset`.

    Returns
    -------
    boxes : (n, 4) array or None
        The boxes, cut where that was asked for; None if no box leaves its image.
    keep : (n,) bool array or None
        Which of them stay.
    report : list of dict
        What was cut or left out.
    """
    frame = Frame.of(dataset)
    first, last = frame.borders(dataset.images[["width", "height"]])
    faults = overhang(proposals.boxes, proposals.offsets, (*first.T, *last.T), tolerance)
    if not faults:
        return None, None, []
    if outside == "error":
        raise_first(faults, proposals.boxes, None, proposals.image_of_row, proposals.name)
    boxes = proposals.boxes
    keep = np.ones(len(boxes), dtype=bool)
    rows = np.unique(np.concatenate([fault.rows for fault in faults]))
    if outside == "drop":
        keep[rows] = False
    else:
        owner = np.searchsorted(proposals.offsets, rows, side="right") - 1
        corners = np.maximum(boxes[rows, :2], first[owner]), np.minimum(boxes[rows, 2:], last[owner])
        span = corners[1] - corners[0]
        nothing = (span + frame.extra <= 0).any(axis=1)
        keep[rows[nothing]] = False
        boxes = boxes.copy()
        boxes[rows[~nothing]] = np.concatenate(corners, axis=1)[~nothing]
    report = []
    for stays, action in ((True, "cut at the border"), (False, "left out")):
        part = [fault._replace(rows=fault.rows[keep[fault.rows] == stays]) for fault in faults]
        report += left_out_report(part, proposals.boxes, None, proposals.image_of_row, action)
    return boxes, keep, report


def rescaled(proposals, dataset) -> np.ndarray:
    """Boxes of proposals that are aligned with `dataset`, in the scale of its pictures; (n, 4)."""
    sizes = dataset.images[["width", "height"]].to_numpy(dtype=np.float64)
    factor = np.tile(sizes / _own_sizes(proposals, dataset), 2)
    frame = Frame.of(dataset if proposals.pixels is None else proposals)
    return frame.scaled(proposals.boxes, np.repeat(factor, np.diff(proposals.offsets), axis=0))


def _own_sizes(proposals, dataset) -> np.ndarray:
    """Sizes of the pictures that the coordinates of `proposals` belong to, (n_images, 2)."""
    if proposals.scale == "relative":
        return np.ones((len(dataset.images), 2))
    if proposals.scale is None:
        return dataset.images[["width", "height"]].to_numpy(dtype=np.float64)
    full = full_sizes(dataset)
    return full if proposals.scale == "full" else shrunk_sizes(full, proposals.scale)


def ask_about_files(proposals, dataset) -> None:
    """Raise an error where the boxes of a file could be read in two ways; `proposals` are aligned with `dataset`.

    Boxes that a program has made are asked too whether they are shares of width and height.
    """
    from_file = "file" in proposals.provenance
    if proposals.pixels is None and from_file and Frame.of(dataset) != Frame():
        here = f"pixels={dataset.pixels}&origin={dataset.origin}"
        raise fail(
            f"a file that says how it counts pixels, because {dataset.name} has {here}",
            "one that does not",
            f"Write file:PATH?{here} if its boxes are as in the data set, or ?pixels=edges&origin=0 if x2 - x1 is "
            "the width and the first pixel begins at 0.",
            proposals.name,
        )
    if not len(proposals) or proposals.scale == "relative" or proposals.provenance.get("boxes"):
        return
    boxes, sizes = proposals.boxes, _own_sizes(proposals, dataset)
    shares = boxes.max() <= 1 and boxes.min() >= 0 and sizes.max() > 1
    truth = dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
    shares = shares and not (
        len(truth) and truth.max() <= 1
    )  # objects as tiny as these are found by such boxes
    if shares and (from_file or ((boxes > 0) & (boxes < 1)).any()):
        remedy = "Write file:PATH?boxes=relative (Proposals: scale='relative') for shares of width and height"
        remedy += ", or ?boxes=corners if they are pixels."
        raise fail("boxes in pixels", "numbers from 0 to 1 only", remedy, proposals.name)
    if not from_file or len(boxes) < ENOUGH:
        return
    limits = np.repeat(sizes, np.diff(proposals.offsets), axis=0)
    if (boxes[:, :2] + boxes[:, 2:] <= limits + 1).all():
        got = f"{len(boxes)} boxes that all fit their images as x, y, width, height, and as corners all have their "
        got += "centres in the left upper quarter"
        remedy = (
            "Write file:PATH?boxes=xywh, or ?longest=N if they were made on pictures shrunk to N pixels, or "
        )
        remedy += "?boxes=corners if they are corners all the same."
        raise fail("boxes x1, y1, x2, y2 (two corners)", got, remedy, proposals.name)
