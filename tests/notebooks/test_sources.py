"""What every notebook file must look like before it is run."""

from pathlib import Path

import nbformat
import pytest

from propeval_lite.runner.catalog import PROFILES, load_catalog

ROOT = Path(__file__).parents[2]
CATALOG = load_catalog(ROOT)
LONGEST_CELL = 25
WIDEST_LINE = 90  # what a code cell of the page shows without scrolling


def test_every_notebook_is_in_the_catalogue():
    assert sorted(CATALOG) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", CATALOG)
def test_source(name):
    notebook = nbformat.read(CATALOG[name].path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "strip the outputs"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in code:
        lines = cell.source.splitlines()
        assert len(lines) <= LONGEST_CELL, cell.source
        assert max(map(len, lines)) <= WIDEST_LINE, max(lines, key=len)
    headings = [line for cell in notebook.cells if cell.cell_type == "markdown"
                for line in cell.source.splitlines() if line.startswith("#")]  # fmt: skip
    wanted = ("## Parameters", "## Paper versus here", "## What it means", "## Exercises", "## References")
    assert [line for line in headings if line in wanted] == list(wanted)


@pytest.mark.parametrize("name", CATALOG)
def test_parameters_are_explained_and_profiles_resolve(name):
    entry = CATALOG[name]
    assert all(parameter.meaning for parameter in entry.parameters.values())
    for profile in PROFILES:
        entry.resolve(profile, {})
    assert set(entry.vary) == set(entry.parameters), "give every parameter another value under [NAME.vary]"
