"""Segmenters: each gives partitions of a picture, one per value of its parameter."""

from propeval_lite.segmenters.registry import Segmenter, find_segmenter, list_segmenters, segment, segment_all

__all__ = ["Segmenter", "find_segmenter", "list_segmenters", "segment", "segment_all"]
