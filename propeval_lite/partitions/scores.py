"""Scoring a partition by many measures at once, its pixels counted only once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.values import InputError, fail, is_number
from propeval_lite.partitions.boundaries import fb_counts
from propeval_lite.partitions.contingency import Contingency, contingency_tables
from propeval_lite.partitions.measures import FB, FOP, REGION_F, REGION_MEASURES, Measure
from propeval_lite.partitions.objects_parts import fop_of_tables
from propeval_lite.partitions.pairs import region_f_of_tables


def partition_scores(partition: object, truths: Iterable, void: int | None = None) -> pd.Series:
    """Score a partition by every region measure.

    Parameters
    ----------
    partition : int array
        Label of each pixel, >= 0.
    truths : sequence of int arrays
        At least one, each of the partition's shape.
    void : int, optional
        Truth label of pixels that a truth leaves out.

    Returns
    -------
    Series
        One value per name in `REGION_MEASURES`. NaN where a measure is undefined for one of the truths (see
        `rand_index`, `region_precision`, `region_recall`, `region_f`).

    Notes
    -----
    All measures of `REGION_MEASURES` are averaged over the truths (§6.3), except ``region_f``: it is F of the mean
    precision and the mean recall, as in the authors' code (see `region_f_of_tables`). The two with a definition of
    their own for several truths are `fop` and `fb`.

    References
    ----------
    Pont-Tuset & Marqués, §3, Table 1, and §6.3 for several truths.

    Examples
    --------
    >>> scores = partition_scores([0, 0, 1, 1], [[0, 0, 0, 1], [0, 0, 1, 1]])
    >>> float(scores["pri"]), float(scores["hamming_partition"])
    (0.75, 0.125)
    """
    return table_scores(contingency_tables(partition, truths, void))


def table_scores(tables: list[Contingency]) -> pd.Series:
    """Score by every region measure from contingency tables that are already counted, one per truth.

    Parameters
    ----------
    tables : list of Contingency
        See `contingency_tables`.

    Returns
    -------
    Series
        As `partition_scores`.

    Examples
    --------
    >>> from propeval_lite.partitions.contingency import contingency
    >>> float(table_scores([contingency([0, 1], [0, 1])])["bgm"])
    0.0
    """
    values = {
        name: measure.of_tables(tables) for name, measure in REGION_MEASURES.items() if measure.of_tables
    }
    return pd.Series(values, name="score")


def score_all(measures: Sequence[Measure], partition: np.ndarray, truths: Iterable, where: str = "") -> dict:
    """Score one partition by several measures, counting pixels only once.

    Parameters
    ----------
    measures : sequence of Measure
        See `find_measure`.
    partition : int array, shape (height, width)
        Labels >= 0.
    truths : sequence of int arrays, shape (height, width)
        At least one.
    where : str
        Named in errors, such as the image.

    Returns
    -------
    dict
        One float per measure; with `fop` also ``fop_precision, fop_recall``, with ``region_f`` likewise, with `fb`
        also the counts ``matched_truth, truth, matched_partition, partition`` of `fb_counts`.

    Examples
    --------
    >>> from propeval_lite.partitions.measures import MEASURES
    >>> score_all([MEASURES["pri"], MEASURES["bgm"]], np.array([[0, 0, 1]]), [np.array([[0, 0, 1]])])
    {'pri': 1.0, 'bgm': 0.0}
    """
    truths = list(truths)
    counted = any(measure.of_tables is not None or measure == FOP for measure in measures)
    tables = contingency_tables(partition, truths) if counted else []
    scores: dict[str, float] = {}
    for measure in measures:
        if measure in (FOP, REGION_F):
            values = fop_of_tables(tables) if measure == FOP else region_f_of_tables(tables)
            names = (measure.name, f"{measure.name}_precision", f"{measure.name}_recall")
            scores.update(zip(names, values, strict=True))
        elif measure.of_tables is not None:
            scores[measure.name] = measure.of_tables(tables)
        elif measure == FB:
            counts = fb_counts(partition, truths)
            scores.update(fb=counts.scores()[0], **counts._asdict())
        else:
            scores[measure.name] = _own_score(measure, partition, truths, where)
    return scores


def _own_score(measure: Measure, partition: np.ndarray, truths: list, where: str) -> float:
    place = f"{measure.name} on {where}" if where else measure.name
    # A measure that writes into its arguments would change what the next measure sees.
    partition, *truths = (_read_only(labels) for labels in (partition, *truths))
    try:
        value = measure(partition, truths)
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"{place}: expected a score, got {type(error).__name__}: {error}. The measure is called with an int "
            f"array (height, width) and a list of such arrays."
        ) from error
    if not is_number(value):
        shown = f"{type(value).__name__} of {len(value)}" if isinstance(value, (tuple, list)) else repr(value)
        raise fail("one number", shown, "Return a single float.", place)
    return float(value)


def _read_only(labels: np.ndarray) -> np.ndarray:
    view = np.asarray(labels).view()
    view.flags.writeable = False
    return view
