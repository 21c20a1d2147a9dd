"""What a measure of partitions is, every measure of the library by name, and measures of the user's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from propeval_lite._checks.imports import import_function
from propeval_lite._checks.values import check_flag, check_list, fail
from propeval_lite.partitions import pairs, regions
from propeval_lite.partitions.boundaries import BoundaryCounts, fb
from propeval_lite.partitions.contingency import Contingency, contingency_tables, mean_of_tables
from propeval_lite.partitions.objects_parts import fop


@dataclass(frozen=True)
class Measure:
    """A measure of a partition against one or more truths, with what is needed to use and to rank it.

    Attributes
    ----------
    name, symbol : str
        Key in tables, and notation of the paper.
    score : callable
        ``score(partition, truths) -> float``.
    low, high : float
        Range of the values.
    higher_is_better : bool
        Direction.
    section : str
        Where the paper defines it.
    of_tables : callable or None
        ``of_tables(contingencies) -> float`` where the score needs nothing but a contingency table per truth.
    """

    name: str
    symbol: str
    score: Callable
    low: float
    high: float
    higher_is_better: bool
    section: str
    of_tables: Callable | None = None

    def __call__(self, partition: object, truths: Iterable) -> float:
        """Score `partition` against `truths`."""
        return self.score(partition, truths)

    def similarity(self, scores):
        """Turn scores so that higher is better: a distance d becomes 1 - d / high, without a bound -d."""
        if self.higher_is_better:
            return scores
        return 1 - scores / self.high if math.isfinite(self.high) else -scores

    def of_similarity(self, values):
        """Turn values of `similarity` back into scores."""
        if self.higher_is_better:
            return values
        return (1 - values) * self.high if math.isfinite(self.high) else -values


def _score(of_tables: Callable, partition: object, truths: Iterable, void: int | None = None) -> float:
    return of_tables(contingency_tables(partition, truths, void))


def _fb(partition: object, truths: Iterable) -> float:
    return fb(partition, truths)[0]


def _region_f(tables: list[Contingency]) -> float:
    return pairs.region_f_of_tables(tables)[0]


def _fop(partition: object, truths: Iterable) -> float:
    return fop(partition, truths)[0]


def _named(name: str, symbol: str, of_tables: Callable, high: float, up: bool, section: str) -> Measure:
    return Measure(name, symbol, partial(_score, of_tables), 0.0, high, up, section, of_tables)


#: Region measures that are averaged over the truths (§6.3): name, symbol, function of a table, highest value,
#: whether higher is better, section.
_AVERAGED: tuple[tuple[str, str, Callable, float, bool, str], ...] = (
    ("hamming_partition", "dH(S⇒G)", regions.hamming_partition, 1.0, False, "§3.1 eq. 3"),
    ("hamming_truth", "dH(G⇒S)", regions.hamming_truth, 1.0, False, "§3.1 eq. 3"),
    ("van_dongen", "dvD", regions.van_dongen, 2.0, False, "§3.1 eq. 5"),
    ("covering_truth", "C(S→G)", regions.covering_truth, 1.0, True, "§3.1 eq. 4"),
    ("covering_partition", "C(G→S)", regions.covering_partition, 1.0, True, "§3.1 eq. 4"),
    ("bgm", "BGM", regions.bipartite_matching, 1.0, False, "§3.1"),
    ("bce", "BCE", regions.consistency_error, 1.0, False, "§3.1 eq. 6"),
    ("voi", "VoI", regions.variation_of_information, math.inf, False, "§3.1 eq. 7"),
    ("nvoi", "nVoI", regions.normalised_voi, 1.0, False, "§3.1 eq. 7"),
    ("pri", "PRI", pairs.rand_index, 1.0, True, "§3.2 eq. 8"),
    ("region_precision", "Pr", pairs.region_precision, 1.0, True, "§3.2 eq. 9"),
    ("region_recall", "Rr", pairs.region_recall, 1.0, True, "§3.2 eq. 9"),
)

#: The region measures of Table 1 by name.
REGION_MEASURES = {
    name: _named(name, symbol, partial(mean_of_tables, of_table), high, up, section)
    for name, symbol, of_table, high, up, section in _AVERAGED
}
#: `region_f_of_tables` as a measure: its F.
REGION_F = _named("region_f", "Fr", _region_f, 1.0, True, "§3.2 eq. 9")
REGION_MEASURES[REGION_F.name] = REGION_F
#: `fop` and `fb` as measures: their F.
FOP = Measure("fop", "Fop", _fop, 0.0, 1.0, True, "§4 eq. 11")
FB = Measure("fb", "Fb", _fb, 0.0, 1.0, True, "§3.3")

#: Every measure of the library by name.
MEASURES = REGION_MEASURES | {"fop": FOP, "fb": FB}

#: The measures of Table 2, in its order.
TABLE_2 = (
    "fb",
    "fop",
    "nvoi",
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

# Columns of the tables of scores, which a measure of the user's own must not overwrite.
_COLUMNS = {
    "image_id",
    "annotator",
    "draw",
    "other_id",
    "same",
    "parameter",
    "swapped",
    "regions",
    "method",
    "kind",
    "split",
}
_COLUMNS |= {f"{name}_{side}" for name in ("fop", "region_f") for side in ("precision", "recall")}
_COLUMNS |= set(BoundaryCounts._fields)


def find_measures(specs: Iterable) -> list[Measure]:
    """Return the measures that a list names, at least one; two of one name are an error, see `find_measure`."""
    remedy = "Name at least one, as in ['fop']."
    judges: dict[str, Measure] = {}
    for judge in map(find_measure, check_list(specs, "a list of measures", remedy, "measures")):
        if judges.setdefault(judge.name, judge) != judge:
            # The scores of one would stand in the other's column.
            got = f"two called {judge.name!r}"
            raise fail("a name of its own for each measure", got, "Name the functions apart.", "measures")
    if not judges:
        raise fail("a list of measures", "an empty one", remedy, "measures")
    return list(judges.values())


def find_measure(spec: str | Callable | Measure, higher_is_better: bool | None = None) -> Measure:
    """Return the measure that `spec` names.

    Parameters
    ----------
    spec : str, callable or Measure
        A name of `MEASURES`, ``"package.module:function"``, or a function
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
    if higher_is_better is not None:
        higher_is_better = check_flag(higher_is_better, "higher_is_better")
    if isinstance(spec, str) and spec not in MEASURES:
        if ":" not in spec:
            expected, got = f"a measure of {', '.join(MEASURES)}, or package.module:function", repr(spec)
            raise fail(expected, got, "Correct the spelling, or name your own function.", "measure")
        name, spec = spec, import_function(spec)
    else:
        name = getattr(spec, "__name__", type(spec).__name__)
    # The public functions return precision and recall too; as a measure they mean their F.
    for function, measure in ((fop, FOP), (fb, FB)):
        spec = measure if spec is function else spec
    known = MEASURES[spec] if isinstance(spec, str) else spec
    if isinstance(known, Measure):
        if higher_is_better is not None and bool(higher_is_better) != known.higher_is_better:
            got, remedy = str(higher_is_better), "Leave the direction out for a measure of the library."
            raise fail(f"higher_is_better={known.higher_is_better} for {known.name}", got, remedy, "measure")
        return known
    if not callable(known):
        raise fail(
            "a measure's name or a function", repr(spec), "Give f(partition, truths) -> float.", "measure"
        )
    direction = getattr(known, "higher_is_better", None) if higher_is_better is None else higher_is_better
    if not isinstance(direction, (bool, np.bool_)):
        got = "none" if direction is None else repr(direction)
        remedy = "Pass higher_is_better=True or False, or set it as an attribute of the function."
        raise fail("the direction of a measure of your own", got, remedy, name)
    if name in MEASURES or name in _COLUMNS:
        name = f"own:{name}"
    return Measure(name, name, known, -math.inf, math.inf, bool(direction), "own")
