"""Where boxes lie on the grid of pixels: the one home of every plus or minus one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from propeval_lite._checks.values import check_choice, fail

PIXELS = ("edges", "inclusive")
SCALES = ("full", "relative")


class Frame(NamedTuple):
    """How four numbers of a box name its pixels.

    Parameters
    ----------
    pixels : {"edges", "inclusive"}
        A box is ``x2 - x1`` wide ("edges": its sides run between pixels) or ``x2 - x1 + 1`` ("inclusive": x1 and x2
        are its first and last pixel).
    origin : {0, 1}
        The number of the first pixel of a row.

    Examples
    --------
    The whole of a picture of 4 x 3 pixels:

    >>> VOC = Frame("inclusive", 1)
    >>> VOC.from_grid([[0, 0, 4, 3]])
    array([[1., 1., 4., 3.]])
    >>> VOC.areas([[1, 1, 4, 3]])
    array([12.])
    """

    pixels: str = "edges"
    origin: int = 0

    @classmethod
    def of(cls, thing) -> Frame:
        """Frame of a data set or of proposals."""
        return cls(thing.pixels, thing.origin)

    def checked(self) -> Frame:
        """Return the frame if there is such a one."""
        check_choice(self.pixels, PIXELS, "pixels")
        whole = isinstance(self.origin, (int, np.integer)) and not isinstance(self.origin, bool)
        if not whole or self.origin not in (0, 1):
            raise fail("origin to be 0 or 1", repr(self.origin), "It is the coordinate of the first pixel.")
        return Frame(self.pixels, int(self.origin))

    @property
    def extra(self) -> float:
        """What a side is longer than the difference of its coordinates: 1 for inclusive pixels, else 0."""
        return float(self.pixels == "inclusive")

    @property
    def shift(self) -> np.ndarray:
        """What to add to (x1, y1, x2, y2) on the grid, that is to edges counted from 0; float64, (4,)."""
        last = self.origin - self.extra
        return np.array([self.origin, self.origin, last, last], dtype=np.float64)

    def from_grid(self, boxes) -> np.ndarray:
        """Boxes in this frame from boxes on the grid (edges counted from 0); float64, (n, 4)."""
        return np.asarray(boxes, dtype=np.float64) + self.shift

    def to_grid(self, boxes) -> np.ndarray:
        """Boxes on the grid (edges counted from 0) from boxes in this frame; float64, (n, 4)."""
        return np.asarray(boxes, dtype=np.float64) - self.shift

    def convert(self, boxes, to: Frame) -> np.ndarray:
        """Boxes in another frame that cover the same pixels; float64, (n, 4)."""
        return np.asarray(boxes, dtype=np.float64) + (to.shift - self.shift)

    def scaled(self, boxes, factor) -> np.ndarray:
        """Boxes in pictures that are `factor` times as wide and high (one number or one per coordinate); (n, 4)."""
        scaled = self.from_grid(self.to_grid(boxes) * factor)
        if self.extra:
            # Where both end pixels belong to a box it cannot be narrower than one.
            scaled[:, 2:] = np.maximum(scaled[:, 2:], scaled[:, :2])
        return scaled

    def borders(self, sizes) -> tuple[np.ndarray, np.ndarray]:
        """First and last coordinate that a box may have in images of `sizes`; two arrays of that shape."""
        sides = np.asarray(sizes, dtype=np.float64)
        return np.full_like(sides, self.origin), sides + self.origin - self.extra

    def sides(self, boxes) -> np.ndarray:
        """Widths and heights of boxes; float64, (n, 2)."""
        boxes = np.asarray(boxes, dtype=np.float64)
        with np.errstate(over="ignore"):
            return boxes[:, 2:] - boxes[:, :2] + self.extra

    def areas(self, boxes) -> np.ndarray:
        """Areas of boxes in pixels; float64, (n,)."""
        with np.errstate(over="ignore", under="ignore"):
            return self.sides(boxes).prod(axis=1)


def checked_frame(proposals) -> tuple[str | None, int | None, str | int | None]:
    """Pixels, origin and scale of proposals, or an error where they do not fit together."""
    pixels, origin, scale, where = proposals.pixels, proposals.origin, proposals.scale, proposals.name
    if (pixels is None) != (origin is None):
        got = f"pixels={pixels!r}, origin={origin!r}"
        raise fail(
            "both pixels and origin, or neither", got, "A coordinate frame is the pair of both.", where
        )
    if pixels is not None:
        pixels, origin = Frame(pixels, origin).checked()
    if scale is None or (isinstance(scale, str) and scale in SCALES):
        if scale == "relative" and pixels is not None and (pixels, origin) != Frame():
            got = f"pixels={pixels!r}, origin={origin!r}"
            raise fail("relative boxes to count edges from 0", got, "Leave out pixels and origin.", where)
        return (*Frame(), scale) if scale == "relative" else (pixels, origin, scale)
    if not isinstance(scale, (int, np.integer)) or isinstance(scale, bool) or scale < 1:
        remedy = "It says of which pictures the coordinates are."
        raise fail("scale to be full, relative or a longest side in pixels", repr(scale), remedy, where)
    return pixels, origin, int(scale)
