"""What every notebook writes in the smoke profile, as digests: a change that only moves code must leave them.

``python tests/frozen.py RUNS`` freezes anew from the runs below RUNS (RUNS/NOTEBOOK/RUN/*.csv).
"""

import csv
import hashlib
import json
import sys
from pathlib import Path

import propeval_lite as pe
from propeval_lite.runner.catalog import load_catalog

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "frozen.json"


def cell(text):
    """A number to nine digits, so that another processor's last bits do not count; other text as it is."""
    try:
        return f"{float(text):.9g}"
    except ValueError:
        return text


def digest(table):
    """Digest of a CSV file."""
    with table.open(encoding="utf-8", newline="") as stream:
        rows = [[cell(text) for text in row] for row in csv.reader(stream)]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def digests(folder, timing):
    """Digests of the tables of one run, without those that hold seconds."""
    return {path.stem: digest(path) for path in sorted(folder.glob("*.csv")) if path.stem not in timing}


def freeze(runs):
    """Write the digests of all runs, and the public names."""
    tables = {
        name: digests(next((runs / name).iterdir()), entry.timing)
        for name, entry in load_catalog(ROOT).items()
    }
    FILE.write_text(json.dumps({"names": sorted(pe.__all__), "tables": tables}, indent=1) + "\n")


if __name__ == "__main__":
    freeze(Path(sys.argv[1]))
