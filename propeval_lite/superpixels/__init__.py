"""Superpixels, their colours, edges and graph: shared by methods, segmenters and masks."""
