"""Simulated annotators of the synthetic scenes: several partitions of one picture.

People who are asked to divide a picture into its things agree on the things and differ in detail: one outlines whole
objects on a single background, another every wheel and every stone. And no two hands draw the same line. Both
differences are simulated: annotators have a level of detail each, and their boundaries wander smoothly by a pixel or
two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from skimage.measure import label

from propeval_lite.datasets.scenes.layout import Scene

NEVER = 2.0  # more than the whole image


@dataclass(frozen=True)
class Style:
    """Least shares of the image at which objects, parts and clutter are drawn, and how the background is divided."""

    name: str
    least_object: float
    least_part: float
    least_clutter: float
    background: str


STYLES = (
    Style("objects", 0.0008, NEVER, NEVER, "bands"),
    Style("parts", 0.0002, 0.0008, 0.004, "bands"),
    Style("sketch", 0.008, NEVER, NEVER, "merged"),
    Style("things", 0.0004, NEVER, 0.002, "bands"),
    Style("main parts", 0.0015, 0.012, 0.01, "merged"),
    Style("fine", 0.0, 0.0003, 0.0006, "split"),
)


def _field(rng: np.random.Generator, height: int, width: int, cell: int) -> np.ndarray:
    """Smooth random surface in [-1, 1] that bends over about `cell` pixels."""
    lattice = (2 * rng.random((height // cell + 2, width // cell + 2)) - 1).astype(np.float32)
    place = np.arange(cell, dtype=np.float32) / np.float32(cell)
    share = place * place * (3 - 2 * place)
    down = lattice[:-1, None] + (lattice[1:] - lattice[:-1])[:, None] * share[:, None]
    down = down.reshape(-1, lattice.shape[1])[:height]
    along = down[:, :-1, None] + (down[:, 1:] - down[:, :-1])[:, :, None] * share
    return along.reshape(height, -1)[:, :width]


def _draw(scene: Scene, style: Style, rng: np.random.Generator) -> np.ndarray:
    """Labels of what an annotator of this style tells apart, at the true boundaries."""
    pixels = scene.width * scene.height
    strictness = 0.6 + 0.8 * rng.random()
    shown = np.bincount(scene.layer_map.ravel(), minlength=len(scene.layer_item))
    whole = np.bincount(
        np.maximum(scene.layer_item, 0), np.where(scene.layer_item >= 0, shown, 0), len(scene.items)
    )
    lookup = np.zeros(len(shown), np.int32)
    first = len(scene.bands) * 2 + 2
    names: dict[int | str | tuple[int, int], int] = {}
    for number, index in enumerate(scene.layer_item):
        if index < 0:
            continue
        item = scene.items[index]
        least = style.least_clutter if item.category is None else style.least_object
        if whole[index] < strictness * least * pixels:
            continue
        key = index
        if item.category is not None and shown[number] >= strictness * style.least_part * pixels:
            key = (index, number)
        elif item.category is not None and style.name == "sketch":
            key = item.category.name
        lookup[number] = names.setdefault(key, first + len(names))
    if style.background == "merged":
        ground = np.array([1 + band.ground for band in scene.bands], np.int32)
        background = ground[scene.band_map]
    else:
        background = 1 + scene.band_map.astype(np.int32)
        if style.background == "split":
            cell = max(int(0.35 * np.sqrt(pixels)), 8)
            background += len(scene.bands) * (_field(rng, scene.height, scene.width, cell) > 0.1)
    drawn = lookup[scene.layer_map]
    return np.where(drawn > 0, drawn, background)


def _wander(labels: np.ndarray, rng: np.random.Generator, amplitude: float) -> np.ndarray:
    """Move every boundary smoothly by up to about `amplitude` pixels."""
    height, width = labels.shape
    reach = np.float32(1.5 * amplitude)
    down = (
        _field(rng, height, width, 18) * reach
        + (np.arange(height, dtype=np.float32) + np.float32(0.5))[:, None]
    )
    right = _field(rng, height, width, 18) * reach + (np.arange(width, dtype=np.float32) + np.float32(0.5))
    rows = np.clip(down, 0, height - 1).astype(np.int32)
    columns = np.clip(right, 0, width - 1).astype(np.int32)
    return labels.ravel()[rows * width + columns]


def _tidy(labels: np.ndarray, least: int) -> np.ndarray:
    """Make each connected piece a region, give pieces below `least` pixels to the longest neighbour, number from 0."""
    pieces = label(labels, background=-1, connectivity=1).astype(np.int32) - 1
    count = int(pieces.max()) + 1
    area = np.bincount(pieces.ravel(), minlength=count)
    sides = [(pieces[:, :-1], pieces[:, 1:]), (pieces[:-1], pieces[1:])]
    pairs = []
    for a, b in sides:
        differ = a != b
        low, high = a[differ].astype(np.int64), b[differ].astype(np.int64)
        pairs.append(np.minimum(low, high) * count + np.maximum(low, high))
    borders, lengths = np.unique(np.concatenate(pairs), return_counts=True)
    neighbours: list[dict[int, int]] = [{} for _ in range(count)]
    for border, length in zip(borders.tolist(), lengths.tolist(), strict=True):
        a, b = divmod(border, count)
        neighbours[a][b] = neighbours[b][a] = length
    target = np.arange(count)
    for piece in sorted(np.flatnonzero(area < least).tolist(), key=lambda k: (area[k], k)):
        if area[piece] >= least or not neighbours[piece]:
            continue
        into = min(neighbours[piece], key=lambda k: (-neighbours[piece][k], k))
        target[piece] = into
        area[into] += area[piece]
        for other, length in neighbours[piece].items():
            del neighbours[other][piece]
            if other != into:
                neighbours[into][other] = neighbours[other][into] = neighbours[into].get(other, 0) + length
        neighbours[piece] = {}
    while (target != target[target]).any():
        target = target[target]
    kept = np.unique(target)
    return np.searchsorted(kept, target)[pieces].astype(np.int32)


def annotate(scene: Scene, rng: np.random.Generator) -> list[np.ndarray]:
    """Return four to six partitions of a scene.

    Returns
    -------
    list of (height, width) int32 arrays
        Labels 0 to n − 1; each region is connected (by its pixels' sides).

    Notes
    -----
    Every picture has an annotator of whole objects and one of parts; the others are drawn without replacement from the
    remaining levels of detail. A boundary wanders by one to two pixels at 500 × 375, in proportion to the square root
    of the diagonal.
    """
    styles = [STYLES[0], STYLES[1], *(STYLES[2 + int(k)] for k in rng.permutation(len(STYLES) - 2))]
    styles = styles[: int(rng.integers(4, 7))]
    diagonal = np.sqrt(float(scene.width * scene.width + scene.height * scene.height))
    partitions = []
    for k in rng.permutation(len(styles)):
        amplitude = (0.8 + rng.random()) * max(np.sqrt(diagonal / 625.0), 0.6)
        labels = _wander(_draw(scene, styles[int(k)], rng), rng, float(amplitude))
        partitions.append(_tidy(labels, max(int(2.5e-4 * labels.size), 6)))
    return partitions
