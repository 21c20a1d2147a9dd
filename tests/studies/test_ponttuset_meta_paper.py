"""Measures of measures beside the paper: readings of SIHD, ways to average, and printed tables."""

import pandas as pd
import pytest
from meta_tables import humans

from propeval_lite import load_dataset
from propeval_lite.meta import sihd_of_scores
from propeval_lite.results import published
from propeval_lite.studies import ponttuset_meta_measures
from propeval_lite.studies import ponttuset_meta_paper as study


def test_readings_change_one_thing_each():
    everyone = humans()
    alone = everyone.query("draw != 1").assign(pri=0.5)
    table = study.sihd_readings(everyone, alone, ["pri", "nvoi"], 6)
    value = table.set_index(["measure", "reading"])["sihd"]
    row = ponttuset_meta_measures.sihd_table(everyone, ["pri"], bins=6).iloc[0]
    assert value["pri", "as in the authors' program"] == row["sihd"]
    halved = sihd_of_scores(ponttuset_meta_measures.one_draw(everyone), "pri", bins=6, errors="mean").value
    assert value["pri", "mean of the errors, not their sum"] == halved != row["sihd"]
    assert value["pri", "best threshold, no densities"] == row["best threshold"]
    for words, bins in (("half as many points", 3), ("twice as many points", 12)):
        again = ponttuset_meta_measures.sihd_table(everyone, ["pri"], bins)["sihd"].item()
        assert value["pri", words] == again
    assert value["pri", "another draw, 1"] == row["highest draw"]
    assert value["pri", "all draws pooled"] == row["pooled"]
    assert value["pri", "one annotator against one"] == 0  # constant
    assert len(table) == 2 * 8


def test_distances_of_readings_keep_the_sign_of_the_largest():
    readings = pd.DataFrame({"reading": ["z"] * 3 + ["a"] * 3, "measure": ["fb", "fop", "pri"] * 2,
                             "sihd": [0.91, 0.47, 0.82, 0.90, 0.505, 0.80]})  # fmt: skip
    journal = pd.DataFrame({"sihd": [90.0, 50.0, 80.0]}, index=["fb", "fop", "pri"])
    table = study.reading_distances(readings, journal).reset_index()
    assert table["reading"].tolist() == ["z", "a"]
    assert table["mean difference"].tolist() == pytest.approx([2, 0.5 / 3])
    assert table["largest"].tolist() == pytest.approx([-3, 0.5])
    assert table["of"].tolist() == ["fop", "fop"]
    assert table["as printed"].tolist() == [0, 2]


def test_maximum_and_median_stand_for_the_mean():
    # Against three of the own image 0.8, 0.2, 0.2; against three of another 0.21, 0.1, 0.1.
    scores = {True: (0.8, 0.2, 0.2), False: (0.21, 0.1, 0.1)}
    rows = [("i", k, "i" if same else "j", same, -1 if same else 0, score)
            for k in range(40) for same, three in scores.items() for score in three]  # fmt: skip
    alone = pd.DataFrame(rows, columns=["image_id", "annotator", "other_id", "same", "draw", "pri"])
    table = study.sihd_by_average(alone.assign(bce=1 - alone["pri"]), ["pri", "bce"], 21)
    # Means 0.4 and 0.137, medians 0.2 and 0.1, maxima 0.8 and 0.21: all tell the two apart; of a distance too.
    assert table[["mean", "median", "maximum"]].to_numpy().tolist() == [[1, 1, 1]] * 2
    assert table["margin"].tolist() == [0, 0]
    beyond = study.beyond_margin(table.assign(median=[0.5, 1], maximum=[1, 0.9], margin=[0.1, 0.05]))
    assert beyond[["measure", "average"]].to_numpy().tolist() == [["pri", "median"], ["bce", "maximum"]]
    assert beyond["points"].tolist() == pytest.approx([-50, -10])


def computed():
    return pd.DataFrame({"measure": ["fb", "pri"], "sihd": [0.9004, 0.5006], "sabd": [0.8, 0.3],
                         "sisd": [0.7, 0.2]})  # fmt: skip


