"""Oracles: what a detector would reach with perfect proposals, or with perfect suppression of its copies."""

from __future__ import annotations

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_number
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite._kernels.suppression import touches_chosen
from propeval_lite.boxes.detections import COLUMNS, judge_detections
from propeval_lite.boxes.nms import nms
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.proposals.check import check_proposals
from propeval_lite.proposals.container import Proposals

#: What a detection can be, by :func:`detection_errors`.
ERRORS = ("right", "not judged", "own category", "other category", "background")


def with_truth(dataset: Dataset, proposals: Proposals) -> Proposals:
    """Put the box of every object before the proposals: the oracle of ground truth.

    Parameters
    ----------
    dataset : Dataset
    proposals : Proposals

    Returns
    -------
    Proposals
        Without scores: first the objects of each image in their order, then its proposals in theirs. Crowds, which
        are regions and no objects, are left out; so is a proposal that equals an object, which would be there twice.
        ``provenance["added"]`` says how many boxes were added.

    Notes
    -----
    At every budget that is not smaller than the number of objects of an image each object has a proposal of IoU 1,
    so that AR is 1. What is missing to a perfect detector then is no proposal's fault.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5.6.

    Examples
    --------
    >>> images = pd.DataFrame({"image_id": ["a", "b"], "width": 20, "height": 10})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": [1], "category": "cup", "x1": 2, "y1": 0, "x2": 9,
    ...                         "y2": 8, "ignore": False})
    >>> proposals = Proposals(["a"], [0, 1], [[0, 0, 10, 10]], name="blind")
    >>> with_truth(Dataset("a cup", images, objects), proposals).to_table().to_numpy().tolist()
    [['a', 2.0, 0.0, 9.0, 8.0], ['a', 0.0, 0.0, 10.0, 10.0]]
    """
    check_dataset(dataset)
    check_proposals(proposals)
    placed = proposals.aligned(dataset)
    objects = dataset.objects
    if "crowd" in objects:
        objects = objects[~objects["crowd"].to_numpy(dtype=bool)]
    owner = np.concatenate(
        (
            dataset.image_rows(objects["image_id"]),
            np.repeat(np.arange(len(placed.image_ids)), np.diff(placed.offsets)),
        )
    )
    boxes = np.concatenate((objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64), placed.boxes))
    order = np.argsort(owner, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=len(placed.image_ids)))))
    return Proposals(
        placed.image_ids, offsets, boxes[order], None, f"{proposals.name} + truth",
        {**proposals.provenance, "added": len(objects)}, dataset.pixels, dataset.origin,
    ).deduplicate("exact")  # fmt: skip


