"""COCO's ways to write a mask: polygons, run lengths, and run lengths packed into text."""

from __future__ import annotations

import operator

import numpy as np
from skimage.draw import polygon as polygon_pixels

from propeval_lite._checks.values import InputError, fail


def unpack_counts(text: str | bytes) -> np.ndarray:
    """Run lengths behind COCO's packed text.

    Each number is written in groups of five bits, lowest first, one character (code 48 and up) per group;
    bit 6 says that another group follows and the top bit of the last group is the sign. From the fourth
    number on, what is stored is the difference to the number two places before.

    Examples
    --------
    >>> unpack_counts("6").tolist(), unpack_counts("113O").tolist()
    ([6], [1, 1, 3, 0])
    """
    code = np.frombuffer(text.encode() if isinstance(text, str) else bytes(text), dtype=np.uint8).astype(
        np.int64
    )
    code = code - 48
    if not code.size:
        return np.zeros(0, dtype=np.int64)
    if ((code < 0) | (code > 63)).any() or code[-1] & 32:
        raise fail(
            "packed run lengths (COCO text)", f"{text[:20]!r}…", "Write the mask again with a COCO tool."
        )
    last = (code & 32) == 0
    ends = np.flatnonzero(last)
    starts = np.concatenate(([0], ends[:-1] + 1))
    place = np.arange(code.size) - np.repeat(starts, ends - starts + 1)
    values = np.add.reduceat((code & 31) << (5 * place), starts)
    values = values - np.where(code[ends] & 16, 1 << (5 * (ends - starts + 1)), 0)
    values[1::2] = np.cumsum(values[1::2])
    values[2::2] = np.cumsum(values[2::2])
    return values


def run_lengths(segmentation: dict) -> tuple[np.ndarray, int, int]:
    """Return counts, height and width of a mask ``{"size": [h, w], "counts": list or text}``, checked."""
    try:
        height, width = (operator.index(side) for side in segmentation["size"])
        counts = segmentation["counts"]
        counts = (
            unpack_counts(counts)
            if isinstance(counts, (str, bytes))
            else np.array([operator.index(run) for run in counts], dtype=np.int64)
        )
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        remedy = 'Write {"size": [height, width], "counts": …} as COCO does.'
        raise fail("a run-length mask", f"{type(error).__name__}: {error}", remedy) from None
    if counts.sum() != height * width or (counts < 0).any() or height < 0:
        got = f"runs of {counts.sum()} pixels in all for {height} x {width}"
        raise fail("run lengths that fill the mask", got, "Size is [height, width]; write the mask again.")
    return counts, height, width


def decode_rle(segmentation: dict) -> np.ndarray:
    """Mask (height, width) bool of a run-length mask; runs go down the columns and start with background.

    Examples
    --------
    >>> decode_rle({"size": [2, 3], "counts": [1, 2, 3]}).astype(int).tolist()
    [[0, 1, 0], [1, 0, 0]]
    """
    counts, height, width = run_lengths(segmentation)
    return np.repeat(np.arange(counts.size) % 2 == 1, counts).reshape(width, height).T


def encode_rle(mask: np.ndarray) -> dict:
    """Run lengths of a mask, uncompressed: ``{"size": [h, w], "counts": [...]}``.

    Examples
    --------
    >>> encode_rle(np.array([[0, 1, 0], [1, 0, 0]], dtype=bool))
    {'size': [2, 3], 'counts': [1, 2, 3]}
    """
    flat = np.asarray(mask, dtype=bool).ravel(order="F")
    borders = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff(np.concatenate(([0], borders, [flat.size])))
    if flat.size and flat[0]:
        counts = np.concatenate(([0], counts))
    return {"size": [int(side) for side in mask.shape], "counts": counts.tolist()}


def decode_polygons(polygons: list, height: int, width: int) -> np.ndarray:
    """Mask (height, width) bool of pixels whose centre lies in any of the polygons ``[x, y, x, y, …]``.

    Notes
    -----
    Polygon coordinates count pixel edges, so the centre of pixel (row, column) is (column + ½, row + ½).
    The COCO programs draw on a grid five times finer; border pixels may differ from theirs.

    Examples
    --------
    >>> decode_polygons([[1, 0, 3, 0, 3, 2, 1, 2]], 2, 4).astype(int).tolist()
    [[0, 1, 1, 0], [0, 1, 1, 0]]
    """
    mask = np.zeros((height, width), dtype=bool)
    for polygon in polygons:
        try:
            corners = np.asarray(polygon, dtype=np.float64).reshape(-1, 2)
        except (TypeError, ValueError):
            corners = np.zeros((0, 2))
        if len(corners) < 3 or not np.isfinite(corners).all():
            remedy = "Give each polygon as x, y, x, y, … with finite numbers."
            raise fail("polygons of at least three corners", f"{str(polygon)[:40]}", remedy)
        mask[polygon_pixels(corners[:, 1] - 0.5, corners[:, 0] - 0.5, (height, width))] = True
    return mask


def decode(segmentation, height: int, width: int) -> np.ndarray:
    """Mask (height, width) bool of a COCO ``segmentation`` entry of any kind."""
    if isinstance(segmentation, dict):
        mask = decode_rle(segmentation)
        if mask.shape != (height, width):
            remedy = "Use the mask of this picture; size is [height, width]."
            raise fail(f"a mask of {height} x {width}", "{} x {}".format(*mask.shape), remedy)
        return mask
    if isinstance(segmentation, list) and segmentation:
        return decode_polygons(segmentation, height, width)
    raise fail("polygons or run lengths", f"{str(segmentation)[:40]}", "Use annotations with segmentations.")


def mask_box(segmentation: dict) -> np.ndarray | None:
    """Smallest box x1, y1, x2, y2 (edges, origin 0) around a run-length mask; None if the mask is empty.

    Examples
    --------
    >>> mask_box({"size": [2, 3], "counts": [1, 2, 3]}).tolist()
    [0.0, 0.0, 2.0, 2.0]
    """
    counts, height, _ = run_lengths(segmentation)
    ends = np.cumsum(counts)
    filled = counts[1::2] > 0
    first, last = (ends - counts)[1::2][filled], ends[1::2][filled] - 1
    if not first.size:
        return None
    # A run that reaches into the next column holds that column's top and this one's bottom pixel.
    wraps = (first // height != last // height).any()
    top = 0 if wraps else (first % height).min()
    bottom = height - 1 if wraps else (last % height).max()
    return np.array([first.min() // height, top, last.max() // height + 1, bottom + 1], dtype=np.float64)
