"""What breaks a run: pages that end Python, broken catalogues, records, caches and folders."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compendium import make_compendium, write_index, write_notebook

from propeval_lite._checks.values import InputError
from propeval_lite.cli import main
from propeval_lite.runner.catalog import load_catalog, parse_parameters
from propeval_lite.runner.execute import is_unchanged, run_notebook
from propeval_lite.runner.reads import named_paths
from propeval_lite.runner.store import read_run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_compendium(tmp_path)
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(root, cell, **options):
    """Outcome of a page with one cell, and then another that a run must not reach in silence."""
    write_notebook(root / "notebooks" / "good.ipynb", ["k_max = 10  # budget", cell, "print('end')"])
    write_index(root, ["good"])
    return run_notebook(load_catalog(root)["good"], root, **options)


METHOD = "def propose(image, k, rng):\n    {}\n"
CALL = (
    "import sys, propeval_lite as pe\nsys.path.insert(0, '.')\n"
    "pe.propose('own:propose', pe.load_dataset('scenes?n=1&width=32&height=24'), k=2, on_error='skip')"
)


@pytest.mark.site
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("import sys; sys.exit(0)", "cell 3: SystemExit 0; a cell or a method must not end Python"),
        ("import sys; sys.exit()", "cell 3: SystemExit; a cell or a method must not end Python"),
        ("raise SystemExit", "cell 3: SystemExit; a cell or a method must not end Python"),
        ("raise SystemExit(3)", "cell 3: SystemExit: 3"),
        ("import os; os._exit(0)", "the kernel died: out of memory, or ended by a cell or a signal"),
        ("import os; os.kill(os.getpid(), 9)", "the kernel died"),
    ],
)
def test_a_method_that_ends_python_has_failed_and_keeps_the_earlier_run(root, line, message):
    assert run(root, "1 + 1").status == "finished"
    (root / "own.py").write_text(METHOD.format(line))
    outcome = run(root, CALL, force=True)
    assert (outcome.status, outcome.message[: len(message)]) == ("failed", message)
    assert outcome.folder.name == "default.failed"
    assert read_run(root / "runs" / "good" / "default"), "the whole run is still there"


@pytest.mark.site
@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("exit()", "cell 3: SystemExit: exit()"),
        ("quit()", "cell 3: SystemExit: exit()"),
        ("get_ipython().ask_exit()", "cell 3: SystemExit: exit()"),
        ("raise KeyboardInterrupt", "cell 3: KeyboardInterrupt"),
        ("raise BaseException('base')", "cell 3: BaseException: base"),
        ("x = 'never closed", "cell 3: SyntaxError"),
    ],
)
def test_a_cell_that_ends_python_has_failed(root, cell, message):
    outcome = run(root, cell)
    assert (outcome.status, outcome.message[: len(message)]) == ("failed", message)


@pytest.mark.site
def test_the_folder_of_a_run_that_is_removed_while_it_works(root, capsys):
    write_notebook(
        root / "notebooks" / "good.ipynb",
        ["k_max = 10  # budget", "import os, shutil\nshutil.rmtree(os.environ['PROPEVAL_RUN_FOLDER'])"],
    )
    write_index(root, ["good"])
    assert main(["run", "good", "--quiet"]) == 2
    err = capsys.readouterr().err
    assert "expected the folder of a run to stay until its end, got it was removed. Run again" in err
    assert "free some space" not in err.lower() and err.count("\n") == 1


@pytest.mark.site
@pytest.mark.parametrize("folder", ["x{", "{k_max}", "a}b", "é ü", "with space", "100%", "$HOME", "s3:x"])
def test_folders_with_odd_names(root, folder):
    outcome = run(root, "1 + 1", runs=root / folder)
    assert outcome.status == "finished"
    assert (root / folder / "good" / "default" / "good.ipynb").is_file()


@pytest.mark.site
def test_a_compendium_in_a_folder_with_braces(tmp_path, monkeypatch):
    root = make_compendium(tmp_path / "{k_max}")
    monkeypatch.chdir(root)
    assert run(root, "1 + 1").status == "finished"


@pytest.mark.site
def test_settings_folders_that_cannot_be_written(root, monkeypatch):
    for number, name in enumerate(
        (
            "IPYTHONDIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "MPLCONFIGDIR",
            "HOME",
        )
    ):
        monkeypatch.setenv(name, f"/dev/null/{number}")
    command = [sys.executable, "-m", "propeval_lite.cli", "run", "good", "--quiet"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (root / "runs" / "good" / "default" / "k.csv").is_file()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A compendium with one whole run."""
    root = make_compendium(tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        assert run_notebook(load_catalog(root)["good"], root).status == "finished"
    return root


CHANGES = [
    {"files": None}, {"files": []}, {"files": {"k.csv": None}}, {"files": {"../k.csv": "0"}}, {"files": {"a\0b": "0"}},
    {"digests": None}, {"digests": []}, {"digests": {}}, {"seconds": None}, {"seconds": "1"}, {"reads": None},
    {"reads": []}, {"reads": {"modules": {}}}, {"reads": {"modules": {}, "files": []}},
    {"reads": {"modules": {"x\0y": "0"}, "files": {}}}, {"reads": {"modules": {}, "files": {"data/no": "0"}}},
    {"status": "running"}, {"status": None}, {"status": ["finished"]},
]  # fmt: skip


@pytest.mark.site
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_an_incomplete_record_is_no_whole_run(whole, change):
    folder = whole / "runs" / "good" / "default"
    entry = load_catalog(whole)["good"]
    text = (folder / "run.json").read_text()
    record = json.loads(text)
    assert is_unchanged(record, folder, entry, record["parameters"], whole)
    (key,) = change
    for spoilt in (record | change, {name: value for name, value in record.items() if name != key}):
        (folder / "run.json").write_text(json.dumps(spoilt))
        found = read_run(folder)
        assert found is None or not is_unchanged(found, folder, entry, record["parameters"], whole)
    (folder / "run.json").write_text(text)


@pytest.mark.site
@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"status": "finished"}', "[" * 9000])
def test_a_broken_record_makes_the_page_run_again(root, content):
    assert main(["run", "good", "--quiet"]) == 0
    file = root / "runs" / "good" / "default" / "run.json"
    file.write_text(content)
    assert main(["run", "good", "--quiet"]) == 0
    assert json.loads(file.read_text())["status"] == "finished"


