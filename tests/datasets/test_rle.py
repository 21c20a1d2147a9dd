"""Masks in COCO's notation: what pycocotools makes of them, and that nothing malformed reaches it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pycocotools import mask as mask_utils

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.rle import decode, draw_polygons, mask_box, pack, unpack_counts

masks = hnp.arrays(bool, st.tuples(st.integers(1, 40), st.integers(1, 40)))


@given(masks)
def test_packed_text_and_its_box(mask):
    packed = mask_utils.encode(np.asfortranarray(mask, dtype=np.uint8))
    for counts in (packed["counts"], packed["counts"].decode()):
        made = {"size": packed["size"], "counts": counts}
        np.testing.assert_array_equal(decode(made, *mask.shape), mask)
        box = mask_box(made)
        if not mask.any():
            assert box is None
        else:
            y, x = np.nonzero(mask)
            assert box.tolist() == [x.min(), y.min(), x.max() + 1, y.max() + 1]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 5))
def test_lists_of_runs(runs, height):
    runs.append(-sum(runs) % height)
    if not sum(runs):
        return
    flat = [place % 2 == 1 for place, run in enumerate(runs) for _ in range(run)]
    width = len(flat) // height
    made = {"size": [height, width], "counts": runs}
    mask = decode(made, height, width)
    assert mask.dtype == bool
    assert [bool(mask[k % height, k // height]) for k in range(len(flat))] == flat
    np.testing.assert_array_equal(unpack_counts(pack(made)["counts"]), runs)
    box, (y, x) = mask_box(made), np.nonzero(mask)
    assert box is None if not mask.any() else box.tolist() == [x.min(), y.min(), x.max() + 1, y.max() + 1]


def test_polygons_of_an_object_are_united():
    mask = decode([[0, 0, 4, 0, 4, 2, 0, 2], [3, 0, 8, 0, 8, 1, 3, 1]], 3, 9)
    assert mask.astype(int).tolist() == [
        [1, 1, 1, 1, 1, 1, 1, 1, 0],
        [1, 1, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]


corner = st.tuples(st.integers(0, 9), st.integers(0, 7))


@given(st.lists(corner, min_size=3, max_size=7), st.integers(0, 6))
def test_drawing_does_not_depend_on_start_or_direction(ring, start):
    turned = ring[start % len(ring) :] + ring[: start % len(ring)]
    one, two, three = np.moveaxis(draw_polygons([ring, turned, ring[::-1]], 7, 9), 2, 0)
    assert np.array_equal(one, two) and np.array_equal(one, three)


@given(st.lists(corner, min_size=4, max_size=4))
def test_polygons_with_a_common_side_leave_no_gap_and_share_no_pixel(ring):
    whole, one, two = np.moveaxis(draw_polygons([ring, ring[:3], [ring[0], *ring[2:]]], 7, 9), 2, 0)
    assert np.array_equal(whole, one ^ two)


SQUARE = {"size": [2, 2]}


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ({"counts": [1]}, "a run-length mask, got KeyError"),
        ({**SQUARE, "counts": [[4]]}, "a run-length mask, got TypeError"),
        ({**SQUARE, "counts": [2**70]}, "a run-length mask, got OverflowError"),
        ({**SQUARE, "counts": [1.5, 2.5]}, "a run-length mask, got TypeError"),
        ({**SQUARE, "counts": 4}, "a run-length mask, got TypeError"),
        ({"size": [2.5, 2], "counts": [4]}, "a run-length mask, got TypeError"),
        ({"size": [2, 2, 1], "counts": [4]}, "a run-length mask, got ValueError"),
        ({"size": [-2, -2], "counts": [4]}, "a mask of 1 to 67108863 pixels, got -2 x -2"),
        ({"size": [0, 2], "counts": []}, "a mask of 1 to 67108863 pixels, got 0 x 2"),
        ({"size": [2**40, 2**40], "counts": [2]}, "a mask of 1 to 67108863 pixels"),
        ({**SQUARE, "counts": []}, "run lengths that fill the mask, got runs of 0 pixels in all for 2 x 2"),
        ({**SQUARE, "counts": [3]}, "run lengths that fill the mask, got runs of 3 pixels in all for 2 x 2"),
        ({**SQUARE, "counts": [5]}, "got runs of 5 pixels"),
        ({**SQUARE, "counts": [5, -1]}, "run lengths that fill the mask"),
        ({**SQUARE, "counts": [2**63 - 1, 2**63 - 1, 6]}, "run lengths that fill the mask"),
        ({**SQUARE, "counts": [2**32 + 4]}, "run lengths that fill the mask, got runs of 4294967300 pixels"),
        ({**SQUARE, "counts": "3"}, "got runs of 3 pixels"),
        ({**SQUARE, "counts": "5O"}, "run lengths that fill the mask"),
        ({**SQUARE, "counts": ""}, r"packed run lengths \(COCO text\)"),
        ({**SQUARE, "counts": "a b"}, "packed run lengths"),
        ({**SQUARE, "counts": "P"}, "packed run lengths"),
        ({**SQUARE, "counts": "4P"}, "packed run lengths"),
        ({**SQUARE, "counts": "PPPPPP4"}, "packed run lengths"),
        ({**SQUARE, "counts": b"4\x00"}, "packed run lengths"),
        ({**SQUARE, "counts": "é"}, "packed run lengths"),
    ],
)
def test_odd_run_lengths_are_refused(mask, message):
    for read in (lambda entry: decode(entry, 2, 2), mask_box):
        with pytest.raises(InputError, match=message):
            read(mask)


@pytest.mark.parametrize(
    ("polygon", "message"),
    [
        ([1, 2, 3], "polygons of at least three corners, got"),
        ([1, 2, 3, 4], "polygons of at least three corners"),
        ([0, 0, 1, 1, 2, 2, 3], "polygons of at least three corners"),
        ([0, 0, float("nan"), 1, 2, 2], "polygons of at least three corners"),
        ([0, 0, 1, 1, 2, float("inf")], "polygons of at least three corners"),
        ("text", "polygons of at least three corners, got text"),
        (7, "polygons of at least three corners, got 7"),
        ([0, 0, 1, 1, 2, 1e9], "an outline near the picture, got corners up to 1e\\+09"),
        ([1e8, 1e8, 1e8, 1e8, 1e8, 1e8], "an outline near the picture"),
        ([0, 0, 4e5, 0, 0, 4e5], "and an outline of 1.2e\\+06. Keep below 1e\\+06 pixels"),
    ],
)
def test_odd_polygons_are_refused(polygon, message):
    with pytest.raises(InputError, match=message):
        decode([[0, 0, 1, 0, 1, 1], polygon], 3, 3)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"size": [2, 2], "counts": [4]}, "a mask of 3 x 3, got 2 x 2"),
        ([], r"polygons or run lengths, got \[\]"),
        (None, "polygons or run lengths, got None"),
        ("113O", "polygons or run lengths, got 113O"),
    ],
)
def test_masks_of_no_use_here(entry, message):
    with pytest.raises(InputError, match=message):
        decode(entry, 3, 3)
    with pytest.raises(InputError, match="a mask of 1 to 67108863 pixels, got 10000 x 10000"):
        draw_polygons([[0, 0, 1, 0, 1, 1]], 10_000, 10_000)


scraps = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text("04PO1o\x00é", max_size=9)
    | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.sampled_from(["size", "counts"]), inner),
    max_leaves=12,
)


@settings(max_examples=300)
@given(
    scraps
    | st.fixed_dictionaries({"size": st.just([2, 3]), "counts": st.lists(st.integers(-1, 4)) | scraps})
    | st.lists(st.lists(st.floats(-20, 20) | st.floats(), min_size=5, max_size=8), max_size=3)
)
def test_any_json_is_a_mask_or_an_error(entry):
    try:
        mask = decode(entry, 2, 3)
    except InputError:
        return
    assert mask.shape == (2, 3) and mask.dtype == bool
