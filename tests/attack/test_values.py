"""Values that computers like to get wrong: each gives the right number, or is refused."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from refusals import refused, within
from toys import toy

import propeval_lite as pe
from propeval_lite._kernels.overlaps import pair_overlaps
from propeval_lite.superpixels.tree import MergeTree

LABELS = np.array([[0, 0, 1], [2, 2, 1]])
TABLE = pe.Overlaps.from_iou([[0.7], [0.55], [0.3]], budgets=[10], image_row=[0, 0, 1])


# thresholds

SAME = {
    "float": 0.7,
    "float32": np.float32(0.7),
    "float16": np.float16(0.7),
    "float64": np.float64(0.7),
    "text": "0.7",
    "fraction": Fraction(7, 10),
    "fraction as text": "7/10",
    "decimal": Decimal("0.7"),
    "exponent": "7e-1",
    "array of nothing": np.array(0.7, np.float32),
}


@pytest.mark.parametrize("tau", SAME.values(), ids=SAME)
def test_a_threshold_means_what_it_says(tau):
    assert float(pe.recall(TABLE, tau)) == 1 / 3
    assert pe.count_hits((2, 2, 12, 12), (40, 40), tau) == pe.count_hits((2, 2, 12, 12), (40, 40), "7/10")
    assert pe.chance.draws_needed(7, 10, tau) == 1


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_float32_thresholds_mean_what_they_say(kind):
    taus = np.array([0.55, 0.7], kind)
    assert pe.recall(TABLE, taus)[10].tolist() == [2 / 3, 1 / 3]
    assert pe.recall(TABLE, list(taus))[10].tolist() == [2 / 3, 1 / 3]
    assert pe.recall(TABLE, [taus[1], 0.55])[10].tolist() == [1 / 3, 2 / 3]
    assert float(pe.average_recall(TABLE, "sum", n_iou=1, high=taus[1])) == 1 / 3
    data = toy(3)
    boxes = pe.Proposals(data.images["image_id"], [0, 0, 0, 0], np.zeros((0, 4)))
    found = pe.match(data, boxes, [1], matching="coco", thresholds=taus)
    assert found.thresholds.tolist() == [0.55, 0.7]
    assert found.hits(0.7).sum() == 0


TAUS = {
    "exponent of millions": Decimal("1e-99999999"),
    "exponent of millions above": Decimal("1e99999999"),
    "exponent as text": "1e-99999999",
    "decimal that is no number": Decimal("nan"),
    "signalling": Decimal("snan"),
    "infinite": Decimal("inf"),
    "just above one": Decimal("1.0000000000000000000000000001"),
    "below all floats": 5e-324,
    "negative": -0.5,
    "minus zero": -0.0,
    "division by zero": "1/0",
    "a digit with a line": "0_5",
    "long text": "0." + "0" * 10**6 + "1",
    "many digits": "1/" + "9" * 10**6,
    "complex": 0.5 + 0j,
    "bytes": b"0.5",
    "date": pd.Timestamp("2020-01-01"),
    "missing": pd.NA,
    "no date": pd.NaT,
    "infinite float": np.inf,
    "masked": np.ma.masked,
    "masked in a list": np.ma.masked_array([0.5, 0.7], mask=[True, False]),
    "two axes": [[0.5, 0.7]],
    "mapping": {0.5: 1},
    "table": pd.DataFrame({"tau": [0.5]}),
}


@pytest.mark.parametrize("tau", TAUS.values(), ids=TAUS)
def test_no_threshold(tau):
    with refused("tau"):
        pe.recall(TABLE, tau)
    with refused("tau"):
        pe.omega_min((1, 1, 4, 4), tau)


# boxes

EXTREMES = {
    "enormous": [0, 0, 1e200, 1e200],
    "enormous and flat": [0, 0, 1e300, 1e-300],
    "whole range": [-1e308, -1e308, 1e308, 1e308],
    "tiny": [0, 0, 1e-200, 1e-200],
    "tiny and wide": [0, 0, 1, 1e-300],
    "far away": [1e15, 1e15, 1e15 + 1, 1e15 + 1],
    "smallest": [0, 0, 1e-300, 1e-300],
}


# Kernels go on from an infinite product with scaled numbers; interpreted by numpy they say that there was one.
OVERFLOW = pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered:RuntimeWarning")


@OVERFLOW
@pytest.mark.parametrize("box", EXTREMES.values(), ids=EXTREMES)
@pytest.mark.parametrize("matching", ["best", "greedy", "optimal", "coco"])
def test_enormous_and_tiny_equal_boxes_have_iou_1(box, matching):
    images = pd.DataFrame({"image_id": ["a"], "width": [9], "height": [9]})
    corners = dict(zip(("x1", "y1", "x2", "y2"), np.array(box, float), strict=True))
    objects = pd.DataFrame({"image_id": ["a"], "object_id": 1, "category": "cup", **corners, "ignore": False})
    data = pe.Dataset("extreme", images, objects)
    table = pe.match(data, pe.Proposals(["a"], [0, 1], [box]), 1, matching=matching, outside="keep")
    assert float(pe.recall(table, 0.95)) == 1
    if matching != "coco":
        assert table.iou.tolist() == [[1.0]]


@OVERFLOW
@pytest.mark.parametrize("power", [-1000, -600, -520, 0, 400, 500, 1000])
def test_iou_does_not_depend_on_the_unit(power):
    rng = np.random.default_rng(0)
    low, sides = rng.integers(0, 30, (2, 40, 2))
    boxes = np.hstack([low, low + sides + 1]).astype(float)
    plain = pair_overlaps(boxes[:20], np.zeros((0, 4)), boxes[20:], 0.0)
    scaled = pair_overlaps(np.ldexp(boxes[:20], power), np.zeros((0, 4)), np.ldexp(boxes[20:], power), 0.0)
    assert np.allclose(plain, scaled, rtol=1e-14, atol=0)


BOXES = {
    "nan": [[0, 0, np.nan, 4]],
    "infinite": [[0, 0, np.inf, 4]],
    "infinite start": [[-np.inf, 0, 4, 4]],
    "swapped": [[4, 0, 0, 4]],
    "upside down": [[0, 4, 4, 0]],
    "numbers as text": [["0", "0", "4", "4"]],
    "a digit with a line": np.array([["0", "0", "4", "1_5"]], dtype=object),
    "true": [[True, False, True, True]],
    "complex": [[0j, 0, 4, 4]],
    "none in it": [[0, 0, None, 4]],
    "beyond floats": [[0, 0, 10**400, 4]],
    "three axes": [[[0, 0, 4, 4]]],
    "ragged": [[0, 0, 4, 4], [0, 0]],
    "five": [[0, 0, 4, 4, 0.9]],
    "masked": np.ma.masked_array([[0.0, 0, 4, 4]], mask=[[0, 0, 0, 1]]),
    "table of words": pd.DataFrame({"a": ["b"]}),
    "records": np.array([(0, 0, 4, 4)], dtype=[("x1", int), ("y1", int), ("x2", int), ("y2", int)]),
}


@pytest.mark.parametrize("boxes", BOXES.values(), ids=BOXES)
def test_no_boxes(boxes):
    with refused():
        pe.Proposals(["a"], [0, 1], boxes)
    with refused():
        pe.count_hits(boxes, (9, 9), 0.5)
    with refused():
        pe.omega_max(boxes, 0.5)


# masks that hide values

HIDDEN = {
    "labels": lambda: pe.contingency(np.ma.masked_equal(LABELS, 0), LABELS),
    "partition": lambda: pe.fop(np.ma.masked_equal(LABELS, 0), [LABELS]),
    "truth": lambda: pe.fb(LABELS, [np.ma.masked_equal(LABELS, 0)]),
    "foreground": lambda: pe.jaccard(np.ma.masked_array(LABELS > 0, mask=LABELS > 1), LABELS > 0),
    "contours": lambda: pe.partitions.contours(np.ma.masked_equal(LABELS, 0)),
    "picture": lambda: pe.segmenters.segment(
        "quadtree", np.ma.masked_equal(np.zeros((4, 4), np.uint8), 0), 2
    ),
    "picture of masks": lambda: pe.masks.propose_masks(
        "quadtree", np.ma.masked_equal(np.zeros((4, 4), np.uint8), 0)
    ),
    "hits": lambda: pe.hit_probability(np.ma.masked_equal([1, 2], 1), 10, 2),
    "draws": lambda: pe.hit_probability(1, 10, np.ma.masked_equal([1, 2], 1)),
    "sizes": lambda: pe.count_candidates(np.ma.masked_equal([3, 2], 2)),
    "unit": lambda: pe.masks.j_from_f(np.ma.masked_equal([0.5, 1.0], 1.0)),
    "ids": lambda: pe.Proposals(np.ma.masked_equal([1, 2], 1), [0, 0, 0], np.zeros((0, 4))),
    "offsets": lambda: pe.Proposals([1], np.ma.masked_equal([0, 0], 0), np.zeros((0, 4))),
    "scores": lambda: pe.Proposals([1], [0, 1], [[0, 0, 4, 4]], np.ma.masked_equal([0.5], 0.5)),
    "table": lambda: pe.Overlaps.from_iou(np.ma.masked_equal([[0.5]], 0.5), 1, image_row=[0]),
    "image rows": lambda: pe.Overlaps.from_iou([[0.5]], 1, image_row=np.ma.masked_equal([0], 0)),
    "choice of rows": lambda: TABLE.select(np.ma.masked_array([True] * 3, mask=[1, 0, 0])),
    "drawn images": lambda: TABLE.resample(np.ma.masked_equal([0, 1], 1)),
    "sample": lambda: pe.meta.classify_scores(np.ma.masked_equal([0.9, 0.8], 0.8), [0.1], True),
    "image of a data set": lambda: toy(3).subset(np.ma.masked_array(["i0", "i1"], mask=[True, False])),
}


@pytest.mark.parametrize("call", HIDDEN.values(), ids=HIDDEN)
def test_masked_arrays_keep_their_mask_or_are_refused(call):
    with refused():
        call()


def test_an_array_that_could_hide_but_hides_nothing_is_an_array():
    assert pe.jaccard(np.ma.masked_array(LABELS > 0), LABELS > 0) == 1


# containers


def test_containers_copy_what_the_caller_may_reuse():
    boxes, scores, offsets = np.array([[0.0, 0, 4, 4], [0, 0, 2, 2]]), np.array([0.9, 0.5]), np.array([0, 2])
    ids = np.array(["a"], dtype=object)
    made = pe.Proposals(ids, offsets, boxes, scores)
    iou, rows = np.array([[0.7]]), np.array([0])
    table = pe.Overlaps.from_iou(iou, [10], image_row=rows)
    tree, nodes = np.array([0]), np.array([[0, -1]])
    labels, merges = np.array([[0, 1]]), np.array([[0, 1]])
    masks = pe.MaskProposals((MergeTree(labels, merges),), tree, nodes)
    for array in (boxes, scores, offsets, iou, rows, tree, nodes):
        array[...] = 1
    ids[0] = "b"
    assert made.boxes.tolist() == [[0, 0, 4, 4], [0, 0, 2, 2]]
    assert made.scores.tolist() == [0.9, 0.5] and made.offsets.tolist() == [0, 2]
    assert made.image_ids.tolist() == ["a"]
    assert table.iou.tolist() == [[0.7]] and table.image_row.tolist() == [0]
    assert masks.tree.tolist() == [0] and masks.nodes.tolist() == [[0, -1]]


def test_a_data_set_copies_the_tables_it_is_made_of():
    data = toy(3)
    images, objects = data.images.copy(), data.objects.copy()
    made = pe.Dataset("copy", images, objects)
    images.loc[0, "width"], objects.loc[0, "x1"] = 999, 0
    assert made.images.equals(data.images) and made.objects.equals(data.objects)


def table_of(data):
    return pe.Overlaps.from_iou(np.ones((len(data.objects), 1)), [100], dataset=data)


@pytest.mark.parametrize("table", ["objects", "images"])
def test_chance_recall_notices_an_edited_table(table):
    data = toy(4)
    before = float(pe.chance_recall(table_of(data), 0.5))
    if table == "objects":
        data.objects["x2"] = data.objects["x1"] + 3
    else:
        data.images["width"] = data.images["width"] + 200
    fresh = pe.Dataset("fresh", data.images, data.objects)
    after = float(pe.chance_recall(table_of(data), 0.5))
    assert after == float(pe.chance_recall(table_of(fresh), 0.5)) != before


# masks proposed

LEAVES, MERGES = np.array([[0, 0, 1, 2]]), np.array([[0, 1], [3, 2]])
TREE = MergeTree(LEAVES, MERGES)
UNIONS = {
    "a node with its child": ([[3, 0]], "nodes"),
    "a child with its node": ([[1, 3]], "nodes"),
    "a node with its grandchild": ([[4, 1]], "nodes"),
    "a node with itself": ([[2, 2]], "nodes"),
    "a node that is not there": ([[5, -1]], "nodes"),
    "a second node that is not there": ([[0, 5]], "nodes"),
    "no node": ([[-1, -1]], "nodes"),
    "minus two": ([[0, -2]], "nodes"),
    "three nodes": ([[0, 1, 2]], "nodes"),
    "flat": ([0], "nodes"),
    "two rows": ([[0, -1], [1, -1]], "nodes"),
    "points": ([[0.0, -1.0]], "nodes"),
}


@pytest.mark.parametrize(("nodes", "word"), UNIONS.values(), ids=UNIONS)
def test_mask_proposals_of_impossible_nodes(nodes, word):
    with refused(word):
        pe.MaskProposals((TREE,), np.array([0]), np.array(nodes))


TREES = {
    "labels with a gap": (LEAVES * 2, MERGES, "labels"),
    "negative labels": (LEAVES - 1, MERGES, "labels"),
    "labels far apart": (LEAVES * 10**12, MERGES, "labels"),
    "labels with a point": (LEAVES * 1.0, MERGES, "labels"),
    "flat labels": (LEAVES[0], MERGES, "labels"),
    "no labels": (None, MERGES, "labels"),
    "a merge of what is not there": (LEAVES, [[0, 4]], "merges"),
    "a merge of itself": (LEAVES, [[0, 3]], "merges"),
    "a negative merge": (LEAVES, [[-1, 0]], "merges"),
    "merged twice": (LEAVES, [[0, 1], [0, 2]], "merges"),
    "merged with itself": (LEAVES, [[1, 1]], "merges"),
    "merges of three": (LEAVES, [[0, 1, 2]], "merges"),
    "merges with a point": (LEAVES, [[0.0, 1.0]], "merges"),
}


@pytest.mark.parametrize(("labels", "merges", "word"), TREES.values(), ids=TREES)
def test_mask_proposals_of_impossible_trees(labels, merges, word):
    with refused("hierarchies", word):
        pe.MaskProposals((MergeTree(labels, np.array(merges)),), np.array([0]), np.array([[0, -1]]))


def test_mask_proposals_of_two_pictures_and_a_tree_that_is_not_there():
    other = MergeTree(LEAVES.T, MERGES)
    with refused("hierarchies"):
        pe.MaskProposals((TREE, other), np.array([0]), np.array([[0, -1]]))
    for number in (-1, 1, 2**40):
        with refused("tree"):
            pe.MaskProposals((TREE,), np.array([number]), np.array([[0, -1]]))
    for rank in (-1, 1, 0.5, None):
        with refused("rank"):
            pe.MaskProposals((TREE,), np.array([0]), np.array([[0, -1]])).mask(rank)


def test_jaccard_of_mask_proposals_is_that_of_their_pixels():
    every = [(a, b) for a in range(5) for b in range(-1, 5)]
    kept = []
    for pair in every:
        try:
            kept.append(pe.MaskProposals((TREE,), np.array([0]), np.array([pair])))
        except pe.InputError:
            continue
    truths = np.array([[[1, 1, 1, 0]], [[0, 0, 1, 1]]], dtype=bool)
    assert len(kept) == 5 + 2 * 4
    for masks in kept:
        wanted = [pe.jaccard(truth, masks.mask(0)) for truth in truths]
        assert pe.masks.mask_scores(masks, truths).tolist() == [wanted]


# sizes and seeds

SEEDS = {
    "bootstrap": lambda seed: pe.boxes.bootstrap(TABLE, pe.recall, 0.5, n=2, seed=seed),
    "propose": lambda seed: pe.propose("uniform", toy(3), seed=seed),
    "masks": lambda seed: pe.masks.propose_masks("random_merging", np.zeros((4, 4), np.uint8), seed=seed),
    "segment": lambda seed: pe.segmenters.segment("random_slic", np.zeros((8, 8), np.uint8), 2, seed=seed),
    "scenes": lambda seed: pe.load_dataset("scenes", n=1, seed=seed),
}


@pytest.mark.parametrize("seed", [-1, -(2**70), 1.0, "1", None, True, np.float64(3), [1, 2]], ids=repr)
@pytest.mark.parametrize("call", SEEDS.values(), ids=SEEDS)
def test_seeds(call, seed):
    with refused("seed"):
        call(seed)


def test_a_seed_of_any_length_is_one():
    assert len(pe.propose("uniform", toy(3), k=2, seed=2**200)) == 6


LATTICES = {
    "the object of minutes": ((10_000, 10_000, 30_000, 30_000), (40_000, 40_000), 0.5),
    "the object of an hour": ((10_000, 10_000, 30_000, 30_000), (40_000, 40_000), 0.1),
    "beyond 63 bits": ((1, 1, 10**9, 10**9), (2 * 10**9, 2 * 10**9), 0.5),
    "beyond 31 bits": ((1, 1, 3, 3), (2**31, 3), 0.5),
}


@pytest.mark.parametrize(("box", "size", "tau"), LATTICES.values(), ids=LATTICES)
def test_chance_in_enormous_images(box, size, tau):
    with refused():
        pe.count_hits(box, size, tau)
    with refused():
        pe.chance.chance_report(*size, box, tau, 100)


def test_small_objects_of_enormous_images_are_counted():
    with within(20):
        assert pe.count_hits((5, 5, 25, 15), (40_000, 40_000), 0.5) == pe.count_hits(
            (5, 5, 25, 15), (90, 90), 0.5
        )


VOIDS = ["255", 255.0, -1, True, np.nan, [255], np.array([255, 0]), None, b"\xff"]


@pytest.mark.parametrize("void", [value for value in VOIDS if value is not None], ids=repr)
@pytest.mark.parametrize(
    "call", [pe.contingency, pe.fop, pe.partition_scores], ids=lambda call: call.__name__
)
def test_void_as_text_or_number_with_a_point(call, void):
    other = LABELS if call is pe.contingency else [LABELS]
    with refused("void"):
        call(LABELS, other, void=void)


def test_void_may_be_a_number_of_numpy():
    assert pe.contingency([255, 1], [0, 1], void=np.uint8(255)).n_pixels == 1


IDS = {
    "half a character": ["a\ud800"],
    "none": [None],
    "nan": [np.nan],
    "true": [True],
    "dates": [pd.Timestamp("2020-01-01")],
    "lists": [[1]],
    "pairs": [("a", 1)],
    "bytes": [b"a"],
    "numbers and words": ["1", 1],
    "twice": ["a", "a"],
    "halves": [0.5],
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_image_ids(ids):
    with refused():
        pe.Proposals(pd.Series(ids, dtype=object), [0] * (len(ids) + 1), np.zeros((0, 4)))
    with refused():
        images = pd.DataFrame({"image_id": pd.Series(ids, dtype=object), "width": 4, "height": 4})
        pe.Dataset("ids", images, toy(3).objects.iloc[:0])


SIDES = [0, -1, 0.5, np.nan, np.inf, 2**31, "4", None, True, 10**30]


@pytest.mark.parametrize("side", SIDES, ids=repr)
@pytest.mark.parametrize("column", ["width", "height"])
def test_image_sizes(column, side):
    sizes = {"width": 4, "height": 4} | {column: pd.Series([side], dtype=object)}
    with refused(column):
        pe.Dataset("sizes", pd.DataFrame({"image_id": ["a"], **sizes}), toy(3).objects.iloc[:0])


FLAGS = [None, "yes", 2, 0.5, "", [], np.nan]


@pytest.mark.parametrize("flag", FLAGS, ids=repr)
@pytest.mark.parametrize("column", ["ignore", "crowd"])
def test_flags_of_objects(column, flag):
    objects = toy(3).objects
    objects[column] = pd.Series([flag] * len(objects), dtype=object)
    with refused(column):
        pe.Dataset("flags", toy(3).images, objects)
