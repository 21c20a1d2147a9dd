import json

import pandas as pd
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.cli import main
from propeval_lite.results.ledger import Verdict, ledger
from propeval_lite.runner.ledger import collect, counts, got_worse, without_reason, worst

CELL = "ponttuset.table2.fb.sihd"


def row(name=CELL, verdict="exact", paper="99.5", here="99.53", difference=0.03, because=""):
    return Verdict(name, verdict, paper, here, difference, float("nan"), because, "files")


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=Verdict._fields).to_csv(path, index=False)


def finished(runs, name, *rows, notebook="meta", started="2026-01-02", status="finished"):
    folder = runs / notebook / name
    write(folder / "verdicts.csv", *rows)
    record = {"notebook": notebook, "started": started, "status": status}
    (folder / "run.json").write_text(json.dumps(record))


@pytest.fixture
def places(tmp_path):
    return tmp_path / "runs", tmp_path / "stored"


def test_nothing_is_open_rows_only(places):
    table = collect(*places)
    assert set(table["verdict"]) == set(table["stored"]) == {"open"}
    assert counts(table).loc["all", "open"] == len(ledger())


def test_the_newest_finished_run_of_a_chapter_counts(places):
    runs, _ = places
    finished(runs, "old", row(verdict="differs"), started="2026-01-01")
    finished(runs, "new", row())
    finished(runs, "broken", row(verdict="differs"), started="2026-01-03", status="failed")
    table = collect(*places)
    assert table.loc[CELL, ["verdict", "stored", "run"]].tolist() == ["exact", "open", "meta/new"]
    assert counts(table).loc["Pont-Tuset & Marqués", "exact"] == 1
    assert got_worse(table).empty


@pytest.mark.parametrize(
    ("now", "worse"), [("exact", 0), ("within tolerance", 0), ("same trend", 1), ("not reproducible here", 1)]
)
def test_a_verdict_that_got_worse_is_found(places, now, worse):
    runs, stored = places
    write(stored / "meta.csv", row(verdict="within tolerance"))
    finished(runs, "smoke", row(verdict=now))
    assert len(got_worse(collect(*places))) == worse


def test_a_verdict_that_is_no_longer_given_is_worse(places):
    runs, stored = places
    write(stored / "meta.csv", row(), row("ponttuset.fig5"))
    finished(runs, "smoke", row())
    assert got_worse(collect(*places)).index.tolist() == ["ponttuset.fig5"]


def test_differences_are_ranked_by_what_the_paper_prints(places):
    runs, _ = places
    finished(
        runs, "smoke", row(verdict="same trend", here="90", difference=9.5),
        row("ponttuset.table2.fb.sabd", "differs", "1 2", "1 3", 1.0),
        row("wang.eq5", "differs", "holds", "does not hold", float("nan"), "x and y are mixed"),
    )  # fmt: skip
    table = collect(*places)
    assert worst(table).index.tolist() == ["ponttuset.table2.fb.sabd", CELL]
    assert worst(table)["share"].tolist() == pytest.approx([0.5, 9.5 / 99.5])
    assert without_reason(table).index.tolist() == ["ponttuset.table2.fb.sabd"]


def test_unknown_rows_and_a_row_of_two_chapters_are_refused(places):
    _, stored = places
    write(stored / "meta.csv", row("nonsense"))
    with pytest.raises(InputError, match="got nonsense"):
        collect(*places)
    write(stored / "meta.csv", row())
    write(stored / "other.csv", row())
    with pytest.raises(InputError, match="one chapter"):
        collect(*places)
    (stored / "other.csv").write_text("row\n")
    with pytest.raises(InputError, match="columns row, verdict"):
        collect(*places)


def test_the_verb_prints_counts_and_fails_when_one_got_worse(tmp_path, monkeypatch, capsys):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "index.toml").write_text("")
    monkeypatch.setenv("PROPEVAL_HOME", str(tmp_path))
    write(tmp_path / "data" / "results" / "ledger" / "meta.csv", row())
    assert main(["ledger"]) == 0
    assert "Worse" not in capsys.readouterr().out
    finished(tmp_path / "runs", "smoke", row(verdict="differs", here="9", difference=90.5))
    assert main(["ledger", "--rows"]) == 1
    out = capsys.readouterr().out
    assert all(
        title in out for title in ("All rows", "differ most", "No reason given", "Worse than the stored")
    )
