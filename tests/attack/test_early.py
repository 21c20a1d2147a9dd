"""What would fail after an hour of scores fails before the first of them."""

import dataclasses
import inspect

import numpy as np
import pytest
from refusals import refused

import propeval_lite as pe
from propeval_lite.meta.scales import score_sweep, sweep_methods

DATA = pe.load_dataset("scenes", n=4, width=32, height=32)


class ComputedError(Exception):
    """Something has been computed already."""


def compute(*_):
    raise ComputedError


compute.higher_is_better = True
SWEEP = {"measures": [compute], "methods": ["egb"], "baselines": ["quadtree"], "train": DATA, "test": DATA}

#: Long functions, with arguments that are right and would begin to compute.
LONG = {
    "report": (pe.meta.report, {"measure": compute, "dataset": DATA}),
    "sihd": (pe.meta.sihd, {"measure": compute, "dataset": DATA}),
    "sabd": (
        pe.meta.sabd,
        {"measure": compute, "dataset": DATA, "methods": {"m": compute}, "baselines": {"b": compute}},
    ),
    "sisd": (pe.meta.sisd, {"measure": compute, "dataset": DATA, "methods": {"m": compute}}),
    "human_scores": (pe.meta.human_scores, {"measures": [compute], "dataset": DATA}),
    "score_sweep": (score_sweep, {"measures": [compute], "dataset": DATA, "segmenter": "egb"}),
    "sweep_methods": (sweep_methods, SWEEP),
    "propose": (pe.propose, {"method": compute, "dataset": DATA}),
}  # fmt: skip
CHOSEN = (
    "classifier", "ties", "against", "nan", "shapes", "errors", "truths", "bins", "swaps", "seed", "progress", "k",
    "on_error", "duplicates", "partners",
)  # fmt: skip
CASES = [
    (name, argument)
    for name, (function, right) in LONG.items()
    for argument in inspect.signature(function).parameters
    if argument in CHOSEN
]


@pytest.mark.parametrize(("name", "argument"), CASES)
@pytest.mark.parametrize("wrong", ["nonsense", -1, 2.5, [1]], ids=str)
def test_a_wrong_choice_is_refused_before_anything_is_computed(name, argument, wrong):
    function, right = LONG[name]
    with refused(argument):
        function(**right, **{argument: wrong})


@pytest.mark.parametrize("name", ["report", "sweep_methods"])
@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"methods": ["egb", "nonsense"]}, "segmenter"),
        ({"methods": ["egb", "ucm:/no/such/folder"]}, "contour map"),
        ({"baselines": ["quadtree?sweep=-1"]}, "number of regions"),
        ({"methods": ["egb"], "baselines": ["egb?sweep=50"]}, "segmenters"),
        ({"train": dataclasses.replace(DATA, read_image=None)}, "images"),
        ({"train": 3}, "train"),
    ],
)  # fmt: skip
def test_the_last_segmenter_and_its_pictures_are_looked_at_first(name, change, word):
    function, right = LONG[name]
    with refused(word):
        function(**(right | change))


@pytest.mark.parametrize("name", ["report", "sihd", "human_scores"])
def test_a_data_set_of_one_annotator_is_refused_before_images_are_crossed(name):
    function, right = LONG[name]
    alone = dataclasses.replace(DATA, read_partitions=lambda image_id: DATA.partitions(image_id)[:1])
    with refused(DATA.name):
        function(**(right | {"dataset": alone}))


def half(partition, truths):
    return 0.5


def other_half():
    def half(partition, truths):
        return float(np.mean(partition > 0))

    half.higher_is_better = True
    return half


half.higher_is_better = True


@pytest.mark.parametrize(
    "call",
    [
        lambda: pe.meta.human_scores([half, other_half()], DATA),
        lambda: pe.meta.report(half, DATA, built_in=[other_half()]),
        lambda: score_sweep([half, other_half()], DATA, "egb"),
        lambda: pe.meta.report_of_scores([half, other_half()], None, None),
    ],
)
def test_two_measures_of_one_name_do_not_overwrite_each_other(call):
    with refused("measures"):
        call()


def test_a_measure_of_the_library_may_be_asked_for_beside_the_others():
    table = pe.meta.report(
        "pri", DATA, built_in=["pri", "voi"], methods=["egb?sweep=50"], baselines=["quadtree?sweep=2"]
    )
    assert sorted(table.index) == ["pri", "voi"] and not table["own"].any()
