"""What §6.4 reads from figure 11: on made-up curves where each finding turns, and on the authors' files."""

import pandas as pd
import pytest

from propeval_lite.studies import ponttuset_files as files
from propeval_lite.studies import ponttuset_findings as study


@pytest.fixture(scope="module")
def real(real_data):
    found = study.findings(files.curves_of_files(real_data), files.people_of_files(real_data))
    return {finding.row.removeprefix("ponttuset.claim_"): finding for finding in found}


@pytest.mark.data
@pytest.mark.parametrize("name", ["mcg_both", "gpb_iscra", "quadtree_nwmc", "ncut_nwmc", "humans"])
def test_findings_of_section_6_4_that_the_files_bear_out(real, name):
    assert real[name].holds, real[name].found


@pytest.mark.data
def test_egb_is_fifth_by_boundaries_and_worst_by_objects_and_parts(real):
    assert not real["egb"].holds and real["egb"].partly
    assert "place 5 of 8" in real["egb"].found and "place 8 of 8" in real["egb"].found


@pytest.mark.data
def test_floor_of_boundary_precision(real):
    assert not real["floor"].holds and real["floor"].partly
    assert "lowest 0.171 (MShift, recall 0.80)" in real["floor"].found


def lines(**precisions):
    """Straight curves of the conference package by both measures, from recall 0 to 1."""
    rows = [(method, measure, recall, precision) for method, ends in precisions.items() for measure in ("fb", "fop")
            for recall, precision in zip((0.0, 1.0), ends, strict=True)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["method", "measure", "recall", "precision"])
    return table.assign(package=files.CONFERENCE, swapped=False, f=table["precision"], images=1)


def people(precision):
    keys = {"same": True, "average": "picture first", "recall": 0.5}
    return pd.DataFrame([{**keys, "measure": name, "precision": precision} for name in ("fb", "fop")])


def both_packages(**precisions):
    table = lines(**precisions)
    return pd.concat([table, table.assign(package=files.LATER)], ignore_index=True)


@pytest.mark.parametrize("turned", [False, True])
def test_each_finding_can_fail(turned):
    good = {"MCG-UCM": (0.9, 0.9), "gPb-UCM": (0.8, 0.8), "ISCRA": (0.7, 0.7), "EGB": (0.6, 0.6), "NCut": (0.3, 0.5),
            "NWMC": (0.5, 0.3), "QuadTree": (0.2, 0.28)}  # fmt: skip
    bad = {**good, "MCG-UCM": (0.1, 0.1), "ISCRA": (0.85, 0.85), "NCut": (0.5, 0.3), "NWMC": (0.1, 0.2),
           "QuadTree": (0.15, 0.3)}  # fmt: skip
    curves = both_packages(**(bad if turned else good))
    # By regions ISCRA leads, and EGB is last.
    regions = curves["measure"] == "fop"
    curves.loc[regions & (curves["method"] == "ISCRA"), "f"] = 0.85
    curves.loc[regions & (curves["method"] == "EGB"), "f"] = 0.7 if turned else 0.1
    found = study.findings(curves, people(0.4 if turned else 0.6))
    assert [finding.holds for finding in found] == [not turned] * 7
    assert study.list_findings(found)["holds"].unique().tolist() == ["no" if turned else "yes"]
