"""Boxes judged: one overlap table, and every criterion a short function of it."""

from propeval_lite.boxes.areas import auc, vus
from propeval_lite.boxes.best_overlap import abo, mabo
from propeval_lite.boxes.bootstrap import bootstrap
from propeval_lite.boxes.detections import judge_detections
from propeval_lite.boxes.match import match
from propeval_lite.boxes.nms import nms
from propeval_lite.boxes.oma import average_oma, chance_recall, object_chance, oma
from propeval_lite.boxes.oracles import detection_errors, perfect_nms, with_truth
from propeval_lite.boxes.precision import average_precision, precision_recall
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.boxes.repeatability import (
    area_under_recall,
    group_areas,
    mean_area,
    project,
    repeats,
    size_groups,
)
from propeval_lite.boxes.table import Overlaps

__all__ = [
    "Overlaps",
    "abo",
    "area_under_recall",
    "auc",
    "average_oma",
    "average_precision",
    "average_recall",
    "bootstrap",
    "chance_recall",
    "detection_errors",
    "group_areas",
    "judge_detections",
    "mabo",
    "match",
    "mean_area",
    "nms",
    "object_chance",
    "oma",
    "perfect_nms",
    "precision_recall",
    "project",
    "recall",
    "repeats",
    "size_groups",
    "vus",
    "with_truth",
]
