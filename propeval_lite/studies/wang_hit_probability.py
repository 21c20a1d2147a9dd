"""Chance as a study: IoU while corners move, made-up boxes for the checks, hits and HPRS of whole data sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import count_candidates, object_lattice
from propeval_lite.chance.omega import omega_max, omega_min
from propeval_lite.chance.probability import hit_probability
from propeval_lite.datasets.base import Dataset
from propeval_lite.results.provenance import Result
from propeval_lite.results.store import fresh_or_stored

BOX, SIZE = ["x1", "y1", "x2", "y2"], ["W", "H"]
#: First corners of the sliding boxes, as shares of the object's sides away from its own first corner.
FIRST = {
    "right and below": (0.3, 0.3),
    "left and above": (-0.3, -0.3),
    "left and below": (-0.3, 0.3),
    "right and above": (0.3, -0.3),
}
#: Classes of objects by their share of the image: ends and names.
ENDS = (0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
CLASSES = ("below 0.1 %", "0.1–0.3 %", "0.3–1 %", "1–3 %", "3–10 %", "10–30 %", "over 30 %")
QUANTILES = {"q10": 0.1, "q25": 0.25, "median": 0.5, "q75": 0.75, "q90": 0.9}
VOC = ("voc2007", "voc2012")
#: Given partners of a corner: how far outside the object's own corner they lie, as multiples of 1 - τ of its sides.
PARTNERS = {
    "the object's own corner": (0, 0),
    "a corner outside": (0.4, 0.3),
    "a corner inside": (-0.3, -0.4),
}
KINDS = ("anywhere", "border", "whole image", "one by one")
TAUS = ("1/10", "1/3", "1/2", "3/5", "7/10", "4/5", "9/10", "1")


class Case(NamedTuple):
    """A made-up box on which formulas and counts are checked: x1, y1, x2, y2 on a lattice of `size`."""

    kind: str
    box: list[int]
    size: tuple[int, int]
    tau: str


def made_up_cases(n: int, rng: np.random.Generator) -> list[Case]:
    """Return `n` boxes, the :data:`KINDS` in turn, in images of 2 to 12 points a side."""
    cases = []
    for i in range(n):
        kind = KINDS[i % len(KINDS)]
        size = rng.integers(2, 13, 2)
        low = rng.integers(1, size)
        high = rng.integers(low + 1, size + 1)
        if kind in ("border", "whole image"):
            low = np.ones(2, int)
        high = {"whole image": size, "one by one": low + 1}.get(kind, high)
        box = [*low.tolist(), *high.tolist()]
        cases.append(Case(kind, box, tuple(size.tolist()), TAUS[rng.integers(len(TAUS))]))
    return cases


def count_cases(cases: Sequence[Case], method: str) -> np.ndarray:
    """Return the hits of each made-up box by one of the ways of `count_hits`."""
    hits, levels = np.zeros(len(cases), int), np.array([case.tau for case in cases])
    for tau in np.unique(levels):
        rows = np.flatnonzero(levels == tau).tolist()
        boxes, sizes = [cases[i].box for i in rows], [cases[i].size for i in rows]
        hits[rows] = count_hits(boxes, sizes, str(tau), method=method)
    return hits


def wrong_counts(cases: Sequence[Case], truth: np.ndarray, found: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return per kind of box how many there are, their true hits, and how many counts of each way are wrong."""
    table = pd.DataFrame({"kind of box": [case.kind for case in cases], "boxes": 1, "hits": truth})
    table = table.assign(**{way: (counted != truth).astype(int) for way, counted in found.items()})
    return table.groupby("kind of box", sort=False).sum().reset_index()


def equation_table(verdicts: Sequence[tuple]) -> pd.DataFrame:
    """Sum verdicts (equation, true corners, corners missed, corners wrongly added), one per box, over each equation."""
    table = pd.DataFrame(verdicts, columns=["equation", "corners", "missed", "added"])
    table["wrong"] = table["missed"] + table["added"] > 0
    names = {"boxes": ("wrong", "size"), "boxes wrong": ("wrong", "sum"), "corners": ("corners", "sum"),
             "corners missed": ("missed", "sum"), "corners wrongly added": ("added", "sum")}  # fmt: skip
    return table.groupby("equation", sort=False).agg(**names).reset_index()


def corner_iou(first_x, first_y, second_x, second_y, box: Sequence[float]):
    """Return the IoU of an object with candidates given by their corners; arrays broadcast."""
    shared_x = np.minimum(second_x, box[2]) - np.maximum(first_x, box[0])
    shared_y = np.minimum(second_y, box[3]) - np.maximum(first_y, box[1])
    shared = np.clip(shared_x, 0, None) * np.clip(shared_y, 0, None)
    area = (box[2] - box[0]) * (box[3] - box[1])
    return shared / ((second_x - first_x) * (second_y - first_y) + area - shared)


