"""Storing is a step of its own. Two real runs are made once; the tests spoil copies of them."""

import hashlib
import json
import os
import shutil

import pytest
from compendium import write_notebook
from repository import commit_all, git, make_repository

from propeval_lite.cli import main
from propeval_lite.results.store import STAMPED
from propeval_lite.runner import start, storing

pytestmark = pytest.mark.site


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A repository with a whole paper run of each of its chapters."""
    root = make_repository(tmp_path_factory.mktemp("store") / "made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROPEVAL_HOME", str(root))
        patch.delenv("PROPEVAL_DATA", raising=False)
        patch.setattr(start, "PACKAGE", root / "propeval_lite")
        assert main(["run", "one", "two", "--profile", "paper", "--quiet"]) == 0
    assert not (root / "data" / "results").exists(), "running stores nothing"
    return root


@pytest.fixture
def root(made, tmp_path, monkeypatch):
    """A copy that a test may change."""
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    monkeypatch.setenv("PROPEVAL_HOME", str(copy))
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    monkeypatch.setattr(start, "PACKAGE", copy / "propeval_lite")
    monkeypatch.chdir(copy)
    return copy


def record(root, name="one"):
    return root / "runs" / name / "paper" / "run.json"


def edit(path, **change):
    content = json.loads(path.read_text())
    path.write_text(json.dumps({k: v for k, v in (content | change).items() if v is not None}))


def refused(capsys, *runs):
    """What `propeval store` says when it refuses; nothing is stored then."""
    capsys.readouterr()
    assert main(["store", *(runs or ["one"])]) == 2
    err = capsys.readouterr().err.strip()
    assert "\n" not in err and "expected" in err and ", got " in err
    return err


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_stored_is_what_the_run_offered_with_its_stamp_and_its_verdicts(root, capsys):
    assert main(["store", "one"]) == 0
    results = root / "data" / "results"
    assert sorted(tree(results)) == [
        "coco/one_table.csv", "coco/one_table.json", "ledger/one.csv", "ledger/one.json",
        "voc/one_table.csv", "voc/one_table.json",
    ]  # fmt: skip
    assert (results / "voc" / "one_table.csv").read_text() == "k\n3\n2\n"
    assert (results / "ledger" / "one.csv").read_text().startswith("row,verdict\n")
    run = json.loads(record(root).read_text())
    for name, rows in (("voc/one_table", 2), ("ledger/one", 2)):
        stamp = json.loads((results / f"{name}.json").read_text())
        assert {key: stamp[key] for key in STAMPED} == {key: run[key] for key in STAMPED}
        assert (stamp["commit"], stamp["rows"]) == (git(root, "rev-parse", "HEAD"), rows)
    assert "data/results/voc/one_table.csv\n" in capsys.readouterr().out
    assert sorted(os.listdir(root / "data")) == ["input.csv", "results"]


@pytest.mark.parametrize("text", ["one", "one/paper", "runs/one/paper", "runs/one/paper/"])
def test_a_run_is_named_by_its_folder_or_its_chapter(root, text):
    assert main(["store", text, "runs/one/paper"]) == 0


def test_earlier_stores_do_not_make_the_tree_unclean(root):
    assert main(["store", "one"]) == 0
    assert main(["store", "two"]) == 0
    assert main(["store", "one", "two"]) == 0
    assert main(["run", "one", "--profile", "paper", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"profile": "default"}, "a run of the profile paper, got one of 'default'"),
        ({"parameters": {"k_max": 4, "name": "one"}}, "parameters of one in notebooks/index.toml, got other k_max"),
        ({"parameters": {"k_max": 3}}, "got other name"),
        ({"parameters": {"k_max": 3, "name": "one", "more": 1}}, "got other names"),
        ({"draft": True}, "a run that is no draft"),
        ({"commit": "unknown"}, "got a run of no known commit"),
        ({"commit": "f" * 40}, "no ancestor of HEAD"),
        ({"commit": "0" * 40 + "+"}, "with local changes"),
        ({"status": "failed"}, "a finished run with its whole record"),
        ({"files": None}, "a finished run with its whole record"),
        ({"reads": {}}, "a finished run with its whole record"),
        ({"versions": None}, "a finished run with its whole record"),
        ({"versions": {"numpy": "0.1"}}, "changed: propeval-lite None, now"),
        ({"python": "2.7", "digests": {"notebook": "x"}}, "notebooks/one.ipynb"),
        ({"started": "1970-01-01"}, "tables stamped by this run, got another started"),
        ({"notebook": "three"}, "a notebook of the catalogue, got 'three'"),
        ({"notebook": "two"}, "parameters of two"),
        ({"files": {}}, "expected tables to store, got none"),
    ],
)  # fmt: skip
def test_a_run_that_no_commit_can_make_again_is_refused(root, capsys, change, message):
    edit(record(root), **change)
    assert message in refused(capsys)
    assert not (root / "data" / "results").exists()


def test_a_record_whose_digests_are_not_those_of_its_reads_is_refused(root, capsys):
    digests = json.loads(record(root).read_text())["digests"]
    edit(record(root), digests=digests | {"library": "0" * 16})
    assert "changed: Python" in refused(capsys)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("runs/one/paper/results/voc/one_table.csv", "results/voc/one_table.csv missing or changed"),
        ("runs/one/paper/one.ipynb", "one.ipynb missing or changed"),
        ("runs/one/paper/verdicts.csv", "verdicts.csv missing or changed"),
        ("data/input.csv", "changed: data/input.csv"),
    ],
)
@pytest.mark.parametrize("how", ["cut", "remove"])
def test_a_cut_or_deleted_table_or_input_is_refused(root, capsys, file, message, how):
    (root / file).write_bytes((root / file).read_bytes()[:-1]) if how == "cut" else (root / file).unlink()
    assert message in refused(capsys)
    assert not (root / "data" / "results").exists()


def test_a_changed_page_is_refused_by_name_even_when_it_is_committed(root, capsys):
    write_notebook(
        root / "notebooks" / "one.ipynb", ["k_max = 10  # budget\nname = 'one'  # tables", "1 + 1"]
    )
    commit_all(root)
    assert "changed: notebooks/one.ipynb" in refused(capsys)


def test_all_or_none(root, capsys):
    (root / "runs" / "two" / "paper" / "two.ipynb").unlink()
    assert "two.ipynb missing" in refused(capsys, "one", "two")
    assert not (root / "data" / "results").exists()
    assert "no run.json in" in refused(capsys, "one", "nosuch")
    assert main(["store", "one"]) == 0


@pytest.mark.parametrize("failing", [1, 2])
def test_a_store_that_fails_half_way_leaves_everything_as_it_was(root, capsys, monkeypatch, failing):
    assert main(["store", "two"]) == 0
    before, plain, calls = tree(root / "data"), os.replace, []

    def replace(*paths):
        calls.append(paths)
        if len(calls) == failing:
            raise OSError(28, "No space left on device")
        plain(*paths)

    monkeypatch.setattr(storing.os, "replace", replace)
    assert "got No space left on device. Nothing was stored" in refused(capsys)
    assert tree(root / "data") == before


def test_a_store_that_was_killed_is_put_back_by_the_next(root):
    assert main(["store", "two"]) == 0
    os.replace(root / "data" / "results", root / "data" / ".results.old")
    assert main(["store", "one"]) == 0
    assert {"voc/one_table.csv", "voc/two_table.csv"} <= set(tree(root / "data" / "results"))
    assert sorted(os.listdir(root / "data")) == ["input.csv", "results"]


def put(root, name, content="k\n1\n", notebook="one"):
    """A stored table of an earlier run."""
    path = root / "data" / "results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.with_suffix(".json").write_text(json.dumps({"notebook": notebook}))


def test_a_table_of_another_chapter_is_not_overwritten(root, capsys):
    put(root, "voc/one_table.csv", notebook="two")
    assert "stored tables of one only, got one of two, data/results/voc/one_table.json" in refused(capsys)
    put(root, "voc/one_table.csv", notebook="a chapter that is gone")
    assert main(["store", "one"]) == 0


def test_tables_that_the_chapter_no_longer_makes_are_removed_and_named(root, capsys):
    put(root, "old/gone.csv")
    put(root, "voc/theirs.csv", notebook="two")
    assert main(["store", "one"]) == 0
    assert "data/results/old/gone.csv removed: its chapter no longer makes it" in capsys.readouterr().out
    assert not (root / "data" / "results" / "old").exists()
    assert (root / "data" / "results" / "voc" / "theirs.csv").is_file()


def test_a_stored_table_that_the_run_showed_stays_and_must_not_change(root, capsys):
    put(root, "voc/shown.csv")
    assert "changed: data/results/voc/shown.csv" in refused(capsys), "it was not there when the page ran"
    assert main(["run", "one", "--profile", "paper", "--quiet"]) == 0
    put(root, "voc/shown.csv", notebook="one, made on another day")
    assert main(["store", "one"]) == 0, "the words of its stamp are no number"
    assert (root / "data" / "results" / "voc" / "shown.csv").is_file()
    put(root, "voc/shown.csv", "k\n2\n")
    assert "changed: data/results/voc/shown.csv" in refused(capsys)


def test_a_page_that_showed_what_another_run_replaces_is_refused(root, capsys, monkeypatch):
    digest = hashlib.sha256(b"old").hexdigest()
    plain = storing.check_storable

    def check(folder, *rest):
        offer = plain(folder, *rest)
        if offer.notebook == "one":
            offer.record["reads"]["files"]["data/results/voc/two_table.csv"] = digest
        return offer

    monkeypatch.setattr(storing, "check_storable", check)
    assert "Store two, then run one again." in refused(capsys, "one", "two")


def test_two_runs_of_one_chapter_are_refused(root, capsys):
    shutil.copytree(root / "runs" / "one" / "paper", root / "runs" / "one" / "again")
    assert "each table from one run, got two that store" in refused(capsys, "one", "one/again")


def test_what_was_put_into_the_run_afterwards_is_not_stored(root):
    folder = root / "runs" / "one" / "paper" / "results" / "voc"
    for name in ("extra.csv", "extra.json"):
        (folder / name).write_text("{}")
    assert main(["store", "one"]) == 0
    assert "voc/extra.csv" not in tree(root / "data" / "results")


def test_a_table_without_a_stamp_is_refused(root, capsys):
    content = json.loads(record(root).read_text())
    files = {name: found for name, found in content["files"].items() if name != "results/voc/one_table.json"}
    edit(record(root), files=files)
    assert "expected a table and its stamp, got only voc/one_table.csv" in refused(capsys)


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff"])
def test_a_broken_stamp_is_refused(root, capsys, content):
    path = "results/voc/one_table.json"
    (record(root).parent / path).write_bytes(content)
    files = json.loads(record(root).read_text())["files"]
    edit(record(root), files=files | {path: hashlib.sha256(content).hexdigest()})
    assert "expected tables stamped by this run" in refused(capsys)


def run_paper(*more):
    return main(["run", "one", "--profile", "paper", "--quiet", *more])


def test_a_paper_run_from_an_unclean_tree_is_refused_before_it_starts_unless_it_is_a_draft(root, capsys):
    (root / "new.py").write_text("")
    before = tree(root / "runs")
    assert run_paper("--name", "x") == 2
    err = capsys.readouterr().err
    assert "a commit that can be named, got a run of commit" in err
    assert "with local changes in new.py. Commit the changes. Or give --draft" in err
    assert tree(root / "runs") == before
    assert run_paper("--name", "x", "-p", "k_max=4") == 0, "it could not be stored anyway"
    assert run_paper("--name", "y", "--draft") == 0
    (root / "new.py").unlink()
    assert "a run that is no draft" in refused(capsys, "one/y")
    assert run_paper("--name", "y") == 0
    assert "finished" in capsys.readouterr().out, "a draft does not stand for a run that can be stored"
    assert main(["store", "one/y"]) == 0
    assert run_paper("--name", "y", "--draft") == 0
    assert "unchanged" in capsys.readouterr().out
    assert main(["store", "one/y"]) == 0, "asking for a draft does not spoil a whole run"


def test_a_paper_run_with_the_library_of_another_folder_is_refused(root, capsys, monkeypatch):
    monkeypatch.setattr(start, "PACKAGE", root.parent / "elsewhere" / "propeval_lite")
    assert run_paper("--force") == 2
    assert "expected the library of this compendium" in capsys.readouterr().err
