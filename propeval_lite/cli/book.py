"""The verb ``propeval book``."""

from __future__ import annotations

import argparse

from propeval_lite.cli.options import add_profile, add_run_options, run_options, run_status


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval book``."""
    parser = verbs.add_parser("book", help="execute what changed and build the website")
    add_profile(parser)
    add_run_options(parser)
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval book``: execute every notebook that changed, then build the website."""
    from propeval_lite.runner.catalog import find_root, load_catalog
    from propeval_lite.runner.jobs import run_many, summary
    from propeval_lite.runner.site import build_site

    root = find_root()
    catalog = load_catalog(root)
    outcomes = run_many([(entry, {}) for entry in catalog.values()], root, **run_options(options))
    print(summary(outcomes))
    status = run_status(outcomes)
    if status == 130:
        return status
    page = build_site(root, catalog, outcomes)
    print(f"\nOpen {page}")
    return status
