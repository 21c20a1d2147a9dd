"""Synthetic scenes: textured, occluding, categorised objects and simulated annotators."""
