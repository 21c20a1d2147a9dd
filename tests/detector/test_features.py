"""Features against scikit-image and a slow oracle."""

import naive
import numpy as np
import pytest
from toys import toy

from propeval_lite._checks.values import InputError
from propeval_lite._kernels.windows import oriented_gradients, sampled, window_features
from propeval_lite.datasets.base import Dataset
from propeval_lite.detector import box_features, describe, describe_objects
from propeval_lite.detector.features import BINS, CELLS, GRADIENTS, N_FEATURES, PIXELS
from propeval_lite.proposals.container import Proposals


def table_of(picture):
    table = np.zeros((picture.shape[0] + 1, picture.shape[1] + 1))
    table[1:, 1:] = picture.cumsum(axis=0).cumsum(axis=1)
    return table


@pytest.mark.parametrize("seed", range(8))
def test_sampling_is_the_exact_mean_of_pixels(seed):
    rng = np.random.default_rng(seed)
    picture = rng.random((9, 12))
    x, y = np.sort(rng.uniform(0, 12, 2)), np.sort(rng.uniform(0, 9, 2))
    for box in ([x[0], y[0], x[1], y[1]], [2, 1, 10, 9], [0, 0, 12, 9], [3, 3, 4, 4]):
        ours = sampled(table_of(picture), np.array(box, dtype=float), 4)
        np.testing.assert_allclose(ours, naive.area_means(picture, box, 4), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_gradients_equal_scikit_image(seed):
    hog = pytest.importorskip("skimage.feature").hog
    window = np.random.default_rng(seed).random((CELLS * PIXELS, CELLS * PIXELS))
    if seed == 4:
        window = np.round(window)  # equal neighbours and angles at the border of two bins
    ours = np.zeros(GRADIENTS)
    oriented_gradients(window, CELLS, BINS, ours)
    theirs = hog(window, BINS, (PIXELS, PIXELS), (2, 2), "L2-Hys")
    np.testing.assert_allclose(ours, theirs, atol=1e-6)  # scikit-image sums in single precision


def test_a_flat_picture_has_no_gradients_and_one_colour():
    tables = np.stack([table_of(np.full((20, 20), value)) for value in (0.2, 0.5, 0.7)])
    found = window_features(tables, np.array([[1.0, 2, 17, 11]]), CELLS, PIXELS, BINS)[0]
    np.testing.assert_allclose(found[:GRADIENTS], 0, atol=1e-3)
    np.testing.assert_allclose(found[GRADIENTS:], np.repeat([0.2, 0.5, 0.7], CELLS**2), atol=1e-6)


def test_features_move_with_the_picture():
    picture = np.random.default_rng(1).integers(0, 255, (30, 40, 3)).astype(np.uint8)
    moved = np.roll(picture, (3, 5), axis=(0, 1))
    one = box_features(picture, np.array([[8.0, 8, 20, 20]]))
    other = box_features(moved, np.array([[13.0, 11, 25, 23]]))
    np.testing.assert_allclose(one, other, atol=1e-5)
    assert not np.allclose(one, box_features(picture, np.array([[9.0, 8, 21, 20]])), atol=1e-2)


def test_boxes_at_the_border_and_thin_boxes_have_features():
    picture = np.random.default_rng(2).integers(0, 255, (12, 16, 3)).astype(np.uint8)
    boxes = np.array([[0.0, 0, 16, 12], [0, 0, 1, 12], [5, 5, 5, 5], [15, 11, 16, 12], [-1, -1, 17, 13]])
    found = box_features(picture, boxes)
    assert found.shape == (5, N_FEATURES)
    assert np.isfinite(found).all()
    assert found[0, -2:] == pytest.approx([np.log(16 / 12) / 2, 0], abs=1e-6)


def test_frames_of_data_sets_do_not_matter():
    edges, inclusive = toy(3), toy(3, "inclusive", 1)
    np.testing.assert_array_equal(describe_objects(edges).features, describe_objects(inclusive).features)


def test_images_without_boxes_stay():
    dataset = toy(3)
    found = describe(dataset, Proposals(["i1"], [0, 1], [[0, 0, 5, 5]]))
    assert len(found) == 1
    assert found.image_row.tolist() == [1]


def test_features_are_refused_without_pictures_and_outside_the_image():
    box = Proposals(["i1"], [0, 1], [[0, 0, 5, 5]])
    with pytest.raises(InputError, match="a data set with images"):
        describe(toy(3, pictures=False), box)
    with pytest.raises(InputError, match="within 1 pixel of the image"):
        describe(toy(3), Proposals(["i1"], [0, 1], [[0, 0, 500, 5]]))
    with pytest.raises(InputError, match="expected ranked boxes"):
        describe(toy(3), [[0, 0, 5, 5]])


@pytest.mark.parametrize("change", [lambda p: p[..., 0], lambda p: p / 255, lambda p: np.dstack([p, p])])
def test_pictures_that_are_no_rgb_are_refused(change):
    data = toy(3)
    wrong = Dataset("wrong", data.images, data.objects, read_image=lambda name: change(data.image(name)))
    with pytest.raises(InputError, match="wrong: image 'i1': expected an RGB picture"):
        describe(wrong, Proposals(["i1"], [0, 1], [[0, 0, 5, 5]]))
