"""Sentences on OMA: they say what their numbers say."""

import numpy as np
import pandas as pd

from propeval_lite.studies import wang_criteria_words as words
from propeval_lite.studies.wang_criteria_baselines import MATCHINGS
from propeval_lite.studies.wang_criteria_claims import AgainstChance


def objectness(low, crossing, below):
    numbers = pd.Series(low, index=[10, 1000])
    return AgainstChance(numbers, pd.Series(dtype=float), crossing, (10, 1000), below)


def test_objectness_above_and_below_chance():
    text = words.objectness_sentence(objectness([0.3, 0.1], 455.4, [(0.67, 0.89)]), "Here")
    assert (
        "is above chance at each of the 2 numbers of candidates from 10 to 1,000; with 1,000 its OMA is +0.100"
        in text
    )
    assert "it falls below chance at 455 candidates" in text
    assert "0.67 to 0.89" in text
    text = words.objectness_sentence(objectness([0.3, -0.1], np.nan, []), "Here")
    assert "is above chance at 1 of the 2 numbers from 10 to 1,000" in text
    assert "At IoU 0.8 it stays above chance" in text


def against():
    rows = [("uniform chance", "uniform", 0.1, 0.5), ("uniform chance", "random_boxes", 0.2, 0.5),
            ("uniform chance", "m", 0.3, 0.5), ("flat prior", "uniform", 0.0, 0.6),
            ("flat prior", "random_boxes", -0.1, 0.6), ("flat prior", "m", -0.1, 0.6)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["baseline", "method", "OMA", "expected"])
    return table.assign(axis="IoU", tau=0.8, budget=1000)


def test_a_blind_method_above_chance_is_named_and_who_loses_to_the_prior():
    assert words.best_blind(against()) == ("uniform", 0.8, 0.1)
    text = words.prior_sentence(against(), pd.DataFrame({"error": [0.001, 0.002]}), 0.8)
    assert "uniform chance 0.500, flat prior 0.600" in text
    assert "the blind `uniform` has an OMA of +0.100" in text
    assert "1 of 1 are above the uniform chance, 0 of 1 are above the flat prior (not `m`)" in text
    assert "at most 0.0020" in text


def test_room_is_said_for_each_threshold():
    rows = [("m", 0.5, 0.8, 0.1), ("n", 0.5, 0.8, 0.15), ("m", 0.8, 0.2, -0.1), ("n", 0.8, 0.2, 0.4),
            ("uniform", 0.8, 0.2, 0.9)]  # fmt: skip
    text = words.room_sentence(pd.DataFrame(rows, columns=["method", "tau", "chance", "OMA"]))
    assert "at IoU 0.5 they span 0.050 of OMA under a ceiling of 0.200" in text
    assert "at IoU 0.8 they span 0.500 of OMA under a ceiling of 0.800" in text


def test_counts_of_voc_say_what_is_known():
    facts = [("VOC 2012", "images", 16135), ("VOC 2012", "annotated images", 5138)]
    printed = pd.DataFrame(facts, columns=["dataset", "quantity", "value"])
    counted = pd.DataFrame([("VOC 2007", "images", 4, 4, 0), ("VOC 2007", "objects", 20, 15, -5)],
                           columns=["data set", "quantity", "paper", "here", "difference"])  # fmt: skip
    text = words.counts_sentence(printed, counted)
    assert "VOC 2007 agrees" in text
    assert "makes 5 fewer" in text
    assert "16,135 images, 5,138 of them annotated" in text


def test_steadiness_is_said_for_each_data_set():
    rows = [("OMA steadier than recall at IoU 0.5", "99 to 1,000", 4, 6, "A"),
            ("AO steadier than AR", "99 to 1,000", 2, 6, "A")]  # fmt: skip
    table = pd.DataFrame(rows, columns=["claim: most methods", "candidates", "holds for", "of", "data"])
    assert words.steady_sentence(table).endswith(
        "*A, 99 to 1,000 candidates:* most (4 of the 6) at IoU 0.5, only 2 of the 6 for the averages."
    )


def test_conventions_that_matter_are_told_from_those_that_do_not():
    rows = [(a, b, x) for a, b, x in (("image", "pixels", 0.8), ("image", "edges", 0.81), ("object", "pixels", 0.6),
                                      ("object", "edges", 0.61))]  # fmt: skip
    table = pd.DataFrame(rows, columns=["average over", "lattice", "chance at 0.5"])
    assert "at most 0.0100, averaging by up to 0.2000, far more" in words.conventions_sentence(table)


def test_the_largest_shift_keeps_its_sign():
    table = pd.DataFrame({"method": "m", "average": "image", "tau": [0.5, 0.8]})
    first, second, base = MATCHINGS
    table = table.assign(**{first: [0.52, 0.41], second: [0.5, 0.37], base: [0.5, 0.4]})
    moved = words.matching_shift(table)
    assert np.allclose(moved[[first, second]], [[0.02, -0.03]])
    assert words.matching_sentence(moved, None) == "Recall of the blind methods moves by at most 0.0300."
    far = words.matching_sentence(moved, objectness([0.3, 0.2], 400, []))
    assert "far too little to explain its OMA of at least +0.200" in far
    assert "which may explain" in words.matching_sentence(moved, objectness([0.3, 0.1], 400, []))


def test_monotone_curves():
    rows = [("m", "number", "recall", 0.5, k, v) for k, v in ((1, 0.1), (10, 0.3))]
    rows += [("m", "IoU", "recall", t, 10, v) for t, v in ((0.5, 0.3), (0.8, 0.2))]
    columns = ["method", "axis", "criterion", "tau", "budget", "value"]
    assert words.monotone(pd.DataFrame(rows, columns=columns)) == (True, True)
    worse = [*rows, ("m", "number", "recall", 0.5, 100, 0.2), ("m", "IoU", "recall", 0.9, 10, 0.5)]
    assert words.monotone(pd.DataFrame(worse, columns=columns)) == (False, False)


def test_a_method_that_no_prior_draws_has_no_own_prior():
    assert words.own_prior_sentence(against(), 100) == "No method of this run draws from one of the priors."
    own = against().replace({"baseline": {"flat prior": "uniform prior"}})
    text = words.own_prior_sentence(own, 100)
    assert "`uniform` lies between +0.000 and +0.000" in text
    assert "over 100 images is at most 0.100" in text
