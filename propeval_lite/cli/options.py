"""What two verbs share: arguments they both take, and how they read them."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from propeval_lite._checks.values import check_positive_int, fail


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Declare --profile."""
    parser.add_argument("--profile", default="default", help="smoke, default or paper (default: default)")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Declare where and how notebooks are executed: --output, --force, --quiet, --jobs."""
    parser.add_argument("--output", help="folder of the runs (default: runs/)")
    parser.add_argument("--force", action="store_true", help="execute even when nothing changed")
    parser.add_argument(
        "--draft",
        action="store_true",
        help="run the profile paper from a tree with local changes; never stored",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--jobs", help="notebooks to run at a time (default: 2, or 1 on one core)")


def run_options(options: argparse.Namespace) -> dict:
    """Return what the options say to ``run_many``."""
    if options.output is not None and not options.output.strip():
        raise fail("a folder for --output", repr(options.output), "Name a folder, or leave --output out.")
    jobs = options.jobs
    if jobs is not None:
        jobs = check_positive_int(whole_number(jobs, "--jobs"), "--jobs")
    return {
        "jobs": jobs,
        "profile": options.profile,
        "runs": None if options.output is None else Path(options.output),
        "force": options.force,
        "draft": options.draft,
        "quiet": options.quiet,
    }


def run_status(outcomes) -> int:
    """Return the exit status after a run: 0 when every notebook is good, 130 after Ctrl-C, else 1."""
    if any(outcome.status == "interrupted" for outcome in outcomes):
        return 130
    return 0 if all(outcome.good for outcome in outcomes) else 1


def whole_number(text: str, name: str) -> int:
    """Return the whole number written in the text."""
    try:
        if not re.fullmatch(
            r"\s*[+-]?[0-9]+\s*", text
        ):  # int() takes 1_0 and the digits of every script as well
            raise ValueError
        return int(text)
    except ValueError:
        raise fail(f"{name} in whole numbers", repr(text), "Write digits only.") from None
