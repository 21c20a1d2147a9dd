"""Non-maximum suppression against a slow oracle, against OpenCV, and against what theory promises."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import propeval_lite as pe

THRESHOLDS = (0, 0.25, 0.3, 0.5, 0.6, 0.7, 0.75, 0.9, 1)


def random_case(seed, most=25, side=12):
    """Boxes on a coarse lattice with few different scores, so that ties of both, copies and empty boxes happen."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, most))
    a, b = rng.integers(0, side + 1, (2, n, 2))
    return np.concatenate((np.minimum(a, b), np.maximum(a, b)), axis=1).astype(float), rng.integers(
        0, 6, n
    ) / 8


@settings(deadline=None, max_examples=200)
@given(
    st.integers(0, 10**6),
    st.sampled_from(THRESHOLDS),
    st.sampled_from([None, 1.0, 0.99, 0.875, 0.3]),
    st.sampled_from(["edges", "inclusive"]),
    st.sampled_from([None, 1, 4]),
)
def test_the_oracle_keeps_the_same_boxes(seed, threshold, eta, pixels, limit):
    boxes, scores = random_case(seed)
    expected = naive.suppress(
        boxes, scores, threshold, 1.0 if eta is None else eta, int(pixels == "inclusive"), limit
    )
    assert pe.nms(boxes, scores, threshold, eta, pixels, limit).tolist() == expected


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(THRESHOLDS))
def test_what_is_kept_and_what_goes(seed, threshold):
    """No kept box exceeds the threshold with another; each other box does so with a better one that is kept."""
    boxes, scores = random_case(seed)
    kept = pe.nms(boxes, scores, threshold).tolist()
    overlap = np.array([[naive.box_overlap(a, b) for a in boxes] for b in boxes]).reshape(
        len(boxes), len(boxes)
    )
    rank = np.empty(len(boxes), dtype=int)
    rank[np.lexsort((np.arange(len(boxes)), -scores))] = np.arange(len(boxes))
    assert rank[kept].tolist() == sorted(rank[kept].tolist())
    for row in range(len(boxes)):
        better = [other for other in kept if rank[other] < rank[row]]
        assert (row in kept) == all(overlap[row, other] <= threshold for other in better)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(THRESHOLDS), st.integers(1, 10))
def test_a_limit_cuts_the_list_and_a_second_pass_removes_nothing(seed, threshold, limit):
    boxes, scores = random_case(seed)
    kept = pe.nms(boxes, scores, threshold)
    assert pe.nms(boxes, scores, threshold, limit=limit).tolist() == kept[:limit].tolist()
    assert pe.nms(boxes[kept], None, threshold).tolist() == list(range(len(kept)))


def test_a_falling_threshold_stops_at_one_half():
    """Boxes far apart, then one that overlaps the first by .45: below 1/2 the threshold no longer falls."""
    far = [[100.0 * n, 0, 100.0 * n + 10, 10] for n in range(30)]
    late = [[0, 0, 10, 4.6]]
    assert len(pe.nms(far + late, None, 0.9, eta=0.99)) == 31
    # .9 · .7² = .441 after two boxes, and it stays there: .46 is too much, .44 is not.
    assert len(pe.nms(far + late, None, 0.9, eta=0.7)) == 30
    assert len(pe.nms([*far, [0, 0, 10, 4.4]], None, 0.9, eta=0.7)) == 31


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.6, 0.7, 0.9])
def test_a_tie_with_the_threshold_stays(threshold):
    height = round(100 * threshold)
    pair = [[0, 0, 10, 100], [0, 0, 10, height]]
    assert pe.nms(pair, [2, 1], threshold).tolist() == [0, 1]
    assert pe.nms(pair, [2, 1], np.float32(threshold)).tolist() == [0, 1]
    assert pe.nms(pair, [2, 1], threshold - 1e-9).tolist() == [0]


def test_pixels_decide_a_close_case():
    pair = [[0, 0, 9, 9], [0, 0, 9, 6]]
    assert pe.nms(pair, None, 0.68).tolist() == [0, 1]
    assert pe.nms(pair, None, 0.68, pixels="inclusive").tolist() == [0]


