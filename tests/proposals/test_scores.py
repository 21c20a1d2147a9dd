"""No ranking is lost in silence, and no file is half-read."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.io

from propeval_lite import InputError, Proposals, read_proposals
from propeval_lite._checks.boxes import SCORE_NAMES

BOXES = np.array([[0.0, 0, 4, 4], [1, 1, 5, 5], [2, 2, 6, 6]])
SCORES = np.array([0.1, 0.9, 0.5])
RANKED = [1, 2, 0]


def write(folder, kind, **columns):
    """One image with three boxes and further columns, in a file of any kind."""
    path = folder / f"a.{kind}"
    if kind in ("csv", "parquet"):
        table = pd.DataFrame(BOXES, columns=["x1", "y1", "x2", "y2"]).assign(image_id="i", **columns)
        (table.to_csv if kind == "csv" else table.to_parquet)(path, index=False)
    elif kind == "npz":
        np.savez(path, image_id=["i"] * 3, boxes=BOXES, **columns)
    elif kind == "mat":
        scipy.io.savemat(path, {"boxes": BOXES, **columns})
    else:
        sides = np.hstack([BOXES[:, :2], BOXES[:, 2:] - BOXES[:, :2]]).tolist()
        records = [{"image_id": 1, "bbox": sides[row]} for row in range(3)]
        for row, record in enumerate(records):
            record |= {key: np.asarray(values)[row].item() for key, values in columns.items()}
        path.write_text(json.dumps(records))
    return path


KINDS = ("csv", "parquet", "npz", "mat", "json")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*SCORE_NAMES, "Confidence"])
def test_scores_of_any_known_name_rank(tmp_path, kind, name):
    found = read_proposals(write(tmp_path, kind, **{name: SCORES}))
    np.testing.assert_array_equal(found.boxes, BOXES[RANKED])
    np.testing.assert_array_equal(found.scores, SCORES[RANKED])


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_column_of_numbers_is_asked_about(tmp_path, kind):
    path = write(tmp_path, kind, logit=SCORES)
    with pytest.raises(InputError, match=r"no further numbers, got 'logit'. Say score=logit .* score=none"):
        read_proposals(path)
    np.testing.assert_array_equal(read_proposals(path, score="logit").boxes, BOXES[RANKED])
    given = read_proposals(path, score="none")
    assert given.scores is None
    np.testing.assert_array_equal(given.boxes, BOXES)
    with pytest.raises(InputError, match="scores called 'rank', got only logit"):
        read_proposals(path, score="rank")


@pytest.mark.parametrize("kind", KINDS)
def test_two_scores_are_asked_about(tmp_path, kind):
    path = write(tmp_path, kind, conf=SCORES, prob=-SCORES)
    with pytest.raises(InputError, match="expected one score for each box, got 'conf' and 'prob'"):
        read_proposals(path)
    np.testing.assert_array_equal(read_proposals(path, score="prob").boxes, BOXES[RANKED[::-1]])


@pytest.mark.parametrize("kind", ["csv", "parquet", "json"])
def test_words_beside_the_boxes_are_no_scores(tmp_path, kind):
    assert read_proposals(write(tmp_path, kind, label=["a", "b", "c"])).scores is None


def test_scores_of_a_table_in_memory():
    table = pd.DataFrame(BOXES, columns=["x1", "y1", "x2", "y2"]).assign(
        image_id="i", confidence=SCORES, area=3
    )
    np.testing.assert_array_equal(Proposals.from_table(table).boxes, BOXES[RANKED])
    with pytest.raises(InputError, match="no further numbers, got 'area'"):
        Proposals.from_table(table.drop(columns="confidence"))
    assert Proposals.from_table(table, score="none").scores is None


def test_duplicate_keys_of_json_are_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"image_id": 1, "bbox": [0, 0, 4, 4], "bbox": [1, 1, 4, 4], "score": 1}]')
    with pytest.raises(
        InputError, match=r"a.json: expected each key once in a JSON object, got 'bbox' twice"
    ):
        read_proposals(path)


def test_two_records_of_one_id_are_refused(tmp_path):
    path = tmp_path / "a.json"
    record = {"image_id": 1, "bbox": [0, 0, 4, 4], "score": 1}
    path.write_text(json.dumps([record | {"id": 5}, record | {"id": 6}, record | {"id": 5, "image_id": 2}]))
    with pytest.raises(InputError, match="column id: expected each id once, got 5 again in record 2"):
        read_proposals(path)
    kept = read_proposals(path, on_bad="drop")
    assert len(kept) == 2
    assert [note["column"] for note in kept.provenance["left_out"]] == ["id"]
    path.write_text(json.dumps([record, record]))
    assert len(read_proposals(path)) == 2


def test_capital_mat_and_json_are_read_like_small_ones(tmp_path):
    mats, jsons = tmp_path / "mats", tmp_path / "jsons"
    for folder, names in ((mats, ("a.mat", "b.MAT", "c.Mat")), (jsons, ("a.json", "b.JSON"))):
        folder.mkdir()
        for name in names:
            if folder is mats:
                scipy.io.savemat(folder / name, {"boxes": BOXES}, appendmat=False)
            else:
                record = {"bbox": [0, 0, 4, 4], "predicted_iou": 0.5}
                (folder / name).write_text(json.dumps([record]))
    assert read_proposals(mats).image_ids.tolist() == ["a", "b", "c"]
    assert read_proposals(jsons).image_ids.tolist() == ["a", "b"]
    assert len(read_proposals(mats / "b.MAT")) == 3
    scipy.io.savemat(mats / "a.MAT", {"boxes": BOXES}, appendmat=False)
    with pytest.raises(InputError, match=r"expected each file name once, got a.MAT and a.mat"):
        read_proposals(mats)


@pytest.mark.parametrize("text", ["1_5", "1_0.5", "0x10", "١٢"])
def test_1_5_is_no_number_in_a_table(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(f"image_id,x1,y1,x2,y2\ni,0,0,{text},20\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"a.csv: column x2: expected a number, got '{text}' in row 0"):
        read_proposals(path)
