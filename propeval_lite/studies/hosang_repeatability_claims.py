"""What Hosang et al. read off their curves of repeatability, asked of any such curves: published ones or ours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.studies.hosang_findings import chance_of

BLIND = ("Uniform", "Gaussian", "Sliding window")
#: Methods that merge superpixels: marked SP in §2.1 of the paper, and the baseline.
SUPERPIXELS = ("SelectiveSearch", "RandomizedPrims", "Rantalankila", "Superpixels")
REPEATS = 0.9995  # rounds to 1.000
COMMON = 0.05  # an agreement that chance gives less often is no chance


class Claim(NamedTuple):
    """Whether a claim holds, whether the larger part of it does, why, and the numbers it rests on."""

    holds: bool
    mostly: bool
    because: str
    table: pd.DataFrame


def wide(curves: pd.DataFrame, kind: str, of: str = "all") -> pd.DataFrame:
    """Return repeatability under one kind of perturbation: a row per method, a column per value, rising."""
    rows = curves[(curves["perturbation"] == kind) & (curves["of"] == of)]
    return rows.pivot_table(index="method", columns="value", values="repeatability", sort=True)


def looking(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the methods that look at pictures."""
    return table.loc[[name for name in table.index if name not in BLIND]]


def _sides(kind: str, known) -> list[tuple[float, float, float]]:
    """Identity, the nearest value and the next, on each side of the identity that has both."""
    values, same = [float(v) for v in known], PERTURBATIONS[kind].identity
    at = int(np.argmin(np.abs(np.array(values) - same)))
    found = []
    for way in (-1, 1):
        if 0 <= at + 2 * way < len(values):
            found.append((values[at], values[at + way], values[at + 2 * way]))
    return found


def identity(curves: pd.DataFrame) -> Claim:
    """Not all methods repeat exactly where nothing has changed, not even under the kind where they do best."""
    rows = curves[curves["of"] == "all"]
    same = rows["perturbation"].map(lambda kind: PERTURBATIONS[kind].identity)
    found = rows[np.isclose(rows["value"], same)].groupby("method")["repeatability"].agg(["min", "max"])
    table = found.sort_values("max").reset_index().rename(columns={"min": "lowest", "max": "highest"})
    low = table[table["highest"] < REPEATS]["method"].tolist()
    because = f"{len(low)} of {len(table)} methods stay below 1: {', '.join(low) or 'none'}"
    return Claim(bool(low) and len(low) < len(table), bool(low), because, table)


def subtle_changes(curves: pd.DataFrame) -> Claim:
    """Ask whether the smallest change costs more than the step from there to the next, for most methods that look."""
    rows = []
    for kind in PERTURBATIONS:
        table = looking(wide(curves, kind))
        for same, near, far in _sides(kind, table.columns):
            first, second = table[same] - table[near], table[near] - table[far]
            more = int((first > second).sum())
            rows.append((kind, near, float(first.mean()), far, float(second.mean()), more, len(table)))
    columns = ["perturbation", "from nothing to", "costs", "from there to", "costs more", "methods", "of"]
    table = pd.DataFrame(rows, columns=columns)
    most = table["methods"] > table["of"] / 2
    because = (
        f"of {len(table)} smallest changes {int(most.sum())} cost most methods more than the next step does"
    )
    return Claim(bool(most.all()), bool(most.mean() > 0.5), because, table)


def superpixels_drop(curves: pd.DataFrame) -> Claim:
    """Methods on superpixels lose most under the smallest changes, and the blind ones least."""
    losses = {}
    for kind in PERTURBATIONS:
        table = wide(curves, kind)
        for same, near, _ in _sides(kind, table.columns):
            losses[kind, near] = table[same] - table[near]
    lost = pd.DataFrame(losses).mean(axis=1).sort_values(ascending=False)
    group = {
        name: "superpixels" if name in SUPERPIXELS else "blind" if name in BLIND else "other"
        for name in lost.index
    }
    table = pd.DataFrame({"method": lost.index, "loss": lost.to_numpy(), "group": lost.index.map(group)})
    means = table.groupby("group")["loss"].mean()
    parts = {
        "methods on superpixels lose more than others that look": bool(means["superpixels"] > means["other"]),
        "the first of all is one of them": table["group"].iloc[0] == "superpixels",
        "blind ones lose least": bool(means["blind"] == means.min()),
    }
    said = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
    true = [text for text, holds in parts.items() if holds]
    because = f"the mean losses are {said}; true: {'; '.join(true) or 'nothing'}"
    return Claim(all(parts.values()), len(true) > len(parts) / 2, because, table)


