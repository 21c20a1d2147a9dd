"""What the detector sees of a box: gradients and colours of the window around it, and the shape of the box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from propeval_lite._checks.boxes import BOX_COLUMNS, as_python
from propeval_lite._checks.values import check_type, fail
from propeval_lite._kernels.windows import window_features
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.proposals.check import check_proposals
from propeval_lite.proposals.container import Proposals
from propeval_lite.superpixels.colours import to_colour

CELLS, PIXELS, BINS = 4, 5, 9
CONTEXT = 0.15  # of each side, that the window shows beyond the box: borders tell whether a box fits
GRADIENTS = (CELLS - 1) ** 2 * 4 * BINS
N_FEATURES = GRADIENTS + CELLS**2 * 3 + 2


@dataclass(frozen=True, eq=False)
class Described:
    """Boxes of the images of a data set with their features: what a detector is trained on and tested on.

    Parameters
    ----------
    dataset : Dataset
    proposals : Proposals
        In the images and in the frame of the data set.
    features : float32 array, (n, N_FEATURES)
        A row for each box.
    """

    dataset: Dataset
    proposals: Proposals
    features: np.ndarray

    def __len__(self) -> int:
        return len(self.proposals)

    @property
    def image_row(self) -> np.ndarray:
        """Row in ``dataset.images`` of each box, (n,)."""
        return np.repeat(np.arange(len(self.dataset.images)), np.diff(self.proposals.offsets))


def describe(dataset: Dataset, proposals: Proposals) -> Described:
    """Compute the features of all boxes, image by image.

    Parameters
    ----------
    dataset : Dataset
        With pictures.
    proposals : Proposals
        Images without boxes stay, with none; boxes that leave their image are refused.

    Returns
    -------
    Described

    Examples
    --------
    >>> import pandas as pd
    >>> from propeval_lite.datasets.base import no_objects
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [20], "height": [20]})
    >>> grey = Dataset("grey", images, no_objects(), read_image=lambda name: np.full((20, 20, 3), 99, np.uint8))
    >>> describe(grey, Proposals(["a"], [0, 1], [[2, 2, 12, 12]])).features.shape == (1, N_FEATURES)
    True
    """
    check_dataset(dataset)
    placed = check_proposals(proposals).checked_against(dataset)
    parts = [np.empty((0, N_FEATURES), dtype=np.float32)]
    for number, image_id in enumerate(dataset.images["image_id"]):
        rows = slice(placed.offsets[number], placed.offsets[number + 1])
        if rows.start < rows.stop:
            boxes = Frame.of(dataset).to_grid(placed.boxes[rows])
            picture = check_picture(dataset.image(image_id), f"{dataset.name}: image {as_python(image_id)!r}")
            parts.append(box_features(picture, boxes))
    return Described(dataset, placed, np.concatenate(parts))


def describe_objects(dataset: Dataset) -> Described:
    """Compute the features of the true boxes themselves, in the order of the objects table."""
    check_dataset(dataset)
    ids = dataset.images["image_id"].to_numpy()
    boxes = dataset.objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
    return describe(dataset, Proposals(ids, dataset.object_offsets, boxes, name="objects"))


def box_features(picture: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Features of boxes of one picture.

    Parameters
    ----------
    picture : uint8 array, (height, width, 3)
        RGB.
    boxes : float array, (n, 4)
        x1, y1, x2, y2 as edges counted from 0. A side below one pixel counts as one.

    Returns
    -------
    float32 array, (n, N_FEATURES)
        Histogram of oriented gradients of the lightness in 4 x 4 cells of a window a little larger than the box; mean
        L, a and b of each cell, from 0 to 1; half the logarithms of width / height and of the share of the picture.
        Beyond its border the picture continues as it ends.
    """
    height, width = picture.shape[:2]
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1)
    centres = (boxes[:, 2:] + boxes[:, :2]) / 2
    half = sides * (0.5 + CONTEXT)
    windows = np.hstack([centres - half, centres + half])
    beyond = max(-windows.min(initial=0), (windows[:, 2:] - [width, height]).max(initial=0))
    pad = int(np.ceil(beyond)) + 1
    windows += pad
    lab = np.pad(to_colour(picture, "lab"), ((pad, pad), (pad, pad), (0, 0)), mode="edge")
    tables = np.zeros((3, lab.shape[0] + 1, lab.shape[1] + 1))
    tables[:, 1:, 1:] = lab.transpose(2, 0, 1).cumsum(axis=1).cumsum(axis=2)
    seen = window_features(tables, np.ascontiguousarray(windows), CELLS, PIXELS, BINS)
    shape = np.log(np.column_stack([sides[:, 0] / sides[:, 1], sides.prod(axis=1) / (width * height)])) / 2
    return np.hstack([seen, shape.astype(np.float32)])


def check_picture(picture: object, where: str) -> np.ndarray:
    """Return a picture if it is an RGB one with whole numbers from 0 to 255."""
    found = np.asarray(picture)
    if found.ndim != 3 or found.shape[2] != 3 or found.dtype != np.uint8:
        got = f"{found.dtype} of shape {found.shape}"
        raise fail("an RGB picture, uint8 of shape (height, width, 3)", got, "Convert the picture.", where)
    return found


def check_described(described: object, where: str = "described") -> Described:
    """Return boxes with features if they are some."""
    remedy = "Make them with describe(dataset, proposals)."
    found = check_type(described, Described, "boxes with features (Described)", remedy, where)
    if found.features.shape != (len(found.proposals), N_FEATURES):
        raise fail(f"shape ({len(found.proposals)}, {N_FEATURES})", found.features.shape, remedy, where)
    if not np.isfinite(found.features).all():
        raise fail("finite features", "nan or inf", "Repair the pictures.", where)
    return found
