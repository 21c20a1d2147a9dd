"""Objectness measurement ability: recall less what chance would hit, and its average over thresholds."""

from __future__ import annotations

import weakref
from fractions import Fraction

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.values import check_flag, check_positive_int, check_threshold, fail, threshold_list
from propeval_lite.boxes.curves import Curve, curve_per_threshold, make_curve, mean_over
from propeval_lite.boxes.table import Overlaps, check_overlaps
from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import choose_lattice, count_candidates, object_lattice
from propeval_lite.chance.probability import hit_probability
from propeval_lite.datasets.base import Dataset

# What is known of the objects of a data set: id -> its tables at that time, {key: column}; it goes with its data set.
_KNOWN: dict[int, tuple[list[pd.DataFrame], dict[tuple, np.ndarray]]] = {}


def oma(
    overlaps: Overlaps, tau, average: str = "object", lattice: str | None = None, round: bool = False
) -> Curve | pd.DataFrame:
    """Recall less the recall of as many boxes drawn at random, for each budget.

    Parameters
    ----------
    overlaps : Overlaps
        A table that knows its data set, with finite budgets.
    tau : float or sequence of float
        IoU thresholds in (0, 1].
    average : {"object", "image"}
        Over all objects at once, or over the means of images, as in the paper. Images without objects are
        left out. The default is that of :func:`recall`, so that recall less OMA is :func:`chance_recall`.
    lattice : {"pixels", "edges"}, optional
        The lattice of corners that random boxes are drawn from, see :func:`~propeval_lite.chance.object_lattice`.
    round : bool
        Move objects that lie off the lattice onto it, see :func:`~propeval_lite.chance.object_lattice`.

    Returns
    -------
    Curve or DataFrame
        Indexed by budget; for several thresholds one row per threshold and one column per budget. From -1 to
        1; 0 is chance. NaN where there are no objects. ``.attrs`` holds the conventions.

    Notes
    -----
    Per image, as the paper has it: ``(1/N) Σ_i (|H_i| - Σ_j HPRS(o_ij, k)) / |O_i|`` over the N images with objects
    O_i, of which H_i are hit by k proposals. Chance draws k boxes in every image, also where a method has fewer; where
    k exceeds the number of boxes of an image it draws them all.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §4, eq. 8.

    Examples
    --------
    One object fills half of a 2 x 1 image. Its 3 candidates are itself, the other half and both, which has
    an IoU of one half: two of three hit.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [2], "height": [1]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", "x1": 0, "y1": 0,
    ...                         "x2": 1, "y2": 1, "ignore": False})
    >>> table = Overlaps.from_iou([[1.0]], budgets=[1], dataset=Dataset("half", images, objects))
    >>> round(float(oma(table, 0.5)), 4)
    0.3333
    """
    chosen = _conventions(overlaps, lattice, round)
    curves = [
        mean_over(overlaps, overlaps.hits(level) - object_chance(overlaps, level, lattice, round), average)
        for level in threshold_list(tau)
    ]
    found = curve_per_threshold(overlaps, tau, curves, "OMA", average)
    found.attrs |= chosen
    return found


def average_oma(
    overlaps: Overlaps,
    n_iou: int = 10,
    average: str = "object",
    lattice: str | None = None,
    round: bool = False,
) -> Curve:
    """OMA averaged over the thresholds ½ + k / (2 n_iou), k = 1 … n_iou, for each budget.

    Parameters
    ----------
    overlaps, average, lattice, round
        As in :func:`oma`.
    n_iou : int
        Number of thresholds; ten are .55, .60, … 1.

    Returns
    -------
    Curve
        Indexed by budget; NaN where there are no objects.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §4, eq. 9.

    Examples
    --------
    The object of :func:`oma`. Above one half only itself hits, which chance draws in one of three cases.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [2], "height": [1]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", "x1": 0, "y1": 0,
    ...                         "x2": 1, "y2": 1, "ignore": False})
    >>> table = Overlaps.from_iou([[1.0]], budgets=[1], dataset=Dataset("half", images, objects))
    >>> round(float(average_oma(table)), 4), round(float(chance_recall(table, 0.8)), 4)
    (0.6667, 0.3333)
    """
    chosen = _conventions(overlaps, lattice, round)
    n_iou = check_positive_int(n_iou, "n_iou")
    total = np.zeros((len(overlaps), len(overlaps.budgets)))
    for k in range(1, n_iou + 1):
        level = Fraction(n_iou + k, 2 * n_iou)
        total += overlaps.hits(level) - object_chance(overlaps, level, lattice, round)
    found = make_curve(overlaps, mean_over(overlaps, total / n_iou, average), "average OMA", average)
    found.attrs |= chosen
    return found


