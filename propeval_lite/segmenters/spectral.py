"""Normalised cuts of a superpixel graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite.segmenters.gradients import superpixel_graph
from propeval_lite.superpixels.labels import renumber


def ncut(
    image: np.ndarray,
    regions: Sequence[int],
    rng: np.random.Generator,
    n_superpixels: int = 300,
    sigma: float = 5.0,
) -> list[np.ndarray]:
    r"""Split the graph of superpixels again and again, where the normalised cut costs least.

    Notes
    -----
    Neighbouring superpixels are linked by :math:`w = \ell\, e^{-d^2 / 2\sigma^2}` with the length :math:`\ell` of
    their border and the distance :math:`d` of their mean Lab colours. A piece is ordered by the second
    eigenvector of its normalised Laplacian and cut where :math:`cut(A, B) / vol(A) + cut(A, B) / vol(B)` is
    least; sides that fall apart count as several regions. The piece with the cheapest cut is split next. The
    partition for n is the last one with at most n regions.
    """
    from skimage.color import rgb2lab

    graph = superpixel_graph(image, n_superpixels)
    n = len(graph.pixels)
    colour = graph.mean(rgb2lab(image))
    distance = ((colour[graph.first] - colour[graph.second]) ** 2).sum(axis=1)
    links = np.zeros((n, n))
    links[graph.first, graph.second] = graph.border * np.exp(-distance / (2 * sigma**2))
    # Very different colours still share a border: the graph stays connected where the picture is.
    links[graph.first, graph.second] += 1e-9
    links += links.T
    states = _split(links, max(regions))
    cuts = []
    for count in regions:
        piece = next(state for size, state in reversed(states) if size <= max(count, 1))
        cuts.append(renumber(piece[graph.labels]))
    return cuts


def _split(links: np.ndarray, most: int) -> list[tuple[int, np.ndarray]]:
    """Split until more than `most` pieces are there; number of pieces and piece of each node after each split."""
    piece = np.zeros(len(links), dtype=np.int64)
    states = [(1, piece.copy())]
    proposals = {0: _best_cut(links, np.arange(len(links)))}
    while len(proposals) < most:
        cheapest = min(proposals, key=lambda k: (proposals[k][0], k))
        cost, parts = proposals[cheapest]
        if not np.isfinite(cost):
            break
        for k, part in enumerate(parts):
            name = cheapest if k == 0 else len(proposals)
            piece[part] = name
            proposals[name] = _best_cut(links, part)
        states.append((len(proposals), piece.copy()))
    return states


def _best_cut(links: np.ndarray, nodes: np.ndarray) -> tuple[float, list[np.ndarray]]:
    """Cost of the best cut of a connected piece, and its connected sides; infinite for a single node."""
    from scipy.linalg import eigh

    if len(nodes) < 2:
        return np.inf, [nodes]
    inside = links[np.ix_(nodes, nodes)]
    volume = inside.sum(axis=1)
    root = 1 / np.sqrt(volume)
    _, vectors = eigh(np.eye(len(nodes)) - root[:, None] * inside * root, subset_by_index=[0, 1])
    # Rounding keeps nodes that are equal by symmetry in their order, whatever the solver's last digits.
    order = np.argsort((root * vectors[:, 1]).round(12), kind="stable")
    ordered = inside[np.ix_(order, order)]
    left = np.cumsum(volume[order])[:-1]
    # Moving a node to the left side adds its links to the right and removes those to the left.
    gained = volume[order] - 2 * np.tril(ordered, -1).sum(axis=1)
    cut = np.maximum(np.cumsum(gained)[:-1], 0.0)
    cost = cut / left + cut / (volume.sum() - left)
    place = int(np.argmin(cost)) + 1
    sides = [nodes[np.sort(side)] for side in (order[:place], order[place:])]
    return float(cost[place - 1]), [part for side in sides for part in _components(links, side)]


def _components(links: np.ndarray, nodes: np.ndarray) -> list[np.ndarray]:
    from scipy.sparse.csgraph import connected_components

    n, component = connected_components(links[np.ix_(nodes, nodes)] > 0, directed=False)
    return [nodes[component == k] for k in range(n)]
