"""Put the tables of finished `paper` runs into data/results, all or none, after a look at where they come from."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from propeval_lite._checks.values import fail
from propeval_lite.results.ledger import VERDICT_FILE
from propeval_lite.results.store import STAMPED, make_stamp
from propeval_lite.runner.catalog import Entry, pick
from propeval_lite.runner.commits import STORED, fault_of_commit
from propeval_lite.runner.hashing import notebook_digest, run_digests, versions
from propeval_lite.runner.lock import Lock
from propeval_lite.runner.reads import look_again
from propeval_lite.runner.start import PAPER, is_catalogue_run
from propeval_lite.runner.store import RUN_FILE, damaged, is_complete, read_run

LEDGER = "ledger"


class Offer(NamedTuple):
    """A run that may be stored: its record, and what it puts where below data/results."""

    record: dict
    files: dict[str, bytes]

    @property
    def notebook(self) -> str:
        """Name of the chapter."""
        return self.record["notebook"]


class Stored(NamedTuple):
    """What storing has changed: paths below data/results."""

    written: list[str]
    removed: list[str]


def find_run(text: str, root: Path) -> Path:
    """Folder of a finished run: a path, ``NOTEBOOK/RUN`` below runs/, or NOTEBOOK alone for its run `paper`."""
    places = [Path(text), root / "runs" / text, root / "runs" / text / PAPER]
    for place in places:
        with contextlib.suppress(OSError):  # a name that is too long is none
            if (place / RUN_FILE).is_file():
                return place
    remedy = f"Make one with `propeval run NOTEBOOK --profile {PAPER}`, or name the folder of one."
    raise fail(
        "the folder of a run", f"no {RUN_FILE} in " + " or ".join(map(str, places)), remedy, repr(text)
    )


def store_runs(folders: list[Path], root: Path, catalog: dict[str, Entry]) -> Stored:
    """Copy what the runs offer to data/results; an error leaves everything as it was.

    Tables that an earlier run of the same chapter stored and that it no longer offers nor shows are removed.

    Parameters
    ----------
    folders : list of Path
        Runs of the profile `paper`, each whole, of a clean commit, and of sources and data that are as they were.
    root : Path
        Folder of the compendium.
    catalog : dict
        Its notebooks.

    Returns
    -------
    Stored
    """
    results = root / STORED
    with Lock(results.with_name(".results.lock"), "store", "Wait until it has ended."):
        _put_back(results)
        offers = [check_storable(folder, root, catalog) for folder in folders]
        files: dict[str, bytes] = {}
        for offer in offers:
            _check_owners(offer, files, results, catalog)
            files |= offer.files
        _check_order(offers)
        gone = [path for offer in offers for path in _outdated(offer, results)]
        try:
            _replace(results, files, gone)
        except OSError as error:
            remedy = "Nothing was stored. Make it writable, or free some space."
            raise fail(
                "a folder that can be written", error.strerror or error, remedy, str(results)
            ) from None
    return Stored(sorted(files), sorted(gone))


def check_storable(folder: Path, root: Path, catalog: dict[str, Entry]) -> Offer:
    """Return what a run offers; an error says why it must not be stored."""
    again = f"Run `propeval run NOTEBOOK --profile {PAPER} --force` and store that."
    record = read_run(folder)
    where = f"store {folder}"
    if record is None or not is_complete(record) or any(key not in record for key in STAMPED):
        raise fail("a finished run with its whole record", "one that is not", again, where)
    entry = pick(catalog, str(record["notebook"]))
    again = again.replace("NOTEBOOK", entry.name)
    if record["profile"] != PAPER:
        raise fail(f"a run of the profile {PAPER}", f"one of {record['profile']!r}", again, where)
    if not is_catalogue_run(entry, PAPER, record["parameters"]):
        wanted = entry.resolve(PAPER, {})
        other = [name for name in wanted if record["parameters"].get(name) != wanted[name]]
        expected = f"the parameters of {entry.name} in notebooks/index.toml"
        raise fail(expected, f"other {', '.join(other) or 'names'}", again, where)
    if record.get("draft"):
        raise fail("a run that is no draft", "one made with --draft", again, where)
    fault = fault_of_commit(root, record["commit"])
    if fault:
        remedy = f"Commit what a result depends on. {again}"
        raise fail("a run of a commit that HEAD is made from", fault, remedy, where)
    harmed = damaged(record, folder)
    if harmed:
        raise fail("a whole run", f"{', '.join(harmed[:5])} missing or changed", again, where)
    changed = changes_since(record, entry, root)
    if changed:
        got = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        raise fail("sources and data as the run has read them", f"changed: {got}", again, where)
    files = _offered(record, folder, where)
    if not files:
        raise fail("tables to store", "none", "Offer them with results.fresh_or_stored.", where)
    return Offer(record, files)


def changes_since(record: dict, entry: Entry, root: Path) -> list[str]:
    """Name what differs from what a run has read: notebook, versions, modules and files.

    Stamps of stored tables count as they were: they hold words and dates, and no number comes from them.
    """
    reads, digests = record["reads"], record["digests"]
    modules, files = look_again(reads["modules"], reads["files"], root)
    files |= {key: old for key, old in reads["files"].items() if _is_stored(key) and key.endswith(".json")}
    here = versions()
    changed = (
        [f"notebooks/{entry.name}.ipynb"] if notebook_digest(entry.path) != digests.get("notebook") else []
    )
    changed += [
        f"{name} {record['versions'].get(name)}, now {version}"
        for name, version in here.items()
        if record["versions"].get(name) != version
    ]
    changed += [key for key in modules if modules[key] != reads["modules"][key]]
    changed += [key for key in files if files[key] != reads["files"][key]]
    if not changed and run_digests(entry, record["parameters"], modules, files) != digests:
        changed = [f"Python {record['python']} or the record itself"]
    return changed


def _is_stored(key: str) -> bool:
    return key.startswith(f"{STORED}/")


def _offered(record: dict, folder: Path, where: str) -> dict[str, bytes]:
    """Contents of the files to store by their path below data/results, each as its record says."""
    found: dict[str, bytes] = {}
    for name, digest in record["files"].items():
        parts = PurePosixPath(name).parts
        table = len(parts) == 3 and parts[0] == "results" and parts[2].endswith((".csv", ".json"))
        if not table and name != VERDICT_FILE:
            continue
        content = (folder / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise fail("files that nobody changes meanwhile", name, "Store again.", where)
        found[f"{LEDGER}/{record['notebook']}.csv" if name == VERDICT_FILE else "/".join(parts[1:])] = content
    verdicts = f"{LEDGER}/{record['notebook']}.csv"
    if verdicts in found:
        rows = max(found[verdicts].count(b"\n") - 1, 0)
        stamp = make_stamp(record, f"verdicts of {record['notebook']}", rows)
        found[verdicts.removesuffix("csv") + "json"] = (json.dumps(stamp, indent=2) + "\n").encode()
    for path in found:
        stem, _, ending = path.rpartition(".")
        if f"{stem}.{'json' if ending == 'csv' else 'csv'}" not in found:
            raise fail(
                "a table and its stamp", f"only {path}", "Offer it with results.fresh_or_stored.", where
            )
        if ending == "json":
            stamp = _stamp(found[path])
            other = [key for key in STAMPED if stamp.get(key) != record[key]]
            if other:
                got = f"another {', '.join(other)} in {path}"
                raise fail("tables stamped by this run", got, "Run the notebook again.", where)
    return found


def _stamp(content: bytes) -> dict:
    try:
        stamp = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _check_owners(offer: Offer, others: dict[str, bytes], results: Path, catalog: dict[str, Entry]) -> None:
    """Refuse a table that another run of this call, or another chapter, stores under the same name."""
    remedy = "Give the tables different names."
    for path in offer.files:
        if path in others:
            raise fail("each table from one run", f"two that store {path}", remedy, offer.notebook)
        if path.endswith(".json") and (results / path).is_file():
            owner = _stamp((results / path).read_bytes()).get("notebook")
            if owner != offer.notebook and owner in catalog:
                got = f"one of {owner}, {STORED}/{path}"
                raise fail(f"stored tables of {offer.notebook} only", got, remedy, offer.notebook)


def _check_order(offers: list[Offer]) -> None:
    """Refuse a run that has read a stored table which another run of this call replaces by a different one."""
    for reader in offers:
        for writer in offers:
            for path, content in writer.files.items():
                read = reader.record["reads"]["files"].get(f"{STORED}/{path}")
                same = read in (None, hashlib.sha256(content).hexdigest()) or path.endswith(".json")
                if writer is not reader and not same:
                    got = f"the earlier {STORED}/{path}, which {writer.notebook} replaces"
                    remedy = f"Store {writer.notebook}, then run {reader.notebook} again."
                    raise fail("a run that shows the present stored tables", got, remedy, reader.notebook)


def _outdated(offer: Offer, results: Path) -> list[str]:
    """Tables that this chapter stored earlier, and that its run neither offers nor has read."""
    read = {key for key, found in offer.record["reads"]["files"].items() if found is not None}
    gone = []
    for file in sorted(results.rglob("*.json")):
        path = file.relative_to(results).as_posix()
        table = path.removesuffix("json") + "csv"
        if path in offer.files or f"{STORED}/{table}" in read:
            continue
        if _stamp(file.read_bytes()).get("notebook") == offer.notebook:
            gone += [path, table]
    return gone


def _replace(results: Path, files: dict[str, bytes], gone: list[str]) -> None:
    """Change a copy of the folder and put it in the place of the old one: a reader never sees half of it."""
    new, old = results.with_name(".results.new"), results.with_name(".results.old")
    shutil.rmtree(new, ignore_errors=True)
    try:
        if results.exists():
            shutil.copytree(results, new)
        new.mkdir(exist_ok=True)
        for path in gone:
            (new / path).unlink(missing_ok=True)
        for path, content in files.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_bytes(content)
        for folder in [path for path in new.iterdir() if path.is_dir() and not any(path.iterdir())]:
            folder.rmdir()
        if results.exists():
            os.replace(results, old)
        os.replace(new, results)
    except OSError:
        _put_back(results)
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _put_back(results: Path) -> None:
    """After a store that was killed between its two renames, or failed there: the old folder has its name again."""
    old = results.with_name(".results.old")
    if old.is_dir() and not results.exists():
        os.replace(old, results)
    shutil.rmtree(old, ignore_errors=True)
