"""The recall study: covering in pieces, the tidy table, smaller pictures, and the switchboard of conventions."""

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import propeval_lite as pe
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.cover import cover, located, usable
from propeval_lite.cli import main
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.transforms import shrink, with_ignored
from propeval_lite.studies import hosang_recall as recall_study
from propeval_lite.studies import hosang_switchboard as switchboard

ROOT = Path(__file__).parents[2]
PAPER = {"kind": "integral", "matching": "greedy", "pixels": "edges", "ignore": "count"}


def toy(n=7, pixels="edges", origin=0, pictures=True, seed=0):
    """Make `n` small images with one to four whole-number boxes each, in the frame asked for."""
    rng = np.random.default_rng(seed)
    images = pd.DataFrame({"image_id": [f"i{k}" for k in range(n)], "width": 60, "height": 40})
    rows = []
    for image in images["image_id"]:
        for number in range(rng.integers(1, 5)):
            x, y = rng.integers(0, 30), rng.integers(0, 20)
            w, h = rng.integers(8, 30), rng.integers(8, 20)
            last = origin - (pixels == "inclusive")
            rows.append((image, number, "ab"[number % 2], x + origin, y + origin, x + w + last, y + h + last))
    columns = ["image_id", "object_id", "category", "x1", "y1", "x2", "y2"]
    objects = pd.DataFrame(rows, columns=columns).assign(ignore=False)
    read = (lambda image_id: np.full((40, 60, 3), int(image_id[1:]), np.uint8)) if pictures else None
    return Dataset("toy", images, objects, pixels=pixels, origin=origin, read_image=read)


@pytest.mark.parametrize("method", ["uniform", "sliding_window"])
@pytest.mark.parametrize("matching", ["greedy", "best"])
def test_pieces_of_any_size_give_the_same_table(method, matching):
    data, ways = toy(), [{"matching": matching}]
    (whole,) = cover(method, data, [5, 20, 60], 3, ways)
    for chunk in (1, 3, 7):
        (pieces,) = cover(method, data, [5, 20, 60], 3, ways, chunk=chunk)
        for name in ("iou", "rank", "image_row", "object_row", "category_code", "budgets"):
            np.testing.assert_array_equal(getattr(pieces, name), getattr(whole, name))
        assert (pieces.n_images, pieces.conventions) == (whole.n_images, whole.conventions)
        assert pieces.objects.equals(data.objects)


def test_coco_hits_are_joined_too():
    (whole,) = cover("uniform", toy(), [5, 20], 3, [{"matching": "coco"}])
    (pieces,) = cover("uniform", toy(), [5, 20], 3, [{"matching": "coco"}], chunk=2)
    np.testing.assert_array_equal(pieces.hit_rank, whole.hit_rank)


def test_methods_that_are_not_nested_propose_for_each_budget():
    data = toy()
    (table,) = cover("sliding_window", data, [5, 20, 60])
    for column, budget in enumerate([5, 20, 60]):
        alone = pe.match(data, pe.propose("sliding_window", data, budget), [budget])
        np.testing.assert_array_equal(table.iou[:, column], alone.iou[:, 0])
    first = pe.match(data, pe.propose("sliding_window", data, 60), [5])
    assert not np.array_equal(table.iou[:, 0], first.iou[:, 0])
    with pytest.raises(InputError, match=r'one budget with matching="coco", got 2 for sliding_window'):
        cover("sliding_window", data, [5, 20], conventions=[{"matching": "coco"}])


def test_stored_proposals_are_used_again():
    data, made = toy(), {}
    (first,) = cover("gaussian", data, [9], 1, made=made)
    ((key, proposals),) = made.items()
    assert key == ("gaussian", 9, 1)
    made[key] = pe.Proposals(proposals.image_ids, proposals.offsets, proposals.boxes[::-1], name="other")
    (second,) = cover("gaussian", data, [9], 1, made=made)
    assert not np.array_equal(first.iou, second.iou)
    cover("gaussian", data, [9], 2, made=made, chunk=2)
    assert len(made) == 1


def test_boxes_of_a_file_are_covered_whole(tmp_path):
    data = toy()
    path = tmp_path / "mine.csv"
    data.objects[["image_id", "x1", "y1", "x2", "y2"]].to_csv(path, index=False)
    (table,) = cover(f"file:{path}", data, [10], chunk=2)
    assert (table.iou == 1).all()
    assert usable([f"file:{path}"], data) == ([f"file:{path}"], [])
    assert usable([f"file:{path}"], data, files=False) == ([], [f"file:{path}"])


