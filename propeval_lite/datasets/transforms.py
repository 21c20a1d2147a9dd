"""Data sets made from data sets: smaller pictures, fewer objects, other marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PIL import Image

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_positive_int, check_threshold, fail
from propeval_lite.datasets.base import Dataset, check_dataset, no_objects
from propeval_lite.datasets.frame import Frame

FULL = ("full_width", "full_height")


def shrink(dataset: Dataset, longest: int) -> Dataset:
    """Return the data set with its larger pictures made smaller, boxes included, to save time.

    Parameters
    ----------
    dataset : Dataset
        One without pictures is returned as it is.
    longest : int
        Longest side in pixels that a picture may have; 0 leaves all as they are.

    Returns
    -------
    Dataset
        Only boxes and pictures: masks and partitions are left out where anything shrinks. The columns ``full_width``
        and ``full_height`` of its images say how large the pictures were; with them boxes of files, which are those
        of full pictures, are made smaller too.
    """
    check_dataset(dataset)
    longest = check_positive_int(longest, "longest", minimum=0)
    sizes = dataset.images[["width", "height"]].to_numpy(dtype=np.float64)
    scale = np.minimum(longest / sizes.max(axis=1), 1)
    if not longest or dataset.read_image is None or (scale == 1).all():
        return dataset
    smaller = shrunk_sizes(sizes, longest)
    # Factors per axis, after rounding, keep a box that fills its image filling it.
    factor = np.tile(smaller / sizes, 2)[dataset.image_rows(dataset.objects["image_id"])]
    columns = list(BOX_COLUMNS)
    boxes = Frame.of(dataset).scaled(dataset.objects[columns], factor)
    full = dict(zip(FULL, full_sizes(dataset).astype(np.int64).T, strict=True))
    images = dataset.images.assign(
        **full, **dict(zip(("width", "height"), smaller.astype(np.int64).T, strict=True))
    )
    shapes = dict(zip(images["image_id"], map(tuple, smaller.astype(int).tolist()), strict=True))
    return Dataset(
        dataset.name,
        images,
        dataset.objects.assign(**dict(zip(columns, boxes.T, strict=True))),
        pixels=dataset.pixels,
        origin=dataset.origin,
        read_image=partial(_resized, dataset.read_image, shapes),
        provenance={**dataset.provenance, "longest": longest},
    )


def shrunk_sizes(sizes: np.ndarray, longest: int) -> np.ndarray:
    """Return the (n, 2) sizes of pictures after :func:`shrink`; float64.

    Examples
    --------
    >>> shrunk_sizes(np.array([[400, 300], [40, 30]]), 100).tolist()
    [[100.0, 75.0], [40.0, 30.0]]
    """
    scale = np.minimum(longest / sizes.max(axis=1), 1)
    return np.maximum(np.rint(sizes * scale[:, np.newaxis]), 1)


def full_sizes(dataset: Dataset) -> np.ndarray:
    """Return the (n, 2) sizes that the pictures had before :func:`shrink`; float64."""
    columns = FULL if FULL[0] in dataset.images else ("width", "height")
    return dataset.images[list(columns)].to_numpy(dtype=np.float64)


def _resized(read: Callable, shapes: dict, image_id) -> np.ndarray:
    picture = Image.fromarray(read(image_id))
    return np.asarray(picture.resize(shapes[image_id], Image.Resampling.BOX))


def reduce_blocks(dataset: Dataset, by: int) -> Dataset:
    """Return a data set with smaller pictures and partitions, without its objects.

    Parameters
    ----------
    dataset : Dataset
        With pictures and partitions.
    by : int
        Each block of `by` x `by` pixels becomes one: pictures take its mean, partitions the label in its middle.
        What is left over at the right and lower border is cut off.

    Returns
    -------
    Dataset
        The data set itself for ``by=1``.
    """
    check_dataset(dataset)
    by = check_positive_int(by, "blocks")
    if by == 1:
        return dataset
    small = dataset.images[["width", "height"]].min(axis=1) < by
    if small.any():
        got = f"one side shorter in image {dataset.images['image_id'][small].tolist()[0]!r}"
        raise fail(f"pictures of at least {by} pixels a side", got, "Use smaller blocks.", "blocks")
    images = dataset.images.assign(width=dataset.images["width"] // by, height=dataset.images["height"] // by)
    return replace(
        dataset,
        images=images,
        objects=no_objects(),
        read_image=partial(_block_means, dataset.image, by),
        read_partitions=partial(_block_labels, dataset.partitions, by),
        read_masks=None,
        read_boundaries=None,
        provenance={**dataset.provenance, "blocks": by},
    )


def _block_means(read: Callable, by: int, image_id) -> np.ndarray:
    full = read(image_id)
    height, width = (side // by for side in full.shape[:2])
    blocks = full[: height * by, : width * by].reshape(height, by, width, by, -1)
    return np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)


def _block_labels(read: Callable, by: int, image_id) -> list[np.ndarray]:
    middle = by // 2
    return [
        np.ascontiguousarray(full[middle::by, middle::by][: full.shape[0] // by, : full.shape[1] // by])
        for full in read(image_id)
    ]


def counted_only(dataset: Dataset) -> Dataset:
    """Return the data set without the objects marked ``ignore`` or ``crowd``, and without their masks; images stay."""
    hidden = dataset.objects["ignore"].to_numpy(dtype=bool)
    if "crowd" in dataset.objects:
        hidden = hidden | dataset.objects["crowd"].to_numpy(dtype=bool)
    owners = dataset.objects["image_id"]
    kept = {image_id: ~hidden[owners == image_id] for image_id in owners[hidden].unique()}
    masks = dataset.read_masks and partial(_kept_masks, dataset.read_masks, kept)
    return replace(dataset, objects=dataset.objects[~hidden], read_masks=masks)


def _kept_masks(read: Callable, kept: dict, image_id) -> np.ndarray:
    masks = read(image_id)
    return masks[kept[image_id]] if image_id in kept else masks


def with_ignored(dataset: Dataset, min_visible: float) -> Dataset:
    """Return the data set with its doubtful objects marked ``ignore``.

    Parameters
    ----------
    dataset : Dataset
        Objects marked already stay so. Those with a true value in a column ``difficult`` (PASCAL VOC) are
        marked, and those whose column ``visible`` (scenes) is under `min_visible`.
    min_visible : float
        Share of the object that must show, in (0, 1].
    """
    least = float(check_threshold(min_visible, "min_visible"))
    flags = dataset.objects["ignore"].to_numpy(dtype=bool)
    if "difficult" in dataset.objects:
        flags = flags | dataset.objects["difficult"].to_numpy(dtype=bool)
    if "visible" in dataset.objects:
        flags = flags | (dataset.objects["visible"].to_numpy() < least)
    return replace(dataset, objects=dataset.objects.assign(ignore=flags))
