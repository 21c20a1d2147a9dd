"""The verb ``propeval list``."""

from __future__ import annotations

import argparse


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval list``."""
    parser = verbs.add_parser("list", help="the notebooks, what they cover, and their parameters")
    parser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK")
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval list``: print each notebook, what it covers, and its parameters."""
    from propeval_lite.runner.catalog import find_root, load_catalog, pick

    catalog = load_catalog(find_root())
    for entry in [pick(catalog, name) for name in options.notebooks] or catalog.values():
        print(f"{entry.name}: {entry.title}\n  covers {entry.study} {entry.covers}")
        for parameter in entry.parameters.values():
            print(f"  -p {parameter.name}={parameter.default!r:<12} {parameter.meaning}")
    return 0
