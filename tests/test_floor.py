import json
import tomllib
from pathlib import Path

import floor
import pytest

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))


def report(**modules):
    """A report of coverage: module=(lines, lines run)."""
    names = {f"propeval_lite/{name.replace('__', '/')}.py": counts for name, counts in modules.items()}
    return {
        "files": {
            name: {"summary": {"num_statements": lines, "covered_lines": run}}
            for name, (lines, run) in names.items()
        }
    }


def judge(tmp_path, capsys, content):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(content))
    status = floor.main(path)
    return status, capsys.readouterr().out


def test_every_package_at_the_floor_passes(tmp_path, capsys):
    status, text = judge(tmp_path, capsys, report(boxes__match=(10, 9), meta__swaps=(4, 4)))
    assert status == 0
    assert "below" not in text
    assert text.split()[-6:] == ["90.0", "%", "meta", "4", "100.0", "%"]


def test_one_package_below_the_floor_fails_however_good_the_others(tmp_path, capsys):
    status, text = judge(tmp_path, capsys, report(boxes__match=(1000, 1000), meta__swaps=(10, 8)))
    assert status == 1
    low = [line.split()[0] for line in text.splitlines() if "below" in line]
    assert low == ["meta", "propeval_lite/meta/swaps.py"]


def test_modules_of_a_package_are_added_and_folders_inside_it_belong_to_it():
    lines, run = floor.count_lines(report(datasets__voc=(10, 10), datasets__scenes__paint=(10, 5)))
    assert (lines["datasets"], run["datasets"]) == (20, 15)


def test_a_weak_module_in_a_strong_package_passes(tmp_path, capsys):
    assert judge(tmp_path, capsys, report(boxes__match=(90, 90), boxes__oma=(10, 0)))[0] == 0


@pytest.mark.parametrize("name", ["boxes____init__", "boxes__empty"])
def test_a_module_without_lines_drags_nothing_down(tmp_path, capsys, name):
    assert judge(tmp_path, capsys, report(**{name: (0, 0)}))[0] == 0


def test_lines_that_no_test_imports_count_as_missed():
    assert PROJECT["tool"]["coverage"]["run"]["source_pkgs"] == ["propeval_lite"]
