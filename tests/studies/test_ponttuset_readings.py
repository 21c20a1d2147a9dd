"""Readings of equation (10) and of the arrow of equation (3), on toy labels and against the authors' values."""

import naive
import numpy as np
import pandas as pd
import pytest

from propeval_lite import fop, load_dataset
from propeval_lite.studies import ponttuset_readings as study


def test_equation_10_as_printed_gives_a_region_that_unites_two_objects_nothing():
    truth, merged = np.array([[0] * 5 + [1] * 5]), np.zeros((1, 10), dtype=int)
    ways = {name: study.fragmentation(merged, [truth], *rules) for name, rules in study.EQUATION_10.items()}
    assert ways["as printed"][0] == 0
    assert ways["overlaps exchanged"][0] == 1
    # With two equal truths the sum doubles until it is divided by their number.
    twice = {
        name: study.fragmentation(merged, [truth, truth], *rules)[0]
        for name, rules in study.EQUATION_10.items()
    }
    assert twice["overlaps exchanged"] == 2 and twice["and divided by the number of truths"] == 1


def test_equation_10_equality_counts():
    truth = np.array([[0] * 9 + [1] * 11])
    merged = np.array([[0] * 8 + [2] + [0] * 11])
    share = 8 / 9
    strict, equal = (
        study.fragmentation(merged, [truth], True, True, way, True, gamma_object=share)
        for way in (False, True)
    )
    assert strict[0] < equal[0]


@pytest.mark.parametrize("seed", range(12))
def test_the_last_reading_of_equation_10_is_the_library(seed):
    rng = np.random.default_rng(seed)
    partition, *truths = (np.kron(rng.integers(0, n, (4, 5)), np.ones((3, 4), dtype=int)) for n in (6, 3, 4))
    # A few pixels go astray, so that small regions exist that are not judged.
    partition[0, :2] = 9
    found = study.fragmentation(partition, truths, True, True, True, True)
    assert found == pytest.approx(fop(partition, truths)[1:])
    assert found == pytest.approx(naive.objects_and_parts(partition, truths, 0.9, 0.25, 0.1, 0.99)[1:])


def test_times_leave_out_the_call_that_compiles():
    data = load_dataset("scenes?n=3&seed=3&width=48&height=32")
    table = study.time_measures(data, limit=2)
    assert table["image_id"].tolist() == data.images["image_id"].tolist()[:2]
    assert (table[["fb", "fop"]] > 0).all(axis=None)
    assert study.summarise_times({"here": table, "stored": None})["run"].tolist() == ["here"]


@pytest.fixture(scope="module")
def table(real_data):
    ids = (real_data / "seism2013/bsds500/ids_test.txt").read_text().split()
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}").subset(ids[::25])
    return study.readings_on_bsds(dataset, real_data).set_index(["formula", "reading"])["largest"]


@pytest.mark.data
def test_every_region_measure_equals_the_authors_values(table):
    plain = table.xs("as in Table 2", level="reading")
    assert set(plain.index) == set(study.MEASURES) and len(plain) == 10
    assert plain.max() < study.PRINTED


@pytest.mark.data
def test_the_arrow_of_equation_3_is_not_that_of_table_2(table):
    assert table.xs("arrow of equation (3)", level="reading").min() > 0.1


@pytest.mark.data
def test_equation_10_needs_exchange_division_and_equality(table):
    steps = table["equation (10)"]
    assert steps["as printed"] > 0.1 and steps["overlaps exchanged"] > 0.1
    assert steps["and divided by the number of truths"] > study.PRINTED
    assert steps["and without pairs that cover each other"] < study.PRINTED


@pytest.mark.data
def test_people_of_another_picture_with_the_partners_of_the_authors(real_data):
    from propeval_lite.meta import human_scores
    from propeval_lite.meta.seism import read_partners, read_seism_humans

    partners = read_partners(real_data / "seism2013/bsds500/one_to_all_test_diff_image_pairs.txt")
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}?split=test")
    upright = [name for name, other in partners.items()
               if dataset.partitions(name)[0].shape != dataset.partitions(other)[0].shape][:2]  # fmt: skip
    few = dataset.subset([*upright, *(partners[name] for name in upright)])
    ours = human_scores(["fop"], few, partners={name: partners[name] for name in upright} | {
        partners[name]: name for name in upright}, shapes="rotate")  # fmt: skip
    theirs = read_seism_humans(real_data / "seism2013", ["fop"])
    keys = ["image_id", "annotator", "other_id"]
    both = ours[ours["image_id"].isin(upright) & ~ours["same"]].merge(theirs, on=keys, suffixes=("", "_file"))
    assert len(both) >= 8
    for side in ("fop_precision", "fop_recall"):
        assert (both[side] - both[f"{side}_file"]).abs().max() < 1e-6


def test_steps_are_named_in_order():
    assert next(iter(study.EQUATION_10)) == "as printed"
    assert pd.DataFrame(study.EQUATION_10).sum().tolist() == [0, 1, 2, 3, 4]
