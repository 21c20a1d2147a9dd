"""Rows of the ledger about partitions that BSDS500 decides: what the paper says and what the tables of a run say."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

import pandas as pd

from propeval_lite.partitions import fop
from propeval_lite.results.provenance import Result
from propeval_lite.studies.ponttuset_files import compare_files
from propeval_lite.studies.ponttuset_findings import findings
from propeval_lite.studies.ponttuset_readings import EQUATION_10, PRINTED

#: Rows of formulas, and the measures whose values by the authors decide them.
FORMULAS = {
    "eq4": ("covering_truth", "covering_partition"), "eq5": ("van_dongen",), "bgm": ("bgm",), "eq6": ("bce",),
    "eq7": ("nvoi",), "nvoi": ("nvoi",), "eq8": ("pri",), "eq9": ("region_f",),
}  # fmt: skip
#: Rows of the legend of figure 11, and the methods' names there.
LEGEND = {"gpb_ucm": "gPb-UCM", "egb": "EGB", "ncut": "NCut", "mshift": "MShift", "quadtree": "QuadTree",
          "mcg": "MCG-UCM", "iscra": "ISCRA", "nwmc": "NWMC", "iidkl": "IID-KL"}  # fmt: skip
#: Seconds per picture of F_b and F_op in §6.3.
SECONDS = (3.79, 0.078)
#: Differences that do not show: of a published curve in the figure, and of F_b, whose matching has a random step in the
#: authors' program.
CURVE, MATCHING = 0.001, 0.001
UNKNOWN = "no run on BSDS500 is stored"


def line(row: str, here: Any, source: str | Result, because: str = "", **options) -> dict[str, Any]:
    """Arguments of `verdict` for one row of this paper; `here` None without a reason says that no run is stored."""
    reason = because or (UNKNOWN if here is None else "")
    return {"row": f"ponttuset.{row}", "here": here, "source": source, "because": reason, **options}


def of_formulas(readings: Result, authors: Result) -> list[dict[str, Any]]:
    """Verdicts on equations (3) to (11): whether they give the authors' values of every test picture."""
    rows = [*FORMULAS, "eq3", "eq10", "eq11", "algorithm1"]
    if readings.table is None:
        lines = [line(row, None, readings) for row in rows]
    else:
        largest = readings.table.set_index(["formula", "reading"])["largest"].to_dict()
        off = {key: value > PRINTED for key, value in largest.items()}
        given = {
            row: not any(off[file, "as in Table 2"] for file in files) for row, files in FORMULAS.items()
        }
        lines = [line(row, holds, readings) for row, holds in given.items()]
        ways = {reading: off["equation (10)", reading] for reading in EQUATION_10}
        exact = not ways["and without pairs that cover each other"]
        arrow = not off["hamming_truth", "arrow of equation (3)"]
        lines += [
            line("eq3", arrow, readings, "" if arrow else "its arrow points the other way in Table 2 and in the files"),
            line("eq10", not ways["as printed"], readings, "" if not ways["as printed"] else
                 "the authors' values need the two overlaps exchanged, 1/K and ≥"),
            line("eq11", exact, readings),
            line("algorithm1", exact, readings, "with ≥ for >, and regions beyond 99 % of the area not judged"),
        ]  # fmt: skip
    if authors.table is None:
        return [*lines, line("fop_parameters", None, authors), line("fb_matching", None, authors)]
    table = authors.table
    printed = next(name for name in table.columns if name.startswith("fop@"))
    coded = [signature(fop).parameters[name].default for name in ("gamma_object", "gamma_part", "beta")]
    rules = coded if table["fop"].max() < PRINTED < table[printed].max() else None
    reason = (
        f"{coded[0]:g} gives the authors' values and {printed[4:]} does not"
        if rules
        else "neither threshold does"
    )
    best = table["fb_file"].argmax()
    return [
        *lines,
        line("fop_parameters", rules, authors, reason, paper=[0.95, 0.25, 0.1]),
        line(
            "fb_matching",
            table["fb_here"].iloc[best],
            authors,
            paper=table["fb_file"].iloc[best],
            tolerance=MATCHING,
        ),
    ]


def of_figure_11(
    printed: pd.DataFrame, files: Result, people: Result, apart: pd.DataFrame | None
) -> list[dict[str, Any]]:
    """Verdicts on figure 11 and the findings of §6.4 from the authors' files.

    Parameters
    ----------
    printed : DataFrame
        ``published("ponttuset_curves")``.
    files, people : Result
        Tables of `curves_of_files` and `people_of_files`.
    apart : DataFrame or None
        From `points_apart`, of the conference package.
    """
    curves = {"fb": "fig11.boundaries", "fop": "fig11.objects_parts"}
    claims = ("mcg_both", "gpb_iscra", "egb", "quadtree_nwmc", "ncut_nwmc", "floor", "humans")
    points = ("human.fb", "human.fop", "human.swapped", "claim_range")
    if files.table is None or people.table is None or apart is None:
        open_rows = [
            *curves.values(),
            *(f"fig11.{row}" for row in LEGEND),
            *(f"claim_{name}" for name in claims),
            *points,
        ]
        return [line(row, None, files) for row in open_rows]
    lines = [
        line(
            row,
            apart.loc[apart["measure"] == measure, "largest"].max(),
            files,
            paper=0.0,
            digits=4,
            tolerance=CURVE,
        )
        for measure, row in curves.items()
    ]
    legend = compare_files(printed, files.table).set_index("method")
    for row, method in LEGEND.items():
        values = legend.loc[method]
        lines.append(
            line(
                f"fig11.{row}",
                values["F: files"].tolist(),
                files,
                paper=values["F: paper"].tolist(),
                digits=2,
            )
        )
    for found in findings(files.table, people.table):
        name = found.row.removeprefix("ponttuset.")
        lines.append(line(name, found.holds, files, "" if found.holds else found.found, trend=found.partly))
    return lines + of_people(printed, people)


