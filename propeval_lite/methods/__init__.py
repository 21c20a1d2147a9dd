"""Proposal methods: one registry, one call.

A method is a function ``(image, k, rng, **parameters) -> boxes, scores``. The image is (height, width, 3) uint8,
boxes are (n, 4) in 0-based edge coordinates (x1, y1, x2 = x1 + width, y2 = y1 + height), scores are (n,) with
higher better, or None when the given order is the ranking. :func:`~propeval_lite.propose` runs it over a data set.
"""

from propeval_lite.methods.registry import MethodUnavailable
from propeval_lite.methods.run import list_methods, propose

__all__ = ["MethodUnavailable", "list_methods", "propose"]
