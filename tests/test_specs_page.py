"""book/specs.md: its tables are those of the code, and every spec it shows does what it says."""

import json
import re
import shlex
import sys

import numpy as np
import pytest
import scipy.io
import spec_tables

import propeval_lite as pe
from propeval_lite._checks.specs import parse_spec, read_value
from propeval_lite.cli import build_parser
from propeval_lite.datasets.registry import LOADERS
from propeval_lite.masks.methods import propose_masks
from propeval_lite.partitions.measures import find_measure
from propeval_lite.results.published import find_published
from propeval_lite.segmenters.registry import find_segmenter

PAGE = spec_tables.PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
MINE = """
import numpy as np
import propeval_lite as pe


def thirds(image, k, rng, share=1.0):
    height, width = image.shape[:2]
    return np.array([[0, 0, share * width / 3, height / 3]]), None


def stripes(image, value):
    return np.broadcast_to(np.arange(image.shape[1]) * value // image.shape[1], image.shape[:2])


def halves(image, rng):
    return pe.masks.propose_masks("quadtree?levels=1", image)


def evenness(partition, truths):
    return float(np.bincount(partition.ravel()).std())


evenness.higher_is_better = False
"""


def shown(section, head="what it asks for"):
    """Rows of a section's tables of specs: the spec and what stands beside it."""
    tables = re.findall(
        rf"^\| spec \| {head} \|\n\| --- \| --- \|\n((?:\|.*\n?)+)", SECTIONS[section], re.MULTILINE
    )
    return [
        tuple(re.fullmatch(r"\| `(.+?)` \| (.+) \|", row).groups()) for row in "".join(tables).splitlines()
    ]


def specs(section):
    return [spec for spec, _ in shown(section)]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the files that the page names, and a data set with pictures of the same ids."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "my_boxes.csv").write_text("image_id,x1,y1,x2,y2\nscene-00000,1,1,9,9\n")
    boxes = [{"bbox": [1, 1, 8, 8], "stability_score": 0.5, "predicted_iou": 0.9}]
    (tmp_path / "masks.json").write_text(json.dumps({"scene-00000": boxes}))
    picture = {"id": 7, "width": 9, "height": 9, "file_name": "7.png"}
    (tmp_path / "instances.json").write_text(
        json.dumps({"images": [picture], "annotations": [], "categories": []})
    )
    for folder in ("pictures", "maps"):
        (tmp_path / folder).mkdir()
    scipy.io.savemat(tmp_path / "maps" / "scene-00000.mat", {"ucm2": np.zeros((2 * 72 + 1, 2 * 96 + 1))})
    for name in ("theirs.npz", "theirs.mat"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("PROPEVAL_DATA", raising=False)
    sys.modules.pop("mine", None)  # of another test
    yield pe.load_dataset("scenes?n=1&width=96&height=72")
    sys.modules.pop("mine", None)


def test_tables_are_those_of_the_code():
    assert set(spec_tables.TABLES) == set(re.findall("<!-- table: (.+) -->", PAGE))
    assert spec_tables.filled(PAGE) == PAGE, "run `python tests/spec_tables.py`"


@pytest.mark.parametrize("value", [0.5, 40, True, (16, 32), ("lab", "hsv"), (1.0, 2.0), "fast"])
def test_defaults_are_shown_as_a_spec_would_say_them(value):
    read = read_value(spec_tables.written(value))
    assert (tuple(read) if isinstance(read, list) else read) == value


@pytest.mark.parametrize("spec", specs("Data sets"))
def test_data_sets(desk, spec):
    name = re.split("[:?]", spec)[0]
    if LOADERS[name].default is None or ":" in spec:
        assert len(pe.load_dataset(spec).images)
    else:
        # Name and options are right, and only the data are missing.
        with pytest.raises(pe.InputError, match=f"expected a path for {name}, got none"):
            pe.load_dataset(spec)


@pytest.mark.data
@pytest.mark.parametrize("spec", [spec for spec in specs("Data sets") if re.match("voc|bsds", spec)])
def test_real_data_sets(real_data, monkeypatch, spec):
    monkeypatch.setenv("PROPEVAL_DATA", str(real_data))
    assert len(pe.load_dataset(spec).images)


def test_what_the_common_options_do():
    whole = pe.load_dataset("photos").images
    parts = [
        pe.load_dataset(f"photos?part={part}").images["image_id"].tolist() for part in ("0::2", "1::2", ":3")
    ]
    assert sorted(parts[0] + parts[1]) == sorted(whole["image_id"]) and len(parts[2]) == 3
    small, blocks = (
        pe.load_dataset(f"photos?part=:2&{option}").images for option in ("longest=64", "blocks=4")
    )
    assert (small[["width", "height"]].max(axis=1) == 64).all()
    assert (blocks["width"].to_numpy() == whole["width"].to_numpy()[:2] // 4).all()


@pytest.mark.parametrize("spec", specs("Methods") + specs("Files of boxes"))
def test_methods(desk, spec):
    assert len(pe.propose(spec, desk, k=3).boxes)


def test_an_argument_of_ones_own_method(desk):
    whole, half = (pe.propose(spec, desk).boxes[0, 2] for spec in ("mine:thirds", "mine:thirds?share=0.5"))
    assert (whole, half) == (32, 16)


@pytest.mark.parametrize("spec", specs("Segmenters"))
def test_segmenters(desk, spec):
    found = find_segmenter(spec)
    asked = re.search(r"sweep=([^&]+)", spec)
    assert len(found.partitions(desk, "scene-00000")) == (
        asked[1].count(",") + 1 if asked else len(found.parameters)
    )


@pytest.mark.parametrize("spec", specs("Mask methods"))
def test_mask_methods(desk, spec):
    assert len(propose_masks(spec, desk.image("scene-00000")))


@pytest.mark.parametrize("spec", specs("Measures of partitions"))
def test_measures(desk, spec):
    halves = np.repeat([[0, 1]], 4, axis=0)
    assert find_measure(spec)(halves, [halves]) == 0


@pytest.mark.parametrize("spec", specs("Published tables"))
def test_published_tables(desk, spec):
    kind, path, dataset = re.fullmatch(r"(\w+):(.+)\?dataset=(\w+)", spec).groups()
    found = find_published(spec)
    assert (found.kind, str(found.path), found.dataset) == (kind, path, dataset)


@pytest.mark.parametrize(("spec", "says"), shown("What is refused", "error says"))
def test_what_is_refused(desk, spec, says):
    with pytest.raises(pe.InputError, match=f"expected .*{re.escape(says)}"):
        pe.load_dataset(spec)


def test_escapes():
    shown = re.findall(r"`(%\w\w)` for `(.)`", PAGE)
    assert len(shown) == 3
    for text, character in shown:
        assert parse_spec(f"photos?folder={text}", "here").options == {"folder": character}
    assert "`?name='007'`" in PAGE
    assert parse_spec("file:boxes.csv?name='007'", "here").options == {"name": "007"}


def test_no_table_of_specs_is_overlooked():
    rows = sum(len(shown(section)) for section in SECTIONS) + len(shown("What is refused", "error says"))
    tables = re.findall(r"^\| spec \|.*\n\|.*\n((?:\|.*\n?)+)", PAGE, re.MULTILINE)
    assert rows == sum(len(table.splitlines()) for table in tables)


def test_the_command_parses():
    (command,) = re.findall(r"^\.venv/bin/propeval (run .+)$", PAGE, re.MULTILINE)
    options = build_parser().parse_args(shlex.split(command))
    assert (options.dataset, options.method) == ("scenes?n=20&seed=3", ["edge_boxes?alpha=0.7"])
