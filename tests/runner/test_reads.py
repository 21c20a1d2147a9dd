"""What a run has read decides whether it runs again. One real kernel reads; the tests then change what it read."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from compendium import write_index, write_notebook

from propeval_lite.cli import main
from propeval_lite.runner import reads
from propeval_lite.runner.catalog import load_catalog
from propeval_lite.runner.execute import is_unchanged
from propeval_lite.runner.store import read_run

pytestmark = pytest.mark.site

METHOD = '''"""A method of one's own."""
import helper


def boxes(image):
    from pathlib import Path

    assert (Path(__file__).parent / "weights.txt").read_text()
    return helper.side()
'''
CELL = """
import os, pathlib, own_method
root, run = pathlib.Path(root), pathlib.Path(os.environ["PROPEVAL_RUN_FOLDER"])
own_method.boxes(None)
(root / "data" / "table.csv").read_text()
assert not (root / "data" / "results" / "voc" / "later.csv").is_file()
list((root / "data" / "photos").glob("*.json"))
(root / "data" / "made.txt").write_text("by the run")
(root / "data" / "made.txt").read_text()
(run / "run.json").read_text()
(run / "t.csv").write_text("a,1")
(pathlib.Path(os.environ["PROPEVAL_DATA"]) / "scores.txt").read_text()
child = os.fork()
if not child:
    import late
    (root / "data" / "by_child.csv").read_text()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A compendium with one whole run of a notebook that reads in every way."""
    top = tmp_path_factory.mktemp("reads")
    root, own, shared = top / "compendium", top / "own", top / "shared"
    for folder in (
        root / "data" / "photos",
        root / "data" / "results",
        own,
        shared / "lpo",
        top / "pictures",
    ):
        folder.mkdir(parents=True)
    (own / "own_method.py").write_text(METHOD)
    (own / "helper.py").write_text("def side():\n    return 3\n")
    (own / "late.py").write_text("SIDE = 4\n")
    (own / "weights.txt").write_text("0.5")
    for file in (root / "data" / "table.csv", root / "data" / "by_child.csv", root / "data" / "unread.csv",
                 root / "data" / "photos" / "a.json", shared / "scores.txt", shared / "lpo" / "x.npz",
                 top / "b,c.csv", top / "i.json", top / "pictures" / "1.png"):  # fmt: skip
        file.write_text("1")
    specs = [
        "best:lpo/x.npz?dataset=voc2012",
        f"file:{top}/b,c.csv",
        f"coco:{top}/i.json?images={top}/pictures",
    ]
    text = f"root = ''  # folder\nmethods = {specs!r}  # named files"
    write_notebook(root / "notebooks" / "reader.ipynb", [text, CELL])
    write_index(root, ["reader"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROPEVAL_HOME", str(root))
        patch.setenv("PROPEVAL_DATA", str(shared))
        patch.setenv("PYTHONPATH", str(own), prepend=os.pathsep)
        assert main(["run", "reader", "-p", f"root={root}", "--name", "r", "--quiet"]) == 0
    return top


@pytest.fixture
def top(made, tmp_path, monkeypatch):
    """The compendium, put back as it was after each test."""
    monkeypatch.setenv("PROPEVAL_DATA", str(made / "shared"))
    shutil.copytree(made, tmp_path / "as_it_was")
    yield made
    shutil.rmtree(made)
    shutil.copytree(tmp_path / "as_it_was", made)


def unchanged(top):
    root, folder = top / "compendium", top / "compendium" / "runs" / "reader" / "r"
    record = read_run(folder)
    return is_unchanged(record, folder, load_catalog(root)["reader"], record["parameters"], root)


def test_the_record_is_short_and_names_no_place(made):
    record = json.loads((made / "compendium" / "runs" / "reader" / "r" / "run.json").read_text())
    files, modules = record["reads"]["files"], record["reads"]["modules"]
    assert files["data/table.csv"] == files["data/by_child.csv"] == files["$PROPEVAL_DATA/scores.txt"]
    assert files["data/results/voc/later.csv"] is None
    assert {"data/photos/", "$PROPEVAL_DATA/lpo/x.npz", f"{made}/pictures/**", f"{made}/b,c.csv"} <= set(
        files
    )
    assert not [
        name
        for name in files
        if "compendium" in name
        or "pydevd" in name
        or "made.txt" in name
        or "unread" in name
        or "run.json" in name
    ]
    assert {"propeval_lite/__init__.py", f"{made}/own/helper.py", f"{made}/own/late.py"} <= set(modules)
    assert not [name for name in modules if "numpy" in name or "propeval_lite/cli" in name]
    assert len(record["digests"]["data"]) == 16


def test_nothing_changed(top):
    assert unchanged(top)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("own/own_method.py", METHOD.replace("A method", "Some method")),
        ("own/helper.py", "# a comment\ndef side():\n    '''Its side.'''\n    return 3\n"),
        ("compendium/data/unread.csv", "2"),
        ("compendium/data/results/new.csv", "2"),
        ("own/other.py", "x = 1"),
        ("compendium/data/made.txt", "2"),
    ],
)
def test_what_no_run_has_read_reruns_nothing(top, file, text):
    (top / file).write_text(text)
    assert unchanged(top)


@pytest.mark.parametrize(
    "file",
    [
        "own/own_method.py", "own/late.py", "own/weights.txt", "compendium/data/table.csv",
        "compendium/data/by_child.csv", "compendium/data/results/voc/later.csv", "compendium/data/photos/b.json",
        "shared/scores.txt", "shared/lpo/x.npz", "b,c.csv", "i.json", "pictures/1.png", "pictures/2.png",
    ],
)  # fmt: skip
def test_what_the_run_has_read_or_looked_for_reruns(top, file):
    (top / file).parent.mkdir(exist_ok=True)
    (top / file).write_text("22 + 1")
    assert not unchanged(top)


def test_a_changed_helper_of_a_users_method_reruns(top):
    (top / "own" / "helper.py").write_text("def side():\n    return 4\n")
    assert not unchanged(top)


def test_a_file_that_goes_away_reruns(top):
    (top / "own" / "helper.py").unlink()
    assert not unchanged(top)


def test_data_that_appear_or_go_rerun(top, monkeypatch):
    monkeypatch.delenv("PROPEVAL_DATA")
    assert not unchanged(top)


@pytest.mark.parametrize("name", ["t.csv", "reader.ipynb"])
def test_a_run_with_a_missing_or_changed_file_is_not_whole(top, name):
    file = top / "compendium" / "runs" / "reader" / "r" / name
    file.write_bytes(file.read_bytes() + b" ")
    assert not unchanged(top)
    file.unlink()
    assert not unchanged(top)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A copy of the library that the tests may change, in place of the one that ran."""
    copy = tmp_path / "library" / "propeval_lite"
    shutil.copytree(reads.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(reads, "PACKAGE", copy)
    return copy


def test_a_docstring_elsewhere_reruns_nothing(top, library):
    assert unchanged(top)
    for file in library.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        file.write_text(source.replace('"""', '"""In other words: ', 1) + "\n# the end\n", encoding="utf-8")
    (library / "cli" / "run.py").write_text("1 / 0")
    assert unchanged(top), "no run has loaded the command line"


def test_a_change_of_the_librarys_code_reruns(top, library):
    with (library / "__init__.py").open("a") as stream:
        stream.write("answer = 42\n")
    assert not unchanged(top)


def test_what_changes_while_it_is_read_counts_as_changed(tmp_path, monkeypatch):
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    (tmp_path / "data").mkdir()
    table, module, named = tmp_path / "data" / "t.csv", tmp_path / "own.py", tmp_path / "b.csv"
    for file in (table, module, named):
        file.write_text("1")
    log = b"".join(b"r" + os.fsencode(path) + b"\0" for path in (table, module))
    before = reads.named_files({"method": f"file:{named}"}, tmp_path)
    named.write_text("2")
    for started, expected in ((time.time() - 60, True), (time.time() + 60, False)):
        modules, files = reads.record_reads(log, before, tmp_path, tmp_path / "work", started)
        assert (files["data/t.csv"] == reads.CHANGED) is expected
        assert (modules["./own.py"] == reads.CHANGED) is expected
        assert files["./b.csv"] == reads.CHANGED


def test_tables_that_a_paper_run_stores_are_no_input_of_it(tmp_path, monkeypatch):
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    folder = tmp_path / "data" / "results" / "voc"
    log = b"".join(b"r" + os.fsencode(folder / name) + b"\0" for name in ("own.csv", "other.csv"))
    log += b"l" + os.fsencode(folder) + b"\0"
    _, files = reads.record_reads(log, {}, tmp_path, tmp_path / "work", 0, ["results/voc/own.csv"])
    assert list(files) == ["data/results/voc/other.csv"]


def test_a_data_set_without_a_path_is_found_through_the_environment(tmp_path, monkeypatch):
    (tmp_path / "hosang").mkdir()
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    assert reads.named_paths({"dataset": "voc2007?split=test"}) == [tmp_path / "hosang"]
    monkeypatch.delenv("PROPEVAL_DATA")
    assert reads.named_paths({"dataset": "voc2007?split=test"}) == []


def test_a_path_may_start_at_home_and_a_file_here_goes_first(tmp_path, monkeypatch):
    home, shared = tmp_path / "home", tmp_path / "shared"
    for folder in (home, shared):
        folder.mkdir()
        (folder / "b.csv").write_text("1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PROPEVAL_DATA", str(shared))
    monkeypatch.chdir(tmp_path)
    assert reads.named_paths({"methods": ["uniform", "file:~/b.csv"], "k": 3}) == [home / "b.csv"]
    assert reads.named_paths({"method": "best:b.csv?dataset=voc2012"}) == [
        tmp_path / "b.csv",
        shared / "b.csv",
    ]
    assert set(reads.named_files({"method": "best:b.csv?dataset=voc2012"}, tmp_path)) == {
        "$PROPEVAL_DATA", "$PROPEVAL_DATA/b.csv", "./b.csv",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["a" * 9000, "x\0y", "file:" + "b" * 9000, "no spec at all", "", "?", "a?b", "~nobody/x"]
)
def test_texts_that_are_no_paths(text):
    assert reads.named_paths({"text": text, "list": [text, None]}) == []


def test_short_names_lead_back(tmp_path, monkeypatch):
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path / "shared"))
    places = reads.Places(tmp_path / "root")
    for path in (tmp_path / "root" / "data", tmp_path / "root" / "data" / "a" / "b.csv", Path.home() / "x.csv",
                 tmp_path / "shared" / "voc", reads.PACKAGE / "cli" / "run.py", Path("/no/such/place")):  # fmt: skip
        assert places.expand(places.shorten(path)) == path
    assert places.shorten(tmp_path / "shared" / "voc") == "$PROPEVAL_DATA/voc"
