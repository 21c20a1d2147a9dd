"""Tuned EdgeBoxes and oracles on small scenes: each number against another way to it."""

import numpy as np
import pandas as pd
import pytest
from refusals import refused
from toys import toy

import propeval_lite as pe
from propeval_lite.detector import detect
from propeval_lite.studies import hosang_tuning_and_oracles as study

SCENES = "scenes?n={n}&seed={seed}&width=120&height=90&categories=['van','teapot']"
BUDGET = 60


@pytest.fixture(scope="module")
def scenes():
    return pe.load_dataset(SCENES.format(n=5, seed=1))


@pytest.fixture(scope="module")
def work(scenes):
    return study.bench(pe.load_dataset(SCENES.format(n=6, seed=2)), scenes)


@pytest.fixture(scope="module")
def specs():
    return study.variant_specs([0.5, 0.7])


@pytest.fixture(scope="module")
def detector(work, specs):
    return study.learn(work, specs["0.70"], BUDGET)


@pytest.fixture(scope="module")
def made(work, specs):
    return study.proposals_of(work.test, specs, BUDGET)


def test_the_rule_of_the_two_knobs():
    assert study.tuned_parameters(0.5) == (0.65, 0.55)
    assert study.tuned_parameters(0.8) == (0.75, 0.85)
    for bad in (0.4, 0.95, "0.7", None):
        with refused("0.5 to 0.9"):
            study.tuned_parameters(bad)
    with refused("deltas", "0.70 twice"):
        study.variant_specs([0.7, 0.701])


def test_our_suppression_leaves_what_edge_boxes_leaves(scenes, specs, made):
    raw = study.unsuppressed(scenes)
    thresholds = {"0.50": (0.55, None), "0.70": (0.75, None), "AR": (study.BETA, study.ETA)}
    for name, (beta, eta) in thresholds.items():
        left = study.suppressed(raw, beta, eta, BUDGET).deduplicate("hosang")
        both = study.same_boxes(left, made[name])
        assert both["boxes"].tolist() == both["shared"].tolist() == both["others"].tolist(), name
        assert both["boxes"].max() <= BUDGET
    # Fewer boxes survive a small threshold.
    few, many = (len(study.suppressed(raw, beta, None, 10**6)) for beta in (0.55, 0.9))
    assert 0 < few < many < len(raw)


def test_boxes_are_compared_image_by_image():
    one = pe.Proposals(["a", "b"], [0, 2, 3], [[0, 0, 1, 1], [0, 0, 2, 2], [0, 0, 3, 3]])
    other = pe.Proposals(["a", "b"], [0, 1, 3], [[0, 0, 2, 2], [0, 0, 3, 3], [0, 0, 4, 4]])
    found = study.same_boxes(one, other)
    assert found[["boxes", "others", "shared"]].to_numpy().tolist() == [[2, 1, 1], [1, 2, 1]]


def test_suppression_needs_scores_and_keeps_empty_images():
    with refused("boxes with scores"):
        study.suppressed(pe.Proposals(["a"], [0, 1], [[0, 0, 1, 1]]), 0.5, None, 10)
    raw = pe.Proposals(["a", "b"], [0, 0, 2], [[0, 0, 4, 4], [0, 0, 4, 3]], [0.9, 0.8])
    left = study.suppressed(raw, 0.5, None, 10)
    assert (left.offsets.tolist(), left.boxes.tolist()) == ([0, 0, 1], [[0, 0, 4, 4]])
    counted = study.counts({"made": left}).iloc[0]
    assert counted.tolist() == ["made", 0.5, 0, 1]


def test_the_grid_is_what_single_settings_give(scenes):
    raw = study.unsuppressed(scenes)
    grid = study.ar_grid(scenes, raw, [0.7, 0.9], [0.99, 1.0], BUDGET)
    assert grid[["beta", "eta"]].to_numpy().tolist() == [[0.7, 0.99], [0.7, 1], [0.9, 0.99], [0.9, 1]]
    spec = "edge_boxes?alpha=0.65&beta=0.7"
    alone = pe.match(scenes, pe.propose(spec, scenes, BUDGET, duplicates="hosang"), [BUDGET])
    assert grid["AR"].iloc[1] == pytest.approx(float(pe.average_recall(alone).iloc[0]), abs=1e-12)


def test_a_trial_is_what_detector_and_precision_say(work, specs, detector, made):
    seen = study.described(work, made)
    trial = study.trial(work, specs, seen, detector, BUDGET, n=8)
    table = trial.table.set_index(["variant", "way"])
    assert trial.categories == ["teapot", "van"]
    for (name, way), row in table.iterrows():
        found = detect(detector, seen[name], regression=study.WAYS[way])
        ap = pe.average_precision(work.test, found)
        assert row["mAP"] == pytest.approx(100 * ap.mean(), abs=1e-9)
        ar = pe.average_recall(pe.match(work.test, made[name], [BUDGET]))
        assert row["AR"] == pytest.approx(float(ar.iloc[0]), abs=1e-12)
        assert row["low"] <= row["high"]
        assert row["lost"] == pytest.approx(table.loc[("AR", way), "mAP"] - row["mAP"])
    assert table.xs("AR")[["lost", "lost low", "lost high"]].eq(0).all(axis=None)
    by_variant = study.by_variant_here(trial.table)
    assert by_variant.columns.tolist() == ["AR", *study.WAYS]
    assert by_variant.loc["0.50", "with regression"] == table.loc[("0.50", "with regression"), "mAP"]
    again = study.trial(work, specs, seen, detector, BUDGET, n=8)
    pd.testing.assert_frame_equal(again.table, trial.table)
    own = study.trial(work, specs, seen, detector, BUDGET, retrain=True, n=2)
    same, other = (own.table.set_index(["variant", "way"])["mAP"] - table["mAP"] for _ in range(2))
    assert same.xs("0.70").eq(0).all()  # the one detector was trained on that variant
    assert other.xs("0.50").ne(0).any()


