"""Judge object proposals and segmentations: the library behind the propeval-lite book.

Here are the containers, what reads, writes and makes them, and the criteria and measures. The parts of these, and what
lists or describes, are names of the subpackages.
"""

import propeval_lite._checks.early  # noqa: F401 (first: it answers Ctrl-C while the rest is imported)
from propeval_lite import boxes, chance, detector, masks, meta, methods, partitions, segmenters
from propeval_lite._checks.values import InputError
from propeval_lite.boxes import (
    Overlaps,
    abo,
    auc,
    average_oma,
    average_precision,
    average_recall,
    chance_recall,
    mabo,
    match,
    nms,
    oma,
    recall,
    vus,
)
from propeval_lite.chance import count_candidates, count_hits, hit_probability, omega_max, omega_min
from propeval_lite.datasets import Dataset, load_dataset
from propeval_lite.masks import MaskProposals, boundary_f, f_measure, jaccard
from propeval_lite.methods import propose
from propeval_lite.partitions import contingency, fb, fop, partition_scores
from propeval_lite.proposals import Proposals, read_proposals, write_proposals

__all__ = [
    "Dataset",
    "InputError",
    "MaskProposals",
    "Overlaps",
    "Proposals",
    "abo",
    "auc",
    "average_oma",
    "average_precision",
    "average_recall",
    "boundary_f",
    "boxes",
    "chance",
    "chance_recall",
    "contingency",
    "count_candidates",
    "count_hits",
    "detector",
    "f_measure",
    "fb",
    "fop",
    "hit_probability",
    "jaccard",
    "load_dataset",
    "mabo",
    "masks",
    "match",
    "meta",
    "methods",
    "nms",
    "oma",
    "omega_max",
    "omega_min",
    "partition_scores",
    "partitions",
    "propose",
    "read_proposals",
    "recall",
    "segmenters",
    "vus",
    "write_proposals",
]
