"""The verb ``propeval ledger``."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval ledger``."""
    parser = verbs.add_parser(
        "ledger", help="what of the five papers is reproduced, by all runs and stored results"
    )
    parser.add_argument("--output", help="folder of the runs (default: runs/)")
    parser.add_argument("--rows", action="store_true", help="print every row")
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval ledger``: print counts and the worst differences; status 1 when a verdict got worse."""
    from propeval_lite.runner import ledger
    from propeval_lite.runner.catalog import find_root

    root = find_root()
    runs = root / "runs" if options.output is None else Path(options.output)
    table = ledger.collect(runs, root / "data" / "results" / "ledger")
    print(ledger.counts(table).to_string())
    if options.rows:
        _print("All rows", table, ["verdict", "paper_value", "here", "because"])
    _print("Numbers that differ most", ledger.worst(table), ["verdict", "paper_value", "here", "share"])
    _print("No reason given", ledger.without_reason(table), ["verdict", "paper_value", "here"])
    worse = ledger.got_worse(table)
    _print("Worse than the stored verdict", worse, ["stored", "verdict", "run"])
    return 1 if len(worse) else 0


def _print(title: str, table, columns: list[str]) -> None:
    if len(table):
        text = table[columns].fillna("").to_string(float_format="{:.3g}".format)
        print(f"\n{title}\n{text}")
