"""Sentences of the page on partitions: numbers, order and words of quantity follow the table."""

import numpy as np
import pandas as pd

from propeval_lite.studies import ponttuset_files as files
from propeval_lite.studies import ponttuset_sentences as tell
from propeval_lite.studies.ponttuset_readings import EQUATION_10


def test_ranges_are_those_of_the_table():
    table = pd.DataFrame({"dataset": ["a", "b"], "measure": "fb", "human": [0.8, 0.9],
                          "best segmenter (ODS)": [0.7, 0.95],
                          "human, swapped": [0.2, 0.2]})  # fmt: skip
    said = tell.ranges(table)
    assert "= 0.80 to 0.90, on swapped pictures 0.20" in said
    assert "below the humans in 1 of 2 cases" in said and "above swapped humans in 2" in said


def test_what_fools_neither_measure_is_said_so():
    made = pd.DataFrame({"fb": [0.9, 0.05, 0.02], "fop": [0.1, 0.5, 0.1]}, index=["gap", "boxes", "longer"])
    said = tell.disagreements(made)
    assert "gap: $F_b$ 0.90 is much higher than $F_{op}$ 0.10" in said
    assert "boxes: $F_{op}$ 0.50 is much higher than $F_b$ 0.05" in said
    assert "longer: both are low, $F_b$ 0.02 and $F_{op}$ 0.10" in said


def test_trivial_partitions_are_sorted_by_what_likes_them():
    columns = ["one region", "every pixel"]
    rows = {"hamming_truth": [0.0, 0.8], "pri": [0.3, 0.6], "bgm": [0.5, 0.8], "region_precision": [0.3, np.nan],
            "fop recall": [0.1, 1.0]}  # fmt: skip
    said = tell.trivial(pd.DataFrame.from_dict(rows, "index", columns=columns))
    assert "Like one region best of all partitions: dH(G⇒S)." in said
    assert "Like single pixels best of all partitions: $F_{op}$ recall." in said
    assert "Prefer one region to single pixels: BGM." in said
    assert "Prefer single pixels to one region: PRI." in said
    assert "Not defined for one of them: Pr (every pixel)." in said


def test_packages_and_legend():
    apart = pd.DataFrame({"package": [files.CONFERENCE] * 2 + [files.LATER], "largest": [1e-4, 2e-4, 0.2]})
    said = tell.packages(apart)
    assert "conference package 2 of 2 curves" in said and "later package 0 of 1 curves" in said
    assert "further than 0.0002" in said
    legend = pd.DataFrame(
        {"method": ["a", "b"], "F: paper": [0.5, 0.4], "F: files": [0.504, np.nan], files.LATER: [0.52, 0.4]}
    )
    said = tell.legend_of_files(legend)
    assert "1 of 1 values of the legend" in said and "with the later package alone 0" in said
    assert "Without files: b." in said


def test_readings_name_the_share_at_each_step():
    rows = [
        ("bgm", "as in Table 2", 0.0),
        ("pri", "as in Table 2", 0.1),
        ("hamming_truth", "arrow of equation (3)", 0.9),
    ]
    rows += [
        ("equation (10)", way, share) for way, share in zip(EQUATION_10, (1, 0.5, 0.2, 0.1, 0), strict=True)
    ]
    said = tell.readings(pd.DataFrame(rows, columns=["formula", "reading", "off"]))
    assert "1 of 2 region measures" in said and "90% or more" in said
    assert "100% as printed, 50% overlaps exchanged" in said and "0% and without pairs" in said


def test_humans_name_the_nearest_average():
    keys = {"measure": "fb", "judged by": "same picture", "values of": "files"}
    side = pd.DataFrame([{**keys, "average": "picture first", "precision: difference": 1e-5, "recall: difference": 0.0},
                         {**keys, "average": "all together", "precision: difference": 0.0,
                          "recall: difference": 0.1}])  # fmt: skip
    assert "boundaries, same picture: files, picture first, off by 1e-05" in tell.humans(side)
    assert tell.humans(side.assign(**{"recall: difference": np.nan, "precision: difference": np.nan})) == (
        "No run on BSDS500 is stored."
    )


def test_authors_distances_and_legend():
    table = pd.DataFrame(
        {"fop": [5e-7], "fop@0.95": [0.2], "fb_here": [0.7], "fb_file": [0.69], "lengths_differ": [3]}
    )
    said = tell.authors(table)
    assert (
        "at most 5e-07" in said
        and "0.2 with 0.95" in said
        and "in 3 cases" in said
        and "at most 0.01" in said
    )
    lines = pd.DataFrame(
        {"line": ["fop, same picture", "fb, here, counts added"], "median": [0.1, 0.2], "largest": [0.3, 0.4]}
    )
    said = tell.distances(lines)
    assert "at most 0.3000" in said and "0.2000 with ours added" in said
    both = pd.DataFrame({"measure": "fb", "F: paper": [0.1, 0.2, 0.3], "F: here": [0.2, 0.3, 0.9]})
    assert "boundaries 1.00 over 3" in tell.legend(both, pd.DataFrame({"images": [200, 200]}))
