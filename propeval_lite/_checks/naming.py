"""What methods and data sets are called, and that no two of them are called the same."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from propeval_lite._checks.specs import Spec, parse_spec
from propeval_lite._checks.values import fail

#: Kinds of method that are a file: boxes, and numbers that somebody else computed.
FILES = ("file", "best", "recall")


def short_name(text: str) -> str:
    """Return what a method is called in tables and legends.

    That is its label, or the name of its file without ending, or what stands behind the module, with the options that
    move its boxes.

    Examples
    --------
    >>> short_name("file:a/my_boxes.csv?ids=str"), short_name("edge_boxes?alpha=0.7"), short_name("mine.boxes:fast")
    ('my_boxes', 'edge_boxes?alpha=0.7', 'fast')
    >>> short_name("quick=mine.boxes:fast"), short_name("bing?dataset=voc2012")
    ('quick', 'bing')
    """
    spec = parse_spec(text, "methods")
    if spec.label is not None:
        return spec.label
    if spec.name in FILES:
        return str(spec.options.get("name") or Path(spec.path or "").name.split(".")[0])
    return without_place(text) if spec.path is None else without_place(text.partition(":")[2])


def without_place(text: str) -> str:
    """Return a spec without its option ``dataset``, which says where a method belongs and moves no box.

    Examples
    --------
    >>> without_place("bing?dataset=voc2012"), without_place("bing?dataset=voc2012&model=a")
    ('bing', 'bing?model=a')
    """
    head, mark, query = text.partition("?")
    pairs = [pair for pair in query.split("&") if not pair.startswith("dataset=")]
    return f"{head}?{'&'.join(pairs)}" if mark and pairs else head


def unique_names(specs: Iterable[str], built_in: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return what methods are called and their specs, or an error where two would be called the same.

    Two whose option ``dataset`` names different data sets never meet and may have one name.

    Parameters
    ----------
    specs : iterable of str
    built_in : iterable of str
        Names that stand for the library's own methods, so that no other may have them.

    Examples
    --------
    >>> unique_names(["uniform", "mine:fast"])
    [('uniform', 'uniform'), ('fast', 'mine:fast')]
    """
    found: list[tuple[str, str]] = []
    places: dict[str, dict[object, str]] = {}
    for text in specs:
        name, spec = short_name(text), parse_spec(text, "methods")
        remedy = f"Name one of them yourself, for example 'other={text.removeprefix(f'{spec.label}=')}'."
        taken, place = places.setdefault(name, {}), spec.options.get("dataset")
        if text in taken.values():
            raise fail("each method once", f"{text!r} twice", "Remove one of them.", "methods")
        rival = next(
            (other for there, other in taken.items() if None in (place, there) or place == there), None
        )
        if rival is not None:
            got = f"{rival!r} and {text!r}, both called {name!r}"
            raise fail("a name of its own for each method", got, remedy, "methods")
        if name in built_in and spec.head != name and spec.name not in FILES[1:]:
            got = f"{text!r}, called {name!r} like the library's own"
            raise fail("a name of its own for each method", got, remedy, "methods")
        taken[place] = text
        found.append((name, text))
    return found


def check_distinct(specs: Iterable[str], where: str) -> None:
    """Raise an error if two specs ask for the same data set.

    Examples
    --------
    >>> check_distinct(["photos", "scenes?n=2&seed=1", "scenes?n=2"], "datasets")
    """
    seen: list[tuple[Spec, str]] = []
    for text in specs:
        spec = parse_spec(text, where)
        for other, before in seen:
            if spec.label is not None and spec.label == other.label:
                got = f"{before!r} and {text!r}"
                raise fail("a name of its own for each data set", got, "Name one of them otherwise.", where)
            if (spec.name, spec.path, spec.options) == (other.name, other.path, other.options):
                got = f"{before!r} and {text!r}" if before != text else f"{text!r} twice"
                remedy = (
                    "Leave it out of the further data sets, for example with -p others= on the command line."
                )
                raise fail("each data set once", got, remedy, where)
        seen.append((spec, text))


def belongs(text: str, dataset) -> bool:
    """Whether a method may run on a data set: its option ``dataset``, if it has one, names that or its loader."""
    wanted = parse_spec(text, "methods").options.get("dataset")
    return wanted is None or wanted in (dataset.name, dataset.provenance.get("spec"))
