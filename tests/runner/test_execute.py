"""Runs of real kernels; a few seconds each."""

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from compendium import make_compendium, write_index, write_notebook

from propeval_lite.cli import main
from propeval_lite.runner.launch import cores
from propeval_lite.runner.store import RunFolder

pytestmark = pytest.mark.site


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_compendium(tmp_path)
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_run_writes_everything_once(root, capsys):
    assert main(["run", "good", "-p", "k_max=5", "--name", "five", "--quiet"]) == 0
    folder = root / "runs" / "good" / "five"
    record = json.loads((folder / "run.json").read_text())
    assert record["parameters"]["k_max"] == 5
    assert record["files"]["k.csv"] == hashlib.sha256(b"k\n5\n").hexdigest()
    assert sorted(record["files"]) == ["good.ipynb", "k.csv"]
    assert set(record["digests"]) == {"notebook", "parameters", "library", "data"}
    assert (folder / "k.csv").read_text() == "k\n5\n"
    executed = nbformat.read(folder / "good.ipynb", as_version=4)
    assert executed.cells[-1].outputs[0].text == "5\n"
    before = (folder / "run.json").stat().st_mtime_ns
    assert main(["run", "good", "-p", "k_max=5", "--name", "five", "--quiet"]) == 0
    assert "unchanged" in capsys.readouterr().out
    assert (folder / "run.json").stat().st_mtime_ns == before
    assert main(["run", "good", "-p", "k_max=6", "--name", "five", "--quiet"]) == 0
    assert (folder / "k.csv").read_text() == "k\n6\n"


def test_a_failing_notebook_does_not_stop_the_others(root, capsys):
    assert main(["run", "bad", "good", "--quiet"]) == 1
    out = capsys.readouterr().out
    assert "ZeroDivisionError: division by zero" in out
    assert (root / "runs" / "good" / "default" / "k.csv").is_file()
    failed = root / "runs" / "bad" / "default.failed"
    partial = nbformat.read(failed / "bad.ipynb", as_version=4)
    assert any("before" in str(cell.get("outputs")) for cell in partial.cells)
    assert json.loads((failed / "run.json").read_text())["status"] == "failed"
    assert not (root / "runs" / "bad" / "default").exists()


def test_ctrl_c_keeps_what_is_finished(root):
    assert main(["run", "good", "--quiet"]) == 0
    marker = root / "begun"
    other = root / "notebooks" / "other.ipynb"
    shutil.copyfile(root / "notebooks" / "slow.ipynb", other)
    write_index(root, ["good", "slow", "other"])
    command = [sys.executable, "-m", "propeval_lite.cli", "run", "slow", "other", "-p", f"marker={marker}",
               "--jobs", "2", "--quiet"]  # fmt: skip
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    for _ in range(600):
        if marker.exists():
            break
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    rows = [line.split()[:2] for line in out.splitlines() if "interrupted" in line]
    assert rows == [["slow", "interrupted"], ["other", "interrupted"]]
    assert not (root / "runs" / "slow" / "default").exists()
    assert (root / "runs" / "slow" / "default.failed").is_dir()
    assert (root / "runs" / "good" / "default" / "k.csv").is_file()


def test_full_disk_is_one_line_and_keeps_the_earlier_run(root, capsys, monkeypatch):
    assert main(["run", "good", "--quiet"]) == 0

    def full(self, record):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(RunFolder, "finish", full)
    assert main(["run", "good", "--force", "--quiet"]) == 2
    err = capsys.readouterr().err.strip()
    assert err.count("\n") == 0
    assert "The disk is full: free some space and run again" in err
    assert (root / "runs" / "good" / "default" / "k.csv").is_file()
    assert [p.name for p in (root / "runs" / "good").iterdir()] == ["default"]


def test_messages_are_one_line_and_nothing_is_guessed_about_parameters(root, capfd):
    folder = root / "notebooks"
    write_notebook(
        folder / "odd.ipynb", ['spec = "a?b=1&c=2"  # text', "raise ValueError('\\n why \\n more')"]
    )
    write_index(root, ["odd"])
    assert main(["run", "odd", "-p", "spec=x", "--quiet"]) == 1
    out, err = capfd.readouterr()
    assert "ValueError: why\n" in out
    assert "unknown parameter" not in err


def test_two_at_a_time_each_in_its_own_folder_and_the_summary_in_order(root, capsys):
    meet = """
import os, pathlib, time
here = pathlib.Path(os.environ["PROPEVAL_RUN_FOLDER"])
pathlib.Path(me).touch()
for _ in range(600):
    if pathlib.Path(you).exists():
        break
    time.sleep(0.05)
else:
    raise TimeoutError("nobody else runs")
(here / "threads.csv").write_text(f"{me},{os.environ['NUMBA_NUM_THREADS']}")
time.sleep(delay)
"""
    for me, you, delay in (("one", "two", 1), ("two", "one", 0)):
        text = f"me = '{me}'  # m\nyou = '{you}'  # y\ndelay = {delay}  # d"
        write_notebook(root / "notebooks" / f"{me}.ipynb", [text, meet])
    write_index(root, ["one", "two"])
    before = dict(os.environ)
    assert main(["run", "one", "two", "one", "--jobs", "2"]) == 0
    assert dict(os.environ) == before
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["one", "two"]
    assert sorted(line.split(":")[0] for line in err.splitlines()) == ["one", "two"], "a line as each ends"
    each = max(1, cores() // 2)
    for name in ("one", "two"):
        assert (root / "runs" / name / "default" / "threads.csv").read_text() == f"{name},{each}"


def test_an_error_of_the_input_is_raised_when_the_others_have_ended(root, capsys):
    (root / "runs").mkdir()
    (root / "runs" / "bad").write_text("in the way")
    assert main(["run", "bad", "good", "--jobs", "2", "--quiet"]) == 2
    assert "expected a writable output folder" in capsys.readouterr().err
    assert not list(root.glob("runs/good/.*")), "no half of a run is left"


def test_the_kernel_is_this_environment_and_nobodys_settings(root, monkeypatch):
    spec = root / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = ["/no/such/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "Other", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(root / "jupyter"))
    startup = root / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    for place in (startup / "00.py", startup.parent / "ipython_kernel_config.py", root / "start.py"):
        place.write_text("import pathlib\npathlib.Path('started').touch()\n")
    monkeypatch.setenv("IPYTHONDIR", str(root / "ipython"))
    monkeypatch.setenv("PYTHONSTARTUP", str(root / "start.py"))
    (root / "matplotlibrc").write_text("lines.linewidth: 77\n")
    monkeypatch.setenv("MPLBACKEND", "svg")
    cell = """
import os, pathlib, sys, matplotlib
rows = [sys.executable, str(matplotlib.rcParams["lines.linewidth"]), matplotlib.get_backend()]
pathlib.Path(os.environ["PROPEVAL_RUN_FOLDER"], "t.csv").write_text("\\n".join(rows))
"""
    write_notebook(root / "notebooks" / "good.ipynb", ["k = 1  # number", cell])
    write_index(root, ["good"])
    assert main(["run", "good", "--quiet"]) == 0
    rows = (root / "runs" / "good" / "default" / "t.csv").read_text().split("\n")
    assert rows[:2] == [sys.executable, "1.5"]
    assert "inline" in rows[2]
    assert not (root / "started").exists()
