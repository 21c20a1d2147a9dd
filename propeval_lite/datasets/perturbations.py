"""Six ways of changing a picture a little, with the parameters of Hosang et al., and where each point goes."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PIL import Image
from scipy import ndimage, sparse

from propeval_lite._checks.values import check_choice, check_number, fail
from propeval_lite.datasets.homographies import (
    Geometry,
    check_size,
    rotation_crop,
    rotation_geometry,
    scale_geometry,
    turn,
)


class Perturbation(NamedTuple):
    """A kind of change.

    Attributes
    ----------
    strengths : tuple of float
        Values of the paper, rising.
    identity : float
        The value that changes nothing.
    label : str
        What the strengths are, for an axis.
    """

    strengths: tuple[float, ...]
    identity: float
    label: str


#: Beyond 100 the picture is kept as it is; the paper draws "lossless" at 120.
LOSSLESS = 120
_SCALES = sorted([*(2 ** (i / 5) for i in range(-5, 6)), 0.9, 0.95, 0.99, 1.01, 1.05, 1.1])
_ANGLES = (-20, -15, -10, -5, -1, -0.5, 0, 0.5, 1, 5, 10, 15, 20)
PERTURBATIONS = {
    "scale": Perturbation(tuple(_SCALES), 1, "scale factor"),
    "jpeg": Perturbation((5, 10, 20, 50, 80, 99, 100, LOSSLESS), LOSSLESS, "JPEG quality in %"),
    "rotation": Perturbation(_ANGLES, 0, "rotation in degrees"),
    "illumination": Perturbation((50, 70, 90, 99, 100, 101, 110, 130, 150), 100, "brightness in %"),
    "blur": Perturbation((0, 1, 2, 3, 4, 8), 0, "σ in pixels"),
    "salt_and_pepper": Perturbation((0, 1, 10, 100, 1000), 0, "changed pixels"),
}


def geometry(size: tuple[int, int], kind: str, value: float) -> Geometry:
    """Return the sizes and the homography of a perturbation, which need no picture.

    Parameters
    ----------
    size : (int, int)
        Width and height of the picture.
    kind : str
        A key of ``PERTURBATIONS``.
    value : float
        Scale factor, JPEG quality, degrees, percent, σ or number of pixels.

    Returns
    -------
    Geometry
        Of all kinds but scale and rotation the identity.

    Examples
    --------
    >>> geometry((500, 375), "scale", 2).size, geometry((500, 375), "blur", 2).size
    ((1000, 750), (500, 375))
    """
    check_choice(kind, tuple(PERTURBATIONS), "perturbation")
    if kind == "scale":
        return scale_geometry(size, value)
    if kind == "rotation":
        return rotation_geometry(size, value)
    size = check_size(size)
    return Geometry(size, size, np.eye(3))


def perturb(image: np.ndarray, kind: str, value: float) -> np.ndarray:
    """Change a picture.

    Parameters
    ----------
    image : uint8 array, (height, width, 3)
    kind, value
        As in :func:`geometry`.

    Returns
    -------
    uint8 array, (height', width', 3)
        Of the size that :func:`geometry` says. A rotation by 0 degrees is the crop that others are compared with.

    Notes
    -----
    *scale*: bicubic (Keys, a = -½), the kernel widened when pixels are lost. *rotation*: counter-clockwise, bilinear,
    cropped as in figure 2 of the paper. *illumination*: the brightness of HSB times value / 100. *jpeg*: written with
    that quality and colours at half resolution, and read again. *blur*: Gaussian kernel of
    ⌈20 σ⌉ pixels, mirrored border; kernels of an even number of pixels, which all of the paper's are, move the picture
    by half a pixel, as in the authors' program. *salt_and_pepper*: so many different pixels, drawn with
    the sum of the picture as seed, become white where their grey is under 128 and else black.

    References
    ----------
    Hosang et al., §3.1 and §3.2.

    Examples
    --------
    >>> grey = np.full((4, 6, 3), 100, dtype=np.uint8)
    >>> int(perturb(grey, "illumination", 130)[0, 0, 0])
    130
    >>> int((perturb(grey, "salt_and_pepper", 3) == 255).all(axis=2).sum())
    3
    """
    check_choice(kind, tuple(PERTURBATIONS), "perturbation")
    picture = np.asarray(image)
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        got = f"{picture.dtype} of shape {picture.shape}"
        raise fail("an RGB picture of bytes, (height, width, 3)", got, "Convert the picture.", "perturb")
    return WAYS[kind](picture, value)


def _scale(image: np.ndarray, factor: float) -> np.ndarray:
    height, width = image.shape[:2]
    new_width, new_height = scale_geometry((width, height), factor).size
    tall = _resampling(height, new_height, factor) @ image.reshape(height, -1).astype(np.float64)
    tall = tall.reshape(new_height, width, 3).transpose(1, 0, 2).reshape(width, -1)
    wide = (_resampling(width, new_width, factor) @ tall).reshape(new_width, new_height, 3)
    return _bytes(wide.transpose(1, 0, 2))


def _resampling(n: int, new: int, factor: float) -> sparse.csr_array:
    """Weights of the old pixels of a line for each new one, (new, n): bicubic, mirrored at the ends."""
    widened = min(factor, 1.0)
    centre = (np.arange(new) + 0.5) / factor - 0.5
    reach = int(np.ceil(2 / widened)) + 1
    place = np.floor(centre).astype(int)[:, np.newaxis] + np.arange(-reach, reach + 2)
    weights = _keys(widened * (centre[:, np.newaxis] - place))
    weights /= weights.sum(axis=1, keepdims=True)
    mirrored = place % (2 * n)
    mirrored = np.where(mirrored < n, mirrored, 2 * n - 1 - mirrored)
    rows = np.repeat(np.arange(new), place.shape[1])
    return sparse.csr_array((weights.ravel(), (rows, mirrored.ravel())), shape=(new, n))


def _keys(x: np.ndarray) -> np.ndarray:
    """Keys' cubic kernel with a = -1/2."""
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x <= 1, near, np.where(x <= 2, far, 0))


