"""Every parameter of every notebook changes a result: one run each, in the smoke profile."""

import shutil
from pathlib import Path

import pytest

from propeval_lite.cli import main
from propeval_lite.runner.catalog import load_catalog

ROOT = Path(__file__).parents[2]
CATALOG = load_catalog(ROOT)

pytestmark = pytest.mark.site


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    root = tmp_path_factory.mktemp("parameters")
    for folder in ("notebooks", "data"):
        shutil.copytree(ROOT / folder, root / folder)
    return root


def run(root, monkeypatch, name, run_name, *extra):
    """Run a notebook in the smoke profile (not again if it is there) and return its tables."""
    monkeypatch.setenv("PROPEVAL_HOME", str(root))
    assert main(["run", name, "--profile", "smoke", "--quiet", "--name", run_name, *extra]) == 0
    return {path.name: path.read_bytes() for path in (root / "runs" / name / run_name).glob("*.csv")}


@pytest.mark.parametrize(
    ("name", "parameter"),
    # Runs of one notebook stay on one worker, which makes the run that they are compared with once.
    [pytest.param(n, p, marks=pytest.mark.xdist_group(n)) for n in CATALOG for p in CATALOG[n].vary],
)
def test_every_parameter_changes_a_result(copy, monkeypatch, name, parameter):
    value = CATALOG[name].vary[parameter]
    given = value if isinstance(value, str) else repr(value)
    tables, again = (run(copy, monkeypatch, name, run_name) for run_name in ("first", "second"))
    varied = run(copy, monkeypatch, name, f"vary-{parameter}", "-p", f"{parameter}={given}")
    # Tables of seconds differ from run to run and prove nothing.
    steady = [table for table in tables if tables[table] == again[table]]
    assert steady
    changed = [table for table in steady if varied.get(table) != tables[table]]
    assert changed or {*varied} != {*tables}, f"{parameter} changes nothing: remove it or use it"
