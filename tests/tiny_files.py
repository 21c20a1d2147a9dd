"""Smallest whole data sets in their original layouts, to be spoilt by tests, one piece at a time."""

import json

import numpy as np
import scipy.io
from PIL import Image

HEIGHT, WIDTH = 8, 10
LABELS = np.zeros((HEIGHT, WIDTH), np.uint8)
LABELS[2:5, 3:7] = 1
PICTURE = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
XML = """<annotation><size><width>10</width><height>8</height></size><object><name>cat</name><difficult>0</difficult>
<bndbox><xmin>4</xmin><ymin>3</ymin><xmax>7</xmax><ymax>5</ymax></bndbox></object></annotation>"""


def put(path, content):
    """Write text, bytes or a picture, with the folders above."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, np.ndarray):
        Image.fromarray(content).save(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8")
    return path


def voc(folder):
    """One image with one cat, boxes and masks, in the lists called val."""
    root = folder / "VOC2012"
    for task in ("Main", "Segmentation"):
        put(root / "ImageSets" / task / "val.txt", "a\n")
    put(root / "Annotations" / "a.xml", XML)
    put(root / "JPEGImages" / "a.jpg", PICTURE)
    put(root / "SegmentationObject" / "a.png", LABELS)
    put(root / "SegmentationClass" / "a.png", LABELS * 8)
    return root


def ground_truth(labels):
    """The cell array of BSDS500 with one annotator."""
    struct = np.empty((1, 1), dtype=[("Segmentation", object), ("Boundaries", object)])
    struct[0, 0] = (labels, np.ones(np.shape(labels), bool))
    cells = np.empty((1, 1), dtype=object)
    cells[0, 0] = struct
    return {"groundTruth": cells}


def bsds(folder, labels=None):
    """One picture with one segmentation, in the split called test."""
    root = folder / "BSDS500"
    put(root / "images" / "test" / "a.jpg", PICTURE)
    file = root / "groundTruth" / "test" / "a.mat"
    file.parent.mkdir(parents=True, exist_ok=True)
    scipy.io.savemat(file, ground_truth(LABELS.astype(np.uint16) if labels is None else labels))
    return root


def instances(**changes):
    """An instances file with one image and one annotation, as a dictionary; `changes` replace entries of the latter."""
    annotation = {"id": 1, "image_id": 7, "category_id": 3, "bbox": [3, 2, 4, 3], "area": 12, "iscrowd": 0}
    annotation["segmentation"] = [[3, 2, 7, 2, 7, 5, 3, 5]]
    return {
        "images": [{"id": 7, "width": WIDTH, "height": HEIGHT, "file_name": "a.jpg"}],
        "categories": [{"id": 3, "name": "cat"}],
        "annotations": [annotation | changes],
    }


def coco(folder, content=None):
    """Write an instances file; text is written as it is."""
    content = instances() if content is None else content
    return put(
        folder / "instances.json", content if isinstance(content, (str, bytes)) else json.dumps(content)
    )


def positions(**changes):
    """The struct array of Hosang et al. for one image with one box; `changes` replace its fields."""
    fields = {"im": "000001", "boxes": np.array([[4.0, 3, 7, 5]]), "img_size": np.array([[10, 8]])} | changes
    impos = np.empty((1,), dtype=[(name, object) for name in fields])
    impos[0] = tuple(fields.values())
    return {"impos": impos}


def hosang(folder, content=None, name="ILSVRC2013_val_annotations.mat"):
    """Write an annotation file of Hosang et al."""
    folder.mkdir(exist_ok=True, parents=True)
    scipy.io.savemat(folder / name, positions() if content is None else content)
    return folder
