"""The whole way in the smoke profile: notebooks run, the book builds with no warning, a browser opens it."""

import json
import os
import shutil
from pathlib import Path
from urllib.parse import unquote, urlparse

import browser
import frozen
import nbformat
import pytest
import yaml

from propeval_lite.cli import main
from propeval_lite.runner.catalog import load_catalog

pytestmark = pytest.mark.site
ROOT = Path(__file__).parents[2]
CATALOG = load_catalog(ROOT)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A copy of the compendium, run and built in the smoke profile."""
    root = tmp_path_factory.mktemp("site")
    for folder in ("book", "notebooks", "data"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("_build"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROPEVAL_HOME", str(root))
        assert main(["book", "--profile", "smoke", "--quiet"]) == 0
    return root


@pytest.fixture
def home(site, monkeypatch):
    monkeypatch.setenv("PROPEVAL_HOME", str(site))
    return site


@pytest.fixture(scope="session")
def session(site):
    if None in browser.programs():
        reason = "no chromium and chromedriver: run `make browser` to install them"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with browser.open_browser() as opened:
        yield opened


def pages():
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text())
    chapters = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [toc["root"], *chapters]


def test_every_notebook_is_a_page():
    assert set(CATALOG) <= set(pages())


def test_a_second_build_runs_nothing_again(home, capsys):
    capsys.readouterr()
    assert main(["book", "--profile", "smoke", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.count("unchanged") == len(CATALOG)
    assert Path(out.strip().splitlines()[-1].removeprefix("Open ")).is_file()


@pytest.mark.parametrize("name", CATALOG)
def test_a_run_prints_no_warning_and_no_path(site, name):
    notebook = nbformat.read(site / "runs" / name / "smoke" / f"{name}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = [output for output in outputs if output.output_type == "stream"]
    assert not [output.text for output in printed if output.name == "stderr"]
    assert not [
        output.text for output in printed if str(ROOT) in output.text or "site-packages" in output.text
    ]


@pytest.mark.parametrize("name", CATALOG)
def test_tables_are_the_frozen_ones(site, name):
    expected = json.loads(frozen.FILE.read_text())["tables"][name]
    found = frozen.digests(site / "runs" / name / "smoke", CATALOG[name].timing)
    changed = sorted(table for table in expected | found if expected.get(table) != found.get(table))
    assert not changed, "if on purpose, say so in the commit and freeze anew with tests/frozen.py"


@pytest.mark.parametrize("page", pages())
def test_page_in_a_browser(site, session, page):
    html = site / "book" / "_build" / "html"
    report = browser.visit(session, (html / f"{page}.html").as_uri())
    assert report["outside"] == []
    assert report["console"] == []
    assert report["unrendered"] == report["errors"] == report["tracebacks"] == []
    assert report["broken"] == report["silent"] == []
    assert report["overflow"] <= 0, "the page is wider than the window"
    for link in report["links"]:
        assert Path(unquote(urlparse(link).path)).is_file(), link
    if page in CATALOG:
        assert report["links"], "a page shows at least one table or figure with its numbers"
