"""Execute a notebook: a fresh kernel, one record per run, and nothing at all when nothing has changed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from propeval_lite._checks.values import InputError, fail
from propeval_lite.runner.catalog import Entry
from propeval_lite.runner.commits import fault_of_commit, git_commit
from propeval_lite.runner.hashing import file_digest, run_digests, versions
from propeval_lite.runner.launch import Kernels, execute
from propeval_lite.runner.reads import look_again, named_files, record_reads
from propeval_lite.runner.start import is_catalogue_run
from propeval_lite.runner.store import RUN_FILE, RunFolder, damaged, is_complete, read_run, write_json


@dataclass(frozen=True)
class Outcome:
    """How one notebook ended: status is "finished", "unchanged", "failed" or "interrupted"."""

    notebook: str
    status: str
    seconds: float
    folder: Path
    message: str = ""

    @property
    def good(self) -> bool:
        """True when the folder holds a whole run."""
        return self.status in ("finished", "unchanged")


def begin_record(entry: Entry, profile: str, parameters: dict, root: Path, files: dict) -> dict:
    """Return what is known of a run when it begins; `files` are the digests of those that parameters name."""
    return {
        "notebook": entry.name, "profile": profile, "parameters": parameters,
        "started": datetime.now(UTC).isoformat(timespec="seconds"), "commit": git_commit(root),
        "python": sys.version.split()[0], "versions": versions(), "cores": os.cpu_count(),
        "digests": run_digests(entry, parameters, {}, files),
    }  # fmt: skip


def is_unchanged(previous: dict, folder: Path, entry: Entry, parameters: dict, root: Path) -> bool:
    """Whether a run is whole and its notebook, parameters, versions, modules and files are as they were."""
    if not is_complete(previous) or damaged(previous, folder):
        return False
    reads = previous["reads"]
    digests = run_digests(entry, parameters, *look_again(reads["modules"], reads["files"], root))
    return digests == previous["digests"]


def _serves(previous: dict, entry: Entry, profile: str, parameters: dict, root: Path, draft: bool) -> bool:
    """Whether a run can be stored as well as a new one could: a draft does not stand for a run of a clean commit."""
    if draft or not is_catalogue_run(entry, profile, parameters):
        return True
    return not previous.get("draft") and fault_of_commit(root, previous.get("commit")) is None


def run_notebook(
    entry: Entry,
    root: Path,
    profile: str = "default",
    overrides: dict | None = None,
    name: str | None = None,
    runs: Path | None = None,
    force: bool = False,
    draft: bool = False,
    kernels: Kernels | None = None,
    share: int = 1,
    on_cell: Callable[[], None] = lambda: None,
) -> Outcome:
    """Execute one notebook into ``runs/NOTEBOOK/RUN``, unless a whole run of the same is there.

    A notebook that fails keeps its partial output in ``RUN.failed`` and leaves an earlier whole run alone.
    Errors of the input (unknown parameter, unwritable folder, full disk) are raised as InputError. A `draft` is never
    stored. `share` is the number of notebooks that run at the same time; `on_cell` is called after each cell.
    """
    parameters = entry.resolve(profile, overrides or {})
    place = RunFolder(runs or root / "runs", entry.name, profile if name is None else name)
    try:
        with place.lock:
            previous = read_run(place.final)
            if (
                previous
                and not force
                and _serves(previous, entry, profile, parameters, root, draft)
                and is_unchanged(previous, place.final, entry, parameters, root)
            ):
                return Outcome(entry.name, "unchanged", previous["seconds"], place.final)
            return _run(place, entry, parameters, root, profile, draft, kernels or Kernels(), share, on_cell)
    except OSError as error:
        raise _explained(error, place.final) from error


def _run(
    place: RunFolder,
    entry: Entry,
    parameters: dict,
    root: Path,
    profile: str,
    draft: bool,
    kernels: Kernels,
    share: int,
    on_cell: Callable[[], None],
) -> Outcome:
    clock, started = time.perf_counter(), time.time()
    named = named_files(parameters, root)
    record = {"name": place.final.name, **begin_record(entry, profile, parameters, root, named)}
    record |= {"draft": True} if draft else {}
    try:
        work = place.start(record)
        status, message, log = execute(entry, parameters, work, kernels, share, on_cell)
        place.check()
        record |= {"seconds": round(time.perf_counter() - clock, 2), "status": status}
        if status != "finished":
            folder = place.fail({**record, "message": message})
            return Outcome(entry.name, status, record["seconds"], folder, message)
        own = offered_files(work) if profile == "paper" else []
        modules, files = record_reads(log, named, root, work, started, own)
        record["digests"] = run_digests(entry, parameters, modules, files)
        record["reads"] = {"modules": modules, "files": files}
        _stamp_results(work, record["digests"])
        record["files"] = {
            str(path.relative_to(work)): file_digest(path)
            for path in sorted(work.rglob("*"))
            if path.is_file() and path != work / RUN_FILE
        }
        folder = place.finish(record)
    except FileNotFoundError:
        place.check()
        raise
    except OSError:
        shutil.rmtree(place.work, ignore_errors=True)
        raise
    return Outcome(entry.name, status, record["seconds"], folder, message)


def offered_files(folder: Path) -> list[str]:
    """List what a run on real data offers for data/results, where the book finds it without the data."""
    found = [path for path in (folder / "results").rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(folder)) for path in found)


def _stamp_results(work: Path, digests: dict) -> None:
    """Write into the stamps of offered tables what the run has read, known only now that it has ended."""
    for path in sorted((work / "results").rglob("*.json")):
        write_json(path, {**json.loads(path.read_text(encoding="utf-8")), "digests": digests})


def _explained(error: OSError, folder: Path) -> InputError:
    remedy = {
        errno.ENOSPC: "The disk is full: free some space and run again; finished runs are kept.",
        errno.EACCES: "Make it writable or choose another folder with --output.",
        errno.EROFS: "Choose a folder on a writable disk with --output.",
    }.get(error.errno or 0, "Choose another folder with --output.")
    return fail("a writable output folder", error.strerror or error, remedy, str(folder.parent))
