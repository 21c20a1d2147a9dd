"""Data sets: one loader per source, all behind :func:`load_dataset`."""

from __future__ import annotations

import inspect
import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from propeval_lite._checks.values import fail
from propeval_lite.datasets.base import Dataset


class Loader(NamedTuple):
    """Where a loader lives and, for data on disk, which path under ``PROPEVAL_DATA`` it reads."""

    module: str
    function: str
    default: str | None = None


LOADERS = {
    "scenes": Loader("propeval_lite.datasets.scenes.load", "load_scenes"),
    "photos": Loader("propeval_lite.datasets.photos.load", "load_photos"),
    "voc2012": Loader("propeval_lite.datasets.voc", "load_voc2012", "voc2012"),
    "voc2007": Loader("propeval_lite.datasets.hosang_mat", "load_voc2007", "hosang"),
    "ilsvrc2013": Loader("propeval_lite.datasets.hosang_mat", "load_ilsvrc2013", "hosang"),
    "coco": Loader("propeval_lite.datasets.coco", "load_coco", "coco100/instances_val2014_100.json"),
    "bsds500": Loader("propeval_lite.datasets.bsds", "load_bsds500", "bsds500"),
}


def load_dataset(spec: str, **options) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    spec : str
        ``NAME``, ``NAME:PATH``, or either with options: ``NAME:PATH?key=value&key=value``. Names are
        ``scenes`` and ``photos`` (no path), ``voc2012:DIR``, ``voc2007:DIR``, ``ilsvrc2013:DIR``,
        ``coco:FILE.json[,IMAGES]`` and ``bsds500:DIR``. Without a path the data are looked for in the
        folder that the environment variable ``PROPEVAL_DATA`` names.
    **options
        Options of the loader, such as ``n`` and ``seed`` of scenes or ``split`` of voc2012. They may also
        stand in the spec; giving one twice is an error.

    Returns
    -------
    Dataset
        With the spec (without the folder, which differs between machines) and the options in `provenance`.

    See Also
    --------
    propeval_lite.datasets.voc.load_voc2012, propeval_lite.datasets.hosang_mat.load_voc2007,
    propeval_lite.datasets.coco.load_coco, propeval_lite.datasets.bsds.load_bsds500

    Examples
    --------
    >>> load_dataset("imagenet")
    Traceback (most recent call last):
    ...
    propeval_lite._checks.values.InputError: load_dataset: expected a data set called scenes, photos, voc2012,
    voc2007, ilsvrc2013, coco or bsds500, got 'imagenet'. Write NAME, NAME:PATH or NAME:PATH?key=value.
    """
    if not isinstance(spec, str):
        raise fail(
            "the spec as text", f"{type(spec).__name__}", "Write for example 'scenes?n=40'.", "load_dataset"
        )
    place, mark, query = spec.partition("?")
    name, _, path = place.partition(":")
    if name not in LOADERS:
        *names, last = LOADERS
        known = f"a data set called {', '.join(names)} or {last}"
        raise fail(known, repr(name), "Write NAME, NAME:PATH or NAME:PATH?key=value.", "load_dataset")
    loader = LOADERS[name]
    try:
        function = getattr(import_module(loader.module), loader.function)
    except ModuleNotFoundError as error:
        raise fail(
            f"the packages that {name} needs",
            f"no module {error.name!r}",
            "Install the project's environment.",
            "load_dataset",
        ) from None
    options = _with_query(options, query, spec) if mark else options
    _check_options(options, function, loader, name)
    arguments = ()
    if loader.default is None and path:
        raise fail(
            f"{name} without a path", repr(path), f"Write '{name}' or '{name}?key=value'.", "load_dataset"
        )
    if loader.default is not None:
        arguments = (path or _default_path(name, loader.default),)
    dataset = function(*arguments, **options)
    # Folders differ between machines and move no number, so they stay out of the record.
    kept = {key: value for key, value in options.items() if key not in ("images", "folder")}
    return replace(dataset, provenance={**dataset.provenance, "spec": name, "options": kept})


def _default_path(name: str, default: str) -> Path:
    root = os.environ.get("PROPEVAL_DATA")
    if not root:
        raise fail(
            f"a path for {name}",
            "none, and the environment variable PROPEVAL_DATA is not set",
            f"Write '{name}:PATH' or set PROPEVAL_DATA to the folder that holds '{default}'.",
            "load_dataset",
        )
    path = Path(root) / default
    if not path.exists():
        raise fail(
            f"'{default}' in the folder PROPEVAL_DATA ({root})",
            "no such file or folder",
            f"Put the data there or write '{name}:PATH'.",
            "load_dataset",
        )
    return path


def _with_query(options: dict, query: str, spec: str) -> dict:
    """Options given as arguments together with those behind the question mark of the spec."""
    where = f"load_dataset({spec!r})"
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True)
    except ValueError:
        remedy = "Write for example 'scenes?n=40&seed=1'."
        raise fail("options as key=value&key=value", repr(query), remedy, where) from None
    for key, text in pairs:
        if key in options:
            raise fail("each option once", f"{key!r} twice", "Give it in the spec or as an argument.", where)
        options = {**options, key: _value(text)}
    return options


def _value(text: str):
    """Read an option's text as whole number, number or true/false, else leave it text."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)


def _check_options(options: dict, function, loader: Loader, name: str) -> None:
    known = list(inspect.signature(function).parameters)[loader.default is not None :]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise fail(
            f"options of {name}: {', '.join(known) or 'it has none'}",
            f"unknown option {unknown[0]!r}",
            "Check the spelling.",
            "load_dataset",
        )
