"""Match objects with proposals once; every box criterion is a short function of the resulting table."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_choice, check_threshold, fail, is_number, threshold_list
from propeval_lite._kernels.overlaps import assigned_overlaps, coco_hit_ranks, pair_overlaps
from propeval_lite.boxes.table import Overlaps, check_budgets
from propeval_lite.datasets.base import Dataset, check_dataset
from propeval_lite.datasets.frame import Frame
from propeval_lite.proposals.check import check_proposals
from propeval_lite.proposals.container import Proposals

MATCHINGS = ("best", "greedy", "optimal", "coco")
AREAS = {"all": (0, math.inf), "small": (0, 32**2), "medium": (32**2, 96**2), "large": (96**2, math.inf)}
COCO_THRESHOLDS = tuple(np.linspace(0.5, 0.95, 10))


def match(
    dataset: Dataset,
    proposals: Proposals,
    budgets,
    matching: str = "greedy",
    pixels: str | None = None,
    ignore: str = "exclude",
    area: str | tuple[float, float] = "all",
    thresholds=COCO_THRESHOLDS,
    outside: str = "error",
    tolerance: float = 1.0,
) -> Overlaps:
    """Assign proposals to objects within each budget.

    Categories play no part: a proposal is a box. Images without proposals stay in the table, so their
    objects are missed.

    Parameters
    ----------
    dataset : Dataset
    proposals : Proposals
        Best first within each image. An image that the data set does not have is an error.
    budgets : int or list of int
        Numbers of proposals per image to judge, rising. None or "all", alone or as the last entry, means all
        proposals. An image with fewer proposals is judged by those it has.
    matching : {"greedy", "best", "optimal", "coco"}
        "greedy": one-to-one, largest IoU first; equal IoUs go to the earlier object, then to the
        better-ranked proposal. "best": the best proposal of each object, which may serve several objects.
        "optimal": one-to-one with the largest possible sum of IoU. "coco": one-to-one in order of rank, for
        each threshold anew, as pycocotools does with ``useCats=0``.
    pixels : {"edges", "inclusive"}, optional
        A box is ``x2 - x1`` or ``x2 - x1 + 1`` wide. By default as the data set declares.
    ignore : {"exclude", "count", "absorb"}
        What objects do that are marked in the column ``ignore`` or ``crowd``. "exclude": nothing. "count":
        they are objects like any other. "absorb": they are not counted but compete for proposals on equal
        terms; a crowd overlaps a proposal by the share of the *proposal* that lies in it and takes any
        number of them. pycocotools, and so "coco", differs twice: ordinary objects choose first, which
        makes the hits of "absorb" those of "exclude", and where there is a column ``crowd`` it alone is
        looked at.
    area : {"all", "small", "medium", "large"} or (low, high)
        Objects to count, by the column ``area`` or else by the area of the box, both ends included. The
        names are COCO's (32² and 96²). Other objects are treated like excluded ones, with
        ``ignore="absorb"`` like absorbing.
    thresholds : sequence of float
        Only for "coco": the thresholds that can be asked of the table.
    outside : {"error", "clip", "drop", "keep"}
        What to do with proposals that leave their image by more than `tolerance` pixels; see
        :meth:`Proposals.checked_against`.
    tolerance : float

    Returns
    -------
    Overlaps

    Notes
    -----
    The IoU of boxes a and b is ``|a ∩ b| / (|a| + |b| − |a ∩ b|)``; it is 0 where either has no area.

    What holds between the matchings, with u(o, k) the IoU of object o at budget k:

    - u of "best" is at least u of any other matching, for each object, and never falls with k.
    - u of "greedy" never falls with k, for any object: with values shared by both sides the greedy matching
      is the only stable one, and one more proposal can only help the objects. The sum of u of "optimal"
      never falls with k, the u of one object may.
    - The sum of u of "optimal" is at least that of "greedy", which is at least half of it. The *recall* at a
      threshold of "optimal" may be smaller than that of "greedy", because it maximises a sum.
    - Copies of a proposal never change "best". One-to-one they can serve a second object, but no object
      that the original did not overlap as well.

    pycocotools looks at objects category by category. Where equal IoUs compete that order decides, so with
    "coco" the objects of an image are taken in order of a column ``category_id``, if there is one, then of
    their row.

    References
    ----------
    Hosang et al., What makes for effective detection proposals?, §4.1 and appendix A (greedy, one-to-one).
    Chavali et al., Object-Proposal Evaluation Protocol is 'Gameable', §3 (best).
    Wang et al., Insights of Object Proposal Evaluation, eq. 1 (IoU; a tie with the threshold is a hit).

    Examples
    --------
    One proposal covers two objects; one-to-one it serves the one that it fits better.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [20], "height": [10]})
    >>> objects = pd.DataFrame({"image_id": "a", "object_id": [1, 2], "category": "cup", "x1": 0, "y1": 0,
    ...                         "x2": [10, 8], "y2": 10, "ignore": False})
    >>> dataset = Dataset("two cups", images, objects)
    >>> proposals = Proposals(["a"], [0, 2], [[0, 0, 10, 10], [0, 0, 4, 10]])
    >>> match(dataset, proposals, [1, 2], matching="best").iou.tolist()
    [[1.0, 1.0], [0.8, 0.8]]
    >>> match(dataset, proposals, [1, 2], matching="greedy").iou.tolist()
    [[1.0, 1.0], [0.0, 0.5]]
    """
    check_dataset(dataset)
    check_proposals(proposals)
    check_choice(matching, MATCHINGS, "matching")
    check_choice(ignore, ("exclude", "count", "absorb"), "ignore")
    frame = Frame(dataset.pixels if pixels is None else pixels, dataset.origin).checked()
    budgets = check_budgets(budgets)
    low, high = check_area(area)
    placed = proposals.checked_against(dataset, outside=outside, tolerance=tolerance)

    boxes = np.require(placed.boxes, np.float64, ["C", "W"])
    objects = dataset.objects
    n_images = len(dataset.images)
    owner = dataset.image_rows(objects["image_id"])
    corners = objects[list(BOX_COLUMNS)].to_numpy(dtype=np.float64)
    sizes = _areas(objects, corners, frame, dataset.name)
    counted, rivals, crowds = _roles(objects, (sizes >= low) & (sizes <= high), matching, ignore)
    rows = np.flatnonzero(counted)
    codes, categories = pd.factorize(objects["category"])
    table = Overlaps(
        budgets=budgets,
        image_row=owner[rows],
        object_row=rows,
        n_images=n_images,
        category_code=codes[rows],
        categories=pd.Index(categories),
        dataset=dataset,
        conventions={
            "dataset": dataset.name,
            "method": proposals.name,
            "matching": matching,
            "pixels": frame.pixels,
            "ignore": ignore,
            "area": area,
            "outside": outside,
            **({"frame of file": placed.provenance["frame"]} if "frame" in placed.provenance else {}),
        },
    )
    limits = np.minimum(budgets, np.diff(placed.offsets).max(initial=1)).astype(np.int64)
    if matching == "coco":
        levels = check_thresholds(thresholds)
        if "category_id" in objects:
            groups, _ = pd.factorize(objects["category_id"], sort=True)
            rows = rows[np.lexsort((groups[rows], owner[rows]))]
        starts = _offsets(owner[rows], n_images)
        found = coco_hit_ranks(corners[rows], starts, boxes, placed.offsets, levels, limits[-1], frame.extra)
        return replace(table, thresholds=levels, hit_rank=found[:, np.argsort(rows)])
    taking = counted | rivals
    arguments = (
        corners[taking],
        _offsets(owner[taking], n_images),
        corners[crowds],
        _offsets(owner[crowds], n_images),
        boxes,
        placed.offsets,
        limits,
        frame.extra,
    )
    if matching == "optimal":
        iou, rank = _optimal(*arguments)
    else:
        iou, rank = assigned_overlaps(*arguments, matching == "greedy")
    kept = counted[taking]
    return replace(table, iou=iou[kept], rank=rank[kept])


def _roles(objects: pd.DataFrame, in_range: np.ndarray, matching: str, ignore: str) -> tuple[np.ndarray, ...]:
    """Which objects count, which take a proposal without counting, and which take any number of them."""
    nobody = np.zeros(len(objects), dtype=bool)
    crowd = objects["crowd"].to_numpy(dtype=bool) if "crowd" in objects else nobody
    flagged = crowd | objects["ignore"].to_numpy(dtype=bool)
    if ignore == "count":
        flagged = nobody
    elif matching == "coco" and "crowd" in objects:
        flagged = crowd
    counted = in_range & ~flagged
    if ignore != "absorb" or matching == "coco":
        return counted, nobody, nobody
    return counted, ~counted & ~crowd, ~counted & crowd


def check_area(area) -> tuple[float, float]:
    """Return the range of areas `area` as two numbers, smallest first."""
    if isinstance(area, str):
        return AREAS[check_choice(area, tuple(AREAS), "area")]
    try:
        low, high = (float(bound) if is_number(bound) else math.nan for bound in area)
    except (TypeError, ValueError, OverflowError):
        low, high = math.nan, math.nan
    if not low <= high:
        raise fail("area to be a name or a pair (low, high)", repr(area), f"Names are {', '.join(AREAS)}.")
    return low, high


def check_thresholds(thresholds) -> np.ndarray:
    """Return COCO thresholds as a float array, each in (0, 1]."""
    levels = threshold_list(thresholds, "thresholds")
    if not levels:
        raise fail("at least one threshold", "none", "Leave thresholds out to use COCO's ten.", "thresholds")
    return np.array([float(check_threshold(level)) for level in levels])


def _areas(objects: pd.DataFrame, corners: np.ndarray, frame: Frame, where: str) -> np.ndarray:
    """Area of each object: its column ``area`` (COCO: of the mask) or else of its box."""
    if "area" not in objects:
        return frame.areas(corners)
    areas = objects["area"].to_numpy(dtype=np.float64)
    if np.isnan(areas).any():
        row = int(np.argmax(np.isnan(areas)))
        raise fail("an area for every object", f"none in row {row}", "Fill the column or drop it.",
                   f"{where}: objects table, column area")  # fmt: skip
    return areas


def _offsets(owner: np.ndarray, n_images: int) -> np.ndarray:
    """Rows of image i are ``offsets[i]:offsets[i + 1]``."""
    return np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=n_images)))).astype(np.int64)


def _optimal(objects, object_offsets, crowds, crowd_offsets, boxes, box_offsets, budgets, extra):
    """Hungarian counterpart of the kernel `assigned_overlaps`, one image and budget after the other."""
    iou = np.zeros((len(objects), len(budgets)))
    rank = np.full((len(objects), len(budgets)), -1, dtype=np.int64)
    for i in np.flatnonzero(np.diff(object_offsets)):
        first, last = object_offsets[i : i + 2]
        stop = min(box_offsets[i + 1], box_offsets[i] + budgets[-1])
        table = pair_overlaps(
            objects[first:last],
            crowds[crowd_offsets[i] : crowd_offsets[i + 1]],
            boxes[box_offsets[i] : stop],
            extra,
        )
        for b, budget in enumerate(budgets):
            rows, columns = linear_sum_assignment(table[:, :budget], maximize=True)
            values = table[rows, columns]
            iou[first + rows, b] = values
            rank[first + rows, b] = np.where(values > 0, columns, -1)
    return iou, rank
