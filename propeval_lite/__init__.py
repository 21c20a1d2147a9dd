"""Judge object proposals and segmentations: the library behind the propeval-lite book."""

from propeval_lite import masks, meta
from propeval_lite._checks.values import InputError
from propeval_lite.boxes import (
    Overlaps,
    abo,
    auc,
    average_oma,
    average_recall,
    bootstrap,
    chance_recall,
    mabo,
    match,
    object_chance,
    oma,
    recall,
    vus,
)
from propeval_lite.chance import (
    chance_report,
    count_candidates,
    count_hits,
    draws_needed,
    hit_probability,
    object_lattice,
    omega_max,
    omega_min,
)
from propeval_lite.datasets import Dataset, load_dataset
from propeval_lite.masks import (
    MaskProposals,
    best_masks,
    boundary_f,
    f_measure,
    jaccard,
    mask_scores,
    propose_masks,
)
from propeval_lite.methods import list_methods, propose
from propeval_lite.partitions import classify_regions, contingency, fb, fop, partition_scores
from propeval_lite.proposals import Proposals, read_proposals, write_proposals
from propeval_lite.segmenters import list_segmenters, segment, segment_all
from propeval_lite.studies.ponttuset_objects import judge_masks, summarise_masks

__all__ = [
    "Dataset",
    "InputError",
    "MaskProposals",
    "Overlaps",
    "Proposals",
    "abo",
    "auc",
    "average_oma",
    "average_recall",
    "best_masks",
    "bootstrap",
    "boundary_f",
    "chance_recall",
    "chance_report",
    "classify_regions",
    "contingency",
    "count_candidates",
    "count_hits",
    "draws_needed",
    "f_measure",
    "fb",
    "fop",
    "hit_probability",
    "jaccard",
    "judge_masks",
    "list_methods",
    "list_segmenters",
    "load_dataset",
    "mabo",
    "mask_scores",
    "masks",
    "match",
    "meta",
    "object_chance",
    "object_lattice",
    "oma",
    "omega_max",
    "omega_min",
    "partition_scores",
    "propose",
    "propose_masks",
    "read_proposals",
    "recall",
    "segment",
    "segment_all",
    "summarise_masks",
    "vus",
    "write_proposals",
]
