"""Every measure of a partition by name, measures of the user's own, and many measures of one partition at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from propeval_lite._checks.imports import import_function
from propeval_lite._checks.values import InputError, fail
from propeval_lite.partitions.boundaries import FB, BoundaryCounts, fb, fb_counts
from propeval_lite.partitions.contingency import contingency_tables
from propeval_lite.partitions.objects_parts import FOP, fop, fop_of_tables
from propeval_lite.partitions.regions import normalised_voi
from propeval_lite.partitions.scores import MEASURES, Measure


def _voi_by_regions(partition: object, truths: Iterable) -> float:
    tables = contingency_tables(partition, truths)
    return math.fsum(normalised_voi(table, by="regions") for table in tables) / len(tables)


#: Variation of information divided by its bound for the number of regions.
NVOI_REGIONS = Measure(
    "nvoi_regions",
    "nVoI (regions)",
    _voi_by_regions,
    0.0,
    1.0,
    False,
    "§3.1 eq. 7",
    partial(normalised_voi, by="regions"),
)

#: Every measure of the library by name.
BUILT_IN: dict[str, Measure] = {
    **MEASURES,
    **{measure.name: measure for measure in (NVOI_REGIONS, FOP, FB)},
}

# Columns of the tables of scores, which a measure of the user's own must not overwrite.
_COLUMNS = {"image_id", "other_id", "same", "parameter", "swapped", "regions", "method", "kind", "split"}
_COLUMNS |= {"fop_precision", "fop_recall", *BoundaryCounts._fields}

#: The measures of Table 2, in its order. Its NVI is reached with the bound for regions, not with that for pixels.
TABLE_2 = (
    "fb",
    "fop",
    "nvoi_regions",
    "covering_truth",
    "bce",
    "pri",
    "van_dongen",
    "bgm",
    "hamming_partition",
    "region_f",
    "covering_partition",
    "hamming_truth",
)


def find_measure(spec: str | Callable | Measure, higher_is_better: bool | None = None) -> Measure:
    """Return the measure that `spec` names.

    Parameters
    ----------
    spec : str, callable or Measure
        A name of `BUILT_IN`, ``"package.module:function"``, or a function
        ``f(partition, truths) -> float`` of your own: `partition` is an int array (height, width), `truths` a
        list of such arrays.
    higher_is_better : bool, optional
        Direction of a measure of your own. Without it the function must have an attribute of this name.

    Returns
    -------
    Measure

    Examples
    --------
    >>> find_measure("voi").higher_is_better
    False
    >>> regions = find_measure(lambda partition, truths: float(partition.max()), higher_is_better=False)
    >>> regions(np.array([[0, 1]]), [])
    1.0
    """
    if isinstance(spec, str) and spec not in BUILT_IN:
        if ":" not in spec:
            raise fail(
                f"a measure of {', '.join(BUILT_IN)}, or package.module:function",
                repr(spec),
                "Correct the spelling, or name your own function.",
                "measure",
            )
        name, spec = spec, import_function(spec)
    else:
        name = getattr(spec, "__name__", type(spec).__name__)
    # The public functions return precision and recall too; as a measure they mean their F.
    for function, measure in ((fop, FOP), (fb, FB)):
        spec = measure if spec is function else spec
    known = BUILT_IN[spec] if isinstance(spec, str) else spec
    if isinstance(known, Measure):
        if higher_is_better is not None and bool(higher_is_better) != known.higher_is_better:
            raise fail(
                f"higher_is_better={known.higher_is_better} for {known.name}",
                higher_is_better,
                "Leave the direction out for a measure of the library.",
                "measure",
            )
        return known
    if not callable(known):
        raise fail(
            "a measure's name or a function", repr(spec), "Give f(partition, truths) -> float.", "measure"
        )
    direction = getattr(known, "higher_is_better", None) if higher_is_better is None else higher_is_better
    if not isinstance(direction, (bool, np.bool_)):
        raise fail(
            "the direction of a measure of your own",
            "none" if direction is None else repr(direction),
            "Pass higher_is_better=True or False, or set it as an attribute of the function.",
            name,
        )
    if name in BUILT_IN or name in _COLUMNS:
        name = f"own:{name}"
    return Measure(name, name, known, -math.inf, math.inf, bool(direction), "own")


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
        One float per measure; with `fop` also ``fop_precision, fop_recall``, with `fb` also the counts
        ``matched_truth, truth, matched_partition, partition`` of `fb_counts`.

    Examples
    --------
    >>> score_all([BUILT_IN["pri"], BUILT_IN["bgm"]], np.array([[0, 0, 1]]), [np.array([[0, 0, 1]])])
    {'pri': 1.0, 'bgm': 0.0}
    """
    truths = list(truths)
    tables = None
    if any(measure.of_table is not None or measure is FOP for measure in measures):
        tables = contingency_tables(partition, truths)
    scores = {}
    for measure in measures:
        if measure.of_table is not None:
            scores[measure.name] = math.fsum(map(measure.of_table, tables)) / len(tables)
        elif measure is FOP:
            values = fop_of_tables(tables)
            scores.update(zip(("fop", "fop_precision", "fop_recall"), values, strict=True))
        elif measure is FB:
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
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        shown = f"{type(value).__name__} of {len(value)}" if isinstance(value, (tuple, list)) else repr(value)
        raise fail("one number", shown, "Return a single float.", place)
    return float(value)


def _read_only(labels: np.ndarray) -> np.ndarray:
    view = np.asarray(labels).view()
    view.flags.writeable = False
    return view
