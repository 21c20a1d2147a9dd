"""Measures of measures: SIHD with its draws, densities, duels at chosen scales and their panels."""

import numpy as np
import pandas as pd
import pytest
from meta_tables import DIFFERENT, SAME, humans, sweeps

from propeval_lite import load_dataset, meta
from propeval_lite.meta.scales import sweep_methods
from propeval_lite.partitions import fop
from propeval_lite.segmenters import find_segmenter
from propeval_lite.studies import ponttuset_meta_measures as study


def test_sihd_by_both_classifiers_and_single_draws():
    row = study.sihd_table(humans(), ["pri"], bins=6).iloc[0]
    first = meta.classify_scores(SAME, DIFFERENT, True, "density", bins=6)[0]
    assert first == row["sihd"] == pytest.approx(0.7)
    # The second draw, all at 0.01, is left of every same-image score; its crossing loses nobody.
    assert (row["lowest draw"], row["highest draw"]) == pytest.approx((0.7, 1))
    assert row["best threshold"] == pytest.approx(0.8)
    assert 0.58 < row["best at"] < 0.62
    pooled = meta.classify_scores(SAME, [*DIFFERENT, *[0.01] * 10], True, "density", bins=6)[0]
    assert row["pooled"] == pooled
    assert study.sihd_table(humans(), ["nvoi"], bins=6).loc[0, "sihd"] == pytest.approx(row["sihd"])


def test_sihd_is_that_of_the_first_draw_and_other_draws_are_robustness_only():
    one = study.sihd_table(study.one_draw(humans()), ["pri"], bins=6).iloc[0]
    both = study.sihd_table(humans(), ["pri"], bins=6).iloc[0]
    assert one["sihd"] == both["sihd"] and one["best threshold"] == both["best threshold"]
    assert one["pooled"] == one["sihd"] != both["pooled"]


