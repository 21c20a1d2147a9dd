"""Merging the most alike superpixels, against a recount of every pixel at every step."""

import naive
import numpy as np
import pytest

from propeval_lite.superpixels.likeness import BINS, Likeness


@pytest.mark.parametrize("seed", range(6))
def test_merging_against_a_recount_of_every_pixel(seed):
    rng = np.random.default_rng(seed)
    blocks = rng.permutation(12).reshape(3, 4)
    labels = np.kron(blocks, np.ones((3, 2), dtype=int))
    colours, strength = rng.random((*labels.shape, 3)), rng.random(labels.shape)
    weights = (1.0, 0.7, 0.4)
    tree, touching = Likeness.of(labels, colours, strength).tree(weights)
    n = tree.n_leaves
    expected = naive.merge_sequence(labels, colours, strength, BINS, weights)
    assert [tuple(sorted(pair)) for pair in tree.merges.tolist()] == expected
    made = {node for node, _ in touching}
    assert made == set(range(n, 2 * n - 2))
    assert all(neighbour < node for node, neighbour in touching)
