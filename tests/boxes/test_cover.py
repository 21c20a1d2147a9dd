"""Proposing and matching in one go, in pieces of any size."""

from dataclasses import replace

import numpy as np
import pytest
from toys import toy

import propeval_lite as pe
from propeval_lite._checks.values import InputError
from propeval_lite.boxes.cover import cover, located, usable
from propeval_lite.datasets.transforms import shrink


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
    assert key == ("gaussian", 9, 1, *data.sight())
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


def test_store_of_proposals_is_keyed_by_what_a_method_sees():
    """Two sets of scenes that shared a store took each other's boxes: AR .058 in place of .154."""
    sets = [pe.load_dataset(f"scenes?n=4&seed={seed}&width=160&height=120") for seed in (1, 2)]
    made = {}
    shared, alone = (
        [float(pe.average_recall(cover("uniform", data, [60], 1, made=store)[0])) for data in sets]
        for store in (made, None)
    )
    assert shared == alone and alone[0] != alone[1]
    assert len(made) == 2


def test_store_of_proposals_tells_frames_sizes_and_pictures_apart():
    made = {}
    ours = toy()
    others = [toy(pixels="inclusive", origin=1), toy(), shrink(ours, 30), ours.subset(["i1", "i3"])]
    for data in (ours, *others):
        cover("gaussian", data, [9], 1, made=made)
    assert len(made) == 5, "pictures read by another function may be other pictures"
    marked = replace(ours, objects=ours.objects.assign(ignore=True), name="marked")
    cover("gaussian", marked, [9], 1, made=made)
    assert len(made) == 5, "objects are nothing that a method sees"
