import pytest
from compendium import make_compendium, write_notebook

from propeval_lite.runner import hashing
from propeval_lite.runner.catalog import load_catalog


@pytest.fixture
def root(tmp_path):
    return make_compendium(tmp_path)


def digests(root, profile="default", **parameters):
    return hashing.run_digests(load_catalog(root)["good"], profile, {"k_max": 1, **parameters}, root)


def changed(before, after):
    return sorted(key for key in before if before[key] != after[key])


def test_each_digest_watches_its_own_thing(root, monkeypatch):
    before = digests(root)
    assert digests(root) == before
    assert changed(before, digests(root, k_max=2)) == ["parameters"]
    (root / "data" / "table.csv").write_text("a\n1\n")
    assert changed(before, digests(root)) == ["data"]
    (root / "data" / "table.csv").unlink()
    write_notebook(root / "notebooks" / "good.ipynb", ["k_max = 10  # budget", "print(k_max)"])
    assert changed(before, digests(root)) == ["notebook"]
    before = digests(root)
    monkeypatch.setattr(hashing, "versions", lambda: {"numpy": "0"})
    assert changed(before, digests(root)) == ["library"]


def test_files_named_by_parameters_are_input(root, tmp_path):
    file = tmp_path / "boxes.csv"
    file.write_text("1")
    spec = f"file:{file}"
    before = digests(root, methods=["uniform", spec])
    file.write_text("2")
    assert changed(before, digests(root, methods=["uniform", spec])) == ["data"]


def test_results_are_no_input_of_the_run_that_writes_them(root):
    paper, default = digests(root, "paper"), digests(root)
    (root / "data" / "results").mkdir()
    (root / "data" / "results" / "t.csv").write_text("a\n")
    assert digests(root, "paper") == paper
    assert changed(default, digests(root)) == ["data"]


def test_a_data_set_without_a_path_is_found_through_the_environment(root, tmp_path, monkeypatch):
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path / "sets"))
    file = tmp_path / "sets" / "hosang" / "boxes.mat"
    file.parent.mkdir(parents=True)
    file.write_text("1")
    before = digests(root, dataset="voc2007?split=test")
    file.write_text("2")
    assert changed(before, digests(root, dataset="voc2007?split=test")) == ["data"]
