"""Results computed on real data: offered by a run, and read back where the data are not at hand."""

from __future__ import annotations

import json

import pandas as pd

from propeval_lite._checks.paths import data_folder
from propeval_lite.results.show import run_folder


def keep(table: pd.DataFrame, dataset: str, name: str, source: str) -> None:
    """Offer a table computed on real data for data/results; a `paper` run that finishes puts it there."""
    folder = run_folder()
    if folder is None:
        return
    target = folder / "results" / dataset
    target.mkdir(parents=True, exist_ok=True)
    table.to_csv(target / f"{name}.csv", index=False, float_format="%.10g")
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    kept = ("notebook", "profile", "parameters", "started", "commit", "python", "versions", "digests")
    content = {"source": source, "rows": len(table), **{key: record[key] for key in kept}}
    (target / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def kept(dataset: str, name: str) -> pd.DataFrame | None:
    """Return a table of data/results, or None when nobody has computed it yet."""
    path = data_folder("results") / dataset / f"{name}.csv"
    return pd.read_csv(path) if path.is_file() else None


def origin(dataset: str, name: str) -> str:
    """Say in words which run computed a table of data/results; of a run that is computing it now, that it is fresh."""
    folder = run_folder()
    if folder is not None and (folder / "results" / dataset / f"{name}.json").is_file():
        return "computed in this run"
    path = data_folder("results") / dataset / f"{name}.json"
    if not path.is_file():
        return "no stored run"
    record = json.loads(path.read_text(encoding="utf-8"))
    return (
        f"stored run of {record['notebook']}, profile {record['profile']}, commit {record['commit']}, "
        f"{record['started'][:10]}"
    )
