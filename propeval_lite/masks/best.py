"""How good the best of the first k masks is for each object, by pixels and by boundaries (§2.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from propeval_lite._checks.values import check_choice, check_list, check_positive_int, fail, unmasked
from propeval_lite._kernels import masks as kernels
from propeval_lite._kernels.boundaries import contour_map, dilate
from propeval_lite.masks.proposals import MaskProposals, check_mask_proposals
from propeval_lite.partitions.boundaries import offsets_within
from propeval_lite.partitions.precision_recall import f_of_counts
from propeval_lite.superpixels.tree import MergeTree

MASK_MEASURES = ("jaccard", "boundary")


def mask_scores(
    proposals: MaskProposals,
    truths: object,
    measure: str = "jaccard",
    tolerance: float = 0.0075,
    void: object | None = None,
    limit: int | None = None,
) -> np.ndarray:
    r"""Score every mask against every object, without making a single pixel mask.

    Parameters
    ----------
    proposals : MaskProposals
    truths : bool array, shape (n, height, width)
        Masks of the objects.
    measure : {"jaccard", "boundary"}
        Jaccard index of pixels, or F measure of boundaries in the morphological form.
    tolerance : float
        Distance within which boundaries agree, as a fraction of the image's diagonal.
    void : bool array, shape (height, width), optional
        Pixels that are not counted by ``"jaccard"``; ``"boundary"`` does not use it.
    limit : int, optional
        Score only the first masks.

    Returns
    -------
    float array, shape (k, n)
        In [0, 1]; NaN where neither the object nor the mask has a pixel (a contour) to count.

    Notes
    -----
    A mask is a union of superpixels, so :math:`|P_m \cap P_{gt}|` and :math:`|P_m|` are sums over superpixels.
    They are counted once per superpixel and summed up the merge tree.

    A pixel lies on the contour of a mask if it and its neighbours to the east, south and south-east are not all on
    the same side. That depends only on the superpixels of these four pixels; pixels with the same ones are of
    one *kind* and are counted together. Contours are used as they are, without thinning: where
    `propeval_lite.masks.foreground.boundary_f` thins, values differ slightly.

    References
    ----------
    Pont-Tuset & Marqués, eq. (2), §2.2 and §2.3.

    Examples
    --------
    >>> tree = MergeTree(np.array([[0, 0, 1, 2]]), np.array([[0, 1]]))
    >>> proposals = MaskProposals((tree,), np.array([0, 0]), np.array([[3, -1], [0, 2]]))
    >>> mask_scores(proposals, np.array([[[1, 1, 1, 1]]], dtype=bool)).tolist()
    [[0.75], [0.75]]
    """
    check_choice(measure, MASK_MEASURES, "measure")
    check_mask_proposals(proposals)
    offsets = offsets_within(proposals.shape, tolerance)
    truths = _check_truths(truths, proposals.shape)
    counted = _check_void(void, proposals.shape)
    n = len(proposals) if limit is None else min(check_positive_int(limit, "limit"), len(proposals))
    scores = np.empty((n, len(truths)))
    for number, hierarchy in enumerate(proposals.hierarchies):
        chosen = np.flatnonzero(proposals.tree[:n] == number)
        nodes = proposals.nodes[chosen]
        if measure == "jaccard":
            scores[chosen] = _jaccard(hierarchy, nodes, truths, counted)
        else:
            scores[chosen] = _boundary(hierarchy, nodes, truths, offsets)
    return scores


def best_masks(
    proposals: MaskProposals,
    truths: object,
    budgets: Sequence[int],
    measure: str = "jaccard",
    tolerance: float = 0.0075,
    void: object | None = None,
) -> np.ndarray:
    """Score of the best of the first k masks for each object.

    Parameters
    ----------
    proposals, truths, measure, tolerance, void
        See `mask_scores`.
    budgets : sequence of int
        Numbers of masks k; a method with fewer masks is judged by all it has.

    Returns
    -------
    float array, shape (len(budgets), n)
        0 without any mask; NaN for an object without a pixel (a contour) to count.

    Examples
    --------
    >>> tree = MergeTree(np.array([[0, 0, 1, 2]]), np.array([[0, 1]]))
    >>> proposals = MaskProposals((tree,), np.array([0, 0]), np.array([[2, -1], [3, -1]]))
    >>> best_masks(proposals, np.array([[[1, 1, 0, 0]]], dtype=bool), [1, 2]).round(3).tolist()
    [[0.0], [0.667]]
    """
    remedy = "Give numbers of masks such as [10, 100]."
    budgets = [
        check_positive_int(k, "budgets") for k in check_list(budgets, "a list of budgets", remedy, "budgets")
    ]
    if not budgets:
        raise fail("at least one budget", "none", remedy, "budgets")
    scores = mask_scores(proposals, truths, measure, tolerance, void, max(budgets))
    # A row of zeros stands for "no mask yet"; fmax passes over masks whose score is not defined.
    best = np.fmax.accumulate(np.concatenate([np.zeros((1, scores.shape[1])), scores]), axis=0)
    best[:, _undefined(_check_truths(truths, proposals.shape), measure, void)] = np.nan
    return best[np.minimum(budgets, len(best) - 1)]


def _jaccard(hierarchy: MergeTree, nodes: np.ndarray, truths: np.ndarray, counted: np.ndarray) -> np.ndarray:
    n = hierarchy.n_leaves
    labels = hierarchy.labels[counted]
    leaves = np.stack(
        [np.bincount(labels[part[counted]], minlength=n) for part in truths]
        + [np.bincount(labels, minlength=n)],
        axis=1,
    )
    sums = hierarchy.sums(leaves)
    union = sums[nodes[:, 0]] + np.where(nodes[:, 1:] >= 0, sums[nodes[:, 1]], 0)
    shared, size = union[:, :-1], union[:, -1:]
    either = size + leaves[:, :-1].sum(axis=0) - shared
    return np.divide(shared, either, out=np.full(shared.shape, np.nan), where=either > 0)


def _boundary(hierarchy: MergeTree, nodes: np.ndarray, truths: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    low, high = hierarchy.spans()
    kind, kinds = _kinds(low[hierarchy.labels], hierarchy.n_leaves)
    shown = kind >= 0
    pixels = np.bincount(kind[shown], minlength=len(kinds))
    near, kind_of, owners = [], [], []
    for number, truth in enumerate(truths):
        contour = contour_map(truth)
        near.append(np.bincount(kind[dilate(contour, offsets) & shown], minlength=len(kinds)))
        start, found = kernels.kinds_near(contour, kind, len(kinds), offsets)
        kind_of.append((np.array(found, dtype=np.int64), np.diff(start)))
        owners.append(np.full(len(start) - 1, number))
    owner = np.concatenate(owners)
    each = np.repeat(np.arange(len(owner)), np.concatenate([count for _, count in kind_of]))
    row_start, rows = _lists(np.concatenate([found for found, _ in kind_of]), each, len(kinds))
    seen = np.repeat(np.arange(len(kinds)), 4)
    leaf_start, leaf_kinds = _lists(kinds.ravel(), seen, hierarchy.n_leaves)
    contour, found, covered = kernels.boundary_counts(
        low,
        high,
        nodes,
        kinds,
        pixels,
        np.stack(near, axis=1),
        leaf_start,
        leaf_kinds,
        row_start,
        rows,
        owner,
    )
    present = np.bincount(owner, minlength=len(truths))[None]
    return f_of_counts(covered, present, found, contour[:, None])


def _lists(keys: np.ndarray, values: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Values of each key 0 … n − 1 as compressed rows."""
    starts = np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=n))))
    return starts, values[np.argsort(keys, kind="stable")]