def test_bing_is_given_its_model(tmp_path, monkeypatch):
    monkeypatch.setenv("PROPEVAL_DATA", str(tmp_path))
    assert located("bing") == "bing"
    (tmp_path / "bing").mkdir()
    assert located("bing") == f"bing?model={tmp_path / 'bing'}"
    assert located("uniform") == "uniform"


def test_summary_holds_the_criteria_and_their_intervals():
    (table,) = cover("uniform", toy(), [5, 60])
    summary = recall_study.summarise({"a": table, "b": table}, taus=[0.5, 0.8], n=30)
    assert summary.columns.tolist() == [
        "dataset", "method", "budget", "criterion", "tau", "low", "value", "high",
    ]  # fmt: skip
    assert len(summary) == 2 * 2 * 3
    part = summary[summary["method"] == "b"].set_index(["criterion", "budget"])
    np.testing.assert_array_equal(part.loc["AR", "value"], pe.average_recall(table))
    np.testing.assert_array_equal(part[part["tau"] == 0.8]["value"], pe.recall(table, 0.8))
    assert part.loc["AR", "tau"].isna().all()
    assert ((summary["low"] <= summary["value"]) & (summary["value"] <= summary["high"])).all()


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([("edges", 0), ("inclusive", 1), ("inclusive", 0)]),
    st.integers(10, 80),
    st.integers(0, 9),
)
def test_smaller_pictures_keep_relative_boxes(frame, longest, seed):
    data = toy(pixels=frame[0], origin=frame[1], seed=seed)
    small = shrink(data, longest)
    if longest >= 60:
        assert small is data
        return
    assert small.images[["width", "height"]].to_numpy().max() == longest
    assert small.image("i3").shape == (*small.images.loc[3, ["height", "width"]], 3)
    extra = frame[0] == "inclusive"

    def relative(d):
        boxes = d.objects[["x1", "y1", "x2", "y2"]].to_numpy(dtype=float) - frame[1] + [0, 0, extra, extra]
        return boxes / np.tile(
            d.images[["width", "height"]].to_numpy()[d.image_rows(d.objects["image_id"])], 2
        )

    np.testing.assert_allclose(relative(small), relative(data), rtol=0, atol=1e-12)


def test_what_cannot_shrink_stays():
    boxes_only, data = toy(pictures=False), toy()
    assert shrink(boxes_only, 10) is boxes_only
    assert shrink(data, 0) is data
    with pytest.raises(InputError, match="longest"):
        shrink(data, -1)


def test_inclusive_boxes_keep_at_least_a_pixel():
    small = shrink(toy(pixels="inclusive", origin=1), 3)
    boxes = small.objects[["x1", "y1", "x2", "y2"]].to_numpy()
    assert (boxes[:, 2:] >= boxes[:, :2]).all()
    assert (boxes[:, 2:] == boxes[:, :2]).any()


def test_size_histogram_leaves_out_what_is_ignored():
    data = toy()
    table = recall_study.size_histogram(data, 8)
    assert table["objects"].sum() == len(data.objects)
    assert np.isclose(table["share"].sum(), 1)
    marked = data.objects.assign(ignore=data.objects["object_id"] > 0, crowd=data.objects["x1"] > 15)
    fewer = Dataset("fewer", data.images, marked)
    kept = (~marked["ignore"] & ~marked["crowd"]).sum()
    assert 0 < recall_study.size_histogram(fewer)["objects"].sum() == kept < len(marked)
    none = Dataset("none", data.images, data.objects[:0])
    assert recall_study.size_histogram(none)["share"].isna().all()


def flagged():
    data = toy(12)
    objects = data.objects.assign(visible=np.where(data.objects["object_id"] == 1, 0.4, 1.0))
    return with_ignored(Dataset("toy", data.images, objects), 0.9)


def test_marks_come_from_every_source():
    data = toy()
    assert with_ignored(data, 0.9).objects["ignore"].sum() == 0
    assert flagged().objects["ignore"].equals(flagged().objects["object_id"] == 1)
    objects = data.objects.assign(
        difficult=data.objects["object_id"] == 2, ignore=data.objects["object_id"] == 0
    )
    marks = with_ignored(Dataset("toy", data.images, objects), 0.9).objects["ignore"]
    assert marks.equals(data.objects["object_id"].isin([0, 2]))
    with pytest.raises(InputError, match="min_visible"):
        with_ignored(data, 2)


