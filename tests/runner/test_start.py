"""A `paper` run asks for its data and a clean commit before any kernel starts."""

import pytest
from compendium import write_index, write_notebook

from propeval_lite._checks.values import InputError
from propeval_lite.runner import jobs
from propeval_lite.runner.catalog import load_catalog
from propeval_lite.runner.start import check_start, missing_data


@pytest.fixture
def entry(tmp_path, monkeypatch):
    """A page of many data sets; a folder of real data that holds few of them."""
    cell = "dataset = 'scenes'  # data\nothers = ['x']  # data\nk = 1  # number"
    write_notebook(tmp_path / "notebooks" / "page.ipynb", [cell])
    write_index(tmp_path, ["page"], "needs = ['seism/a.txt', 'bop']\n")
    shared = tmp_path / "shared"
    for folder in ("hosang", "seism", "lpo"):
        (shared / folder).mkdir(parents=True)
    (shared / "seism" / "a.txt").write_text("")
    (shared / "lpo" / "x.npz").write_text("")
    monkeypatch.setenv("PROPEVAL_DATA", str(shared))
    monkeypatch.chdir(tmp_path)
    return load_catalog(tmp_path)["page"]


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        ("scenes?n=4", []), ("photos", []), ("voc2007?split=test", []), ("voc2012", ["voc2012"]), ("uniform", []),
        ("voc2012:shared/hosang", []), ("voc2012:~/nosuch", ["voc2012:~/nosuch"]), ("coco?part=0::2", ["coco"]),
        (["voc2012", "bsds500?part=0::2"], ["voc2012", "bsds500"]), (["voc2012", "voc2012?split=val"], ["voc2012"]),
        ("best:lpo/x.npz?dataset=voc2012", []), ("best:lpo/y.npz?dataset=voc2012", ["best:lpo/y.npz"]),
        ("recall:shared/lpo/x.npz?dataset=voc2007", []), ("file:nosuch.csv", ["file:nosuch.csv"]),
        ("a text, no spec", []), ("", []), ([], []), ([["file:no.csv"]], ["file:no.csv"]), (5, []),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(entry, value, missing):
    assert missing_data(entry, {"dataset": value}) == ["bop", *missing]


def test_without_real_data_all_is_missing(entry, monkeypatch):
    monkeypatch.delenv("PROPEVAL_DATA")
    assert missing_data(entry, {"dataset": "voc2007"}) == ["seism/a.txt", "bop", "voc2007"]


def test_a_paper_run_without_its_data_says_which_at_once(entry, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "run_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    with pytest.raises(
        InputError, match=r"page, profile paper: expected the data bop, voc2012, got none of these"
    ):
        jobs.run_many([(entry, {"dataset": "voc2012"})], tmp_path, profile="paper", draft=True)
    check_start([(entry, {"dataset": "voc2012"})], tmp_path, "default", draft=False)


@pytest.mark.parametrize("needs", ["'bop'", "[1]", "5", "{a = 1}"])
def test_odd_needs(tmp_path, entry, needs):
    write_index(tmp_path, ["page"], f"needs = {needs}\n")
    with pytest.raises(InputError, match="needs to be a list of paths below PROPEVAL_DATA"):
        load_catalog(tmp_path)
