"""One run of a name at a time: other processes, other containers and other hosts on a shared volume."""

import errno
import fcntl
import json
import os
import subprocess
import sys
import time

import pytest
from compendium import make_compendium

from propeval_lite._checks.values import InputError
from propeval_lite.runner import lock as locks
from propeval_lite.runner.catalog import load_catalog
from propeval_lite.runner.execute import run_notebook
from propeval_lite.runner.lock import STALE, Lock, machine

REMEDY = "Wait until it has ended."


def take(path):
    return Lock(path, "run", REMEDY)


def test_the_lock_is_held_while_the_block_runs_and_leaves_nothing(tmp_path):
    path = tmp_path / "a" / ".run.lock"
    with take(path):
        owner = json.loads(path.read_text())
        assert (owner["machine"], owner["process"]) == (machine(), os.getpid())
        with pytest.raises(
            InputError, match=f"expected no other run at work, got one on .*process {os.getpid()}"
        ):
            take(path).__enter__()
    assert list(path.parent.iterdir()) == []
    with take(path):
        pass


def test_an_error_in_the_block_sets_it_free(tmp_path):
    with pytest.raises(ZeroDivisionError), take(tmp_path / "lock"):
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


HOLD = """
import sys
from pathlib import Path
from propeval_lite.runner.lock import Lock
with Lock(Path(sys.argv[1]), "run", "Wait."):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_is_refused_and_its_death_frees_the_lock(tmp_path):
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(InputError, match=f"process {holder.pid}. Wait until it has ended."):
        take(path).__enter__()
    holder.kill()
    holder.communicate()
    with take(path):
        assert json.loads(path.read_text())["process"] == os.getpid()


def elsewhere(path, age, **change):
    """A lock file as a holder on another machine leaves it, last alive `age` seconds ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    owner = {"machine": "other", "host": "node7", "process": os.getpid(), **change}
    path.write_text(json.dumps(owner))
    os.utime(path, (time.time() - age,) * 2)


@pytest.mark.site
def test_a_run_on_another_host_of_a_shared_volume_keeps_its_working_folder(tmp_path):
    root = make_compendium(tmp_path)
    entry = load_catalog(root)["good"]
    place = root / "runs" / "good"
    elsewhere(place / ".default.lock", 3)
    theirs = place / ".default.work"
    theirs.mkdir()
    (theirs / "half.csv").write_text("theirs")
    with pytest.raises(
        InputError, match=r"run 'default' of good at work, got one on node7, process \d+. Wait"
    ):
        run_notebook(entry, root)
    assert (theirs / "half.csv").read_text() == "theirs"
    elsewhere(place / ".default.lock", 2 * STALE)
    assert run_notebook(entry, root).status == "finished", "no sign of life for long: it is dead"
    assert [path.name for path in place.iterdir()] == ["default"]


def test_a_dead_holder_on_this_machine_is_known_at_once(tmp_path):
    elsewhere(tmp_path / "lock", 0, machine=machine())
    with take(tmp_path / "lock"):
        pass


@pytest.mark.parametrize("content", ["", "[]", "{", "5", "\0" * 9000])
def test_an_odd_lock_file_belongs_to_nobody(tmp_path, content):
    (tmp_path / "lock").write_text(content)
    with take(tmp_path / "lock"):
        pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_without_locks_of_the_file_system_signs_of_life_decide(tmp_path, monkeypatch, number):
    def none(*_):
        raise OSError(number, "none")

    monkeypatch.setattr(fcntl, "flock", none)
    path = tmp_path / "lock"
    with take(path), pytest.raises(InputError, match="no other run at work"):
        take(path).__enter__()
    elsewhere(path, 2 * STALE, machine=machine())
    with take(path):
        pass


def test_other_errors_of_the_system_are_not_hidden(tmp_path, monkeypatch):
    def broken(*_):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(fcntl, "flock", broken)
    with pytest.raises(OSError, match="broken"):
        take(tmp_path / "lock").__enter__()


def test_the_holder_shows_signs_of_life(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "BEAT", 0.01)
    path = tmp_path / "lock"
    with take(path):
        os.utime(path, (1, 1))
        for _ in range(500):
            if path.stat().st_mtime > 1:
                break
            time.sleep(0.01)
        assert time.time() - path.stat().st_mtime < 60


def test_a_lock_file_that_goes_while_it_is_taken_is_taken_anew(tmp_path, monkeypatch):
    path, plain, calls = tmp_path / "lock", fcntl.flock, []

    def flock(file, how):
        plain(file, how)
        if not calls:  # the holder before us removes the file just now
            path.unlink()
        calls.append(file)

    monkeypatch.setattr(fcntl, "flock", flock)
    with take(path):
        assert len(calls) == 2
        assert path.exists()


def test_a_machine_without_a_boot_id_has_a_name(monkeypatch):
    monkeypatch.setattr(locks.Path, "read_text", lambda *_, **__: (_ for _ in ()).throw(OSError()))
    assert machine()