def perfect_nms(
    dataset: Dataset,
    detections: pd.DataFrame,
    tau=0.5,
    least: float = 0.0,
    background: float | None = None,
    **options,
) -> pd.DataFrame:
    """Remove the wrong detections that overlap a right one: the oracle of non-maximum suppression.

    Use it on all scored boxes, *instead* of suppression. It knows the objects: right detections stay, and so do wrong
    ones in the background.

    Parameters
    ----------
    dataset, detections, tau
        As in :func:`judge_detections`.
    least : float
        From 0 to 1: a wrong detection goes when its IoU with a right one of its image and category is larger.
    background : float, optional
        Threshold of a greedy suppression among the wrong ones that are left. Without it they all stay, as the paper
        says; then a detector that scores crowds of boxes in the background can lose to the greedy rule.
    **options
        Further arguments of :func:`judge_detections`, such as `matching`.

    Returns
    -------
    DataFrame
        The columns of `detections`, by category and falling score. ``.attrs`` has how many were ``right``, how many
        wrong ones were ``removed`` by the oracle, ``thinned`` in the background and ``kept``, and how many are
        ``not judged``, which stay.

    Notes
    -----
    A wrong detection claims no object, so that the same detections are right as before; precision at each of them can
    only rise, and average precision with it.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §5.6. It does not say which overlap counts; the
    default is any.

    Examples
    --------
    Of three detections of a cup the first is right, the second a copy of it, the third in the background.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [10]})
    >>> objects = pd.DataFrame({"image_id": "a", "object_id": [1], "category": "cup", "x1": 0, "y1": 0, "x2": 10,
    ...                         "y2": 10, "ignore": False})
    >>> found = pd.DataFrame({"image_id": "a", "category": "cup", "score": [3, 2, 1], "x1": [0, 1, 20], "y1": 0,
    ...                       "x2": [10, 11, 30], "y2": 10})
    >>> left = perfect_nms(Dataset("a cup", images, objects), found)
    >>> left["score"].tolist(), left.attrs
    ([3.0, 1.0], {'right': 1, 'removed': 1, 'thinned': 0, 'kept': 1, 'not judged': 0})
    """
    remedy = "It is an IoU; 0 means any overlap."
    check_number(least, "least to be a number from 0 to 1", lambda share: 0 <= share <= 1, remedy)
    judged, counts = judge_detections(dataset, detections, tau, **options)
    n_images = len(dataset.images)
    category = pd.Index(counts.index).get_indexer(judged["category"])
    group = category * n_images + dataset.image_rows(judged["image_id"])
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=len(counts) * n_images)
    outcome = judged["outcome"].to_numpy()
    touched = np.empty(len(judged), dtype=bool)
    touched[order] = touches_chosen(
        np.ascontiguousarray(judged[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)[order]),
        (outcome == "right")[order],
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        float(least),
        _extra(dataset, options.get("pixels")),
    )
    removed = (outcome == "wrong") & touched
    thinned = np.zeros(len(judged), dtype=bool)
    if background is not None:
        wrong = np.flatnonzero((outcome == "wrong") & ~touched)
        corners = judged[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
        frame = dataset.pixels if options.get("pixels") is None else options["pixels"]
        thinned[wrong] = True
        # Rows come by falling score within their category, so within their group too.
        for rows in pd.Series(wrong).groupby(group[wrong]):
            mine = rows[1].to_numpy()
            thinned[mine[nms(corners[mine], None, background, pixels=frame)]] = False
    left = judged.loc[~removed & ~thinned, list(COLUMNS)].reset_index(drop=True)
    left.attrs = {
        "right": int((outcome == "right").sum()),
        "removed": int(removed.sum()),
        "thinned": int(thinned.sum()),
        "kept": int(((outcome == "wrong") & ~touched & ~thinned).sum()),
        "not judged": int((outcome == "not judged").sum()),
    }
    return left


def detection_errors(
    dataset: Dataset, detections: pd.DataFrame, tau=0.5, least: float = 0.1, **options
) -> pd.DataFrame:
    """Say of each wrong detection what it lies on: its own category, another one, or the background.

    Parameters
    ----------
    dataset, detections, tau, **options
        As in :func:`judge_detections`.
    least : float
        From 0 to 1: a detection lies on an object when their IoU is larger.

    Returns
    -------
    DataFrame
        As `judged` of :func:`judge_detections`, with a column ``kind``: "right", "not judged", and of the wrong ones
        "own category" (a copy, or badly placed), else "other category", else "background". All objects count here,
        also those that are not judged.

    Examples
    --------
    >>> images = pd.DataFrame({"image_id": ["a"], "width": [40], "height": [10]})
    >>> objects = pd.DataFrame({"image_id": "a", "object_id": [1, 2], "category": ["cup", "pot"], "x1": [0, 20],
    ...                         "y1": 0, "x2": [10, 30], "y2": 10, "ignore": False})
    >>> found = pd.DataFrame({"image_id": "a", "category": "cup", "score": [4, 3, 2, 1], "x1": [0, 1, 20, 32],
    ...                       "y1": 0, "x2": [10, 11, 30, 40], "y2": 10})
    >>> detection_errors(Dataset("a cup and a pot", images, objects), found)["kind"].tolist()
    ['right', 'own category', 'other category', 'background']
    """
    remedy = "It is an IoU; 0 means any overlap."
    check_number(least, "least to be a number from 0 to 1", lambda share: 0 <= share <= 1, remedy)
    judged, _ = judge_detections(dataset, detections, tau, **options)
    kind = judged["outcome"].to_numpy(dtype=object).copy()
    extra = _extra(dataset, options.get("pixels"))
    nobody = np.zeros((0, 4))
    objects = dict(iter(dataset.objects.groupby("image_id", sort=False)))
    for image, rows in judged[judged["outcome"] == "wrong"].groupby("image_id", sort=False):
        kind[rows.index] = "background"
        if image not in objects:
            continue
        here = objects[image]
        corners = here[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
        lies = (
            pair_overlaps(corners, nobody, rows[list(BOX_COLUMNS)].to_numpy(dtype=np.float64), extra) > least
        )
        own = here["category"].to_numpy()[:, np.newaxis] == rows["category"].to_numpy()
        kind[rows.index[lies.any(axis=0)]] = "other category"
        kind[rows.index[(lies & own).any(axis=0)]] = "own category"
    return judged.assign(kind=kind.astype(str))


def _extra(dataset: Dataset, pixels: str | None) -> float:
    return Frame(dataset.pixels if pixels is None else pixels, dataset.origin).checked().extra
