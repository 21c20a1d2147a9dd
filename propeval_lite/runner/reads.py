"""What a run reads: the record of its modules and files, from the log of its kernel, and a second look at them."""

from __future__ import annotations

import importlib.util
import os
import site
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import InputError, fail
from propeval_lite.datasets.registry import LOADERS
from propeval_lite.runner.hashing import code_digest, file_digest, is_aside, names_digest, tree_digest
from propeval_lite.runner.kernel import LIST, READ, WRITE

PACKAGE = Path(__file__).resolve().parents[1]
SHARED = "$PROPEVAL_DATA"
NAMES, TREE = "/", "/**"  # behind a folder: the names in it, or everything below it
CHANGED = "changed during the run"
_LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
_LIBRARIES += [*site.getsitepackages(), site.getusersitepackages()]
INSTALLED = tuple({path for text in _LIBRARIES for path in (Path(text), Path(text).resolve())})


class Places:
    """Short names of paths, the same on every machine: below the compendium, the library, the data, the home."""

    def __init__(self, root: Path):
        shared = os.environ.get("PROPEVAL_DATA")
        places = {
            "data": root / "data",
            "propeval_lite": PACKAGE,
            "propeval_lite/../data": PACKAGE.parent / "data",
            SHARED: Path(shared) if shared else None,
            ".": root,
            "~": Path.home(),
        }
        self._folders = {name: Path(os.path.abspath(path)) for name, path in places.items() if path}
        self.data = [self._folders[name] for name in ("data", "propeval_lite/../data")] + [PACKAGE / "data"]
        self.shared = self._folders.get(SHARED)

    def shorten(self, path: Path) -> str:
        """Return the short name of a path; one that lies nowhere known keeps its own."""
        for name, folder in self._folders.items():
            if path.is_relative_to(folder):
                return "/".join((name, *path.relative_to(folder).parts))
        return str(path)

    def expand(self, text: str) -> Path:
        """Return the path of a short name."""
        for name, folder in self._folders.items():
            if text == name:
                return folder
            if text.startswith(f"{name}/") and not text.startswith(f"{name}/.."):
                return folder / text[len(name) + 1 :]
        return Path(text)


def named_paths(parameters: dict) -> list[Path]:
    """Files and folders that parameters name: ``coco:FILE.json?images=FOLDER``, ``file:PATH``, or ``voc2007`` alone.

    A path is looked for here and in the folder PROPEVAL_DATA; the places before the one where it is found are in the
    list too, because a file there would be taken instead.
    """
    shared = os.environ.get("PROPEVAL_DATA", "")
    found: dict[Path, None] = {}
    for value in parameters.values():
        for text in value if isinstance(value, list | tuple) else [value]:
            for words in _words(text, shared):
                places = [Path(os.path.expanduser(words)), *([Path(shared) / words] if shared else [])]
                there = [_exists(place) for place in places]
                if any(there):
                    found |= dict.fromkeys(
                        Path(os.path.abspath(place)) for place in places[: there.index(True) + 1]
                    )
    return list(found)


def _words(text: object, shared: str) -> Iterable[str]:
    """Texts of a parameter that may be paths."""
    if not isinstance(text, str):
        return
    if "/" in text and _exists(plain := Path(os.path.expanduser(text))) and not plain.is_dir():
        yield text
    try:
        spec = parse_spec(text, "parameters")
    except InputError:
        return
    if spec.path:
        yield spec.path
    elif spec.name in LOADERS and (default := LOADERS[spec.name].default):
        yield str(Path(shared) / default)
    yield from (value for value in spec.options.values() if isinstance(value, str) and value)


