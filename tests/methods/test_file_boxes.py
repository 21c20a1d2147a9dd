"""Boxes made elsewhere, by the way a user takes: ``file:PATH`` or ``pe.read_proposals``, then ``pe.match``."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite.datasets.transforms import shrink

BOXES = ["x1", "y1", "x2", "y2"]


def table_of(data):
    """The true boxes of a data set on the grid: pixel edges counted from 0."""
    first = float(data.origin)
    last = data.origin - float(data.pixels == "inclusive")
    return data.objects[["image_id", *BOXES]].assign(
        x1=data.objects["x1"] - first, y1=data.objects["y1"] - first,
        x2=data.objects["x2"] - last, y2=data.objects["y2"] - last,
    )  # fmt: skip


def write(table, path):
    """Write a table and name it as a method."""
    (table.to_parquet if path.suffix == ".parquet" else table.to_csv)(path, index=False)
    return f"file:{path}"


def ar(data, proposals):
    return float(pe.average_recall(pe.match(data, proposals, [10])))


def spread(data):
    """Add boxes at the right and lower border, so that boxes are no x, y, width, height by their looks."""
    far = data.images[["image_id", "width", "height"]]
    return pd.DataFrame(
        {"image_id": far["image_id"], "x1": far["width"] - 5.0, "y1": far["height"] - 5.0,
         "x2": far["width"] * 1.0, "y2": far["height"] * 1.0}
    )  # fmt: skip


# Item 1: `longest` shrinks boxes of files as it shrinks the truth.


@pytest.mark.parametrize("frame", [("edges", 0), ("inclusive", 1)])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_longest_scales_boxes_of_a_file(tmp_path, frame, ending):
    data = toy(pixels=frame[0], origin=frame[1])
    path = tmp_path / f"perfect.{ending}"
    spec = write(data.objects[["image_id", *BOXES]], path) + f"?pixels={frame[0]}&origin={frame[1]}"
    small = shrink(data, 30)
    assert small.images["width"].max() == 30 and data.images["width"].max() == 60
    found = pe.propose(spec, small, 10)
    assert ar(data, pe.propose(spec, data, 10)) == ar(small, found) == 1
    assert found.scale == 30
    read = pe.read_proposals(path, pixels=frame[0], origin=frame[1])
    assert ar(small, read) == 1, "without propose too"


def test_longest_scales_boxes_of_a_file_as_the_truth_shrinks(tmp_path):
    data = toy(seed=4)
    table = data.objects[["image_id", *BOXES]].assign(x2=data.objects["x2"] - 1.5)
    found = pe.propose(write(table, tmp_path / "near.csv"), shrink(data, 24), 10).to_table()
    expected = table[BOXES].to_numpy() * np.tile([24 / 60, 16 / 40], 2)
    order = table.groupby("image_id", sort=False).ngroup().argsort(kind="stable")
    np.testing.assert_allclose(found[BOXES], expected[order], rtol=0, atol=1e-12)


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_longest_of_proposals_survives_a_file(tmp_path, ending):
    small = shrink(toy(), 30)
    made = pe.propose("uniform", small, 20, seed=1)
    again = pe.read_proposals(pe.write_proposals(made, tmp_path / f"made.{ending}"))
    assert again.scale == 30
    assert ar(small, again) == ar(small, made) > 0
    with pytest.raises(pe.InputError, match="expected boxes of full pictures for csv, got scale=30"):
        pe.write_proposals(made, tmp_path / "made.csv")


def test_longest_of_the_pictures_that_a_file_was_made_on(tmp_path):
    data, small = toy(), shrink(toy(), 30)
    spec = write(small.objects[["image_id", *BOXES]], tmp_path / "small.csv")
    assert ar(small, pe.propose(f"{spec}?longest=30", small, 10)) == 1
    assert ar(data, pe.propose(f"{spec}?longest=30", data, 10)) > 0.99
    with pytest.raises(pe.InputError, match=r"centres in the left upper quarter.* or \?longest="):
        pe.propose(spec, small, 10)


def test_longest_scales_boxes_made_on_full_pictures_in_memory():
    data, small = toy(), shrink(toy(), 30)
    assert ar(small, pe.propose("uniform", data, 50)) == pytest.approx(
        ar(data, pe.propose("uniform", data, 50)), abs=1e-12
    )


# Item 5: the frame of a file is explicit, and what looks like something else is asked about.


@pytest.mark.parametrize("frame", [("edges", 0), ("inclusive", 1), ("edges", 1), ("inclusive", 0)])
def test_frame_of_a_file_is_said_and_reported(tmp_path, frame):
    data = toy(pixels="inclusive", origin=1)
    last = frame[1] - (frame[0] == "inclusive")
    table = table_of(data)
    table[BOXES] += [frame[1], frame[1], last, last]
    spec = write(table, tmp_path / "perfect.csv")
    found = pe.propose(f"{spec}?pixels={frame[0]}&origin={frame[1]}", data, 10)
    assert ar(data, found) == 1
    told = f"{frame[0]} from {frame[1]}, as told"
    assert found.provenance["frame"] == told
    assert pe.match(data, found, [10]).conventions["frame of file"] == told


def test_frame_of_a_file_is_asked_for_where_it_matters(tmp_path):
    voc = toy(pixels="inclusive", origin=1)
    path = tmp_path / "perfect.csv"
    spec = write(table_of(voc), path)
    message = (
        r"perfect: expected a file that says how it counts pixels, because toy has pixels=inclusive&origin=1"
    )
    with pytest.raises(pe.InputError, match=message):
        pe.propose(spec, voc, 10)
    with pytest.raises(pe.InputError, match=message):
        pe.match(voc, pe.read_proposals(path), [10])
    assert ar(voc, pe.propose(f"{spec}?pixels=edges&origin=0", voc, 10)) == 1
    plain = toy()
    found = pe.propose(spec, plain, 10)
    assert ar(plain, found) == 1
    assert pe.match(plain, found, [10]).conventions["frame of file"] == "as in the data set, not told"


def test_frame_of_a_file_that_knows_it_is_not_overruled(tmp_path):
    voc = toy(pixels="inclusive", origin=1)
    made = pe.propose("uniform", voc, 10)
    path = pe.write_proposals(made, tmp_path / "made.parquet")
    assert ar(voc, pe.read_proposals(path)) == ar(voc, made)
    with pytest.raises(pe.InputError, match="expected pixels=inclusive&origin=1 as this file has them"):
        pe.read_proposals(path, pixels="edges", origin=0)
    with pytest.raises(pe.InputError, match="both pixels and origin, or neither"):
        pe.read_proposals(write(table_of(voc), tmp_path / "a.csv")[5:], origin=1)


@pytest.mark.parametrize("frame", [("edges", 0), ("inclusive", 1)])
def test_xywh_boxes_are_flagged_and_read(tmp_path, frame):
    data = toy(12, pixels=frame[0], origin=frame[1])
    corners = pd.concat([table_of(data), spread(data)], ignore_index=True)
    sides = corners.assign(x2=corners["x2"] - corners["x1"], y2=corners["y2"] - corners["y1"])
    spec = write(sides, tmp_path / "sides.csv")
    said = "&pixels=edges&origin=0"
    with pytest.raises(pe.InputError, match="expected .*two corners.*boxes=xywh"):
        pe.propose(spec + said.replace("&", "?", 1), data, 10)
    with pytest.raises(pe.InputError, match="with x2 < x1 or y2 < y1. Write boxes=xywh"):
        pe.propose(spec + "?on_bad=drop" + said, data, 10)
    found = pe.propose(spec + "?boxes=xywh" + said, data, 10)
    assert ar(data, found) == 1
    assert len(found) == len(corners)


def test_xywh_boxes_that_could_be_corners_are_flagged(tmp_path):
    """Wide boxes at the left: x <= width and y <= height in every row, so that no row betrays itself."""
    data = toy(12)
    rows = [(image, 4.0, 3.0, 20.0 + k, 15.0 + k) for image in data.images["image_id"] for k in range(3)]
    sides = pd.DataFrame(rows, columns=["image_id", *BOXES])
    spec = write(sides, tmp_path / "sides.csv")
    with pytest.raises(pe.InputError, match=r"got 36 boxes that all fit their images as x, y, width, height"):
        pe.propose(spec, data, 10)
    np.testing.assert_array_equal(
        pe.propose(f"{spec}?boxes=corners", data, 10).of("i0")[0][0], [4, 3, 20, 15]
    )
    np.testing.assert_array_equal(pe.propose(f"{spec}?boxes=xywh", data, 10).of("i0")[0][0], [4, 3, 24, 18])


@pytest.mark.parametrize("frame", [("edges", 0), ("inclusive", 1)])
def test_relative_boxes_are_flagged_and_read(tmp_path, frame):
    data = toy(pixels=frame[0], origin=frame[1])
    table = table_of(data)
    table[BOXES] /= [60, 40, 60, 40]
    spec = write(table, tmp_path / "shares.csv")
    said = f"pixels={frame[0]}&origin={frame[1]}"
    with pytest.raises(
        pe.InputError, match="expected boxes in pixels, got numbers from 0 to 1 only. .*boxes=relative"
    ):
        pe.propose(f"{spec}?{said}", data, 10)
    assert ar(data, pe.propose(f"{spec}?boxes=relative", data, 10)) == pytest.approx(1, abs=1e-12)
    small = shrink(data, 30)
    assert ar(small, pe.propose(f"{spec}?boxes=relative", small, 10)) == pytest.approx(1, abs=1e-12)
    with pytest.raises(pe.InputError, match="expected one of longest and boxes=relative, got both"):
        pe.propose(f"{spec}?boxes=relative&longest=30", small, 10)


def test_relative_boxes_of_ones_own_function_are_flagged():
    def shares(image, k, rng):
        return [[0.1, 0.2, 0.7, 0.9]], None

    data = toy()
    with pytest.raises(pe.InputError, match="expected boxes in pixels, got numbers from 0 to 1 only"):
        pe.match(data, pe.propose(shares, data), [1])


def test_corners_are_no_xywh_by_their_looks(tmp_path):
    data = toy(30)
    table = pd.concat([data.objects[["image_id", *BOXES]], spread(data)])
    assert ar(data, pe.propose(write(table, tmp_path / "all.csv"), data, 10)) == 1


@pytest.mark.data
def test_frame_of_a_file_on_voc_is_asked_for(real_data, tmp_path, monkeypatch):
    """Perfect boxes counted from 0 scored 0.9465 there without a word."""
    monkeypatch.setenv("PROPEVAL_DATA", str(real_data))
    data = pe.load_dataset("voc2012?split=val_subset&ignore=none&part=:60")
    spec = write(table_of(data), tmp_path / "perfect.csv")
    with pytest.raises(pe.InputError, match="says how it counts pixels"):
        pe.propose(spec, data, 100)
    table = pe.match(data, pe.propose(f"{spec}?pixels=edges&origin=0", data, 100), [100])
    assert float(pe.average_recall(table)) == 1
    wrong = pe.match(
        data, pe.propose(f"{spec}?pixels=inclusive&origin=1&boxes=corners", data, 100), [100], outside="keep"
    )
    assert float(pe.average_recall(wrong)) < 0.96


def test_scale_of_proposals_is_checked():
    data = toy()
    made = pe.propose("uniform", data, 3)
    assert made.scale == "full"
    for scale in ("half", 0, 1.5, True):
        with pytest.raises(
            pe.InputError, match="expected scale to be full, relative or a longest side in pixels"
        ):
            dataclasses.replace(made, scale=scale)
    with pytest.raises(pe.InputError, match="relative boxes to count edges from 0"):
        pe.Proposals(["i0"], [0, 1], [[0, 0, 1, 1]], pixels="inclusive", origin=1, scale="relative")
