"""What the command line refuses: one line that says what was expected, what came, and what to do."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from compendium import make_compendium

from propeval_lite._checks import early
from propeval_lite.cli import main

ROOT = Path(__file__).parents[2]
BIG = "9" * 5000


@pytest.fixture
def root(tmp_path, monkeypatch):
    make_compendium(tmp_path)
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "ends.py").write_text(
        "import sys\n\n\ndef zero(partition, truths):\n    sys.exit(0)\n\n\n"
        "def none(partition, truths):\n    raise SystemExit\n\n\n"
        "def text(partition, truths):\n    sys.exit('enough')\n"
    )
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def refused(capsys, arguments):
    """What the command says about bad input: one line on stderr, status 2, nothing on stdout."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("propeval: error: ")
    assert err.count("\n") == 1, "one line"
    assert "expected " in err and ", got " in err
    assert err.rstrip().endswith(("?", ".")), "a remedy"
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "expected -p NAME=VALUE, got ''"),
        ("=1", "expected -p NAME=VALUE, got '=1'"),
        ("k_max", "expected -p NAME=VALUE, got 'k_max'"),
        (" =1", "a parameter of good, got ''"),
        ("K_MAX=1", "a parameter of good, got 'K_MAX'"),
        ("k max=1", "a parameter of good, got 'k max'"),
        ("__class__=1", "a parameter of good, got '__class__'"),
        ("k_max=", "k_max: expected a whole number, got ''"),
        ("k_max=1.5", "a whole number, got 1.5"),
        ("k_max=1e3", "a whole number, got 1000.0"),
        ("k_max=True", "a whole number, got True"),
        ("k_max=None", "a whole number, got None"),
        ("k_max=[1]", "a whole number, got [1]"),
        ("k_max=10**9", "a whole number, got '10**9'"),
        ("k_max=__import__('os')", "a whole number, got"),
        ("k_max=nan", "a whole number, got 'nan'"),
        ("k_max=" + BIG, "a whole number"),
        ("k_max=" + "[" * 9000, "a whole number"),
        ("tau=", "a number, got ''"),
        ("tau=x", "a number, got 'x'"),
        ("tau=1/2", "a number, got '1/2'"),
        ("tau=0.5.5", "a number, got '0.5.5'"),
        ("tau=0,5", "a number, got (0, 5)"),
        ("tau=nan", "a number, got 'nan'"),
        ("tau=1e999", "a finite number, got inf"),
        ("tau=-1e999", "a finite number, got -inf"),
        ("tau=1j", "a number, got 1j"),
        ("tau={}", "a number, got {}"),
        ("quick=", "true or false, got ''"),
        ("quick=1", "true or false, got '1'"),
        ("quick=yes", "true or false, got 'yes'"),
        ("quick=None", "true or false, got 'None'"),
        ("names=[1]", "text, got 1"),
        ("names=[['a']]", "text, got ['a']"),
        ("names=['a', 2]", "text, got 2"),
        ("names=(None,)", "text, got None"),
        (r"names=['\ud800']", r"text in UTF-8, got '\ud800'"),
        ("names=a\udce9", "arguments in UTF-8"),
    ],
)
def test_parameters(root, capsys, given, said):
    assert said in refused(capsys, ["run", "good", "--quiet", "-p", given])
    assert not (root / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuch"], "a notebook of the catalogue, got 'nosuch'. There are: good, bad, slow"),
        ([""], "a notebook of the catalogue, got ''"),
        (["GOOD"], "a notebook of the catalogue, got 'GOOD'"),
        (["*"], "a notebook of the catalogue, got '*'"),
        (["notebooks/nosuch.ipynb"], "a notebook of the catalogue, got 'nosuch'"),
        (["good", "../good"], "a notebook of the catalogue, got '../good'"),
        (["g\udce9"], r"arguments in UTF-8, got 'g\udce9'"),
        (["good", "--profile", ""], "profile to be one of smoke, default, paper, got ''"),
        (["good", "--profile", "PAPER"], "got 'PAPER'"),
        (["good", "--profile", "paper "], "got 'paper '"),
        (["good", "--name", "x.failed"], "does not end in '.failed'"),
        (["good", "--name", "x.FAILED"], "does not end in '.failed'"),
        (["good", "--name", ".."], "a run name"),
        (["good", "--name", "a/b"], "a run name"),
        (["good", "--name", "a\nb"], "a run name"),
        (["good", "--name", "x" * 300], "at most 100 letters"),
        (["good", "--name", "é"], "a run name"),
        (["good", "--output", " "], "a folder for --output, got ' '"),
        (["good", "--output", "file"], "a writable output folder, got Not a directory"),
        (["good", "--output", "/dev/null/x"], "a writable output folder, got Not a directory"),
        (["good", "--output", "x" * 5000], "a writable output folder, got File name too long"),
        (["good", "--output", "x\udce9"], r"arguments in UTF-8, got 'x\udce9'"),
        (["good", "--jobs", "-1"], "--jobs to be a whole number >= 1, got -1"),
        (["good", "--jobs", ""], "--jobs in whole numbers, got ''"),
        (["good", "--jobs", "1.5"], "--jobs in whole numbers, got '1.5'"),
        (["good", "--jobs", "1_0"], "--jobs in whole numbers, got '1_0'"),
        (["good", "--jobs", "٣"], "--jobs in whole numbers, got '٣'"),
        (["good", "--jobs", BIG], "--jobs in whole numbers"),
        (["good", "--dataset", ""], "a parameter of good, got 'dataset'"),
        (["good", "--method", ""], "a parameter of good, got 'methods'"),
        (["good", "bad", "-p", "x=2"], "a parameter of good, got 'x'"),
    ],
)
def test_run(root, capsys, arguments, said):
    assert said in refused(capsys, ["run", "--quiet", *arguments])
    assert not (root / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["store", "nosuch"], "'nosuch': expected the folder of a run, got no run.json in nosuch or"),
        (["store", ""], "expected the folder of a run"),
        (["store", "file"], "expected the folder of a run"),
        (["store", "/dev/null"], "expected the folder of a run"),
        (["store", "x" * 5000], "expected the folder of a run"),
        (["store", "good"], "propeval run NOTEBOOK --profile paper"),
        (["list", ""], "a notebook of the catalogue, got ''"),
        (["list", "good", "nosuch"], "a notebook of the catalogue, got 'nosuch'"),
        (["list", "\udcff"], "arguments in UTF-8"),
        (["meta", "nosuch"], "expected"),
        (["meta", ""], "expected"),
        (["meta", "ends:nosuch", "--lower"], "It has: zero, none, text"),
        (["meta", "pri", "--seed", "1_0"], "--seed in whole numbers, got '1_0'"),
        (["meta", "pri", "--seed", "-5"], "--seed to be a whole number >= 0, got -5"),
        (["meta", "pri", "--dataset", ""], "expected"),
        (["meta", "pri", "--dataset", "scenes?n"], "options as key=value"),
        (["meta", "pri", "--dataset", "voc2012:/no/such"], "no such file or folder"),
    ],
)
def test_other_verbs(root, capsys, arguments, said):
    assert said in refused(capsys, arguments)


