"""Which image stands in for which, and labels laid over another image."""

import numpy as np
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.meta.swaps import fit_labels, swap_partners


def test_partners_are_other_images_used_equally_often():
    for n in (2, 3, 9):
        partners = swap_partners(n, swaps=n - 1, seed=n)
        for column in partners.T:
            assert sorted(column) == list(range(n))
        for i, row in enumerate(partners):
            assert sorted([i, *row]) == list(range(n))


def test_labels_fit_other_images():
    labels = np.arange(6).reshape(2, 3)
    assert fit_labels(labels, (2, 3)) is labels
    np.testing.assert_array_equal(fit_labels(labels, (3, 2), "rotate"), np.rot90(labels))
    assert fit_labels(labels, (6, 2)).shape == (6, 2)
    assert set(np.unique(fit_labels(labels, (6, 4)))) == set(range(6))
    np.testing.assert_array_equal(fit_labels(labels, (4, 6)), np.kron(labels, np.ones((2, 2), int)))
    with pytest.raises(
        InputError, match=r"expected shape \(4, 6\) or a quarter turn of it, got shape \(2, 3\)"
    ):
        fit_labels(labels, (4, 6), "rotate")
    with pytest.raises(InputError, match="expected shapes to be one of auto, rotate, resize, got 'crop'"):
        fit_labels(labels, (4, 6), "crop")