def bing_robust(curves: pd.DataFrame) -> Claim:
    """Bing is first under the smallest changes; it and SlidingWindow dip between the octaves of scale."""
    rows = []
    for kind in PERTURBATIONS:
        table = looking(wide(curves, kind))
        for _, near, _ in _sides(kind, table.columns):
            first = str(table[near].idxmax())
            rows.append((f"{kind} {near:g}", first, float(table[near].max()), first == "Bing"))
    scale = wide(curves, "scale")
    octaves = np.log2(scale.columns.to_numpy(dtype=float))
    for name in ("Bing", "Sliding window"):
        for way, side in ((-1, "smaller"), (1, "larger")):
            part = scale.loc[name, way * octaves >= -1e-9]
            lowest = float(np.log2(part.idxmin()))
            dips = 0 < abs(lowest) < 1 - 1e-6
            rows.append((f"dip of {name}, {side}", f"at 2^{lowest:.1f}", float(part.min()), dips))
    table = pd.DataFrame(rows, columns=["asked", "found", "value", "as said"])
    because = f"{int(table['as said'].sum())} of {len(table)} parts are as said"
    return Claim(bool(table["as said"].all()), bool(table["as said"].mean() > 0.5), because, table)


def one_pixel(curves: pd.DataFrame) -> Claim:
    """One changed pixel costs most methods that look something; ten cost most of them more than that."""
    table = looking(wide(curves, "salt_and_pepper"))
    out = pd.DataFrame({f"{n} pixel" + "s" * (n > 1): table[0.0] - table[float(n)] for n in (1, 10, 100)})
    out = out.sort_values("10 pixels", ascending=False).reset_index()
    some, more = int((out["1 pixel"] > 0).sum()), int((out["10 pixels"] > out["1 pixel"]).sum())
    most = len(table) / 2
    because = f"{some} of {len(table)} methods lose with one pixel, {more} lose more with ten"
    return Claim(some > most and more > most, some > most, because, out)


def edge_boxes_robust(curves: pd.DataFrame) -> Claim:
    """EdgeBoxes stands in the upper half of the methods that look, on average over each kind's changes."""
    ranks = {}
    for kind in PERTURBATIONS:
        table = looking(wide(curves, kind))
        changed = table.loc[:, ~np.isclose(table.columns.to_numpy(float), PERTURBATIONS[kind].identity)]
        ranks[kind] = changed.mean(axis=1).rank(ascending=False, method="min").astype(int)
    places = pd.DataFrame(ranks)
    places = places.loc[places.mean(axis=1).sort_values().index]
    upper = places.loc["EdgeBoxes"].to_numpy() <= len(places) / 2
    because = (
        f"it stands in the upper half of {len(places)} methods in {int(upper.sum())} of {len(upper)} kinds"
    )
    return Claim(bool(upper.all()), bool(upper.mean() > 0.5), because, places.reset_index(names="method"))


def rotation_alike(curves: pd.DataFrame, first: float = 1, last: float = 20) -> Claim:
    """Rotation costs all methods alike: less apart in what they lose than in where they stand."""
    table = looking(wide(curves, "rotation"))
    lost = (table[-first] + table[first]) / 2 - (table[-last] + table[last]) / 2
    spread, level = float(lost.std()), float(((table[-first] + table[first]) / 2).std())
    out = lost.sort_values().rename("loss").reset_index()
    because = (
        f"from {first:g} to {last:g} degrees methods lose {lost.min():.3f} to {lost.max():.3f}, with a standard "
        f"deviation of {spread:.3f}; where they stand at {first:g} degree it is {level:.3f}"
    )
    return Claim(spread < level, spread < float(lost.mean()) / 2, because, out)


def touching_alike(curves: pd.DataFrame) -> Claim:
    """Boxes that touch objects order the methods as all boxes do, at each value where there are curves of both."""
    rows = []
    for kind in pd.unique(curves.loc[curves["of"] == "touching", "perturbation"]):
        both, near = looking(wide(curves, kind)), looking(wide(curves, kind, "touching"))
        near = near.dropna()
        near = near[near.index.isin(both.index)]
        for value in near.columns:
            one, two = both.loc[near.index, value], near[value]
            alike = spearmanr(one, two).statistic if len(one) > 2 else np.nan
            rows.append((kind, value, len(one), float(alike), chance_of(one, two), float((two - one).mean())))
    columns = ["perturbation", "value", "methods", "rank correlation", "by chance", "mean difference"]
    table = pd.DataFrame(rows, columns=columns)
    agree = (table["by chance"] < COMMON).to_numpy()
    because = (
        f"the orders agree more than by chance at {int(agree.sum())} of {len(table)} values "
        f"(rank correlation {table['rank correlation'].min():.2f} to {table['rank correlation'].max():.2f})"
    )
    return Claim(bool(len(table) and agree.all()), bool(len(table) and agree.mean() > 0.5), because, table)
