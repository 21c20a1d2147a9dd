import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import repeatability as rep
from propeval_lite.boxes import repeated_areas as areas_of
from propeval_lite.datasets.homographies import rotation_geometry, scale_geometry

SIZE = (40, 30)


def random_boxes(seed, n, size=SIZE):
    rng = np.random.default_rng(seed)
    low = rng.integers(1, size, (n, 2))
    high = rng.integers(low, np.array(size) + 1)
    return np.hstack([low, high]).astype(float)


@st.composite
def boxes(draw, most=12):
    n = draw(st.integers(0, most))
    low = draw(arrays(np.int64, (n, 2), elements=st.integers(1, 12)))
    side = draw(arrays(np.int64, (n, 2), elements=st.integers(0, 8)))
    return np.hstack([low, low + side]).astype(float)


@settings(deadline=None, max_examples=150)
@given(boxes(), boxes())
def test_greedy_matching_equals_striking_off_the_table(reference, others):
    """Whole coordinates make many equal IoUs, so this holds the rule for ties too."""
    expected = naive.greedy_table(reference.tolist(), others.tolist())
    assert rep.match_greedily(reference, others).tolist() == expected


@pytest.mark.parametrize(("n", "m"), [(60, 60), (80, 50), (50, 80), (0, 5), (5, 0)])
def test_greedy_matching_of_many(n, m):
    a, b = random_boxes(1, n), random_boxes(2, m)
    assert rep.match_greedily(a, b).tolist() == naive.greedy_table(a.tolist(), b.tolist())


def test_matching_gives_no_box_twice():
    a, b = random_boxes(3, 30), random_boxes(4, 1)
    assert (rep.match_greedily(a, b) > 0).sum() <= 1


@pytest.mark.parametrize(
    "geometry",
    [
        scale_geometry(SIZE, 0.5),
        scale_geometry(SIZE, 2.0),
        rotation_geometry(SIZE, 20),
        rotation_geometry(SIZE, -5),
    ],
)
def test_repeats_equal_the_oracle(geometry):
    reference = random_boxes(5, 40, geometry.reference_size)
    others = random_boxes(6, 35, geometry.size)
    found = rep.repeats(reference, others, geometry.homography, geometry.reference_size, geometry.size)
    expected = naive.repeats(
        reference.tolist(),
        others.tolist(),
        geometry.homography.tolist(),
        geometry.reference_size,
        geometry.size,
    )
    assert np.allclose(found.iou, np.array(expected, dtype=float), rtol=0, atol=1e-9, equal_nan=True)
    assert found.n_compared == sum(value is not None for value in expected)


def test_boxes_turned_and_turned_back_keep_their_centre_but_not_their_sides():
    g = rotation_geometry((400, 300), 20)
    box = np.array([[50, 60, 150, 100.0]])
    back = rep.project(rep.project(box, g.homography), np.linalg.inv(g.homography))
    assert np.allclose(back[:, :2] + back[:, 2:], box[:, :2] + box[:, 2:])
    assert not np.allclose(back, box)


def test_projecting_by_a_scale_is_exact():
    g = scale_geometry((40, 30), 0.5)
    there = rep.project(random_boxes(7, 20), g.homography)
    assert np.allclose(rep.project(there, np.linalg.inv(g.homography)), random_boxes(7, 20))


def test_a_homography_may_be_multiplied_by_any_number():
    h = np.array([[1, 0.1, 2], [0, 1.2, 1], [0.001, 0, 1]])
    a = random_boxes(8, 10)
    assert np.allclose(rep.project(a, h), rep.project(a, -3 * h))
    assert np.allclose(rep.project(a, h), [naive.project_box(box, h.tolist()) for box in a.tolist()])


@pytest.mark.parametrize(
    ("h", "message"),
    [
        (np.diag([1, 0, 1]), "a homography that can be inverted, got one that flattens"),
        (np.zeros((3, 3)), "got one that flattens"),
        (np.eye(2), "a 3 x 3 matrix of finite numbers, got shape"),
        (np.full((3, 3), np.nan), "got nan or inf"),
        ("matrix", "a 3 x 3 matrix of numbers"),
    ],
)
def test_a_degenerate_homography_is_an_error(h, message):
    with pytest.raises(InputError, match=message):
        rep.repeats(random_boxes(1, 3), random_boxes(1, 3), h, SIZE, SIZE)


def test_a_horizon_through_a_box_is_an_error():
    with pytest.raises(InputError, match="on one side of the homography's horizon, got boxes on both"):
        rep.project([[1, 1, 20, 20]], [[1, 0, 0], [0, 1, 0], [-0.1, 0, 1]])


def test_boxes_that_are_none_are_an_error():
    with pytest.raises(InputError):
        rep.repeats([[5, 1, 1, 5]], random_boxes(1, 3), np.eye(3), SIZE, SIZE)


def test_the_same_boxes_repeat_exactly():
    a = random_boxes(9, 300)
    found = rep.repeats(a, a, np.eye(3), SIZE, SIZE)
    assert (found.iou == 1).all()
    areas = areas_of.group_areas(found.iou, rep.size_groups(a, SIZE))
    assert set(areas[~np.isnan(areas)]) == {1.0}
    assert areas_of.mean_area(areas, empty="leave_out") == 1


def test_boxes_without_partner_count_zero_and_those_beyond_the_border_not_at_all():
    g = rotation_geometry((100, 80), 20)
    width, height = g.size
    corner, middle = [1, 1, 2, 2], [width // 2 - 5, height // 2 - 5, width // 2 + 5, height // 2 + 5]
    found = rep.repeats([corner, middle], np.empty((0, 4)), g.homography, g.size, g.size)
    assert found.n_projected == 0 and found.iou[1] == 0
    assert np.isnan(found.iou[0]) == (
        not naive.centre_is_inside(naive.project_box(corner, g.homography), g.size)
    )


@pytest.mark.parametrize("n", [1, 7, 499, 500, 501, 1234, 5003])
def test_pooled_value_equals_the_oracle(n):
    rng = np.random.default_rng(n)
    iou = np.where(rng.random(n) < 0.2, 1, rng.random(n))
    sides = rng.integers(1, 41, (n, 2))
    sizes = np.stack([np.ones(n), np.ones(n), sides[:, 0], sides[:, 1]], axis=1)
    groups = rep.size_groups(sizes, (40, 40))
    expected = naive.repeatability(iou.tolist(), sides.prod(axis=1).tolist(), [1600] * n)
    assert areas_of.mean_area(areas_of.group_areas(iou, groups)) == pytest.approx(expected, abs=1e-12)


def test_thinning_leaves_about_so_many_and_few_values_alone():
    values = np.random.default_rng(0).random(12345)
    assert len(areas_of.thinned(values)) == 500
    assert len(areas_of.thinned(values[:500])) == 500
    assert np.array_equal(areas_of.thinned(values, None), np.sort(values))
    assert abs(areas_of.area_under_recall(values) - values.mean()) < 0.003
    whole = areas_of.area_under_recall(values, None)
    added = (values.max() - values.min() + 0.001) / (2 * len(values))
    assert whole == pytest.approx(values.mean() + added, abs=1e-12)


def test_undefined_is_nan():
    assert np.isnan(areas_of.area_under_recall([])) and np.isnan(areas_of.area_under_recall([np.nan]))
    assert np.isnan(areas_of.mean_area([np.nan] * 10))
    assert areas_of.mean_area([1.0, *[np.nan] * 9]) == 0.1


def test_groups_have_open_ends():
    assert rep.size_groups([[1, 1, 1, 1], [0, 0, 40, 30]], SIZE).tolist() == [0, 9]
