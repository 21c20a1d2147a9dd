"""Every parameter of every notebook changes a result: one run each, in the smoke profile, in a fork."""

import json
from pathlib import Path

import forked
import frozen
import pytest

from propeval_lite.runner.catalog import load_catalog

ROOT = Path(__file__).parents[2]
CATALOG = load_catalog(ROOT)

pytestmark = pytest.mark.site


@pytest.fixture(scope="session")
def process():
    """One warm process for all notebooks of this worker."""
    with forked.WarmProcess() as warm:
        yield warm


def run(process, folder, name, overrides=None):
    """Run a notebook and return its tables, but for those of seconds, which differ from run to run."""
    problem = process.run(name, CATALOG[name].resolve("smoke", overrides or {}), folder)
    assert problem is None, problem
    return {
        path.stem: path.read_bytes() for path in folder.glob("*.csv") if path.stem not in CATALOG[name].timing
    }


@pytest.fixture(scope="session")
def baselines(process, tmp_path_factory):
    """Tables of a notebook without any override; each is made once, by a fork like the others."""
    made = {}

    def baseline(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            made[name] = folder, run(process, folder, name)
        return made[name]

    return baseline


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_fork_writes_what_papermill_writes(baselines, name):
    folder, tables = baselines(name)
    assert tables
    expected = json.loads(frozen.FILE.read_text())["tables"][name]
    assert frozen.digests(folder, CATALOG[name].timing) == expected


@pytest.mark.parametrize(("name", "parameter"), [(n, p) for n in CATALOG for p in CATALOG[n].vary])
def test_every_parameter_changes_a_result(process, baselines, tmp_path, name, parameter):
    _, tables = baselines(name)
    varied = run(process, tmp_path, name, {parameter: CATALOG[name].vary[parameter]})
    assert varied != tables, f"{parameter} changes nothing: remove it or use it"
