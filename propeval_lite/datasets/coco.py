"""COCO instances files (and LVIS, and others of the same kind), with or without the pictures."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS, four_numbers
from propeval_lite._checks.values import InputError, fail, is_number
from propeval_lite.datasets.base import OBJECT_COLUMNS, Dataset, check_images
from propeval_lite.datasets.files import BadInput, existing, picture_reader, read_json
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.objects import good_objects
from propeval_lite.datasets.rle import decode


def load_coco(path, images=None, *, on_bad: str = "error") -> Dataset:
    """Load an instances file; each annotation is one object.

    Boxes become ``x1 = x``, ``y1 = y``, ``x2 = x + w``, ``y2 = y + h`` (edges, origin 0). ``crowd`` and
    ``ignore`` are two columns and stay apart: the first is the file's ``iscrowd``, the second its ``ignore``.

    Parameters
    ----------
    path : str or Path
        Of the instances file.
    images : str or Path, optional
        Folder of the pictures.
    on_bad : {"error", "drop"}
        Stop at an unusable annotation, or leave it out and report it in ``provenance["left_out"]``.

    Returns
    -------
    Dataset
        Objects have the further columns ``category_id``, ``crowd`` and ``area`` (as annotated). Image and
        object ids are the file's numbers. Without a list of categories ``category`` is missing (NaN).
    """
    file = existing(path, "a COCO instances file", "file")
    content = read_json(file)
    bad = BadInput(on_bad, file.name)
    pictures = _images(content, file.name)
    names = _categories(content, file.name)
    annotations = content.get("annotations")
    if not isinstance(annotations, list):
        raise fail(
            "a list called annotations",
            f"{type(annotations).__name__}",
            "Use an instances file, not image information only.",
            file.name,
        )
    objects, shapes_of = _objects(annotations, names, bad)
    objects = good_objects(objects, pictures, Frame("edges", 0), bad)
    shapes = {row.image_id: (row.height, row.width) for row in pictures.itertuples()}
    entries = {
        image_id: [(object_id, shapes_of[object_id]) for object_id in ids]
        for image_id, ids in objects.groupby("image_id")["object_id"]
    }
    read_image = None
    if images is not None:
        folder = existing(images, "the folder of COCO pictures", "folder")
        read_image = picture_reader(folder, pictures, pictures["file_name"])
    return Dataset(
        file.stem,
        pictures,
        objects,
        read_image=read_image,
        read_masks=partial(_read_masks, file.name, shapes, entries),
        provenance={"source": "coco", "file": file.name, "left_out": bad.left_out},
    )


def _images(content, where: str) -> pd.DataFrame:
    if not isinstance(content, dict) or not isinstance(content.get("images"), list):
        got = f"a {type(content).__name__} without it"
        remedy = "Detections (a list) are read with read_proposals; truth is an instances file."
        raise fail("an object with a list called images", got, remedy, where)
    rows = []
    for number, image in enumerate(content["images"]):
        lacks = [key for key in ("id", "width", "height") if not isinstance(image, dict) or key not in image]
        if lacks:
            raise fail(
                "id, width and height of each image",
                f"image number {number} without {', '.join(lacks)}",
                "Add the missing entries to images.",
                where,
            )
        for key, kinds in (("id", (int, str)), ("width", int), ("height", int)):
            if isinstance(image[key], bool) or not isinstance(image[key], kinds):
                expected = "a whole number or text" if key == "id" else "a whole number"
                raise fail(
                    expected, repr(image[key]), "Repair the entry.", f"{where}: image number {number}, {key}"
                )
        rows.append((image["id"], image["width"], image["height"], str(image.get("file_name") or "")))
    table = pd.DataFrame(rows, columns=["image_id", "width", "height", "file_name"])
    check_images(table, where)
    return table.astype({"width": np.int64, "height": np.int64})


def _categories(content: dict, where: str) -> dict | None:
    categories = content.get("categories")
    if not categories:
        return None
    try:
        names = {category["id"]: category["name"] for category in categories}
    except (KeyError, TypeError):
        raise fail(
            "id and name of each category", "a category without them", "Complete the categories.", where
        ) from None
    if len(names) != len(categories):
        raise fail("each category id once", "one twice", "Number the categories anew.", where)
    return names


def _objects(annotations: list, names: dict | None, bad: BadInput) -> tuple[pd.DataFrame, dict]:
    """Objects table of the annotations without fault, and their segmentations by id."""
    rows: list[tuple] = []
    seen: set = set()
    segmentations: dict[int | str, Any] = {}
    for number, annotation in enumerate(annotations):
        if not isinstance(annotation, dict) or not isinstance(annotation.get("image_id"), (int, str)):
            expected = "an annotation with image_id, a whole number or text"
            bad(None, "image_id", expected, f"annotation number {number} without it", "Add the image_id.")
            continue
        image_id = annotation["image_id"]
        object_id: Any = annotation.get("id")
        known = is_number(object_id, int) or isinstance(object_id, str)
        if not known or object_id in seen:
            again = " again" if known else ""
            got = f"annotation number {number} with id {object_id!r}{again}"
            bad(image_id, "id", "a unique id for each annotation", got, "Number the annotations anew.")
            continue
        seen.add(object_id)
        fault = _fault(annotation, names)
        if fault:
            column, expected, got, remedy = fault
            bad(image_id, column, expected, f"{got} in annotation {object_id!r}", remedy)
            continue
        x, y, width, height = map(float, annotation["bbox"])
        ignore, crowd = (bool(annotation.get(key)) for key in ("ignore", "iscrowd"))
        category, area = annotation.get("category_id"), annotation.get("area", width * height)
        segmentations[object_id] = annotation.get("segmentation")
        row = (x, y, x + width, y + height, ignore, category, crowd, area)
        rows.append((image_id, object_id, names and names[category], *row))
    table = pd.DataFrame(rows, columns=[*OBJECT_COLUMNS, "category_id", "crowd", "area"])
    types = dict.fromkeys((*BOX_COLUMNS, "area"), np.float64) | {"ignore": bool, "crowd": bool}
    return table.astype(types | {"category": "str"}), segmentations


def _fault(annotation: dict, names: dict | None) -> tuple[str, str, str, str] | None:
    """Column, what was expected there, what was found, and the remedy; None for an annotation without fault."""
    box, category, area = (annotation.get(key) for key in ("bbox", "category_id", "area"))
    if names is not None and (not isinstance(category, (int, str)) or category not in names):
        remedy = "Add the category or correct the id."
        return "category_id", "a category_id listed in categories", repr(category), remedy
    if four_numbers(box) is None:
        remedy = "Repair or remove the annotation."
        return "bbox", "bbox with four numbers x, y, width, height", str(box)[:40], remedy
    number = isinstance(area, (int, float)) and not isinstance(area, bool)
    if "area" in annotation and not (number and 0 <= annotation["area"] < 1e300):
        remedy = "Repair the area, or remove it from all annotations to use that of the box."
        return "area", "an area of at least 0", str(area)[:40], remedy
    flags = [0 if annotation.get(key) is None else annotation[key] for key in ("ignore", "iscrowd")]
    if any(not isinstance(flag, int) or flag not in (0, 1) for flag in flags):
        return "iscrowd", "ignore and iscrowd to be 0 or 1", str(flags), "Write numbers, not text."
    return None


def _read_masks(where: str, shapes: dict, entries: dict, image_id) -> np.ndarray:
    found = entries.get(image_id, [])
    masks = np.zeros((len(found), *shapes[image_id]), dtype=bool)
    for mask, (object_id, segmentation) in zip(masks, found, strict=True):
        try:
            mask[:] = decode(segmentation, *shapes[image_id])
        except InputError as error:
            place = f"{where}: image {image_id!r}, annotation {object_id!r}, column segmentation"
            raise InputError(f"{place}: {error}") from None
    return masks
