"""Fingerprints that decide whether a notebook must run again: source, parameters, library, input data."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from pathlib import Path

from propeval_lite._checks.values import fail
from propeval_lite.datasets.registry import LOADERS
from propeval_lite.runner.catalog import Entry, read_notebook

# Versions that can move a number or a picture.
PACKAGES = (
    "numpy",
    "numba",
    "scipy",
    "pandas",
    "scikit-image",
    "scikit-learn",
    "opencv-contrib-python-headless",
    "matplotlib",
    "seaborn",
)


def digest(*parts: object) -> str:
    """SHA-256 over the JSON text of `parts`, shortened to 16 hex digits.

    Examples
    --------
    >>> digest("a", 1) == digest("a", 1), digest("a", 1) == digest("a", 2)
    (True, False)
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def notebook_digest(path: Path) -> str:
    """Digest of what a notebook says: its cells and their tags, not its outputs."""
    cells = read_notebook(path).cells
    return digest([(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in cells])


def folder_digest(folder: Path, without: tuple[str, ...] = ()) -> str:
    """Digest of names and contents of the files below `folder`, but for folders called as in `without`.

    For a path that is a file, the digest of that file.
    """
    if folder.is_file():
        return _file_digest(folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [file.relative_to(folder) for file in files]
    return digest(
        [(str(name), _file_digest(folder / name)) for name in names if not {*name.parts} & {*without}]
    )


def _file_digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def versions() -> dict[str, str]:
    """Installed versions of the packages that can move a number, and of this library."""
    found = {}
    for package in ("propeval-lite", *PACKAGES):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def input_paths(parameters: dict) -> list[Path]:
    """Files and folders that parameters name: ``coco:FILE.json?images=FOLDER``, ``file:PATH``, or ``voc2007`` alone.

    A data set named without a path lies in the folder PROPEVAL_DATA.
    """
    texts = []
    for value in parameters.values():
        texts += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
    paths = []
    for text in texts:
        name, _, tail = text.partition("?")[0].partition(":")
        if not tail and name in LOADERS and LOADERS[name].default:
            tail = str(Path(os.environ.get("PROPEVAL_DATA", "")) / LOADERS[name].default)
        paths += [Path(part) for part in tail.split(",") if part and _exists(part)]
    return paths


def _exists(text: str) -> bool:
    """Whether a text names a file; one that cannot be a file's name, or is too long for one, does not."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def run_digests(entry: Entry, profile: str, parameters: dict, root: Path) -> dict[str, str]:
    """Return the four digests of a run; equal digests mean that running again would change nothing.

    A run with the profile ``paper`` writes data/results, so these are no input of it.
    """
    package = Path(__file__).parents[1]
    own = folder_digest(root / "data", without=("results",) if profile == "paper" else ())
    try:
        data = [own] + [folder_digest(path) for path in input_paths(parameters)]
    except OSError as error:
        raise fail(
            "input data that can be read",
            error.strerror or error,
            "Name the data set's own folder.",
            error.filename,
        ) from None
    return {
        "notebook": notebook_digest(entry.path),
        "parameters": digest(parameters),
        "library": digest(folder_digest(package, without=("__pycache__",)), versions()),
        "data": digest(data),
    }