def chance_recall(
    overlaps: Overlaps, tau, average: str = "object", lattice: str | None = None, round: bool = False
) -> Curve | pd.DataFrame:
    """Recall that boxes drawn at random would have, for each budget: recall less OMA.

    Parameters
    ----------
    overlaps, tau, average, lattice, round
        As in :func:`oma`; the overlaps themselves are not looked at.

    Returns
    -------
    Curve or DataFrame
        As of :func:`oma`, from 0 to 1.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.3 and eq. 8.

    Examples
    --------
    An object that fills its 2 x 2 image. Its 9 candidates are four pixels, four halves (IoU one half) and itself.

    >>> images = pd.DataFrame({"image_id": ["a"], "width": [2], "height": [2]})
    >>> objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", "x1": 0, "y1": 0,
    ...                         "x2": 2, "y2": 2, "ignore": False})
    >>> table = Overlaps.from_iou([[1.0]], budgets=[1], dataset=Dataset("full", images, objects))
    >>> chance_recall(table, [0.5, 1])[1].round(4).tolist()
    [0.5556, 0.1111]
    """
    chosen = _conventions(overlaps, lattice, round)
    curves = [
        mean_over(overlaps, object_chance(overlaps, level, lattice, round), average)
        for level in threshold_list(tau)
    ]
    found = curve_per_threshold(overlaps, tau, curves, "chance", average)
    found.attrs |= chosen
    return found


def object_chance(overlaps: Overlaps, tau, lattice: str | None = None, round: bool = False) -> np.ndarray:
    """HPRS of each object at threshold `tau` for each budget; counted once per object of a data set.

    Parameters
    ----------
    overlaps, lattice, round
        As in :func:`~propeval_lite.oma`.
    tau : float, str or Fraction
        One threshold.

    Returns
    -------
    ndarray of float64, shape (n_objects, n_budgets)
    """
    level = check_threshold(tau)
    lattice, round = _conventions(overlaps, lattice, round).values()
    if not np.isfinite(overlaps.budgets).all():
        raise fail(
            "finite budgets", overlaps.budgets.tolist(), "Chance needs a number of draws: name it in match."
        )
    dataset, rows = overlaps.known_dataset(), overlaps.object_row
    known = _known(dataset)
    n_total = known.setdefault((lattice, round), np.zeros(len(dataset.objects), np.int64))
    n_hit = known.setdefault((lattice, round, level), np.zeros(len(dataset.objects), np.int64))
    # No count and no chance is 0 (an object hits itself), so 0 stands for "not yet known".
    missing = np.unique(rows[n_hit[rows] == 0])
    if missing.size:
        boxes, sizes = object_lattice(dataset, missing, lattice, round)
        n_total[missing] = count_candidates(sizes)
        n_hit[missing] = count_hits(boxes, sizes, level)
    table = np.empty((len(rows), len(overlaps.budgets)))
    for i, k in enumerate(overlaps.budgets.astype(np.int64).tolist()):
        chance = known.setdefault((lattice, round, level, k), np.zeros(len(dataset.objects)))
        missing = np.unique(rows[chance[rows] == 0])
        drawn = np.minimum(k, n_total[missing])
        chance[missing] = hit_probability(n_hit[missing], n_total[missing], drawn)
        table[:, i] = chance[rows]
    return table


def _known(dataset: Dataset) -> dict[tuple, np.ndarray]:
    """Columns known of the objects of this very data set, as long as nobody edits its tables."""
    key = id(dataset)
    tables = [dataset.objects[["image_id", *BOX_COLUMNS]], dataset.images[["image_id", "width", "height"]]]
    if key not in _KNOWN:
        weakref.finalize(dataset, _KNOWN.pop, key, None)
    elif all(map(pd.DataFrame.equals, tables, _KNOWN[key][0])):
        return _KNOWN[key][1]
    _KNOWN[key] = (tables, {})
    return _KNOWN[key][1]


def _conventions(overlaps: Overlaps, lattice: str | None, round: bool) -> dict:
    """Return the choices that move the chance of an object."""
    dataset = check_overlaps(overlaps).known_dataset()
    return {"lattice": choose_lattice(dataset, lattice), "round": check_flag(round, "round")}
