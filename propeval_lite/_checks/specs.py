"""The one grammar of data sets, methods, segmenters and files: ``[LABEL=]NAME[:PATH][?key=value&…]``."""

from __future__ import annotations

import ast
import contextlib
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from propeval_lite._checks.values import fail

GRAMMAR = "NAME, NAME:PATH or NAME:PATH?key=value&key=value"
_WHOLE = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LABEL = re.compile(r"([^=:?]*)=(.*)", re.DOTALL)
_PART = re.compile(r"(\d*):(\d*)(?::(\d*))?")


@dataclass(frozen=True)
class Spec:
    """What a text of the grammar says.

    Attributes
    ----------
    name : str
        Before the colon: a built-in name, ``file``, or the module of ``package.module:function``.
    path : str or None
        Behind the colon, as it is written; None without a colon.
    options : dict
        Behind the question mark, with numbers and true/false read as such, see :func:`read_value`.
    label : str or None
        What the user wants it to be called: before the equals sign of ``LABEL=NAME…``.
    """

    name: str
    path: str | None = None
    options: dict = field(default_factory=dict)
    label: str | None = None

    @property
    def head(self) -> str:
        """The text before the question mark."""
        return self.name if self.path is None else f"{self.name}:{self.path}"


def parse_spec(text: object, where: str) -> Spec:
    """Read ``NAME[:PATH][?key=value&…]``, or ``LABEL=`` and one of these.

    Parameters
    ----------
    text : str
        A label ends at an equals sign before any colon or question mark, the name at the first colon and the path at
        the first question mark. In options ``%3F``, ``%26`` and the like stand for characters that would end them.
    where : str
        Place that errors name.

    Returns
    -------
    Spec

    Examples
    --------
    >>> parse_spec("scenes?n=6&seed=1", "dataset")
    Spec(name='scenes', path=None, options={'n': 6, 'seed': 1}, label=None)
    >>> parse_spec("egb?sweep=50,200.5", "method").options
    {'sweep': (50, 200.5)}
    >>> parse_spec("mine=file:boxes/a=b.csv", "method").path, parse_spec("mine=uniform", "method").label
    ('boxes/a=b.csv', 'mine')
    """
    if not isinstance(text, str):
        raise fail(f"{GRAMMAR} as text", type(text).__name__, "Write for example 'scenes?n=40'.", where)
    place = f"{where}({text!r})"
    labelled, label = _LABEL.fullmatch(text), None
    if labelled:
        label, text = labelled.groups()
        if not label or re.search(r"[\s,/&]", label):
            remedy = "Write for example 'mine=uniform'."
            raise fail("NAME=SPEC, the name without blanks, commas, / and &", repr(label), remedy, place)
    head, mark, query = text.partition("?")
    name, colon, path = head.partition(":")
    if not name or re.search(r"\s", name):
        remedy = "Options stand behind a question mark, for example 'photos?part=0::2'."
        raise fail(f"{GRAMMAR}, the name without spaces", f"the name {name!r}", remedy, place)
    options: dict = {}
    for pair in query.split("&") if mark else ():
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier():
            raise fail(
                "options as key=value&key=value", repr(pair), "Write for example '?n=40&seed=1'.", place
            )
        if key in options:
            raise fail("each option once", f"{key!r} twice", "Remove one of them.", place)
        options[key] = read_value(unquote(value))
    return Spec(name, path if colon else None, options, label)


def read_value(text: str) -> object:
    """Read a whole number, a number, true or false, several numbers with commas, or a Python literal; else text.

    Examples
    --------
    >>> [read_value(text) for text in ("40", "0.5", "true", "3,8", "a,b")]
    [40, 0.5, True, (3, 8), 'a,b']
    """
    if text.startswith(("[", "(", "{", "'", '"')):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return ast.literal_eval(text)
        return text
    if "," in text:
        parts = tuple(read_value(part.strip()) for part in text.split(","))
        return parts if all(type(part) in (int, float) for part in parts) else text
    for pattern, convert in ((_WHOLE, int), (_NUMBER, float)):
        if pattern.fullmatch(text):
            return convert(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def read_part(text: object, where: str) -> slice:
    """Read ``START:STOP`` or ``START:STOP:STEP`` in whole numbers, any of them left out, as in Python.

    Examples
    --------
    >>> read_part("1::2", "part"), read_part(":10", "part")
    (slice(1, None, 2), slice(None, 10, None))
    """
    found = _PART.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[3] == "0":
        remedy = "Write for example part=0::2 for every other image, part=:10 for ten."
        raise fail("START:STOP:STEP in whole numbers", repr(text), remedy, where)
    return slice(*(int(number) if number else None for number in found.groups()))
