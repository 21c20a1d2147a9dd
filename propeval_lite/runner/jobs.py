"""Run several notebooks, two or more at a time, with one progress display and one summary."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

from tqdm import tqdm

from propeval_lite.runner.catalog import Entry, read_notebook
from propeval_lite.runner.execute import Outcome, run_notebook
from propeval_lite.runner.launch import Kernels, cores
from propeval_lite.runner.start import check_start

PATIENCE = 5  # seconds that interrupted kernels get to end by themselves


class Progress:
    """One bar that counts cells and names the notebooks at work; without a terminal, a line as each ends."""

    def __init__(self, entries: list[Entry], quiet: bool):
        self._cells = {entry.name: _count_cells(entry) for entry in entries}
        self._done: dict[str, int] = {}
        self._lines = not quiet and not sys.stderr.isatty()
        self._lock = threading.RLock()
        self._bar = tqdm(
            total=sum(self._cells.values()), desc="book", unit="cell", disable=True if quiet else None
        )

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_) -> None:
        self._bar.close()

    def begin(self, name: str) -> None:
        """Show that a notebook has begun."""
        with self._lock:
            self._done[name] = 0
            self._bar.set_postfix_str(", ".join(self._done))

    def cell(self, name: str) -> None:
        """Count one cell of a notebook."""
        with self._lock:
            if self._done[name] < self._cells[name]:
                self._done[name] += 1
                self._bar.update()

    def end(self, name: str, outcome: Outcome | None) -> None:
        """Show that a notebook has ended; without an outcome, by an error that stops the whole."""
        with self._lock:
            self._bar.update(self._cells[name] - self._done.pop(name))
            self._bar.set_postfix_str(", ".join(self._done))
            if self._lines and outcome is not None:
                print(f"{name}: {outcome.status} ({outcome.seconds:.1f} s)", file=sys.stderr)


def _count_cells(entry: Entry) -> int:
    cells = read_notebook(entry.path).cells
    return 1 + sum(
        cell.cell_type == "code" and bool(cell.source.strip()) for cell in cells
    )  # 1: given parameters


def run_many(
    tasks: list[tuple[Entry, dict]],
    root: Path,
    jobs: int | None = None,
    quiet: bool = False,
    profile: str = "default",
    draft: bool = False,
    **options,
) -> list[Outcome]:
    """Run notebooks, each with its overrides; outcomes come in the order of `tasks`.

    `jobs` of them run at a time; by default two, or one on a machine with one core.
    One that fails does not stop the others. Ctrl-C does: outcomes are then those of the notebooks that had begun.
    An error of the input lets those that have begun end, and is raised then.
    """
    check_start(tasks, root, profile, draft)
    jobs = max(1, min(jobs or min(2, cores()), len(tasks)))
    kernels = Kernels()
    with Progress([entry for entry, _ in tasks], quiet) as progress, ThreadPoolExecutor(jobs) as pool:

        def one(entry: Entry, overrides: dict) -> Outcome:
            progress.begin(entry.name)
            outcome = None
            try:
                outcome = run_notebook(
                    entry, root, profile=profile, overrides=overrides, draft=draft, kernels=kernels, share=jobs,
                    on_cell=lambda: progress.cell(entry.name), **options,
                )  # fmt: skip
            finally:
                progress.end(entry.name, outcome)
            return outcome

        futures = [pool.submit(one, entry, overrides) for entry, overrides in tasks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            pool.shutdown(cancel_futures=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            try:
                kernels.stop()
                wait([future for future in futures if not future.cancelled()], timeout=PATIENCE)
            finally:
                kernels.stop(kill=True)
    outcomes = [future.result() for future in futures if not future.cancelled()]
    if len(outcomes) < len(tasks) and all(outcome.status != "interrupted" for outcome in outcomes):
        raise KeyboardInterrupt
    return outcomes


def summary(outcomes: list[Outcome]) -> str:
    """Return the table of how each notebook ended."""
    width = max([len("notebook"), *(len(o.notebook) for o in outcomes)])
    lines = [f"{'notebook':<{width}}  {'status':<11}  {'seconds':>7}  where"]
    for outcome in outcomes:
        line = f"{outcome.notebook:<{width}}  {outcome.status:<11}  {outcome.seconds:>7.1f}  {outcome.folder}"
        lines.append(line + (f"\n{'':<{width}}  {outcome.message}" if outcome.message else ""))
    return "\n".join(lines)
