"""Sentences on tuning and oracles: what they say follows from the numbers, and turns where the numbers turn."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.studies import hosang_tuning as paper
from propeval_lite.studies import hosang_tuning_words as words


def test_agreement_is_told_with_what_differs():
    same = pd.DataFrame([{"images": 3, "the same": 3, "boxes": 9, "only here": 0, "only OpenCV": 0}])
    assert (
        words.agreement_in_words(same) == "In all 3 cases (variants times images) both keep the same boxes."
    )
    text = words.agreement_in_words(same.assign(**{"the same": 2, "only here": 1, "only OpenCV": 4}))
    assert text.startswith("In 2 of 3 cases")
    assert "5 boxes in all" in text


def test_published_and_own_curves_share_a_table():
    curves = pd.DataFrame({"0.50": [0.9], "AR": [0.8]}, index=pd.Index([0.5], name="tau"))
    ours = pd.DataFrame(
        {
            "dataset": "mine",
            "method": "AR",
            "criterion": ["recall", "AR"],
            "tau": [0.5, np.nan],
            "value": [0.3, 0.1],
        }
    )
    table = words.with_published(curves, ours)
    assert table.to_numpy().tolist() == [
        [words.PUBLISHED, "0.50", 0.5, 0.9], [words.PUBLISHED, "AR", 0.5, 0.8], ["mine", "AR", 0.5, 0.3],
    ]  # fmt: skip


def test_peaks_are_counted():
    peaks = pd.DataFrame({"is best": [True, False], "its recall": [0.9, 0.6], "tuned for it": [0.9, 0.55]})
    ar = pd.Series({"0.50": 0.2, "0.70": 0.4, "AR": 0.3})
    text = words.peaks_in_words(peaks, [0.7], ar)
    assert "At 1 of 2 IoUs" in text
    assert "0.050 at most" in text
    assert 'at 0.7, against the text: "not optimal' in text
    assert "The highest AR have .70 (0.400), the adaptive one (0.300), .50 (0.200)" in text
    assert "at none of the 21 thresholds, as the text says" in words.peaks_in_words(peaks, [], ar)


def test_the_best_variant_on_each_data_set():
    table = pd.DataFrame(
        {"dataset": ["a", "a", "b", "b"], "variant": ["0.70", "AR"] * 2, "AR": [0.5, 0.4, 0.2, 0.3]}
    )
    text = words.best_ar_in_words(table)
    assert "On a .70 has the highest AR (0.500), the adaptive one has place 2 of 2 (0.400)" in text
    assert "; on b the adaptive one has the highest AR (0.300)." in text


def test_the_published_sentences():
    table = paper.variants()
    maps = paper.by_variant(table)
    assert "lies between 0.950 (Fast R-CNN with regression) and 0.985 (R-CNN)" in words.correlations_in_words(
        paper.correlations(maps)
    )
    gains = paper.gains(table)
    assert words.gain_reason(gains) == (
        "the gain is 1.6 over the variant for .70, but the best of the others with this detector is .65 "
        "(60.9 against 60.4)"
    )
    assert "regression +1.1 over .65" in words.gains_in_words(gains)
    assert "Where the interval reaches 0 (Fast R-CNN not retrained)" in words.gains_in_words(gains)
    assert "Where the interval" not in words.gains_in_words(gains.assign(low=0.1))
    effects = paper.oracle_effects()
    assert "means are those of its classes (largest difference 0.030)" in words.table5_reason(effects)
    assert "are not those" in words.table5_reason(effects.assign(difference=0.2))


def test_what_a_choice_costs_is_told():
    chosen = paper.predictors(paper.recalls(paper.variants()), paper.by_variant(paper.variants()))
    text = words.chosen_in_words(chosen)
    assert text.startswith("Choosing by AR loses 0.0 points at most.")
    assert "Fast R-CNN with regression (0.972 at 0.675, AR 0.953)" in text
    table = words.chosen_table(chosen)
    assert table["chosen by"].tolist() == list(words.FEW)
    assert table.loc[0, "variant"] == "AR"
    assert table.loc[0, list(paper.DETECTORS)].eq(0).all()
    worse = chosen.assign(r=np.where(chosen["chosen by"] == "AR", 1, chosen["r"]))
    assert "no single threshold correlates better" in words.chosen_in_words(worse)


def own(values):
    rows = [
        {
            "variant": name,
            "way": "with regression",
            "AR": ar,
            "mAP": value,
            "lost low": low,
            "lost high": low + 2,
        }
        for name, ar, value, low in values
    ]
    return pd.DataFrame(rows)


def test_our_detector_is_told_with_what_is_undefined():
    table = own([("0.50", 0.2, 30, 1), ("0.70", 0.4, 35, -1), ("0.90", 0.3, 38, -5), ("AR", 0.5, 36, 0)])
    maps = pd.DataFrame({"AR": [0.2, 0.4, 0.3, 0.5], "with regression": [30, 35, 38, 36]},
                        index=["0.50", "0.70", "0.90", "AR"])  # fmt: skip
    text = words.here_in_words(paper.correlations(maps), table)
    assert text.startswith("With regression r = 0.62 over 3 variants (undefined to undefined without one)")
    assert "AR would choose .70 of them and lose 3.0 points to .90; 2 of 3 differ" in text
    same = words.here_in_words(paper.correlations(maps), table.assign(mAP=table["AR"]))
    assert "choose .70 of them and lose nothing" in same


def test_the_grid_is_told():
    grid = pd.DataFrame({"beta": [0.8, 0.9, 0.9], "eta": [1.0, 0.9996, 1.0], "AR": [0.5, 0.6, 0.4]})
    assert words.grid_in_words(grid, 0.9, 0.9996) == (
        "The best of the grid is β₀ = 0.9, η = 0.9996 with AR 0.600; β₀ = 0.9, η = 0.9996 has 0.600; of the thresholds "
        "that stay the best is 0.8 with 0.500."
    )
    assert words.grid_in_words(grid[:1], 0.7, 0.9).count("β₀") == 1


def test_oracles_are_told_there_and_here():
    ours = pd.DataFrame({"oracle": list(paper.ORACLES), "AR": 1.0, "mAP": [50.0, 58, 54, 60], "gain": [0.0, 8, 4, 10],
                         "thinned": 1, "gain thinned": [0.0, 8, 6, 12], "detections": 5, "removed": 1})  # fmt: skip
    text = words.oracles_in_words(paper.oracle_effects(), ours)
    assert "In the paper the gains are 3.4, 7.2 and, together, 10.3" in text
    assert "perfect suppression adds more. Here the gains are 8.0, 4.0 and, together, 10.0" in text
    assert "alone they sum to 12.0, and ground truth adds more. Taken literally" in text
    assert "gains 4.0 here; if it also thins" in text
    assert text.endswith("its gain is 6.0.")
    assert "loses 4.0 here" in words.oracles_in_words(paper.oracle_effects(), ours.assign(gain=[0, 8, -4, 2]))
    beside = words.effects_beside(paper.oracle_effects(), ours)
    assert beside["gain here"].tolist() == [0, 8, 4, 10]
    assert beside["printed"].tolist() == [67.8, 71.2, 75.0, 78.1]


def test_errors_are_told():
    errors = pd.DataFrame(
        [("none", 0.5, 0.25, 0.15, 0.1), ("both", 0.75, 0, 0.2, 0.05)],
        columns=["oracle", "right", "own category", "other category", "background"],
    )
    text = words.errors_in_words(errors)
    for share in ("50%", "25%", "75% and 0%", "20% on another category", "5% on the background"):
        assert share in text


def test_dense_variants_are_those_of_the_smallest_step():
    found = words.same_density([0.5, 0.7, 0.75, 0.9], 0.9, 0.99)
    assert found == {"0.50": (0.55, None), "0.70": (0.75, None), "AR": (0.9, 0.99)}


@pytest.mark.parametrize("text", ["AR", "0.70"])
def test_points_keep_every_number(text):
    maps = paper.by_variant(paper.variants())
    points = words.points(maps)
    assert len(points) == 10 * len(paper.DETECTORS)
    mine = points[points["variant"] == text].set_index("detector")
    assert mine["mAP"].to_dict() == maps.loc[text].drop("AR").to_dict()
    assert (mine["AR"] == maps.loc[text, "AR"]).all()
