"""The overlap table: what it refuses, and how its rows are taken."""

import numpy as np
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.boxes import Overlaps


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"iou": [["a"]]}, "iou: expected numbers from 0 to 1"),
        ({"image_row": ["a"]}, "image_row: expected whole numbers"),
        ({"image_row": [0.5]}, "image_row: expected whole numbers, got"),
        ({"image_row": [np.nan]}, "image_row: expected whole numbers, got"),
        ({"image_row": 0}, "image rows in rising order"),
        ({"category": ["a", "b"]}, "expected 1 categories, got 2"),
    ],
)
def test_tables_of_others_are_checked(fields, message):
    with pytest.raises(InputError, match=message):
        Overlaps.from_iou(**({"iou": [[1.0]], "budgets": [1], "image_row": [0]} | fields))


@pytest.mark.parametrize("draws", [[5], [-1], ["a"], [True]])
def test_resample_draws_rows_of_images(draws):
    table = Overlaps.from_iou([[1.0]], budgets=[1], image_row=[0])
    with pytest.raises(InputError, match="row numbers of images from 0 to 0"):
        table.resample(draws)


@pytest.mark.parametrize("budgets", [1.5, float("nan"), 2**70, [1, 2**63]])
def test_odd_budgets_are_refused(budgets):
    with pytest.raises(InputError, match="budget"):
        Overlaps.from_iou([[1.0]], budgets=budgets, image_row=[0])
