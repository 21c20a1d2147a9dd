"""Methods that propose masks from superpixels and their merging, and a quadtree that does not look."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from propeval_lite._checks.imports import import_function
from propeval_lite._checks.seeding import check_seed
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import check_choice, fail
from propeval_lite.masks.proposals import MaskProposals, nodes_and_pairs
from propeval_lite.segmenters.grouping import compact_graph
from propeval_lite.superpixels.colours import COLOURS
from propeval_lite.superpixels.labels import check_image
from propeval_lite.superpixels.likeness import describe_superpixels
from propeval_lite.superpixels.tree import MergeTree, least_error_tree, random_tree

#: The finest grid of the quadtree has at most 2 ** QUADTREE_LEVELS rows and columns.
QUADTREE_LEVELS = 6


def propose_masks(
    method: str | Callable, image: object, seed: int | np.random.Generator = 0
) -> MaskProposals:
    """Propose masks for the objects of a picture.

    Parameters
    ----------
    method : str or callable
        A name of `MASK_METHODS` or ``"package.module:function"``, either with ``?name=value&…`` behind it, or your
        own ``function(image, rng) -> MaskProposals``.
    image : uint8 array, shape (height, width, 3) or (height, width)
        RGB or grey picture.
    seed : int or Generator
        For the random baseline; the others do not use it.

    Returns
    -------
    MaskProposals
        All masks that the method has; a budget of k takes the first k.

    Notes
    -----
    ``grouping`` merges superpixels in each of four colour spaces by colour, contrast and size; ``grouping_lab``
    in one only; ``merged_superpixels`` merges compact superpixels by colour. Their masks are all nodes and all
    pairs of nodes that touch (in the spirit of multiscale combinatorial grouping). Two baselines do not look at
    the picture when they merge: ``random_merging`` and ``quadtree``; the last has single nodes only.

    A node is ranked by the number of regions in the coarsest partition that shows it, a pair by the product of its
    two numbers: masks that appear early on the way from one region to many come first. Nothing is learnt.

    References
    ----------
    Pont-Tuset & Marqués, §2.3 (the setting) and §5.2 (the baselines).

    Examples
    --------
    >>> proposals = propose_masks("quadtree", np.zeros((2, 4), dtype=np.uint8))
    >>> [proposals.mask(i).sum().tolist() for i in range(3)], len(proposals)
    ([8, 4, 4], 15)
    """
    method = find_mask_method(method)
    seed = seed if isinstance(seed, np.random.Generator) else check_seed(seed)
    proposals = method(check_image(image), np.random.default_rng(seed))
    if not isinstance(proposals, MaskProposals):
        raise fail("MaskProposals", type(proposals).__name__, "Return pe.MaskProposals.", "method")
    return proposals


def find_mask_method(spec: str | Callable) -> Callable:
    """Return the ``function(image, rng)`` that `spec` names (see `propose_masks`).

    Examples
    --------
    >>> len(find_mask_method("quadtree?levels=1")(np.zeros((2, 4, 3), dtype=np.uint8), None))
    7
    """
    if callable(spec):
        return spec
    parsed = parse_spec(spec, "method")
    if parsed.head in MASK_METHODS:
        function = MASK_METHODS[parsed.head]
    elif parsed.path:
        function = import_function(parsed.head)
    else:
        known = f"a mask method of {', '.join(MASK_METHODS)}, or package.module:function"
        raise fail(known, repr(parsed.head), "Correct the spelling, or name your own function.", "method")
    try:
        inspect.signature(function).bind(np.zeros((1, 1, 3), np.uint8), None, **parsed.options)
    except TypeError as error:
        got = str(error).removeprefix("got ")
        raise fail(f"arguments {inspect.signature(function)}", got, "Correct the options.", spec) from None
    return partial(function, **parsed.options)


def grouping(image: np.ndarray, rng=None, colours: Sequence[str] = COLOURS) -> MaskProposals:
    """Nodes and touching pairs of one hierarchy per colour space (see `propose_masks`)."""
    return nodes_and_pairs([looks.tree()[0] for looks in describe_superpixels(image, colours)])


def grouping_lab(image: np.ndarray, rng=None) -> MaskProposals:
    """Like `grouping`, in the Lab colour space alone."""
    return grouping(image, rng, ("lab",))


def merged_superpixels(image: np.ndarray, rng=None, n_superpixels: int = 300) -> MaskProposals:
    """Nodes and touching pairs of compact superpixels merged by colour (see `propose_masks`)."""
    return nodes_and_pairs([least_error_tree(compact_graph(image, n_superpixels), image)])


def random_merging(image: np.ndarray, rng: np.random.Generator, n_superpixels: int = 300) -> MaskProposals:
    """Nodes and touching pairs of compact superpixels merged at random."""
    return nodes_and_pairs([random_tree(compact_graph(image, n_superpixels), rng)])


def quadtree(
    image: np.ndarray, rng=None, levels: int = QUADTREE_LEVELS, first: str = "longer"
) -> MaskProposals:
    """Rectangles from halving both sides of the picture in turn; large ones come first, row by row.

    Parameters
    ----------
    image, rng
        See `propose_masks`; only the size of the picture is used.
    levels : int
        Each side is halved at most so often.
    first : {"longer", "shorter"}
        Side that is halved first.

    Examples
    --------
    >>> [quadtree(np.zeros((2, 4, 3)), first=side).mask(1).astype(int).tolist() for side in ("longer", "shorter")]
    [[[1, 1, 0, 0], [1, 1, 0, 0]], [[1, 1, 1, 1], [0, 0, 0, 0]]]
    """
    check_choice(first, ("longer", "shorter"), "first")
    height, width = image.shape[:2]
    depth = [min(levels, side.bit_length() - 1) for side in (height, width)]
    # Each part keeps a pixel.
    cuts, left = [], depth.copy()
    axis = int((height > width) == (first == "shorter"))
    while any(left):
        if left[axis]:
            cuts.append(axis)
            left[axis] -= 1
        axis = 1 - axis
    rows, columns = (
        np.arange(side) * (1 << d) // side for side, d in zip((height, width), depth, strict=True)
    )
    labels = rows[:, None] * (1 << depth[1]) + columns[None]
    free = n = int(labels.max()) + 1
    grid: np.ndarray = np.arange(n).reshape(1 << depth[0], 1 << depth[1])
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for axis in reversed(cuts):
        one, two = (grid[::2], grid[1::2]) if axis == 0 else (grid[:, ::2], grid[:, 1::2])
        pairs.append(np.stack([one.ravel(), two.ravel()], axis=1)[::-1])
        grid = (free + np.arange(one.size))[::-1].reshape(one.shape)
        free += one.size
    order = np.arange(free)[::-1]
    leaves = order < n
    order[leaves] = order[leaves][::-1]
    nodes = np.stack([order, np.full(free, -1)], axis=1)
    return MaskProposals((MergeTree(labels, np.concatenate(pairs)),), np.zeros(free, dtype=np.int64), nodes)


#: Built-in methods of `propose_masks`.
MASK_METHODS: dict[str, Callable] = {
    "grouping": grouping,
    "grouping_lab": grouping_lab,
    "merged_superpixels": merged_superpixels,
    "random_merging": random_merging,
    "quadtree": quadtree,
}
