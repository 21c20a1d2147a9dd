"""The annotated photographs: what ships is complete and right, and what is broken is named."""

import copy
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

import propeval_lite._checks.paths as paths
from propeval_lite._checks.values import InputError
from propeval_lite.datasets import load_dataset
from propeval_lite.datasets.photos import load as module
from propeval_lite.datasets.photos.format import read_annotation
from propeval_lite.datasets.photos.load import load_photos

FOLDER = Path(__file__).parents[2] / "data" / "photos"
IDS = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def photos():
    return load_photos()


def test_there_is_enough(photos):
    assert len(photos.images) >= 12
    assert len(photos.objects) >= 50
    assert photos.objects["category"].nunique() >= 20
    assert sum(len(photos.partitions(image_id)) >= 2 for image_id in IDS) >= 8
    assert photos.images["source"].is_unique
    assert list(photos.images["image_id"]) == IDS
    assert (photos.pixels, photos.origin) == ("edges", 0)


def test_load_dataset_finds_them(photos):
    found = load_dataset("photos")
    assert found.objects.equals(photos.objects)
    assert set(found.provenance["licence"]) == set(found.provenance["sources"]) == set(IDS)


@pytest.mark.parametrize("image_id", IDS)
def test_pictures_are_rgb_of_the_stated_size(photos, image_id):
    row = photos.images.set_index("image_id").loc[image_id]
    picture = photos.image(image_id)
    assert picture.dtype == np.uint8
    assert picture.shape == (row["height"], row["width"], 3)
    assert picture.std() > 0


@pytest.mark.parametrize("image_id", IDS)
def test_boxes_are_tight_to_masks(photos, image_id):
    rows = photos.objects[photos.objects["image_id"] == image_id]
    masks = photos.masks(image_id)
    assert masks.dtype == bool
    assert masks.shape == (len(rows), *photos.image(image_id).shape[:2])
    assert list(rows["object_id"]) == list(range(1, len(rows) + 1))
    for mask, box in zip(masks, rows[["x1", "y1", "x2", "y2"]].to_numpy(), strict=True):
        y, x = np.nonzero(mask)
        assert tuple(box) == (x.min(), y.min(), x.max() + 1, y.max() + 1)
        assert mask.sum() >= 50


@pytest.mark.parametrize("image_id", IDS)
def test_partitions_cover_every_pixel_from_coarse_to_fine(photos, image_id):
    partitions = photos.partitions(image_id)
    details = photos.images.set_index("image_id").loc[image_id, "details"].split(", ")
    assert len(details) == len(partitions) >= 1
    order = ["coarse", "medium", "fine"]
    assert details == sorted(set(details), key=order.index)
    for labels in partitions:
        assert labels.shape == photos.image(image_id).shape[:2]
        assert labels.dtype.kind == "i"
        assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
        assert np.bincount(labels.ravel()).min() >= 50
    counts = [labels.max() for labels in partitions]
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    ("image_id", "category", "channel"),
    [("coins", "coin", 0), ("hubble", "galaxy", 0), ("flower", "flower", 0), ("rocket", "rocket", 0)],
)
def test_outlines_lie_where_the_things_are(photos, image_id, category, channel):
    """These things are brighter than what surrounds them; a shifted or mirrored outline would not be."""
    picture = photos.image(image_id)[..., channel].astype(float)
    rows = photos.objects[photos.objects["image_id"] == image_id]
    masks = photos.masks(image_id)
    everything = masks.any(axis=0)
    for mask in masks[(rows["category"] == category).to_numpy()]:
        around = ndimage.binary_dilation(mask, iterations=5) & ~everything
        assert picture[mask].mean() > picture[around].mean() + 10


def test_an_object_in_front_is_taken_away(photos):
    cup, saucer, spoon = photos.masks("coffee")
    assert not (cup & saucer).any()
    assert not (spoon & (cup | saucer)).any()


