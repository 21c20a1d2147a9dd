"""What notebooks there are, what they cover, and which parameters they take."""

from __future__ import annotations

import ast
import contextlib
import io
import math
import os
import tokenize
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from propeval_lite._checks.values import InputError, fail
from propeval_lite.runner.request import check_request

PROFILES = ("smoke", "default", "paper")


@dataclass(frozen=True)
class Parameter:
    """One name of a notebook's parameters cell: its default value and the comment that explains it."""

    name: str
    default: object
    meaning: str


@dataclass(frozen=True)
class Entry:
    """One notebook: its file, title, the study and the sections it covers, and the overrides of each profile.

    `vary` holds, for each parameter, another value with which the results must differ (a test sees to it);
    `timing` names the tables of seconds, which differ from run to run; `needs` the data below PROPEVAL_DATA that the
    profile `paper` reads besides what its parameters name.
    """

    name: str
    path: Path
    title: str
    study: str
    covers: str
    profiles: dict
    parameters: dict
    vary: dict
    timing: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def resolve(self, profile: str, overrides: dict) -> dict:
        """Parameters of a run: the notebook's defaults, then the profile's, then the caller's."""
        if profile not in PROFILES:
            raise fail(f"profile to be one of {', '.join(PROFILES)}", repr(profile), "Use --profile NAME.")
        values = {name: parameter.default for name, parameter in self.parameters.items()}
        for source, where in (
            (self.profiles.get(profile, {}), f"profile {profile} in notebooks/index.toml"),
            (overrides, "parameters"),
        ):
            for name, value in source.items():
                values[name] = self._checked(name, value, where)
        check_request(values)
        return values

    def _checked(self, name: str, value: object, where: str) -> object:
        if name not in self.parameters:
            raise fail(
                f"a parameter of {self.name}", repr(name), f"It knows: {', '.join(self.parameters)}.", where
            )
        return convert(value, self.parameters[name].default, f"{where}: {name}")


def convert(value: object, default: object, where: str) -> object:
    """Give `value` (text from the command line, or a TOML value) the type of `default`.

    Examples
    --------
    >>> convert("1000", 10, "k"), convert("a,b", ["x"], "methods"), convert("0.5", 0.7, "tau")
    (1000, ['a', 'b'], 0.5)
    """
    kind = type(default)
    if isinstance(value, str) and kind is not str:
        text = value.strip()
        if kind in (list, tuple) and not text.startswith(("[", "(")):
            return convert([part.strip() for part in text.split(",") if part.strip()], default, where)
        if kind is bool:
            value = {"true": True, "false": False}.get(text.lower(), value)
        else:
            with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                value = ast.literal_eval(text)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(default, (list, tuple)) and isinstance(value, (list, tuple)):
        return [convert(item, default[0], where) if default else item for item in value]
    if isinstance(value, str) and not value.isprintable() and _half_a_character(value):
        remedy = "Write it in UTF-8, with a locale that is UTF-8 (LANG=C.UTF-8)."
        raise fail("text in UTF-8", ascii(value), remedy, where)
    if isinstance(value, float) and not math.isfinite(value):
        raise fail("a finite number", value, f"Its default is {default!r}.", where)
    if default is not None and type(value) is not kind:
        names = {int: "a whole number", float: "a number", bool: "true or false", str: "text", list: "a list"}
        raise fail(names.get(kind, kind.__name__), repr(value), f"Its default is {default!r}.", where)
    return value


