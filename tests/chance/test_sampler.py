"""Boxes drawn at random: different, inside, all equally likely."""

import numpy as np

from propeval_lite import load_dataset, propose
from propeval_lite.chance.sampler import random_boxes


def test_random_boxes_are_different_inside_and_nested():
    image = np.zeros((9, 13, 3), np.uint8)
    boxes, scores = random_boxes(image, 500, np.random.default_rng(0))
    assert scores is None
    assert boxes.shape == (500, 4)
    assert len(np.unique(boxes, axis=0)) == 500
    assert (boxes[:, :2] < boxes[:, 2:]).all()
    assert boxes.min() >= 0
    assert (boxes.max(axis=0)[2:] == (13, 9)).all()


def test_random_boxes_can_be_all_boxes():
    image = np.zeros((2, 3, 3), np.uint8)
    boxes, _ = random_boxes(image, 99, np.random.default_rng(0))
    assert len(np.unique(boxes, axis=0)) == len(boxes) == 6 * 3


def test_random_boxes_are_equally_likely():
    image = np.zeros((2, 3, 3), np.uint8)
    rng = np.random.default_rng(1)
    drawn = np.concatenate([random_boxes(image, 3, rng)[0] for _ in range(3000)])
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(counts) == 18
    # 500 of each are expected; the standard deviation of a count is about 20.
    assert (np.abs(counts - 500) < 100).all()


def test_a_small_request_is_the_beginning_of_a_large_one():
    scenes = load_dataset("scenes?n=2&width=40&height=32")
    few, many = (propose("random_boxes", scenes, k, seed=4) for k in (20, 50))
    assert np.array_equal(many.top(20).boxes, few.boxes)
