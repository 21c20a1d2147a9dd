"""Measures of measures from the authors' files: both tables, the exceptions, and the images of figures 6 and 7."""

import naive
import numpy as np
import pytest
from seism import write_conference

from propeval_lite.partitions.measures import TABLE_2, find_measure
from propeval_lite.results import published
from propeval_lite.studies import ponttuset_meta_authors as study
from propeval_lite.studies import ponttuset_meta_paper as paper

#: SABD and SISD from the authors' scores per image, to two decimals, in the order of Table 2.
SABD = (95.58, 94.17, 87.50, 86.00, 78.92, 88.75, 86.92, 81.58, 91.33, 78.67, 77.42, 92.08)
SISD = (100.00, 97.50, 97.67, 95.33, 95.42, 93.67, 90.08, 92.00, 98.83, 93.42, 90.08, 76.50)


def test_scores_at_the_scale_that_is_best_on_the_test_images(tmp_path):
    write_conference(tmp_path / "seism2013")
    for name, sign in (("pri", 1), ("bce", -1), ("fop", 1)):
        scores = study.authors_scores(tmp_path, name)
        alike = find_measure(name).similarity
        assert scores.methods.shape == (2, 6)
        assert alike(scores.methods["UCM"]).tolist() == pytest.approx([0.7, 0.8])
        assert alike(scores.baselines["QuadTree"]).tolist() == pytest.approx([0.75, 0.1])
        assert alike(scores.swapped["UCM"]).tolist() == pytest.approx([0.7, 0.9])
        assert find_measure(name).higher_is_better == (sign > 0)
    # One of two duels with the baseline is won; the one with the swapped is a tie, which counts as right, or lost.
    table = study.authors_table(tmp_path).set_index("measure")
    assert table["sabd"].tolist() == [0.5] * 12 and table["sisd"].tolist() == [0.5] * 12
    assert table.loc["pri", "global"] == pytest.approx(table.loc["pri", ["sihd", "sabd", "sisd"]].mean())
    assert set(study.authors_partners(tmp_path)) == {"7", "9"}


@pytest.fixture(scope="module")
def real(real_data):
    """SIHD, SABD and SISD from the authors' files."""
    return study.authors_table(real_data)


@pytest.mark.data
def test_conference_sabd_and_sisd_come_out_of_the_files_for_11_of_12_measures(real):
    for key, targets in (("sabd", SABD), ("sisd", SISD)):
        assert (100 * real[key]).round(2).tolist() == list(targets)
    early = paper.printed_table(published("ponttuset_table2"), paper.CONFERENCE)
    beside = paper.beside(early, real)
    for key in ("sabd", "sisd"):
        equal = paper.as_printed(beside, key)
        assert equal.index[~equal].tolist() == ["region_f"]
    assert early.loc["region_f", ["sabd", "sisd"]].tolist() == [84.2, 97.1]


@pytest.mark.data
def test_sabd_of_boundaries_is_9558_not_that_of_later_files(real):
    assert round(100 * real.set_index("measure").loc["fb", "sabd"], 2) == 95.58


@pytest.mark.data
@pytest.mark.parametrize("name", ["fb", "fop", "nvoi", "pri", "hamming_truth"])
def test_sabd_and_sisd_equal_the_oracle(real_data, real, name):
    scores = study.authors_scores(real_data, name)
    alike = find_measure(name).similarity
    good, bad, other = (alike(table).to_numpy().tolist() for table in scores)
    table = real.set_index("measure").loc[name]
    assert table["sabd"] == pytest.approx(naive.right_judgements(good, bad, 1))
    pairs = [([own], [swapped]) for owns, others in zip(good, other, strict=True)
             for own, swapped in zip(owns, others, strict=True)]  # fmt: skip
    right = naive.right_judgements([own for own, _ in pairs], [swapped for _, swapped in pairs], 1)
    assert table["sisd"] == pytest.approx(right)


@pytest.mark.data
def test_images_of_figures_6_and_7_have_the_printed_scores(real_data):
    found = study.find_examples(real_data, published("ponttuset_meta_figures"))
    assert found["figure"].tolist() == ["fig. 6"] * 2 + ["fig. 7"] * 2
    assert found["image_id"].tolist() == ["100007", "107014", "146074", "187058"]
    for side in ("good", "bad"):
        assert np.allclose(found[f"{side} here"].round(2), found[side])


def test_figure_5_needs_a_threshold_between_its_two_mistakes():
    examples = published("ponttuset_meta_figures")
    assert [study.split_by(at, examples) for at in (0.27, 0.28, 0.31, 0.33, 0.41)] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_every_measure_has_printed_numbers_in_both_tables():
    printed = published("ponttuset_table2")
    for name in (paper.JOURNAL, paper.CONFERENCE):
        table = paper.printed_table(printed, name)
        assert table.index.tolist() == list(TABLE_2)
        assert table[list(study.META)].notna().all(axis=None)
