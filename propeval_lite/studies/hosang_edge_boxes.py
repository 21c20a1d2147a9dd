"""EdgeBoxes tuned on our own pictures: its boxes for each IoU, what suppression leaves of them, and their AR.

A variant goes by the IoU that it is tuned for, "0.50" to "0.90", or by "AR", as in :mod:`hosang_tuning`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from propeval_lite._checks.values import check_number, fail
from propeval_lite.boxes.match import match
from propeval_lite.boxes.nms import nms
from propeval_lite.boxes.recall import average_recall
from propeval_lite.boxes.table import Overlaps
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.registry import load_distinct
from propeval_lite.methods import propose
from propeval_lite.proposals.container import Proposals
from propeval_lite.studies.hosang_detection_ours import in_memory
from propeval_lite.studies.hosang_tuning import ADAPTIVE

#: Of the adaptive variant: α, β₀ and η.
ALPHA, BETA, ETA = 0.65, 0.90, 0.9996
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
    if not len(deltas):
        raise fail("at least one Δ", "none", "Name IoUs that EdgeBoxes is tuned for.", "deltas")
    specs: dict[str, str] = {}
    for delta in deltas:
        step, level = tuned_parameters(delta)
        if f"{delta:.2f}" in specs:
            raise fail("each Δ once, to two decimals", f"{delta:.2f} twice", "Leave one out.", "deltas")
        specs[f"{delta:.2f}"] = f"edge_boxes?alpha={step:g}&beta={level:g}"
    return specs | {ADAPTIVE: f"edge_boxes?alpha={alpha:g}&beta={beta:g}&eta={eta:g}"}


def proposals_of(dataset: Dataset, specs: Mapping[str, str], budget: int) -> dict[str, Proposals]:
    """Propose with each variant; copies are removed as the authors do. A picture without any box keeps its place."""
    pictures = in_memory(dataset)
    return {
        name: propose(spec, pictures, budget, duplicates="hosang").aligned(dataset)
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
    if not (len(betas) and len(etas)):
        raise fail("first thresholds and factors", "none", "Give at least one of each.", "betas, etas")
    rows = []
    for beta in betas:
        for eta in etas:
            left = suppressed(raw, beta, eta, budget).deduplicate("hosang")
            ar = float(average_recall(match(dataset, left, [budget])).iloc[0])
            rows.append((beta, eta, ar, len(left) / len(dataset.images)))
    return pd.DataFrame(rows, columns=["beta", "eta", "AR", "boxes per image"])


def further(specs: Sequence[str], first: Dataset, longest: int) -> list[Dataset]:
    """Load further data sets, each under a name of its own."""
    return load_distinct(specs, first, longest=longest)
