"""Proposals: the container, its bad input, and every file format there and back."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.proposals.container import Proposals
from propeval_lite.proposals.files import READERS, WRITERS, read_proposals, write_proposals


def make_dataset(ids, width=100, height=80, **fields):
    images = pd.DataFrame({"image_id": ids, "width": width, "height": height})
    return Dataset("toy", images, no_objects(), **fields)


def random_proposals(seed=0, ids=("b", "a", "c"), counts=(3, 0, 4), scores=True, **fields):
    rng = np.random.default_rng(seed)
    n = sum(counts)
    low = rng.uniform(1, 40, (n, 2))
    boxes = np.concatenate((low, low + rng.uniform(1, 30, (n, 2))), axis=1)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    return Proposals(list(ids), offsets, boxes, rng.uniform(size=n) if scores else None, **fields)


def same(a, b, order=True):
    a, b = (p if order else p.aligned(make_dataset(sorted(p.image_ids.tolist()))) for p in (a, b))
    np.testing.assert_array_equal(a.image_ids, b.image_ids)
    np.testing.assert_array_equal(a.offsets, b.offsets)
    np.testing.assert_allclose(a.boxes, b.boxes, rtol=0, atol=1e-12)
    assert (a.scores is None) == (b.scores is None)
    if a.scores is not None:
        np.testing.assert_array_equal(a.scores, b.scores)


# --- the container ---------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.data())
def test_ranking_is_by_falling_score_with_stable_ties(data):
    counts = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=5))
    n = sum(counts)
    scores = data.draw(hnp.arrays(np.int64, n, elements=st.integers(-2, 2))).astype(float)
    order = data.draw(st.permutations(range(n)))
    # The left edge numbers the boxes, so that the test sees where each of them went.
    boxes = np.stack([np.arange(n), np.zeros(n), np.arange(n) + 1, np.ones(n)], axis=1).astype(float)
    ids = np.repeat(np.arange(len(counts)), counts)[order]
    table = pd.DataFrame(boxes, columns=["x1", "y1", "x2", "y2"]).assign(image_id=ids, score=scores)
    made = Proposals.from_table(table)
    for image in set(ids.tolist()):
        mine = [row for row in range(n) if ids[row] == image]
        want = sorted(mine, key=lambda row: (-scores[row], row))
        assert made.of(image)[0][:, 0].tolist() == want
        k = data.draw(st.integers(0, 7))
        assert made.top(k).of(image)[0][:, 0].tolist() == want[:k]
    back = Proposals.from_table(made.to_table())
    same(made, back)


def test_without_scores_the_given_order_is_the_ranking():
    table = pd.DataFrame({"image_id": [1, 2, 1], "x1": [5, 0, 3], "y1": 0, "x2": 9, "y2": 9})
    made = Proposals.from_table(table)
    assert made.scores is None
    assert made.of(1)[0][:, 0].tolist() == [5, 3]
    assert made.of(1)[1] is None
    assert "given order" in repr(made)
    assert len(made) == 3


def test_top_keeps_images_and_shares_when_nothing_is_cut():
    made = random_proposals()
    assert made.top(100) is made
    assert made.top(0).offsets.tolist() == [0, 0, 0, 0]
    with pytest.raises(InputError, match="k to be a whole number >= 0"):
        made.top(-1)


def test_construction_errors_name_image_and_column():
    box = [[0, 0, 4, 4], [0, 0, 4, 4]]
    for bad, column, text in (
        ([0, 0, np.nan, 4], "x2", "a finite x2, got x2=nan"),
        ([0, np.inf, 4, 4], "y1", "a finite y1, got y1=inf"),
        ([5, 0, 4, 4], "x2", "x2 >= x1, got x2=4"),
        ([0, 5, 4, 4], "y2", "y2 >= y1, got y2=4"),
    ):
        with pytest.raises(InputError, match=f"mine: image 'q', column {column}: expected {text}"):
            Proposals(["p", "q"], [0, 1, 2], [box[0], bad], name="mine")
    with pytest.raises(InputError, match="image 'p', column score: expected a finite score"):
        Proposals(["p"], [0, 2], box, [np.nan, 1])
    with pytest.raises(InputError, match="rising offsets from 0 to 2"):
        Proposals(["p"], [0, 1], box)
    with pytest.raises(InputError, match="offsets that are whole numbers"):
        Proposals(["p"], [0, 2.0], box)
    with pytest.raises(InputError, match="each image id once, got 'p' twice"):
        Proposals(["p", "p"], [0, 1, 2], box)
    with pytest.raises(InputError, match="all whole numbers or all text, got mixed"):
        Proposals(["p", 1], [0, 1, 2], box)
    with pytest.raises(InputError, match="all whole numbers or all text, got floating"):
        Proposals([1.5], [0, 2], box)
    with pytest.raises(InputError, match="a list of image ids"):
        Proposals(3, [0, 2], box)
    with pytest.raises(InputError, match="2 scores, one per box"):
        Proposals(["p"], [0, 2], box, [1.0])
    with pytest.raises(InputError, match="scores that are numbers"):
        Proposals(["p"], [0, 2], box, ["a", "b"])
    with pytest.raises(InputError, match=r"shape \(n, 4\)"):
        Proposals(["p"], [0, 2], [[0, 1, 2], [0, 1, 2]])
    with pytest.raises(InputError, match="an array of numbers"):
        Proposals(["p"], [0, 1], [["a", "b", "c", "d"]])
    with pytest.raises(InputError, match="both pixels and origin, or neither"):
        Proposals(["p"], [0, 2], box, pixels="edges")
    with pytest.raises(InputError, match="origin to be 0 or 1, got 2"):
        Proposals.from_columns(["p", "p"], box, pixels="edges", origin=2)


def test_table_errors():
    table = pd.DataFrame({"image_id": ["a", None], "x1": 0, "y1": 0, "x2": [1, 2], "y2": 1})
    with pytest.raises(InputError, match="an image_id for every box, got none in row 1"):
        Proposals.from_table(table)
    with pytest.raises(InputError, match="no column called y2 among image_id, x1"):
        Proposals.from_table(table.drop(columns="y2"))
    with pytest.raises(InputError, match="column x2: expected a number, got 'two' in row 1"):
        Proposals.from_table(table.assign(image_id="a", x2=["1", "two"]))
    with pytest.raises(InputError, match="1 image ids|2 image ids"):
        Proposals.from_columns(["a"], np.zeros((2, 4)))
    with pytest.raises(InputError, match="on_bad to be one of error, drop"):
        Proposals.from_table(table, on_bad="ignore")
    with pytest.raises(InputError, match="unknown id 'z'"):
        random_proposals().of("z")


def test_dropped_rows_are_reported():
    table = pd.DataFrame(
        {
            "image_id": ["a", "a", "b", "c"],
            "x1": ["0", "no", "nan", "3"],
            "y1": 0,
            "x2": [1, 2, 3, 1],
            "y2": 1,
        }
    )
    made = Proposals.from_table(table, on_bad="drop")
    report = pd.DataFrame(made.provenance["left_out"])
    assert len(made) == 1
    assert report["image_id"].tolist() == ["a", "b", "c"]
    assert report["column"].tolist() == ["x1", "x1", "x2"]
    assert report["boxes"].tolist() == [1, 1, 1]
    # The images keep their (now empty) place: they count in denominators.
    assert made.image_ids.tolist() == ["a", "b", "c"]
    json.dumps(made.provenance)


@settings(deadline=None)
@given(hnp.arrays(np.int64, st.tuples(st.integers(0, 30), st.just(2)), elements=st.integers(0, 3)))
def test_deduplicate_exact_keeps_the_best_of_equals(corners):
    n = len(corners)
    boxes = np.concatenate((corners, corners + 1), axis=1).astype(float)
    ids = np.arange(n) % 2
    made = Proposals.from_columns(ids, boxes, -np.arange(n, dtype=float))
    unique = made.deduplicate("exact")
    assert unique.provenance["duplicates"]["removed"] == n - len(unique)
    for image in set(ids.tolist()):
        seen = []
        for box in made.of(image)[0].tolist():
            if box not in seen:
                seen.append(box)
        assert unique.of(image)[0].tolist() == seen
    assert made.deduplicate("keep") is made


def test_deduplicate_policy_is_checked():
    with pytest.raises(InputError, match="policy to be one of exact, rounded, hosang, keep"):
        random_proposals().deduplicate("nms")


def test_conversion_between_frames_is_lossless():
    voc = random_proposals(pixels="inclusive", origin=1)
    edges = voc.converted("edges", 0)
    np.testing.assert_allclose(edges.boxes - voc.boxes, np.tile([-1, -1, 0, 0], (7, 1)), atol=1e-12)
    widths = edges.boxes[:, 2] - edges.boxes[:, 0], voc.boxes[:, 2] - voc.boxes[:, 0] + 1
    np.testing.assert_allclose(*widths)
    same(edges.converted("inclusive", 1), voc)
    assert edges.provenance["converted"] == {"from": ["inclusive", 1], "to": ["edges", 0]}
    unknown = random_proposals()
    assert unknown.converted("inclusive", 1).boxes is unknown.boxes
    with pytest.raises(InputError, match="pixels to be one of edges, inclusive"):
        voc.converted("corners", 0)


# --- against a data set ------------------------------------------------------------------------------------


def test_aligned_gives_every_image_a_place():
    made = random_proposals()
    aligned = made.aligned(make_dataset(["a", "b", "c", "d"]))
    assert aligned.image_ids.tolist() == ["a", "b", "c", "d"]
    assert np.diff(aligned.offsets).tolist() == [0, 3, 4, 0]
    for image in "abc":
        np.testing.assert_array_equal(aligned.of(image)[0], made.of(image)[0])
    assert made.aligned(make_dataset(["z", "b", "a", "c"])).boxes is made.boxes
    reverse = made.aligned(make_dataset(["c", "a", "b"]))
    np.testing.assert_array_equal(reverse.of("b")[1], made.of("b")[1])


def test_aligned_refuses_unknown_images():
    with pytest.raises(InputError, match=r"image_id: expected image ids of toy .* unknown id 'c'"):
        random_proposals().aligned(make_dataset(["a", "b"]))


def test_ids_of_zero_and_spelled_numbers_are_the_same_id():
    numbers, texts = random_proposals(ids=(0, 7, 12)), random_proposals(ids=("0", "7", "12"))
    for made in (numbers, texts):
        for ids in ([0, 7, 12], ["0", "7", "12"]):
            assert made.aligned(make_dataset(ids)).of(ids[0])[0].shape == (3, 4)
    with pytest.raises(InputError, match="unknown id '007'"):
        random_proposals(ids=("0", "007", "12")).aligned(make_dataset([0, 7, 12]))


def test_aligned_converts_a_known_frame():
    dataset = make_dataset(["a"], pixels="edges", origin=0)
    voc = Proposals(["a"], [0, 1], [[1, 1, 10, 10]], pixels="inclusive", origin=1)
    assert voc.aligned(dataset).boxes.tolist() == [[0, 0, 10, 10]]
    assert Proposals(["a"], [0, 1], [[1, 1, 10, 10]]).aligned(dataset).boxes.tolist() == [[1, 1, 10, 10]]


@pytest.mark.parametrize("pixels, origin, low, high", [("edges", 0, 0, 100), ("inclusive", 1, 1, 100)])
def test_boxes_outside_the_image(pixels, origin, low, high):
    dataset = make_dataset(["a", "b"], pixels=pixels, origin=origin)
    inside = Proposals(["b"], [0, 1], [[low - 1, low - 1, high + 1, 81]])
    checked = inside.checked_against(dataset)
    assert checked.boxes is inside.boxes
    boxes = [[5, 5, 9, 9], [low - 1.5, 5, 9, 9], [5, 5, high + 30, 99], [150, 5, 160, 9]]
    made = Proposals(["b"], [0, 4], boxes, name="mine")
    with pytest.raises(InputError, match=r"mine: image 'b', column x1: .* \(left edge\).*3 such rows"):
        made.checked_against(dataset)
    with pytest.raises(InputError, match="outside to be one of"):
        made.checked_against(dataset, outside="ignore")
    assert made.checked_against(dataset, outside="keep").boxes is made.boxes
    dropped = made.checked_against(dataset, outside="drop")
    assert dropped.of("b")[0].tolist() == [boxes[0]]
    assert {record["action"] for record in dropped.provenance["left_out"]} == {"left out"}
    cut = made.checked_against(dataset, outside="clip")
    assert cut.of("b")[0].tolist() == [boxes[0], [low, 5, 9, 9], [5, 5, high, 80]]
    actions = [(record["column"], record["action"]) for record in cut.provenance["left_out"]]
    assert actions == [
        ("x1", "cut at the border"),
        ("x2", "cut at the border"),
        ("y2", "cut at the border"),
        ("x2", "left out"),
    ]
    assert "left_out" not in made.provenance
    with pytest.raises(InputError, match=r"column y2: .* \(bottom edge\)"):
        Proposals(["a"], [0, 1], [[5, 5, 9, 90]]).checked_against(dataset)


def test_overhang_is_found_behind_the_first_chunk(monkeypatch):
    monkeypatch.setattr("propeval_lite._checks.boxes.CHUNK", 4)
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 7, 20)
    n = counts.sum()
    boxes = np.tile([1.0, 1.0, 2.0, 2.0], (n, 1))
    wide = rng.choice(n, 9, replace=False)
    boxes[wide, 2] = 200
    made = Proposals(np.arange(20), np.concatenate(([0], np.cumsum(counts))), boxes)
    kept = made.checked_against(make_dataset(np.arange(20)), outside="drop")
    assert len(kept) == n - 9
    assert sum(record["boxes"] for record in kept.provenance["left_out"]) == 9


# --- files -------------------------------------------------------------------------------------------------

SUFFIX = {
    "csv": ".csv",
    "parquet": ".parquet",
    "npz": ".npz",
    "json": ".json",
    "coco": ".json",
    "sam": ".json",
}


@pytest.mark.parametrize("ids", [("b", "a", "c"), (5, 0, 9), ("000012", "7", "x")])
@pytest.mark.parametrize("scores", [True, False])
@pytest.mark.parametrize("format", list(WRITERS))
def test_every_format_there_and_back(tmp_path, format, scores, ids):
    made = random_proposals(ids=ids, scores=scores, pixels="inclusive", origin=1, name="mine")
    path = write_proposals(made, tmp_path / "deep" / f"box{SUFFIX.get(format, '')}", format)
    back = read_proposals(path, format)
    loses_empty = format in ("csv", "json", "coco")
    assert len(back.image_ids) == 3 - loses_empty
    back = back.with_images(list(ids)).converted("inclusive", 1)
    same(made, back, order=False)
    assert back.name == ("mine" if format in ("npz", "parquet") else "box")
    assert back.provenance["file"] == path.name
    same(back, read_proposals(path).converted("inclusive", 1).with_images(list(ids)), order=False)
    assert read_proposals(path, name="other").name == "other"


def test_fixed_frame_formats_need_a_known_frame(tmp_path):
    for format in ("coco", "sam", "mat"):
        with pytest.raises(InputError, match=r"a known coordinate frame.*Declare it with"):
            write_proposals(random_proposals(), tmp_path / "x", format)


def test_formats_are_recognised_or_refused(tmp_path):
    made = random_proposals()
    assert set(READERS) == set(WRITERS)
    with pytest.raises(InputError, match=r"a folder or a file ending in .csv"):
        write_proposals(made, tmp_path / "x.txt")
    with pytest.raises(InputError, match="format to be one of"):
        write_proposals(made, tmp_path / "x.csv", "xml")
    with pytest.raises(InputError, match="no such file or folder"):
        read_proposals(tmp_path / "none.csv")
    with pytest.raises(InputError, match="a folder of .mat or of .json files, got neither"):
        read_proposals(tmp_path)
    path = write_proposals(made, tmp_path / "x.csv")
    with pytest.raises(
        InputError, match="options of format csv: ids, score, boxes, got unknown option 'variable'"
    ):
        read_proposals(path, variable="area")
    with pytest.raises(InputError, match="on_bad to be one of"):
        read_proposals(path, on_bad="skip")


def test_csv_ids(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("image_id,x1,y1,x2,y2\n12,0,0,1,1\n7,0,0,1,1\n")
    assert read_proposals(path).image_ids.tolist() == [12, 7]
    assert read_proposals(path, ids="str").image_ids.tolist() == ["12", "7"]
    path.write_text("image_id,x1,y1,x2,y2\n000012,0,0,1,1\nNA,0,0,1,1\n")
    assert read_proposals(path).image_ids.tolist() == ["000012", "NA"]
    with pytest.raises(InputError, match=r"x.csv: column image_id: .* whole numbers, got '000012'"):
        read_proposals(path, ids="int")
    path.write_text("image_id,x1,y1,x2,y2\n,0,0,1,1\n")
    with pytest.raises(InputError, match=r"x.csv: expected an image_id for every box"):
        read_proposals(path)


def test_broken_csv(tmp_path):
    path = tmp_path / "x.csv"
    for text, message in (
        ("", "a readable CSV file"),
        ("image_id,x1,y1,x2,y2\n1,0,0,1,1\n1,0,0,1,1,7,8,9\n", "a readable CSV file"),
        ("image_id,x1,y1,x2\n1,0,0,1\n", "no column called y2"),
        (
            "image_id,x1,y1,x2,y2\n1,0,0,1,1\n2,0,0,5\n",
            "image 2, column y2: expected a finite y2, got y2=nan",
        ),
        ("image_id,x1,y1,x2,y2\n1,0,0,inf,1\n", "image 1, column x2: expected a finite x2, got x2=inf"),
        ("image_id,x1,y1,x2,y2\n1,9,0,3,1\n", "image 1, column x2: expected x2 >= x1"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=f"x.csv: .*{message}"):
            read_proposals(path)
    dropped = read_proposals(path, on_bad="drop")
    assert len(dropped) == 0
    assert dropped.provenance["left_out"][0]["column"] == "x2"
    path.write_text("image_id,x1,y1,x2,y2,score\n")
    assert len(read_proposals(path)) == 0


def test_parquet_details(tmp_path):
    path = tmp_path / "x.parquet"
    table = random_proposals().to_table()
    table.astype({"x1": "float32", "y1": "float32"}).to_parquet(path)
    assert read_proposals(path).boxes.dtype == np.float64
    table.assign(x1=[None, *table["x1"][1:]]).to_parquet(path)
    with pytest.raises(InputError, match=r"x.parquet: image 'b', column x1: expected a finite x1"):
        read_proposals(path)
    table.drop(columns="x2").to_parquet(path)
    with pytest.raises(InputError, match=r"x.parquet: .*no column called x2"):
        read_proposals(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match=r"x.parquet: expected a readable Parquet file"):
        read_proposals(path)


def test_npz_details(tmp_path):
    path = tmp_path / "x.npz"
    boxes = np.array([[0, 0, 1, 1], [0, 0, 2, 2], [3, 3, 3, np.nan]])
    np.savez(path, image_id=[4, 0], boxes=boxes[:2], scores=[0.1, 0.2])
    assert read_proposals(path).of(0)[0].tolist() == [[0, 0, 2, 2]]
    np.savez(path, image_ids=[4, 0, 1], offsets=[0, 2, 3, 3], boxes=boxes)
    with pytest.raises(InputError, match=r"x.npz: image 0, column y2"):
        read_proposals(path)
    dropped = read_proposals(path, on_bad="drop")
    assert sorted(dropped.image_ids.tolist()) == [0, 1, 4]
    assert len(dropped) == 2
    np.savez(path, offsets=[0], boxes=boxes)
    with pytest.raises(InputError, match=r"x.npz: .*no image_ids among offsets, boxes"):
        read_proposals(path)
    np.savez(path, image_id=np.array([1, "a", None], dtype=object), boxes=boxes)
    with pytest.raises(InputError, match=r"x.npz: expected plain arrays.*are refused"):
        read_proposals(path)
    np.savez(path, image_id=[4, 0], boxes=boxes[:2])
    np.save(tmp_path / "x.npy", boxes)
    for content in (
        b"PK\x03\x04 cut",
        b"",
        b"no zip",
        path.read_bytes()[:-90],
        (tmp_path / "x.npy").read_bytes(),
    ):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"x.npz: expected a readable NPZ file"):
            read_proposals(path)


def test_mat_folder(tmp_path):
    scipy.io.savemat(
        tmp_path / "000001.mat", {"bbs": np.array([[1, 1, 10, 20], [2, 2, 5, 5]], dtype=np.uint16)}
    )
    scipy.io.savemat(tmp_path / "000002.mat", {"boxes": np.zeros((0, 4)), "other": 3})
    made = read_proposals(tmp_path)
    assert made.image_ids.tolist() == ["000001", "000002"]
    assert (made.pixels, made.origin) == ("inclusive", 1)
    assert made.boxes.tolist() == [[1, 1, 10, 20], [2, 2, 5, 5]]
    scipy.io.savemat(tmp_path / "000003.mat", {"a": 1, "b": 2})
    with pytest.raises(InputError, match=r"image '000003', column boxes: .*a of shape \(1, 1\), b of shape"):
        read_proposals(tmp_path)
    left_out = read_proposals(tmp_path, on_bad="drop").provenance["left_out"]
    assert left_out[0]["action"] == "image left out"
    scipy.io.savemat(tmp_path / "000003.mat", {"boxes": np.array([[1.0, 1, 2, 2, 0.5]])})
    with pytest.raises(InputError, match="scores in all files or in none, got 1 scores for 3 boxes"):
        read_proposals(tmp_path)
    assert read_proposals(tmp_path / "000003.mat").scores.tolist() == [0.5]
    scipy.io.savemat(tmp_path / "000003.mat", {"boxes": np.ones((2, 4)), "scores": [1.0]})
    with pytest.raises(InputError, match=r"000003.mat: variable scores: expected 2 scores"):
        read_proposals(tmp_path)
    (tmp_path / "000003.mat").write_bytes((tmp_path / "000001.mat").read_bytes()[:150])
    with pytest.raises(InputError, match=r"000003.mat: expected a readable MATLAB file"):
        read_proposals(tmp_path)
    (tmp_path / "000003.json").write_text("[]")
    with pytest.raises(InputError, match="got both"):
        read_proposals(tmp_path)
    with pytest.raises(InputError, match="an empty folder, got one with .mat files"):
        write_proposals(made, tmp_path, "mat")


def test_coco_results(tmp_path):
    path = tmp_path / "x.json"
    good = {"image_id": 0, "category_id": -1, "bbox": [1, 2, 3, 4], "score": 0.5}
    path.write_text(json.dumps([good, {**good, "image_id": 3, "score": 0.9}]))
    made = read_proposals(path)
    assert made.image_ids.tolist() == [0, 3]
    assert made.boxes[0].tolist() == [1, 2, 4, 6]
    assert (made.pixels, made.origin) == ("edges", 0)
    for bad, message in (
        ({**good, "bbox": [1, 2, 3]}, "image 0, column bbox: expected bbox with four numbers"),
        ({**good, "bbox": [1, 2, -3, 4]}, "image 0, column bbox: expected bbox with width and height"),
        ({**good, "bbox": [1, 2, float("nan"), 4]}, "image 0, column x2: expected a finite x2"),
        ({**good, "score": None}, "image 0, column score: expected a number called score"),
        ({"bbox": [1, 2, 3, 4], "score": 1}, "column image_id: expected records with image_id"),
        ({"image_id": 0, "score": 1}, "column segmentation: expected a run-length mask"),
    ):
        path.write_text(json.dumps([good, bad]))
        with pytest.raises(InputError, match=f"x.json: .*{message}"):
            read_proposals(path)
        dropped = read_proposals(path, on_bad="drop")
        assert (len(dropped), len(dropped.provenance["left_out"])) == (1, 1)
    path.write_text(json.dumps([good])[:-20])
    with pytest.raises(InputError, match=r"x.json: expected valid JSON, got a syntax error in line 1"):
        read_proposals(path)
    path.write_bytes(b'["\xff\xfe"]')
    with pytest.raises(InputError, match=r"x.json: expected JSON text in UTF-8"):
        read_proposals(path)
    path.write_text(json.dumps({"images": [], "annotations": []}))
    with pytest.raises(InputError, match="read with load_dataset|read it with load_dataset"):
        read_proposals(path)
    with pytest.raises(InputError, match="a list of results, got a JSON object"):
        read_proposals(path, "coco")
    path.write_text(json.dumps([good]))
    with pytest.raises(InputError, match="scores called 'predicted_iou', got only score"):
        read_proposals(path, score="predicted_iou")
    with pytest.raises(InputError, match="boxes_from to be one of auto, bbox, segmentation"):
        read_proposals(path, boxes_from="mask")


def sam_record(iou=0.5, **extra):
    record = {"bbox": [3, 4, 5, 5], "predicted_iou": iou, "stability_score": round(1 - iou, 3)}
    runs = [64, *[6, 14] * 5, 6, 430]
    return {**record, "segmentation": {"size": [20, 30], "counts": runs}, **extra}


def test_sam_masks(tmp_path):
    path = tmp_path / "12.json"
    path.write_text(json.dumps([sam_record(0.2), sam_record(0.8)]))
    made = read_proposals(path)
    assert made.image_ids.tolist() == [12]
    assert made.scores.tolist() == [0.8, 0.2]
    assert made.boxes[0].tolist() == [3, 4, 8, 9]
    tight = read_proposals(path, boxes_from="segmentation", score="stability_score")
    assert tight.boxes[0].tolist() == [3, 4, 9, 10]
    assert tight.scores.tolist() == [0.8, 0.2]
    assert read_proposals(path, ids="str").image_ids.tolist() == ["12"]
    (tmp_path / "13.json").write_text(json.dumps({"image": {"width": 30}, "annotations": [sam_record()]}))
    (tmp_path / "14.json").write_text("[]")
    folder = read_proposals(tmp_path)
    assert folder.aligned(make_dataset([12, 13, 14])).offsets.tolist() == [0, 2, 3, 3]
    path.write_text(json.dumps([sam_record(image_id="a"), sam_record(image_id="b")]))
    assert read_proposals(path).image_ids.tolist() == ["a", "b"]
    path.write_text(json.dumps({"a": [sam_record()], "b": []}))
    assert read_proposals(path).image_ids.tolist() == ["a", "b"]
    path.write_text(json.dumps([sam_record(segmentation={"size": [2, 2], "counts": [3]})]))
    with pytest.raises(
        InputError, match="run lengths that fill the mask, got runs of 3 pixels in all for 2 x 2"
    ):
        read_proposals(path, boxes_from="segmentation")
    path.write_text(json.dumps([sam_record(segmentation={"size": [2, 2], "counts": [4]})]))
    with pytest.raises(InputError, match="a run-length mask with at least one pixel"):
        read_proposals(path, boxes_from="segmentation")
    path.write_text(json.dumps({"a": 3}))
    with pytest.raises(InputError, match="lists of masks, got a JSON object"):
        read_proposals(path)
    path.write_text(json.dumps([{"bbox": [1, 2, 3, 4]}]))
    assert read_proposals(path).scores is None
    with pytest.raises(InputError, match="scores called 'stability_score', got only ids and boxes"):
        read_proposals(path, score="stability_score")
    with pytest.raises(InputError, match="scores called 'area', got only ids and boxes"):
        read_proposals(path, score="area")


@pytest.mark.data
def test_published_coco_results(real_data):
    boxes = read_proposals(real_data / "coco100" / "instances_val2014_fakebbox100_results.json")
    masks = read_proposals(real_data / "coco100" / "instances_val2014_fakesegm100_results.json")
    content = json.loads((real_data / "coco100" / "instances_val2014_fakesegm100_results.json").read_text())
    assert len(boxes) == len(masks) == len(content)
    mask_utils = pytest.importorskip("pycocotools.mask")
    want = {}
    for record in content:
        x, y, w, h = mask_utils.toBbox(record["segmentation"])
        want.setdefault((record["image_id"], record["score"]), []).append([x, y, x + w, y + h])
    for image_id in masks.image_ids.tolist():
        for box, score in zip(*masks.of(image_id), strict=True):
            assert box.tolist() in want[image_id, score]


def test_equal_scores_of_coco_results_rank_by_category(tmp_path):
    records = [
        {"image_id": 1, "category_id": category, "bbox": [left, 0, 1, 1], "score": 0.5}
        for category, left in ((3, 0), (1, 1), (3, 2), (1, 3))
    ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(records))
    assert read_proposals(path).boxes[:, 0].tolist() == [1, 3, 0, 2]


HEAD = "image_id,x1,y1,x2,y2,score\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "a,1,1,5,5,9,7\n", "6 columns as in the first line, got more"),
        ("image_id,x1,y1,x2,y2,x1\na,0,0,1,1,9\n", "each column once, got 'x1' twice"),
        ("image_id,x1,y1,x2,y2\na,True,False,True,True\n", "column x1: expected numbers, got bool values"),
        (HEAD.replace(",", ";"), "with commas"),
        (HEAD.encode("utf-16"), "in UTF-8, got other bytes"),
        (HEAD + "a," + "1" * 400 + ",0,1,1,1\n", "column x1: expected a number"),
    ],
)
def test_tables_that_would_be_misread_are_refused(tmp_path, content, message):
    (tmp_path / "a.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message):
        read_proposals(tmp_path / "a.csv")


def test_commas_at_the_ends_of_lines_move_no_column(tmp_path):
    (tmp_path / "a.csv").write_text(HEAD + "a,1,2,5,6,9,\nb,1,2,5,6,9,\n")
    read = read_proposals(tmp_path / "a.csv")
    assert read.image_ids.tolist() == ["a", "b"]
    assert read.boxes.tolist() == [[1, 2, 5, 6]] * 2


def test_csv_may_begin_with_the_mark_of_windows(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + (HEAD + "a,1,1,5,5,9\n").encode())
    assert read_proposals(tmp_path / "a.csv").image_ids.tolist() == ["a"]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"boxes": np.ones((1, 4), dtype=bool)}, "got bool values"),
        ({"boxes": np.ones((1, 4)) * 1j}, "got complex128 values"),
        ({"boxes": np.zeros((1, 4), dtype="M8[s]")}, r"got datetime64\[s\] values"),
        ({"pixels": "edges"}, "both pixels and origin"),
        ({"pixels": "edges", "origin": 0.5}, "origin to be 0 or 1"),
        ({"image_id": "a"}, "one image id per box"),
    ],
)
def test_odd_npz_arrays_are_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "a.npz", **({"image_id": ["a"], "boxes": np.ones((1, 4))} | arrays))
    with pytest.raises(InputError, match=message):
        read_proposals(tmp_path / "a.npz")


def test_notes_in_parquet_are_checked(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    path = write_proposals(random_proposals(), tmp_path / "a.parquet")
    for notes in (b"not json", b"[]", b"null", b'{"images_without_proposals": 5}'):
        pq.write_table(pq.read_table(path).replace_schema_metadata({b"propeval": notes}), path)
        with pytest.raises(InputError, match="our own notes"):
            read_proposals(path)


def test_a_results_file_without_results_names_no_image(tmp_path):
    (tmp_path / "a.json").write_text("[]")
    assert len(read_proposals(tmp_path / "a.json").image_ids) == 0


def test_empty_folders_and_two_kinds_of_scores_are_refused(tmp_path):
    for kind in ("mat", "sam"):
        with pytest.raises(InputError, match="expected a folder with .*, got none"):
            read_proposals(tmp_path, format=kind)
    scipy.io.savemat(tmp_path / "7.mat", {"boxes": np.ones((1, 5)), "scores": [1.0]})
    with pytest.raises(InputError, match="a fifth column and an array scores"):
        read_proposals(tmp_path / "7.mat")


def test_masked_entries_do_not_come_back():
    boxes = np.ma.masked_array([[0.0, 0, 5, 5]], mask=[[False, False, True, False]])
    with pytest.raises(InputError, match="a finite x2, got x2=nan"):
        Proposals(["a"], [0, 1], boxes)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "boxes.csv"
    write_proposals(random_proposals(), file)
    before = file.read_bytes()

    def full(proposals, path):
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(WRITERS, "csv", full)
    with pytest.raises(InputError, match=r"boxes.csv: expected a file that can be written, got No space"):
        write_proposals(random_proposals(1), file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["boxes.csv"]


def test_targets_that_cannot_be_written(tmp_path):
    frame = {"pixels": "edges", "origin": 0}
    with pytest.raises(InputError, match="expected image ids that can name files, got '../evil.mat'"):
        write_proposals(
            random_proposals(ids=("../evil", "a", "c"), **frame), tmp_path / "folder", format="mat"
        )
    assert not (tmp_path / "evil.mat").exists()
    with pytest.raises(InputError, match="expected a file to write, got a folder or a device"):
        write_proposals(random_proposals(), tmp_path, format="csv")
    with pytest.raises(InputError, match="path: expected a path, got NoneType"):
        write_proposals(random_proposals(), None)
    with pytest.raises(InputError, match="proposals: expected ranked boxes .*, got NoneType"):
        write_proposals(None, tmp_path / "a.csv")
