"""Where a number comes from: the run that is going on, or the stored one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

import pandas as pd

STORED = "; stored run of "  # between the data and the run in the origin of a stored result


class Result(NamedTuple):
    """A table computed on real data, and where it comes from.

    Attributes
    ----------
    table : DataFrame or None
        None where this run did not compute it and no run has stored it.
    origin : str
        For captions: what it was made from, and of a stored one by which run.
    stored : bool
        Whether an earlier run made it.
    """

    table: pd.DataFrame | None
    origin: str
    stored: bool

    @property
    def known(self) -> bool:
        """Whether there is a table."""
        return self.table is not None

    @property
    def data(self) -> str:
        """What it was made from, without the run that stored it."""
        return self.origin.partition(STORED)[0]


def several(*sources: str | Result) -> Result:
    """Return one provenance for what is made from several sources; it holds no table.

    Parameters
    ----------
    *sources : str or Result
        Words, such as a paper's table, or results.

    Returns
    -------
    Result
        Stored if one of them is and no other was computed in this run.

    Examples
    --------
    >>> several("Table 2", Result(None, "voc2007; stored run", stored=True))
    Result(table=None, origin='Table 2; voc2007; stored run', stored=True)
    """
    results = [source for source in sources if isinstance(source, Result)]
    origins = dict.fromkeys(source.origin if isinstance(source, Result) else source for source in sources)
    return Result(None, "; ".join(origins), bool(results) and all(result.stored for result in results))


def run_folder() -> Path | None:
    """Folder of the run that this notebook belongs to, or None when it was opened by hand."""
    folder = os.environ.get("PROPEVAL_RUN_FOLDER")
    return Path(folder) if folder else None


def short_commit(commit: str) -> str:
    """First ten digits of a commit, with the ``+`` of local changes.

    Examples
    --------
    >>> short_commit("0123456789abcdef0123456789abcdef01234567+"), short_commit("unknown")
    ('0123456789+', 'unknown')
    """
    return commit.removesuffix("+")[:10] + ("+" if commit.endswith("+") else "")


def stamp(source: str | Result) -> str:
    """One line of provenance: what the numbers were made from, and the notebook, profile, commit and date of the run.

    A stored result names the run that made it, not the one that shows it.
    """
    if isinstance(source, Result):
        if source.stored:
            return source.origin
        source = source.origin
    folder = run_folder()
    if folder is None:
        return f"{source}; notebook opened by hand"
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    version = record["versions"]["propeval-lite"]
    return (
        f"{source}; {record['notebook']}, profile {record['profile']}, propeval-lite {version} "
        f"(commit {short_commit(record['commit'])}), {record['started'][:10]}"
    )
