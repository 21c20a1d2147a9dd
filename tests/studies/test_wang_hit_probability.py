"""Tables of the study of chance, on inputs small enough to check by hand."""

from decimal import Decimal
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from propeval_lite.datasets.base import Dataset, no_objects
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


def test_on_voc_prefers_this_run(monkeypatch):
    stored = pd.DataFrame({"spec": ["voc2012"], "v": [9]})
    fresh = pd.DataFrame({"spec": ["voc2007", "photos"], "v": [1, 2]})
    monkeypatch.setattr(study, "kept", lambda spec, name: stored if spec == "voc2012" else None)
    assert study.on_voc("t", fresh)["v"].tolist() == [1, 9]
    monkeypatch.setattr(study, "kept", lambda spec, name: None)
    assert study.on_voc("t", fresh[1:])["v"].tolist() == [2]


def test_sizes_side_by_side():
    rows = [("over 30 %", "a", 3, 0.9), ("1–3 %", "a", 2, 0.1), ("1–3 %", "b", 5, 0.2)]
    table = study.by_size_beside(pd.DataFrame(rows, columns=["size", "dataset", "objects", "mean"]))
    assert table["size"].tolist() == ["1–3 %", "over 30 %"]
    assert table["a: objects"].tolist() == [2, 3] and table["a: HPRS"].tolist() == [0.1, 0.9]
    assert table["b: objects"].isna().tolist() == [False, True] and table["b: objects"].dtype == "Int64"


def test_work():
    # The whole image of 3 x 3 points at tau = 1/2: by hand, halves (2 x 1) hit too.
    box, points = (1, 1, 3, 3), (1, 2, 3)
    pairs = list(combinations(points, 2))
    hits = [(a, b, c, d) for a, c in pairs for b, d in pairs if study.corner_iou(a, b, c, d, box) >= 0.5]
    tried = len({hit[:2] for hit in hits}) * len({hit[2:] for hit in hits})
    assert (len(hits), tried) == (5, 9)
    assert study.pairs_tried(box, (3, 3), "1/2") == 9
    assert study.pairs_tried(box, (3, 3), 1) == 1
    row = study.work_table(objects_of(box), [0.5]).iloc[0]
    assert row[["objects", "candidates", "pairs", "hits", "candidates / pairs"]].tolist() == [1, 9, 9, 5, 1]
    assert row["pairs / hits"] == 9 / 5


@pytest.mark.parametrize("method", ["exhaustive", "algorithm1", "exact"])
def test_seconds_leave_the_threads_alone(method):
    before = study.threads()
    hits, seconds = study.seconds_each(objects_of((1, 1, 3, 3), (1, 1, 2, 2)), 1, method, 2)
    assert hits.tolist() == [1, 1] and 0 <= seconds < 60
    assert study.threads() == before


def test_table_1():
    paper = pd.DataFrame({"dataset": "VOC 2007", "tau": 0.5, "method": ["Exhaustion", "Algorithm 1"],
                          "seconds_per_object": [40.0, 2.0]})  # fmt: skip
    here = pd.DataFrame({"dataset": ["voc", "photos"], "spec": ["voc2007", "photos"], "tau": 0.5})
    both = study.table_1(paper, here.assign(s=[3, 4]), here.assign(**{"candidates / pairs": [18, 19]}))
    both = both.set_index("spec")
    assert both.loc["voc2007", ["dataset", "paper's ratio", "s", "candidates / pairs"]].tolist() == [
        "VOC 2007", 20, 3, 18]  # fmt: skip
    assert both.loc["photos", "dataset"] == "photos" and np.isnan(both.loc["photos", "paper's ratio"])
