"""Average best overlap by category."""

import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import Overlaps, mabo


def test_mabo_needs_categories():
    table = Overlaps.from_iou([[0.5], [0.6]], 1, image_row=[0, 0], category=["cup", None])
    with pytest.raises(
        InputError, match="objects table: expected a category for every object, got none in row 1"
    ):
        mabo(table)
