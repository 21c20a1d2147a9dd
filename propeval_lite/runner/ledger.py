"""Collect the verdicts of all runs and hold them against those that were stored."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from propeval_lite._checks.values import fail
from propeval_lite.results.ledger import DIFFERS, NOT_HERE, VERDICT_FILE, VERDICTS, Verdict, ledger
from propeval_lite.runner.store import read_run

OPEN = "open"  # no chapter has judged the row


def collect(runs: Path, stored: Path) -> pd.DataFrame:
    """Return the newest verdict on each row of the ledger, and the stored one.

    Parameters
    ----------
    runs : Path
        Folder of runs; only finished ones count.
    stored : Path
        Folder of stored verdicts, one ``CHAPTER.csv`` each.

    Returns
    -------
    DataFrame
        Rows of the ledger with the columns of a verdict (what the paper prints as `paper_value`), `stored` (its verdict
        in the repository) and `run` (where the newest one is). A row that the newest run of its chapter no longer
        judges is *open*.
    """
    rows = ledger()
    kept = {file.stem: _read(file, rows.index) for file in sorted(stored.glob("*.csv"))}
    newest: dict[str, tuple[str, Path]] = {}
    for folder in sorted(path.parent for path in runs.glob("*/*/run.json")):
        record = read_run(folder)
        if record is not None and (folder / VERDICT_FILE).is_file():
            name = record["notebook"]
            newest[name] = max(newest.get(name, ("", folder)), (str(record.get("started", "")), folder))
    found = {
        **{name: table.assign(run="stored") for name, table in kept.items()},
        **{
            name: _read(path / VERDICT_FILE, rows.index).assign(run=f"{name}/{path.name}")
            for name, (_, path) in newest.items()
        },
    }
    columns = ["paper_value" if name == "paper" else name for name in Verdict._fields[1:]] + ["run"]
    now = pd.concat([pd.DataFrame(columns=["row", *columns]), *found.values()]).set_index("row")[columns]
    if not now.index.is_unique:
        twice = now.index[now.index.duplicated()][0]
        raise fail(
            "each row of the ledger in one chapter", "two that judge it", "Remove one of the two.", twice
        )
    table = rows.join(now)
    before = pd.concat([pd.DataFrame(columns=["row", "verdict"]), *kept.values()]).set_index("row")["verdict"]
    return table.assign(
        verdict=table["verdict"].fillna(OPEN), stored=before.reindex(table.index).fillna(OPEN)
    )


def got_worse(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose newest verdict is worse than the stored one."""
    order = {name: place for place, name in enumerate((*VERDICTS, OPEN))}
    return table[table["verdict"].map(order) > table["stored"].map(order)]


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Return how many rows of each paper have which verdict."""
    found = pd.crosstab(table["paper"], table["verdict"])
    found = found.reindex(index=table["paper"].unique(), columns=[*VERDICTS, OPEN], fill_value=0)
    return pd.concat([found, found.sum().rename("all").to_frame().T])


def worst(table: pd.DataFrame, n: int = 10) -> pd.DataFrame:
    """Return the rows whose numbers differ most, by difference in units of what the paper prints."""
    numbers = table[pd.to_numeric(table["difference"]).notna()]
    scale = numbers["paper_value"].map(
        lambda text: max(abs(float(part)) for part in text.split() if _is_number(part))
    )
    share = pd.to_numeric(numbers["difference"]) / scale.where(scale > 0, 1.0)
    share = share.astype(float)
    return numbers.assign(share=share)[share > 0].nlargest(n, "share")


def without_reason(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that differ, or are not reproducible, and do not say why."""
    return table[table["verdict"].isin([DIFFERS, NOT_HERE]) & (table["because"].fillna("") == "")]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read(file: Path, known: pd.Index) -> pd.DataFrame:
    table = pd.read_csv(
        file,
        dtype={"paper": str, "here": str},
        keep_default_na=False,
        na_values={"difference": ["nan"], "tolerance": ["nan"]},
    )
    if list(table.columns) != list(Verdict._fields):
        got = ", ".join(map(str, table.columns))
        raise fail(f"columns {', '.join(Verdict._fields)}", got, "Run the notebook again.", str(file))
    strange = sorted(set(table["row"]) - set(known)) + sorted(set(table["verdict"]) - set(VERDICTS))
    if strange:
        raise fail(
            "rows of data/ledger.csv and known verdicts", strange[0], "Run the notebook again.", str(file)
        )
    return table.rename(columns={"paper": "paper_value"})
