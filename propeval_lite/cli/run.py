"""The verb ``propeval run``."""

from __future__ import annotations

import argparse

from propeval_lite._checks.values import fail
from propeval_lite.cli.options import add_profile, add_run_options, run_options, run_status


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval run``."""
    parser = verbs.add_parser("run", help="execute notebooks into runs/NOTEBOOK/RUN")
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    add_profile(parser)
    parser.add_argument("--dataset", help="data set, for example photos or coco:FILE.json")
    parser.add_argument(
        "--method",
        action="append",
        default=[],
        help="add a method: NAME, package.module:function or file:PATH, perhaps with LABEL= before it",
    )
    parser.add_argument(
        "-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help="set a parameter"
    )
    parser.add_argument("--name", help="name of the run (default: the profile's)")
    add_run_options(parser)
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval run``: check every notebook's parameters first, then execute."""
    from propeval_lite.runner.catalog import find_root, load_catalog, pick
    from propeval_lite.runner.jobs import run_many, summary

    root = find_root()
    catalog = load_catalog(root)
    tasks = []
    for name in dict.fromkeys(pick(catalog, name).name for name in options.notebooks):
        entry = catalog[name]
        overrides = _overrides(entry, options)
        entry.resolve(options.profile, overrides)
        tasks.append((entry, overrides))
    outcomes = run_many(tasks, root, **run_options(options), name=options.name)
    print(summary(outcomes))
    return run_status(outcomes)


def _overrides(entry, options: argparse.Namespace) -> dict:
    """Parameters set on the command line; --dataset and --method stand for those of that name."""
    overrides = {}
    for text in options.parameters:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise fail("-p NAME=VALUE", repr(text), "Write for example -p k_max=1000.")
        if name.strip() in overrides:
            raise fail("each parameter once", f"{name.strip()!r} twice", "Remove one of them.", "-p")
        overrides[name.strip()] = value
    if options.dataset is not None:
        several = "dataset" not in entry.parameters and "datasets" in entry.parameters
        overrides["datasets" if several else "dataset"] = [options.dataset] if several else options.dataset
    if options.method:
        before = entry.resolve(options.profile, overrides).get("methods", [])
        overrides["methods"] = [*before, *(method for method in options.method if method not in before)]
    return overrides