def _rotate(image: np.ndarray, angle: float) -> np.ndarray:
    height, width = image.shape[:2]
    geometry((width, height), "rotation", angle)
    crop, first = rotation_crop((width, height), angle)
    middle = (np.array([width, height]) + 1) / 2
    x, y = np.meshgrid(
        first[0] + np.arange(crop.width) - middle[0], first[1] + np.arange(crop.height) - middle[1]
    )
    back = turn(-angle)
    # From here on pixels count from 0.
    source_x = back[0, 0] * x + back[0, 1] * y + middle[0] - 1
    source_y = back[1, 0] * x + back[1, 1] * y + middle[1] - 1
    return _bytes(_between(image, source_x, source_y))


def _between(image: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bilinear interpolation; beyond the border the nearest pixel."""
    height, width = image.shape[:2]
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    left, top = (np.minimum(np.floor(v).astype(int), max(n - 2, 0)) for v, n in ((x, width), (y, height)))
    u, v = (x - left)[..., np.newaxis], (y - top)[..., np.newaxis]
    right, below = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
    upper = (1 - u) * image[top, left] + u * image[top, right]
    return (1 - v) * upper + v * ((1 - u) * image[below, left] + u * image[below, right])


def _light(image: np.ndarray, percent: float) -> np.ndarray:
    # Hue and saturation stay when all three channels are multiplied; those over the top are cut, as in ImageMagick.
    check_number(percent, "a brightness >= 0 in percent", lambda p: 0 <= p < np.inf, "100 changes nothing.")
    return _bytes(image.astype(np.float64) * (percent / 100))


def _jpeg(image: np.ndarray, quality: float) -> np.ndarray:
    whole = f"a whole quality of 1 to 100, or {LOSSLESS} for none"
    check_number(
        quality,
        whole,
        lambda q: float(q).is_integer() and (1 <= q <= 100 or q == LOSSLESS),
        "Give such a number.",
    )
    if quality > 100:
        return image.copy()
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=int(quality), subsampling="4:2:0")
    buffer.seek(0)
    return np.asarray(Image.open(buffer).convert("RGB"))


def _blur(image: np.ndarray, sigma: float) -> np.ndarray:
    check_number(sigma, "a standard deviation >= 0", lambda s: 0 <= s < np.inf, "0 changes nothing.")
    n = int(np.ceil(20 * sigma))
    if n < 3:
        return image.copy()
    offset = np.arange(n) - (n - 1) / 2
    weights = np.exp(-(offset**2) / (2 * sigma**2))
    weights /= weights.sum()
    origin = (
        -1 if n % 2 == 0 else 0
    )  # of an even kernel the authors' program takes the pixel before the middle
    out = image.astype(np.float64)
    for axis in (0, 1):
        out = ndimage.correlate1d(out, weights, axis=axis, mode="reflect", origin=origin)
    return _bytes(out)


def _salt_and_pepper(image: np.ndarray, n: float) -> np.ndarray:
    height, width = image.shape[:2]
    most = height * width
    fits = f"a whole number of pixels of 0 to {most}, all there are"
    check_number(
        n, fits, lambda k: float(k).is_integer() and 0 <= k <= most, "Change fewer, or use a larger picture."
    )
    # The generator of the authors' program: with the same seed it gives the same numbers there and here.
    random = np.random.RandomState(int(image.sum(dtype=np.int64)) % 2**32)
    chosen = np.empty(0, dtype=np.int64)
    while len(chosen) < n:
        missing = int(n) - len(chosen)
        x = (random.random_sample(missing) * width).astype(np.int64)
        y = (random.random_sample(missing) * height).astype(np.int64)
        chosen = np.unique(np.concatenate([chosen, y * width + x]))
    changed = image.reshape(-1, 3).copy()
    grey = np.rint(changed[chosen] @ np.array([0.2989, 0.587, 0.114]))
    changed[chosen] = np.where(grey < 128, 255, 0).astype(np.uint8)[:, np.newaxis]
    return changed.reshape(image.shape)


def _bytes(values: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(values + 0.5), 0, 255).astype(np.uint8)


WAYS: dict[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "scale": _scale, "jpeg": _jpeg, "rotation": _rotate, "illumination": _light, "blur": _blur,
    "salt_and_pepper": _salt_and_pepper,
}  # fmt: skip
