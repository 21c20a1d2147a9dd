"""Data sets: one loader per source, all behind :func:`load_dataset`."""

from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.registry import load_dataset

__all__ = ["Dataset", "load_dataset"]
