"""One grammar for data sets, methods, segmenters and files; one way to import a function; one rule of seeds."""

import numpy as np
import pytest

from propeval_lite import InputError, load_dataset, propose
from propeval_lite._checks.imports import import_function
from propeval_lite._checks.seeding import image_generator
from propeval_lite._checks.specs import parse_spec, read_value
from propeval_lite.methods.registry import find_method
from propeval_lite.partitions.measures import find_measure
from propeval_lite.results.published import find_published
from propeval_lite.segmenters.registry import find_segmenter

READERS = (load_dataset, find_method, find_segmenter)


def test_the_parts_of_a_spec():
    spec = parse_spec("coco:data/a,b.json?images=my%20folder&longest=300", "here")
    assert (spec.name, spec.path, spec.head) == ("coco", "data/a,b.json", "coco:data/a,b.json")
    assert spec.options == {"images": "my folder", "longest": 300}
    assert parse_spec("uniform", "here").options == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("-7", -7), ("0.5", 0.5), ("1e2", 100.0), (".5", 0.5), ("False", False), ("1_5", "1_5"),
     ("nan", "nan"), ("1,2.5", (1, 2.5)), ("['lab', 'hsv']", ["lab", "hsv"]), ("[oops", "[oops"), ("", "")],
)  # fmt: skip
def test_values(text, value):
    assert read_value(text) == value and type(read_value(text)) is type(value)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", ["scenes?n", "scenes?=3", "?n=3", "scenes?n=3&n=4", "scenes?n=1&", ":x"])
def test_every_reader_refuses_what_is_not_the_grammar(reader, text):
    with pytest.raises(InputError, match=r"expected (options as key=value|each option once|NAME, NAME:PATH)"):
        reader(text)


def test_a_published_table_names_its_data_set():
    with pytest.raises(InputError, match=r"expected best:FILE\?dataset=NAME, got"):
        find_published("best:lpo/ours.npz?data=voc2012")


@pytest.mark.parametrize("reader", [find_method, find_segmenter, lambda text: find_measure(text, True)])
def test_one_error_for_a_function_that_is_not_there(reader):
    with pytest.raises(
        InputError, match=r"math:nothing: expected a function 'nothing' in math, got none. It has: "
    ):
        reader("math:nothing")
    with pytest.raises(
        InputError, match=r"no_such_module:f: expected a module that imports, got ModuleNotFound"
    ):
        reader("no_such_module:f")


def test_a_module_that_ends_python_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "leaves_now.py").write_text("raise SystemExit(0)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="expected a module that imports, got SystemExit"):
        import_function("leaves_now:f")


@pytest.mark.parametrize(
    "text", ["egb?sweep=a", "egb?sweeep=3", "watershed?colour=lab", "quadtree?sweep=2,x"]
)
def test_segmenters_refuse_unknown_options(text):
    with pytest.raises(InputError, match="expected (options|numbers with commas)"):
        find_segmenter(text)


def test_a_sweep_stands_in_one_place():
    assert find_segmenter("egb?sweep=1e2,0.5").parameters == (100.0, 0.5)
    assert find_segmenter("quadtree?sweep=8").parameters == (8,)
    with pytest.raises(InputError, match="expected the sweep once"):
        find_segmenter("quadtree?sweep=8", [4])


def test_the_stream_of_an_image_depends_on_seed_and_id():
    draws = [
        image_generator(seed, name).integers(1 << 40)
        for seed, name in ((0, "a"), (0, "b"), (1, "a"), (0, "a"))
    ]
    assert draws[0] == draws[3] and len(set(draws)) == 3
    assert image_generator(3, 7).integers(1 << 40) == image_generator(3, "7").integers(1 << 40)


def test_a_subset_gives_the_same_boxes_and_partitions():
    whole = load_dataset("scenes?n=4&width=60&height=40")
    part = load_dataset("scenes?n=4&width=60&height=40&part=2:")
    name = part.images["image_id"].iloc[0]
    row = whole.image_rows([name])[0]
    boxes = propose("uniform", whole, 20, 5)
    np.testing.assert_array_equal(
        propose("uniform", part, 20, 5).boxes[:20], boxes.boxes[boxes.offsets[row] : boxes.offsets[row + 1]]
    )
    random = find_segmenter("random_slic?sweep=4")
    for one, other in zip(
        random.partitions(whole, name, seed=5), random.partitions(part, name, seed=5), strict=True
    ):
        np.testing.assert_array_equal(one, other)
