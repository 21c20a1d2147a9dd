"""The display and the order of several runs, with no kernel: `run_notebook` is replaced."""

import io
import shutil
import tempfile
import threading
import time
from pathlib import Path

import pytest
from compendium import make_compendium

from propeval_lite._checks.values import InputError
from propeval_lite.runner import jobs
from propeval_lite.runner.catalog import load_catalog
from propeval_lite.runner.execute import Outcome


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def tasks(tmp_path):
    return [(entry, {}) for entry in load_catalog(make_compendium(tmp_path)).values()]


@pytest.fixture
def stand_in(monkeypatch):
    """Replace the run of a notebook by a function of its name; notebooks at work are counted."""

    def replace(function):
        at_work, most, lock = [], [], threading.Lock()

        def run_notebook(entry, root, on_cell, **_):
            with lock:
                at_work.append(entry.name)
                most.append(len(at_work))
            status = function(entry.name)
            on_cell()
            with lock:
                at_work.remove(entry.name)
            return Outcome(entry.name, status, 1.5, root)

        monkeypatch.setattr(jobs, "run_notebook", run_notebook)
        return most

    return replace


def test_never_more_at_a_time_than_jobs(tasks, tmp_path, stand_in):
    most = stand_in(lambda name: "finished")
    jobs.run_many(tasks, tmp_path, jobs=1, quiet=True)
    assert max(most) == 1


def test_outcomes_keep_the_order_of_the_tasks_and_two_run_at_a_time(tasks, tmp_path, stand_in):
    meet, first = threading.Barrier(2, timeout=30), threading.Event()

    def work(name):
        if name == "slow":  # the third begins when the second has ended
            first.set()
            return "finished"
        meet.wait()
        if name == "good":
            assert first.wait(30)
        return "failed" if name == "bad" else "finished"

    stand_in(work)
    outcomes = jobs.run_many(tasks, tmp_path, jobs=2, quiet=True)
    assert [(o.notebook, o.status) for o in outcomes] == [
        ("good", "finished"), ("bad", "failed"), ("slow", "finished"),
    ]  # fmt: skip


def test_one_bar_names_the_notebooks_at_work(tasks, tmp_path, stand_in, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    meet = threading.Barrier(2, timeout=30)
    stand_in(lambda name: "finished" if meet.wait() >= 0 else "failed")
    jobs.run_many(tasks[:2], tmp_path, jobs=2)
    shown = terminal.getvalue()
    assert "good, bad" in shown or "bad, good" in shown
    # Two code cells of the one, four of the other, and the cell of given parameters of each.
    assert "8/8" in shown
    assert "\n" not in shown.rstrip("\n"), "one bar, one line"


def test_without_a_terminal_a_line_as_each_ends_and_quiet_says_nothing(tasks, tmp_path, stand_in, capsys):
    stand_in(lambda name: "unchanged")
    jobs.run_many(tasks[:1], tmp_path)
    assert capsys.readouterr().err == "good: unchanged (1.5 s)\n"
    jobs.run_many(tasks, tmp_path, quiet=True)
    assert capsys.readouterr().err == ""


def test_an_error_of_the_input_stops_what_has_not_begun(tasks, tmp_path, stand_in):
    begun = []

    def work(name):
        begun.append(name)
        if name == "bad":
            raise InputError("full")
        time.sleep(0.05)
        return "finished"

    stand_in(work)
    with pytest.raises(InputError, match="full"):
        jobs.run_many([tasks[1], *[tasks[0]] * 50], tmp_path, jobs=1, quiet=True)
    assert begun[0] == "bad"
    assert len(begun) < 51


def test_ctrl_c_between_two_notebooks_is_ctrl_c(tasks, tmp_path, stand_in, monkeypatch):
    plain, calls = jobs.wait, []

    def wait(futures, **options):
        calls.append(options)
        if len(calls) == 1:
            plain(futures[:1])
            futures[-1].cancel()
            raise KeyboardInterrupt
        return plain(futures, **options)

    stand_in(lambda name: "finished" if name == "good" else time.sleep(0.5) or "finished")
    monkeypatch.setattr(jobs, "wait", wait)
    monkeypatch.setattr(jobs, "PATIENCE", 60)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        jobs.run_many(tasks, tmp_path, jobs=1, quiet=True)
    assert time.monotonic() - started < 30, "nobody waits for what will not begin"


def test_threads_are_divided_unless_the_user_has_set_them(tmp_path, monkeypatch):
    from propeval_lite.runner import launch

    monkeypatch.setattr(launch, "cores", lambda: 4)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    alone, shared = (launch.kernel_environment(tmp_path, tmp_path, share) for share in (1, 2))
    assert "NUMBA_NUM_THREADS" not in alone
    assert (shared["NUMBA_NUM_THREADS"], shared["OMP_NUM_THREADS"]) == ("2", "3")
    assert launch.kernel_environment(tmp_path, tmp_path, 9)["NUMBA_NUM_THREADS"] == "1"
    assert shared["PROPEVAL_RUN_FOLDER"] == str(tmp_path)


def test_kernels_are_spoken_to_by_sockets_of_their_own_and_never_share_a_port(tmp_path, monkeypatch):
    """Two kernels that started together were given one port: the run waited for ever for the one that died."""
    from propeval_lite.runner import launch

    scratch = Path(tempfile.mkdtemp(prefix="k"))
    kernels = launch.Kernels()
    manager = launch.kernel_manager(tmp_path, scratch, 1, kernels)()
    assert manager.transport == "ipc" and manager.ip.startswith(str(scratch))
    manager.write_connection_file()
    assert {f"{manager.ip}-{getattr(manager, name)}" for name in ("shell_port", "iopub_port")} == {
        f"{scratch}/socket-{number}" for number in (1, 2)
    }
    monkeypatch.setattr(launch, "LONGEST_SOCKET", len(str(scratch)))
    assert launch.kernel_manager(tmp_path, scratch, 1, kernels)().transport == "tcp"
    shutil.rmtree(scratch)
