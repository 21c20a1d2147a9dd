"""Measures of measures: SIHD with its draws, duels at chosen scales, readings of the paper, comparisons."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite import meta
from propeval_lite.studies import ponttuset_meta_measures as study

SAME = [0.35, 0.42, 0.62, 0.66, 0.70, 0.74, 0.82, 0.86, 0.90, 0.94]
DIFFERENT = [0.05, 0.10, 0.15, 0.22, 0.26, 0.30, 0.34, 0.38, 0.45, 0.58]


def humans():
    """Ten same-image scores; a first draw as on the page and a second that is easy to tell apart."""
    score = [*SAME, *DIFFERENT, *[0.01] * 10]
    draw = [-1] * 10 + [0] * 10 + [1] * 10
    table = pd.DataFrame(
        {
            "image_id": "a",
            "other_id": "b",
            "partition": 0,
            "same": [d < 0 for d in draw],
            "draw": draw,
            "pri": score,
        }
    )
    return table.assign(nvoi_regions=1 - table["pri"], nvoi=0.5)


def sweeps():
    """One method and two baselines, two scales each: training images prefer scale 2, test images scale 1."""
    rows = []
    for kind, method, train, test in (
        ("method", "m", (0.1, 0.9), ([0.99, 0.99], [0.5, 0.8])),
        ("baseline", "b", (0.2, 0.3), ([0.99, 0.99], [0.5, 0.1])),
        ("baseline", "c", (0.2, 0.3), ([0.99, 0.99], [0.3, 0.7])),
    ):
        for scale in (1, 2):
            rows.append((kind, method, "train", scale, False, "t", train[scale - 1]))
            rows += [
                (kind, method, "test", scale, False, i, v) for i, v in zip("xy", test[scale - 1], strict=True)
            ]
    for scale, values in ((1, (0, 0)), (2, (0.6, 0.8))):
        rows += [("method", "m", "test", scale, True, i, v) for i, v in zip("xy", values, strict=True)]
    columns = ["kind", "method", "split", "parameter", "swapped", "image_id", "pri"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(van_dongen=1 - table["pri"])


def test_sihd_by_both_classifiers_and_single_draws():
    row = study.sihd_table(humans(), ["pri"], bins=5).iloc[0]
    first = meta.classify_scores(SAME, DIFFERENT, True, "density", bins=5)[0]
    assert first == pytest.approx(0.7)
    assert (row["lowest draw"], row["highest draw"]) == pytest.approx((0.7, 1))
    # Over both draws a threshold just below 0.35 loses nobody, and lets in three of twenty strangers.
    assert row["best threshold"] == pytest.approx(0.85)
    assert 0.34 <= row["best at"] < 0.35
    e_s, e_d = (
        np.mean(np.array(SAME) <= row["crossing at"]),
        np.mean(np.array(DIFFERENT) > row["crossing at"]) / 2,
    )
    assert row["crossing"] == pytest.approx(1 - e_s - e_d)
    assert row["mean of errors"] == pytest.approx(1 - (e_s + e_d) / 2)


def test_densities_are_those_of_each_side():
    table = study.density_bins(humans().query("draw < 1"), "pri", bins=5)
    assert table["side"].tolist() == ["same"] * 5 + ["different"] * 5
    assert table["density"].to_numpy() == pytest.approx(np.array([0, 1, 1, 4, 4, 3, 5, 2, 0, 0]) / 2)
    assert table["high"].tolist()[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    # They share one of ten scores in the second bin and one in the third.
    assert study.shared_area(table).to_dict() == pytest.approx({"pri": 0.2})


def test_equal_scores_still_have_bins():
    table = study.density_bins(pd.DataFrame({"same": [True, False], "pri": [1.0, 1.0]}), "pri", bins=2)
    assert table["low"].tolist() == [1, 1.5, 1, 1.5]
    assert study.shared_area(table)["pri"] == pytest.approx(1)


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


def test_sisd_of_one_method_at_its_own_scale():
    sweep = sweeps().query("method == 'm' and split == 'test'")
    found = study.single_sisd(sweep, ["pri", "van_dongen"])
    assert found.to_numpy().tolist() == [[1, 1], [1, 1]]  # scale 1: 0.99 against 0
    found = study.single_sisd(sweep.query("parameter == 2"), ["pri"])
    assert found.loc["pri"].to_dict() == {"correct": 0.5, "half": 0.25}


def test_readings_change_one_thing_each():
    everyone = humans()
    alone = everyone.query("draw != 0").assign(pri=0.5)
    table = study.sihd_readings(everyone, alone, ["pri", "nvoi_regions"], 10)
    value = table.set_index(["measure", "reading"])["sihd"]
    row = study.sihd_table(everyone, ["pri"], bins=10).iloc[0]
    assert value["pri", "as above"] == row["crossing"]
    assert value["pri", "mean of the errors, not their sum"] == row["mean of errors"] != row["crossing"]
    assert value["pri", "best threshold, no densities"] == row["best threshold"]
    for words, bins in (("half as many bins", 5), ("twice as many bins", 20)):
        assert value["pri", words] == study.sihd_table(everyone, ["pri"], bins)["crossing"].item()
    draws = [value["pri", f"draw {k} alone"] for k in (1, 2)]
    assert draws == [row["lowest draw"], row["highest draw"]]
    # Constant columns tell nothing: those of nvoi and of the single annotators.
    assert value["nvoi_regions", "nVoI over the bound for pixels"] == 0 < value["nvoi_regions", "as above"]
    assert value["pri", "nVoI over the bound for pixels"] == value["pri", "as above"]
    assert value["pri", "one annotator against one, draw 1 alone"] == 0
    assert len(table) == 2 * 9


def test_distances_of_readings_keep_the_sign_of_the_largest():
    gaps = pd.DataFrame({"reading": ["z"] * 3 + ["a"] * 3, "measure": ["fb", "fop", "pri"] * 2,
                         "gap": [1, -3, 2, 0, 0.5, -0.25]})  # fmt: skip
    table = study.reading_distances(gaps)
    assert table.reset_index().to_numpy().tolist() == [
        ["z", 2, -3, "fop", 1, 2],
        ["a", 0.25, 0.5, "fop", 3, 3],
    ]
    assert table.columns.tolist() == ["mean difference", "largest", "of", "within 1 point", "within 2 points"]


def test_sabd_of_sets_of_methods():
    scores = {"a": pd.Series([0.9, 0.6]), "b": pd.Series([0.4, 0.7]), "tree": pd.Series([0.5, 0.6])}
    table = study.sabd_of_sets(scores, "tree", {"both": ["a", "b"], "one": ["b"]})
    assert table.to_numpy().tolist() == [["both", "correct", 0.75], ["both", "half", 0.625],
                                         ["one", "correct", 0.5], ["one", "half", 0.5]]  # fmt: skip


def stored():
    columns = {"crossing": [0.9, 0.5], "lowest draw": [0.85, 0.4], "highest draw": [0.95, 0.55],
               "best threshold": [0.92, 0.6], "mean of errors": [0.95, 0.75], "sabd": [0.8, 0.3],
               "sisd": [0.7, 0.2], "ucm_correct": [1.0, 0.6], "ucm_half": [0.99, 0.5]}  # fmt: skip
    return pd.DataFrame(columns, index=pd.Index(["fb", "pri"], name="measure"))


def test_sihd_beside_the_paper():
    paper = pd.Series([91.2, 60.0], index=stored().index)
    table = study.compare_sihd(paper, stored())
    columns = [
        "paper",
        "here",
        "difference",
        "lowest draw",
        "highest draw",
        "best threshold",
        "mean of errors",
    ]
    assert table.columns.tolist() == [*columns, "paper within the draws"]
    assert table.to_numpy().tolist() == [[91.2, 90, -1.2, 85, 95, 92, 95, "yes"],
                                         [60, 50, -10, 40, 55, 60, 75, "no"]]  # fmt: skip
    assert study.compare_sihd(paper, None).columns.tolist() == ["paper"]


def test_all_meta_measures_beside_the_paper():
    journal = pd.DataFrame({"sihd": [1, 2], "sabd": [3, 4], "sisd": [5, 6]}, index=["pri", "fb"])
    table = study.compare_all(journal, stored())
    assert table.columns.tolist() == ["measure", *(f"{key}: {side}" for key in ("sihd", "sabd", "sisd")
                                                   for side in ("paper", "here")),
                                      "gPb-UCM alone", "ties half"]  # fmt: skip
    assert table.to_numpy().tolist() == [
        ["fb", 2, 90, 4, 80, 6, 70, 100, 99],
        ["pri", 1, 50, 3, 30, 5, 20, 60, 50],
    ]
