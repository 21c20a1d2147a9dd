import json

import pandas as pd
import pytest

from propeval_lite import results
from propeval_lite._checks.values import InputError
from propeval_lite.figures.style import new_figure

RECORD = {
    "notebook": "nb", "profile": "default", "commit": "abc", "started": "2026-01-02T03:04:05+00:00",
    "python": "3", "parameters": {"k": 1}, "versions": {"propeval-lite": "0.1.0"}, "digests": {"data": "00"},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "run.json").write_text(json.dumps(RECORD))
    monkeypatch.setenv("PROPEVAL_RUN_FOLDER", str(tmp_path))
    return tmp_path


def line():
    figure, axes = new_figure()
    axes.plot([0, 1], [0, 1])
    return figure


def test_figure_has_alt_provenance_and_numbers(folder):
    shown = results.show_figure(line(), "line", 'a "rising" line', "made up", pd.DataFrame({"x": [0, 1]}))
    assert 'alt="a &quot;rising&quot; line"' in shown._repr_html_()
    assert "made up; nb, profile default, propeval-lite 0.1.0 (commit abc), 2026-01-02" in shown._repr_html_()
    assert 'href="./line.csv"' in shown._repr_html_()
    assert (folder / "line.svg").read_text().startswith("<?xml")
    assert pd.read_csv(folder / "line.csv")["x"].tolist() == [0, 1]


def test_the_same_figure_is_the_same_file():
    assert results.figure_svg(line()) == results.figure_svg(line())


def test_a_figure_needs_alt_text():
    with pytest.raises(InputError, match="line: expected alt text"):
        results.show_figure(line(), "line", " ", "made up")


def test_table_is_written_unrounded_and_shown_rounded(folder):
    table = pd.DataFrame({"n": [1234567], "value": [0.123456789], "none": [float("nan")]})
    shown = results.show_table(table, "t", "made up", digits=3)
    assert "1,234,567" in shown._repr_html_()
    assert ">0.123<" in shown._repr_html_()
    assert ">–<" in shown._repr_html_()
    assert pd.read_csv(folder / "t.csv")["value"][0] == 0.123456789


def test_opened_by_hand_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv("PROPEVAL_RUN_FOLDER", raising=False)
    monkeypatch.chdir(tmp_path)
    results.show_table(pd.DataFrame({"a": [1]}), "t", "made up")
    results.keep(pd.DataFrame({"a": [1]}), "voc", "t", "made up")
    assert list(tmp_path.iterdir()) == []


def test_kept_results_carry_their_provenance(folder):
    results.keep(pd.DataFrame({"a": [1.5]}), "voc", "t", "VOC, 3 images")
    record = json.loads((folder / "results" / "voc" / "t.json").read_text())
    assert record["source"] == "VOC, 3 images"
    assert record["commit"] == "abc"
    assert results.kept("voc", "nosuch") is None


def test_unknown_published_table():
    with pytest.raises(InputError, match="expected a table of data/published, got 'nosuch'"):
        results.published("nosuch")


def test_origin_names_the_run_behind_a_stored_table(folder):
    assert results.origin("voc2007", "nosuch") == "no stored run"
    stored = results.origin("voc2007", "hosang_recall")
    assert stored.startswith("stored run of hosang_recall, profile paper, commit ")
    results.keep(pd.DataFrame({"a": [1]}), "voc2007", "hosang_recall", "made up")
    assert results.origin("voc2007", "hosang_recall") == "computed in this run"
