"""Tables of the study of chance, on inputs small enough to check by hand."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from propeval_lite.chance import count_hits
from propeval_lite.datasets import load_dataset
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.results import Result
from propeval_lite.studies import wang_hit_probability as study


def objects_of(*rows):
    """One data set of objects in images of 3 x 3 points, which have 9 candidates."""
    table = pd.DataFrame(rows, columns=study.BOX).assign(dataset="a", spec="s", W=3, H=3)
    return table.assign(candidates=9)


def test_iou_of_corners():
    assert study.corner_iou(0, 0, 2, 2, (1, 0, 3, 2)) == pytest.approx(2 / 6)
    assert study.corner_iou(0, 0, np.array([1, 3]), 2, (1, 0, 3, 2)) == pytest.approx([0, 4 / 6])


def test_sliding_curves_peak_at_the_own_side():
    box = (10, 20, 30, 60)
    curves = study.sliding_curves(box)
    best = curves.reset_index(drop=True).groupby(["side", "first_corner"])["iou"].idxmax()
    position = curves["position"].to_numpy()[best]
    assert dict(zip(best.index.get_level_values("side"), position, strict=True)) == {
        "right side": 30, "lower side": 60}  # fmt: skip
    # First corner (4, 8), right side 30, lower side 80: they share 20 * 40 of 26 * 72.
    row = curves.query("side == 'right side' and first_corner == 'left and above' and position == 30")
    assert row["iou"].item() == pytest.approx(800 / 1872)


def test_printed_spans_agree_only_at_zero():
    spans = study.printed_spans([[0, 0, 60, 40], [30, 0, 90, 40]], 0.5)
    low = {key: part["low"].to_numpy() for key, part in spans.groupby(["place", "formula"])}
    assert np.allclose(low[0, "derived"], low[0, "as printed"], equal_nan=True)
    assert not np.allclose(low[30, "derived"], low[30, "as printed"], equal_nan=True)
    near = study.printed_spans([[0, 0, 60, 40]], 0.5, far=10)
    assert near["low"].abs().max() < 10 and near["low"].isna().any()


@pytest.mark.parametrize(("corner", "partner"), [("min", (120, 65)), ("max", (-10, -5))])
def test_rows_of_a_given_partner(corner, partner):
    box = (10, 5, 110, 55)
    rows = study.partner_rows(box, 0.5, corner, (0.1 if corner == "min" else 0.2, 0.2))
    assert (rows[["partner_x", "partner_y"]].to_numpy() == partner).all()
    for side in ("low", "high"):
        pair = (rows["x"], rows[side], *partner) if corner == "min" else (*partner, rows["x"], rows[side])
        assert (study.corner_iou(*pair, box) >= 0.5 - 1e-9).all()
    whole = study.partner_rows(box, 0.5, corner, (0, 0))
    assert len(rows) < len(whole) == 241
    assert whole["low"].min() <= rows["low"].min() and rows["high"].max() <= whole["high"].max()


def test_rounding_errors():
    ways = {"right": lambda n, total, k: n * k / total, "double": lambda n, total, k: 2 * n * k / total}
    table = study.rounding_errors(ways, lambda n, total, k: Decimal(n * k) / total, [4, 2**21], [1, 4])
    # Four draws of four candidates, one of them a hit, cannot miss.
    assert table[["k", "candidates", "hits"]].drop_duplicates().to_numpy().tolist() == [
        [1, 4, 1], [1, 2**21, 2], [4, 2**21, 2]]  # fmt: skip
    assert table.groupby("way")["relative_error"].max().to_dict() == {"right": 0, "double": 1}


def test_object_table_and_shares():
    images = pd.DataFrame({"image_id": ["i"], "width": [4], "height": [2]})
    row = {"image_id": "i", "object_id": 7, "category": "cat"}
    found = pd.DataFrame([row]).reindex(columns=no_objects().columns.union([*row], sort=False))
    data = Dataset.__new__(Dataset)
    object.__setattr__(data, "objects", found)
    object.__setattr__(data, "images", images)
    object.__setattr__(data, "provenance", {"spec": "s"})
    table = study.object_table(data, "a", [(1, 1, 3, 2)], [(5, 3)], {"hits": [4]})
    values = dict(zip(table.columns, table.iloc[0], strict=True))
    assert values == {"dataset": "a", "spec": "s", **row, "x1": 1, "y1": 1, "x2": 3, "y2": 2,
                      "W": 5, "H": 3, "candidates": 30, "hits": 4}  # fmt: skip
    assert study.shares(table).tolist() == [2 / 8]


def test_summary_is_the_mean_of_hprs():
    table = objects_of((1, 1, 2, 2), (1, 1, 3, 3)).assign(**{"hits_0.5": [1, 3]})
    row = study.summarise(table, ["dataset", "spec"], [0.5], [1]).iloc[0]
    assert (row["dataset"], row["tau"], row["k"], row["objects"]) == ("a", 0.5, 1, 2)
    assert row["mean"] == row["median"] == pytest.approx(2 / 9)
    assert row["q10"] == pytest.approx(1.2 / 9) and row["q90"] == pytest.approx(2.8 / 9)


def stored(table, name):
    """What `fresh_or_stored` says when only a table of voc2012 is stored."""
    known = Result(pd.DataFrame({"spec": ["voc2012"], "v": [9]}), f"stored {name}", stored=True)
    return lambda fresh, spec, name, source: (
        Result(fresh, source, stored=False) if fresh is not None
        else known if spec == table else Result(None, f"no {spec}", stored=False)
    )  # fmt: skip


def test_on_voc_prefers_this_run(monkeypatch):
    offered = []

    def fresh_or_stored(fresh, spec, name, source):
        offered.append((spec, None if fresh is None else fresh["v"].tolist()))
        return stored("voc2012", name)(fresh, spec, name, source)

    fresh = pd.DataFrame({"spec": ["voc2007", "photos"], "v": [1, 2]})
    monkeypatch.setattr(study, "fresh_or_stored", fresh_or_stored)
    result = study.on_voc("t", fresh, "this run")
    assert result.table["v"].tolist() == [1, 9]
    assert (result.origin, result.stored) == ("this run; stored t", False)
    assert offered == [("voc2007", [1]), ("photos", [2]), ("voc2012", None)]
    only = study.on_voc("t", fresh[1:], "this run")
    assert (only.table["v"].tolist(), only.origin, only.stored) == ([9], "stored t", True)


def test_without_voc_the_rows_of_this_run_are_shown(monkeypatch):
    monkeypatch.setattr(study, "fresh_or_stored", stored("nothing", "t"))
    fresh = pd.DataFrame({"spec": ["photos"], "v": [2]})
    result = study.on_voc("t", fresh, "this run")
    assert result.table is fresh
    assert result.origin == "this run; no voc2007"


def test_made_up_cases_are_of_their_kind_and_of_the_seed():
    cases = study.made_up_cases(40, np.random.default_rng(3))
    assert [case.kind for case in cases[:5]] == [*study.KINDS, study.KINDS[0]]
    for kind, (x1, y1, x2, y2), (w, h), tau in cases:
        assert 1 <= x1 < x2 <= w <= 12 and 1 <= y1 < y2 <= h <= 12 and tau in study.TAUS
        assert kind != "border" or (x1, y1) == (1, 1)
        assert kind != "whole image" or (x1, y1, x2, y2) == (1, 1, w, h)
        assert kind != "one by one" or (x2 - x1, y2 - y1) == (1, 1)
    assert cases == study.made_up_cases(40, np.random.default_rng(3))
    assert cases != study.made_up_cases(40, np.random.default_rng(4))


@pytest.mark.parametrize("method", ["exhaustive", "algorithm1", "exact"])
def test_counts_of_cases_keep_their_order(method):
    # By hand: at 1 only the box itself; at 1/2 of the whole image of 3 x 3 points also its four halves.
    cases = [study.Case("whole image", [1, 1, 3, 3], (3, 3), tau) for tau in ("1/2", "1", "1/2")]
    assert study.count_cases(cases, method).tolist() == [5, 1, 5]


def test_wrong_counts():
    cases = [study.Case(kind, [1, 1, 2, 2], (2, 2), "1") for kind in ("b", "a", "b")]
    table = study.wrong_counts(
        cases, np.array([4, 5, 6]), {"x": np.array([4, 5, 7]), "y": np.array([0, 0, 0])}
    )
    assert table.to_numpy().tolist() == [["b", 2, 10, 1, 2], ["a", 1, 5, 0, 1]]


def test_equation_table():
    table = study.equation_table([("p", 9, 1, 0), ("q", 9, 0, 0), ("p", 4, 2, 3), ("p", 1, 0, 0)])
    assert table.columns.tolist() == [
        "equation", "boxes", "boxes wrong", "corners", "corners missed", "corners wrongly added"]  # fmt: skip
    assert table.to_numpy().tolist() == [["p", 3, 2, 14, 3, 3], ["q", 1, 0, 9, 0, 0]]


def test_regions_of_all_partners():
    box = (10, 5, 110, 55)
    regions = study.partner_regions(box, 0.5)
    partners = regions.drop_duplicates(["corner", "partner"]).set_index(["corner", "partner"])
    assert partners.index.tolist() == [(corner, name) for corner in ("min", "max") for name in study.PARTNERS]
    # A corner outside lies 0.4 (1 - tau) of the width and 0.3 (1 - tau) of the height beyond the own one.
    assert partners.loc[("min", "a corner outside"), ["partner_x", "partner_y"]].tolist() == [130, 62.5]
    assert partners.loc[("max", "a corner outside"), ["partner_x", "partner_y"]].tolist() == [-10, -2.5]
    assert partners.loc[("max", "the object's own corner"), ["partner_x", "partner_y"]].tolist() == [10, 5]


def test_counted_objects_of_two_data_sets_of_one_name():
    data = [load_dataset("scenes", n=n, width=40, height=32, seed=n) for n in (1, 2)]
    objects, seconds = study.count_objects(data, [0.5, 0.8], 0.6)
    assert list(seconds) == ["scenes", "scenes (2)"] and min(seconds.values()) > 0
    assert objects.groupby("dataset").size().tolist() == [len(d.objects) for d in data]
    assert objects["image_id"].nunique() == 2 and (objects["candidates"] == 820 * 528).all()
    assert ((objects["hits_0.8"] < objects["hits"]) & (objects["hits"] < objects["hits_0.5"])).all()
    assert objects["hits"].tolist() == count_hits(objects[study.BOX], objects[study.SIZE], 0.6).tolist()


def test_sizes_side_by_side():
    rows = [("over 30 %", "a", 3, 0.9), ("1–3 %", "a", 2, 0.1), ("1–3 %", "b", 5, 0.2)]
    table = study.by_size_beside(pd.DataFrame(rows, columns=["size", "dataset", "objects", "mean"]))
    assert table["size"].tolist() == ["1–3 %", "over 30 %"]
    assert table["a: objects"].tolist() == [2, 3] and table["a: HPRS"].tolist() == [0.1, 0.9]
    assert table["b: objects"].isna().tolist() == [False, True] and table["b: objects"].dtype == "Int64"