def test_switchboard_is_what_match_and_average_recall_say():
    data = flagged()
    board = switchboard.switchboard(["uniform", "sliding_window"], data, 30, seed=5)
    assert len(board) == 2 * 72
    for row in board[board["method"] == "uniform"].sample(20, random_state=0).itertuples():
        if (row.kind, row.matching) == ("integral", "coco"):
            assert np.isnan(row.AR)
            continue
        table = pe.match(data, pe.propose("uniform", data, 30, 5), 30, row.matching, row.pixels, row.ignore,
                         thresholds=np.linspace(0.5, 1, 11))  # fmt: skip
        assert float(pe.average_recall(table, row.kind)) == row.AR


def test_effects_find_changes_and_flips():
    rows = []
    for place in product(*switchboard.SWITCHES.values()):
        setting = dict(zip(switchboard.SWITCHES, place, strict=True))
        a, b = 0.5, 0.4
        if setting["pixels"] == "inclusive":
            a, b = 0.41, 0.45
        for method, value in (("a", a), ("b", b), ("c", 0.1)):
            known = setting["kind"] != "integral" or setting["matching"] != "coco"
            rows.append({**setting, "method": method, "AR": value if known else np.nan})
    table = switchboard.effects(pd.DataFrame(rows), PAPER)
    assert len(table) == 66
    assert table.iloc[0][list(PAPER)].to_dict() == PAPER
    assert (table["turned"] == 0).sum() == 1
    inclusive = table["pixels"] == "inclusive"
    assert set(table.loc[inclusive, "flipped"]) == {"a/b"}
    assert set(table.loc[~inclusive, "flipped"]) == {""}
    np.testing.assert_allclose(table["change"], np.where(inclusive, -0.09, 0))
    assert set(table.loc[inclusive, "moved"]) == {"a"}


@pytest.mark.data
def test_published_table_is_the_authors_file(real_data):
    from scipy.io import loadmat

    table = pd.read_csv(ROOT / "data" / "published" / "hosang_recall.csv")
    content = loadmat(real_data / "hosang" / "pascal_voc07_test_recall.mat", squeeze_me=True)
    levels, curves, ars = content["iou_thresholds"], content["recalls"], content["ARs"]
    assert len(table) == 3 * len(ars) == 75
    for i, entry in enumerate(content["methods"]):
        rows = table[table["method"] == entry["name"]].set_index("tau")["value"]
        expected = [ars[i], curves[i, levels == 0.5][0], curves[i, levels == 0.8][0]]
        np.testing.assert_allclose(rows, expected, atol=5e-7)
    # The published AR is the integral: it lies between the sums at the left and the right ends.
    assert (curves[:, 1:].mean(axis=1) <= ars).all()
    assert (ars <= curves[:, :-1].mean(axis=1)).all()


@pytest.mark.site
def test_the_recipe_of_the_page_runs(tmp_path, monkeypatch, capsys):
    annotations = [
        {"id": i, "image_id": 7, "category_id": 1, "bbox": [20 * i, 20, 60, 50], "area": 3000, "iscrowd": 0}
        for i in range(1, 4)
    ]
    content = {"images": [{"id": 7, "width": 200, "height": 150}], "annotations": annotations,
               "categories": [{"id": 1, "name": "thing"}]}  # fmt: skip
    (tmp_path / "instances.json").write_text(json.dumps(content))
    (tmp_path / "my_boxes.csv").write_text("image_id,x1,y1,x2,y2,score\n7,20,20,80,70,0.9\n")
    monkeypatch.setenv("PROPEVAL_HOME", str(ROOT))
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "notebooks" / "hosang_recall.ipynb").read_text()
    command = re.search(r"propeval (run hosang_recall --method file:my_boxes.csv[^\\\"]*)", text)[1].split()
    assert command[-2:] == ["--dataset", "coco:instances.json"]
    assert main([*command, "--profile", "smoke", "--output", str(tmp_path / "runs"), "--quiet"]) == 0
    kinds = pd.read_csv(tmp_path / "runs" / "hosang_recall" / "smoke" / "ar_kinds.csv").set_index("method")
    assert np.isclose(kinds.loc["my_boxes", "integral"], 1 / 3)
