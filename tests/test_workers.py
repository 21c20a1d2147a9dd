"""Tests that share what is slow to make run in one worker."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import shared_worker

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("nodeid", "worker"),
    [
        ("tests/notebooks/test_site.py::test_page_in_a_browser[index]", "website"),
        ("tests/notebooks/test_parameters.py::test_every_parameter[wang_criteria-seed]", "wang_criteria"),
        ("tests/notebooks/test_parameters.py::test_a_fork[wang_criteria]", "wang_criteria"),
        ("tests/boxes/test_oma.py::test_x[1]", "tests/boxes/test_oma.py::test_x[1]"),
    ],
)  # fmt: skip
def test_what_shares_a_worker(nodeid, worker):
    assert shared_worker(nodeid) == worker


@pytest.mark.site
def test_the_scheduler_keeps_them_together(tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (tmp_path / "conftest.py").write_text((HERE / "conftest.py").read_text())
    (folder / "test_site.py").write_text(
        "import os, pathlib, time, pytest\n"
        "@pytest.mark.parametrize('i', range(6))\n"
        "def test_page(i):\n"
        "    time.sleep(0.1)\n"
        "    pathlib.Path(__file__).with_name(os.environ['PYTEST_XDIST_WORKER'] + '.log').touch()\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadgroup",
        "-c",
        "/dev/null",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "6 passed" in done.stdout, done.stdout + done.stderr
    assert len(list(folder.glob("*.log"))) == 1
