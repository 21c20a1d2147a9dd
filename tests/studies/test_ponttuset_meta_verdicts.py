"""What the comparisons of the meta-measures say, and the verdicts on them."""

import pandas as pd
import pytest

from propeval_lite import load_dataset
from propeval_lite.meta.seism import FILE_NAMES
from propeval_lite.partitions.measures import TABLE_2
from propeval_lite.results import ledger, published, verdicts
from propeval_lite.results import ledger as rows
from propeval_lite.studies import ponttuset_meta_paper as paper
from propeval_lite.studies import ponttuset_meta_verdicts as study

PRINTED = published("ponttuset_table2")
JOURNAL, EARLY = (paper.printed_table(PRINTED, name) for name in (paper.JOURNAL, paper.CONFERENCE))


def tables():
    """Tables of `real_tables` as if everything came out as printed, save F_r of 2013 and one SIHD of 2013."""
    authors = (EARLY / 100).reset_index()
    authors.loc[authors["measure"] == "region_f", ["sabd", "sisd"]] = 0.5
    authors.loc[authors["measure"] == "pri", "sihd"] = 0.5
    people = pd.DataFrame(
        {"measure": TABLE_2, "sihd": JOURNAL["sihd"].to_numpy() / 100, "largest": 4e-7, "pairs": 2126}
    )
    people.loc[0, "largest"] = 0.06
    figures = published("ponttuset_meta_figures").query("figure != 'fig. 5'")
    averages = {
        "measure": ["pri", "bce"],
        "mean": [0.8, 0.9],
        "median": [0.8, 0.9],
        "maximum": [0.9, 0.9],
        "margin": 0.02,
    }
    return {
        "authors": authors,
        "people": people,
        "crossings": pd.DataFrame(
            {"way": ["one against all", "one against one"], "threshold": [0.4, 0.31], "sihd": 0.9}
        ),
        "averages": pd.DataFrame(averages),
        "examples": figures.assign(
            **{"good here": figures["good"], "bad here": figures["bad"] + 0.004, "image_id": "7"}
        ),
    }


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Verdicts on those tables."""
    (tmp_path / "run.json").write_text("{}")
    monkeypatch.setenv("PROPEVAL_RUN_FOLDER", str(tmp_path))
    made = tables()
    conference = paper.beside(EARLY, made["authors"])
    compared = paper.beside(JOURNAL, made["people"], ["sihd"])
    study.judge_table_2(JOURNAL, EARLY, conference, made, "made up")
    data = load_dataset("scenes?n=1&width=96&height=64")
    study.judge_rules(compared, conference, made, "made up", published("ponttuset_meta_figures"), data)
    return verdicts().set_index("row")["verdict"]


def test_one_verdict_for_each_row_of_this_page(given):
    assert sorted(given.index) == sorted(ledger().query("chapter == 'ponttuset_meta_measures'").index)


def test_verdicts_say_what_came_out(given):
    assert (given[[f"ponttuset.table2.{name}.sihd" for name in FILE_NAMES.values()]] == "exact").all()
    open_ = [f"ponttuset.table2.{name}.{key}" for name in FILE_NAMES.values() for key in ("sabd", "sisd")]
    assert (given[open_] == "not reproducible here").all()
    early = given[given.index.str.startswith("ponttuset.table2_2013")]
    assert len(early) == 36
    assert early.index[early == "differs"].tolist() == [
        "ponttuset.table2_2013.pri.sihd",
        "ponttuset.table2_2013.fr.sabd",
        "ponttuset.table2_2013.fr.sisd",
    ]
    assert given["ponttuset.table2.global"] == "within tolerance"
    for row in ("sihd", "sabd", "sisd", "slic_baseline", "fr_several", "fig5", "fig6", "fig7"):
        assert given[f"ponttuset.{row}"] == "exact", row
    assert given["ponttuset.claim_max_or_median"] == "differs"


def test_the_ledger_has_the_numbers_of_the_printed_tables():
    values = rows()["value"]
    for name, table in (("table2", JOURNAL), ("table2_2013", EARLY)):
        for measure, file in FILE_NAMES.items():
            for key in ("sihd", "sabd", "sisd"):
                assert float(values[f"ponttuset.{name}.{file}.{key}"]) == table.loc[measure, key]


def test_words_follow_the_numbers():
    made = tables()
    words = study.words_of_conference(paper.beside(EARLY, made["authors"]))
    assert "SIHD 11 of 12 (not `pri`); SABD 11 of 12 (not `region_f`)" in words
    compared = paper.beside(JOURNAL, made["people"], ["sihd"]).assign(pairs=2126)
    compared["largest difference"] = made["people"]["largest"].to_numpy()
    words = study.words_of_sihd(compared)
    assert words.startswith("12 of 12 numbers") and "2,126 pairs, 11 of 12 measures" in words
    assert words.endswith("`fb` by up to 0.060.")
    assert (
        "10 of 12 measures (`fop`: 97.03, printed 97.1; `pri`: 87.43, printed 87.5; rounding of"
        in study.words_of_global(JOURNAL)
    )
    words = study.words_of_figure_5(made["crossings"], published("ponttuset_meta_figures"))
    assert "all at 0.400, which does not fit; one against one at 0.310, which fits the four" in words
    averages = made["averages"]
    words = study.words_of_averages(averages, paper.beyond_margin(averages))
    assert words.startswith("The median moves 0 of 2") and "`pri` most, by 10.0 points." in words
    distances = pd.DataFrame({"mean difference": [0.0, 1.0], "largest": [0.0, -2.5], "of": "fb", "as printed": [12, 3]},
                             index=["as in the authors' program", "another draw, 1"])  # fmt: skip
    words = study.words_of_readings(distances)
    assert words == ("as in the authors' program: 0.00 points on average, 12 as printed. Another draw moves single "
                     "measures by up to 2.5 to 2.5 points.")  # fmt: skip
    agreed = paper.agreement(JOURNAL, JOURNAL[["sabd"]] - 1)
    assert study.words_of_agreement("this", agreed).startswith(
        "Beside the journal, this: SABD rank correlation 1.00"
    )
