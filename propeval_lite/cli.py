"""The command `propeval`: run notebooks, build the book, list what there is, ask what chance would do."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from propeval_lite._checks.values import InputError, check_positive_int, fail

META_DATA = "scenes?n=16&width=240&height=180"


def build_parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    parser = argparse.ArgumentParser(prog="propeval", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    run = verbs.add_parser("run", help="execute notebooks into runs/NOTEBOOK/RUN")
    run.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    run.add_argument("--profile", default="default", help="smoke, default or paper (default: default)")
    run.add_argument("--dataset", help="data set, for example photos or coco:FILE.json")
    run.add_argument(
        "--method", action="append", default=[], help="add a method: NAME, package.module:function, file:PATH"
    )
    run.add_argument(
        "-p", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help="set a parameter"
    )
    run.add_argument("--name", help="name of the run (default: the profile's)")
    run.set_defaults(call=run_verb)

    book = verbs.add_parser("book", help="execute what changed and build the website")
    book.add_argument("--profile", default="default", help="smoke, default or paper (default: default)")
    book.set_defaults(call=book_verb)

    for verb in (run, book):
        verb.add_argument("--output", help="folder of the runs (default: runs/)")
        verb.add_argument("--force", action="store_true", help="execute even when nothing changed")
        verb.add_argument("--quiet", action="store_true", help="no progress bars")

    show = verbs.add_parser("list", help="the notebooks, what they cover, and their parameters")
    show.add_argument("notebooks", nargs="*", metavar="NOTEBOOK")
    show.set_defaults(call=list_verb)

    chance = verbs.add_parser("chance", help="how likely a blind guess hits an object")
    chance.add_argument("--width", required=True, help="width of the image in pixels")
    chance.add_argument("--height", required=True, help="height of the image in pixels")
    chance.add_argument("--box", required=True, help="x1,y1,x2,y2 of the object, pixels counted from 1")
    chance.add_argument("--iou", default="0.5", help="IoU that counts as a hit, 0.5 or 1/2 (default: 0.5)")
    chance.add_argument("--k", default="1000", help="number of random boxes (default: 1000)")
    chance.set_defaults(call=chance_verb)

    meta = verbs.add_parser("meta", help="judge a measure of partitions: its row among those of the library")
    meta.add_argument(
        "measure", metavar="MEASURE", help="package.module:function(partition, truths), or a name"
    )
    direction = meta.add_mutually_exclusive_group()
    direction.add_argument(
        "--higher", dest="higher", action="store_true", default=None, help="higher is better"
    )
    direction.add_argument("--lower", dest="higher", action="store_false", help="lower is better")
    meta.add_argument(
        "--dataset", default=META_DATA, help=f"images with several partitions (default: {META_DATA})"
    )
    meta.add_argument("--train", help="images to choose the scales on (default: every second of --dataset)")
    meta.add_argument("--seed", default="0", help="seed of the swapped images (default: 0)")
    meta.set_defaults(call=meta_verb)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; every foreseen error is one line on stderr and a non-zero status."""
    options = build_parser().parse_args(arguments)
    try:
        status = options.call(options)
        sys.stdout.flush()  # a full disk shows only now
        return status
    except InputError as error:
        print(f"propeval: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _drop_output()  # its reader (head, less) has gone
        return 141
    except OSError as error:
        remedy = "Free some space, or check the place."
        print(
            f"propeval: error: {error.strerror or error}: {error.filename or 'output'}. {remedy}",
            file=sys.stderr,
        )
        _drop_output()
        return 2
    except KeyboardInterrupt:
        print(
            "propeval: stopped by Ctrl-C; finished runs are kept, run the same command to go on.",
            file=sys.stderr,
        )
        return 130


def _drop_output() -> None:
    """Send what is still to be printed nowhere; Python would complain once more when it flushes."""
    with contextlib.suppress(OSError):  # a captured output has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_verb(options: argparse.Namespace) -> int:
    """``propeval run``: check every notebook's parameters first, then execute."""
    from propeval_lite.runner.catalog import find_root, load_catalog, pick
    from propeval_lite.runner.execute import run_many, summary

    root = find_root()
    catalog = load_catalog(root)
    jobs = []
    for entry in [pick(catalog, name) for name in options.notebooks]:
        overrides = _overrides(entry, options)
        entry.resolve(options.profile, overrides)
        jobs.append((entry, overrides))
    outcomes = run_many(jobs, root, **_run_options(options), name=options.name)
    print(summary(outcomes))
    return _status(outcomes)


def book_verb(options: argparse.Namespace) -> int:
    """``propeval book``."""
    from propeval_lite.runner.catalog import find_root, load_catalog
    from propeval_lite.runner.execute import run_many, summary
    from propeval_lite.runner.site import build_site

    root = find_root()
    catalog = load_catalog(root)
    outcomes = run_many([(entry, {}) for entry in catalog.values()], root, **_run_options(options))
    print(summary(outcomes))
    status = _status(outcomes)
    if status == 130:
        return status
    page = build_site(root, catalog, outcomes)
    print(f"\nOpen {page}")
    return status


def list_verb(options: argparse.Namespace) -> int:
    """``propeval list``."""
    from propeval_lite.runner.catalog import find_root, load_catalog, pick

    catalog = load_catalog(find_root())
    for entry in [pick(catalog, name) for name in options.notebooks] or catalog.values():
        print(f"{entry.name}: {entry.title}\n  covers {entry.study} {entry.covers}")
        for parameter in entry.parameters.values():
            print(f"  -p {parameter.name}={parameter.default!r:<12} {parameter.meaning}")
    return 0


def chance_verb(options: argparse.Namespace) -> int:
    """``propeval chance``."""
    from propeval_lite.chance.probability import chance_report

    box = [_whole(part, "--box") for part in options.box.split(",")]
    if len(box) != 4:
        raise fail("--box x1,y1,x2,y2", repr(options.box), "Write four whole numbers with commas between.")
    width, height, k = (_whole(getattr(options, name), f"--{name}") for name in ("width", "height", "k"))
    print(chance_report(width, height, box, options.iou, k))
    return 0


def meta_verb(options: argparse.Namespace) -> int:
    """``propeval meta``."""
    from propeval_lite.datasets import load_dataset
    from propeval_lite.meta import report

    sys.path.insert(0, "")  # a measure may live in the folder where the command is given
    train = load_dataset(options.train) if options.train else None
    table = report(
        options.measure,
        load_dataset(options.dataset),
        train=train,
        higher_is_better=options.higher,
        seed=check_positive_int(_whole(options.seed, "--seed"), "--seed", 0),
        progress=sys.stderr.isatty(),
    )
    shown = table.reset_index().round(3).rename(columns={"own": "yours"})
    print(shown.to_string(index=False))
    conventions = ", ".join(f"{name}={value}" for name, value in table.attrs["conventions"].items())
    print(f"\n{options.dataset}; {conventions}")
    return 0


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise fail(f"{name} in whole numbers", repr(text), "Write digits only.") from None


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
        overrides["methods"] = [*before, *options.method]
    return overrides


def _run_options(options: argparse.Namespace) -> dict:
    if options.output is not None and not options.output.strip():
        raise fail("a folder for --output", repr(options.output), "Name a folder, or leave --output out.")
    return {
        "profile": options.profile,
        "runs": None if options.output is None else Path(options.output),
        "force": options.force,
        "quiet": options.quiet,
    }


def _status(outcomes) -> int:
    if any(outcome.status == "interrupted" for outcome in outcomes):
        return 130
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
