import pytest
from compendium import make_compendium, write_index, write_notebook

from propeval_lite._checks.values import InputError
from propeval_lite.runner.catalog import convert, find_root, load_catalog, parse_parameters, pick


@pytest.fixture
def catalog(tmp_path):
    return load_catalog(make_compendium(tmp_path))


def test_parameters_have_defaults_and_meanings(catalog):
    parameters = catalog["good"].parameters
    assert {name: p.default for name, p in parameters.items()} == {
        "k_max": 10, "names": ["a"], "tau": 0.5, "quick": True,
    }  # fmt: skip
    assert parameters["k_max"].meaning == "budget"


def test_profile_then_override(catalog):
    assert catalog["good"].resolve("smoke", {})["k_max"] == 3
    assert catalog["good"].resolve("smoke", {"k_max": "7"})["k_max"] == 7
    assert catalog["good"].resolve("default", {})["k_max"] == 10


@pytest.mark.parametrize(
    ("value", "default", "expected"),
    [
        ("12", 1, 12), ("1", 0.5, 1.0), ("1e-3", 0.5, 0.001), ("false", True, False), ("text", "a", "text"),
        ("1", "a", "1"), ("1,2", [3], [1, 2]), ("[1, 2]", [3], [1, 2]), ("x, y", ["a"], ["x", "y"]),
        ("", ["a"], []),
    ],
)  # fmt: skip
def test_text_takes_the_type_of_the_default(value, default, expected):
    got = convert(value, default, "p")
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("value", "default", "message"),
    [
        ("abc", 10, "expected a whole number, got 'abc'. Its default is 10"),
        ("1.5", 10, "expected a whole number, got 1.5"),
        ("x", 0.5, "expected a number, got 'x'"),
        ("maybe", True, "expected true or false, got 'maybe'"),
        ("1,b", [1], "expected a whole number, got 'b'"),
        (True, 1, "expected a whole number, got True"),
    ],
)
def test_wrong_type_is_an_error(value, default, message):
    with pytest.raises(InputError, match="p: " + message.replace(".", r"\.")):
        convert(value, default, "p")


def test_unknown_parameter_names_the_known_ones(catalog):
    with pytest.raises(
        InputError, match="parameter of good, got 'nosuch'. It knows: k_max, names, tau, quick"
    ):
        catalog["good"].resolve("default", {"nosuch": 1})


def test_unknown_profile_and_notebook(catalog):
    with pytest.raises(InputError, match="one of smoke, default, paper, got 'fast'"):
        catalog["good"].resolve("fast", {})
    with pytest.raises(InputError, match="got 'nosuch'. There are: good, bad, slow"):
        pick(catalog, "nosuch")
    assert pick(catalog, "notebooks/good.ipynb").name == "good"


def test_unknown_parameter_in_a_profile_is_found(tmp_path):
    root = make_compendium(tmp_path)
    write_index(root, ["good"], "\n[good.smoke]\nkmax = 3\n")
    with pytest.raises(InputError, match="profile smoke in notebooks/index.toml"):
        load_catalog(root)["good"].resolve("smoke", {})


@pytest.mark.parametrize("tag", [None, "other"])
def test_missing_tag_is_an_error(tmp_path, tag):
    write_notebook(tmp_path / "notebooks" / "n.ipynb", ["k = 1"], tag=tag)
    write_index(tmp_path, ["n"])
    with pytest.raises(InputError, match="exactly one code cell tagged 'parameters', got 0"):
        load_catalog(tmp_path)


def test_code_in_the_parameters_cell_is_an_error():
    with pytest.raises(InputError, match="got line 2. Move other code"):
        parse_parameters("k = 1\nimport os", "n.ipynb")
    with pytest.raises(InputError, match="got line 1"):
        parse_parameters("k = len([1])", "n.ipynb")


def test_broken_files_are_named(tmp_path):
    root = make_compendium(tmp_path)
    (root / "notebooks" / "good.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"good.ipynb: expected a valid notebook"):
        load_catalog(root)
    (root / "notebooks" / "good.ipynb").unlink()
    with pytest.raises(InputError, match="expected a notebook file, got none at"):
        load_catalog(root)
    (root / "notebooks" / "index.toml").write_text("[good\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected valid TOML"):
        load_catalog(root)
    (root / "notebooks" / "index.toml").write_text('[good]\ntitle = "t"\n', encoding="utf-8")
    with pytest.raises(InputError, match="got no study, covers"):
        load_catalog(root)
    write_index(root, ["bad"], "[bad.smok]\nx = 2\n")
    with pytest.raises(InputError, match="expected only smoke, default, paper and vary as tables, got smok"):
        load_catalog(root)


def test_root_is_found_upwards_or_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("PROPEVAL_HOME", raising=False)
    root = make_compendium(tmp_path / "here")
    (root / "a" / "b").mkdir(parents=True)
    assert find_root(root / "a" / "b") == root
    monkeypatch.setenv("PROPEVAL_HOME", str(root))
    assert find_root(tmp_path) == root
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    with pytest.raises(InputError, match="set PROPEVAL_HOME"):
        find_root(tmp_path)


@pytest.mark.parametrize("source", ["k = ", "  k = 1", "k = '''a", "a, b = 1, 2", "x.y = 1", "*a, = [1]"])
def test_odd_parameter_cells(source):
    with pytest.raises(InputError, match="parameters cell"):
        parse_parameters(source, "cell")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"x = 5", "a table for each notebook, got 5"),
        (b"[good]\nsmoke = 'y'", "smoke to be a table"),
        (b"[good]\ntitle = 'caf\xe9'", "a text file in UTF-8"),
    ],
)
def test_odd_catalogues(tmp_path, text, message):
    make_compendium(tmp_path)
    (tmp_path / "notebooks" / "index.toml").write_bytes(text)
    with pytest.raises(InputError, match=message):
        load_catalog(tmp_path)


@pytest.mark.parametrize("content", [b"[]", b"\xff", b'{"nbformat": 9, "nbformat_minor": 0, "cells": []}'])
def test_odd_notebook_files(tmp_path, content):
    make_compendium(tmp_path)
    (tmp_path / "notebooks" / "good.ipynb").write_bytes(content)
    with pytest.raises(InputError, match="good.ipynb: expected a valid notebook, got"):
        load_catalog(tmp_path)
