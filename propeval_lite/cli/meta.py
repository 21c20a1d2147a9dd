"""The verb ``propeval meta``."""

from __future__ import annotations

import argparse
import sys

from propeval_lite._checks.values import check_positive_int
from propeval_lite.cli.options import whole_number

META_DATA = "scenes?n=16&width=240&height=180"


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval meta``."""
    parser = verbs.add_parser(
        "meta", help="judge a measure of partitions: its row among those of the library"
    )
    parser.add_argument(
        "measure", metavar="MEASURE", help="package.module:function(partition, truths), or a name"
    )
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument(
        "--higher", dest="higher", action="store_true", default=None, help="higher is better"
    )
    direction.add_argument("--lower", dest="higher", action="store_false", help="lower is better")
    parser.add_argument(
        "--dataset", default=META_DATA, help=f"images with several partitions (default: {META_DATA})"
    )
    parser.add_argument("--train", help="images to choose the scales on (default: those of --dataset)")
    parser.add_argument("--seed", default="0", help="seed of the swapped images (default: 0)")
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval meta``: print the row of a measure among those of the library."""
    from propeval_lite.datasets import load_dataset
    from propeval_lite.meta import report

    sys.path.insert(0, "")  # a measure may live in the folder where the command is given
    train = load_dataset(options.train) if options.train else None
    table = report(
        options.measure,
        load_dataset(options.dataset),
        train=train,
        higher_is_better=options.higher,
        seed=check_positive_int(whole_number(options.seed, "--seed"), "--seed", 0),
        progress=sys.stderr.isatty(),
    )
    shown = table.reset_index().round(3).rename(columns={"own": "yours"})
    print(shown.to_string(index=False))
    conventions = ", ".join(f"{name}={value}" for name, value in table.attrs["conventions"].items())
    print(f"\n{options.dataset}; {conventions}")
    return 0
