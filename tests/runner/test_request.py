"""What cannot be served is refused before a kernel starts."""

import os
import sys

import pytest
from compendium import write_index, write_notebook

from propeval_lite import InputError
from propeval_lite.cli import main
from propeval_lite.runner import execute as execute_module
from propeval_lite.runner.catalog import find_root, load_catalog
from propeval_lite.runner.request import check_request

PARAMETERS = """dataset = "scenes?n=3&seed=1&width=96&height=72"  # data set
others = []  # further ones
methods = ["uniform"]  # of boxes
longest = 0  # of pictures
seed = 1  # of the methods"""
PAGE = """
import os, pathlib
import propeval_lite as pe
from propeval_lite.studies import hosang_datasets as datasets
from propeval_lite.studies import hosang_recall as study
truth = pe.load_dataset(dataset, longest=longest)
found = study.evaluate(methods, truth, [10], "greedy", seed)
lines = [f"{name},{float(pe.abo(table))}" for name, table in found.tables.items()]
for spec, data in datasets.load_others(others, truth, longest).items():
    more = study.evaluate(methods, data, [10], "greedy", seed, files=False)
    lines += [f"{spec} {name},{float(pe.abo(table))}" for name, table in more.tables.items()]
lines.append(study.file_frames(found.tables))
pathlib.Path(os.environ["PROPEVAL_RUN_FOLDER"], "abo.csv").write_text("\\n".join(lines))
"""
OWN = """
import helper


def propose(image, k, rng):
    return [[0, 0, helper.side(image), 20]], None


def uniform(image, k, rng):
    return [[0, 0, 40, 40]], None
"""
HELPER = "def side(image):\n    return {}\n"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"dataset": "photos"}, "dataset and others: expected each data set once, got 'photos' twice"),
        ({"others": ["coco", "coco"]}, "each data set once, got 'coco' twice"),
        ({"dataset": "scenes?n=2&seed=1", "others": ["scenes?seed=1&n=2"]}, "each data set once"),
        ({"methods": ["ma:propose", "mb:propose"]}, "'ma:propose' and 'mb:propose', both called 'propose'"),
        ({"methods": ["file:a/ok.csv", "file:b/ok.csv"]}, "both called 'ok'"),
        ({"methods": ["uniform", "uniform"]}, "each method once, got 'uniform' twice"),
        ({"methods": ["best:lpo/bing.npz?dataset=voc2012"]}, "which is for voc2012. Add that data set"),
    ],
)
def test_no_kernel_starts_for_what_cannot_be_served(asked, message, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(execute_module, "execute", lambda *_: pytest.fail("a kernel was started"))
    entry = load_catalog(find_root())["hosang_recall"]
    with pytest.raises(InputError, match=message):
        entry.resolve("default", asked)
    arguments = [
        f"-p{name}={value if isinstance(value, str) else ','.join(value)}" for name, value in asked.items()
    ]
    if "," not in str(asked.get("methods")):
        assert main(["run", "hosang_recall", "--output", str(tmp_path), *arguments]) == 2
        assert message.split(",")[-1].strip() in capsys.readouterr().err


def test_the_profiles_of_all_pages_can_be_served():
    for entry in load_catalog(find_root()).values():
        for profile in ("smoke", "default", "paper"):
            check_request(entry.resolve(profile, {}))


def test_photos_run_where_the_other_data_sets_are_left_out():
    entry = load_catalog(find_root())["hosang_recall"]
    assert entry.resolve("default", {"dataset": "photos", "others": ""})["others"] == []


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A compendium with one page that does what pages do, and a user's folder with modules and files."""
    root, own, shared = tmp_path / "compendium", tmp_path / "own", tmp_path / "shared"
    for folder in (own, shared):
        folder.mkdir()
    write_notebook(root / "notebooks" / "page.ipynb", [PARAMETERS, PAGE])
    write_index(root, ["page"])
    for name in ("ma", "mb"):
        (own / f"{name}.py").write_text(OWN)
    (own / "helper.py").write_text(HELPER.format(20))
    monkeypatch.setenv("PROPEVAL_HOME", str(root))
    monkeypatch.setenv("PROPEVAL_DATA", str(shared))
    monkeypatch.setenv("PYTHONPATH", str(own), prepend=os.pathsep)
    monkeypatch.syspath_prepend(str(own))
    yield tmp_path
    for name in ("ma", "mb", "helper"):
        sys.modules.pop(name, None)


def run(desk, capsys, *arguments):
    """Run the page; the word that says how it ended, its rows, and what it complained of."""
    code = main(["run", "page", "--quiet", "--name", "r", *arguments])
    said = capsys.readouterr()
    table = desk / "compendium" / "runs" / "page" / "r" / "abo.csv"
    rows = (
        dict(line.rsplit(",", 1) for line in table.read_text().splitlines() if "," in line)
        if not code
        else {}
    )
    words = [word for word in ("finished", "unchanged", "failed") if word in said.out]
    return (words or [code])[0], rows, said.out + said.err


@pytest.mark.site
def test_an_edited_method_or_its_helper_runs_again(desk, capsys):
    own = desk / "own"
    ask = ("--method", "ma:propose")
    assert run(desk, capsys, *ask)[0] == "finished"
    status, first, _ = run(desk, capsys, *ask)
    assert status == "unchanged"
    (own / "helper.py").write_text(HELPER.format(60))
    status, second, _ = run(desk, capsys, *ask)
    assert status == "finished"
    assert second["uniform"] == first["uniform"] and second["propose"] != first["propose"]
    (own / "ma.py").write_text(OWN.replace("20]]", "60]]"))
    status, third, _ = run(desk, capsys, *ask)
    assert status == "finished" and third["propose"] != second["propose"]
    (own / "ma.py").write_text("# no other work\n" + OWN.replace("20]]", "60]]"))
    assert run(desk, capsys, *ask)[0] == "unchanged"


@pytest.mark.site
def test_a_changed_file_of_boxes_or_part_runs_again(desk, capsys):
    boxes = desk / "shared" / "boxes.csv"
    boxes.write_text("image_id,x1,y1,x2,y2\nscene-00000,0,0,90,70\n")
    ask = ("--method", f"file:{boxes}")
    status, first, _ = run(desk, capsys, *ask)
    assert status == "finished"
    assert run(desk, capsys, *ask)[0] == "unchanged"
    boxes.write_text("image_id,x1,y1,x2,y2\nscene-00000,50,30,96,72\n")
    status, second, _ = run(desk, capsys, *ask)
    assert status == "finished" and second["uniform"] == first["uniform"]
    lines = (desk / "compendium" / "runs" / "page" / "r" / "abo.csv").read_text().splitlines()
    assert lines[-1] == "boxes: as in the data set, not told"
    for part, expected in (("0::2", "finished"), ("0::2", "unchanged"), ("1::2", "finished")):
        spec = f"scenes?n=3&seed=1&width=96&height=72&part={part}"
        assert run(desk, capsys, "--dataset", spec)[0] == expected, part


@pytest.mark.site
def test_two_methods_of_one_name_run_under_names_of_their_own(desk, capsys):
    (desk / "own" / "mb.py").write_text(OWN.replace("20]]", "70]]"))
    status, rows, _ = run(desk, capsys, "--method", "ma:propose", "--method", "two=mb:propose")
    assert status == "finished"
    assert set(rows) >= {"uniform", "propose", "two"} and rows["propose"] != rows["two"]
    status, _, said = run(desk, capsys, "--method", "ma:propose", "--method", "mb:propose")
    assert status == 2 and "both called 'propose'" in said
    status, _, said = run(desk, capsys, "--method", "ma:uniform", "-p", "methods=gaussian")
    assert status == "failed" and "like the library's own" in said


@pytest.mark.site
def test_a_method_that_cannot_run_fails_the_run_with_a_reason(desk, capsys):
    (desk / "i.json").write_text(
        '{"images": [{"id": 1, "width": 40, "height": 30}], "categories": [{"id": 1, "name": "cup"}], "annotations": '
        '[{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9]}]}'
    )
    status, _, said = run(desk, capsys, "--dataset", f"coco:{desk}/i.json", "--method", "edge_boxes")
    assert status == "failed"
    assert "'edge_boxes', which looks at pictures, and i, which has none" in said
    status, rows, _ = run(desk, capsys, "--dataset", f"coco:{desk}/i.json")
    assert status == "finished" and list(rows) == ["uniform"]


@pytest.mark.site
def test_longest_scales_boxes_of_a_file_in_a_run(desk, capsys):
    from propeval_lite import load_dataset

    truth = load_dataset("scenes?n=3&seed=1&width=96&height=72").objects
    truth[["image_id", "x1", "y1", "x2", "y2"]].to_csv(desk / "perfect.csv", index=False)
    ask = ("--method", f"file:{desk}/perfect.csv?boxes=corners", "-p", "longest=60")
    status, rows, _ = run(desk, capsys, *ask)
    assert status == "finished" and float(rows["perfect"]) == 1
