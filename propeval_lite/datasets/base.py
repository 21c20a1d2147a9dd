"""The one shape every data set has: a table of images, a table of objects, and pixels on demand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS, as_flags, as_ids, as_numbers, bad_boxes, raise_first
from propeval_lite._checks.values import check_text, check_type, fail, unmasked
from propeval_lite.datasets.frame import Frame

IMAGE_COLUMNS = ("image_id", "width", "height")
OBJECT_COLUMNS = ("image_id", "object_id", "category", *BOX_COLUMNS, "ignore")


@dataclass(frozen=True)
class Dataset:
    """Images with their true objects.

    Parameters
    ----------
    name : str
        Short name, printed beside every number.
    images : DataFrame
        One row per image with ``image_id``, ``width``, ``height``; row order is the image order everywhere.
    objects : DataFrame
        One row per object with ``image_id``, ``object_id``, ``category``, ``x1``, ``y1``, ``x2``, ``y2``,
        ``ignore`` (bool), grouped by image in the order of `images`; further columns are free. An unknown
        category is missing (NaN).
    pixels : {"edges", "inclusive"}
        How wide a box is: ``x2 - x1`` ("edges") or ``x2 - x1 + 1`` ("inclusive"). Coordinates are stored as
        the source publishes them, so VOC boxes stay 1-based and inclusive.
    origin : {0, 1}
        Coordinate of the first pixel.
    read_image, read_masks, read_partitions, read_boundaries : callable, optional
        Functions of the image id behind :meth:`image`, :meth:`masks`, :meth:`partitions` and
        :meth:`boundaries`.
    provenance : dict
        What is needed to make this data set again: spec, options, version, licence, hash; and under
        ``"left_out"`` a report of what was left out.
    """

    name: str
    images: pd.DataFrame
    objects: pd.DataFrame
    pixels: str = "edges"
    origin: int = 0
    read_image: Callable[[Any], np.ndarray] | None = None
    read_masks: Callable[[Any], np.ndarray] | None = None
    read_partitions: Callable[[Any], list[np.ndarray]] | None = None
    provenance: dict = field(default_factory=dict)
    read_boundaries: Callable[[Any], list[np.ndarray]] | None = None

    def __post_init__(self):
        check_text(self.name, "name")
        check_type(
            self.provenance, dict, "provenance as a dict", "Note where the data come from.", "provenance"
        )
        for what in ("image", "masks", "partitions", "boundaries"):
            reader = getattr(self, f"read_{what}")
            if reader is not None and not callable(reader):
                remedy = "Give a function of the image id."
                raise fail(f"read_{what} to be a function", type(reader).__name__, remedy, f"read_{what}")
        Frame.of(self).checked()
        for table, columns, title in (
            (self.images, IMAGE_COLUMNS, "images"),
            (self.objects, OBJECT_COLUMNS, "objects"),
        ):
            if not isinstance(table, pd.DataFrame):
                raise fail(
                    "a DataFrame", type(table).__name__, "Make a table.", f"{self.name}: {title} table"
                )
            missing = [column for column in columns if column not in table.columns]
            twice = table.columns[table.columns.duplicated()]
            if len(twice):
                raise fail(
                    "each column once", f"{twice[0]!r} twice", "Remove one.", f"{self.name}: {title} table"
                )
            if missing:
                raise fail(
                    f"columns {', '.join(columns)}",
                    f"none called {', '.join(missing)}",
                    "Add the missing columns.",
                    f"{self.name}: {title} table",
                )
        check_images(self.images, f"{self.name}: images table")
        unknown = ~self.objects["image_id"].isin(self.images["image_id"])
        if unknown.any():
            raise fail(
                "objects of listed images",
                f"image_id {self.objects['image_id'][unknown].iloc[0]!r}",
                "Add the image to the images table or remove its objects.",
                f"{self.name}: objects table",
            )
        where = f"{self.name}: objects table"
        boxes = np.empty((len(self.objects), 4))
        for j, column in enumerate(BOX_COLUMNS):
            boxes[:, j] = as_numbers(self.objects[column], f"{where}: column {column}")
        faults = bad_boxes(boxes, None)
        if faults:
            raise_first(faults, boxes, None, lambda row: self.objects["image_id"].iloc[row], where)
        text = [column for column in BOX_COLUMNS if self.objects[column].dtype.kind not in "fiu"]
        if text and len(self.objects):
            got = f"{self.objects[text[0]].dtype} values"
            raise fail("numbers", got, "Convert the column to numbers.", f"{where}: column {text[0]}")
        for column in ("ignore", "crowd"):
            if column in self.objects:
                as_flags(self.objects[column], f"{where}: column {column}")
        check_areas(self.objects, where)
        rows = pd.Index(self.images["image_id"]).get_indexer(self.objects["image_id"])
        objects = self.objects
        if objects["image_id"].dtype != self.images["image_id"].dtype:
            # 7.0 names image 7 here but would not be found under that name later.
            objects = objects.assign(image_id=self.images["image_id"].array.take(rows))
        if (np.diff(rows) < 0).any():
            objects = objects.iloc[np.argsort(rows, kind="stable")]
        object.__setattr__(self, "images", self.images.reset_index(drop=True))
        object.__setattr__(self, "objects", objects.reset_index(drop=True))

    def __repr__(self) -> str:
        return (
            f"Dataset({self.name!r}: {len(self.images)} images, {len(self.objects)} objects, "
            f"pixels={self.pixels!r}, origin={self.origin})"
        )

    @property
    def scale(self) -> str | int:
        """Of its pictures and boxes: "full", or the longest side to which :func:`shrink` has made them smaller."""
        return self.provenance.get("longest", "full") if "full_width" in self.images else "full"

    @property
    def object_offsets(self) -> np.ndarray:
        """Rows of `objects` that belong to image i: ``offsets[i]:offsets[i + 1]`` (int64, n_images + 1)."""
        rows = self.image_rows(self.objects["image_id"])
        return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(self.images))))).astype(
            np.int64
        )

    def image_rows(self, image_ids: Iterable, where: str = "image_id") -> np.ndarray:
        """Row number in `images` of each id; an unknown id is an error."""
        try:
            if isinstance(image_ids, (str, Mapping, pd.DataFrame)):
                raise TypeError
            ids = pd.Index(unmasked(image_ids, where) if np.ma.isMaskedArray(image_ids) else image_ids)
            if ids.dtype == object:
                hash(tuple(ids))
        except (TypeError, ValueError):
            raise fail("a list of image ids", repr(image_ids), "Put the ids in a list.", where) from None
        rows = pd.Index(self.images["image_id"]).get_indexer(ids)
        if (rows < 0).any():
            known = ", ".join(map(repr, self.images["image_id"].head(3).tolist()))
            raise fail(
                f"image ids of {self.name} (such as {known})",
                f"unknown id {ids[rows < 0].tolist()[0]!r} ({int((rows < 0).sum())} unknown in all)",
                "Check that ids have the same type and spelling as in dataset.images.",
                where,
            )
        return rows.astype(np.int64)

    def image(self, image_id) -> np.ndarray:
        """RGB picture, (height, width, 3) uint8."""
        return self._read(self.read_image, image_id, "images")

    def masks(self, image_id) -> np.ndarray:
        """Object masks in the order of the objects table, (n, height, width) bool."""
        return self._read(self.read_masks, image_id, "object masks")

    def partitions(self, image_id) -> list[np.ndarray]:
        """Human (or simulated) partitions: a list of (height, width) integer label arrays."""
        return self._read(self.read_partitions, image_id, "partitions")

    def boundaries(self, image_id) -> list[np.ndarray]:
        """Boundary maps as published: a list of (height, width) bool arrays."""
        return self._read(self.read_boundaries, image_id, "boundary maps")

    def subset(self, image_ids: Iterable, name: str | None = None) -> Dataset:
        """Return the same data set with only these images, in the data set's own order."""
        rows = np.unique(self.image_rows(image_ids, "image_ids"))
        images = self.images.iloc[rows]
        objects = self.objects[self.objects["image_id"].isin(images["image_id"])]
        name = self.name if name is None else name
        return replace(self, name=name, images=images, objects=objects)

    def fingerprint(self) -> str:
        """SHA-256 (64 hex digits) of both tables, the coordinate frame, the name and the provenance.

        Equal fingerprints mean that every box criterion gives the same numbers. Pixels are not read; what
        they depend on (seed, files) is in the provenance.
        """
        digest = hashlib.sha256()
        head = [self.name, self.pixels, self.origin, self.provenance]
        digest.update(json.dumps(head, sort_keys=True, default=str).encode())
        digest.update(digest_tables(self.images, self.objects))
        return digest.hexdigest()

    def sight(self) -> tuple:
        """Return what a method can know of this data set: equal for equal images, sizes, seeds and frames.

        The objects play no part, so that marking some of them ``ignore`` changes nothing.
        """
        tables = digest_tables(self.images)
        told = json.dumps([self.pixels, self.origin, self.provenance], sort_keys=True, default=str)
        return hashlib.sha256(told.encode() + tables).hexdigest(), self.read_image

    def _read(self, reader, image_id, what):
        self.image_rows([image_id])
        if reader is None:
            raise fail(
                f"a data set with {what}",
                f"{self.name}, which has none",
                "Use another data set, or give the folder that holds them.",
            )
        return reader(image_id)


