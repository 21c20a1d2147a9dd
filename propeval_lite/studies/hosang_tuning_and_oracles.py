"""EdgeBoxes tuned on our own pictures, and oracles on our own detector: what each does to AR and to mAP.

A variant goes by the IoU that it is tuned for, "0.50" to "0.90", or by "AR", as in :mod:`hosang_tuning`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.boxes import BOX_COLUMNS
from propeval_lite._checks.seeding import image_draws
from propeval_lite._checks.values import check_number, fail
from propeval_lite.boxes.detections import judge_detections
from propeval_lite.boxes.match import match
from propeval_lite.boxes.nms import nms
from propeval_lite.boxes.oracles import detection_errors, perfect_nms, with_truth
from propeval_lite.boxes.precision import average_precision
from propeval_lite.boxes.recall import average_recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.registry import load_distinct
from propeval_lite.detector import Described, Detector, describe, detect, train
from propeval_lite.methods import propose
from propeval_lite.proposals.container import Proposals
from propeval_lite.studies.hosang_detection_ours import in_memory, shared_categories
from propeval_lite.studies.hosang_tuning import ADAPTIVE, ORACLES

#: Of the adaptive variant: α, β₀ and η.
ALPHA, BETA, ETA = 0.65, 0.90, 0.9996
WAYS = {"without regression": False, "with regression": True}
EVERYTHING = 10**7  # more boxes than EdgeBoxes can make of a picture


def tuned_parameters(delta: float) -> tuple[float, float]:
    """Return α and β of EdgeBoxes tuned for an IoU Δ: ``max(.65, Δ − .05)`` and ``Δ + .05``.

    Examples
    --------
    >>> tuned_parameters(0.7), tuned_parameters(0.9)
    ((0.65, 0.75), (0.85, 0.95))
    """
    check_number(delta, "Δ to be a number from 0.5 to 0.9", lambda d: 0.5 <= d <= 0.9, "It is an IoU.")
    return round(max(0.65, delta - 0.05), 6), round(delta + 0.05, 6)


def variant_specs(
    deltas: Sequence[float], beta: float = BETA, eta: float = ETA, alpha: float = ALPHA
) -> dict[str, str]:
    """Return the spec of EdgeBoxes for each Δ, and of the adaptive variant.

    Examples
    --------
    >>> variant_specs([0.5])
    {'0.50': 'edge_boxes?alpha=0.65&beta=0.55', 'AR': 'edge_boxes?alpha=0.65&beta=0.9&eta=0.9996'}
    """
    specs: dict[str, str] = {}
    for delta in deltas:
        step, level = tuned_parameters(delta)
        if f"{delta:.2f}" in specs:
            raise fail("each Δ once, to two decimals", f"{delta:.2f} twice", "Leave one out.", "deltas")
        specs[f"{delta:.2f}"] = f"edge_boxes?alpha={step:g}&beta={level:g}"
    return specs | {ADAPTIVE: f"edge_boxes?alpha={alpha:g}&beta={beta:g}&eta={eta:g}"}


def proposals_of(dataset: Dataset, specs: Mapping[str, str], budget: int) -> dict[str, Proposals]:
    """Propose with each variant; copies are removed as the authors do. A picture without any box keeps its place."""
    return {
        name: propose(spec, dataset, budget, duplicates="hosang").aligned(dataset)
        for name, spec in specs.items()
    }


def tables_of(dataset: Dataset, made: Mapping[str, Proposals], budget: int) -> dict[str, Overlaps]:
    """Match the objects with the proposals of each variant, one-to-one."""
    return {name: match(dataset, proposals, [budget]) for name, proposals in made.items()}


def counts(made: Mapping[str, Proposals]) -> pd.DataFrame:
    """Count boxes: ``variant, boxes per image, fewest, images without a box``."""
    rows = []
    for name, proposals in made.items():
        sizes = np.diff(proposals.offsets)
        rows.append((name, sizes.mean(), int(sizes.min()), int((sizes == 0).sum())))
    return pd.DataFrame(rows, columns=["variant", "boxes per image", "fewest", "images without a box"])


def ar_of(summary: pd.DataFrame) -> pd.DataFrame:
    """Pick AR out of a tidy summary: a row per data set and variant, ``dataset, variant, AR, low, high``."""
    rows = summary[summary["criterion"] == "AR"].rename(columns={"method": "variant", "value": "AR"})
    return rows[["dataset", "variant", "AR", "low", "high"]].reset_index(drop=True)


def curves_of(summary: pd.DataFrame) -> pd.DataFrame:
    """Recall of one data set: a row per IoU threshold, a column per variant, as the published table has it."""
    rows = summary[summary["criterion"] == "recall"]
    table = rows.pivot_table(index="tau", columns="method", values="value", sort=False)
    return table.sort_index()


def unsuppressed(dataset: Dataset, alpha: float = ALPHA) -> Proposals:
    """Return all boxes that EdgeBoxes scores, before any is suppressed (β = 1), by falling score."""
    spec = f"edge_boxes?alpha={alpha:g}&beta=1"
    return propose(spec, dataset, EVERYTHING, duplicates="keep").aligned(dataset)


def suppressed(
    raw: Proposals, threshold: float, eta: float | None, limit: int, pixels: str | None = None
) -> Proposals:
    """Suppress boxes image by image with our own kernel.

    Parameters
    ----------
    raw : Proposals
        With scores.
    threshold, eta, limit
        As in :func:`nms`.
    pixels : str, optional
        By default the boxes' own, or edges.
    """
    if raw.scores is None:
        raise fail("boxes with scores", "none", "Give boxes before suppression.", raw.name)
    frame = pixels or raw.pixels or "edges"
    parts = []
    for first, last in zip(raw.offsets[:-1], raw.offsets[1:], strict=True):
        rows = slice(first, last)
        parts.append(first + nms(raw.boxes[rows], raw.scores[rows], threshold, eta, frame, limit))
    kept = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum([len(part) for part in parts]))).astype(np.int64)
    return Proposals(
        raw.image_ids, offsets, raw.boxes[kept], raw.scores[kept], f"{threshold:g}, {eta or 1:g}",
        dict(raw.provenance), raw.pixels, raw.origin, raw.scale,
    )  # fmt: skip


def same_boxes(one: Proposals, other: Proposals) -> pd.DataFrame:
    """Compare two lists of boxes image by image: ``image_id, boxes, others, shared``, copies counted once."""
    rows = []
    for image in one.image_ids.tolist():
        a, b = ({tuple(box) for box in boxes.of(image)[0].tolist()} for boxes in (one, other))
        rows.append((image, len(a), len(b), len(a & b)))
    return pd.DataFrame(rows, columns=["image_id", "boxes", "others", "shared"])


def ar_grid(
    dataset: Dataset, raw: Proposals, betas: Sequence[float], etas: Sequence[float], budget: int
) -> pd.DataFrame:
    """Return AR for each start β₀ and factor η of the falling threshold: ``beta, eta, AR, boxes per image``."""
    rows = []
    for beta in betas:
        for eta in etas:
            left = suppressed(raw, beta, eta, budget).deduplicate("hosang")
            ar = float(average_recall(match(dataset, left, [budget])).iloc[0])
            rows.append((beta, eta, ar, len(left) / len(dataset.images)))
    return pd.DataFrame(rows, columns=["beta", "eta", "AR", "boxes per image"])


class Trial(NamedTuple):
    """What the detector makes of the variants.

    Parameters
    ----------
    table : DataFrame
        A row per variant and way: ``variant, way, AR, mAP, low, high, lost, lost low, lost high``, mAP in points with
        intervals over images, `lost` being how far mAP lies below that of the adaptive variant.
    categories : list
        Those with an example to learn from and an object to find; mAP is their mean.
    left_out : list
        Categories of the test objects without an example; their objects are not judged.
    report : DataFrame
        Of the training on the first variant: examples per category.
    tied : int
        Detections that share their score with another of their category, of all variants.
    """

    table: pd.DataFrame
    categories: list
    left_out: list
    report: pd.DataFrame
    tied: int


class Bench(NamedTuple):
    """Pictures to learn from and to test on, prepared once: categories that both have, pictures in memory."""

    training: Dataset
    test: Dataset
    categories: list
    left_out: list


def further(specs: Sequence[str], first: Dataset, longest: int) -> list[Dataset]:
    """Load further data sets, each under a name of its own."""
    return load_distinct(specs, first, longest=longest)


def bench(training: Dataset, test: Dataset) -> Bench:
    """Prepare two data sets for the detector; an image that is in both is an error."""
    seen = {key for key in _objects_by_image(training) if key}
    both = sum(key in seen for key in _objects_by_image(test))
    if both:
        got = f"{both} images with the same objects in both"
        remedy = "Take other parts of the data, or scenes of another seed."
        raise fail("other images to test on than to learn from", got, remedy, f"{training.name}, {test.name}")
    wanted, judged = shared_categories(training, test)
    counted = test.objects["category"][~test.objects["ignore"].to_numpy(dtype=bool)]
    left_out = sorted(set(counted.dropna()) - set(wanted), key=str)
    return Bench(in_memory(training), in_memory(judged), wanted, left_out)


def learn(work: Bench, spec: str, budget: int) -> Detector:
    """Train the detector on the proposals of one variant."""
    proposals = propose(spec, work.training, budget, duplicates="hosang")
    return train(describe(work.training, proposals), work.categories)


def described(work: Bench, made: Mapping[str, Proposals]) -> dict[str, Described]:
    """Compute the features of the proposals of each variant."""
    return {name: describe(work.test, proposals) for name, proposals in made.items()}


def trial(
    work: Bench,
    specs: Mapping[str, str],
    seen: Mapping[str, Described],
    detector: Detector,
    budget: int,
    retrain: bool = False,
    suppression: float = 0.3,
    n: int = 100,
    seed: int = 0,
) -> Trial:
    """Let the detector find objects among the proposals of each variant, with and without regression.

    Parameters
    ----------
    work, detector
        From :func:`bench` and :func:`learn`.
    specs, seen
        By variant: specs, and what :func:`described` returns.
    budget : int
    retrain : bool
        Whether each variant has a detector of its own, as in the paper.
    suppression : float
        Threshold of the detector's non-maximum suppression.
    n, seed
        Of the bootstrap over images, the same draws for every variant.
    """
    draws = np.array(list(image_draws(len(work.test.images), n, seed))).reshape(n, -1)
    tied, found = 0, {}
    for name, boxes in seen.items():
        own = learn(work, specs[name], budget) if retrain else detector
        for way, regression in WAYS.items():
            detections = detect(own, boxes, regression=regression, nms=suppression)
            ap = average_precision(work.test, detections)
            tied += ap.attrs["tied"]
            found[name, way] = (
                100 * float(ap.reindex(work.categories).mean()),
                100 * map_draws(work.test, detections, work.categories, draws),
            )
    rows = []
    for (name, way), (value, drawn) in found.items():
        best, drawn_best = found.get((ADAPTIVE, way), (np.nan, np.full(n, np.nan)))
        ar = float(average_recall(match(work.test, seen[name].proposals, [budget])).iloc[0])
        row = {"variant": name, "way": way, "AR": ar, "mAP": value, "lost": best - value}
        rows.append(row | _band(drawn, "") | _band(drawn_best - drawn, "lost "))
    table = pd.DataFrame(rows)
    return Trial(table, work.categories, work.left_out, detector.report, tied)


def map_draws(
    dataset: Dataset, detections: pd.DataFrame, categories: Sequence, draws: np.ndarray, tau: float = 0.5
) -> np.ndarray:
    """Mean average precision when other images had been drawn; nothing is judged again.

    Parameters
    ----------
    dataset, detections, tau
        As in :func:`judge_detections`.
    categories : list
        Over which the mean goes; one without an object in a draw is left out of that draw.
    draws : int64 array, (n, images)
        Rows of ``dataset.images``, such as ``image_draws`` yields.

    Returns
    -------
    float64 array, (n,)
        NaN where no category has an object.

    Notes
    -----
    An image that is drawn w times counts as w images whose detections follow one another.
    """
    judged, _ = judge_detections(dataset, detections, tau)
    judged = judged[judged["outcome"] != "not judged"]
    objects = dataset.objects[~dataset.objects["ignore"].to_numpy(dtype=bool)]
    if "crowd" in objects:
        objects = objects[~objects["crowd"].to_numpy(dtype=bool)]
    weights = np.stack([np.bincount(draw, minlength=len(dataset.images)) for draw in draws])
    values = np.full((len(draws), len(categories)), np.nan)
    for k, category in enumerate(categories):
        mine = judged[judged["category"] == category]
        rows = dataset.image_rows(mine["image_id"])
        right = (mine["outcome"] == "right").to_numpy()
        owners = dataset.image_rows(objects["image_id"][objects["category"] == category])
        wanted = weights[:, owners].sum(axis=1)
        drawn = weights[:, rows]
        hits, all_ = np.cumsum(drawn * right, axis=1), np.cumsum(drawn, axis=1)
        precision = np.divide(hits, all_, out=np.zeros(hits.shape), where=all_ > 0)
        envelope = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
        area = (envelope * drawn * right).sum(axis=1)
        values[:, k] = np.divide(area, wanted, out=np.full(len(draws), np.nan), where=wanted > 0)
    known = np.isfinite(values).any(axis=1)
    means = np.full(len(draws), np.nan)
    means[known] = np.nanmean(values[known], axis=1)
    return means


def by_variant_here(table: pd.DataFrame) -> pd.DataFrame:
    """Turn the table of a trial into one row per variant: AR and a column of mAP per way."""
    maps = table.pivot_table(index="variant", columns="way", values="mAP", sort=False)
    return pd.concat([table.groupby("variant", sort=False)["AR"].first(), maps[list(WAYS)]], axis=1)


def oracle_table(
    work: Bench, detector: Detector, proposals: Proposals, budget: int, suppression: float, touching: float
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Give the detector the oracles of ground truth and of suppression, each alone and both.

    Parameters
    ----------
    work, detector
        From :func:`bench` and :func:`learn`.
    proposals : Proposals
        For the test images.
    budget : int
    suppression : float
        Threshold of the ordinary suppression.
    touching : float
        The perfect one removes wrong detections whose IoU with a right one is larger.

    Returns
    -------
    table : DataFrame
        Columns ``oracle, AR, mAP, gain, thinned, gain thinned, detections, removed``: mAP and gain in points, and how
        many detections there are and how many a suppression has removed. `thinned` is mAP where the perfect
        suppression also thins the background greedily.
    found : dict of DataFrame
        The detections, by oracle.
    """
    extended = with_truth(work.test, proposals)
    # Objects come first, so that a cut at the budget keeps them.
    most = max(budget, int(np.diff(work.test.object_offsets).max(initial=0)))
    boxes = {False: describe(work.test, proposals), True: describe(work.test, extended.top(most))}
    rows, found = [], {}
    for oracle in ORACLES:
        truth, perfect = oracle in ("truth added", "both"), oracle in ("perfect suppression", "both")
        scored = detect(detector, boxes[truth], nms=None if perfect else suppression)
        n_all = len(boxes[truth]) * len(detector.categories)
        left = perfect_nms(work.test, scored, least=touching) if perfect else scored
        ap = average_precision(work.test, left).reindex(work.categories)
        thin = ap
        if perfect:
            fewer = perfect_nms(work.test, scored, least=touching, background=suppression)
            thin = average_precision(work.test, fewer).reindex(work.categories)
        ar = float(average_recall(match(work.test, boxes[truth].proposals, [most])).iloc[0])
        found[oracle] = left
        rows.append((oracle, ar, 100 * ap.mean(), 100 * thin.mean(), len(left), n_all - len(left)))
    table = pd.DataFrame(rows, columns=["oracle", "AR", "mAP", "thinned", "detections", "removed"])
    table.insert(3, "gain", table["mAP"] - table["mAP"].iloc[0])
    table.insert(5, "gain thinned", table["thinned"] - table["thinned"].iloc[0])
    return table, found


