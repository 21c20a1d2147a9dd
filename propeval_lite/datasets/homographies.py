"""Where a point of a picture goes when the picture is made smaller, larger or turned: 3 x 3 matrices, and sizes.

Points are centres of pixels, and the first pixel is (1, 1), as in PASCAL VOC and in the authors' program. A matrix
takes a point of the reference picture to the same point of the perturbed one: ``(x', y', 1) ~ H (x, y, 1)``.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from propeval_lite._checks.values import check_number, fail

#: Rotations are cropped to what fits under all of -20 … 20 degrees.
LARGEST_ANGLE = 20.0
SAME = 1e-6  # numbers closer than this are one


class Geometry(NamedTuple):
    """What a perturbation does to the plane of the picture.

    Attributes
    ----------
    size : (int, int)
        Width and height of the perturbed picture.
    reference_size : (int, int)
        Width and height of the reference picture, which a rotation crops too.
    homography : float64 array, (3, 3)
        From the reference picture to the perturbed one.
    """

    size: tuple[int, int]
    reference_size: tuple[int, int]
    homography: np.ndarray


class Crop(NamedTuple):
    """The part of a turned picture that is kept: its first column and row, counted from 1, and its size."""

    x: int
    y: int
    width: int
    height: int


def check_size(size: object, where: str = "size") -> tuple[int, int]:
    """Return the width and height of a picture as two whole numbers >= 1."""
    sides = np.asarray(size if np.iterable(size) else [], dtype=object).ravel().tolist()
    whole = [isinstance(side, (int, np.integer)) and not isinstance(side, bool) for side in sides]
    if len(sides) != 2 or not all(whole) or min(sides) < 1:
        raise fail("width and height in whole pixels", repr(size), "Give both, such as (500, 375).", where)
    return int(sides[0]), int(sides[1])


def scale_geometry(size: tuple[int, int], factor: float) -> Geometry:
    """Return size and homography of a picture made `factor` times as large.

    Parameters
    ----------
    size : (int, int)
        Width and height.
    factor : float
        Above 0.

    Returns
    -------
    Geometry

    Notes
    -----
    Sides are rounded up. ``x' = f x + 1 - f``: pixel 1 stays where it is, which is the authors' rule.
    A point half a pixel off the centre of pixel 1 moves, so that this is not quite what resampling does to the edges of
    pixels; the difference is at most half a pixel.

    Examples
    --------
    >>> scale_geometry((500, 333), 0.5).size
    (250, 167)
    >>> scale_geometry((500, 333), 0.5).homography @ [1, 3, 1]
    array([1., 2., 1.])
    """
    width, height = check_size(size)
    check_number(factor, "a scale above 0", lambda f: 0 < f < np.inf, "Give for example 0.5.")
    matrix = np.array([[factor, 0, 1 - factor], [0, factor, 1 - factor], [0, 0, 1]], dtype=np.float64)
    return Geometry((int(np.ceil(factor * width)), int(np.ceil(factor * height))), (width, height), matrix)


def turn(angle: float) -> np.ndarray:
    """Turn directions counter-clockwise as seen on the screen, where y points down; (2, 2).

    Examples
    --------
    >>> (turn(90) @ [1, 0]).round(12).tolist()
    [0.0, -1.0]
    """
    a = np.deg2rad(angle)
    return np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def rotation_geometry(size: tuple[int, int], angle: float, largest: float = LARGEST_ANGLE) -> Geometry:
    """Return size and homography of a picture turned counter-clockwise and cropped, and of its cropped reference.

    Parameters
    ----------
    size : (int, int)
        Width and height of the whole picture.
    angle : float
        In degrees, at most `largest`.
    largest : float
        All angles are cropped to the largest box of the picture's aspect that fits under plus and minus this one.

    Returns
    -------
    Geometry
        The reference is the crop at 0 degrees.

    Notes
    -----
    ``H = T(-o) T(1 - c_a) R_a T(d)``, with the offset d of the reference crop, the authors' turn
    ``R_a = T(m + 1) R T(-m - 1)`` about m + 1, m half of the size, the first pixel c_a of the crop under this angle,
    and what is cut further, o = ⌊(size of that crop - size) / 2⌋. A picture turns about the middle of its pixels,
    m + 1/2, so that under 20 degrees the matrix is a sixth of a pixel off; that is how the published curves
    were made.

    References
    ----------
    Hosang et al., §3.2 and figure 2.

    Examples
    --------
    >>> rotation_geometry((500, 375), 20).size
    (358, 268)
    >>> bool(np.allclose(rotation_geometry((500, 375), 0).homography, np.eye(3)))
    True
    """
    width, height = check_size(size)
    _check_angle(angle, largest)
    crop, offset = rotation_crop((width, height), angle, largest)
    start = rotation_crop((width, height), 0, largest)[1]
    middle = np.array([width, height]) / 2 + 1
    matrix = shift(-offset + 1) @ _about(middle, angle) @ shift(start - 1)
    return Geometry((crop.width, crop.height), (crop.width, crop.height), matrix)


def rotation_crop(
    size: tuple[int, int], angle: float, largest: float = LARGEST_ANGLE
) -> tuple[Crop, np.ndarray]:
    """Return the part of a turned picture that is kept, and its first pixel (x, y), counted from 1, as an array.

    Parameters
    ----------
    size : (int, int)
    angle, largest : float
        As in :func:`rotation_geometry`.

    Raises
    ------
    InputError
        Where nothing is left, because the picture is too small.
    """
    size = check_size(size)
    boxes = [_largest_crop(size, float(each)) for each in (-largest, largest)]
    common = np.array([min(box.width for box in boxes), min(box.height for box in boxes)])
    own = _largest_crop(size, float(angle))
    spare = np.array([own.width, own.height]) - common
    if common.min() < 1 or spare.min() < 0:
        raise fail(
            "a picture that leaves something under all rotations", f"{size[0]} x {size[1]} pixels",
            "Use larger pictures.", "rotation",
        )  # fmt: skip
    first = np.array([own.x, own.y]) + spare // 2
    return Crop(int(first[0]), int(first[1]), int(common[0]), int(common[1])), first


def shift(by) -> np.ndarray:
    """Move points by (x, y); (3, 3)."""
    matrix = np.eye(3)
    matrix[:2, 2] = by
    return matrix


def _check_angle(angle: float, largest: float) -> None:
    check_number(largest, "a largest angle of 0 to 45 degrees", lambda a: 0 <= a < 45, "Give for example 20.")
    fits = f"an angle of at most {largest:g} degrees either way"
    check_number(angle, fits, lambda a: abs(a) <= largest, "Choose a smaller one, or crop more (largest).")


def _about(centre: np.ndarray, angle: float) -> np.ndarray:
    matrix = np.eye(3)
    matrix[:2, :2] = turn(angle)
    return shift(centre) @ matrix @ shift(-centre)


@functools.lru_cache(maxsize=4096)
def _largest_crop(size: tuple[int, int], angle: float) -> Crop:
    """Return the box of the picture's aspect in the turned one: where its diagonals leave that first."""
    width, height = size
    matrix = _about(np.array([width, height]) / 2 + 1, angle)
    corners = np.array([[1, 1, 1], [width, 1, 1], [width, height, 1], [1, height, 1]]) @ matrix.T
    diagonals = [((1, 1), (width, height)), ((width, 1), (1, height))]
    sides = [(corners[i, :2], corners[(i + 1) % 4, :2]) for i in range(4)]
    middle = np.array([width, height]) / 2
    nearest = []
    for diagonal in diagonals:
        points = [point for side in sides if (point := _meeting(side, diagonal)) is not None]
        # Of either half of a diagonal the point where it first leaves the turned picture.
        for below in (True, False):
            half = [point for point in points if (point[1] < middle[1]) == below]
            if half:
                nearest.append(min(half, key=lambda point: float(((point - middle) ** 2).sum())))
    if len(nearest) < 4:
        return Crop(1, 1, 0, 0)
    found = np.array(nearest)
    # A point that is whole but for rounding stays the pixel it is.
    found = np.where(np.abs(found - np.rint(found)) < SAME, np.rint(found), found)
    x, y = np.sort(found, axis=0).T
    low, high = np.ceil([x[1], y[1]]).astype(int), np.floor([x[2], y[2]]).astype(int)
    return Crop(int(low[0]), int(low[1]), *(int(side) for side in np.maximum(high - low + 1, 0)))


def _meeting(one, other) -> np.ndarray | None:
    """Point where two lines, each through two points, meet; None where they are parallel."""
    (a, b), (c, d) = (np.asarray(line, dtype=np.float64) for line in (one, other))
    u, v = b - a, d - c
    across = u[0] * v[1] - u[1] * v[0]
    if abs(across) < SAME:
        return None
    t = ((c - a)[0] * v[1] - (c - a)[1] * v[0]) / across
    return a + t * u