@pytest.mark.site
@pytest.mark.parametrize("how", ["cut", "delete", "empty"])
@pytest.mark.parametrize("name", ["k.csv", "good.ipynb"])
def test_a_run_with_a_cut_or_deleted_file_runs_again(whole, tmp_path, monkeypatch, how, name):
    root = shutil.copytree(whole, tmp_path / "copy")
    monkeypatch.chdir(root)
    file = root / "runs" / "good" / "default" / name
    before = file.read_bytes()
    file.unlink() if how == "delete" else file.write_bytes(before[:-1] if how == "cut" else b"")
    assert run_notebook(load_catalog(root)["good"], root).status == "finished"
    assert len(file.read_bytes()) >= len(before) - 200


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", None),
        ("[good", "valid TOML"),
        ("[good]\n[good]", "valid TOML"),
        ("good = 1", "a table for each notebook, got 1"),
        ("[[good]]", "a table for each notebook"),
        ("[good]", "got no title, study, covers"),
        ("[good]\ntitle = 'a'\nstudy = 'b'", "got no covers"),
        ("[good]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'\nsmoke = 1", "smoke to be a table, got 1"),
        ("[good]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'\nvary = []", "vary to be a table, got []"),
        (
            "[good]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'\ntiming = 'x'",
            "timing to be a list of table names",
        ),
        ("[good]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'\nneeds = [1]", "needs to be a list of paths"),
        ("[good]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'\nmore = 1", "vary as tables, got more"),
        ("[nosuch]\ntitle = 'a'\nstudy = 'b'\ncovers = 'c'", "a notebook file, got none at"),
    ],
)
def test_catalogues(root, text, said):
    (root / "notebooks" / "index.toml").write_text(text)
    if said is None:
        assert load_catalog(root) == {}
        return
    with pytest.raises(InputError, match="expected .*, got ") as error:
        load_catalog(root)
    assert said in str(error.value) and "index.toml" in str(error.value)


@pytest.mark.parametrize(
    "source",
    [
        "k = f()", "k: int = 1", "k = j = 1", "k += 1", "import os", "k = 1 + x", "del k", "k = [x for x in y]",
        "k, j = 1, 2", "k = lambda: 1", "if True:\n    k = 1", "k = (", "\tk = 1", "k = 1\0", "%time k = 1", "!ls",
    ],
)  # fmt: skip
def test_parameters_cells(source):
    with pytest.raises(InputError, match=r"cell: expected .* parameters cell, got "):
        parse_parameters(source, "cell")


@pytest.mark.parametrize(
    "text",
    [
        "file:{}/b,c.csv", "file:{}/a b.csv", "coco:{}/i.json", "coco:{}/i.json?images={}/pictures", "{}/b,c.csv",
        "voc2012:{}/pictures?split=val", "photos?folder={}/pictures", "photos?folder={}%2Fpictures",
        "best:{}/x.npz?dataset=voc2012", "file:~/b,c.csv", "coco:~/i.json?images=~/pictures", "voc2012:{}/linked",
        "file:{}/what%3F.csv",
    ],
)  # fmt: skip
def test_files_that_parameters_name_are_found_whatever_their_names(tmp_path, monkeypatch, text):
    home = tmp_path / "home"
    (home / "pictures").mkdir(parents=True)
    (home / "linked").symlink_to(home / "pictures")
    for name in ("b,c.csv", "a b.csv", "i.json", "x.npz", "what%3F.csv", "pictures/1.png"):
        (home / name).write_text("1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    found = named_paths({"methods": [text.format(home, home)]})
    assert found and all(path.exists() and path.is_relative_to(home) for path in found)
    assert len(found) == 1 + ("images=" in text)


CACHED = """
import numpy as np
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite._kernels import contingency
print(int(contingency.renumber(np.array([5, 5, 7]))[0].max()))
"""


@pytest.mark.jit
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("how", ["empty", "half", "last byte", "noise"])
def test_a_damaged_cache_of_machine_code_is_compiled_anew(tmp_path_factory, ending, how):
    cache = tmp_path_factory.mktemp("cache")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(cache)}

    def once():
        done = subprocess.run([sys.executable, "-c", CACHED], capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    before = once()
    files = list(cache.rglob(f"*.{ending}"))
    assert files
    for file in files:
        content = file.read_bytes()
        spoilt = {"empty": b"", "half": content[: len(content) // 2], "last byte": content[:-1]}
        file.write_bytes(spoilt.get(how, b"\x80\x04noise"))
    assert once() == before
    assert all(file.stat().st_size > 10 for file in cache.rglob("*.nbi")), "written again"
    assert once() == before
