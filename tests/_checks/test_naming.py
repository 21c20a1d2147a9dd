"""Each method and each data set has a name of its own, wherever it is given."""

import numpy as np
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite._checks.naming import check_distinct, short_name, unique_names
from propeval_lite._checks.specs import parse_spec
from propeval_lite.boxes.cover import located, reads_pictures, usable
from propeval_lite.masks.methods import propose_masks
from propeval_lite.methods.registry import BUILT_IN, find_method
from propeval_lite.results.published import find_published
from propeval_lite.segmenters.registry import find_segmenter, find_segmenters

OWN = """
import numpy as np


def propose(image, k, rng):
    return np.array([[0, 0, {side}, {side}]]), None


def uniform(image, k, rng):
    return np.array([[0, 0, {side}, {side}]]), None
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Two modules with functions of the same names, a third called like a built-in method, two files of one name."""
    for name, side in (("ma", 9), ("mb", 20), ("uniform", 30)):
        (tmp_path / f"{name}.py").write_text(OWN.format(side=side))
    for folder in "ab":
        (tmp_path / folder).mkdir()
        toy().objects[["image_id", "x1", "y1", "x2", "y2"]].to_csv(tmp_path / folder / "ok.csv", index=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("pair", "name"),
    [(("ma:propose", "mb:propose"), "propose"), (("file:a/ok.csv", "file:b/ok.csv"), "ok"),
     (("x=uniform", "x=gaussian"), "x"), (("ma:propose", "propose=mb:propose"), "propose"),
     (("file:a/ok.csv?name=mine", "mine=uniform"), "mine"), (("file:a/ok.csv", "best:b/ok.npz?dataset=toy"), "ok")],
)  # fmt: skip
def test_two_methods_of_one_name_are_refused_and_can_be_named(desk, pair, name):
    with pytest.raises(pe.InputError) as error:
        unique_names(pair)
    message = str(error.value)
    assert all(repr(spec) in message for spec in pair) and f"both called '{name}'" in message
    assert "'other=" in message
    spec = message.split("'other=")[1].split("'")[0]
    assert [found for found, _ in unique_names([pair[0], f"other={spec}"])] == [short_name(pair[0]), "other"]


def test_names_of_methods_are_unique_in_every_study(desk):
    from propeval_lite.studies import hosang_recall, hosang_switchboard, wang_criteria

    data = toy()
    for call in (
        lambda pair: hosang_recall.evaluate(pair, data, [5]),
        lambda pair: wang_criteria.evaluate(pair, data, [5]),
        lambda pair: hosang_switchboard.switchboard(pair, data, 5),
    ):
        for pair in (
            ["ma:propose", "mb:propose"],
            ["file:a/ok.csv", "file:b/ok.csv"],
            ["uniform", "uniform"],
        ):
            with pytest.raises(pe.InputError, match="a name of its own for each method|each method once"):
                call(pair)
    named = hosang_recall.evaluate(["one=ma:propose", "two=mb:propose"], data, [5]).tables
    assert list(named) == ["one", "two"]
    assert [table.conventions["method"] for table in named.values()] == ["one", "two"]
    assert not np.array_equal(named["one"].iou, named["two"].iou)


@pytest.mark.parametrize("spec", ["ma:uniform", "uniform=ma:propose", "file:uniform.csv", "gaussian=uniform"])
def test_a_users_uniform_is_not_taken_for_the_librarys(desk, spec):
    with pytest.raises(pe.InputError, match=r"called '(uniform|gaussian)' like the library's own"):
        usable([spec], toy())
    assert usable([f"mine={spec.rpartition('=')[2]}"], toy())[1] == []
    assert usable(["uniform=uniform?fit=voc2007"], toy())[1] == [], "a variant may keep the name"


def test_a_users_module_called_uniform_is_the_users(desk):
    found = pe.propose("uniform:propose", toy(), 3)
    assert found.name == "uniform:propose"
    assert (found.boxes == [0, 0, 30, 30]).all()
    assert len(pe.propose("uniform", toy(), 3)) == 21
    from ma import uniform

    assert pe.propose(uniform, toy(), 3).name == "ma:uniform"


@pytest.mark.parametrize("spec", ["uniform", "ma:propose", "file:a/ok.csv", "superpixels?scale=50"])
def test_a_label_works_wherever_a_method_is_given(desk, spec):
    data = toy()
    plain, named = pe.propose(spec, data, 7), pe.propose(f"mine={spec}", data, 7)
    assert named.name == "mine" != plain.name
    np.testing.assert_array_equal(named.boxes, plain.boxes)
    assert short_name(f"mine={spec}") == "mine"
    assert reads_pictures(f"mine={spec}") == reads_pictures(spec)


