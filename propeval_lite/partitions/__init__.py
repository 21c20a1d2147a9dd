"""Partitions judged: one contingency table, and every region measure a short function of it."""

from propeval_lite.partitions.boundaries import contours, fb, match_contours
from propeval_lite.partitions.contingency import contingency
from propeval_lite.partitions.objects_parts import classify_regions, fop
from propeval_lite.partitions.scores import partition_scores

__all__ = [
    "classify_regions",
    "contingency",
    "contours",
    "fb",
    "fop",
    "match_contours",
    "partition_scores",
]
