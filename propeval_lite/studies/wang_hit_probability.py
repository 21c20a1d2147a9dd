"""Chance as a study: IoU while corners move, hits and HPRS of whole data sets, and what counting costs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import numba
import numpy as np
import pandas as pd

from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import count_candidates
from propeval_lite.chance.omega import omega_max, omega_min
from propeval_lite.chance.probability import hit_probability
from propeval_lite.datasets.base import Dataset
from propeval_lite.results.store import kept

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


def corner_iou(first_x, first_y, second_x, second_y, box: Sequence[float]):
    """Return the IoU of an object with candidates given by their corners; arrays broadcast."""
    shared_x = np.minimum(second_x, box[2]) - np.maximum(first_x, box[0])
    shared_y = np.minimum(second_y, box[3]) - np.maximum(first_y, box[1])
    shared = np.clip(shared_x, 0, None) * np.clip(shared_y, 0, None)
    area = (box[2] - box[0]) * (box[3] - box[1])
    return shared / ((second_x - first_x) * (second_y - first_y) + area - shared)


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
    pair = (x[:, None], y, *partner) if first else (*partner, x[:, None], y)
    hits = corner_iou(*pair, box) >= tau - 1e-12
    low, high = y[hits.argmax(axis=1)], y[::-1][hits[:, ::-1].argmax(axis=1)]
    return table.assign(low=low, high=high)[hits.any(axis=1)]


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
                rows.append((*key, tau, k, len(p), p.mean(), *np.quantile(p, list(QUANTILES.values()))))
    return pd.DataFrame(rows, columns=[*groups, "tau", "k", "objects", "mean", *QUANTILES])


def on_voc(name: str, fresh: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of this run on VOC, or those a `paper` run kept, or `fresh` if there are neither."""
    parts = []
    for spec in VOC:
        rows = fresh[fresh["spec"] == spec]
        parts.append(rows if len(rows) else kept(spec, name))
    found = [part for part in parts if part is not None]
    return pd.concat(found, ignore_index=True) if found else fresh


def by_size_beside(chosen: pd.DataFrame) -> pd.DataFrame:
    """Put the data sets of a summary by size side by side: objects and mean HPRS, smallest class first."""
    values = ["objects", "mean"]
    ordered = chosen.assign(size=pd.Categorical(chosen["size"], CLASSES))
    wide = ordered.pivot_table(values, "size", "dataset", observed=True)[values]
    titles = {"objects": "objects", "mean": "HPRS"}
    whole = [what == "objects" for what, _ in wide.columns]
    wide.columns = [f"{name}: {titles[what]}" for what, name in wide.columns]
    return wide.astype(dict.fromkeys(wide.columns[whole], "Int64")).reset_index()


def pairs_tried(box: Sequence[int], size: Sequence[int], tau) -> int:
    """Count the pairs that Algorithm 1 tries: corners of both regions inside the image, multiplied."""
    counts = []
    for region in (omega_min(box, tau), omega_max(box, tau)):
        low, high = region.bounds(np.arange(1, size[0] + 1))
        low, high = np.ceil(low - 1e-9), np.floor(high + 1e-9)
        rows = np.minimum(high, size[1]) - np.maximum(low, 1) + 1
        counts.append(int(np.nansum(np.maximum(rows, 0))))
    return math.prod(counts)


def work_table(objects: pd.DataFrame, taus: Sequence[float]) -> pd.DataFrame:
    """Return mean candidates, pairs of Algorithm 1 and hits per object, for each data set and threshold."""
    rows = []
    for label, table in objects.groupby("dataset", sort=False):
        for tau in taus:
            pairs = [pairs_tried(row[:4], row[4:], tau) for row in table[BOX + SIZE].to_numpy().tolist()]
            hits = count_hits(table[BOX], table[SIZE], tau).mean()
            means = table["candidates"].mean(), np.mean(pairs), hits
            rows.append((label, table["spec"].iloc[0], tau, len(table), *means))
    columns = ["dataset", "spec", "tau", "objects", "candidates", "pairs", "hits"]
    work = pd.DataFrame(rows, columns=columns)
    work["candidates / pairs"] = work["candidates"] / work["pairs"]
    return work.assign(**{"pairs / hits": work["pairs"] / work["hits"]})


def threads() -> int:
    """Return on how many threads hits are counted."""
    return numba.get_num_threads()


def seconds_each(objects: pd.DataFrame, tau, method: str, repeats: int = 1) -> tuple[np.ndarray, float]:
    """Return the hits, and the fastest of some runs on one core in processor seconds per object."""
    boxes, sizes, best = objects[BOX].to_numpy(), objects[SIZE].to_numpy(), math.inf
    before = threads()
    numba.set_num_threads(1)
    try:
        count_hits([(1, 1, 3, 3)], (4, 4), 0.5, method=method)  # compiles, if nobody has called it yet
        for _ in range(repeats):
            start = time.process_time()
            hits = count_hits(boxes, sizes, tau, method=method)
            best = min(best, time.process_time() - start)
    finally:
        numba.set_num_threads(before)
    return hits, best / len(objects)


def table_1(paper: pd.DataFrame, timing: pd.DataFrame, work: pd.DataFrame) -> pd.DataFrame:
    """Put the paper's Table 1 beside the times and the boxes tried here, a row per data set and threshold."""
    key = ["spec", "tau"]
    theirs = paper.pivot_table("seconds_per_object", ["dataset", "tau"], "method").reset_index()
    theirs["spec"] = theirs["dataset"].str.lower().str.replace(" ", "")
    here = timing.merge(work[[*key, "candidates / pairs"]], on=key)
    both = theirs.merge(here, on=key, how="outer", suffixes=("", "_here"))
    both["dataset"] = both["dataset"].fillna(both["dataset_here"])
    return both.assign(**{"paper's ratio": both["Exhaustion"] / both["Algorithm 1"]})
