"""Pages that show stored results run to their end, with a hint, where nothing is stored."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
import forked
from propeval_lite.results import store
from propeval_lite.runner.catalog import load_catalog
name, root, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
store.data_folder = lambda _: folder / "nothing_here"
forked.without_pictures()
entry = load_catalog(root)[name]
forked.run_cells(entry, entry.resolve("smoke", {}), folder, root)
"""


@pytest.mark.jit
@pytest.mark.parametrize("name", ["ponttuset_objects", "ponttuset_partitions"])
def test_a_page_without_stored_results_prints_a_hint_and_ends(name, tmp_path):
    environment = {"MPLBACKEND": "agg", "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    run = subprocess.run([sys.executable, "-c", SCRIPT, name, str(ROOT), str(tmp_path)], capture_output=True,
                         text=True, env={**os.environ, **environment})  # fmt: skip
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "no stored run" in run.stdout
    assert (tmp_path / "verdicts.csv").is_file()
