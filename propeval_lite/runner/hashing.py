"""Fingerprints that decide whether a notebook must run again: source, parameters, library, input data."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.metadata
import json
import os
import sys
from pathlib import Path

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


def file_digest(file: Path) -> str:
    """SHA-256 of a file; of one that has been read before and not been written since, from memory."""
    stat = file.stat()
    return _file_digest(file, stat.st_mtime_ns, stat.st_size, stat.st_ino)


@functools.lru_cache(maxsize=2**17)
def _file_digest(file: Path, *_: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def code_digest(file: Path) -> str:
    """SHA-256 of what a module does: its syntax tree without docstrings, comments and layout.

    Of a file that is no Python source, or none that can be read, the SHA-256 of its bytes.
    """
    stat = file.stat()
    return _code_digest(file, stat.st_mtime_ns, stat.st_size, stat.st_ino)


@functools.lru_cache(maxsize=2**14)
def _code_digest(file: Path, *_: int) -> str:
    content = file.read_bytes()
    if file.suffix == ".py":
        with contextlib.suppress(
            SyntaxError, ValueError, RecursionError
        ):  # a broken module is known by its bytes
            content = bare_source(content).encode()
    return hashlib.sha256(content).hexdigest()


def bare_source(source: str | bytes) -> str:
    r"""Syntax tree of a module, as text, without the docstrings.

    Examples
    --------
    >>> bare_source("def f():\n    'Old words.'\n    return 1  # why") == bare_source("def f():\n    return 1")
    True
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                del node.body[0]
    return ast.dump(tree)


def names_digest(folder: Path) -> str:
    """Digest of the names in a folder, without the hidden ones."""
    return digest(sorted(name for name in os.listdir(folder) if not is_aside(name)))


def tree_digest(folder: Path) -> str:
    """Digest of the names and contents of all files below a folder, linked ones too, without the hidden ones."""
    found = []
    seen = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:  # a link that leads back
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not is_aside(name))
        found += [Path(place, name) for name in names if not is_aside(name)]
    files = sorted(file for file in found if file.is_file())
    return digest([(str(file.relative_to(folder)), file_digest(file)) for file in files])


def is_aside(name: str) -> bool:
    """Whether a file or folder of this name is nobody's input: hidden, or a cache of Python."""
    return name.startswith(".") or name == "__pycache__"


def versions() -> dict[str, str]:
    """Installed versions of the packages that can move a number, and of this library."""
    found = {}
    for package in ("propeval-lite", *PACKAGES):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def run_digests(entry: Entry, parameters: dict, modules: dict, files: dict) -> dict[str, str]:
    """Return the four digests of a run; equal digests mean that running again would change nothing.

    `modules` and `files` hold the digest of each that the run has read, see :mod:`propeval_lite.runner.reads`.
    """
    return {
        "notebook": notebook_digest(entry.path),
        "parameters": digest(parameters),
        "library": digest(sys.version_info[:2], versions(), modules),
        "data": digest(files),
    }
