"""COCO's ways to write a mask (polygons, run lengths, packed run lengths), checked and then read by pycocotools.

pycocotools defines what such masks mean, but its C code trusts its input: nothing unchecked may reach it.
"""

from __future__ import annotations

import operator

import numpy as np
from pycocotools import mask as coco

from propeval_lite._checks.values import InputError, fail

#: pycocotools reserves six characters for each packed run, too few for several runs of 2**24 pixels in one mask.
MOST_PIXELS = 2**26
#: It also writes out five points for each pixel that an outline passes.
LONGEST_OUTLINE = 1e6


def decode(segmentation, height: int, width: int) -> np.ndarray:
    """Mask (height, width) bool of a COCO ``segmentation`` entry of any kind.

    Examples
    --------
    >>> decode([[1, 0, 3, 0, 3, 2, 1, 2]], 2, 4).astype(int).tolist()
    [[0, 1, 1, 0], [0, 1, 1, 0]]
    >>> decode({"size": [2, 3], "counts": [1, 2, 3]}, 2, 3).astype(int).tolist()
    [[0, 1, 0], [1, 0, 0]]
    """
    if isinstance(segmentation, dict):
        packed = pack(segmentation)
        if packed["size"] != [height, width]:
            remedy = "Use the mask of this picture; size is [height, width]."
            raise fail(f"a mask of {height} x {width}", "{} x {}".format(*packed["size"]), remedy)
        return coco.decode(packed).astype(bool)
    if isinstance(segmentation, list) and segmentation:
        return np.any(draw_polygons(segmentation, height, width), axis=2)
    raise fail("polygons or run lengths", f"{str(segmentation)[:40]}", "Use annotations with segmentations.")


def draw_polygons(polygons: list, height: int, width: int) -> np.ndarray:
    """Masks (height, width, n) bool of polygons ``[x, y, x, y, …]``, whose coordinates count pixel edges."""
    _check_size(height, width)
    outlines = []
    for polygon in polygons:
        try:
            corners = np.asarray(polygon, dtype=np.float64).reshape(-1, 2)
        except (TypeError, ValueError):
            corners = np.zeros((0, 2))
        if len(corners) < 3 or not np.isfinite(corners).all():
            remedy = "Give each polygon as x, y, x, y, … with finite numbers."
            raise fail("polygons of at least three corners", f"{str(polygon)[:40]}", remedy)
        length = np.abs(corners - np.roll(corners, 1, axis=0)).max(axis=1).sum()
        if max(length, np.abs(corners).max()) > LONGEST_OUTLINE:
            got = f"corners up to {np.abs(corners).max():g} and an outline of {length:g}"
            raise fail("an outline near the picture", got, f"Keep below {LONGEST_OUTLINE:g} pixels.")
        outlines.append(corners.ravel().tolist())
    return coco.decode(coco.frPyObjects(outlines, height, width)).astype(bool)


def pack(segmentation: dict) -> dict:
    """Check a run-length mask ``{"size": [h, w], "counts": list or text}`` and return it with packed counts.

    Runs go down the columns and start with background.
    """
    try:
        height, width = (operator.index(side) for side in segmentation["size"])
        counts = segmentation["counts"]
        text = isinstance(counts, (str, bytes))
        runs = unpack_counts(counts) if text else np.array([*map(operator.index, counts)], dtype=np.int64)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        remedy = 'Write {"size": [height, width], "counts": …} as COCO does.'
        raise fail("a run-length mask", f"{type(error).__name__}: {error}", remedy) from None
    _check_size(height, width)
    # Floats, because sums of hostile whole numbers can wrap around.
    if (runs < 0).any() or runs.sum(dtype=np.float64) != height * width:
        got = f"runs of {runs.sum(dtype=np.float64):.0f} pixels in all for {height} x {width}"
        raise fail("run lengths that fill the mask", got, "Size is [height, width]; write the mask again.")
    if not text:
        return coco.frPyObjects({"size": [height, width], "counts": runs}, height, width)
    return {"size": [height, width], "counts": counts}


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
    code = np.frombuffer(text.encode() if isinstance(text, str) else text, np.uint8).astype(np.int64) - 48
    ends = np.flatnonzero(code < 32)
    starts = np.concatenate(([0], ends[:-1] + 1))
    length = ends - starts + 1 if len(ends) else starts
    if not len(code) or ((code < 0) | (code > 63)).any() or code[-1] >= 32 or length.max() > 6:
        expected = "packed run lengths (COCO text)"
        raise fail(expected, f"{text[:20]!r}…", "Write the mask again with a COCO tool.")
    place = np.arange(len(code)) - np.repeat(starts, length)
    values = np.add.reduceat((code & 31) << (5 * place), starts)
    values -= np.where(code[ends] & 16, 1 << (5 * length), 0)
    values[1::2] = np.cumsum(values[1::2])
    values[2::2] = np.cumsum(values[2::2])
    return values


def mask_box(segmentation: dict) -> np.ndarray | None:
    """Smallest box x1, y1, x2, y2 (edges, origin 0) around a run-length mask; None if the mask is empty.

    Examples
    --------
    >>> mask_box({"size": [2, 3], "counts": [1, 2, 3]}).tolist()
    [0.0, 0.0, 2.0, 2.0]
    """
    packed = pack(segmentation)
    if not coco.area(packed):
        return None
    x, y, width, height = coco.toBbox(packed)
    return np.array([x, y, x + width, y + height])


def _check_size(height: int, width: int) -> None:
    if height < 1 or width < 1 or height * width >= MOST_PIXELS:
        raise fail(
            f"a mask of 1 to {MOST_PIXELS - 1} pixels", f"{height} x {width}", "Size is [height, width]."
        )
