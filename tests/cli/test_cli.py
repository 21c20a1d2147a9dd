import sys

import pytest
from compendium import make_compendium

from propeval_lite.cli import main


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_compendium(tmp_path)
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nosuch"], "got 'nosuch'. There are: good, bad, slow."),
        (["run", "good", "-p", "nosuch=1"], "got 'nosuch'. It knows: k_max, names, tau, quick."),
        (["run", "good", "-p", "k_max=abc"], "k_max: expected a whole number, got 'abc'. Its default is 10."),
        (["run", "good", "-p", "k_max"], "expected -p NAME=VALUE, got 'k_max'. Write for example"),
        (["run", "good", "--profile", "fast"], "one of smoke, default, paper, got 'fast'"),
        (["run", "good", "--name", "../x"], "Choose another --name."),
        (["run", "good", "--dataset", "photos"], "parameter of good, got 'dataset'"),
        (["run", "good", "--method", "uniform"], "parameter of good, got 'methods'"),
        (["run", "good", "nosuch"], "There are: good"),
        (["list", "nosuch"], "There are: good"),
        (["run", "good", "-p", "k_max=" + "-" * 9000 + "1"], "k_max: expected a whole number"),
        (["meta", ":measure"], ":measure: expected a module that imports"),
        (["meta", "pri", "--seed", "-1"], "expected --seed to be a whole number >= 0, got -1"),
        (
            ["chance", "--width", "50", "--height", "40", "--box", "1,1,9,9", "--iou", "1e-999999999"],
            "in (0, 1]",
        ),
    ],
)
def test_bad_input_is_one_line_with_a_remedy(root, capsys, arguments, message):
    assert main(arguments) == 2
    err = capsys.readouterr().err.strip()
    assert err.startswith("propeval: error: ")
    assert message in err
    assert "\n" not in err
    assert not (root / "runs").exists()


def test_unwritable_output_folder(root, capsys):
    (root / "file").write_text("in the way")
    assert main(["run", "good", "--output", str(root / "file" / "runs"), "--quiet"]) == 2
    err = capsys.readouterr().err
    assert "expected a writable output folder, got Not a directory" in err
    assert "--output" in err


def test_list_shows_sections_parameters_and_meanings(root, capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "covers Paper §1" in out
    assert "-p k_max=10" in out
    assert "budget" in out
    assert main(["list", "slow"]) == 0
    assert "k_max" not in capsys.readouterr().out


def test_outside_a_compendium(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    assert main(["list"]) == 2
    assert "set PROPEVAL_HOME" in capsys.readouterr().err


CHANCE = ["chance", "--width", "500", "--height", "375", "--box", "100,80,300,250"]


def test_chance_prints_the_known_counts(capsys):
    assert main([*CHANCE, "--iou", "0.5", "--k", "1000"]) == 0
    out = capsys.readouterr().out
    assert "8,748,093,750" in out
    assert "234,760,484" in out
    assert main([*CHANCE, "--iou", "4/5"]) == 0
    assert "2,114,680" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--iou", "0"], "expected iou in (0, 1], got 0"),
        (["--iou", "1.5"], "expected iou in (0, 1], got 1.5"),
        (["--iou", "half"], "in (0, 1], got 'half'"),
        (["--box", "1,2,3"], "expected --box x1,y1,x2,y2, got '1,2,3'"),
        (["--box", "1,2,3,b"], "expected --box in whole numbers, got 'b'"),
        (["--box", "0,80,300,250"], "corners at 1 or above"),
        (["--box", "100,80,600,250"], "corners inside the image"),
        (["--box", "100,80,100,250"], "boxes with area"),
        (["--width", "1"], "width to be a whole number >= 2"),
        (["--k", "-1"], "k"),
        (["--k", "9000000000"], "k"),
        (["--width", "100000", "--height", "100000"], "below 2**63"),
    ],
)
def test_chance_explains_bad_input(capsys, change, message):
    assert main([*CHANCE, *change]) == 2
    err = capsys.readouterr().err.strip()
    assert message in err
    assert "\n" not in err


MEASURE = """
def gap(partition, truths):
    return float(abs(int(partition.max()) - int(truths[0].max())))


def broken(partition, truths):
    return "many"
"""


@pytest.fixture
def own_measure(tmp_path, monkeypatch):
    (tmp_path / "own_measure.py").write_text(MEASURE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.jit
def test_meta_ranks_a_measure_of_ones_own(own_measure, capsys):
    assert main(["meta", "own_measure:gap", "--lower", "--dataset", "scenes?n=4&width=64&height=48"]) == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.strip().startswith("own_measure:gap"))
    assert row.split()[-1] == "True"
    assert "fop" in out
    assert "classifier=density" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["own_measure:broken", "--lower"], "expected one number, got 'many'"),
        (["own_measure:nosuch", "--lower"], "It has: gap, broken."),
        (["own_measure:gap"], "expected the direction of a measure of your own, got none"),
        (["nosuch_module:gap", "--lower"], "expected a module that imports"),
        (["own_measure:gap", "--lower", "--dataset", "nosuch"], "expected a data set called"),
    ],
)
def test_meta_explains_bad_input(own_measure, capsys, arguments, message):
    data = ["--dataset", "scenes?n=4&width=64&height=48"]
    assert main(["meta", *data, *arguments]) == 2
    err = capsys.readouterr().err.strip()
    assert message in err
    assert "\n" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "k_max=1", "-p", "k_max=2"], "each parameter once, got 'k_max' twice"),
        (["--output", ""], "a folder for --output, got ''"),
        (["--name", ""], "a run name"),
        (["--jobs", "0"], "expected --jobs to be a whole number >= 1, got 0"),
        (["--jobs", "two"], "expected --jobs in whole numbers, got 'two'"),
    ],
)
def test_empty_and_repeated_options(root, capsys, arguments, message):
    assert main(["run", "good", "--quiet", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_wrong_home_is_named(monkeypatch, capsys):
    monkeypatch.setenv("PROPEVAL_HOME", "/no/such/home")
    assert main(["list"]) == 2
    assert "none in PROPEVAL_HOME (/no/such/home)" in capsys.readouterr().err


def test_output_on_a_full_disk_is_one_line(root, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("propeval_lite.cli.list.call", full)
    assert main(["list"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "propeval: error: No space left on device: output. Free some space."
    ]
