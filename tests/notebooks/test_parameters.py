"""Every parameter of every notebook changes a result: one run each, in the smoke profile, in a fork.

Such a run ends at the first table that differs; that a notebook runs to its end with other values is a run of its own.
"""

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


def run(process, folder, name, overrides=None, unlike=None):
    """Run a notebook, to the end or up to the first table that is not as in `unlike`, and return its tables."""
    problem = process.run(name, CATALOG[name].resolve("smoke", overrides or {}), folder, unlike)
    assert problem is None, problem
    return forked.tables(folder, CATALOG[name].timing)


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
    folder, tables = baselines(name)
    varied = run(process, tmp_path, name, {parameter: CATALOG[name].vary[parameter]}, unlike=folder)
    assert varied != tables, f"{parameter} changes nothing: remove it or use it"


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_notebook_runs_to_its_end_with_other_values(process, baselines, tmp_path, name):
    folder, _ = baselines(name)
    run(process, tmp_path, name, CATALOG[name].vary)
    written, wanted = ({path.stem for path in place.glob("*.csv")} for place in (tmp_path, folder))
    assert len(written & wanted) > len(wanted) / 2