def _half_a_character(text: str) -> bool:
    """Whether a text holds a byte that was no UTF-8, or half of a pair: it cannot be written to a notebook."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def find_root(start: Path | None = None) -> Path:
    """Folder of the compendium: PROPEVAL_HOME, or the first upwards with notebooks/index.toml, or our own."""
    start = (start or Path.cwd()).resolve()
    home = os.environ.get("PROPEVAL_HOME")
    for folder in [Path(home)] if home else [start, *start.parents, Path(__file__).parents[2]]:
        if (folder / "notebooks" / "index.toml").is_file():
            return folder
    raise fail(
        "a folder with notebooks/index.toml",
        f"none in PROPEVAL_HOME ({home})" if home else f"none in or above {start}",
        "Run propeval inside a clone of propeval-lite, or set PROPEVAL_HOME.",
    )


def load_catalog(root: Path) -> dict[str, Entry]:
    """Read notebooks/index.toml and the parameters cell of every notebook it names."""
    index = root / "notebooks" / "index.toml"
    try:
        table = tomllib.loads(index.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise fail("valid TOML", error, "Correct this line.", str(index)) from None
    except (UnicodeDecodeError, OSError) as error:
        raise fail("a text file in UTF-8", error, "Save it again as UTF-8.", str(index)) from None
    return {name: _entry(name, row, root) for name, row in table.items()}


def _entry(name: str, row: dict, root: Path) -> Entry:
    path = root / "notebooks" / f"{name}.ipynb"
    where = f"notebooks/index.toml [{name}]"
    if not isinstance(row, dict):
        raise fail("a table for each notebook", repr(row), f"Write a line [{name}] above it.", where)
    for key in (*PROFILES, "vary"):
        if not isinstance(row.get(key, {}), dict):
            raise fail(f"{key} to be a table", repr(row[key]), f"Write [{name}.{key}].", where)
    missing = [key for key in ("title", "study", "covers") if key not in row]
    if missing:
        raise fail(
            "title, study and covers",
            f"no {', '.join(missing)}",
            "Add them.",
            f"notebooks/index.toml [{name}]",
        )
    unknown = set(row) - {"title", "study", "covers", "vary", "timing", "needs", *PROFILES}
    if unknown:
        raise fail(
            f"only {', '.join(PROFILES)} and vary as tables",
            ", ".join(sorted(unknown)),
            "Correct the name.",
            f"notebooks/index.toml [{name}]",
        )
    for key, what in (("timing", "table names"), ("needs", "paths below PROPEVAL_DATA")):
        names = row.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise fail(f"{key} to be a list of {what}", repr(names), f'Write {key} = ["NAME"].', where)
    profiles = {key: row[key] for key in PROFILES if key in row}
    parameters = read_parameters(path)
    return Entry(
        name, path, row["title"], row["study"], row["covers"], profiles, parameters, row.get("vary", {}),
        tuple(row.get("timing", [])), tuple(row.get("needs", [])),
    )  # fmt: skip


def pick(catalog: dict[str, Entry], name: str) -> Entry:
    """Entry called `name`; the error lists the names there are."""
    name = Path(name).stem if name.endswith(".ipynb") else name
    if name not in catalog:
        raise fail("a notebook of the catalogue", repr(name), f"There are: {', '.join(catalog)}.")
    return catalog[name]


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read one notebook file with an error that names it."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise fail("a notebook file", f"none at {path}", "Check notebooks/index.toml.") from None
    except Exception as error:
        # nbformat raises many types for broken files: NotJSONError, ValidationError, AttributeError, …
        got = (str(error).splitlines() or [type(error).__name__])[0]
        raise fail("a valid notebook", got, "Restore the file.", str(path)) from None


def read_parameters(path: Path) -> dict[str, Parameter]:
    """Parameters of a notebook: the assignments of its cell tagged ``parameters``, with their comments."""
    cells = [
        cell
        for cell in read_notebook(path).cells
        if cell.cell_type == "code" and "parameters" in cell.metadata.get("tags", [])
    ]
    if len(cells) != 1:
        raise fail(
            "exactly one code cell tagged 'parameters'",
            f"{len(cells)}",
            "Tag the cell that sets the defaults (papermill injects after it).",
            str(path),
        )
    return parse_parameters(cells[0].source, str(path))


def parse_parameters(source: str, where: str) -> dict[str, Parameter]:
    """Parse ``name = literal  # meaning`` lines.

    Examples
    --------
    >>> parse_parameters("k = 10  # proposals per image", "cell")["k"]
    Parameter(name='k', default=10, meaning='proposals per image')
    """
    try:
        body: list[Any] = ast.parse(source).body  # other statements than `name = …` lack what is read below
    except (SyntaxError, ValueError) as error:
        raise fail("Python in the parameters cell", error, "Correct it.", where) from None
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}
    found = {}
    for node in body:
        try:
            (target,) = node.targets
            value = ast.literal_eval(node.value)
            name = target.id
        except (AttributeError, ValueError):
            raise InputError(
                f"{where}: expected only lines `name = literal  # meaning` in the parameters cell, "
                f"got line {node.lineno}. Move other code to the next cell."
            ) from None
        found[name] = Parameter(name, value, comments.get(node.end_lineno, ""))
    return found
