"""Variants of EdgeBoxes on small scenes: their boxes by OpenCV and by our own suppression."""

import pytest
from refusals import refused

import propeval_lite as pe
from propeval_lite.studies import hosang_edge_boxes as tuned

SCENES = "scenes?n={n}&seed={seed}&width=120&height=90&categories=['van','teapot']"
BUDGET = 60


@pytest.fixture(scope="module")
def scenes():
    return pe.load_dataset(SCENES.format(n=5, seed=1))


def test_the_rule_of_the_two_knobs():
    assert tuned.tuned_parameters(0.5) == (0.65, 0.55)
    assert tuned.tuned_parameters(0.8) == (0.75, 0.85)
    for bad in (0.4, 0.95, "0.7", None):
        with refused("0.5 to 0.9"):
            tuned.tuned_parameters(bad)
    with refused("deltas", "0.70 twice"):
        tuned.variant_specs([0.7, 0.701])
    with refused("deltas", "at least one"):
        tuned.variant_specs([])


def test_our_suppression_leaves_what_edge_boxes_leaves(scenes):
    made = tuned.proposals_of(scenes, tuned.variant_specs([0.5, 0.7]), BUDGET)
    raw = tuned.unsuppressed(scenes)
    thresholds = {"0.50": (0.55, None), "0.70": (0.75, None), "AR": (tuned.BETA, tuned.ETA)}
    for name, (beta, eta) in thresholds.items():
        left = tuned.suppressed(raw, beta, eta, BUDGET).deduplicate("hosang")
        both = tuned.same_boxes(left, made[name])
        assert both["boxes"].tolist() == both["shared"].tolist() == both["others"].tolist(), name
        assert both["boxes"].max() <= BUDGET
    # Fewer boxes survive a small threshold.
    few, many = (len(tuned.suppressed(raw, beta, None, 10**6)) for beta in (0.55, 0.9))
    assert 0 < few < many < len(raw)


def test_boxes_are_compared_image_by_image():
    one = pe.Proposals(["a", "b"], [0, 2, 3], [[0, 0, 1, 1], [0, 0, 2, 2], [0, 0, 3, 3]])
    other = pe.Proposals(["a", "b"], [0, 1, 3], [[0, 0, 2, 2], [0, 0, 3, 3], [0, 0, 4, 4]])
    found = tuned.same_boxes(one, other)
    assert found[["boxes", "others", "shared"]].to_numpy().tolist() == [[2, 1, 1], [1, 2, 1]]


def test_suppression_needs_scores_and_keeps_empty_images():
    with refused("boxes with scores"):
        tuned.suppressed(pe.Proposals(["a"], [0, 1], [[0, 0, 1, 1]]), 0.5, None, 10)
    raw = pe.Proposals(["a", "b"], [0, 0, 2], [[0, 0, 4, 4], [0, 0, 4, 3]], [0.9, 0.8])
    left = tuned.suppressed(raw, 0.5, None, 10)
    assert (left.offsets.tolist(), left.boxes.tolist()) == ([0, 0, 1], [[0, 0, 4, 4]])
    counted = tuned.counts({"made": left}).iloc[0]
    assert counted.tolist() == ["made", 0.5, 0, 1]


def test_the_grid_is_what_single_settings_give(scenes):
    raw = tuned.unsuppressed(scenes)
    grid = tuned.ar_grid(scenes, raw, [0.7, 0.9], [0.99, 1.0], BUDGET)
    assert grid[["beta", "eta"]].to_numpy().tolist() == [[0.7, 0.99], [0.7, 1], [0.9, 0.99], [0.9, 1]]
    with refused("betas, etas"):
        tuned.ar_grid(scenes, raw, [], [1.0], BUDGET)
    spec = "edge_boxes?alpha=0.65&beta=0.7"
    alone = pe.match(scenes, pe.propose(spec, scenes, BUDGET, duplicates="hosang"), [BUDGET])
    assert grid["AR"].iloc[1] == pytest.approx(float(pe.average_recall(alone).iloc[0]), abs=1e-12)


def test_further_data_sets_have_names_of_their_own(scenes):
    more = tuned.further([SCENES.format(n=2, seed=3)], scenes, 0)
    assert more[0].name != scenes.name
