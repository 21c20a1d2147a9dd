"""Data sets made from data sets: parts, reduced blocks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import one_hidden, toy

from propeval_lite import InputError, load_dataset
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.datasets.transforms import counted_only, reduce_blocks, shrink, with_ignored

SPEC = "scenes?n=4&seed=3&width=64&height=48"


def ids(spec, **options):
    return load_dataset(spec, **options).images["image_id"].tolist()


def test_a_part_is_a_slice_of_the_images():
    names = [f"scene-0000{k}" for k in range(4)]
    assert ids(SPEC) == names
    assert ids(f"{SPEC}&part=1::2") == ids(SPEC, part="1::2") == names[1::2]
    assert ids(f"{SPEC}&part=:3") == names[:3]
    assert ids(f"{SPEC}&part=2:9") == names[2:]


@pytest.mark.parametrize("part", ["1", "a::b", "0::0", "-1::2", "1.5:", 7])
def test_a_part_that_cannot_be_read(part):
    with pytest.raises(
        InputError, match="expected START:STOP:STEP in whole numbers, got .* Write for example"
    ):
        load_dataset(SPEC, part=part)


def test_a_part_without_images():
    with pytest.raises(InputError, match=r"expected a part with images, got none in '4::2'. Start earlier"):
        load_dataset(f"{SPEC}&part=4::2")


def test_the_old_space_is_explained():
    with pytest.raises(
        InputError, match=r"without spaces, got the name 'photos 0'. Options stand behind a qu"
    ):
        load_dataset("photos 0::2")


def test_an_option_in_both_places_is_an_error():
    with pytest.raises(InputError, match="expected each option once, got 'n' twice"):
        load_dataset(SPEC, n=3)


def test_blocks_take_means_of_pixels_and_labels_in_the_middle():
    picture = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    labels = np.arange(35, dtype=np.int32).reshape(5, 7)
    images = pd.DataFrame({"image_id": ["one"], "width": [7], "height": [5]})
    dataset = Dataset("made", images, no_objects(), read_image=lambda _: picture,
                      read_partitions=lambda _: [labels], read_boundaries=lambda _: [])  # fmt: skip
    small = reduce_blocks(dataset, 2)
    assert small.images[["width", "height"]].to_numpy().tolist() == [[3, 2]]
    expected = [[[picture[2 * r : 2 * r + 2, 2 * c : 2 * c + 2, k].mean() for k in range(3)] for c in range(3)]
                for r in range(2)]  # fmt: skip
    assert np.abs(small.image("one") - np.array(expected)).max() <= 0.5
    assert small.partitions("one")[0].tolist() == [[8, 10, 12], [22, 24, 26]]
    with pytest.raises(InputError, match="boundary maps"):
        small.boundaries("one")
    assert reduce_blocks(dataset, 1) is dataset


@pytest.mark.parametrize("by", [0, 1.5, True])
def test_blocks_of_a_whole_number(by):
    with pytest.raises(InputError, match="blocks"):
        load_dataset(SPEC, blocks=by)


def test_counted_only_drops_ignored_and_crowds():
    scenes = load_dataset(SPEC)
    n = len(scenes.objects)
    flags = scenes.objects.assign(ignore=[True] + [False] * (n - 1), crowd=[False] * (n - 1) + [True])
    left = counted_only(Dataset("flagged", scenes.images, flags))
    names = ["image_id", "object_id"]
    assert left.objects[names].to_numpy().tolist() == scenes.objects[names].to_numpy()[1:-1].tolist()
    assert len(left.images) == 4
    assert len(counted_only(scenes).objects) == n


def test_counted_only_keeps_masks_beside_their_objects():
    scenes = load_dataset(SPEC)
    hidden = np.arange(len(scenes.objects)) % 2 == 0
    left = counted_only(replace(scenes, objects=scenes.objects.assign(ignore=hidden)))
    for image_id in scenes.images["image_id"]:
        kept = ~hidden[scenes.objects["image_id"] == image_id]
        np.testing.assert_array_equal(left.masks(image_id), scenes.masks(image_id)[kept])
        assert (left.objects["image_id"] == image_id).sum() == len(left.masks(image_id))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([("edges", 0), ("inclusive", 1), ("inclusive", 0)]),
    st.integers(10, 80),
    st.integers(0, 9),
)
def test_smaller_pictures_keep_relative_boxes(frame, longest, seed):
    data = toy(pixels=frame[0], origin=frame[1], seed=seed)
    small = shrink(data, longest)
    if longest >= 60:
        assert small is data
        return
    assert small.images[["width", "height"]].to_numpy().max() == longest
    assert small.image("i3").shape == (*small.images.loc[3, ["height", "width"]], 3)
    extra = frame[0] == "inclusive"

    def relative(d):
        boxes = d.objects[["x1", "y1", "x2", "y2"]].to_numpy(dtype=float) - frame[1] + [0, 0, extra, extra]
        return boxes / np.tile(
            d.images[["width", "height"]].to_numpy()[d.image_rows(d.objects["image_id"])], 2
        )

    np.testing.assert_allclose(relative(small), relative(data), rtol=0, atol=1e-12)


def test_what_cannot_shrink_stays():
    boxes_only, data = toy(pictures=False), toy()
    assert shrink(boxes_only, 10) is boxes_only
    assert shrink(data, 0) is data
    with pytest.raises(InputError, match="longest"):
        shrink(data, -1)


def test_inclusive_boxes_keep_at_least_a_pixel():
    small = shrink(toy(pixels="inclusive", origin=1), 3)
    boxes = small.objects[["x1", "y1", "x2", "y2"]].to_numpy()
    assert (boxes[:, 2:] >= boxes[:, :2]).all()
    assert (boxes[:, 2:] == boxes[:, :2]).any()


def test_marks_come_from_every_source():
    data = toy()
    assert with_ignored(data, 0.9).objects["ignore"].sum() == 0
    flagged = with_ignored(one_hidden(), 0.9)
    assert flagged.objects["ignore"].equals(flagged.objects["object_id"] == 1)
    objects = data.objects.assign(
        difficult=data.objects["object_id"] == 2, ignore=data.objects["object_id"] == 0
    )
    marks = with_ignored(Dataset("toy", data.images, objects), 0.9).objects["ignore"]
    assert marks.equals(data.objects["object_id"].isin([0, 2]))
    with pytest.raises(InputError, match="min_visible"):
        with_ignored(data, 2)
