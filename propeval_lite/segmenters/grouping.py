"""Segmenters that merge regions: superpixels by colour or at random, mean shift by area."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._checks.values import InputError
from propeval_lite._kernels.merging import absorb_small, graph_based, merge_alike, merge_at_random
from propeval_lite.segmenters.gradients import superpixel_graph
from propeval_lite.superpixels.graph import neighbour_pairs, region_graph
from propeval_lite.superpixels.labels import cut_at, renumber


def merged_superpixels(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, n_superpixels: int = 400
) -> list[np.ndarray]:
    r"""Merge superpixels by colour: neighbours whose union adds least squared error go first.

    Notes
    -----
    The cost of joining neighbours with sizes :math:`a, b` and mean Lab colours :math:`u, v` is
    :math:`\frac{a b}{a + b} \lVert u - v \rVert^2`.
    """
    graph = superpixel_graph(image, n_superpixels)
    return cut_at(merge_alike(graph.touches(), graph.pixels, graph.colour), graph.labels, regions)


def random_merging(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, n_superpixels: int = 400
) -> list[np.ndarray]:
    """Merge superpixels at random: each step joins a pair of neighbours drawn from all such pairs.

    References
    ----------
    Pont-Tuset & Marqués, §5.2 (the second baseline).
    """
    graph = superpixel_graph(image, n_superpixels)
    pairs = merge_at_random(graph.touches(), rng.random(len(graph.pixels)))
    return cut_at(pairs, graph.labels, regions)


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
    height, width = filtered.shape[:2]
    number = np.arange(height * width).reshape(height, width)
    sides = [(np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])]
    near = [(np.abs(filtered[a] - filtered[b]).max(axis=2) <= colour / 2) for a, b in sides]
    first = np.concatenate([number[a][near[i]] for i, (a, _) in enumerate(sides)])
    second = np.concatenate([number[b][near[i]] for i, (_, b) in enumerate(sides)])
    # With no cost to pay every given edge joins.
    labels = renumber(graph_based(number.size, first, second, np.zeros(len(first)), 1.0, 0)[number])
    graph = region_graph(labels, rgb2lab(image))
    a, b, _ = neighbour_pairs(labels)
    order = np.argsort(((graph.colour[a] - graph.colour[b]) ** 2).sum(axis=1), kind="stable")
    wanted, place = np.unique(np.asarray(minima, dtype=np.float64), return_inverse=True)
    roots = absorb_small(a[order], b[order], graph.pixels, wanted)
    cuts = [renumber(root[labels]) for root in roots]
    return [cuts[i] for i in place]
