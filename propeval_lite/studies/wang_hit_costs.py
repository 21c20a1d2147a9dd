"""What it costs to count the boxes that hit: boxes tried, processor seconds, and the paper's Table 1."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

import numba
import numpy as np
import pandas as pd

from propeval_lite._checks.values import fail
from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.omega import omega_max, omega_min
from propeval_lite.studies.wang_hit_probability import BOX, SIZE

#: The three ways to count, and what a reader calls them.
WAYS = {"exhaustive": "exhaustion", "algorithm1": "Algorithm 1", "exact": "exact"}


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


class Timed(NamedTuple):
    """Seconds per object, and what they were measured on.

    Attributes
    ----------
    seconds : DataFrame
        ``dataset, spec, tau, exhaustion s, Algorithm 1 s, exact s``, and the ratios of the three on the same objects.
    sample : DataFrame
        ``dataset, tau``, how many objects each way was timed on, and the hits that the last two counted.
    """

    seconds: pd.DataFrame
    sample: pd.DataFrame


def time_ways(
    objects: pd.DataFrame, timed: tuple[int, int], taus: Sequence[float], rng: np.random.Generator
) -> Timed:
    """Time the three ways on objects drawn from each data set; counts that differ are an error.

    Parameters
    ----------
    objects : DataFrame
        From :func:`~propeval_lite.studies.wang_hit_probability.count_objects`.
    timed : int, int
        Objects timed by exhaustion and by Algorithm 1, from images that are not larger than the middle one.
    taus : sequence of float
        Thresholds; exhaustion is timed at the first, as its work does not depend on it.
    rng : Generator
        Draws the objects.

    Notes
    -----
    Exhaustion is measured in seconds per candidate on a few objects, times the candidates of the others.
    """
    seconds, sample = [], []
    for label, table in objects.groupby("dataset", sort=False):
        fits = table[table["candidates"] <= table["candidates"].median()]
        many = fits.iloc[rng.permutation(len(fits))[: timed[1]]]
        few = many.iloc[: timed[0]]
        tried, each = seconds_each(few, taus[0], "exhaustive")
        _agree(tried, count_hits(few[BOX], few[SIZE], taus[0]), "exhaustion")
        exhaustion = each / few["candidates"].mean() * many["candidates"].mean()
        for tau in taus:
            hits, algorithm1 = seconds_each(many, tau, "algorithm1")
            hits_exact, exact = seconds_each(many, tau, "exact", 5)
            _agree(hits, hits_exact, "Algorithm 1")
            times = exhaustion, algorithm1, exact, exhaustion / algorithm1, algorithm1 / exact
            seconds.append((label, table["spec"].iloc[0], tau, *times))
            sample.append((label, tau, len(few), len(many), hits.sum()))
    of_seconds = ["exhaustion s", "Algorithm 1 s", "exact s", "exh. / Alg. 1", "Alg. 1 / exact"]
    of_sample = ["by exhaustion", "by Algorithm 1 and exact", "hits, counted by the last two"]
    return Timed(
        pd.DataFrame(seconds, columns=["dataset", "spec", "tau", *of_seconds]),
        pd.DataFrame(sample, columns=["dataset", "tau", *of_sample]),
    )


def _agree(hits: np.ndarray, exact: np.ndarray, way: str) -> None:
    if (hits != exact).any():
        row = int(np.flatnonzero(hits != exact)[0])
        raise fail(
            f"{exact[row]} hits", f"{hits[row]} by {way}", "One of the two counts is wrong.", f"object {row}"
        )


def centred(ladder: Sequence[int], share: float) -> pd.DataFrame:
    """Return 25 boxes with that share of the sides of an image of `ladder` points, near its centre."""
    points = np.array(ladder)
    sides = np.maximum(2, np.round(points * share)).astype(int)
    # To one side of the centre only: the exact count would count mirror images once.
    shifts = np.array([(a, b) for a in range(2, 7) for b in range(2, 7)])
    start = np.clip((points - sides) // 2 + shifts, 1, points - sides)
    table = pd.DataFrame(np.hstack([start, start + sides]), columns=BOX)
    return table.assign(W=points[0], H=points[1])


def growth_table(
    ladder: Sequence[int],
    tau: float,
    widths: Sequence[float] = (0.05, 0.1, 0.2, 0.4, 0.8),
    taus: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9),
) -> pd.DataFrame:
    """Time one object as it grows, then as it is judged more strictly.

    Parameters
    ----------
    ladder : int, int
        Lattice points of the image along x and y.
    tau : float
        Threshold while the object grows.
    widths : sequence of float
        Sides of the object as shares of the image's; the threshold varies at the fourth of them.
    taus : sequence of float

    Returns
    -------
    DataFrame
        ``varied`` ("width" or "tau"), ``value, method, hits`` (of the first copy), ``seconds`` per object. One object
        alone is too quick for the clock: the two fast ways are timed on copies shifted by a few steps.
    """
    steps = [("width", share, tau) for share in widths] + [("tau", widths[3], level) for level in taus]
    rows = []
    for varied, share, level in steps:
        table = centred(ladder, share)
        value = table["x2"][0] - table["x1"][0] if varied == "width" else level
        for method, name in WAYS.items():
            timed_on = table.iloc[:1] if method == "exhaustive" else table
            hits, each = seconds_each(timed_on, level, method, 3 if method == "exact" else 1)
            rows.append((varied, value, name, int(hits[0]), each))
    return pd.DataFrame(rows, columns=["varied", "value", "method", "hits", "seconds"])


def growth_factors(growth: pd.DataFrame) -> pd.DataFrame:
    """Return by what factor time grows from the cheaper end to the dearer one, a row per way and what is varied."""
    seconds = growth.pivot_table("seconds", ["varied", "value"], "method", sort=False)
    ends = {"width": (-1, 0), "tau": (0, -1)}
    return pd.DataFrame(
        {varied: seconds.loc[varied].iloc[dear] / seconds.loc[varied].iloc[cheap]
         for varied, (dear, cheap) in ends.items()}
    )  # fmt: skip


def table_1(paper: pd.DataFrame, timing: pd.DataFrame, work: pd.DataFrame) -> pd.DataFrame:
    """Put the paper's Table 1 beside the times and the boxes tried here, a row per data set and threshold."""
    key = ["spec", "tau"]
    theirs = paper.pivot_table("seconds_per_object", ["dataset", "tau"], "method").reset_index()
    theirs["spec"] = theirs["dataset"].str.lower().str.replace(" ", "")
    here = timing.merge(work[[*key, "candidates / pairs"]], on=key)
    both = theirs.merge(here, on=key, how="outer", suffixes=("", "_here"))
    both["dataset"] = both["dataset"].fillna(both["dataset_here"])
    return both.assign(**{"paper's ratio": both["Exhaustion"] / both["Algorithm 1"]})
