"""Runs of real kernels; a few seconds each."""

import errno
import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from compendium import make_compendium, write_index, write_notebook

from propeval_lite.cli import main
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
    assert record["files"] == ["good.ipynb", "k.csv", "run.json"]
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
    command = [sys.executable, "-m", "propeval_lite.cli", "run", "slow", "-p", f"marker={marker}", "--quiet"]
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
    assert "interrupted" in out
    assert not (root / "runs" / "slow" / "default").exists()
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
