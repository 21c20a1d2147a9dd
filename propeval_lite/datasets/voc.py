"""PASCAL VOC in its original folders: XML boxes, and masks where images are segmented."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_choice, check_text, fail
from propeval_lite.datasets.base import OBJECT_COLUMNS, Dataset
from propeval_lite.datasets.files import BadInput, existing, picture_reader, plain, read_picture, read_xml
from propeval_lite.datasets.frame import Frame
from propeval_lite.datasets.objects import good_objects

VOC_CLASSES = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip
VOID = 255
FLAGS = ("difficult", "truncated", "occluded")
COLUMNS = (*OBJECT_COLUMNS, *FLAGS, "box_source")


def load_voc2012(
    folder,
    *,
    split: str = "val",
    task: str | None = None,
    ignore: str = "difficult",
    boxes: str = "auto",
    partitions: str = "object",
    on_bad: str = "error",
) -> Dataset:
    """Load PASCAL VOC 2012.

    Parameters
    ----------
    folder : str or Path
        The ``VOC2012`` folder, the ``VOCdevkit`` that holds it, or the folder of that.
    split : str
        A list in ``ImageSets/TASK``, such as "train", "val" or "trainval".
    task : {"Main", "Segmentation"}, optional
        Which lists: all images, or those with masks. None means Main where it has the list.
    ignore : {"difficult", "none"}
        Which objects get ``ignore``; the challenge does not count difficult ones.
    boxes : {"auto", "xml", "mask"}
        Where boxes come from: the XML file, the object mask (tight box), or XML and, where an image of the
        Segmentation lists has no XML file, the mask. The column ``box_source`` says which it was.
    partitions : {"object", "class"}
        Which mask :meth:`~propeval_lite.Dataset.partitions` returns.
    on_bad : {"error", "drop"}
        Stop at an unusable object or image, or leave it out and report it in ``provenance["left_out"]``.

    Returns
    -------
    Dataset
        Pixels inclusive, origin 1. ``object_id`` is the place in the XML file, from 1, which is also the
        object's number in the mask. Further columns: ``difficult``, ``truncated``, ``occluded`` and
        ``box_source``. Partitions hold 0 for background, object or class numbers, and 255 for void pixels.
    """
    return load_voc(folder, 2012, split, task, ignore, on_bad, boxes, partitions)


def load_voc(
    folder, year: int, split, task=None, ignore="difficult", on_bad="error", boxes="auto", partitions="object"
) -> Dataset:
    """Load any year of PASCAL VOC; see :func:`load_voc2012`."""
    check_text(split, "split")
    check_choice(ignore, ("difficult", "none"), "ignore")
    check_choice(boxes, ("auto", "xml", "mask"), "boxes")
    check_choice(partitions, ("object", "class"), "partitions")
    root = _root(existing(folder, f"the VOC{year} folder"), year)
    task, ids = _image_ids(root, split, task)
    bad = BadInput(on_bad, f"VOC{year}")
    if boxes == "auto":
        boxes = "auto" if task == "Segmentation" else "xml"
    sizes, found = [], []
    for image_id in ids:
        file = root / "Annotations" / f"{image_id}.xml"
        if boxes == "xml" and not file.exists() and on_bad == "drop":
            bad(image_id, "xml", "an XML file", f"no {file.name}", "", action="image left out")
            continue
        from_mask = boxes == "mask" or (boxes == "auto" and not file.exists())
        read = _from_mask if from_mask else _from_xml
        size, rows = read(root, image_id, bad)
        sizes.append((image_id, *size))
        found.extend(rows)
    images = pd.DataFrame(sizes, columns=["image_id", "width", "height"]).astype({"image_id": "str"})
    objects = pd.DataFrame(found, columns=list(COLUMNS))
    types = dict.fromkeys(BOX_COLUMNS, np.float64) | dict.fromkeys(("ignore", *FLAGS), bool)
    objects = objects.astype(types | {"object_id": np.int64, "image_id": "str", "category": "str"})
    objects["ignore"] = objects["difficult"] if ignore == "difficult" else False
    objects = good_objects(objects, images, Frame("inclusive", 1), bad)
    shapes = {row.image_id: (row.width, row.height) for row in images.itertuples()}
    numbers = objects.groupby("image_id")["object_id"].apply(np.asarray).to_dict()
    return Dataset(
        f"voc{year}-{split}",
        images,
        objects,
        pixels="inclusive",
        origin=1,
        read_image=picture_reader(root / "JPEGImages", images, images["image_id"] + ".jpg"),
        read_masks=partial(_read_masks, root, numbers, shapes),
        read_partitions=partial(_read_partitions, root, f"Segmentation{partitions.capitalize()}", shapes),
        provenance={
            "source": f"VOC{year}",
            "split": f"{task}/{split}",
            "ignore": ignore,
            "boxes_from_masks": int((objects["box_source"] == "mask").sum()),
            "left_out": bad.left_out,
        },
    )


def _root(folder: Path, year: int) -> Path:
    for root in (folder, folder / f"VOC{year}", folder / "VOCdevkit" / f"VOC{year}"):
        if (root / "Annotations").is_dir():
            return root
    raise fail(
        f"a VOC{year} folder with Annotations inside",
        f"{folder}",
        f"Give the VOCdevkit folder, VOC{year} or their parent.",
    )


def _image_ids(root: Path, split: str, task: str | None) -> tuple[str, list[str]]:
    if task is not None:
        check_choice(task, ("Main", "Segmentation"), "task")
    tasks = [task] if task else ["Main", "Segmentation"]
    for name in tasks:
        file = root / "ImageSets" / name / f"{split}.txt"
        if file.exists():
            try:
                text = file.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError:
                raise fail("a list in UTF-8", "other bytes", "Save it again as UTF-8.", str(file)) from None
            lines = [line.split() for line in text.splitlines() if line.strip()]
            if any(len(line) != 1 for line in lines):
                raise fail(
                    "one image id per line",
                    "several words",
                    "Use a list such as val, not a class's.",
                    str(file),
                )
            return name, [line[0] for line in lines]
    found = sorted(
        f"{name}/{file.stem}" for name in tasks for file in (root / "ImageSets" / name).glob("*.txt")
    )
    raise fail(
        f"a list called {split!r} in ImageSets/{' or '.join(tasks)}",
        f"only {', '.join(found) or 'none'}",
        "Choose one of these.",
        f"{root}: split",
    )


def _labels(root: Path, kind: str, image_id: str, size: tuple[int, int] | None = None) -> np.ndarray:
    return read_picture(root / kind / f"{image_id}.png", mode=None, size=size).astype(np.int32)


def _read_masks(root: Path, numbers: dict, shapes: dict, image_id: str) -> np.ndarray:
    labels = _labels(root, "SegmentationObject", image_id, shapes[image_id])
    return labels[None] == numbers.get(image_id, np.zeros(0, dtype=np.int64))[:, None, None]


def _read_partitions(root: Path, kind: str, shapes: dict, image_id: str) -> list[np.ndarray]:
    return [_labels(root, kind, image_id, shapes[image_id])]


def _from_xml(root: Path, image_id: str, bad: BadInput):
    file = root / "Annotations" / f"{image_id}.xml"
    tree = read_xml(file)
    where = f"{file.name}: image {image_id!r}"
    try:
        size = tuple(int(plain(tree.findtext(f"size/{side}"))) for side in ("width", "height"))
    except (TypeError, ValueError):
        raise fail("size/width and size/height as whole numbers", "none", "Repair the file.", where) from None
    rows = []
    for number, element in enumerate(tree.findall("object"), start=1):
        box = []
        for key, column in zip(("xmin", "ymin", "xmax", "ymax"), BOX_COLUMNS, strict=True):
            text = element.findtext(f"bndbox/{key}")
            try:
                box.append(float(plain(text)))
            except (TypeError, ValueError):
                bad(
                    image_id,
                    column,
                    f"a number in bndbox/{key}",
                    f"{text!r} in object {number} of {file.name}",
                    "Repair or remove the object.",
                )
                break
        name = element.findtext("name")
        if len(box) == 4 and not name:
            bad(image_id, "category", "a name", f"none in object {number} of {file.name}", "Add the name.")
        elif len(box) == 4:
            flags = [(element.findtext(flag) or "0").strip() for flag in FLAGS]
            if not {*flags} <= {"0", "1"}:
                got = f"{', '.join(flags)} in object {number} of {file.name}"
                bad(image_id, FLAGS[0], f"{', '.join(FLAGS)} to be 0 or 1", got, "Repair the object.")
                continue
            rows.append((image_id, number, name, *box, False, *(flag == "1" for flag in flags), "xml"))
    return size, rows


def _from_mask(root: Path, image_id: str, bad: BadInput):
    labels = _labels(root, "SegmentationObject", image_id)
    classes = _labels(root, "SegmentationClass", image_id, labels.shape[::-1])
    rows = []
    for number in np.unique(labels[(labels > 0) & (labels != VOID)]).tolist():
        y, x = np.nonzero(labels == number)
        kinds = np.unique(classes[y, x])
        if len(kinds) != 1 or not 1 <= kinds[0] <= len(VOC_CLASSES):
            bad(
                image_id,
                "category",
                "one class per object in SegmentationClass",
                f"numbers {kinds.tolist()} in object {number}",
                "Use the masks as published.",
            )
            continue
        box = (x.min() + 1, y.min() + 1, x.max() + 1, y.max() + 1)
        rows.append((image_id, number, VOC_CLASSES[kinds[0] - 1], *box, False, False, False, False, "mask"))
    return labels.shape[::-1], rows
