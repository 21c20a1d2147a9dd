"""Detections against objects: which are right, which are wrong, and which are not judged."""

from __future__ import annotations

import numpy as np

from propeval_lite._kernels.compiled import njit
from propeval_lite._kernels.overlaps import pair_overlaps


@njit(cache=True)
def detection_outcomes(objects, offsets, ignored, crowd, boxes, box_offsets, threshold, extra, free_only):
    """Outcome of each detection; groups are the pairs of category and image.

    With `free_only` a detection takes the free object that it overlaps most, the last of equals, and an ignored one
    only where no ordinary one reaches the threshold (COCO). Otherwise it goes to the object that it overlaps most,
    the first of equals, and is wrong where that one is taken (VOC).

    Parameters
    ----------
    objects, boxes : float64 array, (n, 4) and (m, 4)
        Group g has the rows ``offsets[g]:offsets[g + 1]`` and ``box_offsets[g]:box_offsets[g + 1]``, the boxes by
        falling score.
    offsets, box_offsets : int64 array, (groups + 1,)
    ignored, crowd : bool array, (n,)
        An object that is not judged; one that takes any number of detections by the share of them that lies in it.
    threshold, extra : float
    free_only : bool

    Returns
    -------
    outcome : int8 array, (m,)
        1 right, 0 wrong, −1 not judged.
    taken : int64 array, (m,)
        Row of the object that the detection was given to; −1 for none.
    """
    outcome = np.zeros(boxes.shape[0], dtype=np.int8)
    taken = np.full(boxes.shape[0], -1, dtype=np.int64)
    nobody = np.zeros((0, 4))
    for g in range(offsets.shape[0] - 1):
        first, last = offsets[g], offsets[g + 1]
        start, stop = box_offsets[g], box_offsets[g + 1]
        if first == last or start == stop:
            continue
        table = pair_overlaps(objects[first:last], nobody, boxes[start:stop], extra)
        for o in range(last - first):
            if crowd[first + o]:
                for j in range(stop - start):
                    if table[o, j] > 0:
                        box, region = boxes[start + j], objects[first + o]
                        width = min(region[2], box[2]) - max(region[0], box[0]) + extra
                        height = min(region[3], box[3]) - max(region[1], box[1]) + extra
                        own = (box[2] - box[0] + extra) * (box[3] - box[1] + extra)
                        table[o, j] = width * height / own
        used = np.zeros(last - first, dtype=np.bool_)
        for j in range(stop - start):
            winner = -1
            if free_only:
                for rest in (False, True):
                    reached = threshold
                    for o in range(last - first):
                        open_ = not used[o] or crowd[first + o]
                        if ignored[first + o] == rest and open_ and table[o, j] >= reached:
                            reached, winner = table[o, j], o
                    if winner >= 0:
                        break
            else:
                reached = 0.0
                for o in range(last - first):
                    if table[o, j] > reached:
                        reached, winner = table[o, j], o
                if reached < threshold:
                    winner = -1
            if winner < 0:
                continue
            if ignored[first + winner]:
                outcome[start + j], taken[start + j] = -1, first + winner
            elif not used[winner]:
                outcome[start + j], taken[start + j] = 1, first + winner
            used[winner] = True
    return outcome, taken
