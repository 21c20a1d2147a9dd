"""What must hold before the first kernel of a `paper` run starts: real data on this machine, and a clean commit."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import InputError, fail
from propeval_lite.datasets.registry import LOADERS
from propeval_lite.results.published import KINDS
from propeval_lite.runner.catalog import Entry
from propeval_lite.runner.commits import fault_of_commit, git_commit, local_changes
from propeval_lite.runner.reads import PACKAGE

PAPER = "paper"
FILES = ("file", *KINDS)  # methods that are files of boxes or of numbers


def is_catalogue_run(entry: Entry, profile: str, parameters: dict) -> bool:
    """Whether a run has the parameters that notebooks/index.toml gives the profile `paper`, and no others."""
    return profile == PAPER and parameters == entry.resolve(PAPER, {})


def check_start(tasks: list[tuple[Entry, dict]], root: Path, profile: str, draft: bool) -> None:
    """Refuse at once what would fail after hours, or could not be stored after hours.

    Parameters
    ----------
    tasks : list
        Notebooks, each with its overrides.
    root : Path
        Folder of the compendium.
    profile : str
        Others than `paper` need no data and are not stored.
    draft : bool
        Whether the user does without storing.
    """
    if profile != PAPER:
        return
    resolved = [(entry, entry.resolve(profile, overrides)) for entry, overrides in tasks]
    for entry, parameters in resolved:
        missing = missing_data(entry, parameters)
        if missing:
            folder = os.environ.get("PROPEVAL_DATA")
            got = f"none of these on this machine (PROPEVAL_DATA is {folder or 'not set'})"
            remedy = "Set PROPEVAL_DATA to the folder that holds the real data, or run the profile default."
            raise fail(f"the data {', '.join(missing)}", got, remedy, f"{entry.name}, profile {profile}")
    if draft or not any(is_catalogue_run(entry, profile, parameters) for entry, parameters in resolved):
        return
    remedy = "Or give --draft: such a run is never stored."
    if root.resolve() != PACKAGE.parent:
        expected, got = f"the library of this compendium ({root})", f"the one in {PACKAGE}"
        raise fail(expected, got, f"Start the propeval of the same folder. {remedy}", f"profile {profile}")
    fault = fault_of_commit(root, git_commit(root))
    if fault is not None:
        changed = local_changes(root) or []
        names = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        got = fault + (f" in {names}" if names else "")
        raise fail("a commit that can be named", got, f"Commit the changes. {remedy}", f"profile {profile}")


def missing_data(entry: Entry, parameters: dict) -> list[str]:
    """Name what a run needs and this machine lacks: data sets and files of its parameters, and the page's `needs`."""
    shared = os.environ.get("PROPEVAL_DATA")
    missing = [] if shared else list(entry.needs)
    if shared:
        missing += [name for name in entry.needs if not Path(shared, name).exists()]
    for text in _texts(parameters.values()):
        try:
            spec = parse_spec(text, "parameters")
        except InputError:
            continue
        default = LOADERS[spec.name].default if spec.name in LOADERS else None
        path = spec.path or default if default else spec.path if spec.name in FILES else None
        if path is None:
            continue
        places = [Path(shared, path)] if shared else []
        if spec.path:
            places.append(Path(os.path.expanduser(spec.path)))
        if not any(place.exists() for place in places):
            missing.append(spec.head)
    return list(dict.fromkeys(missing))


def _texts(values: Iterable) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _texts(value)
