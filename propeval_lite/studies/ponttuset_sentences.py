"""Sentences of the page on partitions that state a result, each made from the table it speaks of."""

from __future__ import annotations

import math

import pandas as pd

from propeval_lite.partitions.measures import find_measure
from propeval_lite.studies.ponttuset_files import CONFERENCE, LATER
from propeval_lite.studies.ponttuset_readings import EQUATION_10

NAMES = {"fb": "boundaries", "fop": "objects and parts"}
SYMBOLS = {"fb": "$F_b$", "fop": "$F_{op}$"}
#: A point of a published curve nearer than this is a point of the line.
NEAR = 0.001


def ranges(table: pd.DataFrame) -> str:
    """Say how high the two measures reach and how low, from `value_ranges`."""
    parts = []
    for measure, rows in table.groupby("measure", sort=False):
        (low, high), (bottom, top) = (
            (rows[name].min(), rows[name].max()) for name in ("human", "human, swapped")
        )
        parts.append(
            f"humans reach {SYMBOLS[str(measure)]} = {_span(low, high)}, on swapped pictures {_span(bottom, top)}"
        )
    best = table["best segmenter (ODS)"] < table["human"]
    above = table["human, swapped"] < table["best segmenter (ODS)"]
    ends = (
        f"The best segmenter stays below the humans in {best.sum()} of {len(best)} cases (data set and measure) and is "
        f"above swapped humans in {above.sum()}."
    )
    return f"Over the data sets {' and '.join(parts)}. {ends}"


def _span(low: float, high: float) -> str:
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"


def disagreements(made: pd.DataFrame) -> str:
    """Say which made-up partition fools which measure: more than the other one gives, by a tenth.

    Parameters
    ----------
    made : DataFrame
        Index: names of partitions; columns ``fb, fop``.

    Examples
    --------
    >>> disagreements(pd.DataFrame({"fb": [0.9, 0.1], "fop": [0.0, 0.15]}, index=["gap", "box"]))
    'gap: $F_b$ 0.90 is much higher than $F_{op}$ 0.00. box: both are low, $F_b$ 0.10 and $F_{op}$ 0.15.'
    """
    parts = []
    for name, row in made.iterrows():
        high, low = ("fb", "fop") if row["fb"] > row["fop"] else ("fop", "fb")
        values = {key: f"{SYMBOLS[key]} {row[key]:.2f}" for key in (high, low)}
        if row[high] - row[low] > 0.1:
            parts.append(f"{name}: {values[high]} is much higher than {values[low]}")
        else:
            kind = "high" if row[low] > 0.5 else "low"
            parts.append(f"{name}: both are {kind}, {values['fb']} and {values['fop']}")
    return ". ".join(parts) + "."


def trivial(table: pd.DataFrame) -> str:
    """Say which measures give one region, or single pixels, their best value, and which of the two the others prefer.

    Parameters
    ----------
    table : DataFrame
        Index: measures; columns ``one region, every pixel``.
    """
    one, every = table.columns
    likes: dict[str, list[str]] = {
        name: [] for name in ("perfect, " + one, "perfect, " + every, one, every, "undefined")
    }
    for name, row in zip(map(str, table.index), table.to_dict("records"), strict=True):
        up, best = _direction(name)
        shown = name.replace("fop", SYMBOLS["fop"]) if name.startswith("fop") else find_measure(name).symbol
        missing = [where for where, value in row.items() if math.isnan(value)]
        if missing:
            likes["undefined"].append(f"{shown} ({' and '.join(map(str, missing))})")
            continue
        top = str((max if up else min)(row, key=row.__getitem__))
        likes["perfect, " + top if math.isclose(row[top], best) else top].append(shown)
    words = {
        "perfect, " + one: f"Like {one} best of all partitions",
        "perfect, " + every: "Like single pixels best of all partitions",
        one: f"Prefer {one} to single pixels",
        every: f"Prefer single pixels to {one}",
        "undefined": "Not defined for one of them",
    }
    return ". ".join(f"{words[key]}: {', '.join(names)}" for key, names in likes.items() if names) + "."


def _direction(name: str) -> tuple[bool, float]:
    """Whether more is better, and the best value."""
    if name.startswith("fop"):
        return True, 1.0
    measure = find_measure(name)
    return measure.higher_is_better, measure.high if measure.higher_is_better else measure.low


