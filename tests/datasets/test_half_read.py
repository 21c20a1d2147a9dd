"""Annotations are read whole or refused: masks stay with their objects, pictures in their folder, numbers are plain."""

import json

import numpy as np
import pytest
import scipy.io
from PIL import Image

import propeval_lite as pe
from propeval_lite.datasets.rle import decode

VOC = """<annotation><size><width>{width}</width><height>30</height></size>
<object><name>cat</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>{xmax}</xmax><ymax>9</ymax></bndbox></object>
</annotation>"""


def square(left):
    return [[left, 0, left + 2, 0, left + 2, 2, left, 2]]


def coco(path, annotations, images=({"id": 1, "width": 20, "height": 10, "file_name": "1.png"},)):
    """Write an instances file and return its spec."""
    content = {"images": list(images), "annotations": annotations, "categories": [{"id": 1, "name": "cup"}]}
    path.write_text(json.dumps(content))
    return f"coco:{path}"


@pytest.mark.parametrize(
    "fault", [{"image_id": None}, {"image_id": 9}, {"bbox": [0, 0, 2]}, {"category_id": 7}]
)
def test_a_dropped_annotation_takes_its_mask_with_it(tmp_path, fault):
    good = [{"id": k, "image_id": 1, "category_id": 1, "bbox": [4.0 * k, 0, 2, 2], "segmentation": square(4 * k)}
            for k in (1, 2, 3)]  # fmt: skip
    bad = good[0] | {"segmentation": square(16)} | fault
    data = pe.load_dataset(coco(tmp_path / "i.json", [bad, *good]), on_bad="drop")
    assert len(data.provenance["left_out"]) == 1 + (len(data.objects) < 3)
    masks = data.masks(1)
    assert len(masks) == len(data.objects) >= 2
    for mask, left in zip(masks, data.objects["x1"], strict=True):
        assert np.flatnonzero(mask.any(axis=0)).min() == left


def test_two_annotations_of_one_id_are_refused(tmp_path):
    one = {"id": 5, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2]}
    for twice in ([one, one], [one | {"id": True}]):
        with pytest.raises(pe.InputError, match="expected a unique id for each annotation"):
            pe.load_dataset(coco(tmp_path / "i.json", twice))


@pytest.mark.parametrize("name", ["../secret.png", "a/../../secret.png", "/etc/secret.png", "..\\secret.png"])
def test_file_name_does_not_leave_the_folder(tmp_path, name):
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (20, 10)).save(tmp_path / "secret.png")
    spec = coco(tmp_path / "i.json", [], [{"id": 1, "width": 20, "height": 10, "file_name": name}])
    with pytest.raises(pe.InputError, match="which leads out of it. Name pictures by their path below"):
        pe.load_dataset(spec, images=str(tmp_path / "pictures"))


@pytest.mark.parametrize(
    ("numbers", "message"), [({"xmax": "1_5"}, "column x2"), ({"width": "4_0"}, "size/width")]
)
def test_1_5_is_no_number_in_xml(tmp_path, numbers, message):
    root = tmp_path / "VOC2012"
    for folder in ("Annotations", "ImageSets/Main"):
        (root / folder).mkdir(parents=True)
    (root / "ImageSets/Main/val.txt").write_text("a\n")
    plain = {"xmax": "15", "width": "40"}
    (root / "Annotations/a.xml").write_text(VOC.format(**plain))
    assert pe.load_dataset(f"voc2012:{root}").objects["x2"].tolist() == [15]
    (root / "Annotations/a.xml").write_text(VOC.format(**plain | numbers))
    with pytest.raises(pe.InputError, match=message):
        pe.load_dataset(f"voc2012:{root}")


def test_duplicate_keys_of_an_instances_file_are_refused(tmp_path):
    path = tmp_path / "i.json"
    path.write_text('{"images": [], "annotations": [], "images": [{"id": 1, "width": 2, "height": 2}]}')
    with pytest.raises(pe.InputError, match=r"each key once in a JSON object, got 'images' twice"):
        pe.load_dataset(f"coco:{path}")


def test_capital_endings_of_bsds_are_not_half_read(tmp_path):
    for folder in ("images/test", "groundTruth/test"):
        (tmp_path / folder).mkdir(parents=True)
    entry = np.empty((1, 1), dtype=object)
    kinds = [("Segmentation", object), ("Boundaries", object)]
    entry[0, 0] = np.array([[(np.ones((3, 4), np.uint16), np.zeros((3, 4), np.uint8))]], dtype=kinds)
    for name, picture, truth in (("a", "jpg", "mat"), ("b", "JPG", "MAT"), ("c", "jpg", "MAT")):
        Image.new("RGB", (4, 3)).save(tmp_path / "images" / "test" / f"{name}.{picture}", format="jpeg")
        file = tmp_path / "groundTruth" / "test" / f"{name}.{truth}"
        scipy.io.savemat(file, {"groundTruth": entry}, appendmat=False)
    data = pe.load_dataset(f"bsds500:{tmp_path}")
    assert data.images["image_id"].tolist() == ["a", "b", "c"]
    for image_id in "abc":
        assert data.image(image_id).shape == (3, 4, 3)
        assert data.partitions(image_id)[0].shape == (3, 4)


@pytest.mark.parametrize(
    "counts",
    [
        [2**62] * 4 + [6],
        [2**63 - 1, 2**63 - 1, 8],
        [2**64, 6],
        [2**32 + 6],
        [2**31] * 4 + [6],
        [-(2**62)] * 4 + [6],
    ],
)
def test_run_lengths_whose_sum_wraps_are_refused(counts):
    """Each list sums to 6 modulo a power of two, the pixels of a mask of 2 x 3."""
    with pytest.raises(pe.InputError, match="run lengths that fill the mask|a run-length mask"):
        decode({"size": [2, 3], "counts": counts}, 2, 3)
