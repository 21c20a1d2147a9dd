"""The command `propeval`: run notebooks, build the book, list what there is, ask what chance would do."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

from propeval_lite._checks.values import InputError
from propeval_lite.cli import book, chance, ledger, meta, run
from propeval_lite.cli import list as list_verb  # the built-in keeps its name

VERBS = (run, book, list_verb, ledger, chance, meta)


def build_parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    parser = argparse.ArgumentParser(prog="propeval", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        verb.add_parser(verbs)
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
