"""Where the corners of boxes that hit an object can lie: the regions Ω_min and Ω_max of Wang et al."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from propeval_lite._checks.boxes import check_boxes
from propeval_lite._checks.values import as_floats, check_flag, check_positive_int, check_threshold, fail

# Beyond it floats no longer tell pixels apart.
FARTHEST = 2.0**53


@dataclass(frozen=True)
class Piece:
    """Part of a region over ``x_low <= x <= x_high``, between the curves ``lower(x)`` and ``upper(x)``."""

    x_low: float
    x_high: float
    lower: Callable[[np.ndarray], np.ndarray]
    upper: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Region:
    """Corners from which a box with IoU >= tau can start (Ω_min) or at which it can end (Ω_max).

    Made by :func:`omega_min` and :func:`omega_max`; it is not clipped by any image.

    Attributes
    ----------
    box : tuple of float
        Object x1, y1, x2, y2.
    tau : Fraction
        IoU threshold.
    corner : {"min", "max"}
        Which corner of the candidate the region holds.
    printed : bool
        Whether the bounds are the paper's printed ones instead of the corrected ones.
    """

    box: tuple[float, float, float, float]
    tau: Fraction
    corner: str
    printed: bool = False

    @property
    def x_range(self) -> tuple[float, float]:
        """Smallest and largest x of the region."""
        return self._ranges()[0]

    @property
    def y_range(self) -> tuple[float, float]:
        """Smallest and largest y of the region."""
        return self._ranges()[1]

    @property
    def pieces(self) -> tuple[Piece, Piece]:
        """The two parts Ω¹ and Ω² from left to right, each with its lower and upper curve."""
        low, high = self.x_range
        x1, _, x2, _ = self.box
        middle = x1 if self.corner == "min" else x2
        curves = {
            ("min", False): _omega_min_curves,
            ("max", False): _omega_max_curves,
            ("min", True): _printed_omega_min_curves,
            ("max", True): _printed_omega_max_curves,
        }[self.corner, self.printed]
        lower1, upper1, lower2, upper2 = curves(*self.box, float(self.tau))
        return Piece(low, middle, lower1, upper1), Piece(middle, high, lower2, upper2)

    def bounds(self, x) -> tuple[np.ndarray, np.ndarray]:
        """Return the lowest and highest y of the region at each `x` (same shape as `x`); NaN outside."""
        x = as_floats(x, "numbers x", "Give coordinates.", "x")
        lower, upper = np.full(x.shape, np.nan), np.full(x.shape, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            for piece in self.pieces:
                inside = (piece.x_low <= x) & (x <= piece.x_high)
                lower = np.where(inside, piece.lower(x), lower)
                upper = np.where(inside, piece.upper(x), upper)
        if not self.printed:
            # The object's own side line is in the region at every x: rounding opens no gap at the tips.
            side = self.box[1] if self.corner == "min" else self.box[3]
            lower, upper = np.minimum(lower, side), np.maximum(upper, side)
        return lower[()], upper[()]

    def contains(self, x, y) -> np.ndarray:
        """Tell whether points lie in the region; without rounding for whole coordinates and a short tau."""
        x, y = (as_floats(axis, "numbers x and y", "Give coordinates.", "points") for axis in (x, y))
        try:
            x, y = np.broadcast_arrays(x, y)
        except ValueError:
            got = f"shapes {x.shape} and {y.shape}"
            raise fail("x and y that broadcast", got, "Give one y for each x.", "points") from None
        if self.printed:
            lower, upper = self.bounds(x)
            return (lower <= y) & (y <= upper)
        x1, y1, x2, y2 = self.box
        across, up = (x2 - x, y2 - y) if self.corner == "min" else (x - x1, y - y1)
        w, h = x2 - x1, y2 - y1
        p, q = self.tau.numerator, self.tau.denominator
        inside = np.minimum(across, w) * np.minimum(up, h)
        return (across > 0) & (up > 0) & ((p + q) * inside >= p * (w * h + across * up))

    def polygon(self, n: int = 200) -> np.ndarray:
        """Outline for drawing: (2 n, 2) points along the lower curve and back along the upper one."""
        n = check_positive_int(n, "n", 3)
        low, high = self.x_range
        middle = self.pieces[0].x_high
        x = np.concatenate(
            [np.linspace(low, middle, n // 2, endpoint=False), np.linspace(middle, high, n - n // 2)]
        )
        lower, upper = self.bounds(x)
        return np.column_stack([np.concatenate([x, x[::-1]]), np.concatenate([lower, upper[::-1]])])

    def _ranges(self):
        x1, y1, x2, y2 = self.box
        inward, outward = float(1 - self.tau), float(1 / self.tau - 1)
        if self.corner == "min":
            return tuple((c - d * outward, c + d * inward) for c, d in ((x1, x2 - x1), (y1, y2 - y1)))
        return tuple((c - d * inward, c + d * outward) for c, d in ((x2, x2 - x1), (y2, y2 - y1)))


def omega_min(box, tau, printed: bool = False) -> Region:
    """Region of the first corner (x1, y1) of every box that can hit an object.

    Parameters
    ----------
    box : array_like, shape (4,)
        Object x1, y1, x2, y2 with x1 < x2 and y1 < y2; it is w = x2 - x1 wide and h = y2 - y1 high.
    tau : float, str or Fraction
        IoU threshold in (0, 1].
    printed : bool
        Use the bounds as the paper prints them. They mix two systems of coordinates: the denominators hold
        the absolute x where the distance x - x1 from the object is meant, so they are wrong unless x1 is 0.

    Returns
    -------
    Region
        Not clipped by an image; ask it with ``bounds(x)``, ``contains(x, y)`` or ``polygon(n)``.

    Notes
    -----
    Of all boxes from a given corner the one that ends at the object's own corner (x2, y2) has the largest
    IoU. With a = x2 - x and b = y2 - y its sides, IoU >= tau is

    ========================  ===================================  ==============================
    corner                    IoU                                  bound
    ========================  ===================================  ==============================
    x <= x1, y <= y1          w h / (a b)                          b <= w h / (tau a)
    x <= x1, y >= y1          w b / (a b + w h - w b)              b >= w h / (w / tau + w - a)
    x >= x1, y <= y1          a h / (a b + w h - a h)              b <= h / tau + h - w h / a
    x >= x1, y >= y1          a b / (w h)                          b >= tau w h / a
    ========================  ===================================  ==============================

    for ``tau w <= a <= w / tau``.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.2, eq. (5).

    Examples
    --------
    >>> region = omega_min((10, 10, 14, 12), 0.5)
    >>> region.x_range
    (6.0, 12.0)
    >>> low, high = region.bounds(10)
    >>> float(low), float(high)
    (8.0, 11.0)
    >>> bool(region.contains(12, 10)), bool(region.contains(12, 11))
    (True, False)
    """
    return _region(box, tau, "min", printed)


def omega_max(box, tau, printed: bool = False) -> Region:
    """Region of the last corner (x2, y2) of every box that can hit an object.

    Parameters
    ----------
    box : array_like, shape (4,)
        Object x1, y1, x2, y2 with x1 < x2 and y1 < y2.
    tau : float, str or Fraction
        IoU threshold in (0, 1].
    printed : bool
        Use the bounds as the paper prints them. They hold only differences of x and agree with the derived.

    Returns
    -------
    Region
        As of :func:`omega_min`, with the point reflection of the object: a = x - x1, b = y - y1.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.2, eq. (6).

    Examples
    --------
    >>> region = omega_max((10, 10, 14, 12), 0.5)
    >>> region.x_range
    (12.0, 18.0)
    >>> low, high = region.bounds([14, 20])
    >>> low, high
    (array([11., nan]), array([14., nan]))
    """
    return _region(box, tau, "max", printed)


def _region(box, tau, corner: str, printed: bool) -> Region:
    region = Region(_check_box(box), check_threshold(tau), corner, check_flag(printed, "printed"))
    if not np.abs([region.x_range, region.y_range]).max() <= FARTHEST:
        got = f"x from {region.x_range[0]:g} to {region.x_range[1]:g}"
        remedy = "Use a smaller box or a larger tau."
        raise fail(f"a region within {FARTHEST:g} pixels of the origin", got, remedy, "box")
    return region


def _check_box(box) -> tuple[float, float, float, float]:
    corners = check_boxes(box, "box")
    if len(corners) != 1:
        raise fail("one box x1, y1, x2, y2", f"{len(corners)} boxes", "Make one region for each box.", "box")
    x1, y1, x2, y2 = corners[0].tolist()
    if x1 >= x2 or y1 >= y2:
        remedy = "Remove this box."
        raise fail("a box with area (x1 < x2 and y1 < y2)", f"{x1:g}, {y1:g}, {x2:g}, {y2:g}", remedy, "box")
    return x1, y1, x2, y2


def _omega_min_curves(x1, y1, x2, y2, tau):
    w, h = x2 - x1, y2 - y1
    return (
        lambda x: y2 - w * h / (tau * (x2 - x)),
        lambda x: y2 - w * h / (w / tau + x - x1),
        lambda x: y1 + w * h / (x2 - x) - h / tau,
        lambda x: y2 - tau * w * h / (x2 - x),
    )


def _omega_max_curves(x1, y1, x2, y2, tau):
    w, h = x2 - x1, y2 - y1
    return (
        lambda x: y1 + tau * w * h / (x - x1),
        lambda x: y2 + h / tau - w * h / (x - x1),
        lambda x: y1 + w * h / (w / tau + x2 - x),
        lambda x: y1 + w * h / (tau * (x - x1)),
    )


def _printed_omega_min_curves(x1, y1, x2, y2, tau):
    w, h = x2 - x1, y2 - y1
    return (
        lambda x: y1 + h - w * h / (tau * (w - x)),
        lambda x: y1 + h - w * h / (x + w / tau),
        lambda x: y1 + w * h / (w - x) - h / tau,
        lambda x: y1 + h - tau * w * h / (w - x),
    )


def _printed_omega_max_curves(x1, y1, x2, y2, tau):
    w, h = x2 - x1, y2 - y1
    return (
        lambda x: y2 - h - tau * w * h / (x2 - x - w),
        lambda x: y2 + h / tau + w * h / (x2 - x - w),
        lambda x: y2 + w * h / (x2 - x + w / tau) - h,
        lambda x: y2 - w * h / (tau * (x2 - x - w)) - h,
    )
