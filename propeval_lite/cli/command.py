"""The command `propeval`: run notebooks, build the book, list what there is, ask what chance would do."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
from typing import TextIO

from propeval_lite._checks.early import STOPPED, end
from propeval_lite._checks.values import InputError, fail
from propeval_lite.cli import book, chance, ledger, meta, run, store
from propeval_lite.cli import list as list_verb  # the built-in keeps its name

VERBS = (run, book, store, list_verb, ledger, chance, meta)
FULL = (errno.ENOSPC, errno.EDQUOT)


def build_parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    parser = argparse.ArgumentParser(prog="propeval", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        verb.add_parser(verbs)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; every foreseen error is one line on stderr and a non-zero status."""
    _open_streams()
    try:
        end()
        _check_text(sys.argv[1:] if arguments is None else arguments)
        options = build_parser().parse_args(arguments)
        status = _call(options)
        sys.stdout.flush()  # a full disk shows only now
        return status
    except InputError as error:
        _complain(f"propeval: error: {error}")
        return 2
    except BrokenPipeError:
        _drop(sys.stdout)  # its reader (head, less) has gone
        return 141
    except OSError as error:
        place = error.filename or "output"
        remedy = (
            "Free some space."
            if error.errno in FULL
            else "Check that it is there and can be read and written."
        )
        _complain(f"propeval: error: {error.strerror or error}: {place}. {remedy}")
        _drop(sys.stdout)
        return 2
    except KeyboardInterrupt:
        _complain(STOPPED)
        return 130


def _call(options: argparse.Namespace) -> int:
    try:
        return options.call(options)
    except SystemExit as end_of_python:
        got = f"a call of sys.exit({end_of_python.code!r})"
        raise fail("a method or measure that returns", got, "Let it raise an error instead.") from None


def _open_streams() -> None:
    """Make output possible whatever the terminal: closed streams go nowhere, unknown characters are spelled out."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # The next file to be opened would take the number of the closed stream, and get our output.
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
        if number and hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")


def _check_text(arguments: list[str]) -> None:
    """Refuse bytes that are no text: they could not be written to a notebook."""
    for text in arguments:
        try:
            text.encode()
        except UnicodeEncodeError:
            remedy = "Write it in UTF-8, with a locale that is UTF-8 (LANG=C.UTF-8)."
            raise fail("arguments in UTF-8", ascii(text), remedy) from None


def _complain(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Send what is still to be printed nowhere; Python would complain once more when it flushes."""
    with contextlib.suppress(OSError):  # a captured output has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
