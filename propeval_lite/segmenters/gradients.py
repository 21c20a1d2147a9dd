"""Segmenters on the graph of neighbouring pixels: graph-based grouping and the watershed hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._kernels.merging import graph_based, join_order
from propeval_lite.superpixels.graph import RegionGraph, region_graph
from propeval_lite.superpixels.labels import cut_at, renumber

_RIGHT = (np.s_[:, :-1], np.s_[:, 1:])
_DOWN = (np.s_[:-1], np.s_[1:])
_DIAGONALS = ((np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1]))


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
    steps = (_RIGHT, _DOWN, *_DIAGONALS)
    cost = np.concatenate([np.sqrt(((smooth[a] - smooth[b]) ** 2).sum(axis=2)).ravel() for a, b in steps])
    order = np.argsort(cost, kind="stable")
    first = np.concatenate([number[a].ravel() for a, _ in steps])[order]
    second = np.concatenate([number[b].ravel() for _, b in steps])[order]
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
    height = np.concatenate([np.maximum(relief[a], relief[b]).ravel() for a, b in (_RIGHT, _DOWN)])
    order = np.argsort(height, kind="stable")
    first = np.concatenate([number[a].ravel() for a, _ in (_RIGHT, _DOWN)])[order]
    second = np.concatenate([number[b].ravel() for _, b in (_RIGHT, _DOWN)])[order]
    heights = np.concatenate([relief.ravel(), height[order]])
    edges, loss = join_order(relief.size, first, second, heights)
    edges = edges[np.argsort(loss, kind="stable")]
    return cut_at(np.stack([first[edges], second[edges]], axis=1), number, regions)


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
    from skimage.color import rgb2lab

    labels = watershed(image, [n_superpixels], np.random.default_rng(0))[0]
    return region_graph(labels, rgb2lab(image))
