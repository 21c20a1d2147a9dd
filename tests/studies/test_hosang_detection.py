"""The published tables of detection: they are the authors' files, and the paper's numbers to the last digit."""

import numpy as np
import pandas as pd
import published_detection
import pytest

from propeval_lite.results.published import published
from propeval_lite.studies import hosang_detection as study

TABLES = ("Table 2", "Table 3", "Table 4")


@pytest.mark.data
@pytest.mark.parametrize("name", published_detection.TABLES)
def test_the_tables_are_those_of_the_authors_files(real_data, name):
    made = published_detection.as_csv(published_detection.TABLES[name](real_data / "hosang"))
    assert (published_detection.TARGET / f"{name}.csv").read_text(encoding="utf-8") == made


def test_sixteen_methods_are_compared():
    methods = study.compared()
    assert len(methods) == len(set(methods)) == 16
    assert [name for name in methods if "Edge" in name] == ["EdgeBoxes"]


@pytest.mark.parametrize(
    ("name", "numbers", "odd"), [("Table 2", 378, 1), ("Table 3", 98, 0), ("Table 4", 357, 0)]
)
def test_every_printed_digit_is_made_again_but_one(name, numbers, odd):
    table = study.digits(name)
    assert len(table) == numbers
    assert (~table["equal"]).sum() == odd
    # Rounded on paper, not by us.
    wrong = np.abs(np.round(table["here"], 1) - table["printed"]) > 0.051
    assert wrong.sum() == odd
    if odd:
        row = table[~table["equal"]].iloc[0]
        assert (row["method"], row["column"], row["printed"]) == ("CPMC", "person", -7.0)
        assert row["here"] == pytest.approx(-7.0563, abs=1e-4)


def test_a_changed_digit_is_found(monkeypatch):
    table = published("hosang_detection_tables")
    row = table.index[(table["table"] == "Table 3") & (table["method"] == "MCG")][0]
    changed = table.assign(value=table["value"].where(table.index != row, table["value"] + 0.1))
    monkeypatch.setattr(
        study, "published", lambda name: changed if name.endswith("tables") else published(name)
    )
    assert (~study.digits("Table 3")["equal"]).sum() == 1


def test_table_3_is_the_mean_of_tables_2_and_4():
    second, third, fourth = (study.table_again(name) for name in TABLES)
    methods = study.compared()
    categories = [name for name in fourth.columns if name != "mean"]
    assert len(categories) == 20
    np.testing.assert_allclose(
        fourth.loc[methods, categories].mean(axis=1), fourth.loc[methods, "mean"], atol=1e-4
    )
    np.testing.assert_allclose(
        third.loc[methods, "LM-LLDA with regression"] - third.loc["Dense", "LM-LLDA with regression"],
        second.loc[methods, "mean"], atol=1e-6,
    )  # fmt: skip
    np.testing.assert_allclose(third.loc[methods, "Fast R-CNN with regression"], fourth.loc[methods, "mean"])
    assert third.loc["SelectiveSearch", study.GAIN] == 0
    assert np.isnan(third.loc["Dense", "R-CNN"])


def test_best_per_class_is_no_method():
    fourth = study.table_again("Table 4")
    best = fourth.loc["best per class"]
    assert (best.drop("mean") == fourth.loc[study.compared()].drop(columns="mean").max()).all()
    assert best["mean"] > fourth.loc[study.compared(), "mean"].max()


def test_summary_counts_numbers():
    table = pd.DataFrame({"equal": [True, False], "difference": [0.01, -0.2]})
    (row,) = study.digit_summary({"Table 9": table}).to_dict("records")
    assert row == {"table": "Table 9", "numbers": 2, "equal": 1, "largest difference": 0.2}


def test_scores_are_stretched_by_category():
    scores = study.scores_by_overlap()
    assert scores.groupby("detector").size().tolist() == [16] * 5
    assert (scores["lowest"] <= scores["score"]).all() and (scores["score"] <= scores["highest"]).all()
    assert scores["lowest"].min() == 0 and scores["highest"].max() == 1


def test_linearity_of_known_curves():
    iou = np.arange(0.225, 1, 0.05)
    line = pd.DataFrame({"detector": "line", "iou": iou, "score": iou})
    bent = pd.DataFrame({"detector": "bent", "iou": iou, "score": np.minimum(iou, 0.6) - (iou > 0.9) * 0.3})
    found = study.linearity(pd.concat([line, bent])).set_index("detector")
    assert found.loc["line", "straightness"] == pytest.approx(1)
    assert found.loc["line", "slope"] == pytest.approx(1)
    assert found.loc["bent", "straightness"] < 0.9
    assert found.loc["line", "last"] == 1 and found.loc["bent", "last"] == pytest.approx(0.5)
    assert found.loc["bent", "full from"] == pytest.approx(0.575)


def test_symmetry_of_known_maps():
    y, x, z = np.meshgrid(*[np.arange(-5, 6)] * 3, indexing="ij")
    even = study.symmetry(-(y**2 + x**2 + z**2))
    assert even["correlation"].to_numpy() == pytest.approx(1)
    assert even["peak"].tolist() == [0, 0, 0]
    moved = study.symmetry(-(y**2 + (x - 2) ** 2 + z**2))
    assert moved["peak"].tolist() == [0, 2, 0]
    assert moved["correlation"].idxmin() == 1


def test_the_published_map_peaks_at_the_place():
    cube = study.score_map()
    assert cube.shape == (11, 11, 11)
    assert study.symmetry(cube)["peak"].tolist() == [0, 0, 1]


def test_printed_correlations_are_in_the_order_of_the_panels():
    assert study.printed_correlations("fig. 13") == [0.928, 0.978, 0.961, 0.877]


def test_all_detectors_order_the_methods_alike():
    found = study.same_order(study.mean_precisions()[list(study.PANELS)])
    assert len(found) == 6
    assert found["correlation"].min() > 0.85
    assert found["in common"].min() >= 3