def example_boxes(box: Sequence[int], tau: float) -> pd.DataFrame:
    """Return boxes around an object, some of which hit: shifted, too large, too small.

    Parameters
    ----------
    box : x1, y1, x2, y2 of the object
    tau : float

    Returns
    -------
    DataFrame
        Columns ``x1, y1, x2, y2, iou, hits``.

    Examples
    --------
    >>> example_boxes([10, 10, 20, 30], 0.5)["hits"].tolist()
    [True, True, False, False]
    """
    corners = np.array(box, dtype=np.float64)
    w, h = corners[2] - corners[0], corners[3] - corners[1]
    steps = [(0.1, 0.1, 0.1, 0.1), (-0.1, -0.05, 0.05, 0.1), (0.6, 0.3, 0.6, 0.3), (0.1, 0.5, -0.4, 0)]
    x1, y1, x2, y2 = (corners + np.array(steps) * [w, h, w, h]).T
    table = pd.DataFrame({"x1": x1, "y1": y1, "x2": x2, "y2": y2, "iou": corner_iou(x1, y1, x2, y2, box)})
    return table.assign(hits=table["iou"] >= tau)


def sliding_curves(box: Sequence[int]) -> pd.DataFrame:
    """Return IoU while the right side of a candidate moves, its lower side too low, then its lower side.

    Columns ``side, first_corner, position, iou``, for the first corners of :data:`FIRST`. While the lower
    side moves, the right side is the object's own.
    """
    x1, y1, x2, y2 = box
    w, h = x2 - x1, y2 - y1
    parts = []
    for label, (right, down) in FIRST.items():
        x, y = x1 + right * w, y1 + down * h
        across = np.arange(x2 - w // 2, x2 + w // 2 + 1)
        along = np.arange(y2 - h // 2, y2 + h // 2 + 1)
        curves = {
            "right side": (across, corner_iou(x, y, across, y2 + h / 2, box)),
            "lower side": (along, corner_iou(x, y, x2, along, box)),
        }
        for side, (position, value) in curves.items():
            table = {"side": side, "first_corner": label, "position": position, "iou": value}
            parts.append(pd.DataFrame(table))
    return pd.concat(parts)


def printed_spans(places: Sequence[Sequence[float]], tau: float, far: float = 200) -> pd.DataFrame:
    """Return the rows of Ω_min at each x, derived and as printed, of objects whose boxes are `places`.

    Columns ``place`` (x1 of the object), ``formula, x, low, high``; NaN for rows `far` from 0 or further.
    """
    parts = []
    for place in places:
        for formula in ("derived", "as printed"):
            region = omega_min(place, tau, printed=formula == "as printed")
            x = np.linspace(*region.x_range, 241)
            low, high = (np.where(abs(v) < far, v, np.nan) for v in region.bounds(x))
            table = {"place": place[0], "formula": formula, "x": x, "low": low, "high": high}
            parts.append(pd.DataFrame(table))
    return pd.concat(parts)


def partner_rows(box: Sequence[float], tau: float, corner: str, step: tuple[float, float]) -> pd.DataFrame:
    """Return, at each x, the rows in which a corner hits with a given partner.

    Parameters
    ----------
    box : x1, y1, x2, y2 of the object
    tau : float
        IoU threshold.
    corner : {"min", "max"}
        Corner that is looked for, the first or the second.
    step : tuple of float
        How far the partner lies outside the object's own corner, in shares of the object's sides.

    Returns
    -------
    DataFrame
        Columns ``corner, partner_x, partner_y, x, low, high``, only where something hits. For a step of
        (0, 0) the rows are those of the formula, else they are found by trying 961 of them.
    """
    x1, y1, x2, y2 = box
    first = corner == "min"
    region = (omega_min if first else omega_max)(box, tau)
    x, y = np.linspace(*region.x_range, 241), np.linspace(*region.y_range, 961)
    own, sign = ((x2, y2), 1) if first else ((x1, y1), -1)
    partner = own[0] + sign * step[0] * (x2 - x1), own[1] + sign * step[1] * (y2 - y1)
    table = pd.DataFrame({"corner": corner, "partner_x": partner[0], "partner_y": partner[1], "x": x})
    if tuple(step) == (0, 0):
        low, high = region.bounds(x)
        return table.assign(low=low, high=high)
    pair: tuple[Any, Any, Any, Any] = (x[:, None], y, *partner) if first else (*partner, x[:, None], y)
    hits = corner_iou(*pair, box) >= tau - 1e-12
    low, high = y[hits.argmax(axis=1)], y[::-1][hits[:, ::-1].argmax(axis=1)]
    return table.assign(low=low, high=high)[hits.any(axis=1)]


def partner_regions(box: Sequence[float], tau: float) -> pd.DataFrame:
    """Return the rows of :func:`partner_rows` for both corners and all :data:`PARTNERS`, named in ``partner``."""
    parts = []
    for corner in ("min", "max"):
        for label, (across, down) in PARTNERS.items():
            part = partner_rows(box, tau, corner, (across * (1 - tau), down * (1 - tau)))
            part.insert(1, "partner", label)
            parts.append(part)
    return pd.concat(parts)


def rounding_errors(
    ways: Mapping[str, Callable], referee: Callable, totals: Sequence[int], draws: Sequence[int]
) -> pd.DataFrame:
    """Compare ways to compute HPRS with a referee, for one hit in a million candidates but at least one.

    Each way and the referee take hits, candidates and draws; the referee returns a Decimal. Draws that leave
    no room for a miss are left out.
    """
    rows = []
    for total in totals:
        n = max(1, total // 10**6)
        for drawn in (drawn for drawn in draws if drawn + n <= total):
            truth = referee(n, total, drawn)
            for way, compute in ways.items():
                value = float(compute(n, total, drawn))
                error = float(abs(Decimal(value) / truth - 1))
                rows.append((way, drawn, total, n, float(truth), value, error))
    columns = ["way", "k", "candidates", "hits", "hprs", "computed", "relative_error"]
    return pd.DataFrame(rows, columns=columns)


def object_table(data: Dataset, label: str, boxes, sizes, hits: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return one row per object: where it is, how many candidates its image has, and columns of `hits`."""
    table = data.objects[["image_id", "object_id", "category"]].copy()
    table.insert(0, "dataset", label)
    table.insert(1, "spec", data.provenance["spec"])
    table[BOX + SIZE] = np.hstack([boxes, sizes]).astype(int)
    table["candidates"] = count_candidates(sizes)
    return table.assign(**hits)


def count_objects(
    data_sets: Sequence[Dataset], taus: Sequence[float], tau: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    """Count the boxes that hit each object, ignored ones too; corners off the lattice move to the nearest point.

    Parameters
    ----------
    data_sets : sequence of Dataset
        Two of one name are told apart by their place.
    taus : sequence of float
        Thresholds of the columns ``hits_TAU``.
    tau : float
        Threshold of the column ``hits``.

    Returns
    -------
    objects : DataFrame
        See :func:`object_table`; all data sets, each under its label in ``dataset``.
    seconds : dict
        For each data set, how long the counts at `taus` took.
    """
    tables = []
    seconds: dict[str, float] = {}
    for data in data_sets:
        label = data.name + (f" ({len(seconds) + 1})" if data.name in seconds else "")
        boxes, sizes = object_lattice(data, round=True)
        count_hits(boxes[:1], sizes[:1], taus)  # compiles what is timed
        start = time.perf_counter()
        counts = count_hits(boxes, sizes, taus)
        seconds[label] = time.perf_counter() - start
        hits = {f"hits_{level:g}": counts[:, i] for i, level in enumerate(taus)}
        hits["hits"] = count_hits(boxes, sizes, tau)
        tables.append(object_table(data, label, boxes, sizes, hits))
    return pd.concat(tables, ignore_index=True), seconds


def shares(objects: pd.DataFrame) -> pd.Series:
    """Return the share of its image that each object covers."""
    area = (objects["x2"] - objects["x1"]) * (objects["y2"] - objects["y1"])
    return area / ((objects["W"] - 1) * (objects["H"] - 1))


def summarise(
    objects: pd.DataFrame, groups: Sequence[str], taus: Sequence[float], draws: Sequence[int]
) -> pd.DataFrame:
    """Return the mean and :data:`QUANTILES` of HPRS per group of objects, threshold and number of draws.

    `objects` has a column ``hits_TAU`` for each threshold, beside ``candidates``.
    """
    rows = []
    for key, table in objects.groupby(list(groups), sort=False, observed=True):
        for tau in taus:
            for k in draws:
                p = hit_probability(table[f"hits_{tau:g}"], table["candidates"], k)
                rows.append((*key, tau, k, len(table), p.mean(), *np.quantile(p, list(QUANTILES.values()))))
    return pd.DataFrame(rows, columns=[*groups, "tau", "k", "objects", "mean", *QUANTILES])


def on_voc(name: str, fresh: pd.DataFrame, source: str) -> Result:
    """Offer the rows of this run for storing, and return those on VOC: of this run, or else of a stored one.

    Where neither knows VOC, the rows of this run are returned.
    """
    specs = dict.fromkeys([*fresh["spec"], *VOC])
    parts = {spec: fresh[fresh["spec"] == spec] for spec in specs}
    found = {
        spec: fresh_or_stored(rows if len(rows) else None, spec, name, source) for spec, rows in parts.items()
    }
    known = [found[spec] for spec in VOC if found[spec].known]
    if not known:
        return Result(fresh, f"{source}; {found[VOC[0]].origin}", stored=False)
    table = pd.concat([result.table for result in known], ignore_index=True)
    origin = "; ".join(dict.fromkeys(result.origin for result in known))
    return Result(table, origin, stored=all(result.stored for result in known))


def by_size_beside(chosen: pd.DataFrame) -> pd.DataFrame:
    """Put the data sets of a summary by size side by side: objects and mean HPRS, smallest class first."""
    values = ["objects", "mean"]
    ordered = chosen.assign(size=pd.Categorical(chosen["size"], CLASSES))
    wide = ordered.pivot_table(values, "size", "dataset", observed=True)[values]
    titles = {"objects": "objects", "mean": "HPRS"}
    whole = wide.columns.get_level_values(0) == "objects"
    wide.columns = wide.columns.map(lambda pair: f"{pair[1]}: {titles[pair[0]]}")
    return wide.astype(dict.fromkeys(wide.columns[whole], "Int64")).reset_index()
