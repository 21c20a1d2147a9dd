"""The graph of regions and the merge tree, against loops over pixels and sets."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from propeval_lite.superpixels.graph import CORNERS, SIDES, RegionGraph, both_ends
from propeval_lite.superpixels.labels import renumber
from propeval_lite.superpixels.tree import MergeTree, least_error_tree, random_tree

shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)


@st.composite
def label_images(draw):
    """Labels 0 … n − 1 in any order."""
    raw = draw(hnp.arrays(np.int64, draw(shapes), elements=st.integers(0, 5)))
    return np.unique(raw, return_inverse=True)[1].reshape(raw.shape)


@settings(deadline=None, max_examples=50)
@given(label_images(), st.data())
def test_graph_equals_a_count_of_pixel_sides(labels, data):
    values = data.draw(hnp.arrays(np.int64, labels.shape, elements=st.integers(0, 9)))
    height, width = labels.shape
    border, along = {}, {}
    for y in range(height):
        for x in range(width):
            for v, u in ((y, x + 1), (y + 1, x)):
                if v < height and u < width and labels[y, x] != labels[v, u]:
                    pair = tuple(sorted((int(labels[y, x]), int(labels[v, u]))))
                    border[pair] = border.get(pair, 0) + 1
                    along[pair] = along.get(pair, 0) + max(values[y, x], values[v, u])
    graph = RegionGraph.of(labels)
    pairs = list(zip(graph.first.tolist(), graph.second.tolist(), strict=True))
    assert pairs == sorted(border)
    assert graph.border.tolist() == [border[pair] for pair in pairs]
    assert graph.along(values).tolist() == [along[pair] for pair in pairs]
    assert graph.pixels.tolist() == [(labels == k).sum() for k in range(labels.max() + 1)]
    assert sorted(zip(*map(list, np.nonzero(np.triu(graph.touches()))), strict=True)) == pairs
    means = [values[labels == k].mean() for k in range(labels.max() + 1)]
    np.testing.assert_allclose(graph.mean(np.stack([values, 2 * values], axis=2)), np.outer(means, [1, 2]))


@given(st.integers(1, 4), st.integers(1, 4))
def test_each_pair_of_neighbouring_pixels_comes_once(height, width):
    number = np.arange(height * width).reshape(height, width)
    pairs = sorted(zip(*(end.tolist() for end in both_ends(number, SIDES + CORNERS)), strict=True))
    near = [
        (a, b)
        for a in range(number.size)
        for b in range(a + 1, number.size)
        if max(abs(a // width - b // width), abs(a % width - b % width)) == 1
    ]
    assert sorted(tuple(sorted(pair)) for pair in pairs) == near


@settings(deadline=None, max_examples=50)
@given(label_images(), st.data())
def test_tree_of_pairs_and_its_partitions(labels, data):
    n = int(labels.max()) + 1
    sides, pairs, partitions = [{k} for k in range(n)], [], [labels]
    for _ in range(data.draw(st.integers(0, n - 1))):
        one = sides.pop(data.draw(st.integers(0, len(sides) - 1)))
        two = sides.pop(data.draw(st.integers(0, len(sides) - 1)))
        pairs.append([data.draw(st.sampled_from(sorted(side))) for side in (one, two)])
        sides.append(one | two)
        lookup = [next(i for i, side in enumerate(sides) if k in side) for k in range(n)]
        partitions.append(np.array(lookup)[labels])
    tree = MergeTree.of_pairs(labels, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    for count, partition in enumerate(partitions):
        assert naive.same_partition(tree.after(count), partition)
        first = np.unique(tree.regions(count), return_index=True)
        assert first[0].tolist() == list(range(n - count)) and (np.diff(first[1]) > 0).all()
    assert [cut.max() + 1 for cut in tree.cut([n + 3, n, 1])] == [n, n, n - len(pairs)]
    for node in range(n + len(pairs)):
        pixels = naive.node_pixels(labels, tree.merges, node)
        assert set(map(tuple, np.argwhere(tree.mask(node)).tolist())) == pixels
        assert tree.sums(np.bincount(labels.ravel())[:, None])[node, 0] == len(pixels)
    assert {tuple(sorted(pair)) for pair in tree.touching().tolist()} == naive.touching_nodes(
        labels, tree.merges
    )


@given(hnp.arrays(np.int64, shapes, elements=st.integers(0, 50)))
def test_numbers_follow_the_first_pixel(labels):
    numbers = renumber(labels)
    assert naive.same_partition(numbers, labels)
    assert list(dict.fromkeys(numbers.ravel().tolist())) == list(range(numbers.max() + 1))


@pytest.mark.parametrize("apart", [False, True])
def test_trees_end_where_nothing_touches(apart):
    # Regions 0 and 1 touch each other, and so do 2 and 3; with `apart` the pairs meet nowhere.
    labels = np.array([[0, 1], [2, 3]])
    graph = RegionGraph.of(labels)
    if apart:
        keep = (graph.first == 0) & (graph.second == 1) | (graph.first == 2)
        graph = graph._replace(first=graph.first[keep], second=graph.second[keep], border=graph.border[keep])
    image = np.array([[[0] * 3, [9] * 3], [[99] * 3, [120] * 3]], dtype=np.uint8)
    for tree in (least_error_tree(graph, image), random_tree(graph, np.random.default_rng(0))):
        assert len(tree.merges) == (2 if apart else 3)
    assert least_error_tree(graph, image).cut([2])[0].tolist() == [[0, 0], [1, 1]]
