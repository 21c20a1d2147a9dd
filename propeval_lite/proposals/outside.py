"""What to do with boxes that leave their image."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.boxes import left_out_report, overhang, raise_first
from propeval_lite.datasets.frame import Frame


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
