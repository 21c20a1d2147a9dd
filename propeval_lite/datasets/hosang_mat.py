"""Boxes and image sizes as Hosang et al. published them: VOC 2007 and ImageNet 2013 in one `.mat` each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_choice, check_text, fail
from propeval_lite.datasets.base import OBJECT_COLUMNS, Dataset
from propeval_lite.datasets.files import BadInput, existing, picture_reader, read_mat
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.objects import good_objects
from propeval_lite.datasets.voc import VOC_CLASSES, load_voc

EXPECTED = "a struct array called impos with im, boxes and img_size"
MEND = "Use the annotation file as published."


def load_voc2007(
    folder, *, split: str = "test", images=None, ignore: str = "none", on_bad: str = "error"
) -> Dataset:
    """Load VOC 2007 from the annotations of Hosang et al., or from the original VOCdevkit folder.

    Parameters
    ----------
    folder : str or Path
        Holds ``pascal_voc07_{split}_annotations.mat``, or is a VOCdevkit folder with ``VOC2007``.
    split : {"test", "trainval"}
        With a VOCdevkit folder any list in ``ImageSets/Main``.
    images : str or Path, optional
        Folder of the pictures (``JPEGImages``); the `.mat` has boxes only.
    ignore : {"none", "difficult"}
        Which objects get ``ignore``. The study counts the difficult objects, hence "none".
    on_bad : {"error", "drop"}
        Stop at an unusable object, or leave it out and report it in ``provenance["left_out"]``.

    Returns
    -------
    Dataset
        Pixels inclusive, origin 1. Further columns: ``difficult`` and ``truncated``.
    """
    check_choice(ignore, ("none", "difficult"), "ignore")
    check_text(split, "split")
    folder = existing(folder, "the folder of the VOC 2007 annotations")
    file = folder / f"pascal_voc07_{split}_annotations.mat" if folder.is_dir() else folder
    if folder.is_dir() and not file.exists() and not list(folder.glob("pascal_voc07_*_annotations.mat")):
        return load_voc(folder, 2007, split, "Main", ignore, on_bad)
    if not file.is_file():
        raise fail(f"{file.name}", f"no such file in {folder}", "Choose the split test or trainval.", "split")
    return load_hosang(
        file,
        name=f"voc2007-{split}",
        origin=1,
        images=images,
        ignore=ignore,
        classes=VOC_CLASSES,
        on_bad=on_bad,
    )


def load_ilsvrc2013(path, *, images=None, on_bad: str = "error") -> Dataset:
    """Load ImageNet 2013 detection val from the annotations of Hosang et al.; categories are not in the file.

    Parameters
    ----------
    path : str or Path
        ``ILSVRC2013_val_annotations.mat`` or its folder.
    images : str or Path, optional
        Folder of the pictures.
    on_bad : {"error", "drop"}
        Stop at an unusable object, or leave it out and report it in ``provenance["left_out"]``.

    Returns
    -------
    Dataset
        Pixels inclusive, origin 0: coordinates run from 0 to the image side less one.
    """
    path = existing(path, "the ImageNet 2013 annotations")
    file = path / "ILSVRC2013_val_annotations.mat" if path.is_dir() else path
    return load_hosang(file, name="ilsvrc2013-val", origin=0, images=images, suffix=".JPEG", on_bad=on_bad)


def load_hosang(
    file: Path,
    name: str,
    origin: int,
    images=None,
    suffix=".jpg",
    ignore="none",
    classes=None,
    on_bad="error",
) -> Dataset:
    """Load any annotation file of this kind; see :func:`load_voc2007` and :func:`load_ilsvrc2013`.

    Parameters
    ----------
    file : Path
        MATLAB file with ``impos`` (one entry per image: every box) and ``pos`` (one per object).
    name, origin
        Of the data set.
    images, suffix
        Folder and name ending of the pictures.
    ignore : {"none", "difficult"}
    classes : tuple of str, optional
        Names of the classes by which ``pos`` is sorted; without them ``category`` is missing (NaN).
    on_bad : {"error", "drop"}
    """
    content = read_mat(existing(file, "an annotation file"), ("impos", "pos"))
    bad = BadInput(on_bad, file.name)
    impos = content.get("impos")
    if impos is None or not impos.dtype.names or not {"im", "boxes", "img_size"} <= set(impos.dtype.names):
        found = f"variables {', '.join(content) or 'of other names'}"
        raise fail(EXPECTED, found, "Use the *_annotations.mat files.", file.name)
    impos = impos.ravel()
    ids = [_text(im, f"{file.name}: impos.im, entry {i + 1}") for i, im in enumerate(impos["im"])]
    sizes, boxes = [], []
    for image_id, size, box in zip(ids, impos["img_size"], impos["boxes"], strict=True):
        where = f"{file.name}: image {image_id}"
        side = _numbers(size, f"{where}: img_size")
        if side.size != 2 or not (np.isfinite(side) & (side == np.floor(side))).all():
            raise fail("two whole numbers", side.ravel().tolist()[:4], MEND, f"{where}: img_size")
        sizes.append(side.ravel())
        array = _numbers(box, f"{where}: boxes")
        if array.size and (array.ndim != 2 or array.shape[1] != 4):
            raise fail("boxes of shape (n, 4)", f"shape {array.shape}", MEND, where)
        boxes.append(array.reshape(-1, 4))
    widths, heights = np.array(sizes).reshape(-1, 2).astype(np.int64).T
    pictures = pd.DataFrame({"image_id": pd.array(ids, "str"), "width": widths, "height": heights})
    counts = [len(box) for box in boxes]
    objects = pd.DataFrame(np.concatenate([*boxes, np.zeros((0, 4))]), columns=list(BOX_COLUMNS))
    objects.insert(0, "image_id", np.repeat(pictures["image_id"].array, counts))
    objects.insert(1, "object_id", np.concatenate([np.arange(1, n + 1) for n in (0, *counts)]))
    objects = _add_details(objects, content.get("pos"), classes, file.name)
    objects["ignore"] = objects["difficult"] if ignore == "difficult" and "difficult" in objects else False
    objects = objects[[*OBJECT_COLUMNS, *(key for key in objects.columns if key not in OBJECT_COLUMNS)]]
    objects = good_objects(objects, pictures, Frame("inclusive", origin), bad)

    read_image = None
    if images is not None:
        folder = existing(images, "the folder of pictures", "folder")
        read_image = picture_reader(folder, pictures, [f"{image_id}{suffix}" for image_id in ids])
    return Dataset(
        name,
        pictures,
        objects,
        pixels="inclusive",
        origin=origin,
        read_image=read_image,
        provenance={"source": "hosang", "file": file.name, "ignore": ignore, "left_out": bad.left_out},
    )


def _first(value, where: str):
    flat = np.asarray(value).ravel()
    if not flat.size:
        raise fail("a value", "an empty array", MEND, where)
    return flat[0]


def _text(value, where: str) -> str:
    return str(_first(value, where))


def _numbers(value, where: str) -> np.ndarray:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise fail("numbers", f"{np.asarray(value).dtype} values", MEND, where) from None


def _add_details(objects: pd.DataFrame, pos, classes, where: str) -> pd.DataFrame:
    """Add category, difficult and truncated: found in ``pos`` by image and box."""
    objects["category"] = pd.Series([None] * len(objects), dtype="str")
    if pos is None or not pos.dtype.names:
        return objects
    pos = pos.ravel()
    key = ["image_id", *BOX_COLUMNS]
    missing = [name for name in ("im", *BOX_COLUMNS) if name not in pos.dtype.names]
    if missing:
        raise fail("im, x1, y1, x2 and y2 in pos", f"no {', '.join(missing)}", MEND, where)
    columns: dict[str, Any] = {
        "image_id": pd.array([_text(im, f"{where}: pos.im") for im in pos["im"]], "str")
    }
    columns |= {
        column: [
            float(_first(_numbers(value, f"{where}: pos.{column}"), f"{where}: pos.{column}"))
            for value in pos[column]
        ]
        for column in BOX_COLUMNS
    }
    details = pd.DataFrame(columns)
    for ours, theirs in (("difficult", "difficult"), ("truncated", "trunc")):
        if theirs in pos.dtype.names:
            details[ours] = [bool(_first(value, f"{where}: pos.{theirs}")) for value in pos[theirs]]
    if classes is not None:
        # Objects are listed class by class, images in rising order: a falling id starts the next class.
        ids = details["image_id"].to_numpy()
        number = np.concatenate(([0], np.cumsum(ids[1:] < ids[:-1]))) if len(ids) else np.zeros(0, dtype=int)
        if len(ids) and number[-1] + 1 != len(classes):
            raise fail(f"pos sorted into {len(classes)} classes", f"{number[-1] + 1}", MEND, where)
        details["category"] = np.asarray(classes)[number]
        objects = objects.drop(columns="category")
    # Equal boxes of one image are told apart by their order of appearance.
    for table in (objects, details):
        table["repeat"] = table.groupby(key).cumcount()
    merged = objects.merge(details, how="left", on=[*key, "repeat"], validate="one_to_one", indicator=True)
    if (merged["_merge"] != "both").any() or len(details) != len(objects):
        row = merged[merged["_merge"] != "both"]
        image = row["image_id"].iloc[0] if len(row) else details["image_id"].iloc[-1]
        raise fail(
            "the same boxes in impos and pos",
            f"{len(objects)} and {len(details)}, unequal at {image!r}",
            MEND,
            where,
        )
    return merged.drop(columns=["repeat", "_merge"])
