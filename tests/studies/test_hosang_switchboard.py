"""The switchboard: what it holds, and what is read off it."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from toys import one_hidden, toy

import propeval_lite as pe
from propeval_lite.results import Result
from propeval_lite.studies import hosang_switchboard as switchboard

PAPER = {"kind": "integral", "matching": "greedy", "pixels": "edges", "ignore": "count"}


def test_marked_objects_are_counted():
    data, number = switchboard.marked(one_hidden(), 0.9)
    assert number == (data.objects["object_id"] == 1).sum() == data.objects["ignore"].sum() > 0


def test_switchboard_is_what_match_and_average_recall_say():
    data, _ = switchboard.marked(one_hidden(), 0.9)
    board = switchboard.switchboard(["uniform", "sliding_window"], data, 30, seed=5)
    assert len(board) == 2 * 72
    for row in board[board["method"] == "uniform"].sample(20, random_state=0).itertuples():
        if (row.kind, row.matching) == ("integral", "coco"):
            assert np.isnan(row.AR)
            continue
        table = pe.match(data, pe.propose("uniform", data, 30, 5), 30, row.matching, row.pixels, row.ignore,
                         thresholds=np.linspace(0.5, 1, 11))  # fmt: skip
        assert float(pe.average_recall(table, row.kind)) == row.AR


def board():
    """AR of three methods, of which two change places where pixels are inclusive, one of them twice as far in coco."""
    rows = []
    for place in product(*switchboard.SWITCHES.values()):
        setting = dict(zip(switchboard.SWITCHES, place, strict=True))
        a, b = 0.5, 0.4
        if setting["pixels"] == "inclusive":
            a, b = (0.41, 0.45) if setting["kind"] != "coco" else (0.32, 0.45)
        for method, value in (("a", a), ("b", b), ("c", 0.1)):
            known = setting["kind"] != "integral" or setting["matching"] != "coco"
            rows.append({**setting, "method": method, "AR": value if known else np.nan})
    return pd.DataFrame(rows)


def test_effects_find_changes_and_flips():
    table = switchboard.effects(board(), PAPER)
    assert len(table) == 66
    assert table.iloc[0][list(PAPER)].to_dict() == PAPER
    assert (table["turned"] == 0).sum() == 1
    inclusive, coco = table["pixels"] == "inclusive", table["kind"] == "coco"
    assert set(table.loc[inclusive, "flipped"]) == {"a/b"}
    assert set(table.loc[~inclusive, "flipped"]) == {""}
    np.testing.assert_allclose(table["change"], np.where(inclusive, np.where(coco, -0.18, -0.09), 0))
    assert set(table.loc[inclusive, "moved"]) == {"a"}


def test_one_switch_at_a_time():
    table = switchboard.one_switch(switchboard.effects(board(), PAPER), PAPER, ["a", "c"])
    assert table.columns.tolist() == ["setting", "change", "moved", "a", "c", "flipped"]
    # Two other kinds, two one-to-one matchings more that have an integral, one convention, two policies.
    assert len(table) == 1 + 2 + 2 + 1 + 2
    assert table["setting"].iloc[[0, -1]].tolist() == ["the paper's", "pixels = inclusive"]
    moves = switchboard.largest_moves(table)
    assert moves.index.tolist() == list(PAPER)
    np.testing.assert_allclose(moves, [0, 0, 0.09, 0], atol=1e-12)


def test_every_combination_in_words():
    table = switchboard.every_combination(switchboard.effects(board(), PAPER))
    assert table.columns.tolist() == ["matching", "ignore", "pixels", "integral", "coco", "sum"]
    assert len(table) == 24
    rows = table.set_index(["matching", "ignore", "pixels"])
    assert rows.loc[("best", "absorb", "inclusive")].tolist() == [
        "-0.090 · 1 flipped",
        "-0.180 · 1 flipped",
        "-0.090 · 1 flipped",
    ]
    assert rows.loc[("greedy", "count", "edges"), "sum"] == "+0.000"
    assert rows["integral"].isna().sum() == 6


def test_flips_are_counted_with_their_distance():
    (row,) = switchboard.flips(switchboard.effects(board(), PAPER)).to_dict("records")
    assert row == {"pair": "a/b", "settings": 33, "of": 65, "AR apart": pytest.approx(0.1)}
    still = board().assign(AR=lambda rows: rows["AR"].where(rows["AR"].isna(), rows["method"].map(ord)))
    assert switchboard.flips(switchboard.effects(still, PAPER)).empty


def test_a_stored_table_comes_back_as_it_was(tmp_path):
    table = switchboard.one_switch(switchboard.effects(board(), PAPER), PAPER, ["a"])
    table[:4].to_csv(tmp_path / "few.csv", index=False)
    stored = Result(pd.read_csv(tmp_path / "few.csv"), "a run", stored=True)
    assert switchboard.stored_switches(stored)["flipped"].tolist() == [""] * 4
    none = switchboard.stored_switches(Result(None, "no stored run", stored=False))
    assert none.to_dict("list") == {"setting": ["no stored run"]}


def test_pixels_matter_by_size_of_object():
    data = toy(pixels="inclusive", origin=1)
    table = switchboard.pixels_by_size(["uniform", "gaussian"], data, 40, 2, bounds=[0, 16, np.inf])
    assert table["side of object"].tolist() == ["0 to 16 px", "16 px and more"]
    sides = data.objects[["x2", "y2"]].to_numpy() - data.objects[["x1", "y1"]].to_numpy() + 1
    small = np.sqrt(sides.prod(axis=1)) < 16
    assert table["objects"].tolist() == [small.sum(), (~small).sum()]
    for way in ("edges", "inclusive"):
        ious = [
            pe.match(data, pe.propose(name, data, 40, 2), [40], pixels=way).iou[:, 0]
            for name in ("uniform", "gaussian")
        ]
        for row, part in enumerate((small, ~small)):
            expected = np.mean([2 * np.maximum(iou[part] - 0.5, 0).mean() for iou in ious])
            assert table[way][row] == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(table["change"], table["inclusive"] - table["edges"])
    np.testing.assert_allclose(table["in %"], 100 * table["change"] / table["edges"])
