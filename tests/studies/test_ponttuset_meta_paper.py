"""Measures of measures beside the paper: readings of SIHD, the authors' scores, and Table 2."""

import numpy as np
import pandas as pd
import pytest
from meta_tables import humans, sweeps
from seism import write_contour_maps, write_ids, write_scores

from propeval_lite import load_dataset
from propeval_lite.meta import human_scores, report_of_scores
from propeval_lite.meta.scales import sweep_methods
from propeval_lite.partitions.measures import TABLE_2
from propeval_lite.results import published
from propeval_lite.studies import ponttuset_meta_measures
from propeval_lite.studies import ponttuset_meta_paper as study


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
    row = ponttuset_meta_measures.sihd_table(everyone, ["pri"], bins=10).iloc[0]
    assert value["pri", "as above"] == row["crossing"]
    assert value["pri", "mean of the errors, not their sum"] == row["mean of errors"] != row["crossing"]
    assert value["pri", "best threshold, no densities"] == row["best threshold"]
    for words, bins in (("half as many bins", 5), ("twice as many bins", 20)):
        assert (
            value["pri", words]
            == ponttuset_meta_measures.sihd_table(everyone, ["pri"], bins)["crossing"].item()
        )
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


def test_gaps_of_readings_are_points():
    readings = pd.DataFrame({"reading": ["a", "a"], "measure": ["fb", "pri"], "sihd": [0.9, 0.5]})
    gaps = study.reading_gaps(readings, pd.DataFrame({"sihd": [91.0, 48.0]}, index=["fb", "pri"]))
    assert gaps["gap"].tolist() == pytest.approx([-1, 2])


def test_the_printed_table_in_its_order():
    table = study.printed_table(published("ponttuset_table2"))
    assert table.index.tolist() == list(TABLE_2)
    assert table.loc["fb", "sihd"] == 99.5
    assert table[["sihd", "sabd", "sisd"]].notna().all(axis=None)


def test_sabd_beside_two_papers():
    journal = pd.DataFrame({"sabd": [93.6, 95.0]}, index=["fb", "fop"])
    printed = pd.DataFrame({"table": ["Table 2", "§6"], "value": [1.0, 94.2]})
    rows = [("fop", "six of 2013", 0.94167), ("fop", "those six, MCG", 0.96), ("fb", "six of 2013", 0.9)]
    authors = pd.DataFrame(rows, columns=["measure", "methods", "sabd"])
    table = study.compare_sabd(authors, journal, printed)
    assert table["here"].tolist() == [94.17, 96, 90]
    assert table["paper"].tolist() == pytest.approx([94.2, 95, np.nan], nan_ok=True)
    assert table["printed in"].tolist() == ["2013", "2016", "–"]
    assert table["difference"].tolist() == pytest.approx([-0.03, 1, np.nan], nan_ok=True)


def journal():
    return pd.DataFrame(
        {"sihd": [91.0, 52.0], "sabd": [85.0, 31.0], "sisd": [70.0, 30.0]}, index=stored().index
    )


def test_all_sources_in_one_table():
    tall = study.stack_sources(journal(), stored())
    assert tall.groupby("source", sort=False).size().tolist() == [6, 6, 2]
    row = tall[(tall["source"] == study.LIBRARY) & (tall["meta_measure"] == "sihd")].set_index("measure")
    assert row.loc["pri", ["value", "low", "high"]].tolist() == pytest.approx([50, 40, 55])
    assert tall.loc[tall["source"] == study.GPB, "value"].tolist() == pytest.approx([100, 60])
    assert tall.loc[tall["meta_measure"] != "sihd", ["low", "high"]].isna().all(axis=None)
    assert tall.loc[tall["source"] == "paper", "value"].tolist() == [91, 52, 85, 31, 70, 30]


def test_agreement_with_the_paper():
    table = study.agreement(journal(), stored()).set_index("what")
    assert table.loc["SABD", ["rank correlation", "largest difference"]].tolist() == pytest.approx([1, 5])
    assert table.loc["SABD", "of"] == "fb"
    assert table.loc["SISD", "of"] == "pri"
    assert table.loc["SISD of gPb-UCM alone", "largest difference"] == pytest.approx(30)
    assert table.index.tolist() == ["SIHD", "SABD", "SISD", "SISD of gPb-UCM alone"]


def write_seism(seism, ids, scores):
    """Write the same score of every method and image for both measures."""
    write_ids(seism, ids)
    for method, values in scores.items():
        for name, extra in (("fop", []), ("fb", [1, 2, 1, 2])):
            write_scores(seism, method, name, "0.50", [[v, v, v, *extra] for v in values])


METHODS = (*study.EARLY, "MCG", "ISCRA")


def test_sabd_from_the_authors_files(tmp_path):
    # Everybody wins on the first image; on the second the six of 2013 tie with the quadtree.
    scores = {name: [0.9, 0.5] for name in study.EARLY} | {"MCG": [0.9, 0.9], "ISCRA": [0.9, 0.9]}
    write_seism(tmp_path, ["a", "b"], scores | {"QuadTree": [0.2, 0.5]})
    table = study.sabd_of_authors(tmp_path)
    assert table["measure"].tolist() == ["fop"] * 4 + ["fb"] * 4
    assert table["sabd"].tolist()[:4] == pytest.approx([1, 0.75, 1, (8 + 2 + 0.5 * 6) / 16])
    assert table["ties"].tolist()[:2] == ["correct", "half"]


def test_all_tables_of_bsds(tmp_path):
    data = load_dataset("scenes?n=3&seed=3&width=48&height=32")
    ids = data.images["image_id"].tolist()
    write_contour_maps(tmp_path / "bsds500/ucm2/test", data)
    write_seism(tmp_path / "seism", ids, {name: [0.9] * 3 for name in METHODS} | {"QuadTree": [0.1] * 3})
    names = list(TABLE_2)
    people = ponttuset_meta_measures.number_draws(human_scores([*names, "nvoi"], data, swaps=2))
    swept = sweep_methods(names, ["watershed?sweep=2,6"], data, data.subset(ids[:2]), ["quadtree?sweep=2,6"])
    sihd = ponttuset_meta_measures.sihd_table(people, names, 10)
    tables = study.real_tables(data, tmp_path, sihd, people, swept, bins=10)
    main = tables["measures"].set_index("measure")
    assert main.index.tolist() == names
    assert main[["images", "judged", "draws"]].drop_duplicates().to_numpy().tolist() == [[3, 2, 2]]
    report = report_of_scores(names, people, swept, bins=10, ties="correct")
    assert main["sabd"].to_dict() == report["sabd"].to_dict()
    assert main["crossing"].to_dict() == report["sihd"].to_dict()
    # Cut like the first annotator, every image looks more like itself than like another.
    assert main.loc["pri", "ucm_correct"] == 1
    assert (tables["published_scores"]["sabd"] == 1).all()
    readings = tables["readings"]
    assert readings["reading"].nunique() == 9
    assert readings.loc[readings["reading"] == "as above", "sihd"].tolist() == main["crossing"].tolist()
