"""Checks that every loader makes on the true objects before they become a data set."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS, as_python, bad_boxes, overhang
from propeval_lite.datasets.base import check_images
from propeval_lite.datasets.files import BadInput
from propeval_lite.datasets.frame import Frame

TOLERANCE = 1.0


def good_objects(objects: pd.DataFrame, images: pd.DataFrame, frame: Frame, bad: BadInput) -> pd.DataFrame:
    """Objects of listed images whose boxes are finite, in order and inside the image (within one pixel).

    Parameters
    ----------
    objects, images : DataFrame
        The tables of the data set to be made.
    frame : Frame
        Of the boxes; it says where the borders of an image lie.
    bad : BadInput
        Called for each object that cannot be used.

    Returns
    -------
    DataFrame
        `objects` without those that were left out.
    """
    check_images(images, bad.where)
    good = np.ones(len(objects), dtype=bool)
    rows = pd.Index(images["image_id"]).get_indexer(objects["image_id"])
    ids, numbers = objects["image_id"].to_numpy(), objects["object_id"].to_numpy()
    for row in np.flatnonzero(rows < 0):
        bad(
            as_python(ids[row]),
            "image_id",
            "an image_id listed in images",
            f"{as_python(ids[row])!r} of object {as_python(numbers[row])!r}",
            "Add the image or remove its objects.",
        )
        good[row] = False
    boxes = objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)

    def leave_out(faults):
        for fault in faults:
            for row in fault.rows[good[fault.rows]]:
                box = ", ".join(f"{value:g}" for value in boxes[row])
                bad(
                    as_python(ids[row]),
                    fault.column,
                    fault.expected,
                    f"box ({box}) of object {as_python(numbers[row])!r}",
                    fault.remedy,
                )
                good[row] = False

    leave_out(bad_boxes(boxes, None))
    known = np.flatnonzero(good)
    low, high = frame.borders(images[["width", "height"]].to_numpy()[rows[known]])
    # One "image" per object: its limits are those of the image it lies in.
    found = overhang(boxes[known], np.arange(len(known) + 1), (*low.T, *high.T), TOLERANCE)
    remedy = "Check the size of the image and the box."
    leave_out([fault._replace(rows=known[fault.rows], remedy=remedy) for fault in found])
    return objects[good].reset_index(drop=True)
