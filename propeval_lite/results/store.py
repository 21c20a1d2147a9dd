"""Results computed on real data: those of this run, or else those that an earlier run stored in data/results."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pandas as pd

from propeval_lite._checks.paths import data_folder
from propeval_lite.results.provenance import STORED, Result, run_folder, short_commit

STAMPED = ("notebook", "profile", "parameters", "started", "commit", "python", "versions", "digests")


def fresh_or_stored(fresh: pd.DataFrame | None, dataset: str, name: str, source: str) -> Result:
    """Return what this run computed on real data and offer it for storing, or else what an earlier run stored.

    Parameters
    ----------
    fresh : DataFrame or None
        None where this run did not look at `dataset`.
    dataset, name : str
        The table is ``data/results/<dataset>/<name>.csv``; ``propeval store`` puts it there from a `paper` run.
    source : str
        What the numbers of `fresh` are made from: data set, its size, conventions.

    Returns
    -------
    Result

    Examples
    --------
    >>> result = fresh_or_stored(None, "voc2007", "hosang_recall", "")
    >>> result.known, result.origin.partition(";")[2].split(",")[0]
    (True, ' stored run of hosang_recall')
    >>> fresh_or_stored(None, "voc2007", "no_such_table", "").origin
    'no stored run of voc2007: run the profile paper'
    """
    if fresh is not None:
        _offer(fresh, dataset, name, source)
        return Result(fresh, source, stored=False)
    path = data_folder("results") / dataset / f"{name}.csv"
    if not path.is_file():
        return Result(None, f"no stored run of {dataset}: run the profile paper", stored=False)
    record = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    origin = (
        f"{record['source']}{STORED}{record['notebook']}, profile {record['profile']}, commit "
        f"{short_commit(record['commit'])}, {record['started'][:10]}"
    )
    return Result(pd.read_csv(path), origin, stored=True)


def _offer(table: pd.DataFrame, dataset: str, name: str, source: str) -> None:
    folder = run_folder()
    if folder is None:
        return
    target = folder / "results" / dataset
    target.mkdir(parents=True, exist_ok=True)
    table.to_csv(target / f"{name}.csv", index=False, float_format="%.10g")
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    content = make_stamp(record, source, len(table))
    (target / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def make_stamp(record: Mapping, source: str, rows: int) -> dict:
    """Return what is written beside a stored table: what it is made from, and what made it, from a run's record."""
    return {"source": source, "rows": rows, **{key: record[key] for key in STAMPED}}