def toy_detections(data, seed=3):
    """Objects moved a little, some twice, some elsewhere."""
    rng = np.random.default_rng(seed)
    found = pd.concat([data.objects[["image_id", "category", "x1", "y1", "x2", "y2"]]] * 3, ignore_index=True)
    for columns in (["x1", "x2"], ["y1", "y2"]):
        found[columns] += rng.integers(0, 6, len(found))[:, np.newaxis]
    return found.assign(score=rng.permutation(len(found)) / 8)


def test_drawing_every_image_once_is_the_ordinary_mean_and_twice_too():
    data = toy(6)
    found = toy_detections(data)
    ap = pe.average_precision(data, found)
    once, all_twice = np.arange(6), np.repeat(np.arange(6), 2)
    drawn = study.map_draws(data, found, ["a", "b"], once[np.newaxis])
    assert drawn[0] == pytest.approx(ap.mean(), abs=1e-12)
    assert 0 < drawn[0] < 1
    # An image drawn twice is two images of the same content; equal scores follow one another.
    copies = study.map_draws(data, found, ["a", "b"], all_twice[np.newaxis])[0]
    assert copies == pytest.approx(ap.mean(), abs=0.1)


def test_draws_are_the_data_sets_they_stand_for():
    """Images left out altogether: the same as judging the others alone."""
    data = toy(6)
    found = toy_detections(data)
    kept = data.images["image_id"].iloc[[1, 2, 5]].tolist()
    part = data.subset(kept)
    alone = pe.average_precision(part, found[found["image_id"].isin(kept)]).mean()
    drawn = study.map_draws(data, found, ["a", "b"], np.array([[1, 2, 5]]))
    assert drawn[0] == pytest.approx(alone, abs=1e-12)


def test_categories_without_objects_are_left_out_of_a_draw_and_never_zero():
    data = toy(4)
    found = toy_detections(data)
    drawn = study.map_draws(data, found, ["a", "b", "never seen"], np.arange(4)[np.newaxis])
    assert drawn[0] == pytest.approx(pe.average_precision(data, found).mean(), abs=1e-12)
    assert np.isnan(study.map_draws(data, found, ["never seen"], np.arange(4)[np.newaxis])).all()


def test_oracles_help_and_the_first_row_is_the_detector_alone(work, detector, made):
    table, found = study.oracle_table(work, detector, made["AR"], BUDGET, 0.3, 0.0)
    rows = table.set_index("oracle")
    plain = pe.average_precision(work.test, detect(detector, study.described(work, made)["AR"]))
    assert rows.loc["none", "mAP"] == pytest.approx(100 * plain.mean(), abs=1e-9)
    assert rows.loc[["truth added", "both"], "AR"].tolist() == pytest.approx([1, 1], abs=1e-12)
    assert rows.loc["none", "AR"] == rows.loc["perfect suppression", "AR"] < 1
    assert (rows["gain"] == rows["mAP"] - rows.loc["none", "mAP"]).all()
    for oracle, detections in found.items():
        ap = pe.average_precision(work.test, detections).reindex(work.categories)
        assert rows.loc[oracle, "mAP"] == pytest.approx(100 * ap.mean(), abs=1e-9)
        assert rows.loc[oracle, "detections"] == len(detections)
    assert (rows["thinned"] >= rows["mAP"] - 1e-9).all()
    alone = ["none", "truth added"]
    assert rows.loc[alone, "thinned"].tolist() == rows.loc[alone, "mAP"].tolist()
    n_all = len(made["AR"]) * len(work.categories)
    assert rows.loc["none", "detections"] + rows.loc["none", "removed"] == n_all
    errors = study.first_errors(work, found).set_index("oracle")
    assert errors.sum(axis=1).to_numpy() == pytest.approx(1)
    assert errors.loc["both", "right"] >= errors.loc["none", "right"]


def test_the_same_picture_on_both_sides_is_refused(scenes):
    with refused("other images to test on", "scenes"):
        study.bench(scenes, scenes)
    # The first scenes of a longer list are the same scenes.
    with refused("5 images with the same objects in both"):
        study.bench(pe.load_dataset(SCENES.format(n=7, seed=1)), scenes)


def test_a_category_without_an_example_is_named_and_not_judged(scenes):
    vans = pe.load_dataset("scenes?n=6&seed=2&width=120&height=90&categories=['van']")
    work = study.bench(vans, scenes)
    assert (work.categories, work.left_out) == (["van"], ["teapot"])
    ignored = work.test.objects.loc[work.test.objects["category"] == "teapot", "ignore"]
    assert len(ignored)
    assert ignored.all()


def test_further_data_sets_have_names_of_their_own(scenes):
    more = study.further([SCENES.format(n=2, seed=3)], scenes, 0)
    assert more[0].name != scenes.name