def test_equal_scores_keep_the_order_of_rows():
    boxes = [[0, 0, 10, 10], [0, 0, 10, 9], [0, 0, 10, 8]]
    assert pe.nms(boxes, [0.5, 0.5, 0.5], 0.5).tolist() == [0]
    assert pe.nms(boxes[::-1], [0.5, 0.5, 0.5], 0.5).tolist() == [0]
    assert pe.nms(boxes, [0.5, 0.5, 0.6], 0.5).tolist() == [2]


def test_few_boxes():
    assert pe.nms([], [], 0.5).tolist() == []
    assert pe.nms(np.empty((0, 4)), None, 0.5, eta=0.9).dtype == np.int64
    assert pe.nms([0, 0, 1, 1], [1], 0.5).tolist() == [0]
    # Boxes without area overlap nothing, not even their copies.
    assert pe.nms([[1, 1, 1, 5]] * 2, None, 0.5).tolist() == [0, 1]
    assert pe.nms([[1, 1, 1, 5]] * 2, None, 0.5, pixels="inclusive").tolist() == [0]


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_sizes_beyond_the_squares_of_floats(size):
    pair = np.array([[0, 0, 1, 1], [0, 0, 1, 0.8]]) * size
    assert (pe.nms(pair, None, 0.7).tolist(), pe.nms(pair, None, 0.9).tolist()) == ([0], [0, 1])


def opencv_keeps(boxes, scores, threshold, eta):
    cv2 = pytest.importorskip("cv2")
    sides = np.concatenate((boxes[:, :2], boxes[:, 2:] - boxes[:, :2]), axis=1).astype(np.int32)
    found = cv2.dnn.NMSBoxes(sides, scores.astype(np.float32), 0.0, threshold, eta)
    return np.asarray(found, dtype=int).ravel().tolist()


@pytest.mark.parametrize(("threshold", "eta"), [(0.5, 1.0), (0.25, 1.0), (0.75, 0.875), (0.875, 0.9375)])
@pytest.mark.parametrize("seed", range(6))
def test_opencv_keeps_the_same_boxes(threshold, eta, seed):
    """Thresholds and factors that single precision holds exactly; boxes with area, on whole pixels."""
    rng = np.random.default_rng(seed)
    start = rng.integers(0, 60, (400, 2))
    boxes = np.concatenate((start, start + rng.integers(1, 40, (400, 2))), axis=1).astype(float)
    scores = rng.integers(1, 200, 400) / 256
    kept = pe.nms(boxes, scores, threshold, eta).tolist()
    assert kept == opencv_keeps(boxes, scores, threshold, eta)
    assert 10 < len(kept) < 400


@pytest.mark.parametrize(
    ("boxes", "scores", "options", "words"),
    [
        ([[0, 0, 1, 1]], [np.nan], {}, ["a finite score", "score=nan in row 0"]),
        ([[0, 0, 1, 1]], [np.inf], {}, ["a finite score"]),
        ([[0, 0, 1, 1]], [0.5, 0.5], {}, ["1 scores, one per box"]),
        ([[0, 0, 1, 1]], ["high"], {}, ["scores that are numbers"]),
        ([[0, 0, np.nan, 1]], [0.5], {}, ["a finite x2"]),
        ([[5, 0, 1, 1]], [0.5], {}, ["x2 >= x1", "width, height"]),
        ([[0, 0, 1]], [0.5], {}, ["shape (n, 4)"]),
        ([[0, 0, 1, 1]], [0.5], {"threshold": 1.2}, ["threshold", "1.2"]),
        ([[0, 0, 1, 1]], [0.5], {"threshold": -0.1}, ["threshold"]),
        ([[0, 0, 1, 1]], [0.5], {"threshold": np.nan}, ["threshold"]),
        ([[0, 0, 1, 1]], [0.5], {"threshold": True}, ["threshold"]),
        ([[0, 0, 1, 1]], [0.5], {"eta": 0}, ["eta"]),
        ([[0, 0, 1, 1]], [0.5], {"eta": 1.01}, ["eta", "leave it out"]),
        ([[0, 0, 1, 1]], [0.5], {"eta": "slow"}, ["eta"]),
        ([[0, 0, 1, 1]], [0.5], {"pixels": "centres"}, ["pixels"]),
        ([[0, 0, 1, 1]], [0.5], {"limit": 0}, ["limit"]),
    ],
)
def test_bad_input_is_named(boxes, scores, options, words):
    with refused(*words):
        pe.nms(boxes, scores, **{"threshold": 0.5} | options)
