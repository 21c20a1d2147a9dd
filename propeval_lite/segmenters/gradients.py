"""Segmenters on the graph of neighbouring pixels: graph-based grouping and the watershed hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._kernels.joining import graph_based, join_order
from propeval_lite.superpixels.graph import CORNERS, SIDES, RegionGraph, both_ends
from propeval_lite.superpixels.labels import renumber
from propeval_lite.superpixels.tree import MergeTree


def egb(
    image: np.ndarray,
    scales: Sequence[float],
    rng: np.random.Generator,
    sigma: float = 0.8,
    min_size: int = 50,
) -> list[np.ndarray]:
    r"""Group pixels by Felzenszwalb and Huttenlocher's graph-based method; larger scales give larger regions.

    Notes
    -----
    Edges join the 8 neighbours of the smoothed picture (values 0 … 1) and cost their colour distance
    :math:`w`. In rising order an edge merges regions :math:`A, B` if :math:`w \le \min(I(A) + k/|A|,
    I(B) + k/|B|)` with the dearest edge :math:`I` inside a region and :math:`k` = scale / 255. The edges are
    sorted once for all scales, equal ones keep their order, so the result is the same on every machine.
    """
    from scipy.ndimage import gaussian_filter

    smooth = gaussian_filter(image / 255.0, sigma=(sigma, sigma, 0))
    number = np.arange(image.shape[0] * image.shape[1], dtype=np.int32).reshape(image.shape[:2])
    one, other = both_ends(smooth, SIDES + CORNERS)
    cost = np.sqrt(((one - other) ** 2).sum(axis=1))
    order = np.argsort(cost, kind="stable")
    first, second = (end[order] for end in both_ends(number, SIDES + CORNERS))
    cost = cost[order]
    return [
        renumber(graph_based(number.size, first, second, cost, scale / 255.0, min_size)[number])
        for scale in scales
    ]


def watershed(
    image: np.ndarray, regions: Sequence[int], rng: np.random.Generator, sigma: float = 1.0
) -> list[np.ndarray]:
    """Cut the hierarchical watershed of the colour gradient, where the basins of least volume drown first.

    Notes
    -----
    The relief is the length of the Lab gradient at scale `sigma`. Neighbouring pixels (sides) meet at the higher
    of their two heights. Joining pixels in rising order of that height gives a tree; each join drowns the side
    that holds less volume below it. The partition into n regions undoes the n − 1 joins that drown most.
    """
    from scipy.ndimage import gaussian_gradient_magnitude
    from skimage.color import rgb2lab

    lab = rgb2lab(image)
    relief = np.sqrt(sum(gaussian_gradient_magnitude(lab[:, :, c], sigma) ** 2 for c in range(3)))
    number = np.arange(relief.size, dtype=np.int32).reshape(relief.shape)
    height = np.maximum(*both_ends(relief))
    order = np.argsort(height, kind="stable")
    first, second = (end[order] for end in both_ends(number))
    edges, loss = join_order(relief.size, first, second, np.concatenate([relief.ravel(), height[order]]))
    edges = edges[np.argsort(loss, kind="stable")]
    return MergeTree.of_pairs(number, np.stack([first[edges], second[edges]], axis=1)).cut(regions)


def superpixel_graph(image: np.ndarray, n_superpixels: int) -> RegionGraph:
    """Cut a picture into `n_superpixels` basins of its watershed and return their graph.

    Parameters
    ----------
    image : uint8 array, shape (height, width, 3)
        RGB picture.
    n_superpixels : int
        A picture with fewer pixels keeps every pixel apart.

    Returns
    -------
    RegionGraph

    Notes
    -----
    The basins follow contours. Compact superpixels such as SLIC's have borders of their own making, which
    boundary measures then count against whatever is built on them.
    """
    return RegionGraph.of(watershed(image, [n_superpixels], np.random.default_rng(0))[0])