CHANCE = {"--width": "50", "--height": "40", "--box": "1,1,9,9"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"--width": ""}, "--width in whole numbers, got ''"),
        ({"--width": "5_0"}, "--width in whole numbers, got '5_0'"),
        ({"--width": "-50"}, "got -50"),
        ({"--height": "0"}, "height to be a whole number >= 2, got 0"),
        ({"--height": "4e1"}, "--height in whole numbers, got '4e1'"),
        ({"--box": ""}, "--box in whole numbers, got ''"),
        ({"--box": "1,1,9"}, "--box x1,y1,x2,y2, got '1,1,9'"),
        ({"--box": "1,1,9,9,"}, "--box in whole numbers, got ''"),
        ({"--box": "9,9,1,1"}, "got"),
        ({"--box": "1 1 9 9"}, "--box in whole numbers"),
        ({"--iou": "nan"}, "in (0, 1]"),
        ({"--iou": "1/0"}, "in (0, 1]"),
        ({"--iou": "-0.5"}, "in (0, 1]"),
        ({"--k": "0.5"}, "--k in whole numbers"),
        ({"--k": BIG}, "--k in whole numbers"),
    ],
)
def test_chance(capsys, change, said):
    arguments = [f"{name}={value}" for name, value in (CHANCE | change).items()]
    assert said in refused(capsys, ["chance", *arguments])


