"""Compiled loops. Nothing here validates its input; the public functions do."""
