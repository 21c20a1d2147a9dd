"""A small real detector: features of boxes, a linear machine for each category, and a linear correction of boxes."""

from propeval_lite.detector.features import Described, box_features, describe, describe_objects
from propeval_lite.detector.run import Detector, detect, train

__all__ = ["Described", "Detector", "box_features", "describe", "describe_objects", "detect", "train"]