@pytest.mark.parametrize("function", ["zero", "none", "text"])
def test_a_measure_that_ends_python_is_an_error(root, capsys, function):
    data = ["--dataset", "scenes?n=4&width=64&height=48"]
    said = refused(capsys, ["meta", f"ends:{function}", "--lower", *data])
    assert "expected a method or measure that returns, got a call of sys.exit(" in said


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["nosuch"], ["run"], ["store"], ["chance"], ["run", "good", "--nosuch"], ["run", "good", "--name"],
        ["meta", "pri", "--higher", "--lower"], ["list", "--output", "x"],
    ],
)  # fmt: skip
def test_what_is_no_command_shows_its_use(root, capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: propeval" in capsys.readouterr().err


def start(arguments, root, redirect="", cwd=None, **environment):
    """Run the command in a process of its own, with streams as a shell redirects them."""
    command = f'exec "$0" -m propeval_lite.cli "$@" {redirect}'
    return subprocess.run(
        ["bash", "-c", command, sys.executable, *arguments],
        capture_output=True,
        cwd=cwd or root,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PROPEVAL_HOME": str(root), **environment},
        timeout=120,
    )


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


@pytest.mark.parametrize(
    ("arguments", "redirect", "environment", "status", "out", "err"),
    [
        (["list"], "", {"PYTHONIOENCODING": "ascii"}, 0, rb"covers Paper \xa71", b""),
        (["list"], "", ASCII, 0, rb"covers Paper \xa71", b""),
        (["list"], ">&-", {}, 0, b"", b""),
        (["list"], "<&-", {}, 0, b"covers Paper", b""),
        (["list"], ">&- 2>&- <&-", {}, 0, b"", b""),
        (["list", "nosuch"], "2>&-", {}, 2, b"", b""),
        (["list", "nosuch"], ">&-", {}, 2, b"", b"There are: good"),
        (["list"], ">/dev/full", {}, 2, b"", b"No space left on device: output. Free some space."),
        (["list", "nosuch"], "2>/dev/full", {}, 2, b"", b""),
        (["list", b"\xff\xfe"], "", {}, 2, b"", rb"expected arguments in UTF-8, got '\udcff\udcfe'"),
        (["list", "é"], "", ASCII, 2, b"", b"with a locale that is UTF-8"),
        (["list"], "", {"PROPEVAL_HOME": ""}, 0, b"covers", b""),
        (["list"], "", {"PROPEVAL_HOME": "/no/such"}, 2, b"", b"none in PROPEVAL_HOME (/no/such)"),
    ],
)
def test_terminals_and_streams(root, arguments, redirect, environment, status, out, err):
    done = start(arguments, root, redirect, **environment)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False), done.stderr
    assert out in done.stdout
    assert err in done.stderr if err else done.stderr == b""


def test_a_folder_that_has_been_removed(root):
    gone = root / "gone"
    gone.mkdir()
    command = 'rmdir "$1"; exec "$0" -m propeval_lite.cli list'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, str(gone)],
        capture_output=True, text=True, cwd=gone, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == early.GONE + "\n"


@pytest.mark.parametrize("wait", [0.2, 0.5, 0.9])
def test_ctrl_c_while_the_library_is_imported_is_one_line(root, wait):
    child = (
        "import signal, sys, runpy, numpy\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'propeval_lite.chance':\n"
        "            print('importing', flush=True); import time; time.sleep(30)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['propeval', 'list']\n"
        "from propeval_lite.cli import main\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", child], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout.readline() == "importing\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == early.STOPPED + "\n"


def test_other_programs_keep_their_own_ctrl_c():
    code = "import signal, propeval_lite; print(signal.getsignal(2) is signal.default_int_handler)"
    program = [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler); {code}"]
    done = subprocess.run(
        program, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.stdout == "True\n"


def test_the_command_has_its_own_ctrl_c_back_when_it_can_clean_up(monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        monkeypatch.setattr(sys, "argv", ["/usr/bin/propeval"])
        early.begin()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        early.end()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
