"""Rows of the ledger about partitions: each is answered with and without stored tables, and can turn."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite.results import Result, ledger, published, verdict
from propeval_lite.studies import ponttuset_files as files
from propeval_lite.studies import ponttuset_verdicts as study
from propeval_lite.studies.ponttuset_readings import EQUATION_10, EXCHANGED, MEASURES

UNKNOWN = Result(None, "nothing stored", stored=False)
MADE = pd.DataFrame({"fb": [0.7, 0.1, 0.3], "fop": [0.1, 0.3, 0.1]})


def known(table):
    return Result(table, "BSDS500", stored=False)


def readings(printed=0.5):
    rows = [(name, "as in Table 2", 0.0) for name in MEASURES]
    rows += [(name, "arrow of equation (3)", 0.5) for name in EXCHANGED]
    rows += [("equation (10)", way, printed if way == "as printed" else 0.0) for way in EQUATION_10]
    return pd.DataFrame(rows, columns=["formula", "reading", "largest"])


def authors():
    return pd.DataFrame({"fop": [1e-7], "fop@0.95": [0.2], "fb_here": [0.7263], "fb_file": [0.7262]})


def scales():
    rows = [("egb", 50.0, 20.0, 0.6, 0.2), ("random_slic", 60.0, 30.0, 0.47, 0.05)]
    return pd.concat(
        pd.DataFrame({"method": [row[0] for row in rows], "measure": name, "regions": [row[1 + k] for row in rows],
                      "test": [row[3 + k] for row in rows]}) for k, name in enumerate(("fb", "fop")))  # fmt: skip


def judged(lines):
    return {line["row"].removeprefix("ponttuset."): verdict(**line) for line in lines}


def all_unknown():
    printed = published("ponttuset_curves")
    return [*study.of_formulas(UNKNOWN, UNKNOWN), *study.of_figure_11(printed, UNKNOWN, UNKNOWN, None),
            *study.of_pictures(MADE, UNKNOWN, UNKNOWN, printed)]  # fmt: skip


def test_the_page_on_partitions_fills_all_its_rows_of_the_ledger():
    rows = ledger()
    wanted = set(rows.index[rows["chapter"] == "ponttuset_partitions"])
    on_the_page = {f"ponttuset.{name}" for name in ("fig3", "fig4", "table1")}
    given = [line["row"] for line in all_unknown()]
    assert len(given) == len(set(given)) and set(given) | on_the_page == wanted


def test_without_stored_tables_a_row_says_that_it_is_not_reproducible():
    found = judged(all_unknown())
    assert {found[name].verdict for name in ("eq4", "eq10", "fig11.mcg", "human.fb", "claim_time")} == {
        "not reproducible here"
    }
    assert all(one.because for one in found.values() if not one.here)


def test_formulas_that_give_the_authors_values_are_exact():
    found = judged(study.of_formulas(known(readings()), known(authors())))
    assert {found[name].verdict for name in study.FORMULAS} == {"exact"}
    assert found["eq3"].verdict == found["eq10"].verdict == "differs" and "exchanged" in found["eq10"].because
    assert found["fop_parameters"].verdict == "differs" and found["fop_parameters"].here == "0.9 0.25 0.1"
    assert found["fb_matching"].verdict == "within tolerance"
    printed_right = judged(study.of_formulas(known(readings(0.0)), known(authors())))
    assert printed_right["eq10"].verdict == "exact"


@pytest.mark.data
def test_rows_of_figure_11_from_the_authors_files(real_data):
    printed, curves = published("ponttuset_curves"), files.curves_of_files(real_data)
    apart = files.points_apart(printed, curves).query("package == @files.CONFERENCE")
    lines = study.of_figure_11(printed, known(curves), known(files.people_of_files(real_data)), apart)
    found = judged(lines)
    assert {found[f"fig11.{name}"].verdict for name in study.LEGEND} == {"exact"}
    assert {
        found[name].verdict for name in ("human.fb", "human.fop", "claim_range", "fig11.objects_parts")
    } == {"exact"}
    assert found["human.swapped"].verdict == found["fig11.boundaries"].verdict == "within tolerance"
    assert found["claim_egb"].verdict == "same trend" and found["claim_mcg_both"].verdict == "exact"


def test_pictures_and_times():
    timing = pd.DataFrame({"fb": [0.4, 0.2], "fop": [0.1, 0.1]})
    printed = published("ponttuset_curves")
    found = judged(study.of_pictures(MADE, known(scales()), known(timing), printed))
    assert found["claim_time"].here == "3" and found["claim_time"].verdict == "same trend"
    assert {found[f"fig12{part}"].verdict for part in "abc"} == {"same trend"}
    assert found["fig13"].verdict == "exact" and found["fig11.random"].verdict == "same trend"
    fewer = scales().assign(regions=np.where(scales()["measure"] == "fb", 1.0, 9.0))
    slower = known(timing.set_axis(["fop", "fb"], axis=1))
    other = judged(study.of_pictures(MADE[::-1], known(fewer), slower, printed))
    assert other["fig13"].verdict == other["claim_time"].verdict == "differs"
    assert other["fig12b"].verdict == "same trend"
