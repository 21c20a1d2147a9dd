"""Proposals brought into the order of a data set's images, and what to do with boxes that leave their image."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import left_out_report, overhang, raise_first
from propeval_lite.datasets.frame import Frame


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
