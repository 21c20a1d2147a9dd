import json
import os
import shutil

import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.runner.store import RunFolder, is_complete, read_run


def finish(place, text="whole"):
    (place.start({"seconds": 1}) / "out.txt").write_text(text)
    return place.finish({"seconds": 1})


def test_a_run_appears_only_when_it_is_whole(tmp_path):
    place = RunFolder(tmp_path, "nb", "run")
    (place.start({}) / "out.txt").write_text("half")
    assert not place.final.exists()
    assert read_run(place.work) is None
    folder = place.finish({"seconds": 1})
    assert (folder / "out.txt").read_text() == "half"
    assert read_run(folder)["status"] == "finished"


def test_a_failure_leaves_the_last_whole_run_alone(tmp_path):
    place = RunFolder(tmp_path, "nb", "run")
    finish(place)
    (place.start({}) / "out.txt").write_text("half")
    failed = place.fail({"status": "failed"})
    assert (place.final / "out.txt").read_text() == "whole"
    assert (failed / "out.txt").read_text() == "half"
    assert read_run(failed) is None
    finish(place, "again")
    assert not failed.exists()
    assert sorted(p.name for p in (tmp_path / "nb").iterdir()) == ["run"]


def test_leftovers_of_dead_processes_are_cleared_and_whole_runs_put_back(tmp_path):
    place = RunFolder(tmp_path, "nb", "run")
    finish(place)
    os.replace(place.final, place.final.with_name(".run.old"))
    half = place.final.with_name(".run.work") / "half"
    half.mkdir(parents=True)
    other = place.final.with_name(".run.other.work")
    other.mkdir()
    place.start({})
    assert (place.final / "out.txt").read_text() == "whole"
    assert not half.exists()
    assert other.exists(), "it belongs to the run called run.other"


@pytest.mark.parametrize("name", ["x.failed", "x.FAILED", "a.b.failed", "9.failed"])
def test_a_run_named_like_a_failed_one_is_refused(tmp_path, name):
    with pytest.raises(InputError, match=r"does not end in '\.failed'.*Choose another --name"):
        RunFolder(tmp_path, "nb", name)


def test_a_working_folder_that_was_removed_is_said(tmp_path):
    place = RunFolder(tmp_path, "nb", "run")
    shutil.rmtree(place.start({}))
    with pytest.raises(
        InputError, match="expected the folder of a run to stay until its end, got it was removed"
    ):
        place.check()


COMPLETE = {"files": {}, "digests": {}, "seconds": 1.5, "reads": {"modules": {}, "files": {}}}


@pytest.mark.parametrize(
    "change",
    [
        {"files": None}, {"files": []}, {"digests": "x"}, {"seconds": None}, {"seconds": "1"}, {"reads": None},
        {"reads": {}}, {"reads": {"modules": {}}}, {"reads": {"modules": [], "files": {}}},
    ],
)  # fmt: skip
def test_an_incomplete_record_is_not_taken_for_a_whole_one(change):
    assert is_complete(COMPLETE)
    assert not is_complete(COMPLETE | change)
    assert not is_complete({key: value for key, value in COMPLETE.items() if key not in change})


def test_a_damaged_record_is_no_run(tmp_path):
    (tmp_path / "run.json").write_text("{")
    assert read_run(tmp_path) is None
    (tmp_path / "run.json").write_text(json.dumps({"status": "running"}))
    assert read_run(tmp_path) is None


@pytest.mark.parametrize(
    "name", ["", "../x", "a/b", ".hidden", "a b", "a" * 101, "é", "x{", "x\n", "-x", "x\0"]
)
def test_run_names_are_folder_names(tmp_path, name):
    with pytest.raises(InputError, match="Choose another --name"):
        RunFolder(tmp_path, "nb", name)


@pytest.mark.parametrize("content", [b"[]", b"null", b"5", b"\xff", b"", b"[" * 100000])
def test_an_odd_record_is_no_run(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    assert read_run(tmp_path) is None


def test_a_file_in_the_way_is_left_alone(tmp_path):
    place = RunFolder(tmp_path, "book", "run")
    place.final.parent.mkdir()
    place.final.write_text("mine")
    with pytest.raises(NotADirectoryError):
        place.start({})
    assert place.final.read_text() == "mine"
