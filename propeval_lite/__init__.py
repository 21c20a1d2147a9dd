"""Judge object proposals and segmentations: the library behind the propeval-lite book."""

from propeval_lite import masks, meta
from propeval_lite._validation import InputError
from propeval_lite.bootstrap import bootstrap
from propeval_lite.boundaries import fb
from propeval_lite.chance import chance_report, draws_needed, hit_probability
from propeval_lite.contingency import contingency
from propeval_lite.datasets import Dataset, load_dataset
from propeval_lite.hits import count_candidates, count_hits
from propeval_lite.lattice import object_lattice
from propeval_lite.mask_proposals import MaskProposals, propose_masks
from propeval_lite.mask_quality import best_masks, mask_scores
from propeval_lite.mask_study import judge_masks, summarise_masks
from propeval_lite.masks import boundary_f, f_measure, jaccard
from propeval_lite.methods import list_methods, propose
from propeval_lite.objects_parts import classify_regions, fop
from propeval_lite.oma import average_oma, chance_recall, object_chance, oma
from propeval_lite.overlaps import Overlaps, match
from propeval_lite.partitions import partition_scores
from propeval_lite.proposal_files import read_proposals, write_proposals
from propeval_lite.proposals import Proposals
from propeval_lite.recall import abo, auc, average_recall, mabo, recall, vus
from propeval_lite.regions import omega_max, omega_min
from propeval_lite.segmenters import list_segmenters, segment, segment_all

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
