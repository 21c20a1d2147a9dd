"""Figure 11 from the authors' files: on made-up lines, and on the real files with the numbers of the paper."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.results import published
from propeval_lite.studies import ponttuset_files as study

# Best F by boundaries (counts added in the later package) and by objects and parts, as found by other programs.
LATER = {"MCG-UCM": (0.747, 0.380), "ISCRA": (0.724, 0.352), "NWMC": (0.551, 0.215), "IID-KL": (0.572, 0.186),
         "EGB": (0.636, 0.158), "NCut": (0.641, 0.213), "MShift": (0.601, 0.229),
         "QuadTree": (0.384, 0.065)}  # fmt: skip


def made_lines():
    rows = [("a", 0.0, 1.0), ("a", 1.0, 0.0), ("b", 0.2, 0.2), ("b", 0.8, 0.6)]
    lines = pd.DataFrame(rows, columns=["method", "recall", "precision"])
    return lines.assign(package=study.CONFERENCE, swapped=False, measure="fb", f=lines["precision"])


def test_precision_at_the_recalls_that_both_reach():
    both = study.common_recalls(made_lines(), "a", "b", n=3)
    assert both["recall"].tolist() == pytest.approx([0.2, 0.5, 0.8])
    assert both["gap"].tolist() == pytest.approx([0.6, 0.1, -0.4])


def test_published_points_are_looked_for_among_those_of_the_files():
    points = pd.DataFrame({"kind": "curve", "method": "a", "image": "same", "measure": "fb", "recall": [0.0, 0.97],
                           "precision": [0.95, 0.0]})  # fmt: skip
    (row,) = study.points_apart(points, made_lines()).itertuples()
    assert (row.package, row.method, row.image, row.points) == (study.CONFERENCE, "a", "same", 2)
    assert row.largest == pytest.approx(0.05)


def test_the_figure_shows_the_first_package_that_has_the_method():
    lines = made_lines()
    later = lines.assign(package=study.LATER)
    only_later = later[later["method"] == "a"].assign(method="c")
    shown = study.curves_of_figure(pd.concat([lines, later, only_later]))
    assert shown.groupby("method")["package"].unique().map(list).to_dict() == {
        "a": [study.CONFERENCE], "b": [study.CONFERENCE], "c": [study.LATER]
    }  # fmt: skip


def test_legend_beside_the_best_of_either_package():
    lines = pd.concat([made_lines(), made_lines().assign(package=study.LATER, f=0.5)])
    legend = pd.DataFrame(
        {"kind": "legend", "image": "same", "method": ["a", "x"], "measure": "fb", "f": [0.9, 0.1]}
    )
    table = study.compare_files(legend, lines).set_index("method")
    assert table.loc["a", [study.CONFERENCE, study.LATER, "F: files"]].tolist() == [1.0, 0.5, 1.0]
    assert table.loc["a", "difference"] == pytest.approx(0.1) and np.isnan(table.loc["x", "F: files"])


@pytest.fixture(scope="module")
def curves(real_data):
    return study.curves_of_files(real_data)


@pytest.mark.data
def test_later_files_give_the_best_f_of_eight_methods(curves):
    best = study.best_of_files(curves).set_index(["package", "method", "measure"])["f"]
    for method, values in LATER.items():
        found = [best[study.LATER, method, measure] for measure in ("fb", "fop")]
        assert found == pytest.approx(values, abs=5.01e-4), method


@pytest.mark.data
def test_legend_of_figure_11_comes_out_of_the_files_to_the_printed_digit(curves):
    table = study.compare_files(published("ponttuset_curves"), curves).dropna(subset=["F: files"])
    assert len(table) == 18 and table["difference"].abs().max() <= 0.005
    # With the later package alone EGB and the quadtree would miss the legend's F of boundaries.
    late = (table[study.LATER] - table["F: paper"]).abs() > 0.005
    assert set(table[late]["method"]) >= {"EGB", "QuadTree"}


@pytest.mark.data
def test_published_curves_are_those_of_the_conference_package(curves):
    apart = study.points_apart(published("ponttuset_curves"), curves).set_index(["package", "measure"])[
        "largest"
    ]
    assert apart[study.CONFERENCE].max() < 5e-4 and apart[study.CONFERENCE, "fop"].max() < 6e-5
    assert apart[study.LATER, "fb"].min() > 0.01


@pytest.mark.data
def test_human_points_are_means_within_a_picture_first(real_data):
    people = study.people_of_files(real_data).set_index(["average", "same", "measure"])[
        ["precision", "recall"]
    ]
    first = people.loc["picture first"].round(4)
    assert first.loc[(True, "fb")].tolist() == [0.9186, 0.7255]
    assert first.loc[(True, "fop")].tolist() == [0.6724, 0.4739]
    assert first.loc[(False, "fb")].tolist() == [0.2956, 0.1610]
    assert first.loc[(False, "fop")].tolist() == [0.0637, 0.0484]
    assert people.loc[("all together", True, "fb"), "precision"] > 0.9191
