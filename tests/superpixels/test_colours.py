"""Colour spaces, superpixels in them, and the boxes of labels."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from propeval_lite._checks.values import InputError
from propeval_lite.superpixels.colours import COLOURS, label_boxes, segment, to_colour


def picture():
    image = np.full((40, 60, 3), (60, 80, 200), dtype=np.uint8)
    image[10:30, 15:45] = (220, 60, 60)
    return image


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 50))
@settings(max_examples=30, deadline=None)
def test_label_boxes_against_pixel_loops(height, width, seed):
    _, labels = np.unique(np.random.default_rng(seed).integers(0, 4, (height, width)), return_inverse=True)
    labels = labels.reshape(height, width)
    assert label_boxes(labels).tolist() == naive.boxes_of_labels(labels.tolist())


@pytest.mark.parametrize("colour", ["rgb", *COLOURS])
def test_colour_spaces_stay_in_range_for_every_corner_of_rgb(colour):
    corners = np.array([[[r, g, b] for r in (0, 255) for g in (0, 255) for b in (0, 255)]], dtype=np.uint8)
    values = to_colour(corners, colour)
    assert np.isfinite(values).all()
    assert values.min() > -0.7
    assert values.max() < 1.6
    assert len(np.unique(segment(picture(), colour))) >= 2


def test_unknown_colour():
    with pytest.raises(InputError, match="colour to be one of rgb, lab, opponent, rg, hsv, got 'xyz'"):
        to_colour(picture(), "xyz")
