"""Foreground masks: measures, proposals, and the best proposal of each object."""

from propeval_lite.masks.best import best_masks, mask_scores
from propeval_lite.masks.foreground import (
    boundary_counts,
    boundary_f,
    f_from_j,
    f_measure,
    j_from_f,
    jaccard,
    precision,
    recall,
)
from propeval_lite.masks.methods import propose_masks
from propeval_lite.masks.proposals import MaskProposals

__all__ = [
    "MaskProposals",
    "best_masks",
    "boundary_counts",
    "boundary_f",
    "f_from_j",
    "f_measure",
    "j_from_f",
    "jaccard",
    "mask_scores",
    "precision",
    "propose_masks",
    "recall",
]
