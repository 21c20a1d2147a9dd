"""Execute notebooks with papermill: one process, a fresh kernel each, one record per run."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import papermill
from jupyter_client import AsyncKernelManager
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError
from tqdm import tqdm

from propeval_lite._checks.values import InputError, fail
from propeval_lite.runner.catalog import Entry
from propeval_lite.runner.hashing import run_digests, versions
from propeval_lite.runner.store import RunFolder, read_run

KERNEL_LOG = "kernel.log"


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


class LoggedKernelManager(AsyncKernelManager):
    """Start kernels whose own messages go to a file of the run, not between our progress bars."""

    async def _async_start_kernel(self, **options):
        with (Path(os.environ["PROPEVAL_RUN_FOLDER"]) / KERNEL_LOG).open("ab") as log:
            await super()._async_start_kernel(stderr=log, **options)

    start_kernel = _async_start_kernel


def git_commit(root: Path) -> str:
    """Short commit of the repository, with ``+`` when files differ from it; "unknown" outside git."""
    try:
        git = ["git", "-C", str(root)]
        head = subprocess.run(
            [*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True
        )
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def run_notebook(
    entry: Entry,
    root: Path,
    profile: str = "default",
    overrides: dict | None = None,
    name: str | None = None,
    runs: Path | None = None,
    force: bool = False,
    quiet: bool = False,
) -> Outcome:
    """Execute one notebook into ``runs/NOTEBOOK/RUN``, unless a whole run with the same digests is there.

    A notebook that fails keeps its partial output in ``RUN.failed`` and leaves an earlier whole run alone.
    Errors of the input (unknown parameter, unwritable folder, full disk) are raised as InputError.
    """
    parameters = entry.resolve(profile, overrides or {})
    place = RunFolder(runs or root / "runs", entry.name, profile if name is None else name)
    digests = run_digests(entry, profile, parameters, root)
    previous = read_run(place.final)
    if previous and previous.get("digests") == digests and not force:
        return Outcome(entry.name, "unchanged", previous["seconds"], place.final)
    started = time.perf_counter()
    record = {
        "notebook": entry.name, "name": place.final.name, "profile": profile, "parameters": parameters,
        "started": datetime.now(UTC).isoformat(timespec="seconds"), "commit": git_commit(root),
        "python": sys.version.split()[0], "versions": versions(), "cores": os.cpu_count(), "digests": digests,
    }  # fmt: skip
    try:
        work = place.start(record)
        status, message = _papermill(entry, parameters, work, quiet)
        record |= {"seconds": round(time.perf_counter() - started, 2), "status": status}
        if status == "finished":
            record["files"] = sorted(str(p.relative_to(work)) for p in work.rglob("*") if p.is_file())
            folder = place.finish(record)
            if profile == "paper":
                _keep_results(folder, root)
        else:
            folder = place.fail({**record, "message": message})
    except OSError as error:
        shutil.rmtree(place.work, ignore_errors=True)
        raise _explained(error, place.final) from error
    return Outcome(entry.name, status, record["seconds"], folder, message)


def _papermill(entry: Entry, parameters: dict, work: Path, quiet: bool) -> tuple[str, str]:
    bar = {"desc": entry.name, "leave": False, "position": 1, "disable": True if quiet else None}
    before = os.environ.get("PROPEVAL_RUN_FOLDER")
    os.environ["PROPEVAL_RUN_FOLDER"] = str(work.resolve())
    # It guesses at parameters that are checked already, and guesses wrong where a text holds a "#" or "&".
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    # After Ctrl-C the task that waited for the kernel ends unheard, and asyncio would print its traceback.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    try:
        papermill.execute_notebook(
            entry.path,
            work / f"{entry.name}.ipynb",
            parameters,
            kernel_name="python3",
            kernel_manager_class=LoggedKernelManager,
            progress_bar=bar,
        )
    except PapermillExecutionError as error:
        lines = [line for line in str(error.evalue).splitlines() if line.strip()]
        return "failed", f"cell {error.exec_count}: {error.ename}: {lines[0].strip() if lines else ''}"
    except DeadKernelError:
        return "failed", "the kernel died (out of memory?)"
    except KeyboardInterrupt:
        return "interrupted", "stopped by Ctrl-C"
    finally:
        if before is None:
            del os.environ["PROPEVAL_RUN_FOLDER"]
        else:
            os.environ["PROPEVAL_RUN_FOLDER"] = before
    (work / KERNEL_LOG).unlink(missing_ok=True)
    return "finished", ""


def _keep_results(folder: Path, root: Path) -> None:
    """Copy what a run on real data computed into data/results, where the book finds it without the data."""
    for table in sorted((folder / "results").rglob("*")):
        if table.is_file():
            target = root / "data" / "results" / table.relative_to(folder / "results")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table, target)


def _explained(error: OSError, folder: Path) -> InputError:
    remedy = {
        errno.ENOSPC: "The disk is full: free some space and run again; finished runs are kept.",
        errno.EACCES: "Make it writable or choose another folder with --output.",
        errno.EROFS: "Choose a folder on a writable disk with --output.",
    }.get(error.errno, "Choose another folder with --output.")
    return fail("a writable output folder", error.strerror or error, remedy, str(folder.parent))


def run_many(jobs: list[tuple[Entry, dict]], root: Path, **options) -> list[Outcome]:
    """Run notebooks, each with its overrides; one that fails does not stop the others, Ctrl-C does."""
    outcomes = []
    quiet = options.get("quiet", False)
    with tqdm(total=len(jobs), desc="book", unit="notebook", disable=True if quiet else None) as bar:
        for entry, overrides in jobs:
            outcomes.append(run_notebook(entry, root, overrides=overrides, **options))
            bar.update()
            if not sys.stderr.isatty() and not quiet:
                last = outcomes[-1]
                print(f"{last.notebook}: {last.status} ({last.seconds:.1f} s)", file=sys.stderr)
            if outcomes[-1].status == "interrupted":
                break
    return outcomes


def summary(outcomes: list[Outcome]) -> str:
    """Return the table of how each notebook ended."""
    width = max([len("notebook"), *(len(o.notebook) for o in outcomes)])
    lines = [f"{'notebook':<{width}}  {'status':<11}  {'seconds':>7}  where"]
    for outcome in outcomes:
        line = f"{outcome.notebook:<{width}}  {outcome.status:<11}  {outcome.seconds:>7.1f}  {outcome.folder}"
        lines.append(line + (f"\n{'':<{width}}  {outcome.message}" if outcome.message else ""))
    return "\n".join(lines)
