"""One frame: the same pixels, whatever names them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from propeval_lite import InputError
from propeval_lite.datasets.frame import Frame

FRAMES = st.sampled_from([Frame(pixels, origin) for pixels in ("edges", "inclusive") for origin in (0, 1)])
BOX = st.tuples(*[st.integers(0, 20)] * 2, *[st.integers(1, 20)] * 2)


def pixels_of(box, frame):
    """The pixels that a box names, counted from 0, by going through every pixel of a row."""
    x1, y1, x2, y2 = box
    last = frame.pixels == "inclusive"
    return {(x, y) for x in range(60) for y in range(60)
            if x1 <= x + frame.origin < x2 + last and y1 <= y + frame.origin < y2 + last}  # fmt: skip


@given(BOX, FRAMES, FRAMES)
def test_conversion_keeps_the_pixels(box, here, there):
    x, y, width, height = box
    named = here.from_grid([[x, y, x + width, y + height]])
    moved = here.convert(named, there)
    expected = {(x + i, y + j) for i in range(width) for j in range(height)}
    assert pixels_of(named[0], here) == pixels_of(moved[0], there) == expected
    assert there.areas(moved)[0] == width * height
    assert there.sides(moved)[0].tolist() == [width, height]
    np.testing.assert_array_equal(there.to_grid(moved), [[x, y, x + width, y + height]])


@given(FRAMES)
def test_borders_are_those_of_the_box_of_the_whole_image(frame):
    low, high = frame.borders([[4, 3]])
    assert frame.from_grid([[0, 0, 4, 3]])[0].tolist() == [*low[0], *high[0]]


@pytest.mark.parametrize(("pixels", "origin"), [("centres", 0), ("edges", 2), ("edges", True), (None, 0)])
def test_there_are_four_frames(pixels, origin):
    with pytest.raises(InputError, match="pixels to be one of|origin to be 0 or 1"):
        Frame(pixels, origin).checked()
