"""The annotation files of the photographs: what they must hold, checked before anything is drawn."""

from __future__ import annotations

from pathlib import Path

from propeval_lite._checks.values import fail
from propeval_lite.datasets.files import read_json

PACKAGES = {
    "skimage": ("scikit-image", "data"),
    "sklearn": ("scikit-learn", "datasets/images"),
    "matplotlib": ("matplotlib", "mpl-data/sample_data"),
}
REPAIR = "Repair the annotation file or take it again from the repository."
_TEXTS = ("source", "sha256", "licence", "credit")
_REQUIRED = (*_TEXTS, "width", "height", "shapes", "objects", "partitions")


def read_annotation(path: str | Path) -> dict:
    """Read and check one annotation file.

    Parameters
    ----------
    path : path
        A ``<image_id>.json`` with ``source`` ("package:file"), ``sha256`` of that file, ``licence``,
        ``credit``, ``width``, ``height``, optional ``crop`` ([x1, y1, x2, y2] in the source), ``shapes``
        (name → list of rings), ``objects`` (``category``, ``shape``, optional ``minus`` and ``ignore``) and
        ``partitions`` (``detail``, ``rest``, ``regions``).

    Returns
    -------
    dict
        The content of the file.
    """
    where = str(path)
    note = read_json(path, "an annotation file")
    _check_keys(note, _REQUIRED, ("crop",), where)
    for key in _TEXTS:
        _check_text(note[key], key, where)
    module, _, file = note["source"].partition(":")
    if module not in PACKAGES or not file or Path(file).name != file:
        known = ", ".join(PACKAGES)
        raise fail(f'source "package:file" with a package of {known}', repr(note["source"]), REPAIR, where)
    for key in ("width", "height"):
        if not _is_whole(note[key]) or note[key] < 1:
            raise fail(f"{key} to be a whole number >= 1", repr(note[key]), REPAIR, where)
    size = (note["width"], note["height"])
    if "crop" in note:
        _check_crop(note["crop"], size, where)
    _check_shapes(note["shapes"], size, where)
    _check_objects(note["objects"], note["shapes"], where)
    _check_partitions(note["partitions"], note["shapes"], where)
    return note


def _is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_text(value, name, where):
    if not isinstance(value, str) or not value:
        raise fail(f"{name} to be text", repr(value), REPAIR, where)


def _check_keys(entry, required, optional, where):
    if not isinstance(entry, dict):
        raise fail("named fields {…}", type(entry).__name__, REPAIR, where)
    missing = [key for key in required if key not in entry]
    if missing:
        raise fail(f"the field {missing[0]!r}", "none", REPAIR, where)
    unknown = [key for key in entry if key not in (*required, *optional)]
    if unknown:
        raise fail(
            f"only the fields {', '.join((*required, *optional))}", f"{unknown[0]!r} too", REPAIR, where
        )


def _check_list(value, name, where):
    if not isinstance(value, list):
        raise fail(f"{name} to be a list", type(value).__name__, REPAIR, where)


def _check_crop(crop, size, where):
    if not isinstance(crop, list) or len(crop) != 4 or not all(_is_whole(value) for value in crop):
        raise fail("crop to be four whole numbers x1, y1, x2, y2", repr(crop), REPAIR, where)
    if min(crop) < 0 or (crop[2] - crop[0], crop[3] - crop[1]) != size:
        raise fail(f"a crop of {size[0]} x {size[1]} pixels", crop, REPAIR, where)


def _check_shapes(shapes, size, where):
    if not isinstance(shapes, dict):
        raise fail("shapes to map names to rings", type(shapes).__name__, REPAIR, where)
    for name, rings in shapes.items():
        place = f"{where}: shape {name!r}"
        if not isinstance(rings, list) or not rings:
            raise fail("a list of at least one ring", repr(rings), REPAIR, place)
        for ring in rings:
            if not isinstance(ring, list) or len(ring) < 6 or len(ring) % 2:
                raise fail("a ring x0, y0, x1, y1, … of at least three corners", repr(ring), REPAIR, place)
            for number, value in enumerate(ring):
                axis = number % 2
                if not _is_whole(value) or not 0 <= value <= size[axis]:
                    expected = f"each {'xy'[axis]} to be a whole number from 0 to {size[axis]}"
                    raise fail(expected, f"{value!r} at corner {number // 2}", REPAIR, place)


def _check_names(names, shapes, where):
    for name in names:
        if not isinstance(name, str) or name not in shapes:
            raise fail("a name that stands in shapes", repr(name), REPAIR, where)


def _check_objects(objects, shapes, where):
    _check_list(objects, "objects", where)
    for number, entry in enumerate(objects):
        place = f"{where}: object {number}"
        _check_keys(entry, ("category", "shape"), ("minus", "ignore"), place)
        _check_text(entry["category"], "category", place)
        if not isinstance(entry.get("ignore", False), bool):
            raise fail("ignore to be true or false", repr(entry["ignore"]), REPAIR, place)
        minus = entry.get("minus", [])
        _check_list(minus, "minus", place)
        _check_names([entry["shape"], *minus], shapes, place)


def _check_partitions(partitions, shapes, where):
    _check_list(partitions, "partitions", where)
    for number, entry in enumerate(partitions):
        place = f"{where}: partition {number}"
        _check_keys(entry, ("detail", "rest", "regions"), (), place)
        for key in ("detail", "rest"):
            _check_text(entry[key], key, place)
        _check_list(entry["regions"], "regions", place)
        _check_names(entry["regions"], shapes, place)
