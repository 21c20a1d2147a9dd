"""Real photographs that installed packages bring along, with outlines drawn by us.

The pictures are never copied: an annotation file names the package and the file, and pins it by its hash.
"""

from __future__ import annotations

import hashlib
import importlib.util
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from propeval_lite._checks.paths import data_folder
from propeval_lite._checks.values import fail
from propeval_lite.datasets.base import OBJECT_COLUMNS, Dataset
from propeval_lite.datasets.files import existing, read_picture
from propeval_lite.datasets.photos.format import PACKAGES, REPAIR, read_annotation
from propeval_lite.datasets.rle import draw_polygons


def load_photos(folder: str | Path | None = None) -> Dataset:
    """Load the photographs with their boxes, masks and partitions.

    Parameters
    ----------
    folder : path, optional
        Folder of annotation files, one ``<image_id>.json`` per photograph; the one that comes with the
        library unless given.

    Returns
    -------
    Dataset
        Boxes are the tight boxes of the masks (``pixels="edges"``, ``origin=0``); ``object_id`` counts from 1
        in each photograph. Besides the usual columns `images` has ``source``, ``licence``, ``credit`` and
        ``details``, the names of the partitions. :meth:`~propeval_lite.Dataset.partitions` gives them in that
        order, from coarse to fine, labelled from 0 without gaps.

    Notes
    -----
    Outlines are closed rings with whole-number corners, where pixel (row, column) covers
    ``[column, column + 1] x [row, row + 1]``; they are drawn as COCO draws polygons, and a ring inside another is a
    hole. An object is a shape minus the shapes that hide it; a partition is painted, each region over those before
    it. Every picture is compared by SHA-256 with the one that was annotated. Masks of one photograph may overlap: a
    hat is an object, and a part of the person who wears it.

    Examples
    --------
    >>> photos = load_photos()
    >>> photos.image("coffee").shape
    (400, 600, 3)
    >>> list(photos.objects.query("image_id == 'coffee'")["category"])
    ['cup', 'saucer', 'spoon']
    >>> [int(labels.max()) + 1 for labels in photos.partitions("coffee")]
    [2, 5, 8]
    """
    folder = (
        data_folder("photos")
        if folder is None
        else existing(folder, "a folder of annotation files", "folder")
    )
    files = sorted(folder.glob("*.json"))
    if not files:
        raise fail("a folder with annotation files *.json", "none", "Check the path.", str(folder))
    notes = {path.stem: {**read_annotation(path), "file": str(path)} for path in files}
    for note in notes.values():
        note["picture"] = _find_picture(note)
    columns = ("width", "height", "source", "licence", "credit")
    images = [
        {
            "image_id": image_id,
            **{key: note[key] for key in columns},
            "details": ", ".join(entry["detail"] for entry in note["partitions"]),
        }
        for image_id, note in notes.items()
    ]
    objects = [row for image_id, note in notes.items() for row in _object_rows(image_id, note)]
    return Dataset(
        name="photos",
        images=pd.DataFrame(images),
        objects=pd.DataFrame(objects, columns=list(OBJECT_COLUMNS)).astype({"ignore": bool}),
        pixels="edges",
        origin=0,
        read_image=partial(_read_image, notes),
        read_masks=partial(_read_masks, notes),
        read_partitions=partial(_read_partitions, notes),
        provenance={
            "spec": "photos",
            "annotations": "drawn by the propeval-lite authors, CC-BY-4.0",
            "sources": {image_id: note["source"] for image_id, note in notes.items()},
            "licence": {image_id: note["licence"] for image_id, note in notes.items()},
            "sha256": hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest(),
        },
    )


def _find_picture(note: dict) -> Path:
    module, _, name = note["source"].partition(":")
    package, folder = PACKAGES[module]
    spec = importlib.util.find_spec(module)
    path = Path(spec.origin).parent / folder / name if spec and spec.origin else None
    if path is None or not path.is_file():
        remedy = f"Install {package} with its sample data, in the version that environment.yml names."
        raise fail(f"{name} inside the installed {package}", "no such file", remedy, note["file"])
    if hashlib.sha256(path.read_bytes()).hexdigest() != note["sha256"]:
        remedy = f"Install {package} in the version that environment.yml names."
        raise fail(f"the {name} of {package} that was annotated", "another picture", remedy, note["file"])
    return path


def _shape_mask(note: dict, name: str) -> np.ndarray:
    return np.logical_xor.reduce(draw_polygons(note["shapes"][name], note["height"], note["width"]), axis=2)


def _object_mask(note: dict, number: int) -> np.ndarray:
    entry = note["objects"][number]
    mask = _shape_mask(note, entry["shape"])
    for name in entry.get("minus", []):
        mask &= ~_shape_mask(note, name)
    if not mask.any():
        raise fail("an object with visible pixels", "none", REPAIR, f"{note['file']}: object {number}")
    return mask


def _object_rows(image_id: str, note: dict):
    for number, entry in enumerate(note["objects"]):
        mask = _object_mask(note, number)
        xs, ys = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
        box = (float(xs[0]), float(ys[0]), float(xs[-1] + 1), float(ys[-1] + 1))
        yield (image_id, number + 1, entry["category"], *box, entry.get("ignore", False))


def _read_image(notes: dict, image_id: str) -> np.ndarray:
    note = notes[image_id]
    pixels = read_picture(note["picture"])
    x1, y1, x2, y2 = note.get("crop", (0, 0, pixels.shape[1], pixels.shape[0]))
    pixels = np.ascontiguousarray(pixels[y1:y2, x1:x2])
    if pixels.shape[:2] != (note["height"], note["width"]):
        expected = f"a picture of {note['width']} x {note['height']} pixels"
        raise fail(expected, f"{pixels.shape[1]} x {pixels.shape[0]}", REPAIR, note["file"])
    return pixels


def _read_masks(notes: dict, image_id: str) -> np.ndarray:
    note = notes[image_id]
    masks = np.zeros((len(note["objects"]), note["height"], note["width"]), dtype=bool)
    for number in range(len(masks)):
        masks[number] = _object_mask(note, number)
    return masks


def _read_partitions(notes: dict, image_id: str) -> list[np.ndarray]:
    note = notes[image_id]
    return [_paint(note, number) for number in range(len(note["partitions"]))]


def _paint(note: dict, number: int) -> np.ndarray:
    entry = note["partitions"][number]
    names = (entry["rest"], *entry["regions"])
    labels = np.zeros((note["height"], note["width"]), dtype=np.int32)
    for label, name in enumerate(entry["regions"], start=1):
        labels[_shape_mask(note, name)] = label
    hidden = np.flatnonzero(np.bincount(labels.ravel(), minlength=len(names)) == 0)
    if hidden.size:
        place = f"{note['file']}: partition {number}"
        raise fail("regions with visible pixels", f"none of {names[hidden[0]]!r}", REPAIR, place)
    return labels