def check_dataset(dataset: object, where: str = "dataset") -> Dataset:
    """Return `dataset` if it is one."""
    return check_type(dataset, Dataset, "a data set (Dataset)", "Load it with load_dataset.", where)


def digest_tables(*tables: pd.DataFrame) -> bytes:
    """Columns and contents of tables, as bytes that are equal for equal tables."""
    parts = []
    for table in tables:
        parts.append(json.dumps([len(table), *map(str, table.columns)]).encode())
        parts.append(pd.util.hash_pandas_object(table, index=False).to_numpy().tobytes())
    return b"".join(parts)


def check_images(images: pd.DataFrame, where: str) -> None:
    """Raise an error unless each image is listed once and has a size."""
    ids = images["image_id"]
    try:
        twice = ids[ids.duplicated()].tolist()
    except TypeError as error:
        raise fail(
            "image ids that are whole numbers or text", error, "Give each image an id.", where
        ) from None
    if twice:
        raise fail("each image once", f"image_id {twice[0]!r} twice", "Remove the second row.", where)
    as_ids(ids.tolist(), where)
    for column in ("width", "height"):
        sides = as_numbers(images[column], f"{where}: column {column}")
        wrong = ~((sides >= 1) & (sides < 2**31) & (sides == np.floor(sides)))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise fail(
                f"a {column} of at least one pixel, in whole pixels",
                f"{images[column].tolist()[row]!r}",
                "State the size of the picture.",
                f"{where}: image {ids.tolist()[row]!r}, column {column}",
            )
        if len(images) and not pd.api.types.is_numeric_dtype(images[column]):
            got = f"{images[column].dtype} values"
            raise fail("numbers", got, "Convert the column to numbers.", f"{where}: column {column}")


def check_areas(objects: pd.DataFrame, where: str) -> None:
    """Raise an error unless each entry of a column ``area``, if there is one, is a number >= 0."""
    if "area" not in objects:
        return
    where = f"{where}: column area"
    areas = as_numbers(objects["area"], where)
    wrong = ~(np.isnan(areas) | ((areas >= 0) & (areas < np.inf)))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise fail(
            "an area of at least 0", f"{areas[row]:g} in row {row}", "Repair or drop the column.", where
        )


def no_objects() -> pd.DataFrame:
    """Return an objects table with the right columns and no row."""
    types = dict.fromkeys(BOX_COLUMNS, np.float64) | {"object_id": np.int64, "ignore": bool}
    return pd.DataFrame({name: pd.Series(dtype=types.get(name, "str")) for name in OBJECT_COLUMNS})
