"""What counting costs: boxes tried are checked by hand, seconds only for where they come from."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.studies import wang_hit_costs as costs
from propeval_lite.studies import wang_hit_probability as study


def objects_of(*rows):
    """One data set of objects in images of 3 x 3 points, which have 9 candidates."""
    table = pd.DataFrame(rows, columns=study.BOX).assign(dataset="a", spec="s", W=3, H=3)
    return table.assign(candidates=9)


def test_work():
    # The whole image of 3 x 3 points at tau = 1/2: by hand, halves (2 x 1) hit too.
    box, points = (1, 1, 3, 3), (1, 2, 3)
    pairs = list(combinations(points, 2))
    hits = [(a, b, c, d) for a, c in pairs for b, d in pairs if study.corner_iou(a, b, c, d, box) >= 0.5]
    tried = len({hit[:2] for hit in hits}) * len({hit[2:] for hit in hits})
    assert (len(hits), tried) == (5, 9)
    assert costs.pairs_tried(box, (3, 3), "1/2") == 9
    assert costs.pairs_tried(box, (3, 3), 1) == 1
    row = costs.work_table(objects_of(box), [0.5]).iloc[0]
    assert row[["objects", "candidates", "pairs", "hits", "candidates / pairs"]].tolist() == [1, 9, 9, 5, 1]
    assert row["pairs / hits"] == 9 / 5


@pytest.mark.parametrize("method", ["exhaustive", "algorithm1", "exact"])
def test_seconds_leave_the_threads_alone(method):
    before = costs.threads()
    hits, seconds = costs.seconds_each(objects_of((1, 1, 3, 3), (1, 1, 2, 2)), 1, method, 2)
    assert hits.tolist() == [1, 1] and 0 <= seconds < 60
    assert costs.threads() == before


def test_table_1():
    paper = pd.DataFrame({"dataset": "VOC 2007", "tau": 0.5, "method": ["Exhaustion", "Algorithm 1"],
                          "seconds_per_object": [40.0, 2.0]})  # fmt: skip
    here = pd.DataFrame({"dataset": ["voc", "photos"], "spec": ["voc2007", "photos"], "tau": 0.5})
    both = costs.table_1(paper, here.assign(s=[3, 4]), here.assign(**{"candidates / pairs": [18, 19]}))
    both = both.set_index("spec")
    assert both.loc["voc2007", ["dataset", "paper's ratio", "s", "candidates / pairs"]].tolist() == [
        "VOC 2007", 20, 3, 18]  # fmt: skip
    assert both.loc["photos", "dataset"] == "photos" and np.isnan(both.loc["photos", "paper's ratio"])


def test_table_1_times_all_ways_on_images_up_to_the_middle_one(monkeypatch):
    """With seconds of 1 per candidate by exhaustion, 2 per object by Algorithm 1 and 1 by the exact count."""
    asked = []

    def seconds_each(objects, tau, method, repeats=1):
        asked.append((method, tau, len(objects)))
        each = {"exhaustive": objects["candidates"].mean(), "algorithm1": 2.0, "exact": 1.0}[method]
        return costs.count_hits(objects[study.BOX], objects[study.SIZE], tau), each

    monkeypatch.setattr(costs, "seconds_each", seconds_each)
    # The middle image has 9 candidates; the last one, of 36, is too large to be timed by the slow ways.
    objects = pd.concat([objects_of((1, 1, 3, 3), (1, 1, 2, 2)),
                         objects_of((1, 1, 2, 3)).assign(W=4, H=4, candidates=36)])  # fmt: skip
    timed = costs.time_ways(objects, (1, 5), [0.5, 0.8], np.random.default_rng(0))
    # The two columns of seconds that stand side by side are of the same objects.
    assert asked[:3] == [("exhaustive", 0.5, 1), ("algorithm1", 0.5, 2), ("exact", 0.5, 2)]
    assert asked[3:] == [("algorithm1", 0.8, 2), ("exact", 0.8, 2)]
    row = timed.seconds.iloc[0]
    assert row.tolist() == ["a", "s", 0.5, 9, 2, 1, 4.5, 2]
    # By hand: five boxes hit the whole image at 1/2. The box of one step is hit by itself and two of twice its size.
    assert timed.sample.iloc[0].tolist() == ["a", 0.5, 1, 2, 5 + 3]
    assert timed.sample["tau"].tolist() == [0.5, 0.8]


def test_counts_that_differ_stop_the_clock(monkeypatch):
    monkeypatch.setattr(costs, "seconds_each", lambda objects, tau, method, repeats=1: (np.array([7]), 1.0))
    with pytest.raises(InputError, match="object 0: expected 5 hits, got 7 by exhaustion"):
        costs.time_ways(objects_of((1, 1, 3, 3)), (1, 1), [0.5], np.random.default_rng(0))


def test_copies_lie_inside_near_the_centre():
    table = costs.centred((60, 45), 0.2)
    assert len(table.drop_duplicates()) == 25
    assert ((table["x2"] - table["x1"] == 12) & (table["y2"] - table["y1"] == 9)).all()
    # (60 - 12) / 2 = 24, shifted by 2 to 6.
    assert (table["x1"].min(), table["x1"].max()) == (26, 30)
    large = costs.centred((60, 45), 0.95)
    assert large["x2"].max() <= 60 and large["y2"].max() <= 45


def test_growth():
    growth = costs.growth_table((24, 18), 0.5, (0.1, 0.2, 0.3, 0.5), (0.5, 0.9))
    assert growth.groupby("varied", sort=False)["value"].unique().map(list).tolist() == [
        [2, 5, 7, 12], [0.5, 0.9]]  # fmt: skip
    assert growth.groupby(["varied", "value"])["method"].apply(list).map(tuple).unique().tolist() == [
        tuple(costs.WAYS.values())
    ]
    first = costs.centred((24, 18), 0.5).iloc[:1]
    exact = costs.count_hits(first[study.BOX], first[study.SIZE], 0.9)[0]
    assert growth.query("varied == 'tau' and value == 0.9")["hits"].tolist() == 3 * [exact]
    assert (growth["seconds"] >= 0).all()


def test_growth_factors():
    rows = [("width", 2, 1.0), ("width", 5, 3.0), ("width", 9, 8.0), ("tau", 0.5, 6.0), ("tau", 0.9, 4.0)]
    growth = pd.DataFrame(rows, columns=["varied", "value", "seconds"]).assign(method="m")
    assert costs.growth_factors(growth).loc["m"].to_dict() == {"width": 8, "tau": 1.5}
