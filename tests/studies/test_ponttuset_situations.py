"""Masks around an object: each must be what its name says."""

import numpy as np
import pandas as pd
import pytest
from scipy import ndimage

from propeval_lite.masks import boundary_f, jaccard
from propeval_lite.studies import ponttuset_situations as study

ROWS, COLUMNS = np.indices((120, 160))
DISK = (ROWS - 60) ** 2 + (COLUMNS - 80) ** 2 < 30**2
TOLERANCE = 0.01  # two pixels


@pytest.fixture(scope="module")
def masks():
    return study.situations(DISK, TOLERANCE, 0)


def test_situations_are_what_their_names_say(masks):
    assert list(masks) == ["(a) second annotator", "(b) hairs", "(c) neighbour", "(d) ragged", "(e) rim"]
    annotator, hairs, neighbour, ragged, rim = masks.values()
    away = ndimage.distance_transform_edt(DISK) + ndimage.distance_transform_edt(~DISK)
    # The second annotator strays by a fraction of what the ragged mask does.
    assert 0 < away[annotator != DISK].mean() < away[ragged != DISK].mean() / 2
    assert (hairs & DISK).sum() == DISK.sum()
    _, grown = ndimage.label(hairs & ~ndimage.binary_dilation(DISK, iterations=2), np.ones((3, 3)))
    assert 5 <= grown <= 9 and away[hairs & ~DISK].max() <= 5 * 2 + 2
    assert not neighbour[:, 110:].any() and 0 < jaccard(DISK, neighbour) < 0.1
    assert away[rim].max() < 2.5 and rim[60, 50] and not rim[60, 80]


def test_situations_depend_on_the_seed(masks):
    again, other = (study.situations(DISK, TOLERANCE, seed) for seed in (0, 1))
    assert all((again[name] == mask).all() for name, mask in masks.items())
    assert [name for name in masks if (other[name] != masks[name]).any()] == [
        "(a) second annotator", "(b) hairs", "(d) ragged"]  # fmt: skip


def test_scores(masks):
    table = study.situation_scores(DISK, masks, TOLERANCE).set_index("situation")
    for name, mask in masks.items():
        j = (mask & DISK).sum() / (mask | DISK).sum()
        row = table.loc[name]
        assert row["J"] == pytest.approx(j) and row["F"] == pytest.approx(2 * j / (1 + j))
        assert row["matching"] == boundary_f(DISK, mask, TOLERANCE)
        assert row["difference"] == row["morphological"] - row["matching"]


def test_sweep_has_a_row_per_mask_tolerance_and_way(masks):
    few = {name: masks[name] for name in ("(d) ragged", "(e) rim")}
    table = study.tolerance_sweep(DISK, few, [0.002, 0.05])
    assert len(table) == 8 and not table.duplicated(["situation", "method", "tolerance"]).any()
    row = table.query("situation == '(e) rim' and method == 'morphological' and tolerance == 0.002")
    assert row["value"].item() == boundary_f(DISK, few["(e) rim"], 0.002, "morphological")


def test_figure_8_has_the_rows_of_the_paper():
    scores = pd.DataFrame({"situation": ["x", "y", "z"], "J": [1, 2, 3], "matching": [4, 5, 6],
                           "morphological": [7, 8, 9]})  # fmt: skip
    paper = pd.DataFrame(
        {"jaccard": [0.1, 0.2], "boundary_first": [0.3, 0.4], "boundary_in_brackets": [0.5, 0.6]}
    )
    assert study.beside_figure_8(scores, paper).to_numpy().tolist() == [
        ["x", 0.1, 1, 0.3, 0.5, 4, 7], ["y", 0.2, 2, 0.4, 0.6, 5, 8]]  # fmt: skip
