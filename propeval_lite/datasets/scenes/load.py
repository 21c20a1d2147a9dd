"""Synthetic scenes: a data set that is made on the spot, from a seed, and looks the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.ndimage import find_objects

from propeval_lite._checks.seeding import check_seed
from propeval_lite._checks.values import check_positive_int, fail
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.scenes.annotators import annotate
from propeval_lite.datasets.scenes.categories import CATEGORIES
from propeval_lite.datasets.scenes.layout import Scene, make_scene
from propeval_lite.datasets.scenes.paint import paint_scene

GENERATOR_VERSION = 1  # raised whenever the same seed would give other pixels, boxes or partitions
LEAST_SIDE = 32
MOST_SCENES = 100_000  # as many as ids of five digits tell apart
MOST_PIXELS = 2**24

_ORDER, _LAYOUT, _PAINT, _ANNOTATORS = range(4)  # independent random streams


@dataclass(frozen=True)
class _Recipe:
    """Everything that determines the scenes; image i depends on nothing else."""

    seed: int
    width: int
    height: int
    categories: tuple[int, ...]

    def rng(self, stream: int, index: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(stream, index)))

    def scene(self, image_id: str) -> Scene:
        return _scene(self, _index(image_id))

    def image(self, image_id: str) -> np.ndarray:
        return _picture(self, _index(image_id)).copy()

    def masks(self, image_id: str) -> np.ndarray:
        scene = self.scene(image_id)
        return scene.layer_item[scene.layer_map][None] == scene.objects[:, None, None]

    def partitions(self, image_id: str) -> list[np.ndarray]:
        return [labels.copy() for labels in _partitions(self, _index(image_id))]

    def parts(self, image_id: str) -> tuple[np.ndarray, list[tuple[int, str]]]:
        scene = self.scene(image_id)
        layers = [layer for item in scene.items for layer in item.layers]
        place = {int(item): row for row, item in enumerate(scene.objects)}
        shown = np.bincount(scene.layer_map.ravel(), minlength=len(scene.layer_item))
        lookup = np.zeros(len(scene.layer_item), np.int32)
        rows = []
        for number, item in enumerate(scene.layer_item.tolist()):
            if item in place and shown[number]:
                rows.append((place[item], layers[number - 1].part))
                lookup[number] = len(rows)
        return lookup[scene.layer_map], rows


@dataclass(frozen=True, repr=False)
class Scenes(Dataset):
    """Synthetic scenes: a :class:`Dataset` that also knows the parts of its objects."""

    read_parts: Callable[[str], tuple[np.ndarray, list[tuple[int, str]]]] | None = None

    def parts(self, image_id: str) -> tuple[np.ndarray, pd.DataFrame]:
        """Visible parts of the objects of an image.

        Parameters
        ----------
        image_id : str
            Id from the images table.

        Returns
        -------
        labels : (height, width) int32
            0 where no object is; k where the part in row k − 1 of the table shows.
        table : DataFrame
            One row per visible part with ``label`` (k), ``object_id`` and ``part``.
        """
        labels, rows = self._read(self.read_parts, image_id, "parts")
        ids = self.objects.loc[self.objects["image_id"] == image_id, "object_id"].to_numpy()
        table = pd.DataFrame(
            {
                "label": np.arange(1, len(rows) + 1),
                "object_id": [int(ids[row]) for row, _ in rows],
                "part": [name for _, name in rows],
            }
        )
        return labels, table


def _index(image_id: str) -> int:
    return int(image_id.removeprefix("scene-"))


@lru_cache(maxsize=16)
def _scene(recipe: _Recipe, index: int) -> Scene:
    pool = tuple(CATEGORIES[k] for k in recipe.categories)
    order = recipe.rng(_ORDER, index // len(pool)).permutation(len(pool))
    main = pool[int(order[index % len(pool)])]
    return make_scene(recipe.rng(_LAYOUT, index), recipe.width, recipe.height, main, pool)


@lru_cache(maxsize=16)
def _picture(recipe: _Recipe, index: int) -> np.ndarray:
    return paint_scene(_scene(recipe, index), recipe.rng(_PAINT, index))


@lru_cache(maxsize=16)
def _partitions(recipe: _Recipe, index: int) -> list[np.ndarray]:
    return annotate(_scene(recipe, index), recipe.rng(_ANNOTATORS, index))


def _object_rows(scene: Scene, image_id: str) -> list[dict]:
    number = np.zeros(len(scene.items) + 1, np.int32)
    number[scene.objects] = np.arange(1, len(scene.objects) + 1)
    labels = number[scene.layer_item[scene.layer_map]]
    areas = np.bincount(labels.ravel())[1:].tolist()
    rows = []
    for k, area, (ys, xs) in zip(scene.objects.tolist(), areas, find_objects(labels), strict=True):
        item = scene.items[k]
        rows.append(
            {
                "image_id": image_id,
                "category": item.category.name,
                "x1": float(xs.start),
                "y1": float(ys.start),
                "x2": float(xs.stop),
                "y2": float(ys.stop),
                "ignore": False,
                "family": item.category.family,
                "area": area,
                "visible": item.visible,
                "occluded": item.occluded,
                "truncated": item.truncated,
            }
        )
    return rows


def scene_categories() -> pd.DataFrame:
    """List the categories that :func:`load_scenes` can draw.

    Returns
    -------
    DataFrame
        One row per category with ``category``, ``family``, ``texture`` and ``parts`` (how many it is made of).

    Examples
    --------
    >>> table = scene_categories()
    >>> len(table), table["family"].nunique()
    (96, 16)
    """
    rows = [(kind.name, kind.family, kind.texture, len(kind.parts)) for kind in CATEGORIES]
    return pd.DataFrame(rows, columns=["category", "family", "texture", "parts"])


def _check_categories(categories: Sequence[str] | None) -> tuple[int, ...]:
    if categories is None:
        return tuple(range(len(CATEGORIES)))
    names = [kind.name for kind in CATEGORIES]
    remedy = "scene_categories() lists the names."
    try:
        wanted = [categories] if isinstance(categories, str) else list(categories)
    except TypeError:
        raise fail("a list of names", repr(categories), remedy, "scenes: categories") from None
    if not wanted:
        raise fail("at least one category", "none", remedy, "scenes: categories")
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise fail("names of scene categories", repr(unknown[0]), remedy, "scenes: categories")
    return tuple(sorted({names.index(name) for name in wanted}))


def load_scenes(
    n: int = 200, seed: int = 0, width: int = 500, height: int = 375, categories: Sequence[str] | None = None
) -> Scenes:
    """Make `n` synthetic scenes with objects, masks, parts and the partitions of several simulated annotators.

    Use it to teach, to test and to try a method before the real data are there. Pictures, masks and partitions are
    made when they are asked for; only the tables are made at once.

    Parameters
    ----------
    n : int
        Number of images, from 1 to 100 000. Image i is the same for every `n`.
    seed : int
        Any whole number >= 0. The same seed gives the same pixels on every machine.
    width, height : int
        Size of the images in pixels, at least 32, and 2^24 pixels in all.
    categories : sequence of str, optional
        Names of the categories that may appear (see :func:`scene_categories`); all of them by default.

    Returns
    -------
    Scenes
        A :class:`~propeval_lite.Dataset` with ``pixels="edges"``, ``origin=0`` and the method ``parts``. Its images
        table has the further column ``setting`` (the kind of place), its objects table ``family``, ``area``
        (visible pixels), ``visible`` (share of the object's pixels inside the frame that nothing hides), ``occluded``
        (visible < 0.995) and ``truncated`` (cut by the frame).

    Notes
    -----
    Numbers of objects per image and their sizes follow PASCAL VOC 2007 test. The largest object of each image runs
    through all categories in random order before one repeats, so that the first 96 images show all of them. A box is
    the tight box of the visible pixels; objects of which less than about a fifth shows are left out.

    Examples
    --------
    >>> scenes = load_scenes(n=2, seed=7, width=96, height=72)
    >>> scenes.images["image_id"].tolist()
    ['scene-00000', 'scene-00001']
    >>> scenes.image("scene-00001").shape
    (72, 96, 3)
    """
    n = check_positive_int(n, "n")
    seed = check_seed(seed)
    width = check_positive_int(width, "width", minimum=LEAST_SIDE)
    height = check_positive_int(height, "height", minimum=LEAST_SIDE)
    if n > MOST_SCENES:
        raise fail(
            f"n up to {MOST_SCENES:,}", f"{n:,}", "Make several sets, each with its seed.", "scenes: n"
        )
    if width * height > MOST_PIXELS:
        remedy = "Make smaller scenes: what is in them does not depend on their size."
        raise fail(
            f"width x height up to {MOST_PIXELS:,} pixels", f"{width:,} x {height:,}", remedy, "scenes"
        )
    recipe = _Recipe(seed, width, height, _check_categories(categories))
    ids = [f"scene-{index:05d}" for index in range(n)]
    settings, rows = [], []
    for image_id in ids:
        scene = recipe.scene(image_id)
        settings.append(scene.kind)
        rows += _object_rows(scene, image_id)
    objects = pd.DataFrame(rows)
    objects.insert(1, "object_id", np.arange(1, len(objects) + 1))
    images = pd.DataFrame({"image_id": ids, "width": width, "height": height, "setting": settings})
    return Scenes(
        name="scenes",
        images=images,
        objects=objects,
        pixels="edges",
        origin=0,
        read_image=recipe.image,
        read_masks=recipe.masks,
        read_partitions=recipe.partitions,
        read_parts=recipe.parts,
        provenance={
            "spec": "scenes",
            "generator_version": GENERATOR_VERSION,
            "seed": seed,
            "n": n,
            "width": width,
            "height": height,
            "categories": [CATEGORIES[k].name for k in recipe.categories],
            "licence": "BSD-3-Clause (made by this library)",
        },
    )
