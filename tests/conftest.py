"""Where tests find real data, and how they say that it is not there."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("PROPEVAL_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def real_data():
    """Folder of the real data sets; tests that need it are skipped, visibly, where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"real data not found at {SHARED}; set PROPEVAL_DATA to run this test")
    return SHARED
