"""Columns of boxes: rows that repeat earlier ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from propeval_lite.proposals.columns import first_of_each


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=30))
def test_first_of_each_keeps_first_occurrences(rows):
    boxes = np.array(rows, dtype=float).reshape(-1, 4)
    expected = [i for i, row in enumerate(rows) if row not in rows[:i]]
    assert first_of_each(boxes).tolist() == expected


def test_first_of_each_when_different_boxes_share_a_key():
    # 2^53 swallows the small coordinates, so all keys are equal.
    boxes = np.array([[2.0**60, 0, 0, 0], [2.0**60, 1, 0, 0], [2.0**60, 0, 0, 0], [2.0**60, 1, 0, 0]])
    assert first_of_each(boxes).tolist() == [0, 1]


def test_first_of_each_looks_at_every_column():
    rows = np.array([[0, 1, 1, 2, 2], [1, 1, 1, 2, 2], [0, 1, 1, 2, 2]])
    assert first_of_each(rows).tolist() == [0, 1]
    assert first_of_each(rows[:0]).tolist() == []
