"""Photographs shipped inside other packages, annotated here."""
