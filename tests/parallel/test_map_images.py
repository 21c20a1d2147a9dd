import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.parallel import Checkpoint, map_images, source_digest, usual_workers


def squares(n):
    """Later images are done earlier, so that only bookkeeping keeps them in order."""
    time.sleep(0.02 * (n == 0))
    return {"square": np.array([n * n, 1 / (n + 3)]), "word": np.array(f"image {n}")}


def failing(at, n):
    if n == at:
        raise RuntimeError("no boxes today")
    return squares(n)


def dying(n):
    os._exit(3)


def same(one, other):
    return len(one) == len(other) and all(
        a.keys() == b.keys() and all(a[k].tobytes() == b[k].tobytes() and a[k].dtype == b[k].dtype for k in a)
        for a, b in zip(one, other, strict=True)
    )


def test_the_answer_does_not_depend_on_the_number_of_workers():
    alone = map_images(squares, range(7))
    assert [int(answer["square"][0]) for answer in alone] == [n * n for n in range(7)]
    assert same(alone, map_images(squares, range(7), workers=2))
    assert same(alone, map_images(squares, range(7), workers=3))


def test_what_is_prepared_comes_from_this_process():
    def read(n):
        return n + 10

    assert same(map_images(squares, range(3), read, workers=2), map_images(squares, range(10, 13)))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failure_names_the_image_and_keeps_what_is_done(tmp_path, workers):
    kept = Checkpoint(tmp_path, {"test": 1})
    with pytest.raises(
        InputError, match="toys, image 4: expected a result, got RuntimeError: no boxes today"
    ):
        map_images(partial(failing, 4), range(7), workers=workers, checkpoint=kept, title="toys")
    assert all(kept.load(n) is not None for n in range(4)) and kept.load(4) is None


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    whole = map_images(squares, range(7))
    kept = Checkpoint(tmp_path, {"test": 1})
    with pytest.raises(InputError):
        map_images(partial(failing, 4), range(7), checkpoint=kept)
    again = []

    def counted(n):
        again.append(n)
        return squares(n)

    assert same(whole, map_images(counted, range(7), checkpoint=kept))
    assert again == [4, 5, 6]
    assert same(whole, map_images(partial(failing, 0), range(7), checkpoint=kept))


def test_a_damaged_or_foreign_file_is_computed_anew(tmp_path):
    kept = Checkpoint(tmp_path, {"test": 1})
    whole = map_images(squares, range(3), checkpoint=kept)
    kept.path(0).write_bytes(kept.path(0).read_bytes()[:-40])
    kept.path(1).write_bytes(kept.path(2).read_bytes())
    assert kept.load(0) is None and kept.load(1) is None
    assert same(whole, map_images(squares, range(3), checkpoint=kept))
    assert kept.load(0) is not None
    assert not list(tmp_path.rglob("*.part"))


def test_recipes_do_not_meet(tmp_path):
    Checkpoint(tmp_path, {"seed": 1}).save(3, squares(3))
    assert Checkpoint(tmp_path, {"seed": 2}).load(3) is None
    assert Checkpoint(tmp_path, {"seed": 1}).load(3)["word"] == "image 3"
    assert Checkpoint(tmp_path, {"seed": 1}).load("3") is None


def test_a_process_that_dies_is_an_error():
    with pytest.raises(InputError, match="processes that live until the end"):
        map_images(dying, range(3), workers=2)


def test_bad_arguments(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="workers to be a whole number >= 1"):
        map_images(squares, range(3), workers=0)
    with pytest.raises(InputError, match="a function that other processes can import"):
        map_images(lambda n: n, range(3), workers=2)
    with pytest.raises(InputError, match="a dict of arrays, got int"):
        map_images(lambda n: n, range(3))
    with pytest.raises(InputError, match="a recipe that JSON can hold"):
        Checkpoint(tmp_path, {"method": squares})
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="a folder that can be made"):
        Checkpoint(tmp_path / "file", {})
    monkeypatch.setenv("PROPEVAL_WORKERS", "many")
    with pytest.raises(InputError, match="a number of processes >= 1, got 'many'"):
        usual_workers(100)


def test_usual_workers(monkeypatch):
    monkeypatch.setenv("PROPEVAL_WORKERS", "3")
    assert [usual_workers(n) for n in (0, 7, 8, 12, 100)] == [1, 1, 2, 3, 3]


def test_a_change_of_the_program_changes_the_digest(tmp_path, monkeypatch):
    mine = tmp_path / "mine_of_a_test.py"
    mine.write_text("def propose():\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import mine_of_a_test

    before = source_digest(mine_of_a_test.propose)
    assert before == source_digest(partial(mine_of_a_test.propose)) != source_digest()
    mine.write_text("def propose():\n    return 2\n")
    assert source_digest(mine_of_a_test.propose) != before


def test_progress_is_shown_when_asked_for(capsys):
    map_images(squares, range(2), progress=True, title="toys")
    assert "toys: 100%" in capsys.readouterr().err
    map_images(squares, range(2))
    assert not capsys.readouterr().err


def test_processes_end_with_a_run_that_is_killed(tmp_path):
    """Not even a killed run leaves processes behind that hold memory."""
    (tmp_path / "slow_work_of_a_test.py").write_text(
        "import os, time, pathlib, numpy as np\n"
        "def work(n):\n"
        "    pathlib.Path(f'{n}.pid').write_text(str(os.getpid()))\n"
        "    time.sleep(0.1)\n"
        "    return {'n': np.array(n)}\n"
    )
    (tmp_path / "run.py").write_text(
        "from slow_work_of_a_test import work\n"
        "from propeval_lite.parallel import map_images\n"
        "if __name__ == '__main__':\n"
        "    map_images(work, range(10**6), workers=2)\n"
    )
    run = subprocess.Popen([sys.executable, "run.py"], cwd=tmp_path)
    try:
        until = time.monotonic() + 120
        while len(list(tmp_path.glob("*.pid"))) < 6 and time.monotonic() < until:
            time.sleep(0.2)
    finally:
        run.kill()
        run.wait()
    found = {int(text) for path in tmp_path.glob("*.pid") if (text := path.read_text())}
    assert found
    until = time.monotonic() + 60
    while any(Path(f"/proc/{number}").exists() for number in found) and time.monotonic() < until:
        time.sleep(0.2)
    assert not [number for number in found if Path(f"/proc/{number}").exists()]