def test_a_label_works_for_segmenters_masks_and_published_tables(desk):
    picture = np.zeros((6, 8, 3), np.uint8)
    assert find_segmenter("coarse=egb?sweep=100").name == "coarse"
    assert len(propose_masks("mine=quadtree?levels=1", picture)) == len(
        propose_masks("quadtree?levels=1", picture)
    )
    (desk / "t.npz").touch()
    assert find_published("theirs=best:t.npz?dataset=toy").path.name == "t.npz"
    with pytest.raises(pe.InputError, match="two called 'egb', the second 'egb[?]sweep=50'"):
        find_segmenters(["egb?sweep=100", "egb?sweep=50"])


def test_a_label_names_a_data_set():
    data = pe.load_dataset("mine=scenes?n=1&width=64&height=48")
    assert data.name == "mine" and data.provenance["spec"] == "scenes"


@pytest.mark.parametrize("spec", ["=uniform", "my method=uniform", "a,b=uniform", "a/b=uniform"])
def test_odd_labels_are_refused(spec):
    with pytest.raises(pe.InputError, match="NAME=SPEC, the name without blanks, commas"):
        find_method(spec)


def test_an_equals_sign_in_a_path_or_an_option_is_no_label():
    assert parse_spec("file:a=b.csv", "here").label is None
    assert parse_spec("edge_boxes?alpha=0.7", "here").label is None
    assert parse_spec("x=file:a=b.csv?ids=str", "here").path == "a=b.csv"


def test_methods_of_different_data_sets_never_meet():
    pair = ["best:a/m.npz?dataset=voc2007", "best:b/m.npz?dataset=voc2012"]
    assert [name for name, _ in unique_names(pair)] == ["m", "m"]
    with pytest.raises(pe.InputError, match="both called 'm'"):
        unique_names([pair[0], "file:m.csv"])


def test_bing_finds_its_model_under_any_name(tmp_path, monkeypatch):
    (tmp_path / "bing").mkdir()
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    assert located("b=bing?dataset=photos") == f"b=bing?dataset=photos&model={tmp_path}/bing"
    assert located("bing?model=here") == "bing?model=here"


# A requested method that cannot run is a failure with a reason.


def test_a_method_that_cannot_run_is_an_error_with_a_reason():
    blind = toy(pictures=False)
    with pytest.raises(
        pe.InputError, match="got 'edge_boxes', which look at pictures, and toy, which has none"
    ):
        usable(["uniform", "edge_boxes"], blind)
    assert usable(["uniform", "edge_boxes?dataset=photos"], blind) == (
        ["uniform"],
        ["edge_boxes?dataset=photos"],
    )
    with pytest.raises(pe.InputError, match="which look at pictures"):
        usable(["edge_boxes?dataset=toy"], blind)
    for name in BUILT_IN:
        assert usable([f"{name}?dataset=toy"], toy()) == ([f"{name}?dataset=toy"], [])


def test_a_method_for_another_data_set_does_not_propose(desk):
    assert len(pe.propose("uniform?dataset=toy", toy(), 2)) == 14
    with pytest.raises(pe.InputError, match="the data set that the method names, got 'toy' for 'uniform"):
        pe.propose("uniform?dataset=photos", toy(), 2)
    assert len(pe.propose("file:a/ok.csv?dataset=toy", toy(), 9)) == len(toy().objects)


# No data set twice.


@pytest.mark.parametrize(
    "specs", [["photos", "photos"], ["scenes?n=2&seed=1", "scenes?seed=1&n=2"], ["a=photos", "a=scenes?n=1"],
              ["photos", "b=photos"]],
)  # fmt: skip
def test_the_same_data_set_twice_is_refused(specs):
    with pytest.raises(pe.InputError, match="(each data set once|a name of its own for each data set)"):
        check_distinct(specs, "datasets")


def test_the_same_data_set_twice_is_refused_by_every_study():
    from propeval_lite.studies import hosang_datasets, ponttuset_objects, ponttuset_partitions, wang_criteria

    spec = "scenes?n=2&width=64&height=48"
    first = pe.load_dataset(spec)
    with pytest.raises(pe.InputError, match="expected each data set once, got scenes twice"):
        hosang_datasets.load_others([spec], first, 0)
    with pytest.raises(pe.InputError, match="each data set once"):
        wang_criteria.load_all([spec, spec], 0)
    with pytest.raises(pe.InputError, match="each data set once"):
        ponttuset_partitions.load_pools([spec, spec], [spec, spec])
    with pytest.raises(pe.InputError, match="each data set once"):
        ponttuset_objects.judge_data_sets({spec: first, f"b={spec}": first}, ["quadtree"], [5], 0.0075, 0)


def test_data_sets_of_one_name_are_told_apart():
    from propeval_lite.studies import hosang_datasets, ponttuset_partitions

    specs = [f"scenes?n=1&seed={seed}&width=64&height=48" for seed in (1, 2, 3)]
    first = pe.load_dataset(specs[0])
    others = hosang_datasets.load_others(specs[1:], first, 0)
    assert [data.name for data in others.values()] == specs[1:]
    pools = ponttuset_partitions.load_pools([specs[2], specs[2]], specs[:2])
    assert list(pools) == ["scenes", specs[1]]
