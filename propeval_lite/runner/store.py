"""Run folders: a run is made in a hidden folder and takes its name only when it is whole."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from pathlib import Path

from propeval_lite._checks.values import fail
from propeval_lite.runner.hashing import file_digest
from propeval_lite.runner.lock import Lock

RUN_FILE = "run.json"
FAILED = ".failed"


def check_run_name(name: str) -> str:
    """Run names become folders: letters, digits, dot, dash, underscore."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name):
        expected = "a run name of at most 100 letters, digits, '.', '-', '_'"
        raise fail(expected, repr(name), "Choose another --name.")
    if name.lower().endswith(FAILED):
        # The next whole run of the name before the ending would remove it.
        expected = f"a run name that does not end in {FAILED!r}, as the runs that failed do"
        raise fail(expected, repr(name), "Choose another --name.")
    return name


def write_json(path: Path, content: dict) -> None:
    """Write JSON so that a reader sees the old file or the new one, never half of one."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=2, default=str) + "\n", encoding="utf-8")
    os.replace(part, path)


def read_run(folder: Path) -> dict | None:
    """Return run.json of a finished run, or None when there is no whole run."""
    try:
        record = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and record.get("status") == "finished" else None


def is_complete(record: dict) -> bool:
    """Whether a record has all that a finished run writes; one edited by hand or cut may not."""
    reads = record.get("reads")
    return (
        isinstance(record.get("files"), dict)
        and isinstance(record.get("digests"), dict)
        and isinstance(record.get("seconds"), int | float)
        and isinstance(reads, dict)
        and all(isinstance(reads.get(key), dict) for key in ("modules", "files"))
    )


def damaged(record: dict, folder: Path) -> list[str]:
    """Files of a record that are not there, or not as the run wrote them."""
    return [
        name
        for name, found in record["files"].items()
        if not (folder / name).is_file() or file_digest(folder / name) != found
    ]


class RunFolder:
    """The folder of one run, `runs/NOTEBOOK/RUN`, written aside and moved into place at the end.

    All is done while `lock` is held, so what lies aside when a run begins belongs to nobody.
    """

    def __init__(self, runs: Path, notebook: str, name: str):
        self.final = runs / notebook / check_run_name(name)
        self.failed = self.final.with_name(name + FAILED)
        self.work = self.final.with_name(f".{name}.work")
        self.lock = Lock(
            self.final.with_name(f".{name}.lock"),
            f"run {name!r} of {notebook}",
            "Wait until it has ended, or choose another --name.",
        )

    def start(self, record: dict) -> Path:
        """Make the working folder and write the record of a run that has begun."""
        if self.final.exists() and not self.final.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "a file of that name", str(self.final))
        self._clear_up()
        self.work.mkdir(parents=True)
        write_json(self.work / RUN_FILE, {**record, "status": "running"})
        return self.work

    def check(self) -> None:
        """Raise an error if somebody has removed the working folder."""
        if not (self.work / RUN_FILE).is_file():
            remedy = "Run again, and let nothing clear the folder of the runs meanwhile."
            raise fail("the folder of a run to stay until its end", "it was removed", remedy, str(self.work))

    def finish(self, record: dict) -> Path:
        """Mark the run finished and give it its name; the previous run of that name goes only then."""
        write_json(self.work / RUN_FILE, {**record, "status": "finished"})
        self._replace(self.final)
        shutil.rmtree(self.failed, ignore_errors=True)
        return self.final

    def fail(self, record: dict) -> Path:
        """Keep what there is beside the last whole run, under a name that says so."""
        write_json(self.work / RUN_FILE, record)
        self._replace(self.failed)
        return self.failed

    def _replace(self, target: Path) -> None:
        old = _old(target)
        if target.exists():
            os.replace(target, old)
        os.replace(self.work, target)
        shutil.rmtree(old, ignore_errors=True)

    def _clear_up(self) -> None:
        """After a process that was killed: put back what it had moved aside, remove the rest."""
        for target in (self.final, self.failed):
            if _old(target).exists() and not target.exists():
                os.replace(_old(target), target)
            shutil.rmtree(_old(target), ignore_errors=True)
        shutil.rmtree(self.work, ignore_errors=True)


def _old(target: Path) -> Path:
    return target.with_name(f".{target.name}.old")