def test_readme_lists_every_picture(photos):
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for row in photos.images.itertuples():
        view = "crop" if "crop" in read_annotation(FOLDER / f"{row.image_id}.json") else "whole"
        assert f"| {row.image_id} | `{row.source}` | {view} | {row.licence} | {row.credit} |" in text


def test_pixels_are_read_on_demand(monkeypatch):
    def refuse(path):
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr(module, "read_picture", refuse)
    found = load_photos()
    with pytest.raises(AssertionError, match=r"coffee\.png was opened"):
        found.image("coffee")


def test_each_call_gives_arrays_of_its_own(photos):
    photos.masks("clock")[:] = False
    photos.partitions("clock")[0][:] = 7
    assert photos.masks("clock").any()
    assert photos.partitions("clock")[0].max() < 7


def test_unknown_id(photos):
    with pytest.raises(InputError, match="expected image ids of photos .*got unknown id 'lena'"):
        photos.image("lena")


@pytest.fixture
def folder(tmp_path):
    shutil.copy(FOLDER / "coffee.json", tmp_path)
    return tmp_path


def change(folder, *steps, value=None, remove=False):
    """Rewrite one value of the copied annotation file."""
    path = folder / "coffee.json"
    note = json.loads(path.read_text(encoding="utf-8"))
    place = note
    for step in steps[:-1]:
        place = place[step]
    if remove:
        del place[steps[-1]]
    else:
        place[steps[-1]] = copy.deepcopy(value)
    path.write_text(json.dumps(note), encoding="utf-8")


def test_a_ring_inside_is_a_hole(folder):
    rings = [[0, 0, 40, 0, 40, 40, 0, 40], [10, 10, 30, 10, 30, 30, 10, 30]]
    change(folder, "shapes", "cup", value=rings)
    change(folder, "objects", 0, "minus", value=[])
    cup = load_photos(folder).masks("coffee")[0]
    assert cup.sum() == cup[:40, :40].sum() == 1200
    assert not cup[10:30, 10:30].any()


BROKEN = [
    (("source",), "pillow:lena.png", r'expected source "package:file" with a package of skimage, sklearn'),
    (("source",), "skimage:../data/coffee.png", r"expected source .*got 'skimage:\.\./data/coffee\.png'"),
    (("licence",), "", "expected licence to be text, got ''"),
    (("width",), 0, "expected width to be a whole number >= 1, got 0"),
    (("height",), True, "expected height to be a whole number >= 1, got True"),
    (("crop",), [0, 0, 600], r"expected crop to be four whole numbers x1, y1, x2, y2, got \[0, 0, 600\]"),
    (("crop",), [0, 0, 500, 400], "expected a crop of 600 x 400 pixels"),
    (("crop",), [-1, 0, 599, 400], "expected a crop of 600 x 400 pixels"),
    (("colour",), "red", "expected only the fields source, .*got 'colour' too"),
    (("shapes",), [], "expected shapes to map names to rings, got list"),
    (("shapes", "cup"), [], "shape 'cup': expected a list of at least one ring"),
    (("shapes", "cup", 0), [1, 1, 2, 2], "shape 'cup': expected a ring x0, y0, x1, y1, … of at least three"),
    (("shapes", "cup", 0), [1, 1, 2, 2, 3, 3, 4], "shape 'cup': expected a ring"),
    (("shapes", "cup", 0, 2), 1.5, "expected each x to be a whole number from 0 to 600, got 1.5 at corner 1"),
    (("shapes", "cup", 0, 3), 401, "expected each y to be a whole number from 0 to 400, got 401 at corner 1"),
    (("shapes", "cup", 0, 0), -1, "expected each x to be a whole number from 0 to 600, got -1 at corner 0"),
    (("objects",), {}, "expected objects to be a list, got dict"),
    (("objects", 0), 3, r"object 0: expected named fields \{…\}, got int"),
    (("objects", 0, "category"), 7, "object 0: expected category to be text, got 7"),
    (("objects", 0, "shape"), "mug", "object 0: expected a name that stands in shapes, got 'mug'"),
    (("objects", 0, "minus"), "spoon", "object 0: expected minus to be a list, got str"),
    (("objects", 0, "minus"), ["mug"], "object 0: expected a name that stands in shapes, got 'mug'"),
    (("objects", 0, "minus"), ["cup"], "object 0: expected an object with visible pixels, got none"),
    (("objects", 0, "ignore"), 1, "object 0: expected ignore to be true or false, got 1"),
    (("objects", 0, "color"), 1, "object 0: expected only the fields category, shape, minus, ignore"),
    (("partitions",), None, "expected partitions to be a list, got NoneType"),
    (("partitions", 1, "detail"), 2, "partition 1: expected detail to be text, got 2"),
    (("partitions", 1, "regions"), "cup", "partition 1: expected regions to be a list, got str"),
    (("partitions", 1, "regions"), [["cup"]], "partition 1: expected a name that stands in shapes"),
    (
        ("sha256",),
        "0" * 64,
        "expected the coffee.png of scikit-image that was annotated, got another picture",
    ),
    (("source",), "skimage:tea.png", "expected tea.png inside the installed scikit-image, got no such file"),
]