def printed():
    columns = {"sihd": [50.1, 90.0], "sabd": [31.0, 80.0], "sisd": [20.0, 70.0]}
    return pd.DataFrame(columns, index=pd.Index(["pri", "fb"], name="measure"))


def test_printed_and_computed_side_by_side():
    table = study.beside(printed(), computed())
    assert table.columns.tolist() == ["measure", *(f"{key}: {side}" for key in ("sihd", "sabd", "sisd")
                                                   for side in ("paper", "here"))]  # fmt: skip
    assert table["sihd: here"].tolist() == pytest.approx([50.06, 90.04])
    assert study.as_printed(table, "sihd").to_dict() == {"pri": True, "fb": True}
    assert study.as_printed(table, "sabd").to_dict() == {"pri": False, "fb": True}


def test_the_printed_tables_in_their_order():
    table = study.printed_table(published("ponttuset_table2"))
    assert table.loc["fb", "sihd"] == 99.5 and table.loc["nvoi", "sabd"] == 83.3
    early = study.printed_table(published("ponttuset_table2"), study.CONFERENCE)
    assert early.loc["fb", "sabd"] == 95.6 and "global" not in early


def test_sources_in_one_table_and_laid_out():
    ours = 100 * computed().set_index("measure")[["sabd", "sisd"]]
    tall = study.stack_sources({"paper: p. 12": printed(), "here": ours})
    assert tall.groupby("source", sort=False).size().to_dict() == {"paper: p. 12": 6, "here": 4}
    assert tall[["low", "high"]].isna().all(axis=None)
    wide = study.lay_out(tall).set_index("measure")
    assert wide.columns.tolist() == ["SIHD: paper", "SABD: paper", "SISD: paper", "SABD: here", "SISD: here"]
    assert wide.loc["pri"].tolist() == pytest.approx([50.1, 31, 20, 30, 20])


def test_agreement_with_the_paper():
    ours = 100 * computed().set_index("measure")[["sabd", "sisd"]]
    table = study.agreement(printed(), ours).set_index("what")
    assert table.index.tolist() == ["SABD", "SISD"]
    assert table.loc["SABD"].tolist() == pytest.approx([1, 1, "pri"])


def test_only_the_whole_test_set_is_compared_with_the_authors(tmp_path):
    data = load_dataset("scenes?n=2&width=48&height=32")
    assert study.whole_test_set(data, tmp_path) is None
    assert study.whole_test_set(data, None) is None


@pytest.mark.data
def test_whole_test_set_of_bsds(real_data):
    data = load_dataset(f"bsds500:{real_data / 'bsds500'}", split="test")
    partners = study.whole_test_set(data, real_data)
    assert len(partners) == 200
    part = data.subset(data.images["image_id"].iloc[:3])
    assert study.whole_test_set(part, real_data) is None


@pytest.mark.data
@pytest.mark.jit
def test_fig5_is_of_single_people_and_max_or_median_do_differ(real_data):
    from propeval_lite.meta import human_scores
    from propeval_lite.studies.ponttuset_meta_authors import split_by

    data = load_dataset(f"bsds500:{real_data / 'bsds500'}", split="test")
    partners = study.whole_test_set(data, real_data)
    names = ["fb", "pri", "nvoi"]
    alone = human_scores(names, data, partners=partners, truths="one by one")
    at = sihd_of_scores(alone, "fb").threshold
    assert at == pytest.approx(0.3104, abs=1e-3) and split_by(at, published("ponttuset_meta_figures"))
    table = study.sihd_by_average(alone, ["pri", "nvoi"], 50).set_index("measure")
    found = (100 * table[["mean", "median", "maximum"]]).round(2)
    assert found.loc["pri"].tolist() == [78.83, 78.27, 88.71]
    assert found.loc["nvoi"].tolist() == [96.71, 95.58, 91.53]
    moved = study.beyond_margin(table.reset_index())[["measure", "average"]].to_numpy().tolist()
    assert sorted(moved) == [["nvoi", "maximum"], ["nvoi", "median"], ["pri", "maximum"]]
