"""Streams of images, and the images that replicates draw."""

import numpy as np
import pytest

from propeval_lite import InputError
from propeval_lite._checks.seeding import image_draws, image_generator


def test_a_stream_depends_on_seed_and_id_alone():
    first = [image_generator(seed, name).random(3).tolist() for seed in (0, 1) for name in ("a", "b", 7)]
    assert len({tuple(stream) for stream in first}) == 6
    assert image_generator(1, 7).random(3).tolist() == first[-1]
    with pytest.raises(InputError, match="expected seed to be a whole number >= 0, got -1"):
        image_generator(-1, "a")


@pytest.mark.parametrize("n_images", [1, 2, 7, 4951])
def test_draws_are_the_rows_of_one_block_of_numbers(n_images):
    block = np.random.default_rng(5).integers(0, n_images, (11, n_images))
    np.testing.assert_array_equal(np.stack(list(image_draws(n_images, 11, 5))), block)


def test_more_replicates_begin_with_fewer():
    few, many = (list(image_draws(9, n, 2)) for n in (3, 8))
    np.testing.assert_array_equal(few, many[:3])
