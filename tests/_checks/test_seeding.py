"""Streams of images, and the images that replicates draw."""

import numpy as np
import pandas as pd
import pytest

import propeval_lite as pe
from propeval_lite import InputError
from propeval_lite._checks.seeding import image_draws, image_generator
from propeval_lite.meta.scales import score_sweep
from propeval_lite.segmenters import find_segmenter
from propeval_lite.studies.ponttuset_objects import judge_masks

SCENES = "scenes?n=4&seed=1&width=96&height=72"


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


@pytest.mark.parametrize("method", ["uniform", "gaussian", "random_boxes", "superpixels", "randomized_prims"])
def test_a_subset_proposes_what_the_whole_does(method):
    whole = pe.load_dataset(SCENES)
    part = whole.subset(whole.images["image_id"].iloc[1::2])
    found = [pe.propose(method, data, 30, seed=3) for data in (whole, part)]
    for image_id in part.images["image_id"]:
        np.testing.assert_array_equal(found[0].of(image_id)[0], found[1].of(image_id)[0])


@pytest.mark.parametrize(
    "segmenter", ["random_slic?sweep=3,8", "merged_superpixels?sweep=3,8", "mine=random_watershed?sweep=5"]
)
def test_a_subset_is_segmented_like_the_whole(segmenter):
    whole = pe.load_dataset(SCENES)
    part = whole.subset(whole.images["image_id"].iloc[1::2])
    tables = [
        score_sweep(["fop"], data, segmenter, seed=3).set_index(["image_id", "parameter"])
        for data in (whole, part)
    ]
    assert len(tables[1]) < len(tables[0])
    pd.testing.assert_frame_equal(tables[0].loc[tables[1].index], tables[1])
    found = find_segmenter(segmenter)
    image_id = part.images["image_id"].iloc[0]
    for one, other in zip(
        found.partitions(whole, image_id, seed=3), found.partitions(part, image_id, seed=3), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("method", ["random_merging", "merged_superpixels"])
def test_a_subset_has_the_masks_of_the_whole(method):
    whole = pe.load_dataset(SCENES)
    part = whole.subset(whole.images["image_id"].iloc[1::2])
    keys = ["image_id", "object_id", "budget"]
    tables = [
        judge_masks(data, method, [5, 50], seed=3, progress=False).set_index(keys) for data in (whole, part)
    ]
    assert len(tables[1]) < len(tables[0])
    pd.testing.assert_frame_equal(tables[0].loc[tables[1].index], tables[1])


def test_random_masks_of_two_images_and_seeds_differ():
    whole = pe.load_dataset(SCENES)
    one, other = (
        judge_masks(whole, "random_merging", [20], seed=seed, progress=False)["jaccard"] for seed in (3, 4)
    )
    assert not np.allclose(one, other)
