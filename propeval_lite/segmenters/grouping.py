"""Segmenters that merge regions: superpixels by colour or at random, mean shift by area."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._checks.values import InputError
from propeval_lite._kernels.joining import absorb_small, graph_based
from propeval_lite.segmenters.gradients import superpixel_graph
from propeval_lite.superpixels.graph import RegionGraph, both_ends
from propeval_lite.superpixels.labels import connected, renumber
from propeval_lite.superpixels.tree import MergeTree, least_error_tree, random_tree


def merged_superpixels(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, n_superpixels: int = 400
) -> list[np.ndarray]:
    """Merge superpixels by colour (see `propeval_lite.superpixels.tree.least_error_tree`)."""
    return least_error_tree(superpixel_graph(image, n_superpixels), image).cut(regions)


def random_slic(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, n_superpixels: int = 400
) -> list[np.ndarray]:
    """Merge SLIC superpixels at random: each step joins a pair of neighbours drawn from all such pairs.

    Notes
    -----
    The paper does not say how many superpixels it starts from.

    References
    ----------
    Pont-Tuset & Marqués, §5.2 (the second baseline).
    """
    return random_tree(compact_graph(image, n_superpixels), rng).cut(regions)


def random_watershed(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, n_superpixels: int = 400
) -> list[np.ndarray]:
    """Merge basins of the watershed at random: as `random_slic`, but from superpixels that follow contours."""
    return random_tree(superpixel_graph(image, n_superpixels), rng).cut(regions)


def compact_graph(image: np.ndarray, n_superpixels: int) -> RegionGraph:
    """Cut a picture into about so many SLIC superpixels that follow its colours, and list their neighbours.

    Notes
    -----
    SLIC is given the RGB picture and converts it to Lab by itself: it scales whatever it gets to 0 … 1 first, so
    a Lab picture would lose nearly all weight against position. A picture with few pixels keeps each apart.
    """
    from skimage.segmentation import slic

    height, width = image.shape[:2]
    if height * width <= 4 * n_superpixels or min(height, width) < 4:
        return superpixel_graph(image, n_superpixels)
    labels = slic(image, n_superpixels, compactness=10.0, max_num_iter=5, start_label=0)
    return RegionGraph.of(connected(labels, neighbours=4))


def mean_shift(
    image: np.ndarray,
    minima: Sequence[float],
    rng: np.random.Generator,
    spatial: float = 7.0,
    colour: float = 9.0,
) -> list[np.ndarray]:
    """Filter by mean shift, join pixels of one mode, and give regions smaller than a minimum to a neighbour.

    Notes
    -----
    Neighbouring pixels join where their filtered colours differ by at most half of `colour`. Regions below the
    minimum join across their least colour difference first, and the minima are worked through in rising order.
    """
    try:
        import cv2
    except ImportError as error:
        raise InputError(
            f"mean_shift: expected the package cv2, got {error}. Install opencv-contrib-python-headless."
        ) from None
    from skimage.color import rgb2lab

    filtered = cv2.pyrMeanShiftFiltering(image, spatial, colour, maxLevel=1).astype(np.float64)
    number = np.arange(filtered[:, :, 0].size).reshape(filtered.shape[:2])
    one, other = both_ends(filtered)
    near = np.abs(one - other).max(axis=1) <= colour / 2
    first, second = (end[near] for end in both_ends(number))
    # With no cost to pay every given edge joins.
    labels = renumber(graph_based(number.size, first, second, np.zeros(len(first)), 1.0, 0)[number])
    graph = RegionGraph.of(labels)
    mean = graph.mean(rgb2lab(image))
    order = np.argsort(((mean[graph.first] - mean[graph.second]) ** 2).sum(axis=1), kind="stable")
    wanted, place = np.unique(np.asarray(minima, dtype=np.float64), return_inverse=True)
    pairs, counts = absorb_small(graph.first[order], graph.second[order], graph.pixels, wanted)
    tree = MergeTree.of_pairs(labels, pairs)
    return [tree.after(count) for count in counts[place]]
