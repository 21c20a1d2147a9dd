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
    results.fresh_or_stored(pd.DataFrame({"a": [1]}), "voc", "t", "made up")
    assert list(tmp_path.iterdir()) == []


def test_fresh_results_are_offered_with_their_provenance(folder):
    fresh = results.fresh_or_stored(pd.DataFrame({"a": [1.5]}), "voc", "t", "VOC, 3 images")
    record = json.loads((folder / "results" / "voc" / "t.json").read_text())
    assert (record["source"], record["commit"], record["rows"]) == ("VOC, 3 images", "abc", 1)
    assert fresh.known and not fresh.stored
    assert "VOC, 3 images; nb, profile default" in results.show_table(fresh.table, "t", fresh)._repr_html_()


def test_a_stored_result_is_stamped_with_the_run_that_made_it(folder):
    stored = results.fresh_or_stored(None, "voc2007", "hosang_recall", "not used")
    shown = results.show_table(stored.table.head(2), "t", stored)._repr_html_()
    assert "stored run of hosang_recall, profile paper, commit " in shown
    assert "profile default" not in shown and "not used" not in shown
    assert not (folder / "results").exists()


def test_what_nobody_has_computed_says_so(folder):
    nothing = results.fresh_or_stored(None, "voc2007", "nosuch", "made up")
    assert not nothing.known and nothing.table is None
    assert nothing.origin == "no stored run of voc2007: run the profile paper"


def test_unknown_published_table():
    with pytest.raises(InputError, match="expected a table of data/published, got 'nosuch'"):
        results.published("nosuch")


def test_a_sentence_is_markdown_made_by_a_cell():
    said = results.say("Recall is **0.5** $(n = 3)$.")
    assert said._repr_markdown_() == repr(said) == "Recall is **0.5** $(n = 3)$."
    with pytest.raises(InputError, match="expected a sentence to say, got none"):
        results.say(" ")


def test_every_name_of_results_exists():
    assert all(hasattr(results, name) for name in results.__all__)
