"""The overlap table against slow oracles, against pycocotools, and against what theory promises."""

import contextlib
import io
import itertools
import json

import naive
import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from propeval_lite._checks.values import InputError
from propeval_lite.boxes.match import AREAS, COCO_THRESHOLDS, Overlaps, match
from propeval_lite.boxes.recall import average_recall, recall
from propeval_lite.datasets.base import Dataset
from propeval_lite.datasets.coco import load_coco
from propeval_lite.proposals.container import Proposals

SIDE = 12
ONE_TO_ONE = ("greedy", "optimal")


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Hundreds of tiny tables: on a busy machine waking threads costs more than the work."""
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(threads)


def make_dataset(boxes, image_ids=None, n_images=None, pixels="edges", **columns):
    """Objects `boxes` (n, 4) in images 0..n_images-1 of SIDE x SIDE."""
    boxes = np.asarray(boxes, dtype=float).reshape(-1, 4)
    image_ids = np.zeros(len(boxes), dtype=int) if image_ids is None else np.asarray(image_ids, dtype=int)
    n_images = int(image_ids.max(initial=0)) + 1 if n_images is None else n_images
    images = pd.DataFrame({"image_id": np.arange(n_images), "width": SIDE, "height": SIDE})
    table = pd.DataFrame(boxes, columns=["x1", "y1", "x2", "y2"])
    table = table.assign(
        image_id=image_ids, object_id=np.arange(len(boxes)) + 1, category="thing", ignore=False
    )
    return Dataset("tiny", images, table.assign(**columns), pixels=pixels)


def make_proposals(boxes, image_ids=None, n_images=1, scores=None):
    boxes = np.asarray(boxes, dtype=float).reshape(-1, 4)
    image_ids = np.zeros(len(boxes), dtype=int) if image_ids is None else np.asarray(image_ids, dtype=int)
    offsets = np.concatenate(([0], np.cumsum(np.bincount(image_ids, minlength=n_images))))
    return Proposals(np.arange(n_images), offsets, boxes, scores, name="made")


def random_boxes(rng, n, side=SIDE):
    """Boxes on a coarse lattice, so that equal overlaps, copies and empty boxes happen."""
    a, b = rng.integers(0, side + 1, (2, n, 2))
    return np.concatenate((np.minimum(a, b), np.maximum(a, b)), axis=1).astype(float)


def random_case(seed, n_images=4, most_objects=4, most_boxes=6):
    """A data set and proposals; some images have no objects, some no proposals."""
    rng = np.random.default_rng(seed)
    owners = np.repeat(np.arange(n_images), rng.integers(0, most_objects + 1, n_images))
    holders = np.repeat(np.arange(n_images), rng.integers(0, most_boxes + 1, n_images))
    dataset = make_dataset(
        random_boxes(rng, len(owners)),
        owners,
        n_images,
        ignore=rng.random(len(owners)) < 0.3,
        crowd=rng.random(len(owners)) < 0.2,
    )
    return dataset, make_proposals(random_boxes(rng, len(holders)), holders, n_images)


def by_image(dataset, proposals, k):
    """Lists of object rows and of the first k boxes, image by image."""
    for i in range(len(dataset.images)):
        rows = np.flatnonzero(dataset.objects["image_id"] == i)
        yield rows, proposals.boxes[proposals.offsets[i] : proposals.offsets[i + 1]][:k].tolist()


corners = ["x1", "y1", "x2", "y2"]
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=25, deadline=None)


@given(seeds, st.sampled_from(["edges", "inclusive"]))
@quick
def test_best_and_greedy_equal_the_oracle(seed, pixels):
    dataset, proposals = random_case(seed)
    boxes = dataset.objects[corners].to_numpy().tolist()
    extra = int(pixels == "inclusive")
    budgets = [1, 2, 4, 100]
    for matching, oracle in (("best", naive.best_overlaps), ("greedy", naive.greedy_overlaps)):
        table = match(dataset, proposals, budgets, matching, pixels=pixels, ignore="count")
        for column, k in enumerate(budgets):
            for rows, first in by_image(dataset, proposals, k):
                wanted = oracle([boxes[r] for r in rows], first, extra)
                assert table.iou[rows, column].tolist() == wanted


@pytest.mark.parametrize("seed", range(4))
def test_greedy_equals_the_oracle_where_many_objects_want_the_same_boxes(seed):
    dataset, proposals = random_case(seed, n_images=5, most_objects=20, most_boxes=40)
    boxes = dataset.objects[corners].to_numpy().tolist()
    table = match(dataset, proposals, [3, 10, 40], ignore="count")
    for column, k in enumerate((3, 10, 40)):
        for rows, first in by_image(dataset, proposals, k):
            assert table.iou[rows, column].tolist() == naive.greedy_overlaps([boxes[r] for r in rows], first)


@given(seeds)
@quick
def test_optimal_has_the_largest_total_and_the_order_of_totals_holds(seed):
    dataset, proposals = random_case(seed, n_images=3)
    boxes = dataset.objects[corners].to_numpy().tolist()
    budgets = [1, 3, 6]
    tables = {
        m: match(dataset, proposals, budgets, m, ignore="count").iou for m in ("best", "greedy", "optimal")
    }
    for column, k in enumerate(budgets):
        for rows, first in by_image(dataset, proposals, k):
            wanted = naive.largest_total_overlap([boxes[r] for r in rows], first)
            total = {m: tables[m][rows, column].sum() for m in tables}
            assert total["optimal"] == pytest.approx(wanted, abs=1e-12)
            assert total["greedy"] <= total["optimal"] + 1e-12
            assert total["optimal"] <= 2 * total["greedy"] + 1e-12
    for m in ONE_TO_ONE:
        assert (tables["best"] >= tables[m]).all()


@given(seeds)
@quick
def test_more_proposals_never_hurt(seed):
    dataset, proposals = random_case(seed)
    tables = {
        m: match(dataset, proposals, range(1, 7), m, ignore="count") for m in ("best", "greedy", "optimal")
    }
    for m in ("best", "greedy"):
        assert (np.diff(tables[m].iou, axis=1) >= 0).all(), m
    for rows, _ in by_image(dataset, proposals, 0):
        assert (np.diff(tables["optimal"].iou[rows].sum(axis=0)) >= -1e-12).all()
    coco = match(dataset, proposals, range(1, 7), "coco", ignore="count")
    for tau in (0.5, 0.75):
        assert (np.diff(coco.hits(tau).astype(int), axis=1) >= 0).all()
        assert (coco.hits(tau) <= tables["best"].hits(tau)).all()


@given(seeds, st.sampled_from(["best", "greedy", "optimal", "coco"]))
@quick
def test_lower_ranked_boxes_never_change_smaller_budgets(seed, matching):
    dataset, proposals = random_case(seed)
    rng = np.random.default_rng(seed)
    counts = np.diff(proposals.offsets)
    holders = np.concatenate([np.full(c + 3, i) for i, c in enumerate(np.full(len(counts), 3))])
    full = make_proposals(random_boxes(rng, len(holders)), holders, len(counts))
    for k in (1, 3):
        short = match(dataset, full.top(k), [k], matching)
        long = match(dataset, full, [k, 5, 6], matching)
        kinds = ("coco",) if matching == "coco" else ("coco", "sum", "integral")
        for kind in kinds:
            np.testing.assert_array_equal(average_recall(short, kind), average_recall(long, kind)[[k]])


@given(seeds)
@quick
def test_every_way_of_naming_a_budget_gives_the_same_column(seed):
    dataset, proposals = random_case(seed)
    together = match(dataset, proposals, [2, 6, "all"])
    for column, budget in enumerate((2, 6, None)):
        np.testing.assert_array_equal(match(dataset, proposals, budget).iou[:, 0], together.iou[:, column])
    np.testing.assert_array_equal(together.iou[:, 1], together.iou[:, 2])
    assert together.budgets.tolist() == [2, 6, np.inf]
    assert match(dataset, proposals, np.array([2, 6])).budgets.dtype.kind == "i"


@given(seeds)
@quick
def test_ranks_point_to_the_assigned_boxes(seed):
    dataset, proposals = random_case(seed)
    for matching in ("best", *ONE_TO_ONE):
        table = match(dataset, proposals, [2, 6], matching)
        for row in range(len(table)):
            for column in range(2):
                rank = table.rank[row, column]
                if rank < 0:
                    assert table.iou[row, column] == 0
                    continue
                box = proposals.boxes[proposals.offsets[table.image_row[row]] + rank]
                assert table.iou[row, column] == naive.box_overlap(table.boxes[row], box)
        if matching != "best":
            taken = pd.DataFrame({"image": table.image_row, "rank": table.rank[:, 1]}).query("rank >= 0")
            assert not taken.duplicated().any()


def test_equal_overlaps_go_to_the_earlier_object_then_to_the_better_box():
    dataset = make_dataset([[0, 0, 4, 4], [0, 0, 4, 4]])
    proposals = make_proposals([[0, 0, 4, 2], [0, 2, 4, 4], [0, 0, 4, 4]])
    assert match(dataset, proposals, [1, 2, 3]).rank.tolist() == [[0, 0, 2], [-1, 1, 0]]


def test_greedy_may_hit_more_than_the_optimal_sum():
    dataset = make_dataset([[3, 0, 8, 1], [4, 0, 10, 1]])
    proposals = make_proposals([[3, 0, 9, 1], [1, 0, 8, 1]])
    greedy, optimal = (match(dataset, proposals, 2, m) for m in ONE_TO_ONE)
    assert greedy.iou[:, 0].tolist() == [5 / 6, 4 / 9]
    assert optimal.iou[:, 0].tolist() == [5 / 7, 5 / 7]
    assert float(recall(greedy, 0.8)) == 0.5
    assert float(recall(optimal, 0.8)) == 0.0


def test_optimal_may_take_from_one_object_when_the_budget_grows():
    dataset = make_dataset([[3, 0, 8, 1], [4, 0, 10, 1]])
    proposals = make_proposals([[3, 0, 9, 1], [1, 0, 8, 1]])
    assert match(dataset, proposals, [1, 2], "optimal").iou[0].tolist() == [5 / 6, 5 / 7]


@given(seeds)
@quick
def test_copies_never_change_best_and_lift_one_to_one_at_most_to_it(seed):
    dataset, proposals = random_case(seed)
    holders = np.repeat(np.arange(4), np.diff(proposals.offsets) * 2)
    copies = make_proposals(np.repeat(proposals.boxes, 2, axis=0), holders, 4)
    best = match(dataset, proposals, [1, 3], "best")
    np.testing.assert_array_equal(best.iou, match(dataset, copies, [2, 6], "best").iou)
    for matching in ONE_TO_ONE:
        assert (match(dataset, copies, [2, 6], matching).iou <= best.iou).all()


@given(seeds)
@quick
def test_copies_change_nothing_where_no_box_overlaps_two_objects(seed):
    rng = np.random.default_rng(seed)
    dataset = make_dataset([[0, 0, 6, 6], [6, 0, 12, 6], [0, 6, 6, 12]])
    cells = random_boxes(rng, 5, side=6) + 6 * rng.integers(0, 2, (5, 1)) * [1, 0, 1, 0]
    once, twice = (
        match(dataset, make_proposals(boxes), "all") for boxes in (cells, np.repeat(cells, 2, axis=0))
    )
    np.testing.assert_array_equal(once.iou, twice.iou)


def test_a_copy_can_serve_a_second_object():
    dataset = make_dataset([[0, 0, 10, 1], [0, 0, 8, 1]])
    box = [0, 0, 9, 1]
    assert match(dataset, make_proposals([box]), 1).iou[:, 0].tolist() == [0.9, 0.0]
    assert match(dataset, make_proposals([box, box]), 2).iou[:, 0].tolist() == [0.9, 8 / 9]


def test_pixels_follow_the_data_set_unless_told():
    proposals = make_proposals([[0, 0, 4, 9]])
    dataset = make_dataset([[0, 0, 9, 9]], pixels="inclusive")
    assert match(dataset, proposals, 1).iou.item() == 0.5
    edges = match(dataset, proposals, 1, pixels="edges")
    assert edges.iou.item() == 4 / 9
    assert edges.conventions["pixels"] == "edges"


def test_boxes_without_area_overlap_nothing():
    flat = [2, 2, 2, 6]
    for matching in ("best", *ONE_TO_ONE):
        assert match(make_dataset([flat]), make_proposals([flat]), 1, matching).iou.item() == 0
        assert (
            match(make_dataset([flat], pixels="inclusive"), make_proposals([flat]), 1, matching).iou.item()
            == 1
        )
    assert not match(make_dataset([flat]), make_proposals([flat]), 1, "coco").hits(0.5).any()


def test_ignored_objects_are_excluded_counted_or_absorb():
    # The second object is the better match of the only box; the crowd holds the whole box.
    boxes = [[0, 0, 10, 10], [0, 0, 9, 10]]
    proposals = make_proposals([[0, 0, 9, 10]])
    dataset = make_dataset(boxes, ignore=[False, True])
    for matching in ("greedy", "optimal"):
        assert match(dataset, proposals, 1, matching).iou.tolist() == [[0.9]]
        assert match(dataset, proposals, 1, matching, ignore="count").iou.tolist() == [[0.0], [1.0]]
        assert match(dataset, proposals, 1, matching, ignore="absorb").iou.tolist() == [[0.0]]
    assert match(dataset, proposals, 1, "best", ignore="absorb").iou.tolist() == [[0.9]]
    crowded = make_dataset([[0, 0, 6, 6], [0, 0, 12, 12]], crowd=[False, True])
    several = make_proposals([[0, 0, 6, 5], [0, 0, 6, 4], [0, 0, 6, 6]])
    for matching in ("best", "greedy", "optimal"):
        assert match(crowded, several, [2, 3], matching, ignore="absorb").iou.tolist() == [[0.0, 1.0]]
        assert match(crowded, several, [2, 3], matching).iou.tolist() == [[5 / 6, 1.0]]
    assert match(crowded, several, 2, ignore="count").iou.tolist() == [[5 / 6], [24 / 144]]


@given(seeds)
@quick
def test_absorbing_greedy_equals_the_oracle(seed):
    dataset, proposals = random_case(seed)
    boxes = dataset.objects[corners].to_numpy().tolist()
    crowd = dataset.objects["crowd"].to_numpy()
    counted = ~crowd & ~dataset.objects["ignore"].to_numpy()
    table = match(dataset, proposals, [6], ignore="absorb")
    wanted = []
    for rows, first in by_image(dataset, proposals, 6):
        takers = [r for r in rows if not crowd[r]]
        given_iou = naive.greedy_overlaps(
            [boxes[r] for r in takers], first, crowds=[boxes[r] for r in rows if crowd[r]]
        )
        wanted += [iou for r, iou in zip(takers, given_iou, strict=True) if counted[r]]
    assert table.iou[:, 0].tolist() == wanted


def test_area_selects_objects_by_the_annotated_area_or_the_box():
    boxes = [[0, 0, 4, 4], [0, 0, 8, 8], [0, 0, 12, 12]]
    proposals = make_proposals([[0, 0, 8, 8]])
    assert match(make_dataset(boxes), proposals, 1, area=(17, 64)).object_row.tolist() == [1]
    assert match(make_dataset(boxes, pixels="inclusive"), proposals, 1, area=(0, 25)).object_row.tolist() == [
        0
    ]
    annotated = make_dataset(boxes, area=[1024.0, 1025.0, 9217.0])
    names = {name: match(annotated, proposals, 1, area=name).object_row.tolist() for name in AREAS}
    assert names == {"all": [0, 1, 2], "small": [0], "medium": [0, 1], "large": [2]}
    absorbed = match(annotated, proposals, 1, area="small", ignore="absorb")
    assert absorbed.iou.tolist() == [[0.0]]


# COCO -----------------------------------------------------------------------------------------------------


def pycocotools_recall(truth, detections, budgets, areas):
    """Recall (threshold, area, budget) by pycocotools without categories; NaN where it has no objects."""
    coco = pytest.importorskip("pycocotools.coco")
    evaluation = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        gt = coco.COCO()
        gt.dataset = truth
        gt.createIndex()
        judge = evaluation.COCOeval(gt, gt.loadRes(detections), "bbox")
        judge.params.useCats = 0
        judge.params.maxDets = budgets
        judge.params.areaRng = [[low, min(high, 1e10)] for low, high in areas]
        judge.params.areaRngLbl = [str(area) for area in areas]
        judge.evaluate()
        judge.accumulate()
    found = judge.eval["recall"][:, 0]
    return np.where(found < 0, np.nan, found)


def compare_with_pycocotools(dataset, truth, detections, budgets, areas):
    frame = pd.DataFrame(detections).sort_values("category_id", kind="stable")
    boxes = np.array(frame["bbox"].tolist())
    boxes[:, 2:] += boxes[:, :2]
    proposals = Proposals.from_columns(frame["image_id"], boxes, frame["score"].to_numpy())
    theirs = pycocotools_recall(truth, detections, budgets, areas)
    for number, area in enumerate(areas):
        tables = {
            policy: match(dataset, proposals, budgets, "coco", ignore=policy, area=area, outside="keep")
            for policy in ("exclude", "absorb")
        }
        ours = recall(tables["exclude"], COCO_THRESHOLDS)
        np.testing.assert_allclose(ours, theirs[:, number], rtol=0, atol=1e-9)
        np.testing.assert_array_equal(ours, recall(tables["absorb"], COCO_THRESHOLDS))
        mean = theirs[:, number].mean(axis=0)
        np.testing.assert_allclose(average_recall(tables["exclude"], "coco"), mean, rtol=0, atol=1e-9)
    return theirs


def random_coco(seed, n_images=6):
    """Truth and detections with equal scores, equal boxes, crowds, ignore flags, empty images; ids from 1."""
    rng = np.random.default_rng(seed)
    images = [{"id": i + 1, "width": 300, "height": 300} for i in range(n_images)]
    side, scale = 10, rng.choice([1, 30])
    annotations, detections = [], []
    for image in images:
        for target, most in ((annotations, 6), (detections, 14)):
            boxes = random_boxes(rng, rng.integers(0, most), side) * scale
            for x1, y1, x2, y2 in boxes:
                entry = {"image_id": image["id"], "category_id": int(rng.integers(1, 4))}
                entry["bbox"] = [x1, y1, x2 - x1, y2 - y1]
                if target is annotations:
                    entry["id"] = len(annotations) + 1
                    entry["iscrowd"] = int(rng.random() < 0.25)
                    entry["ignore"] = int(rng.random() < 0.25)
                    entry["area"] = float((x2 - x1) * (y2 - y1) * rng.choice([0.5, 1]))
                else:
                    entry["score"] = float(rng.integers(0, 4))
                target.append(entry)
    detections.append({"image_id": 1, "category_id": 1, "bbox": [0, 0, 5, 5], "score": 0.5})
    categories = [{"id": i, "name": str(i)} for i in (3, 1, 2)]
    return {"info": {}, "images": images, "annotations": annotations, "categories": categories}, detections


def coco_dataset(truth):
    rows = [
        (
            a["image_id"],
            a["id"],
            a["category_id"],
            *a["bbox"],
            bool(a["ignore"]),
            bool(a["iscrowd"]),
            a["area"],
        )
        for a in truth["annotations"]
    ]
    columns = ["image_id", "object_id", "category_id", *corners, "ignore", "crowd", "area"]
    table = pd.DataFrame(rows, columns=columns)
    table = table.astype({"image_id": int, "ignore": bool, "crowd": bool} | dict.fromkeys(corners, float))
    table[["x2", "y2"]] += table[["x1", "y1"]].to_numpy()
    images = pd.DataFrame(truth["images"]).rename(columns={"id": "image_id"})
    return Dataset("random", images, table.assign(category=table["category_id"].astype(str)))


@pytest.mark.parametrize("seed", range(25))
def test_coco_equals_pycocotools_on_random_input(seed):
    truth, detections = random_coco(seed)
    areas = [(0, 1e10), (0, 900), (900, 10000), (50, 60), (10000, 1e10)]
    compare_with_pycocotools(coco_dataset(truth), truth, detections, [1, 2, 5, 100], areas)


def test_coco_equals_pycocotools_without_any_object():
    truth, detections = random_coco(0)
    truth["annotations"] = []
    theirs = compare_with_pycocotools(coco_dataset(truth), truth, detections, [1, 10], [(0, 1e10)])
    assert np.isnan(theirs).all()


@pytest.mark.data
def test_coco_equals_pycocotools_on_coco100(real_data):
    folder = real_data / "coco100"
    file = folder / "instances_val2014_100.json"
    detections = json.loads((folder / "instances_val2014_fakebbox100_results.json").read_text())
    theirs = compare_with_pycocotools(
        load_coco(file), json.loads(file.read_text()), detections, [1, 2, 10, 100], list(AREAS.values())
    )
    assert np.isfinite(theirs).all()
    assert len(np.unique(theirs)) > 50


@given(seeds)
@quick
def test_coco_equals_the_oracle_with_and_without_absorbing(seed):
    dataset, proposals = random_case(seed)
    boxes = dataset.objects[corners].to_numpy().tolist()
    crowd = dataset.objects["crowd"].to_numpy()
    levels = [0.1, 0.5, 1.0]
    for policy, ignored in (("exclude", crowd), ("absorb", crowd), ("count", np.zeros_like(crowd))):
        table = match(dataset, proposals, [2, 6], "coco", ignore=policy, thresholds=levels)
        for column, k in enumerate((2, 6)):
            for tau in levels:
                wanted = []
                for rows, first in by_image(dataset, proposals, k):
                    plain = [bool(ignored[r]) for r in rows]
                    taken = naive.coco_hits([boxes[r] for r in rows], plain, plain, first, tau)
                    wanted += [hit for hit, skip in zip(taken, plain, strict=True) if not skip]
                assert table.hits(tau)[:, column].tolist() == wanted


def test_coco_takes_equal_overlaps_in_order_of_category():
    # The last object asked wins a tie: here the one of category 9, whatever its row.
    for categories in ([9, 4], [4, 9]):
        dataset = make_dataset([[0, 0, 4, 4], [0, 0, 4, 4]], category_id=categories)
        table = match(dataset, make_proposals([[0, 0, 4, 4]]), 1, "coco")
        assert table.hits(0.5)[:, 0].tolist() == [c == 9 for c in categories]
    plain = match(make_dataset([[0, 0, 4, 4], [0, 0, 4, 4]]), make_proposals([[0, 0, 4, 4]]), 1, "coco")
    assert plain.hits(0.5)[:, 0].tolist() == [False, True]


# Bad input, odd input, and the table itself ---------------------------------------------------------------


def test_images_without_proposals_count_and_images_without_objects_do_not():
    dataset = make_dataset([[0, 0, 4, 4], [0, 0, 4, 4]], [0, 1], n_images=3)
    proposals = Proposals([2, 0], [0, 1, 2], [[0, 0, 1, 1], [0, 0, 4, 4]])
    table = match(dataset, proposals, 10)
    assert table.iou.tolist() == [[1.0], [0.0]]
    assert table.n_images == 3
    assert float(recall(table, 0.5, average="image")) == 0.5


def test_scores_rank_the_boxes():
    proposals = make_proposals([[0, 0, 1, 1], [0, 0, 4, 4]], scores=[0.1, 0.9])
    assert match(make_dataset([[0, 0, 4, 4]]), proposals, 1).iou.item() == 1


@pytest.mark.parametrize("matching", ["best", "greedy", "optimal", "coco"])
def test_nothing_to_match(matching):
    empty = make_dataset([], n_images=2)
    table = match(empty, make_proposals([[0, 0, 1, 1]], [1], 2), [1, 10], matching)
    assert len(table) == 0
    assert recall(table, 0.5).isna().all()
    silent = match(make_dataset([[0, 0, 4, 4]]), make_proposals([]), [1, 10], matching)
    assert recall(silent, 0.5).tolist() == [0.0, 0.0]
    nothing = match(make_dataset([], n_images=0), make_proposals([], n_images=0), 1, matching)
    assert np.isnan(float(recall(nothing, 0.5)))


def test_unknown_images_and_boxes_outside_are_errors():
    dataset = make_dataset([[0, 0, 4, 4]])
    with pytest.raises(InputError, match="made: image_id: expected image ids of tiny.*, got unknown id 1"):
        match(dataset, make_proposals([[0, 0, 1, 1]], [1], 2), 1)
    outside = make_proposals([[0, 0, 4, 4 * SIDE]])
    with pytest.raises(InputError, match="made"):
        match(dataset, outside, 1)
    assert match(dataset, outside, 1, outside="keep").iou.item() == pytest.approx(1 / SIDE)
    assert match(dataset, outside, 1, outside="clip").iou.item() == pytest.approx(4 / SIDE)
    assert match(dataset, outside, 1, outside="drop").iou.item() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budgets": []}, "expected at least one budget, got none"),
        ({"budgets": 0}, "expected budget to be a whole number >= 1, got 0"),
        ({"budgets": [-5, 10]}, "expected budget to be a whole number >= 1, got -5"),
        ({"budgets": [1.5]}, "expected budget to be a whole number >= 1, got 1.5"),
        ({"budgets": "some"}, "expected budget to be a whole number >= 1, got 'some'"),
        ({"budgets": [10, 5]}, "expected rising budgets, got 5 after 10"),
        ({"budgets": [10, 10]}, "expected rising budgets, got 10 after 10"),
        ({"budgets": ["all", 10]}, "expected rising budgets, got 10 after inf"),
        ({"matching": "hungarian"}, "expected matching to be one of best, greedy, optimal, coco"),
        ({"pixels": "centres"}, "expected pixels to be one of edges, inclusive"),
        ({"ignore": "forget"}, "expected ignore to be one of exclude, count, absorb"),
        ({"area": "huge"}, "expected area to be one of all, small, medium, large"),
        ({"area": (5, 1)}, r"expected area to be a name or a pair \(low, high\), got \(5, 1\)"),
        ({"area": 5}, "expected area to be a name or a pair"),
        ({"outside": "forget"}, "expected outside to be one of"),
        ({"matching": "coco", "thresholds": []}, "expected at least one threshold, got none"),
        ({"matching": "coco", "thresholds": [1.2]}, r"expected thresholds in \(0, 1\], got 1.2"),
    ],
)
def test_bad_options_are_named(options, message):
    arguments = {"budgets": 1} | options
    with pytest.raises(InputError, match=message):
        match(make_dataset([[0, 0, 4, 4]]), make_proposals([[0, 0, 4, 4]]), **arguments)


def test_missing_areas_are_named():
    with pytest.raises(InputError, match="column area: expected an area for every object, got none in row 1"):
        match(make_dataset([[0, 0, 4, 4]] * 2, area=[16, np.nan]), make_proposals([]), 1)


def test_coco_tables_only_know_their_thresholds():
    table = match(
        make_dataset([[0, 0, 4, 4]]), make_proposals([[0, 0, 4, 4]]), 1, "coco", thresholds=[0.5, 0.7]
    )
    assert float(recall(table, 0.7)) == 1
    with pytest.raises(InputError, match=r"expected tau to be one of 0.5, 0.7, got 0.6.*thresholds="):
        recall(table, 0.6)
    with pytest.raises(
        InputError, match='expected abo to have one IoU per object, got a table of matching="coco"'
    ):
        table.assigned_iou("abo")


def test_the_table_says_what_it_is():
    table = match(make_dataset([[0, 0, 4, 4]]), make_proposals([[0, 0, 4, 4]]), [1, 10])
    assert repr(table) == (
        "Overlaps(1 objects, 1 images, budgets [1, 10]; dataset='tiny', method='made', matching='greedy', "
        "pixels='edges', ignore='exclude', area='all', outside='error')"
    )
    assert table.objects["object_id"].tolist() == [1]


def test_select_keeps_rows_without_matching_again():
    dataset = make_dataset([[0, 0, 10, 1], [0, 0, 8, 1]], category=["cup", "pot"])
    table = match(dataset, make_proposals([[0, 0, 9, 1]]), 1)
    pots = table.select(table.objects["category"] == "pot")
    assert (len(pots), pots.iou.item(), pots.boxes.tolist()) == (1, 0.0, [[0, 0, 8, 1]])
    with pytest.raises(InputError, match=r"expected 2 booleans, got int64 of shape \(1,\)"):
        table.select(np.array([1]))


@pytest.mark.parametrize("matching", ["greedy", "coco"])
def test_resample_repeats_images(matching):
    dataset, proposals = random_case(3)
    table = match(dataset, proposals, [1, 6], matching, ignore="count")
    draws = [2, 0, 0, 2, 1]
    drawn = table.resample(np.array(draws))
    assert drawn.n_images == 5
    wanted = list(itertools.chain.from_iterable(np.flatnonzero(table.image_row == i) for i in draws))
    assert drawn.object_row.tolist() == table.object_row[wanted].tolist()
    assert drawn.image_row.tolist() == [
        n for n, i in enumerate(draws) for _ in range((table.image_row == i).sum())
    ]
    np.testing.assert_array_equal(drawn.hits(0.5), table.hits(0.5)[wanted])


def test_tables_from_published_overlaps():
    dataset = make_dataset([[0, 0, 4, 4], [0, 0, 4, 4]], [0, 2], n_images=4)
    table = Overlaps.from_iou([[0.5], [1.0]], 10, dataset=dataset, method="theirs")
    assert (table.image_row.tolist(), table.n_images) == ([0, 2], 4)
    assert table.conventions == {"dataset": "tiny", "method": "theirs"}
    for arguments, message in (
        ({"iou": [0.5], "budgets": 1}, r"iou: expected shape \(n_objects, 1\), got shape \(1,\)"),
        ({"iou": [[1.5]], "budgets": 1}, "iou: expected numbers from 0 to 1, got 1.5"),
        ({"iou": [[np.nan]], "budgets": 1}, "iou: expected numbers from 0 to 1, got nan"),
        ({"iou": [[0.5]], "budgets": 1}, "image_row: expected 1 image rows in rising order from 0, got none"),
        ({"iou": [[0.5]] * 2, "budgets": 1, "image_row": [1, 0]}, "got 2: "),
    ):
        with pytest.raises(InputError, match=message):
            Overlaps.from_iou(**arguments)
    with pytest.raises(InputError, match="expected a table that knows its data set"):
        _ = Overlaps.from_iou([[0.5]], 1, image_row=[0]).objects


@pytest.mark.jit
def test_threads_change_nothing():
    dataset, proposals = random_case(1, n_images=200, most_objects=8, most_boxes=60)
    found = []
    for n in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(n)
        found.append([match(dataset, proposals, [5, 50], m) for m in ("best", "greedy", "coco")])
    numba.set_num_threads(1)
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one.hits(0.5), two.hits(0.5))
        if one.iou is not None:
            np.testing.assert_array_equal(one.iou, two.iou)
            np.testing.assert_array_equal(one.rank, two.rank)


def test_match_names_what_it_was_not_given():
    data, boxes = make_dataset([[0, 0, 4, 4]]), make_proposals([[0, 0, 4, 4]])
    with pytest.raises(InputError, match="a data set \\(Dataset\\), got str"):
        match("scenes", boxes, [1])
    with pytest.raises(InputError, match="ranked boxes \\(Proposals\\), got DataFrame"):
        match(data, boxes.to_table(), [1])
    for tolerance in (np.nan, -1, "a", None):
        with pytest.raises(InputError, match="a tolerance of at least 0 pixels"):
            match(data, boxes, [1], tolerance=tolerance)


def test_image_order_and_the_type_of_ids_change_nothing():
    data = make_dataset([[0, 0, 4, 4], [1, 1, 6, 6]], [0, 2], 3)
    table = pd.DataFrame({"image_id": [2, 0, 1, 2], "x1": 0, "y1": 0, "x2": [5, 4, 3, 6], "y2": [5, 4, 3, 6]})
    table["score"] = [0.1, 0.5, 0.5, 0.9]
    expected = match(data, Proposals.from_table(table), [1, 2]).iou.tolist()
    for other in (table.iloc[::-1], table.assign(image_id=table["image_id"].astype(str))):
        assert match(data, Proposals.from_table(other), [1, 2]).iou.tolist() == expected