def authors(table: pd.DataFrame) -> str:
    """Say how far our scores of gPb-UCM are from the authors' files, from `compare_with_authors`."""
    others = ", ".join(
        f"{table[name].max():.2g} with {name[4:]}" for name in table.columns if name.startswith("fop@")
    )
    apart = (table["fb_here"] - table["fb_file"]).abs().max()
    lengths = table["lengths_differ"].sum()
    return (
        f"Objects and parts of a single picture differ by at most {table['fop'].max():.1g} with "
        rf"$\gamma_o = 0.9$, and by {others}. Contours differ in length in {lengths} cases. The $F_b$ of all pictures "
        f"differs by at most {apart:.1g}."
    )


def readings(table: pd.DataFrame) -> str:
    """Say which readings give the authors' values, from `readings_on_bsds`."""
    off = table.set_index(["formula", "reading"])["off"].sort_index()
    plain = off.xs("as in Table 2", level="reading")
    arrow = off.xs("arrow of equation (3)", level="reading")
    steps = ", ".join(f"{off['equation (10)', reading]:.0%} {reading}" for reading in EQUATION_10)
    return (
        f"{(plain == 0).sum()} of {len(plain)} region measures give the authors' value of every picture to its last "
        f"digit, with the arrow of Table 2. With the arrow that equation (3) prints, {arrow.min():.0%} or more of the "
        f"values of the two Hamming distances differ. Equation (10), share of precisions and recalls that differ: "
        f"{steps}."
    )


def humans(side: pd.DataFrame) -> str:
    """Say which averages give the published human points, from `compare_humans`."""
    apart = side[["precision: difference", "recall: difference"]].abs().max(axis=1)
    known = side.assign(apart=apart).dropna(subset=["apart"])
    parts = []
    for (measure, judged), rows in known.groupby(["measure", "judged by"], sort=False):
        near = rows.iloc[rows["apart"].argmin()]
        parts.append(
            f"{NAMES[str(measure)]}, {judged}: {near['values of']}, {near['average']}, off by {near['apart']:.1g}"
        )
    return (
        f"Nearest to the published points: {'; '.join(parts)}." if parts else "No run on BSDS500 is stored."
    )


def packages(apart: pd.DataFrame) -> str:
    """Say from which package the published curves are, from `points_apart`."""
    parts = []
    for package, rows in apart.groupby("package", sort=False):
        inside = (rows["largest"] <= NEAR).sum()
        parts.append(
            f"of the {package} {inside} of {len(rows)} curves have all published points within {NEAR:g}"
        )
    largest = apart[apart["package"] == CONFERENCE]["largest"].max()
    return (
        f"{'; '.join(parts)}".capitalize() + f". No published point is further than {largest:.1g} from the "
        f"{CONFERENCE}'s."
    )  # fmt: skip


def legend_of_files(table: pd.DataFrame) -> str:
    """Say how many values of the legend the files give, from `compare_files`."""
    known = table.dropna(subset=["F: files"])
    exact = {
        name: ((known[name] - known["F: paper"]).abs() <= 0.005 + 1e-9).sum() for name in ("F: files", LATER)
    }
    missing = sorted(set(table["method"]) - set(known["method"]))
    return (
        f"With the package that drew the curves (the {CONFERENCE} where it has the method) {exact['F: files']} of "
        f"{len(known)} values of the legend come out to the printed digit; with the {LATER} alone {exact[LATER]}. "
        f"Without files: {', '.join(missing) or 'none'}."
    )


def distances(table: pd.DataFrame) -> str:
    """Say which line the published points of gPb-UCM lie on, from `curve_distances`."""
    median, largest = (table.set_index("line")[name].to_dict() for name in ("median", "largest"))
    words = {"fb, file, counts added": "the authors' counts added", "fb, here, counts added": "ours added",
             "fb, file, averaged over pictures": "their averages",
             "fb, here, averaged over pictures": "ours"}  # fmt: skip
    parts = [f"{median[line]:.4f} with {name}" for line, name in words.items() if line in median]
    return (
        f"Objects and parts: at most {largest['fop, same picture']:.4f} from the line. "
        f"Boundaries, median distance: {', '.join(parts)}."
    )


def legend(both: pd.DataFrame, lines: pd.DataFrame) -> str:
    """Say how alike our segmenters rank with those of the same name, from `compare_legend` and the curves."""
    parts = []
    for measure, rows in both.dropna(subset=["F: paper"]).groupby("measure"):
        place = rows["F: paper"].corr(rows["F: here"], method="spearman")
        parts.append(f"{NAMES[str(measure)]} {place:.2f} over {len(rows)}")
    images = lines["images"]
    judged = f"{images.min()}" if images.min() == images.max() else f"{images.min()} to {images.max()}"
    return (
        f"Rank correlation of paper and here: {', '.join(parts)} rows, people among them. "
        f"Pictures per method: {judged}."
    )
