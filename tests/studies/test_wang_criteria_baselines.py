"""What is subtracted from recall: conventions of chance, priors, and published overlaps on the paper's data set."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite import chance_recall, load_dataset, oma, recall
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.table import Overlaps
from propeval_lite.results.published import load_best_iou
from propeval_lite.studies import wang_criteria_baselines as baselines
from propeval_lite.studies.wang_criteria import criteria_curves, evaluate, tiny_dataset
from propeval_lite.studies.wang_criteria_claims import against_chance

PIXELS = {"average": "image", "lattice": "pixels", "round": True}


@pytest.fixture(scope="module")
def tiny():
    return tiny_dataset(seed=4, images=6)


def test_conventions_are_all_ways_to_count_chance(tiny):
    rows = baselines.conventions(tiny, [0.5, 0.8], budget=10).set_index(["average over", "lattice"])
    assert rows.shape == (4, 2)
    blank = Overlaps.from_iou(np.zeros((len(tiny.objects), 1)), [10], dataset=tiny)
    for (average, lattice), found in rows.iterrows():
        expected = chance_recall(blank, [0.5, 0.8], average, lattice, round=True)[10]
        assert np.allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.jit
@pytest.mark.parametrize("prior", ["uniform", "gaussian"])
def test_a_blind_method_has_no_oma_against_its_own_prior(prior):
    scenes = load_dataset("scenes?n=25&width=120&height=90&seed=3")
    values = []
    for seed in range(12):
        curves = criteria_curves(evaluate([prior], scenes, [5, 20], seed)[0], 20, [0.5], levels=[0.5])
        if seed == 0:
            priors = baselines.prior_recall(scenes, curves, 10_000, seed=1)
        rows = baselines.against_priors(curves, priors)
        rows = rows[(rows["axis"] == "IoU") & (rows["baseline"] == f"{prior} prior")]
        values.append(rows["OMA"].item())
    assert abs(np.mean(values)) < 4 * np.std(values, ddof=1) / np.sqrt(len(values))
    own = priors[(priors["prior"] == prior) & (priors["budget"] == 20)]
    assert 0 < own["error"].item() < 0.01


def test_priors_are_subtracted_where_the_curves_have_them():
    curves = pd.DataFrame(
        [("m", "IoU", name, 0.5, k, value)
         for k in (10, 100) for name, value in (("recall", 0.9), ("OMA", 0.4))],
        columns=["method", "axis", "criterion", "tau", "budget", "value"],
    )  # fmt: skip
    priors = pd.DataFrame({"prior": ["flat"], "tau": 0.5, "budget": 10, "recall": 0.7})
    found = baselines.against_priors(curves, priors)
    assert found["baseline"].tolist() == ["uniform chance", "flat prior"]
    assert np.allclose(found["expected"], [0.5, 0.7])
    assert np.allclose(found["OMA"], [0.4, 0.2])
    lesson = baselines.prior_lesson(found, [0.5])
    assert lesson.columns.tolist() == ["method", "chance 0.5", "flat 0.5"]
    assert np.allclose(lesson.iloc[0, 1:].tolist(), [0.4, 0.2])


def test_those_above_a_baseline_are_parted_from_the_others():
    rows = [("b", "m", 0.1), ("b", "n", -0.1), ("b", "uniform", 0.3), ("c", "m", -0.2), ("c", "n", 0.0)]
    table = pd.DataFrame(rows, columns=["baseline", "method", "OMA"]).assign(axis="IoU", tau=0.8)
    assert baselines.losers(table, 0.8) == {"b": (["m"], ["n"]), "c": ([], ["m", "n"])}


def test_a_prior_needs_as_many_draws_as_the_guess(tiny):
    points = pd.DataFrame({"tau": [0.5, np.nan], "budget": [30, 10]})
    with pytest.raises(InputError, match="prior: expected budgets up to 20, a part of 100 draws, got 10"):
        baselines.prior_recall(tiny, points, 100, seed=0)


@pytest.mark.jit
def test_hosangs_conventions_beside_those_of_hprs(tiny):
    found = baselines.matching_effect(["uniform"], tiny, 20, [0.5, 0.7], seed=2)
    assert found.columns.tolist() == ["method", "tau", "average", *baselines.MATCHINGS]
    best = evaluate(["uniform"], tiny, [20], 2)[0]["uniform"]
    row = found[(found["average"] == "object") & (found["tau"] == 0.7)].iloc[0]
    assert np.isclose(row["best box, own pixels"], recall(best, 0.7)[20])
    assert row["one-to-one, own pixels"] <= row["best box, own pixels"]
    # Boxes of edges have no last pixel to count.
    assert row["best box, corners"] == row["best box, own pixels"]


@pytest.fixture(scope="module")
def voc07(real_data):
    return load_dataset(f"voc2007:{real_data}/hosang")


@pytest.mark.data
@pytest.mark.jit
def test_objectness_beats_chance_at_iou_5_on_voc2007(real_data, voc07):
    table = load_best_iou(real_data / "chavali" / "objectness.mat", voc07)
    half = oma(table, 0.5, **PIXELS)
    assert half[1000] == pytest.approx(0.108, abs=0.002)
    assert (half > 0).all()
    strict = oma(table, 0.8, **PIXELS)
    assert strict[316] == pytest.approx(0.046, abs=0.002)
    assert strict[1000] == pytest.approx(-0.099, abs=0.002)


@pytest.mark.data
@pytest.mark.jit
def test_objectness_is_below_chance_from_67_to_89_on_voc2007(real_data, voc07):
    tables = {"objectness": load_best_iou(real_data / "chavali" / "objectness.mat", voc07)}
    found = against_chance(criteria_curves(tables, 1000, lattice="pixels"), "objectness")
    ((low, high),) = found.below
    assert low == pytest.approx(0.67, abs=0.005)
    assert high == pytest.approx(0.89, abs=0.005)
    assert found.between == (316, 1000)


@pytest.mark.data
@pytest.mark.jit
def test_a_fitted_prior_beats_uniform_chance_on_voc2007(voc07):
    """A method above 0 need not have seen anything: some draws per image are enough to show it."""
    some = voc07.subset(voc07.images["image_id"].iloc[::5])
    points = pd.DataFrame({"tau": [0.8], "budget": [1000]})
    priors = baselines.prior_recall(some, points, 10_000, seed=1).set_index("prior")
    blank = Overlaps.from_iou(np.zeros((len(some.objects), 1)), [1000], dataset=some)
    chance = chance_recall(blank, 0.8, **PIXELS)[1000]
    lead = priors["recall"] - chance
    assert (lead > 0.05).all()
    assert (lead > 20 * priors["error"]).all()
