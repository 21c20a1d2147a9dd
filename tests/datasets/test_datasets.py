"""Data sets: the common shape, the loaders on small made folders and on the real ones, and bad input."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.io
from PIL import Image
from pycocotools import mask as mask_utils

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import OBJECT_COLUMNS, Dataset, no_objects
from propeval_lite.datasets.files import read_mat, read_picture, read_xml
from propeval_lite.datasets.registry import LOADERS, load_dataset
from propeval_lite.datasets.voc import VOC_CLASSES


def tables(ids=("a", "b"), rows=((0, "a"), (1, "b"))):
    images = pd.DataFrame({"image_id": list(ids), "width": 50, "height": 40})
    objects = pd.DataFrame(
        [(image, i, "cat", 1, 2, 3, 4, False) for i, image in rows], columns=OBJECT_COLUMNS
    )
    return images, objects


# --- the common shape --------------------------------------------------------------------------------------


def test_objects_are_grouped_in_image_order():
    images, objects = tables(("a", "b", "c"), ((0, "c"), (1, "a"), (2, "c"), (3, "a")))
    dataset = Dataset("toy", images, objects)
    assert dataset.objects["object_id"].tolist() == [1, 3, 0, 2]
    assert dataset.object_offsets.tolist() == [0, 2, 2, 4]
    assert dataset.object_offsets.dtype == np.int64
    assert repr(dataset) == "Dataset('toy': 3 images, 4 objects, pixels='edges', origin=0)"
    part = dataset.subset(["c", "b"])
    assert part.images["image_id"].tolist() == ["b", "c"]
    assert part.objects["object_id"].tolist() == [0, 2]


def test_a_data_set_may_have_no_objects():
    dataset = Dataset("toy", tables()[0], no_objects())
    assert dataset.object_offsets.tolist() == [0, 0, 0]
    assert len(dataset.fingerprint()) == 64


def test_dataset_errors():
    images, objects = tables()
    with pytest.raises(InputError, match="toy: images table: expected columns .* none called height"):
        Dataset("toy", images.drop(columns="height"), objects)
    with pytest.raises(InputError, match="toy: objects table: .* none called ignore"):
        Dataset("toy", images, objects.drop(columns="ignore"))
    with pytest.raises(InputError, match="each image once, got image_id 'a' twice"):
        Dataset("toy", tables(("a", "a"))[0], objects)
    with pytest.raises(InputError, match="objects of listed images, got image_id 'b'"):
        Dataset("toy", images[:1], objects)
    with pytest.raises(InputError, match="image 'b', column width: expected a width of at least one pixel"):
        Dataset("toy", images.assign(width=[5, 0]), objects)
    with pytest.raises(
        InputError, match="objects table: image 'b', column x2: expected a finite x2, got x2=nan"
    ):
        Dataset("toy", images, objects.assign(x2=[3, np.nan]))
    with pytest.raises(InputError, match="objects table: image 'a', column y2: expected y2 >= y1"):
        Dataset("toy", images, objects.assign(y2=[0, 9]))
    with pytest.raises(InputError, match="origin to be 0 or 1"):
        Dataset("toy", images, objects, origin=2)
    with pytest.raises(InputError, match="pixels to be one of"):
        Dataset("toy", images, objects, pixels="wide")
    dataset = Dataset("toy", images, objects)
    with pytest.raises(InputError, match=r"\(such as 'a', 'b'\), got unknown id 3 \(1 unknown in all\)"):
        dataset.image(3)
    for read, what in (("image", "images"), ("masks", "object masks"), ("partitions", "partitions"),
                       ("boundaries", "boundary maps")):  # fmt: skip
        with pytest.raises(InputError, match=f"a data set with {what}, got toy, which has none"):
            getattr(dataset, read)("a")


def test_fingerprint_follows_every_number():
    images, objects = tables()
    first = Dataset("toy", images, objects, provenance={"seed": 1}).fingerprint()
    assert first == Dataset("toy", images.copy(), objects.copy(), provenance={"seed": 1}).fingerprint()
    others = [
        Dataset("toy", images, objects, provenance={"seed": 2}),
        Dataset("toy", images, objects.assign(x2=[3, 3.5]), provenance={"seed": 1}),
        Dataset("toy", images.assign(width=51), objects, provenance={"seed": 1}),
        Dataset("toy", images, objects[:1], provenance={"seed": 1}),
        Dataset("toy", images, objects.assign(more=1), provenance={"seed": 1}),
        Dataset("toy", images, objects, pixels="inclusive", provenance={"seed": 1}),
    ]
    assert len({first, *(other.fingerprint() for other in others)}) == len(others) + 1


# --- load_dataset ------------------------------------------------------------------------------------------


def test_spec_errors(monkeypatch, tmp_path):
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    for spec, message in (
        ("imagenet:/x", "a data set called scenes, photos, .* or bsds500, got 'imagenet'"),
        ("scenes:/x", "scenes without a path"),
        ("scenes?n", r"load_dataset\('scenes\?n'\): expected options as key=value"),
        ("scenes?n=1&n=2", "each option once, got 'n' twice"),
        ("scenes?boxes=2", "options of scenes: n, seed, .* got unknown option 'boxes'"),
        ("voc2007", "a path for voc2007, got none, and the environment variable PROPEVAL_DATA is not set"),
        ("bsds500:/nowhere", "the BSDS500 folder at /nowhere, got no such file or folder"),
    ):
        with pytest.raises(InputError, match=message):
            load_dataset(spec)
    with pytest.raises(InputError, match="each option once"):
        load_dataset("scenes?n=1", n=1)
    with pytest.raises(InputError, match="as text, got int"):
        load_dataset(3)
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"'hosang' in the folder PROPEVAL_DATA .*got no such file"):
        load_dataset("voc2007")
    assert set(LOADERS) == {"scenes", "photos", "voc2012", "voc2007", "ilsvrc2013", "coco", "bsds500"}


def test_spec_without_path_uses_the_data_folder(monkeypatch, tmp_path):
    write_coco(tmp_path / "coco100" / "instances_val2014_100.json")
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    dataset = load_dataset("coco?on_bad=error")
    assert dataset.provenance["options"] == {"on_bad": "error"}
    assert str(tmp_path) not in json.dumps(dataset.provenance)
    path = tmp_path / "coco100" / "instances_val2014_100.json"
    assert load_dataset(f"coco:{path}", on_bad="error").fingerprint() == dataset.fingerprint()


def test_scenes_come_through_load_dataset():
    dataset = load_dataset("scenes?n=2&seed=3")
    assert len(dataset.images) == 2
    assert dataset.provenance["options"] == {"n": 2, "seed": 3}
    assert dataset.fingerprint() == load_dataset("scenes", n=2, seed=3).fingerprint()
    assert dataset.fingerprint() != load_dataset("scenes", n=2, seed=4).fingerprint()


# --- COCO --------------------------------------------------------------------------------------------------


def coco_content():
    annotation = {"image_id": 0, "category_id": 0, "bbox": [1, 2, 3, 4], "iscrowd": 0, "area": 9.5}
    square = [[1, 2, 4, 2, 4, 6, 1, 6]]
    return {
        "images": [
            {"id": 7, "width": 30, "height": 20, "file_name": "7.png"},
            {"id": 0, "width": 30, "height": 20, "file_name": "0.png"},
        ],
        "categories": [{"id": 0, "name": "cat"}, {"id": 3, "name": "dog"}],
        "annotations": [
            {**annotation, "id": 0, "segmentation": square},
            {**annotation, "id": 5, "image_id": 7, "category_id": 3, "iscrowd": 1,
             "segmentation": {"size": [20, 30], "counts": [0, 40, 560]}},
            {**annotation, "id": 6, "ignore": 1, "segmentation": None},
        ],
    }  # fmt: skip


def write_coco(path, change=None):
    content = coco_content()
    if change:
        change(content)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))
    return f"coco:{path}"


def test_coco(tmp_path):
    spec = write_coco(tmp_path / "toy.json")
    dataset = load_dataset(spec)
    assert (dataset.name, dataset.pixels, dataset.origin) == ("toy", "edges", 0)
    assert dataset.images["image_id"].tolist() == [7, 0]
    objects = dataset.objects
    assert objects["object_id"].tolist() == [5, 0, 6]
    assert objects["category"].tolist() == ["dog", "cat", "cat"]
    assert objects[["x1", "y1", "x2", "y2"]].iloc[0].tolist() == [1, 2, 4, 6]
    assert objects["crowd"].tolist() == [True, False, False]
    assert objects["ignore"].tolist() == [False, False, True]
    assert objects["area"].tolist() == [9.5] * 3
    assert dataset.masks(7).sum() == 40
    assert dataset.masks(7)[0, :, :2].all()
    with pytest.raises(InputError, match="toy.json: image 0, annotation 6, column segmentation: .*got None"):
        dataset.masks(0)
    with pytest.raises(InputError, match="a data set with images"):
        dataset.image(7)


def test_coco_pictures(tmp_path):
    spec = write_coco(tmp_path / "toy.json")
    Image.new("L", (30, 20), 9).save(tmp_path / "7.png")
    Image.new("RGB", (31, 20)).save(tmp_path / "0.png")
    for dataset in (load_dataset(f"{spec}?images={tmp_path}"), load_dataset(spec, images=tmp_path)):
        assert dataset.image(7).shape == (20, 30, 3)
        assert str(tmp_path) not in json.dumps(dataset.provenance)
        with pytest.raises(InputError, match="0.png: expected a picture of 30 x 20 pixels, got 31 x 20"):
            dataset.image(0)
    with pytest.raises(InputError, match="the folder of COCO pictures"):
        load_dataset(f"{spec}?images={tmp_path}/none")


BAD_COCO = [
    ({"bbox": [1, 2, float("nan"), 4]}, "image 0, column x2: expected a finite x2"),
    ({"bbox": [1, 2, float("inf"), 4]}, "image 0, column x2: expected a finite x2"),
    ({"bbox": [1, 2, 3, -4]}, "image 0, column y2: expected y2 >= y1"),
    ({"bbox": [1, 2, 40, 4]}, r"image 0, column x2: expected x2 within 1 pixel of the image \(right edge\)"),
    ({"bbox": [-3, 2, 5, 4]}, r"image 0, column x1: expected x1 within 1 pixel of the image \(left edge\)"),
    ({"bbox": [1, 2, 3]}, "image 0, column bbox: expected bbox with four numbers"),
    ({"bbox": None}, "image 0, column bbox: expected bbox with four numbers"),
    ({"image_id": 99}, "image 99, column image_id: expected an image_id listed in images"),
    ({"category_id": -1}, "image 0, column category_id: expected a category_id listed in categories, got -1"),
    ({"id": 5}, "image 0, column id: expected a unique id for each annotation, got .* 5 again"),
    ({"id": None}, "image 0, column id: expected a unique id"),
]


@pytest.mark.parametrize("change, message", BAD_COCO)
def test_bad_coco_annotations(tmp_path, change, message):
    spec = write_coco(tmp_path / "toy.json", lambda content: content["annotations"][2].update(change))
    with pytest.raises(InputError, match=f"toy.json: {message}.*on_bad='drop'"):
        load_dataset(spec)
    dataset = load_dataset(spec, on_bad="drop")
    assert len(dataset.objects) == 2
    assert len(dataset.provenance["left_out"]) == 1
    assert dataset.provenance["left_out"][0]["column"] in message


def test_all_bad_annotations_are_left_out_at_once(tmp_path):
    def change(content):
        content["annotations"] += [{**content["annotations"][2], "id": 90 + i, **bad} for i, (bad, _) in
                                   enumerate(BAD_COCO)] + ["text"]  # fmt: skip

    dataset = load_dataset(write_coco(tmp_path / "toy.json", change), on_bad="drop")
    assert dataset.objects["object_id"].tolist() == [5, 0, 6]
    assert len(dataset.provenance["left_out"]) == len(BAD_COCO) + 1


def test_bad_coco_files(tmp_path):
    path = tmp_path / "toy.json"
    for change, message in (
        (lambda c: c.pop("images"), "toy.json: expected an object with a list called images"),
        (lambda c: c.pop("annotations"), "toy.json: expected a list called annotations, got NoneType"),
        (lambda c: c["images"][1].pop("width"), "image number 1 without width"),
        (lambda c: c["categories"][0].pop("name"), "id and name of each category"),
        (lambda c: c["images"][1].update(id=7), "each image once, got image_id 7 twice"),
        (lambda c: c["images"][1].update(height=0), "image 0, column height"),
    ):
        with pytest.raises(InputError, match=message):
            load_dataset(write_coco(path, change))
    path.write_text("[]")
    with pytest.raises(InputError, match="Detections .a list. are read with read_proposals"):
        load_dataset(f"coco:{path}")
    path.write_text(json.dumps(coco_content())[:300])
    with pytest.raises(InputError, match="toy.json: expected valid JSON, got a syntax error in line 1"):
        load_dataset(f"coco:{path}")


def test_coco_without_categories_or_objects(tmp_path):
    path = tmp_path / "toy.json"
    assert load_dataset(write_coco(path, lambda c: c.pop("categories"))).objects["category"].isna().all()
    empty = load_dataset(write_coco(path, lambda c: c["annotations"].clear()))
    assert (len(empty.images), len(empty.objects)) == (2, 0)
    assert empty.masks(7).shape == (0, 20, 30)


# --- VOC in its original folders ---------------------------------------------------------------------------


def voc_xml(objects, size="<size><width>30</width><height>20</height></size>"):
    return f"<annotation>{size}{''.join(objects)}</annotation>"


def voc_object(name="cat", box=(3, 4, 10, 12), extra=""):
    keys = ("xmin", "ymin", "xmax", "ymax")
    corners = "".join(f"<{key}>{value}</{key}>" for key, value in zip(keys, box, strict=True))
    part = "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part>"
    return f"<object><name>{name}</name>{part}<bndbox>{corners}</bndbox>{extra}</object>"


@pytest.fixture
def voc(tmp_path):
    root = tmp_path / "VOCdevkit" / "VOC2012"
    for folder in ("Annotations", "JPEGImages", "SegmentationObject", "SegmentationClass", "ImageSets/Main",
                   "ImageSets/Segmentation"):  # fmt: skip
        (root / folder).mkdir(parents=True)
    (root / "ImageSets/Main/val.txt").write_text("2008_000001\n2008_000002\n")
    (root / "ImageSets/Main/cat_val.txt").write_text("2008_000001  1\n")
    (root / "ImageSets/Segmentation/small.txt").write_text("2007_000009\n2008_000001\n")
    flags = "<difficult>1</difficult><truncated>1</truncated><occluded>0</occluded>"
    two = [voc_object(), voc_object("dog", (1, 1, 30, 20), flags)]
    (root / "Annotations/2008_000001.xml").write_text(voc_xml(two))
    (root / "Annotations/2008_000002.xml").write_text(voc_xml([]))
    labels = np.zeros((20, 30), dtype=np.uint8)
    labels[3:12, 2:10] = 1
    labels[15:20, 20:30] = 2
    labels[14, 20:30] = 255
    classes = np.select([labels == 1, labels == 2, labels == 255], [8, 12, 255], 0).astype(np.uint8)
    for image in ("2007_000009", "2008_000001"):
        Image.fromarray(labels).save(root / f"SegmentationObject/{image}.png")
        Image.fromarray(classes).save(root / f"SegmentationClass/{image}.png")
        Image.new("RGB", (30, 20), (1, 2, 3)).save(root / f"JPEGImages/{image}.jpg")
    return root


def test_voc2012(voc):
    dataset = load_dataset(f"voc2012:{voc}")
    assert (dataset.name, dataset.pixels, dataset.origin) == ("voc2012-val", "inclusive", 1)
    assert dataset.images["image_id"].tolist() == ["2008_000001", "2008_000002"]
    objects = dataset.objects
    assert objects[["x1", "y1", "x2", "y2"]].to_numpy().tolist() == [[3, 4, 10, 12], [1, 1, 30, 20]]
    for column in ("difficult", "truncated", "ignore"):
        assert objects[column].tolist() == [False, True]
    assert not objects["occluded"].any()
    assert not load_dataset(f"voc2012:{voc}?ignore=none").objects["ignore"].any()
    assert dataset.image("2008_000001").shape == (20, 30, 3)
    masks = dataset.masks("2008_000001")
    assert masks.shape == (2, 20, 30)
    assert masks.sum(axis=(1, 2)).tolist() == [72, 50]
    (labels,) = dataset.partitions("2008_000001")
    assert sorted(set(labels.ravel().tolist())) == [0, 1, 2, 255]
    (labels,) = load_dataset(f"voc2012:{voc}?partitions=class").partitions("2008_000001")
    assert sorted(set(labels.ravel().tolist())) == [0, 8, 12, 255]
    with pytest.raises(InputError, match="2008_000002.png, got no such file"):
        dataset.masks("2008_000002")


def test_voc_folder_may_be_any_of_three(voc):
    prints = {load_dataset(f"voc2012:{path}").fingerprint() for path in (voc, voc.parent, voc.parent.parent)}
    assert len(prints) == 1
    with pytest.raises(InputError, match="a VOC2012 folder with Annotations inside"):
        load_dataset(f"voc2012:{voc / 'ImageSets'}")


def test_voc_boxes_from_masks_where_xml_is_missing(voc):
    dataset = load_dataset(f"voc2012:{voc}", split="small")
    assert dataset.objects["box_source"].tolist() == ["mask", "mask", "xml", "xml"]
    assert dataset.objects[["x1", "y1", "x2", "y2"]].to_numpy()[:2].tolist() == [
        [3, 4, 10, 12],
        [21, 16, 30, 20],
    ]
    assert dataset.objects["category"].tolist() == ["cat", "dog"] * 2
    assert dataset.provenance["boxes_from_masks"] == 2
    all_masks = load_dataset(f"voc2012:{voc}", split="small", boxes="mask")
    assert all_masks.provenance["boxes_from_masks"] == 4
    with pytest.raises(InputError, match="2007_000009.xml, got no such file"):
        load_dataset(f"voc2012:{voc}", split="small", boxes="xml")
    dropped = load_dataset(f"voc2012:{voc}", split="small", boxes="xml", on_bad="drop")
    assert dropped.images["image_id"].tolist() == ["2008_000001"]
    assert dropped.provenance["left_out"][0]["action"] == "image left out"


def test_voc_lists(voc):
    with pytest.raises(
        InputError, match="a list called 'test' .*got only Main/cat_val, Main/val, Segmentation/small"
    ):
        load_dataset(f"voc2012:{voc}", split="test")
    with pytest.raises(InputError, match=r"cat_val.txt: expected one image id per line"):
        load_dataset(f"voc2012:{voc}", split="cat_val")
    with pytest.raises(InputError, match="a list called 'val' in ImageSets/Segmentation"):
        load_dataset(f"voc2012:{voc}", task="Segmentation")
    for option, value in (("task", "Action"), ("ignore", "all"), ("boxes", "both"), ("partitions", "part")):
        with pytest.raises(InputError, match=f"{option} to be one of"):
            load_dataset(f"voc2012:{voc}", **{option: value})


@pytest.mark.parametrize(
    "text, message, droppable",
    [
        (voc_xml([voc_object(box=(3, 4, 1, 12))]), "image '2008_000002', column x2: expected x2 >= x1", True),
        (
            voc_xml([voc_object(box=("nan", 4, 1, 12))]),
            "image '2008_000002', column x1: expected a finite",
            True,
        ),
        (
            voc_xml([voc_object(box=(3, 4, 99, 12))]),
            "image '2008_000002', column x2: expected x2 within 1",
            True,
        ),
        (voc_xml([voc_object(box=(3, 4, "", 12))]), "column x2: expected a number in bndbox/xmax", True),
        (
            voc_xml([voc_object("")]),
            "column category: expected a name, got none in object 1 of 2008_000002",
            True,
        ),
        (voc_xml([], size=""), "2008_000002.xml: image '2008_000002': expected size/width", False),
        (voc_xml([voc_object()])[:80], "2008_000002.xml: expected valid XML, got a syntax error", False),
        ("", "2008_000002.xml: expected valid XML", False),
    ],
)
def test_bad_voc_annotations(voc, text, message, droppable):
    (voc / "Annotations/2008_000002.xml").write_text(text)
    with pytest.raises(InputError, match=message):
        load_dataset(f"voc2012:{voc}")
    if droppable:
        dataset = load_dataset(f"voc2012:{voc}", on_bad="drop")
        assert len(dataset.objects) == 2
        assert len(dataset.provenance["left_out"]) == 1


def test_entity_expansion_is_refused(tmp_path):
    bomb = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><annotation>&c;</annotation>'
    (tmp_path / "x.xml").write_text(bomb)
    with pytest.raises(
        InputError, match="x.xml: expected XML without document type or entities.*are refused"
    ):
        read_xml(tmp_path / "x.xml")


def test_masks_that_contradict_each_other(voc):
    Image.fromarray(np.zeros((20, 30), dtype=np.uint8)).save(voc / "SegmentationClass/2007_000009.png")
    with pytest.raises(InputError, match=r"column category: expected one class per object .*numbers \[0\]"):
        load_dataset(f"voc2012:{voc}", split="small")
    (voc / "SegmentationObject/2007_000009.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match="2007_000009.png: expected a readable picture"):
        load_dataset(f"voc2012:{voc}", split="small")


# --- the .mat files of Hosang et al. ----------------------------------------------------------------------


def hosang_mat(path, rows, with_pos=True):
    """Two images of 30 x 20 pixels; `rows` holds image number and box of each object as listed in pos."""
    impos = np.zeros((1, 2), dtype=[("im", "O"), ("boxes", "O"), ("img_size", "O")])
    for i in range(2):
        boxes = np.array([box for image, box in rows if image == i], dtype=np.float64).reshape(-1, 4)
        impos[0, i] = (f"00000{i}", boxes, np.array([[30, 20]]))
    fields = ("im", "x1", "y1", "x2", "y2", "trunc", "difficult")
    listing = [(f"00000{image}", *map(float, box), n % 2, n % 4 == 3) for n, (image, box) in enumerate(rows)]
    pos = np.array([listing], dtype=[(field, "O") for field in fields])
    scipy.io.savemat(path, {"impos": impos, "pos": pos} if with_pos else {"impos": impos})


def test_ilsvrc2013(tmp_path):
    hosang_mat(tmp_path / "ILSVRC2013_val_annotations.mat", [(1, [0, 0, 29, 19]), (0, [3, 4, 5, 6])])
    dataset = load_dataset(f"ilsvrc2013:{tmp_path}")
    assert (dataset.pixels, dataset.origin) == ("inclusive", 0)
    assert dataset.objects["image_id"].tolist() == ["000000", "000001"]
    assert dataset.objects["category"].isna().all()
    assert load_dataset(f"ilsvrc2013:{tmp_path}/ILSVRC2013_val_annotations.mat").objects.equals(
        dataset.objects
    )
    Image.new("RGB", (30, 20)).save(tmp_path / "000001.JPEG")
    assert load_dataset(f"ilsvrc2013:{tmp_path}", images=tmp_path).image("000001").shape == (20, 30, 3)


def test_bad_hosang_mat(tmp_path):
    file = tmp_path / "ILSVRC2013_val_annotations.mat"
    for box, message in (
        ([np.nan, 1, 2, 2], "image '000001', column x1: expected a finite x1"),
        ([5, 1, 2, 2], "image '000001', column x2: expected x2 >= x1"),
        ([5, 1, 32, 2], r"image '000001', column x2: expected x2 within 1 pixel of the image \(right edge\)"),
    ):
        hosang_mat(file, [(1, box), (0, [1, 1, 2, 2])], with_pos=False)
        with pytest.raises(InputError, match=f"ILSVRC2013_val_annotations.mat: {message}"):
            load_dataset(f"ilsvrc2013:{tmp_path}")
        dropped = load_dataset(f"ilsvrc2013:{tmp_path}?on_bad=drop")
        assert (len(dropped.objects), len(dropped.provenance["left_out"])) == (1, 1)
    file.write_bytes(file.read_bytes()[:180])
    with pytest.raises(InputError, match=r"annotations.mat: expected a readable MATLAB file"):
        load_dataset(f"ilsvrc2013:{tmp_path}")
    scipy.io.savemat(file, {"recall": 1})
    with pytest.raises(InputError, match="a struct array called impos"):
        load_dataset(f"ilsvrc2013:{tmp_path}")
    header = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    file.write_bytes(header + b"\x89HDF\r\n\x1a\n" + bytes(600))
    with pytest.raises(InputError, match=r"version 7.3 \(HDF5\). Save it again"):
        read_mat(file)


def test_voc2007(tmp_path):
    # Objects are listed class by class: one in each of the two images.
    rows = [(image, [n + 1, 2, n + 3, 5]) for n in range(20) for image in (0, 1)]
    file = tmp_path / "pascal_voc07_test_annotations.mat"
    hosang_mat(file, rows)
    dataset = load_dataset(f"voc2007:{tmp_path}")
    assert (dataset.name, dataset.pixels, dataset.origin) == ("voc2007-test", "inclusive", 1)
    assert dataset.objects["category"].tolist() == [*VOC_CLASSES, *VOC_CLASSES]
    assert dataset.objects["truncated"].tolist() == [False] * 20 + [True] * 20
    assert not dataset.objects["ignore"].any()
    hard = load_dataset(f"voc2007:{tmp_path}?ignore=difficult").objects
    assert hard["ignore"].tolist() == hard["difficult"].tolist() == [False] * 20 + [False, True] * 10
    assert load_dataset(f"voc2007:{file}").objects.equals(dataset.objects)
    with pytest.raises(InputError, match="pascal_voc07_trainval_annotations.mat, got no such file"):
        load_dataset(f"voc2007:{tmp_path}", split="trainval")
    hosang_mat(file, rows[:-2])
    with pytest.raises(InputError, match="pos sorted into 20 classes, got 19"):
        load_dataset(f"voc2007:{tmp_path}")
    hosang_mat(file, rows)
    content = scipy.io.loadmat(file)
    content["pos"][0, 0]["x1"] = 2.0
    scipy.io.savemat(file, {key: content[key] for key in ("pos", "impos")})
    with pytest.raises(
        InputError, match="the same boxes in impos and pos, got 40 and 40, unequal at '000000'"
    ):
        load_dataset(f"voc2007:{tmp_path}")


def test_voc2007_in_its_original_folders(voc):
    voc.rename(voc.parent / "VOC2007")
    dataset = load_dataset(f"voc2007:{voc.parent}", split="val")
    assert dataset.name == "voc2007-val"
    assert not dataset.objects["ignore"].any()


# --- BSDS500 -----------------------------------------------------------------------------------------------


@pytest.fixture
def bsds(tmp_path):
    root = tmp_path / "BSDS500" / "data"
    for folder in ("images/test", "groundTruth/test", "images/val", "groundTruth/val"):
        (root / folder).mkdir(parents=True)
    Image.new("RGB", (6, 4), (9, 9, 9)).save(root / "images/test/100.jpg")
    truth = np.empty((1, 2), dtype=object)
    for i in range(2):
        labels = np.arange(24).reshape(4, 6) // (6 * (i + 1)) + 1
        truth[0, i] = {"Segmentation": labels.astype(np.uint16), "Boundaries": labels == 1}
    scipy.io.savemat(root / "groundTruth/test/100.mat", {"groundTruth": truth})
    return root


def test_bsds500(bsds):
    for folder in (bsds, bsds.parent, bsds.parent.parent):
        dataset = load_dataset(f"bsds500:{folder}")
        assert dataset.images.to_numpy().tolist() == [["100", 6, 4]]
        assert len(dataset.objects) == 0
        partitions = dataset.partitions("100")
        assert [partition.max() for partition in partitions] == [4, 2]
        assert partitions[0].dtype == np.int32
        assert [border.sum() for border in dataset.boundaries("100")] == [6, 12]
        assert dataset.image("100").shape == (4, 6, 3)


def test_bad_bsds500(bsds):
    with pytest.raises(InputError, match="pictures in images/val, got none"):
        load_dataset(f"bsds500:{bsds}", split="val")
    with pytest.raises(InputError, match="split to be one of train, val, test"):
        load_dataset(f"bsds500:{bsds}", split="all")
    with pytest.raises(InputError, match="a folder with images and groundTruth"):
        load_dataset(f"bsds500:{bsds / 'images'}")
    Image.new("RGB", (6, 4)).save(bsds / "images/test/200.jpg")
    with pytest.raises(InputError, match="image '200', column groundTruth: expected a file"):
        load_dataset(f"bsds500:{bsds}")
    assert len(load_dataset(f"bsds500:{bsds}", on_bad="drop").images) == 1
    scipy.io.savemat(bsds / "groundTruth/test/200.mat", {"groundTruth": np.zeros((2, 2))})
    dataset = load_dataset(f"bsds500:{bsds}")
    with pytest.raises(InputError, match="200.mat: expected a cell array groundTruth with Segmentation"):
        dataset.partitions("200")
    Image.new("RGB", (7, 4)).save(bsds / "images/test/100.jpg")
    with pytest.raises(InputError, match=r"100.mat: expected maps of shape \(4, 7\)"):
        load_dataset(f"bsds500:{bsds}").partitions("100")
    (bsds / "images/test/100.jpg").write_bytes(b"cut")
    with pytest.raises(InputError, match="100.jpg: expected a readable picture"):
        load_dataset(f"bsds500:{bsds}")
    with pytest.raises(InputError, match="100.jpg: expected a readable picture"):
        read_picture(bsds / "images/test/100.jpg")


# --- in another process -------------------------------------------------------------------------------------


def contents(dataset, image_id):
    """Everything that a data set can read of an image, as lists of arrays."""
    readers = {"image": dataset.read_image, "masks": dataset.read_masks, "partitions": dataset.read_partitions,
               "boundaries": dataset.read_boundaries}  # fmt: skip
    return {name: list(getattr(dataset, name)(image_id)) for name, reader in readers.items() if reader}


@pytest.mark.parametrize(
    ("spec", "reads"),
    [
        ("scenes?n=4&width=48&height=40&part=::2", "image masks partitions"),
        ("scenes?n=2&width=48&height=40&longest=24", "image"),
        ("scenes?n=2&width=48&height=40&blocks=2", "image partitions"),
        ("photos?part=:2", "image masks partitions"),
        ("voc2012:{voc}?split=small", "image masks partitions"),
        ("voc2012:{voc}?split=small&partitions=class&longest=15", "image"),
        ("voc2007:{tmp}?images={tmp}", "image"),
        ("ilsvrc2013:{tmp}?images={tmp}", "image"),
        ("coco:{tmp}/toy.json?images={tmp}", "image masks"),
        ("bsds500:{bsds}", "image partitions boundaries"),
        ("bsds500:{bsds}?blocks=2", "image partitions"),
    ],
)
def test_data_sets_can_be_sent_to_another_process(voc, bsds, tmp_path, spec, reads):
    write_coco(tmp_path / "toy.json")
    hosang_mat(tmp_path / "ILSVRC2013_val_annotations.mat", [(1, [0, 0, 29, 19])])
    hosang_mat(tmp_path / "pascal_voc07_test_annotations.mat", [(i, [2, 2, 3, 5]) for i in (0, 1)] * 20)
    for name in ("7.png", "0.png", "000000.JPEG", "000000.jpg"):
        Image.new("RGB", (30, 20), (3, 60, 200)).save(tmp_path / name)
    dataset = load_dataset(spec.format(voc=voc, bsds=bsds, tmp=tmp_path))
    first = dataset.images["image_id"].iloc[0]
    for made in (dataset, dataset.subset([first])):
        again = pickle.loads(pickle.dumps(made))
        assert again.fingerprint() == made.fingerprint()
        expected, found = contents(made, first), contents(again, first)
        assert " ".join(expected) == " ".join(found) == reads
        for name, arrays in expected.items():
            assert all(map(np.array_equal, arrays, found[name])) and len(arrays) == len(found[name])


# --- the real data -----------------------------------------------------------------------------------------


@pytest.mark.data
def test_real_voc2007(real_data):
    dataset = load_dataset(f"voc2007:{real_data / 'hosang'}")
    assert (len(dataset.images), len(dataset.objects)) == (4952, 14976)
    assert dataset.objects["difficult"].sum() == 2944
    assert not dataset.objects["ignore"].any()
    first = dataset.objects[dataset.objects["image_id"] == "000001"]
    assert first["category"].tolist() == ["dog", "person"]
    assert first[["x1", "y1", "x2", "y2"]].to_numpy().tolist() == [[48, 240, 195, 371], [8, 12, 352, 498]]
    content = scipy.io.loadmat(
        real_data / "hosang" / "pascal_voc07_test_annotations.mat",
        variable_names=["per_class"],
        squeeze_me=True,
    )
    for name, part in zip(VOC_CLASSES, content["per_class"], strict=True):
        boxes = np.concatenate([np.atleast_2d(box) for box in part["impos"].item()["boxes"] if box.size])
        mine = dataset.objects[dataset.objects["category"] == name][["x1", "y1", "x2", "y2"]].to_numpy()
        np.testing.assert_array_equal(np.sort(boxes, axis=0), np.sort(mine, axis=0))
    hard = load_dataset(f"voc2007:{real_data / 'hosang'}?split=trainval&ignore=difficult")
    assert (len(hard.images), len(hard.objects), hard.objects["ignore"].sum()) == (5011, 15662, 3054)


@pytest.mark.data
def test_real_ilsvrc2013(real_data):
    dataset = load_dataset(f"ilsvrc2013:{real_data / 'hosang'}")
    assert (len(dataset.images), len(dataset.objects)) == (18680, 55502)
    sides = dataset.images.set_index("image_id").loc[dataset.objects["image_id"]]
    assert dataset.objects["x1"].min() == 0
    assert (dataset.objects["x2"].to_numpy() - sides["width"].to_numpy()).max() == -1


@pytest.mark.data
def test_real_voc2012(real_data):
    dataset = load_dataset(f"voc2012:{real_data / 'voc2012'}")
    counted = ~dataset.objects["ignore"]
    budgets_by_objects = np.load(real_data / "lpo" / "bing.npz", allow_pickle=False)["arr_1"]
    assert counted.sum() == budgets_by_objects.shape[1]
    subset = load_dataset(f"voc2012:{real_data / 'voc2012'}?split=val_subset")
    assert len(subset.images) == 242
    both = subset.objects[subset.objects["box_source"] == "xml"]
    for image_id in both["image_id"].unique()[::20]:
        rows = both[both["image_id"] == image_id]
        masks = subset.masks(image_id)
        classes = load_labels(real_data, image_id)
        for mask, row in zip(masks, rows.itertuples(), strict=True):
            assert mask.any()
            assert set(classes[mask].tolist()) == {VOC_CLASSES.index(row.category) + 1}


def load_labels(real_data, image_id):
    folder = real_data / "voc2012" / "VOCdevkit" / "VOC2012" / "SegmentationClass"
    return read_picture(folder / f"{image_id}.png", mode=None)


@pytest.mark.data
def test_real_coco(real_data):
    dataset = load_dataset(f"coco:{real_data / 'coco100' / 'instances_val2014_100.json'}")
    assert (len(dataset.images), len(dataset.objects), dataset.objects["crowd"].sum()) == (100, 839, 9)
    assert dataset.images["image_id"].dtype == np.int64
    assert not dataset.objects["ignore"].any()
    content = json.loads((real_data / "coco100" / "instances_val2014_100.json").read_text())
    by_id = {annotation["id"]: annotation for annotation in content["annotations"]}
    for row in dataset.images[::25].itertuples():
        ids = dataset.objects.loc[dataset.objects["image_id"] == row.image_id, "object_id"]
        for mask, object_id in zip(dataset.masks(row.image_id), ids, strict=True):
            packed = mask_utils.frPyObjects(by_id[object_id]["segmentation"], row.height, row.width)
            theirs = mask_utils.decode(mask_utils.merge(packed) if isinstance(packed, list) else packed)
            np.testing.assert_array_equal(mask, theirs > 0)
    lvis = load_dataset(f"coco:{real_data / 'coco100' / 'lvis_val_100.json'}")
    assert (len(lvis.images), len(lvis.objects)) == (100, 977)


@pytest.mark.data
def test_real_bsds500(real_data):
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}")
    order = (real_data / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    assert dataset.images["image_id"].tolist() == order
    partitions = dataset.partitions("100007")
    assert 4 <= len(partitions) <= 9
    assert all(partition.min() == 1 for partition in partitions)
    assert [border.shape for border in dataset.boundaries("100007")] == [p.shape for p in partitions]
    for split, n in (("train", 200), ("val", 100)):
        assert len(load_dataset(f"bsds500:{real_data / 'bsds500'}?split={split}").images) == n


# --- odd input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("images", {"image_id": [1.0, 2.0]}, "all whole numbers or all text, got floating"),
        ("images", {"image_id": pd.Series([1, "1"], dtype=object)}, "got mixed-integer"),
        ("images", {"width": 20.5}, "in whole pixels, got 20.5"),
        ("images", {"width": np.inf}, "in whole pixels, got inf"),
        ("images", {"width": "20"}, "column width: expected numbers, got str values"),
        ("objects", {"x1": "a"}, "column x1: expected a number, got 'a'"),
        ("objects", {"x1": "1"}, "column x1: expected numbers, got"),
        ("objects", {"ignore": "False"}, "column ignore: expected true or false, got 'False' in row 0"),
        ("objects", {"ignore": [np.nan, True]}, "column ignore: expected true or false, got nan"),
        ("objects", {"crowd": 2}, "column crowd: expected true or false, got 2"),
        ("objects", {"area": -1.0}, "column area: expected an area of at least 0, got -1 in row 0"),
        ("objects", {"area": "x"}, "column area: expected a number, got 'x'"),
    ],
)
def test_odd_tables_are_refused(table, change, message):
    images, objects = tables()
    if table == "images" and "image_id" in change:
        objects = objects.iloc[:0]
    made = {"images": images, "objects": objects}
    made[table] = made[table].assign(**change)
    with pytest.raises(InputError, match=message):
        Dataset("toy", **made)


def test_tables_are_tables_and_ids_are_lists():
    images, objects = tables()
    with pytest.raises(InputError, match="images table: expected a DataFrame, got list"):
        Dataset("toy", [1], objects)
    with pytest.raises(InputError, match="objects table: expected each column once, got 'x1' twice"):
        Dataset("toy", images, pd.concat([objects, objects[["x1"]]], axis=1))
    for ids in ("a", [["a"]]):
        with pytest.raises(InputError, match="expected a list of image ids"):
            Dataset("toy", images, objects).subset(ids)


def test_ids_of_objects_take_the_type_of_the_images():
    images, objects = tables((1, 2), ((0, 1.0), (1, 2.0)))
    assert Dataset("toy", images, objects).objects["image_id"].tolist() == [1, 2]
    assert Dataset("toy", images, objects).objects["image_id"].dtype == np.int64


@pytest.mark.parametrize(
    ("place", "change", "message"),
    [
        ("annotations", {"iscrowd": "0"}, "ignore and iscrowd to be 0 or 1"),
        ("annotations", {"ignore": "false"}, "ignore and iscrowd to be 0 or 1"),
        ("annotations", {"area": -4}, "an area of at least 0, got -4"),
        ("annotations", {"area": "x"}, "an area of at least 0, got x"),
        ("annotations", {"bbox": "0055"}, "bbox with four numbers"),
        ("annotations", {"bbox": [10**400, 0, 1, 1]}, "bbox with four numbers"),
        ("annotations", {"id": [1]}, "a unique id for each annotation"),
        ("annotations", {"image_id": [1]}, "an annotation with image_id"),
        ("annotations", {"category_id": [1]}, "a category_id listed in categories"),
        ("images", {"width": None}, "image number 0, width: expected a whole number, got None"),
        ("images", {"width": 20.5}, "image number 0, width: expected a whole number, got 20.5"),
        ("images", {"id": [1]}, "image number 0, id: expected a whole number or text"),
        ("images", {"id": "7"}, "all whole numbers or all text"),
        ("categories", {"id": 3}, "each category id once"),
    ],
)
def test_odd_coco_entries_are_refused(tmp_path, place, change, message):
    spec = write_coco(tmp_path / "toy.json", lambda content: content[place][0].update(change))
    with pytest.raises(InputError, match=message):
        load_dataset(spec)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"[" * 100_000, "ordinary depth and numbers"), (b"9" * 5000, "ordinary depth and numbers")],
)
def test_json_that_python_cannot_hold(tmp_path, content, message):
    (tmp_path / "odd.json").write_bytes(content)
    with pytest.raises(InputError, match=message):
        load_dataset(f"coco:{tmp_path / 'odd.json'}")


def test_json_may_begin_with_the_mark_of_windows(tmp_path):
    (tmp_path / "toy.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(coco_content()).encode())
    assert len(load_dataset(f"coco:{tmp_path / 'toy.json'}").objects) == 3


@pytest.mark.parametrize("path", ["", None, 5, "x" * 5000, "~no-such-user/x"])
def test_paths_that_are_none(path):
    with pytest.raises(InputError, match="expected"):
        read_xml(path)


def test_files_and_folders_are_told_apart(tmp_path):
    with pytest.raises(InputError, match="got a folder. Give the path of a file"):
        load_dataset(f"coco:{tmp_path}")
    spec = write_coco(tmp_path / "toy.json")
    with pytest.raises(InputError, match="got a file. Give the path of a folder"):
        load_dataset(spec, images=str(tmp_path / "toy.json"))


def test_odd_flags_and_encodings_of_voc(voc):
    listed = next(voc.rglob("ImageSets/Main/val.txt"))
    image_id = listed.read_text().split()[0]
    file = next(voc.rglob(f"Annotations/{image_id}.xml"))
    file.write_text(voc_xml(voc_object(extra="<difficult>yes</difficult>")))
    with pytest.raises(InputError, match="truncated, occluded to be 0 or 1, got yes, 0, 0 in object 1"):
        load_dataset(f"voc2012:{voc}")
    file.write_text('<?xml version="1.0" encoding="nope"?><annotation/>')
    with pytest.raises(InputError, match="valid XML, got a syntax error"):
        load_dataset(f"voc2012:{voc}")
    listed.write_bytes(b"\xe9\n")
    with pytest.raises(InputError, match="a list in UTF-8, got other bytes"):
        load_dataset(f"voc2012:{voc}")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("boxes", np.ones((1, 3)), r"expected boxes of shape \(n, 4\), got shape \(1, 3\)"),
        ("boxes", np.ones((4, 2)), r"expected boxes of shape \(n, 4\), got shape \(4, 2\)"),
        ("boxes", "text", "boxes: expected numbers"),
        ("img_size", np.array([[30]]), "img_size: expected two whole numbers, got"),
        ("img_size", np.array([[30, 10.7]]), "img_size: expected two whole numbers, got"),
        ("img_size", np.array([[30, np.nan]]), "img_size: expected two whole numbers, got"),
        ("im", np.array([]), "impos.im, entry 1: expected a value, got an empty array"),
    ],
)
def test_malformed_fields_of_a_hosang_mat(tmp_path, field, value, message):
    impos = np.zeros((1, 1), dtype=[("im", "O"), ("boxes", "O"), ("img_size", "O")])
    impos[0, 0] = ("000000", np.array([[1.0, 1, 2, 2]]), np.array([[30, 20]]))
    impos[0, 0][field] = value
    scipy.io.savemat(tmp_path / "h.mat", {"impos": impos})
    with pytest.raises(InputError, match=rf"^h\.mat: .*{message}.*Use the annotation file as published"):
        load_dataset(f"ilsvrc2013:{tmp_path}/h.mat")


def test_a_path_that_is_not_here_is_looked_for_below_the_data(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "small"
    folder.mkdir(parents=True)
    picture = {"id": 1, "file_name": "a.png", "width": 5, "height": 4}
    content = {"images": [picture], "annotations": [], "categories": []}
    (folder / "instances.json").write_text(json.dumps(content))
    Image.fromarray(np.full((4, 5, 3), 7, np.uint8)).save(folder / "a.png")
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    data = load_dataset("coco:small/instances.json?images=small")
    assert data.image(1).shape == (4, 5, 3)
    monkeypatch.delenv("PROPEVAL_DATA")
    with pytest.raises(InputError, match="no such file or folder"):
        load_dataset("coco:small/instances.json?images=small")