def test_densities_are_those_that_sihd_compares():
    table = study.density_bins(study.one_draw(humans()), "pri", bins=6)
    assert table["side"].tolist() == ["same"] * 5 + ["different"] * 5
    expected = np.array([0, 1, 1, 4, 0]) / 1.2, np.array([3, 5, 2, 0, 0]) / 1.7
    assert table["density"].to_numpy() == pytest.approx(np.concatenate(expected))
    assert table["high"].tolist()[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    shared = 0.2 * (1 / 1.2 + 1 / 1.2)
    assert study.shared_area(table).to_dict() == pytest.approx({"pri": shared})
    # A distance is drawn in its own unit, from its better side.
    mirrored = study.density_bins(study.one_draw(humans()), "nvoi", bins=6)
    assert mirrored["density"].tolist()[:5] == pytest.approx(expected[0][::-1])
    assert mirrored["low"].tolist()[:5] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    twice = study.density_bins(
        study.one_draw(humans()).assign(van_dongen=lambda t: 2 * t["nvoi"]), "van_dongen", 6
    )
    assert twice["high"].max() == 2
    assert twice["density"].to_numpy() == pytest.approx(mirrored["density"].to_numpy() / 2)


def test_scales_are_chosen_on_training_images_alone():
    scale = study.scale_of(sweeps(), "pri", "m")
    assert scale.parameter == 2
    assert scale.scores.to_dict() == {"x": 0.5, "y": 0.8}


@pytest.mark.parametrize("name", ["pri", "van_dongen"])
def test_duels_with_the_best_baseline_and_with_the_swapped(name):
    duels = study.duel_table(sweeps(), [name])
    values = duels[["method", "baseline", "swapped"]].to_numpy()
    expected = np.array([[0.5, 0.5, 0.6], [0.8, 0.7, 0.8]])
    assert values == pytest.approx(expected if name == "pri" else 1 - expected)
    assert duels[["image_id", "measure", "segmenter", "parameter"]].to_numpy().tolist() == [
        ["x", name, "m", 2],
        ["y", name, "m", 2],
    ]
    # A tie and a win against the baselines; a loss and a tie against the swapped.
    for ties, tie in (("half", 0.5), ("correct", 1), ("wrong", 0)):
        assert study.duel_points(duels, "baseline", ties).tolist() == [tie, 1]
        assert study.duel_points(duels, "swapped", ties).tolist() == [0, tie]


def test_the_measures_of_table_2_in_words():
    table = study.list_measures().set_index("name")
    assert len(table) == 12
    assert table.loc["pri", "what it is"] == "pairs of pixels judged alike (Rand)"
    assert table["better"].value_counts().to_dict() == {"higher": 6, "lower": 6}
    assert table.loc["fop", "better"] == "higher"
    assert table.loc["hamming_truth", "better"] == "lower"


def test_the_first_draw_can_be_given():
    data = load_dataset("scenes?n=3&seed=3&width=48&height=32")
    ids = data.images["image_id"].tolist()
    first = dict(zip(ids, [*ids[1:], ids[0]], strict=True))
    table = study.judge_people(["pri"], data, 2, 1, first)
    assert (table["draw"] == -1).equals(table["same"])
    assert table["draw"].value_counts().to_dict() == dict.fromkeys((-1, 0, 1, 2), table["same"].sum())
    met = table[table["draw"] == 0].drop_duplicates("image_id").set_index("image_id")["other_id"]
    assert met.to_dict() == first
    drawn = study.judge_people(["pri"], data, 2, 1)
    for draw in (0, 1):
        assert study.one_draw(drawn, draw)["pri"].tolist() == study.one_draw(table, draw + 1)["pri"].tolist()


def test_sihd_in_per_cent_and_thresholds():
    sihd = study.sihd_table(humans(), ["pri", "nvoi"], bins=6)
    sihd.loc[1, "sihd"] = 0.98765
    table = study.in_per_cent(sihd)
    assert table["measure"].tolist() == ["nvoi", "pri"]
    assert table["sihd"].iloc[0] == 98.8
    assert table["best at"].tolist() == sihd["best at"].tolist()[::-1]
    rows = study.thresholds(sihd).set_index(["measure", "classifier"])["threshold"]
    assert rows["pri", "density"] == sihd["crossing at"][0]
    assert rows["pri", "threshold"] == sihd["best at"][0]
    assert len(rows) == 4


@pytest.mark.parametrize("name", ["pri", "van_dongen"])
def test_extremes_are_the_duels_won_and_lost_most_clearly(name):
    rows = [
        (name, "x", "m", 0.5, 0.4),
        (name, "y", "m", 0.2, 0.6),
        (name, "z", "m", 0.9, 0.3),
        ("fb", "x", "m", 1, 0),
    ]
    duels = pd.DataFrame(rows, columns=["measure", "image_id", "segmenter", "method", "baseline"])
    found = study.extreme_duels(duels, name)["image_id"].tolist()
    assert found == (["z", "y"] if name == "pri" else ["y", "z"])


def test_lost_duels_are_counted_per_measure():
    duels = pd.DataFrame({"measure": ["pri"] * 4 + ["fb"] * 2, "sabd": [1, 0, 0.5, 0, 1, 1]})
    assert study.lost_shares(duels, "sabd").to_dict() == {"pri": 0.5, "fb": 0}


def test_panels_of_duels_show_the_best_baseline_at_its_scale():
    data = load_dataset("scenes?n=2&seed=3&width=48&height=32")
    methods, baselines = ["watershed?sweep=2,6"], ["quadtree?sweep=2,16", "random_slic?sweep=2,9"]
    swept = sweep_methods(["fop"], methods, data, data, baselines, seed=1)
    duels = study.duel_table(swept, ["fop"])
    extremes = study.extreme_duels(duels, "fop")
    panels = study.duel_panels(extremes, data, methods, baselines, swept, seed=1)
    assert len(panels) == 8
    for row, (picture, person, method, rival) in zip(
        extremes.itertuples(), (panels[:4], panels[4:]), strict=True
    ):
        np.testing.assert_array_equal(picture["image"], data.image(row.image_id))
        np.testing.assert_array_equal(person["labels"], data.partitions(row.image_id)[0])
        assert method["title"] == f"watershed: {row.method:.2f}"
        # The cuts shown are those that were scored.
        truths = data.partitions(row.image_id)
        assert fop(method["labels"], truths)[0] == pytest.approx(row.method)
        assert fop(rival["labels"], truths)[0] == pytest.approx(row.baseline)
        scale = study.scale_of(swept, "fop", "watershed").parameter
        np.testing.assert_array_equal(
            method["labels"], find_segmenter("watershed").partitions(data, row.image_id, [scale])[0]
        )
        assert rival["title"].endswith(f": {row.baseline:.2f}")


def test_all_are_swept_by_the_measures_of_table_2():
    data = load_dataset("scenes?n=2&seed=3&width=48&height=32")
    swept = study.sweep_table_2(["watershed?sweep=2"], ["quadtree?sweep=2"], data, data)
    assert set(study.WORDS) <= set(swept.columns)
    assert swept.groupby(["kind", "split"])["swapped"].agg(list).to_dict() == {
        ("method", "train"): [False, False], ("method", "test"): [False, True] * 2,
        ("baseline", "train"): [False, False], ("baseline", "test"): [False, False],
    }  # fmt: skip
