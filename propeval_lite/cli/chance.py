"""The verb ``propeval chance``."""

from __future__ import annotations

import argparse

from propeval_lite._checks.values import fail
from propeval_lite.cli.options import whole_number


def add_parser(verbs) -> None:
    """Declare the arguments of ``propeval chance``."""
    parser = verbs.add_parser("chance", help="how likely a blind guess hits an object")
    parser.add_argument("--width", required=True, help="width of the image in pixels")
    parser.add_argument("--height", required=True, help="height of the image in pixels")
    parser.add_argument("--box", required=True, help="x1,y1,x2,y2 of the object, pixels counted from 1")
    parser.add_argument("--iou", default="0.5", help="IoU that counts as a hit, 0.5 or 1/2 (default: 0.5)")
    parser.add_argument("--k", default="1000", help="number of random boxes (default: 1000)")
    parser.set_defaults(call=call)


def call(options: argparse.Namespace) -> int:
    """``propeval chance``: print how likely random boxes hit the given one."""
    from propeval_lite.chance.probability import chance_report

    box = [whole_number(part, "--box") for part in options.box.split(",")]
    if len(box) != 4:
        raise fail("--box x1,y1,x2,y2", repr(options.box), "Write four whole numbers with commas between.")
    width, height, k = (
        whole_number(getattr(options, name), f"--{name}") for name in ("width", "height", "k")
    )
    print(chance_report(width, height, box, options.iou, k))
    return 0