def of_people(printed: pd.DataFrame, people: Result) -> list[dict[str, Any]]:
    """Verdicts on the points of people in figure 11."""
    table = people.table
    assert table is not None  # of_figure_11 asks for it
    table = table[table["average"] == "picture first"]
    same = table["same"].to_numpy(dtype=bool)
    table = table.set_index(["same", "measure"])
    points = printed[printed["kind"] == "human"].set_index(["image", "measure"])

    def pair(rows: pd.DataFrame, side, measures: Sequence[str]) -> list[float]:
        return [rows.loc[(side, name), part] for name in measures for part in ("precision", "recall")]

    both = ("fb", "fop")
    lines = [line(f"human.{name}", pair(table, True, [name]), people, paper=pair(points, "same", [name]), digits=4)
             for name in both]  # fmt: skip
    error = table["error"].to_numpy()[~same].max()
    swapped, theirs = pair(table, False, both), pair(points, "swapped", both)
    lines.append(line("human.swapped", swapped, people, paper=theirs, digits=4, tolerance=error))
    named = printed[(printed["kind"] == "legend") & (printed["method"] == "human")].set_index(
        ["image", "measure"]
    )["f"]
    keys = [(side, own, name) for name in both for side, own in (("same", True), ("swapped", False))]
    ends = [table.loc[(own, name), "f"] for _, own, name in keys]
    legend = [named[side, name] for side, _, name in keys]
    return [*lines, line("claim_range", ends, people, paper=legend, digits=2)]


def of_pictures(
    made: pd.DataFrame, scales: Result, timing: Result, printed: pd.DataFrame
) -> list[dict[str, Any]]:
    """Verdicts on figures 10, 12 and 13, the two rows of the legend without files, and the time of §6.3.

    Parameters
    ----------
    made : DataFrame
        Index: the made-up partitions in the order of figure 12; columns ``fb, fop``.
    scales, timing : Result
        Tables of `scales_of_pools` on BSDS500 and of `time_measures`.
    printed : DataFrame
        ``published("ponttuset_curves")``.
    """
    lines = []
    drawn = {"a": (0.62, 0.05), "b": (0.01, 0.25), "c": (0.28, 0.04)}
    for (part, paper), here in zip(drawn.items(), made[["fb", "fop"]].to_numpy(), strict=True):
        same = (here[0] > here[1]) == (paper[0] > paper[1])
        reason = "the masks of the figure are not public: these are made up after it"
        lines.append(
            line(f"fig12{part}", here.tolist(), "made-up labels", reason, paper=paper, trend=bool(same))
        )
    reason = "of the segmenters in it only gPb-UCM has public partitions; the page shows its own ones"
    lines.append(line("fig10", None, "figure 10", reason))
    reason = "neither the program nor its results are public"
    lines.append(line("fig11.smap", None, "files of the authors", reason))
    legend = printed[(printed["kind"] == "legend") & (printed["method"] == "Random")].set_index("measure")[
        "f"
    ]
    if scales.table is None or "random_slic" not in set(scales.table["method"]):
        lines.append(line("fig11.random", None, scales))
    else:
        ours = scales.table.pivot_table("test", "method", "measure")
        random = ours.loc[["random_slic"], ["fb", "fop"]].to_numpy()[0].tolist()
        last = bool(ours["fop"].idxmin() == "random_slic")
        reason = "the paper does not say how many superpixels there are"
        lines.append(line("fig11.random", random, scales, reason, paper=legend[["fb", "fop"]].tolist(), digits=2,
                          trend=last))  # fmt: skip
    if scales.table is None:
        lines.append(line("fig13", None, scales))
    else:
        regions = scales.table.pivot_table("regions", "method", "measure")
        finer = regions["fb"] - regions["fop"]
        reason = (
            ""
            if finer.min() > 0
            else f"{(finer > 0).sum()} of {len(finer)} methods choose more for boundaries"
        )
        lines.append(
            line("fig13", bool(finer.min() > 0), scales, reason, trend=bool((finer > 0).mean() > 0.5))
        )
    if timing.table is None:
        return [*lines, line("claim_time", None, timing)]
    ratio = timing.table["fb"].mean() / timing.table["fop"].mean()
    reason = (
        f"here both are compiled; another machine and program ({SECONDS[0]:g} s and {SECONDS[1]:g} s there)"
    )
    theirs = SECONDS[0] / SECONDS[1]
    return [*lines, line("claim_time", ratio, timing, reason, paper=theirs, trend=bool(ratio > 1))]
