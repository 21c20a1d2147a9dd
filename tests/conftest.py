"""Where tests find real data, how they say that it is not there, and which of them share a worker."""

import os
import re
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

SHARED = Path(os.environ.get("PROPEVAL_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def real_data():
    """Folder of the real data sets; tests that need it are skipped, visibly, where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"real data not found at {SHARED}; set PROPEVAL_DATA to run this test")
    return SHARED


def shared_worker(nodeid):
    """What tests have in common that must run in one process: the website, or the runs of one notebook.

    pytest 9.2 keeps names of tests to itself, so `xdist_group` marks no longer reach xdist's own ``--dist loadgroup``.
    """
    if "notebooks/test_site.py" in nodeid:
        return "website"
    found = re.search(r"notebooks/test_parameters\.py::\w+\[(\w+)", nodeid)
    return found[1] if found else nodeid


class ByNotebook(LoadScopeScheduling):
    """Hand out tests one by one, those that share a worker together and first."""

    def _split_scope(self, nodeid):
        return shared_worker(nodeid)


def pytest_xdist_make_scheduler(config, log):
    """Replace ``--dist loadgroup``."""
    return ByNotebook(config, log) if config.getoption("dist") == "loadgroup" else None
