"""The command line, one verb a file."""

from propeval_lite.cli.command import build_parser, main

__all__ = ["build_parser", "main"]
