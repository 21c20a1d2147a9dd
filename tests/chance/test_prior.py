"""The chance of a guess that knows how boxes usually lie: draws from a fitted prior."""

from functools import partial
from math import comb

import naive
import numpy as np
import pandas as pd
import pytest

from propeval_lite import load_dataset, match, propose, recall
from propeval_lite._checks.values import InputError
from propeval_lite.chance import prior_chance, prior_hits
from propeval_lite.datasets.base import Dataset
from propeval_lite.methods.baselines import draw_prior
from propeval_lite.methods.fit import FEATURES, load_defaults

UNIFORM = partial(draw_prior, "uniform")
OBJECTS = {"large": (60, 20, 240, 190), "small": (30, 60, 120, 140), "border": (0, 0, 150, 100)}


@pytest.fixture(scope="module")
def picture():
    images = pd.DataFrame({"image_id": ["a"], "width": [300], "height": [220]})
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2", "ignore"]
    rows = [("a", i, "cup", *box, False) for i, box in enumerate(OBJECTS.values())]
    return Dataset("one", images, pd.DataFrame(rows, columns=columns))


@pytest.mark.jit
def test_chance_of_a_fitted_prior_is_the_share_of_its_boxes_that_hit(picture):
    draws, taus = 200_000, (0.5, 0.8)
    found = prior_hits(picture, UNIFORM, taus, draws, seed=3) / draws
    ranges = [load_defaults()["uniform"][name] for name in FEATURES]
    expected = [
        [naive.uniform_prior_probability(box, (300, 220), ranges, tau, 36) for tau in taus]
        for box in OBJECTS.values()
    ]
    error = np.sqrt(np.array(expected) / draws)
    # Four standard errors of the draws, and what a grid of 36 midpoints a feature leaves.
    assert (np.abs(found - expected) < 4 * error + 0.03 * np.array(expected)).all()


def test_chance_of_a_fitted_prior_in_k_draws_has_the_right_mean():
    draws, k, p = 12, 5, 0.3
    probability = [comb(draws, h) * p**h * (1 - p) ** (draws - h) for h in range(draws + 1)]
    estimate = prior_chance(np.arange(draws + 1), draws, k)
    assert np.isclose(estimate @ probability, naive.hits_with_replacement(p, k), rtol=1e-12)
    with pytest.raises(InputError, match="expected k <= n_total"):
        prior_chance(3, draws, 13)


@pytest.mark.jit
@pytest.mark.parametrize("prior", ["uniform", "gaussian"])
def test_a_prior_expects_what_its_baseline_recalls(prior):
    scenes = load_dataset("scenes?n=30&width=160&height=120&seed=2")
    hits = prior_hits(scenes, partial(draw_prior, prior), 0.5, 5000, seed=1)[:, 0]
    expected = prior_chance(hits, 5000, 20).mean()
    values = [
        recall(match(scenes, propose(prior, scenes, 20, seed), 20, "best"), 0.5).iloc[0] for seed in range(20)
    ]
    assert abs(np.mean(values) - expected) < 4 * np.std(values, ddof=1) / np.sqrt(len(values))


def test_draws_of_a_prior_depend_on_seed_and_image_only(picture):
    few = prior_hits(picture, UNIFORM, [0.5], 300, seed=1)
    assert np.array_equal(few, prior_hits(picture, UNIFORM, [0.5, 0.9], 300, seed=1)[:, :1])
    assert not np.array_equal(few, prior_hits(picture, UNIFORM, [0.5], 300, seed=2))


@pytest.mark.parametrize("prior", ["uniform", "gaussian"])
def test_boxes_of_a_prior_are_inside_and_as_many_as_asked(prior):
    boxes = draw_prior(prior, 31, 17, 500, np.random.default_rng(0))
    assert boxes.shape == (500, 4)
    assert (boxes >= 0).all()
    assert (boxes <= (31, 17, 31, 17)).all()
    assert (boxes[:, 2:] > boxes[:, :2]).all()


def test_a_prior_that_never_lands_inside_is_refused(picture):
    outside = {"log2_aspect": [0, 0], "sqrt_area": [2, 3], "centre_x": [0, 1], "centre_y": [0, 1]}
    with pytest.raises(
        InputError, match="uniform: expected a fit that gives boxes inside the image, got 0 of 9"
    ):
        draw_prior("uniform", 30, 20, 9, np.random.default_rng(0), outside)
    with pytest.raises(InputError, match="expected prior to be one of uniform, gaussian, got 'flat'"):
        draw_prior("flat", 30, 20, 9, np.random.default_rng(0))
    with pytest.raises(InputError, match="draw for 'a': expected 5 boxes, got 4"):
        prior_hits(picture, lambda width, height, n, rng: np.zeros((n - 1, 4)), 0.5, 5)
