import json

import numpy as np
import pandas as pd
import pytest

from propeval_lite import results
from propeval_lite._checks.values import InputError
from propeval_lite.results import ledger as rows
from propeval_lite.results import verdict
from propeval_lite.results.provenance import STORED, Result

CELL = "ponttuset.table2.fb.sihd"  # the paper prints 99.5


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "run.json").write_text(json.dumps({"notebook": "nb"}))
    monkeypatch.setenv("PROPEVAL_RUN_FOLDER", str(tmp_path))
    return tmp_path


def test_every_row_has_one_id_a_paper_a_place_and_a_chapter():
    table = rows()
    assert table.index.is_unique
    assert table.drop(columns="value").notna().all(axis=None)
    assert set(table["kind"]) == {"equation", "definition", "algorithm", "figure", "table", "claim"}
    numbers = pd.to_numeric(table["value"].dropna())
    assert numbers.notna().all()


@pytest.mark.parametrize(
    ("here", "options", "expected"),
    [
        (99.5, {}, "exact"),
        (99.53, {"digits": 1}, "exact"),
        (99.45, {"digits": 1}, "exact"),
        (99.55, {"digits": 1}, "exact"),
        (99.551, {"digits": 1}, "differs"),
        (99.449, {"digits": 1, "tolerance": 0.051}, "within tolerance"),
        (99.4, {"tolerance": 0.05}, "differs"),
        (99.4, {"tolerance": 0.05, "trend": True}, "same trend"),
        (99.4, {"trend": False}, "differs"),
        (99.53, {}, "differs"),
        (None, {"because": "the answers are not public"}, "not reproducible here"),
        ([1, 2], {"paper": [1, 2]}, "exact"),
        (pd.Series([1.0, 2.5]), {"paper": (1, 2), "tolerance": 0.5}, "within tolerance"),
        (np.float32(0.5), {"paper": 0.5}, "exact"),
        (True, {}, "exact"),
        (np.bool_(False), {}, "differs"),
        (False, {"trend": True}, "same trend"),
        (False, {"paper": False}, "exact"),
    ],
)
def test_verdict_is_computed(here, options, expected):
    assert verdict(CELL, here, **options).verdict == expected


@pytest.mark.parametrize(
    ("row", "here", "options", "words"),
    [
        ("ponttuset.table2.fb.sidh", 1, {}, "data/ledger.csv, got 'ponttuset.table2.fb.sidh'"),
        ("nonsense", 1, {}, "none"),
        (CELL, None, {}, "reason"),
        (CELL, [1, 2], {}, "like with like"),
        (CELL, [], {"paper": []}, "like with like"),
        (CELL, np.nan, {}, "finite"),
        (CELL, np.inf, {}, "finite"),
        ("wang.eq1", 0.5, {}, "paper="),
    ],
)
def test_what_cannot_be_compared_is_refused(row, here, options, words):
    with pytest.raises(InputError, match=words):
        verdict(row, here, **options)


def test_verdicts_are_written_with_the_run(folder):
    stored = Result(pd.DataFrame(), f"voc2007{STORED}nb, profile paper", stored=True)
    verdict(CELL, 99.53, digits=1, source=stored)
    verdict("wang.eq5", False, because="the printed form mixes x and y", source="60 boxes")
    written = pd.read_csv(folder / "verdicts.csv")
    assert written["verdict"].tolist() == ["exact", "differs"]
    assert written["source"].tolist() == ["voc2007", "60 boxes"]
    assert written["difference"].tolist()[0] == pytest.approx(0.03)
    with pytest.raises(InputError, match="one verdict for each row"):
        verdict(CELL, 99.5)


def test_page_shows_its_verdicts(folder):
    with pytest.raises(InputError, match="verdicts to show"):
        results.show_verdicts()
    verdict(CELL, 99.53, digits=1)
    verdict("wang.eq5", False, because="a | b")
    text = results.show_verdicts()._repr_markdown_()
    assert text.startswith("1 exact, 1 differs.")
    assert (
        "| eq. (5) | the region where a box that hits can begin | holds | does not hold | **differs**: a \\| b |"
        in text
    )
    assert "99.53" in text
    assert (
        "**exact** (paper 99.5, here 99.53)"
        in verdict("wang.eq6", 99.53, paper=99.5, digits=1)._repr_markdown_()
    )


def test_a_number_in_the_ledger_and_in_the_published_table_is_the_same():
    table = results.published("ponttuset_table2")
    cells = table[table["paper"].str.contains("2016") & (table["meta_measure"] != "global")]
    values = rows()["value"].filter(regex=r"^ponttuset\.table2\.\w+\.s")
    assert [name.split(".")[-1] for name in values.index] == cells["meta_measure"].tolist()
    assert values.tolist() == cells["value"].tolist()
