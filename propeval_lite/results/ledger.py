"""The ledger: each equation, table, figure and claim of the papers, and a verdict on it, computed by its chapter."""

from __future__ import annotations

import csv
import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from propeval_lite._checks.paths import data_file
from propeval_lite._checks.values import fail
from propeval_lite.results.provenance import Result, run_folder
from propeval_lite.results.show import Said, say

EXACT, TOLERANCE, TREND, DIFFERS = "exact", "within tolerance", "same trend", "differs"
NOT_HERE = "not reproducible here"
VERDICTS = (EXACT, TOLERANCE, TREND, DIFFERS, NOT_HERE)  # from the best to the worst
VERDICT_FILE = "verdicts.csv"
ROUNDING = 1e-9  # of the paper's last digit: a number in the middle between two rounds either way
_given: dict[str, dict[str, Verdict]] = {}  # by run folder, then by row


class Verdict(NamedTuple):
    """What became of one row of the ledger; `difference` is the largest, NaN for a claim."""

    row: str
    verdict: str
    paper: str
    here: str
    difference: float
    tolerance: float
    because: str
    source: str

    def _repr_markdown_(self) -> str:
        reason = f", because {self.because}" if self.because else ""
        numbers = f" (paper {self.paper}, here {self.here})" if self.here else ""
        return f"`{self.row}`: **{self.verdict}**{numbers}{reason}."


def ledger() -> pd.DataFrame:
    """Return the rows there are to fill: ``id, paper, item, kind, place, value, chapter``, indexed by id.

    Examples
    --------
    >>> ledger().loc["wang.eq5", "place"]
    'eq. (5)'
    """
    return pd.read_csv(data_file("ledger.csv"), index_col="id")


def verdict(
    row: str,
    here=None,
    *,
    paper=None,
    tolerance: float | None = None,
    digits: int | None = None,
    trend: bool | None = None,
    because: str = "",
    source: str | Result = "",
) -> Verdict:
    """Compare one row of the ledger with what was computed, and write the verdict with the run.

    Parameters
    ----------
    row : str
        Its id in ``data/ledger.csv``.
    here : number, sequence of numbers, bool or None
        What was computed; whether an equation or a claim holds; None for what cannot be reproduced here.
    paper : number, sequence of numbers or bool, optional
        What the paper prints; by default the value of the row, or True where it has none.
    tolerance : float, optional
        Largest difference that the page has explained before it compares.
    digits : int, optional
        Decimals the paper prints: *exact* means equal when rounded to them. Without it, equal to 1e-12.
    trend : bool, optional
        For numbers that differ: whether the order or sign that the paper points out is here as well.
    because : str
        The reason, in words that end the sentence "…, because". Needed where `here` is None.
    source : str or Result
        What `here` was computed from.

    Returns
    -------
    Verdict
        *exact*, *within tolerance*, *same trend*, *differs* or *not reproducible here*.

    Examples
    --------
    >>> verdict("ponttuset.table2.fb.sihd", 99.53, digits=1).verdict
    'exact'
    >>> verdict("wang.eq1", True).verdict
    'exact'
    """
    rows = ledger()
    if row not in rows.index:
        near = [name for name in rows.index if name.split(".")[0] == str(row).split(".")[0]]
        raise fail(
            "a row of data/ledger.csv", repr(row), f"Of this paper: {', '.join(near) or 'none'}.", "verdict"
        )
    if here is None and not because:
        raise fail("a reason for what cannot be reproduced", "none", "Say it with because=.", row)
    if paper is None:
        paper = rows.loc[row, "value"]
        paper = True if pd.isna(paper) or isinstance(here, bool | np.bool_) else paper
    result, difference = _judge(here, paper, tolerance, digits, trend, row)
    origin = source.data if isinstance(source, Result) else source
    found = Verdict(
        row, result, _text(paper), _text(here), difference, math.nan if tolerance is None else tolerance,
        because, origin,
    )  # fmt: skip
    _write(found)
    return found


def verdicts() -> pd.DataFrame:
    """Return the verdicts that this run has given so far, with item and place of each row."""
    table = pd.DataFrame(_given.get(str(run_folder()), {}).values(), columns=Verdict._fields)
    return table.join(ledger()[["place", "item"]], on="row")


def show_verdicts() -> Said:
    """Display the verdicts that this page has given: what of its paper is reproduced."""
    table = verdicts()
    if table.empty:
        raise fail("verdicts to show", "none", "Call results.verdict before.", "show_verdicts")
    counts = table["verdict"].value_counts()
    lines = [", ".join(f"{counts[name]} {name}" for name in VERDICTS if name in counts) + ".", ""]
    columns = ["place", "item", "paper", "here", "verdict", "because"]
    lines += ["| place | what | paper | here | verdict |", "|---|---|---|---|---|"]
    for place, item, paper, here, name, because in table[columns].itertuples(index=False):
        cells = (place, item, paper, here, f"**{name}**" + (f": {because}" if because else ""))
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return say("\n".join(lines))


def _judge(here, paper, tolerance, digits, trend, row: str) -> tuple[str, float]:
    """Verdict and largest difference."""
    if here is None:
        return NOT_HERE, math.nan
    if isinstance(paper, bool | np.bool_) or isinstance(here, bool | np.bool_):
        if not isinstance(here, bool | np.bool_):
            raise fail("paper=, the numbers to compare with", "none", "The row has no value of its own.", row)
        return (EXACT if bool(here) == bool(paper) else TREND if trend else DIFFERS), math.nan
    ours, theirs = np.asarray(here, dtype=np.float64), np.asarray(paper, dtype=np.float64)
    if ours.shape != theirs.shape or not ours.size:
        raise fail(
            f"as many numbers as the paper's {theirs.shape}", f"{ours.shape}", "Compare like with like.", row
        )
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        raise fail("finite numbers", "nan or inf", "Pass here=None and because= for what is undefined.", row)
    difference = float(np.abs(ours - theirs).max())
    limit = 1e-12 if digits is None else (0.5 + ROUNDING) * 10.0**-digits
    if difference <= limit:
        return EXACT, difference
    if tolerance is not None and difference <= tolerance * (1 + ROUNDING):
        return TOLERANCE, difference
    return (TREND if trend else DIFFERS), difference


def _text(value) -> str:
    """One line for a table: numbers to four significant digits, yes or no for a claim."""
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "holds" if value else "does not hold"
    numbers = [f"{number:.5g}" for number in np.asarray(value, dtype=np.float64).ravel()]
    shown = numbers if len(numbers) <= 12 else [*numbers[:4], f"… {len(numbers)} numbers"]
    return " ".join(shown)


def _write(found: Verdict) -> None:
    folder = run_folder()
    given = _given.setdefault(str(folder), {})
    if folder is not None and found.row in given:
        raise fail("one verdict for each row in a run", "a second", "Remove one of the two calls.", found.row)
    given[found.row] = found
    if folder is None:
        return
    with (folder / VERDICT_FILE).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Verdict._fields)
        for one in given.values():
            writer.writerow(f"{cell:.6g}" if isinstance(cell, float) else cell for cell in one)
