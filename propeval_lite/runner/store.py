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

RUN_FILE = "run.json"


def check_run_name(name: str) -> str:
    """Run names become folders: letters, digits, dot, dash, underscore."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise fail("a run name of letters, digits, '.', '-', '_'", repr(name), "Choose another --name.")
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
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and record.get("status") == "finished" else None


def is_whole(record: dict, folder: Path) -> bool:
    """Whether every file that a record lists is there and as the run wrote it."""
    files = record.get("files")
    if not isinstance(files, dict):
        return False
    return all(
        (folder / name).is_file() and file_digest(folder / name) == found for name, found in files.items()
    )


class RunFolder:
    """The folder of one run, `runs/NOTEBOOK/RUN`, written aside and moved into place at the end."""

    def __init__(self, runs: Path, notebook: str, name: str):
        self.final = runs / notebook / check_run_name(name)
        self.failed = self.final.with_name(f"{name}.failed")
        self.work = self.final.with_name(f".{name}.{os.getpid()}")

    def start(self, record: dict) -> Path:
        """Make the working folder and write the record of a run that has begun."""
        if self.final.exists() and not self.final.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "a file of that name", str(self.final))
        self._remove_abandoned()
        self.work.mkdir(parents=True)
        write_json(self.work / RUN_FILE, {**record, "status": "running"})
        return self.work

    def finish(self, record: dict) -> Path:
        """Mark the run finished and give it its name; the previous run of that name goes only then."""
        write_json(self.work / RUN_FILE, {**record, "status": "finished"})
        self._replace(self.final)
        shutil.rmtree(self.failed, ignore_errors=True)
        return self.final

    def fail(self, record: dict) -> Path:
        """Keep what there is beside the last whole run, under a name that says so."""
        if self.work.is_dir():
            write_json(self.work / RUN_FILE, record)
            self._replace(self.failed)
        return self.failed

    def _replace(self, target: Path) -> None:
        old = target.with_name(f".{target.name}.{os.getpid()}.old")
        if target.exists():
            os.replace(target, old)
        os.replace(self.work, target)
        shutil.rmtree(old, ignore_errors=True)

    def _remove_abandoned(self) -> None:
        """Clear up after processes that were killed: put back what they had moved aside, remove the rest."""
        for target in (self.final, self.failed):
            for folder in target.parent.glob(f".{target.name}.*"):
                match = re.fullmatch(rf"\.{re.escape(target.name)}\.(\d+)(\.old)?", folder.name)
                if not match or (int(match[1]) != os.getpid() and _alive(int(match[1]))):
                    continue
                if match[2] and not target.exists():
                    os.replace(folder, target)
                else:
                    shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
