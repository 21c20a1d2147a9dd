"""Sentences on distances, and how far two means of images can be told apart."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite import load_dataset
from propeval_lite.results.published import load_best_iou
from propeval_lite.studies import wang_between_datasets as study
from propeval_lite.studies import wang_between_datasets_words as words
from propeval_lite.studies.wang_between_datasets_claims import distance_table

CURVES = list(study.CURVES.values())


def table():
    return pd.DataFrame([[10.0, 5, 8, 4, 6, 7], [20, 10, 8, 2, 6, 3]], index=["a", "b"], columns=CURVES)


def test_drops_are_counted_and_exceptions_named():
    assert words.every_drops(table()) == (5, 6)
    assert words.drop_range(table()) == (50, 75)
    assert words.drop_sentence(table(), "T") == (
        "T: OMA brings the curves closer in 5 of 6 cases (not: a (recall vs IoU)). From AR to AO the distance changes "
        "by -75 to -50 %."
    )


def test_relative_distances_are_counted_apart():
    rows = pd.DataFrame(
        {"recall": [2, 2], "OMA": [1, 1], "recall, rel.": [0.5, 0.2], "OMA, rel.": [0.4, 0.3]}
    )
    assert words.relative_sentence(rows) == (
        "The distance is smaller under OMA in 2 of the 2 rows; relative to the height of the curves it is smaller in 1 "
        "of them."
    )


def test_who_is_ahead_with_the_most_candidates():
    rows = [(name, "m", criterion, 0.8, k, value)
            for criterion, few, many in (("recall", 0.5, 0.3), ("OMA", 0.1, 0.3))
            for name, value in (("few", few), ("multiple", many)) for k in (10, 100)]  # fmt: skip
    curves = pd.DataFrame(rows, columns=["dataset", "method", "criterion", "tau", "budget", "value"])
    text = words.crossing_sentence(curves.assign(axis="number"), "few", "multiple", 0.8, "T")
    assert "recall is higher on images with few objects for all 1 methods" in text
    assert "OMA is higher on images with few objects for none of the 1 methods" in text


def test_the_split_of_the_paper_is_found_or_not():
    split = pd.DataFrame({"part": ["few", "multiple"], "objects counted": "all", "difference": [5, -5]})
    assert words.split_sentence(split).startswith(
        "No way of counting here gives the paper's split. The paper has more"
    )
    same = words.split_sentence(split.assign(difference=0))
    assert same == "The split agrees where these objects are counted: all."


def test_lines_are_said():
    lines = pd.DataFrame({"paper's": ["Table 2"], "slope": 0.6, "intercept": -3.6, "largest residual": 0.003})
    assert "0.600 in Table 2 (it starts at -3.60" in words.lines_sentence(lines)


def test_curves_are_read_between_sampled_numbers():
    curve = pd.DataFrame({"method": "m", "axis": "number", "criterion": "recall", "tau": 0.8, "budget": [1, 10, 991],
                          "value": [0.1, 0.2, 0.6]})  # fmt: skip
    along = pd.DataFrame(
        {"method": "m", "axis": "IoU", "criterion": "recall", "tau": [0.5], "budget": 991, "value": 0.7}
    )
    found = study.at_budgets(pd.concat([curve, along]), [1, 3, 1000, 3000])
    number = found[found["axis"] == "number"]
    assert number["budget"].tolist() == [1, 3, 1000]
    assert np.allclose(number["value"], [0.1, 0.1 + 0.1 * np.log10(3), 0.6])
    assert found[found["axis"] == "IoU"]["value"].tolist() == [0.7]


@pytest.mark.data
@pytest.mark.jit
def test_table_2_on_voc2007_drops_by_34_to_42_per_cent(real_data):
    voc07 = load_dataset(f"voc2007:{real_data}/hosang")
    tables = {
        name: load_best_iou(real_data / "chavali" / f"{name}.mat", voc07) for name in study.SAME_2007.values()
    }
    halves = study.halves(tables, 2, 1000, 0.8, lattice="pixels")
    found = distance_table(study.average_distance(*(study.up_to(half, 1000) for half in halves)))
    expected = {
        "edgebox": [25.3, 19.5, 21.1, 13.9, 16.6, 13.0],
        "objectness": [10.1, 8.3, 15.4, 9.9, 14.4, 9.8],
        "selective_search": [25.0, 19.2, 21.8, 12.6, 26.5, 16.4],
    }
    for name, row in expected.items():
        assert np.allclose(found.loc[name, CURVES], row, rtol=0, atol=0.1), name
    low, high = words.drop_range(found)
    assert (round(low), round(high)) == (34, 42)
    assert words.every_drops(found) == (12, 12)