def _exists(path: Path) -> bool:
    """Whether a path leads to something; a text that cannot be a path, or is too long for one, does not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def named_files(parameters: dict, root: Path) -> dict[str, str | None]:
    """Digests of what parameters name, by short name."""
    places = Places(root)
    keys = [places.shorten(path) + (TREE if path.is_dir() else "") for path in named_paths(parameters)]
    return {SHARED: _look(SHARED, places), **{key: _look(key, places) for key in sorted(keys)}}


def record_reads(
    log: bytes, named: dict, root: Path, work: Path, started: float, own: Iterable[str] = ()
) -> tuple[dict, dict]:
    """Return digests of the modules and of the files that a run has read, by short name.

    Parameters
    ----------
    log : bytes
        What :func:`propeval_lite.runner.kernel.watch` wrote.
    named : dict
        What :func:`named_files` found when the run began; readers outside Python may have opened it.
    root, work : Path
        Folder of the compendium and of the run; what lies in that of the run is no input.
    started : float
        Seconds since 1970. What was written later may not be what the run has read, and counts as changed.
    own : iterable of str
        Paths below data/ that the run itself writes there at its end.

    Returns
    -------
    modules, files : dict
        Digest of each, None for a file that was looked for and is not there. Modules are those of the library and of
        the user. Files are those below the data folders, below the folders of the user's modules, and named ones.
    """
    places = Places(root)
    seen: dict[str, set[Path]] = {READ: set(), WRITE: set(), LIST: set()}
    for item in log.split(b"\0")[:-1]:
        text = os.fsdecode(item)
        seen[text[0]].add(Path(text[1:]))
    read = {path for path in seen[READ] - seen[WRITE] if not path.is_relative_to(work.resolve())}
    sources = {path for path in map(_source, read) if path is not None and path.is_file()}
    whole = [places.expand(key.removesuffix(TREE)) for key in named if key.endswith(TREE)]
    data = [*places.data, *([places.shared] if places.shared else [])]
    beside = [path.parent for path in sources if not path.is_relative_to(PACKAGE)]
    skipped = {folder / path for folder in places.data for path in own}
    keys = set()
    for path in read - skipped:
        # What is missing beside a module is mostly what Python looks for when it imports.
        if _is_input(path, [*data, *beside] if path.exists() else data, whole) and not path.is_dir():
            keys.add(places.shorten(path))
    for path in seen[LIST]:
        if _is_input(path, data, whole) and not any(path in file.parents for file in skipped):
            keys.add(places.shorten(path) + NAMES)
    modules = {
        places.shorten(path): _unless_new(code_digest(path), path, started) for path in sorted(sources)
    }
    files = {key: _look(key, places, started) for key in keys}
    files |= {key: found if _look(key, places) == found else CHANGED for key, found in named.items()}
    return modules, dict(sorted(files.items()))


def look_again(modules: dict, files: dict, root: Path) -> tuple[dict, dict]:
    """Return the digests of the same modules and files as they are now."""
    places = Places(root)
    return (
        {key: code_digest(path) if (path := places.expand(key)).is_file() else None for key in modules},
        {key: _look(key, places) for key in files},
    )


def _source(path: Path) -> Path | None:
    """Source of a module of the library or of the user; None for any other file."""
    if path.suffix == ".pyc" and path.parent.name == "__pycache__":
        try:
            path = Path(importlib.util.source_from_cache(str(path)))
        except ValueError:
            return None
    if path.suffix not in (".py", ".pyc", ".so", ".pyd"):
        return None
    ours = path.is_relative_to(PACKAGE)
    return path if ours or not any(path.is_relative_to(folder) for folder in INSTALLED) else None


def _is_input(path: Path, folders: list[Path], whole: list[Path]) -> bool:
    """Whether a path lies below one of the folders, and is neither set aside there nor part of a whole one."""
    if path.suffix in (".py", ".pyc", ".so", ".pyd") or any(path.is_relative_to(folder) for folder in whole):
        return False
    return any(
        path.is_relative_to(folder) and not any(map(is_aside, path.relative_to(folder).parts))
        for folder in folders
    )


def _look(key: str, places: Places, started: float | None = None) -> str | None:
    """Digest of what a short name stands for; None when there is nothing."""
    if key == SHARED:
        return "set" if places.shared else None  # chapters ask whether there are real data at all
    path = places.expand(key.removesuffix(TREE).removesuffix(NAMES))
    try:
        if key.endswith(TREE):
            return tree_digest(path) if path.is_dir() else None
        if key.endswith(NAMES):
            return names_digest(path) if path.is_dir() else None
        return _unless_new(file_digest(path), path, started) if path.is_file() else None
    except OSError as error:
        remedy = "Name the data set's own folder."
        raise fail("input data that can be read", error.strerror or error, remedy, error.filename) from None


def _unless_new(found: str, path: Path, started: float | None) -> str:
    return CHANGED if started is not None and path.stat().st_mtime > started else found