@pytest.mark.parametrize(("steps", "value", "message"), BROKEN)
def test_broken_annotation_is_named(folder, steps, value, message):
    change(folder, *steps, value=value)
    with pytest.raises(InputError, match=re.escape("coffee.json") + ".*" + message):
        load_photos(folder)


@pytest.mark.parametrize("field", ["source", "sha256", "credit", "width", "shapes", "objects", "partitions"])
def test_missing_field_is_named(folder, field):
    change(folder, field, remove=True)
    with pytest.raises(InputError, match=rf"coffee\.json: expected the field '{field}', got none"):
        load_photos(folder)


def test_hidden_region_is_named(folder):
    change(folder, "partitions", 0, "regions", value=["spoon", "spoon"])
    found = load_photos(folder)
    with pytest.raises(
        InputError, match="partition 0: expected regions with visible pixels, got none of 'spoon'"
    ):
        found.partitions("coffee")


def test_size_that_is_not_the_picture_s(folder):
    change(folder, "width", value=601)
    found = load_photos(folder)
    with pytest.raises(InputError, match=r"expected a picture of 601 x 400 pixels, got 600 x 400"):
        found.image("coffee")


def test_truncated_file(folder):
    path = folder / "coffee.json"
    path.write_text(path.read_text(encoding="utf-8")[:300], encoding="utf-8")
    with pytest.raises(InputError, match=r"coffee\.json: expected valid JSON"):
        load_photos(folder)


def test_missing_package(folder, monkeypatch):
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r"coffee\.png inside the installed scikit-image, got no such file\. Install"
    ):
        load_photos(folder)


def test_folder_without_annotations(tmp_path):
    with pytest.raises(InputError, match=r"expected a folder with annotation files \*\.json, got none"):
        load_photos(tmp_path)
    with pytest.raises(
        InputError, match="expected a folder of annotation files at .*got no such file or folder"
    ):
        load_photos(tmp_path / "nowhere")


def test_data_folder_prefers_the_package(tmp_path, monkeypatch):
    package = tmp_path / "propeval_lite"
    (tmp_path / "data" / "photos").mkdir(parents=True)
    monkeypatch.setattr(paths, "_PACKAGE", package)
    assert paths.data_folder("photos") == tmp_path / "data" / "photos"
    (package / "data" / "photos").mkdir(parents=True)
    assert paths.data_folder("photos") == package / "data" / "photos"
    with pytest.raises(
        InputError, match=r"expected a folder data/sounds that comes with propeval_lite, got none at"
    ):
        paths.data_folder("sounds")
