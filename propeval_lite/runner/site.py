"""Build the website: the pages of book/, the executed notebooks and a status page, staged side by side."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from propeval_lite._checks.values import InputError
from propeval_lite.results.provenance import short_commit
from propeval_lite.runner.catalog import Entry
from propeval_lite.runner.execute import Outcome
from propeval_lite.runner.store import RUN_FILE, read_run


def build_site(root: Path, catalog: dict[str, Entry], outcomes: list[Outcome]) -> Path:
    """Stage the sources in book/_build/source, build them without a network, return the page to open."""
    build = root / "book" / "_build"
    source = build / "source"
    wanted = _stage_book(root / "book", source)
    for outcome in outcomes:
        wanted |= _stage_run(catalog[outcome.notebook], outcome, source)
    wanted |= {_write(source / "status.md", status_page(catalog, outcomes))}
    for file in source.rglob("*"):
        if file.is_file() and file not in wanted:
            file.unlink()
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", "-W", "-n", "--keep-going",
               "--path-output", str(root / "book"), str(source)]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "ignore"}
    )
    page = build / "html" / "index.html"
    if done.returncode or not page.is_file():
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-40:])
        raise InputError(
            f"book: expected a build without warnings, got status {done.returncode}. "
            f"Mend what it names:\n{tail}"
        )
    return page


def _write(path: Path, text: str) -> Path:
    """Write `text` unless it is there already, so that an unchanged page is not built again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def _copy(file: Path, target: Path) -> Path:
    if not target.is_file() or target.read_bytes() != file.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return target


def _stage_book(book: Path, source: Path) -> set[Path]:
    files = [
        file for file in book.rglob("*") if file.is_file() and "_build" not in file.relative_to(book).parts
    ]
    return {_copy(file, source / file.relative_to(book)) for file in files}


def _stage_run(entry: Entry, outcome: Outcome, source: Path) -> set[Path]:
    """Put the executed notebook beside the pages, and the files it links where its links will find them."""
    executed = outcome.folder / f"{entry.name}.ipynb"
    notebook = nbformat.read(executed if executed.is_file() else entry.path, as_version=4)
    written = {name: parameter.default for name, parameter in entry.parameters.items()}
    if (read_run(outcome.folder) or {}).get("parameters") == written:
        # The cell above it says the same, with the meaning of each parameter.
        notebook.cells = [
            c for c in notebook.cells if "injected-parameters" not in c.metadata.get("tags", [])
        ]
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            markup = output.get("data", {}).get("text/html")
            if markup:
                output["data"]["text/html"] = markup.replace('href="./', f'href="files/{entry.name}/')
    wanted = {_write(source / f"{entry.name}.ipynb", nbformat.writes(notebook))}
    for file in sorted(outcome.folder.glob("*.csv")) + sorted(outcome.folder.glob("*.svg")):
        wanted.add(_copy(file, source / "_extra" / "files" / entry.name / file.name))
    run_file = outcome.folder / RUN_FILE
    if run_file.is_file():
        wanted.add(_copy(run_file, source / "_extra" / "files" / entry.name / RUN_FILE))
    return wanted


def status_page(catalog: dict[str, Entry], outcomes: list[Outcome]) -> str:
    """Markdown of the page that says when, how long and with what every notebook ran."""
    rows = []
    versions: dict[str, str] = {}
    for outcome in outcomes:
        record = read_run(outcome.folder) or {}
        entry = catalog[outcome.notebook]
        versions = record.get("versions", versions)
        state = "whole" if outcome.good else f"**{outcome.status}**"
        rows.append(
            f"| [{entry.title}]({entry.name}.ipynb) | {state} | {record.get('profile', '–')} "
            f"| {outcome.seconds:.1f} | {record.get('started', '–')} | {short_commit(record.get('commit', '–'))} "
            f"| {record.get('digests', {}).get('data', '–')} |"
        )
    lines = [
        "# Status",
        "",
        "Every page below was executed from its source by `propeval book`; nothing is edited afterwards.",
        "",
        "| page | run | profile | seconds | started (UTC) | commit | data hash |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
        "A commit followed by `+` had local changes.",
        "",
        "## Versions",
        "",
        "| package | version |",
        "|---|---|",
        *[f"| {name} | {version} |" for name, version in versions.items()],
        "",
    ]
    return "\n".join(lines)
