"""Data sets: one loader per source, all behind :func:`load_dataset`."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from propeval_lite._checks.naming import check_distinct
from propeval_lite._checks.specs import GRAMMAR, parse_spec, read_part
from propeval_lite._checks.values import fail
from propeval_lite.datasets.base import Dataset, digest_tables
from propeval_lite.datasets.transforms import reduce_blocks, shrink


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


def take_part(dataset: Dataset, part: str) -> Dataset:
    """Return the images of ``START:STOP:STEP``, as in Python.

    Examples
    --------
    >>> take_part(load_dataset("photos"), "2::6").images["image_id"].tolist()
    ['chelsea', 'hopper']
    """
    where = f"{dataset.name}: part"
    ids = dataset.images["image_id"].tolist()[read_part(part, where)]
    if not ids:
        raise fail("a part with images", f"none in {part!r}", "Start earlier.", where)
    return dataset.subset(ids)


#: Options that every data set takes, in the order in which they are applied.
COMMON: dict[str, Callable] = {"part": take_part, "longest": shrink, "blocks": reduce_blocks}


def load_dataset(spec: str, **options) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    spec : str
        ``NAME``, ``NAME:PATH``, or either with options: ``NAME:PATH?key=value&key=value``. Names are
        ``scenes`` and ``photos`` (no path), ``voc2012:DIR``, ``voc2007:DIR``, ``ilsvrc2013:DIR``,
        ``coco:FILE.json`` and ``bsds500:DIR``. Without a path the data are looked for in the folder that the
        environment variable ``PROPEVAL_DATA`` names, and so is a path that leads to nothing here.
        ``"LABEL=…"`` before any of them gives the data set a name.
    **options
        Options of the loader, such as ``n`` and ``seed`` of scenes, ``split`` of voc2012 or ``images`` of coco.
        Every data set takes ``part`` (``"0::2"`` is every other image, ``":10"`` the first ten), ``longest``
        (see :func:`~propeval_lite.datasets.transforms.shrink`) and ``blocks`` (see
        :func:`~propeval_lite.datasets.transforms.reduce_blocks`). All may also stand in the spec; giving one
        twice is an error.

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
    voc2007, ilsvrc2013, coco or bsds500, got 'imagenet'. Write NAME, NAME:PATH or
    NAME:PATH?key=value&key=value.
    """
    parsed = parse_spec(spec, "load_dataset")
    name, path = parsed.name, parsed.path
    if name not in LOADERS:
        *names, last = LOADERS
        known = f"a data set called {', '.join(names)} or {last}"
        raise fail(known, repr(name), f"Write {GRAMMAR}.", "load_dataset")
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
    twice = [key for key in parsed.options if key in options]
    if twice:
        remedy = "Give it in the spec or as an argument."
        raise fail("each option once", f"{twice[0]!r} twice", remedy, f"load_dataset({spec!r})")
    options = {**parsed.options, **options}
    common = {key: options.pop(key) for key in COMMON if key in options}
    _check_options(options, function, loader, name)
    arguments: tuple = ()
    if loader.default is None and path:
        raise fail(
            f"{name} without a path", repr(path), f"Write '{name}' or '{name}?key=value'.", "load_dataset"
        )
    if loader.default is not None:
        arguments = (_below_data(path) if path else _default_path(name, loader.default),)
        options |= {
            key: _below_data(options[key]) for key in ("images",) if isinstance(options.get(key), str)
        }
    dataset = function(*arguments, **options)
    for key, value in common.items():
        dataset = COMMON[key](dataset, value)
    # Folders differ between machines and move no number, so they stay out of the record.
    kept = {key: value for key, value in options.items() if key not in ("images", "folder")}
    return replace(
        dataset,
        name=parsed.label or dataset.name,
        provenance={**dataset.provenance, "spec": name, "options": kept | common},
    )


def load_distinct(specs: Sequence[str], first: Dataset | None = None, **options) -> list[Dataset]:
    """Load several data sets, each under a name of its own; the same one twice is an error.

    Parameters
    ----------
    specs : sequence of str
        As in :func:`load_dataset`. One that would be called like an earlier one goes by its whole spec.
    first : Dataset, optional
        Loaded before.
    **options
        For all of them.

    Examples
    --------
    >>> [data.name for data in load_distinct(["scenes?n=1", "scenes?n=2"])]
    ['scenes', 'scenes?n=2']
    """
    check_distinct(specs, "datasets")
    loaded = [] if first is None else [first]
    for spec in specs:
        data = load_dataset(spec, **options)
        if first is not None and _same(data, first):
            remedy = f"Leave {spec!r} out of the further data sets."
            raise fail("each data set once", f"{first.name} twice", remedy, "datasets")
        taken = data.name in {other.name for other in loaded}
        loaded.append(replace(data, name=spec) if taken else data)
    return loaded if first is None else loaded[1:]


def _same(one: Dataset, other: Dataset) -> bool:
    """Whether two data sets of one source have the same images and objects."""
    sources = {data.provenance.get("spec") for data in (one, other)}
    tables = {digest_tables(data.images, data.objects) for data in (one, other)}
    return len(sources) == len(tables) == 1


def _below_data(path: str) -> str:
    """Return a path, or where it lies in the folder PROPEVAL_DATA if it is not here but there."""
    root = os.environ.get("PROPEVAL_DATA")
    there = None if root is None or not path else Path(root) / path
    try:
        return (
            str(there)
            if there is not None and not Path(path).expanduser().exists() and there.exists()
            else path
        )
    except (OSError, RuntimeError, ValueError):
        return path  # no path at all; the loader says so


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


def _check_options(options: dict, function, loader: Loader, name: str) -> None:
    known = [*[*inspect.signature(function).parameters][loader.default is not None :], *COMMON]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise fail(
            f"options of {name}: {', '.join(known)}",
            f"unknown option {unknown[0]!r}",
            "Check the spelling.",
            "load_dataset",
        )
