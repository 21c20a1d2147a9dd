"""F of precision and recall: the formula, the undefined cases, and both ways to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from propeval_lite.partitions.precision_recall import f_of, f_of_counts

share = st.just(0.0) | st.floats(1e-9, 1)


@given(share, share)
def test_f_lies_between_its_sides_and_is_symmetric(precision, recall):
    f = f_of(precision, recall)
    assert isinstance(f, float)
    assert min(precision, recall) * (1 - 1e-12) <= f <= max(precision, recall) * (1 + 1e-12)
    assert f == f_of(recall, precision)
    if precision + recall:
        assert f == 2 * precision * recall / (precision + recall)


def test_undefined_cases():
    assert f_of(0, 0) == 0
    assert np.isnan(f_of([np.nan, 0.5, np.nan], [0.5, np.nan, np.nan])).all()
    assert f_of_counts(0, 3, 0, 0) == f_of_counts(0, 0, 0, 3) == f_of_counts(0, 3, 0, 3) == 0
    assert np.isnan(f_of_counts(0, 0, 0, 0))


@given(st.lists(st.tuples(*[st.integers(0, 60)] * 4), min_size=1, max_size=5))
def test_counts_and_shares_agree(rows):
    truth, found, a, b = np.array(rows).T
    truth, found = truth + 1, found + 1
    matched_truth, matched_found = np.minimum(a + 1, truth), np.minimum(b + 1, found)
    wanted = f_of(matched_found / found, matched_truth / truth)
    np.testing.assert_allclose(f_of_counts(matched_truth, truth, matched_found, found), wanted, rtol=1e-12)


def test_counts_are_rounded_once():
    for n in range(1, 200):
        assert f_of_counts(n, 3 * n, n, n) == 0.5


def test_counts_of_a_whole_data_set_do_not_overflow():
    assert f_of_counts(10**12, 10**12, 10**12, 10**12) == pytest.approx(1)
