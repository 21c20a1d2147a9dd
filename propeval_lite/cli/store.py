"""The verb ``propeval store``."""

from __future__ import annotations

import argparse


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval store``."""
    parser = verbs.add_parser("store", help="put the tables of finished paper runs into data/results")
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="a run's folder, NOTEBOOK/RUN, or NOTEBOOK for its run paper"
    )
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval store``: check where each run comes from, then store all of them or none."""
    from propeval_lite.runner.catalog import find_root, load_catalog
    from propeval_lite.runner.commits import STORED
    from propeval_lite.runner.storing import find_run, store_runs

    root = find_root()
    folders = dict.fromkeys(find_run(text, root).resolve() for text in options.runs)
    stored = store_runs(list(folders), root, load_catalog(root))
    for path in stored.written:
        print(f"{STORED}/{path}")
    for path in stored.removed:
        print(f"{STORED}/{path} removed: its chapter no longer makes it")
    return 0
