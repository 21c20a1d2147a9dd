"""A small book of one page and three runs: what is staged, what the status page says, what a warning does."""

import json

import nbformat
import pytest
from compendium import make_compendium, write_index

from propeval_lite._checks.values import InputError
from propeval_lite.runner.catalog import load_catalog
from propeval_lite.runner.execute import Outcome
from propeval_lite.runner.site import build_site, status_page
from propeval_lite.runner.store import RUN_FILE

pytestmark = pytest.mark.site


@pytest.fixture
def root(tmp_path):
    """A compendium with a book; its runs are written by hand, since only the book is built here."""
    make_compendium(tmp_path)
    book = tmp_path / "book"
    book.mkdir()
    (book / "_config.yml").write_text('title: Tiny\nexecute:\n  execute_notebooks: "off"\n'
                                      "sphinx:\n  config:\n    html_extra_path: [_extra]\n")  # fmt: skip
    (book / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: good\n- file: bad\n"
                                   "- file: slow\n- file: status\n")  # fmt: skip
    (book / "index.md").write_text("# Tiny\n")
    return tmp_path


def runs(root):
    """Outcomes of the three notebooks: one whole run, one that failed, one that was never begun."""
    catalog = load_catalog(root)
    for name in catalog:
        notebook = nbformat.read(catalog[name].path, as_version=4)
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(f"# {name}"))
        nbformat.write(notebook, catalog[name].path)
    folder = root / "runs" / "good" / "default"
    folder.mkdir(parents=True)
    notebook = nbformat.read(catalog["good"].path, as_version=4)
    injected = nbformat.v4.new_code_cell("k_max = 10", metadata={"tags": ["injected-parameters"]})
    link = nbformat.v4.new_output("display_data", {"text/html": '<a href="./k.csv" download>data</a>'})
    notebook.cells += [injected, nbformat.v4.new_code_cell("show", outputs=[link])]
    nbformat.write(notebook, folder / "good.ipynb")
    (folder / "k.csv").write_text("k\n10\n")
    record = {
        "status": "finished", "profile": "default", "parameters": catalog["good"].resolve("default", {}),
        "started": "2026-01-02", "commit": "abc1234567+", "digests": {"data": "d1"}, "versions": {"numpy": "2"},
    }  # fmt: skip
    (folder / RUN_FILE).write_text(json.dumps(record))
    return catalog, [
        Outcome("good", "finished", 1.25, folder),
        Outcome("bad", "failed", 2.0, root / "runs" / "bad" / "default.failed", "division by zero"),
        Outcome("slow", "interrupted", 0.0, root / "runs" / "slow" / "default.failed"),
    ]


def test_the_status_page_says_how_each_run_ended(root):
    lines = status_page(*runs(root)).splitlines()
    row = {line.split("]")[0].removeprefix("| ["): line for line in lines if line.startswith("| [")}
    assert "| whole | default | 1.2 | 2026-01-02 | abc1234567+ | d1 |" in row["good"]
    assert "| **failed** |" in row["bad"]
    assert "| **interrupted** |" in row["slow"]
    assert "| numpy | 2 |" in lines


def test_a_book_is_built_from_its_pages_and_runs(root):
    page = build_site(root, *runs(root))
    html = (page.parent / "good.html").read_text(encoding="utf-8")
    assert 'href="files/good/k.csv"' in html
    assert (page.parent / "files" / "good" / "k.csv").read_text() == "k\n10\n"
    assert "k_max = 10  # budget" in (root / "book/_build/source/good.ipynb").read_text()
    staged = nbformat.read(root / "book/_build/source/good.ipynb", as_version=4)
    assert all("injected-parameters" not in cell.metadata.get("tags", []) for cell in staged.cells)
    assert (page.parent / "status.html").is_file()


def test_a_profile_that_changes_parameters_shows_those_that_ran(root):
    outcomes = runs(root)
    write_index(root, ["good", "bad", "slow"], "\n[good.default]\nk_max = 12\n")
    catalog, (good, *_) = load_catalog(root), outcomes[1]
    record = json.loads((good.folder / RUN_FILE).read_text())
    record["parameters"] = catalog["good"].resolve("default", {})
    (good.folder / RUN_FILE).write_text(json.dumps(record))
    assert record["parameters"]["k_max"] == 12
    build_site(root, catalog, outcomes[1])
    staged = nbformat.read(root / "book/_build/source/good.ipynb", as_version=4)
    assert any("injected-parameters" in cell.metadata.get("tags", []) for cell in staged.cells)


def test_what_is_no_longer_there_leaves_the_book(root):
    source = root / "book" / "_build" / "source"
    source.mkdir(parents=True)
    (source / "gone.md").write_text("# Gone\n")
    build_site(root, *runs(root))
    assert not (source / "gone.md").exists()


def test_a_warning_of_the_build_is_an_error_that_shows_it(root):
    (root / "book" / "index.md").write_text("# Tiny\n\n[](nowhere.md)\n")
    with pytest.raises(InputError, match=r"(?s)expected a build without warnings.*nowhere\.md"):
        build_site(root, *runs(root))