def first_errors(work: Bench, found: Mapping[str, pd.DataFrame], least: float = 0.1) -> pd.DataFrame:
    """Say what the first detections of a category are, as many as it has objects: shares by oracle and kind.

    Returns
    -------
    DataFrame
        Columns ``oracle, right, own category, other category, background``, which sum to 1.
    """
    kinds = ["right", "own category", "other category", "background"]
    objects = work.test.objects
    counted = objects["category"][~objects["ignore"].to_numpy(dtype=bool)].value_counts()
    rows = []
    for oracle, detections in found.items():
        judged = detection_errors(work.test, detections, least=least)
        judged = judged[(judged["kind"] != "not judged") & judged["category"].isin(work.categories)]
        place = judged.groupby("category").cumcount()
        first = judged[place < judged["category"].map(counted)]
        shares = first["kind"].value_counts(normalize=True).reindex(kinds).fillna(0)
        rows.append({"oracle": oracle, **shares})
    return pd.DataFrame(rows)


def _objects_by_image(dataset: Dataset) -> list[tuple]:
    """Categories and corners of the objects of each image; an image without objects is like any other such."""
    columns = ["category", *BOX_COLUMNS]
    found: list[list] = [[] for _ in range(len(dataset.images))]
    rows = dataset.image_rows(dataset.objects["image_id"])
    for row, values in zip(rows, dataset.objects[columns].itertuples(index=False), strict=True):
        found[row].append(tuple(values))
    return [tuple(objects) for objects in found]


def _band(drawn: np.ndarray, name: str) -> dict[str, float]:
    drawn = drawn[np.isfinite(drawn)]
    low, high = np.quantile(drawn, (0.025, 0.975)) if len(drawn) else (np.nan, np.nan)
    return {f"{name}low": float(low), f"{name}high": float(high)}