def _kinds(labels: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Kind of each pixel (−1 where its four superpixels are one), and the superpixels of each kind."""
    padded = np.pad(labels, ((0, 1), (0, 1)), mode="edge")
    shifted = [labels, padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]]
    four = np.sort(np.stack(shifted, axis=2), axis=2)
    mixed = four[:, :, 0] != four[:, :, 3]
    # Whoever is there twice does not matter: write each set of superpixels in one way only.
    rows = four[mixed]
    rows[:, 1] = np.where(rows[:, 1] == rows[:, 0], rows[:, 2], rows[:, 1])
    rows[:, 2] = np.where(rows[:, 2] == rows[:, 1], rows[:, 3], rows[:, 2])
    keys = ((rows[:, 0] * n + rows[:, 1]) * n + rows[:, 2]) * n + rows[:, 3]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    kind = np.full(labels.shape, -1, dtype=np.int64)
    kind[mixed] = inverse
    return kind, np.ascontiguousarray(rows[first].reshape(-1, 4))


def _undefined(truths: np.ndarray, measure: str, void: object | None) -> np.ndarray:
    if measure == "jaccard":
        return ~(truths & _check_void(void, truths.shape[1:])).any(axis=(1, 2))
    return np.array([not contour_map(truth).any() for truth in truths], dtype=np.bool_)


def _check_truths(truths: object, shape: tuple[int, int]) -> np.ndarray:
    array = unmasked(truths, "truths")
    if array.dtype != np.bool_ or array.ndim != 3 or array.shape[1:] != tuple(shape) or not len(array):
        raise fail(
            f"bool masks of shape (n, {shape[0]}, {shape[1]}) with n >= 1",
            f"{array.dtype.name} of shape {array.shape}",
            "Give the objects of the same picture, one mask each.",
            "truths",
        )
    return np.ascontiguousarray(array)


def _check_void(void: object | None, shape: tuple[int, int]) -> np.ndarray:
    """Pixels that count."""
    if void is None:
        return np.ones(shape, dtype=np.bool_)
    array = unmasked(void, "void")
    if array.dtype != np.bool_ or array.shape != tuple(shape):
        raise fail(
            f"bool pixels of shape {tuple(shape)}",
            f"{array.dtype.name} of shape {array.shape}",
            "Mark the pixels that are not counted.",
            "void",
        )
    return ~array
