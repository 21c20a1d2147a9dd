"""The quadtree baseline: rectangles that know nothing of the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite.superpixels.labels import renumber

#: The finest grid has 2 ** LEVELS rows and columns.
LEVELS = 5


def quadtree(image: np.ndarray, regions: Sequence[int], rng: np.random.Generator) -> list[np.ndarray]:
    """Halve rectangles, all of one size before smaller ones: first the picture's shorter side, then the longer.

    Notes
    -----
    Cuts lie at whole parts of k/32 of each side. In an upright picture the right-hand and lower rectangles of a
    round are cut first; a landscape picture gets the cuts of an upright one turned by a quarter. This is the
    order behind the published quadtree results. At most 1024 regions.

    References
    ----------
    Pont-Tuset & Marqués, §5.2 (the first baseline).
    """
    height, width = image.shape[:2]
    if width <= height:
        return [renumber(_cut((height, width), count)) for count in regions]
    return [renumber(np.rot90(_cut((width, height), count))) for count in regions]


def _cut(shape: tuple[int, int], regions: int) -> np.ndarray:
    height, width = shape
    steps = 1 << LEVELS
    rows = np.arange(steps + 1) * height // steps
    columns = np.arange(steps + 1) * width // steps
    boxes = [(0, 0, steps, steps)]
    upright = True
    while len(boxes) < regions:
        # Later boxes in this order are cut first.
        boxes.sort(key=(lambda box: (box[1], box[0])) if upright else (lambda box: (box[0], box[1])))
        widest = max(box[3] - box[1] for box in boxes)
        if upright and widest == 1:
            break
        cut: list[tuple[int, int, int, int]] = []
        for place in range(len(boxes) - 1, -1, -1):
            if len(boxes) + len(cut) >= regions:
                break
            top, left, bottom, right = boxes[place]
            if upright:
                middle = (left + right) // 2
                boxes[place] = (top, left, bottom, middle)
                cut.append((top, middle, bottom, right))
            else:
                middle = (top + bottom) // 2
                boxes[place] = (top, left, middle, right)
                cut.append((middle, left, bottom, right))
        boxes += cut
        upright = not upright
    labels = np.zeros(shape, dtype=np.int32)
    next_label = 0
    for top, left, bottom, right in boxes:
        box = labels[rows[top] : rows[bottom], columns[left] : columns[right]]
        # In a picture smaller than the grid some boxes hold no pixel.
        if box.size:
            box[:] = next_label
            next_label += 1
    return labels
