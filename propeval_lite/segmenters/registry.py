"""Segmenters with one swept parameter each: every scale of a picture in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from propeval_lite._checks.imports import import_function
from propeval_lite._checks.seeding import check_seed, image_generator
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import check_labels, check_list, check_positive_int, fail
from propeval_lite.datasets.base import check_dataset
from propeval_lite.superpixels.labels import check_image, connected

_REGIONS = (2, 3, 5, 8, 12, 16, 24, 32, 48, 64, 96, 128)


@dataclass(frozen=True)
class Segmenter:
    """A segmenter with its swept parameter.

    Attributes
    ----------
    name : str
        Key in tables.
    function : str or callable
        ``function(image, parameters, rng, **options) -> list of label arrays``, or where to import it from.
    meaning : str
        What the parameter is.
    parameters : tuple
        Default sweep.
    kind : {"count", "number", "any"}
        The parameter is a whole number >= 1, a number >= 0, or whatever the user's own function takes.
    baseline : bool
        A method that a good measure must rank below the others (§5.2).
    folder : str, optional
        Read contour maps from here instead of looking at the picture.
    options : dict
        Further arguments of the function.
    """

    name: str
    function: str | Callable
    meaning: str
    parameters: tuple
    kind: str = "count"
    baseline: bool = False
    folder: str | None = None
    options: dict = field(default_factory=dict)

    def partitions(
        self, dataset, image_id, parameters: Sequence | None = None, seed: int = 0
    ) -> list[np.ndarray]:
        """Partitions of one image of a data set, one per parameter (the default sweep without).

        The random numbers of an image depend on `seed` and the image's id.
        """
        check_dataset(dataset)
        wanted = self._check(self.parameters if parameters is None else parameters)
        if self.folder is not None:
            from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_partitions

            return ucm_partitions(read_ucm2(self.folder, image_id), wanted)
        return self._run(dataset.image(image_id), wanted, image_generator(seed, image_id))

    def check_images(self, dataset) -> None:
        """Refuse a data set without pictures, or of which an image has no contour map, before the first is cut."""
        from propeval_lite.segmenters.contour_maps import ucm2_file

        for image_id in check_dataset(dataset).images["image_id"].tolist():
            if self.folder is not None:
                ucm2_file(self.folder, image_id)
            elif dataset.read_image is None:
                dataset.image(image_id)  # says what is missing

    def segment_all(
        self, image: object, parameters: Sequence | None = None, seed: int = 0
    ) -> list[np.ndarray]:
        """Partitions of a picture, one per parameter (the default sweep without)."""
        wanted = self._check(self.parameters if parameters is None else parameters)
        if self.folder is not None:
            from propeval_lite.segmenters.contour_maps import ucm_partitions

            return ucm_partitions(image, wanted)
        return self._run(image, wanted, np.random.default_rng(check_seed(seed)))

    def _run(self, image: object, parameters: list, rng: np.random.Generator) -> list[np.ndarray]:
        function = self.function
        if isinstance(function, str):
            function = import_function(function)
        return function(check_image(image), parameters, rng, **self.options)

    def _check(self, parameters: Sequence) -> list:
        checked = check_list(
            parameters, "a list of parameters", "Give for example [2].", f"{self.name}: parameters"
        )
        if not checked:
            raise fail("at least one parameter", "none", "Give a list of parameters.", self.name)
        if self.kind == "count":
            return [check_positive_int(value, f"{self.name}: {self.meaning}") for value in checked]
        if self.kind == "number":
            for value in checked:
                number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
                if not number or not np.isfinite(value) or value < 0:
                    expected = f"{self.name}: {self.meaning} to be a number >= 0"
                    raise fail(expected, repr(value), "Correct the parameter.")
            return [float(value) for value in checked]
        return checked


_SCALES = (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
_MINIMA = tuple(2 * scale for scale in _SCALES)
_QUARTERS = (2, 3, 4, 8, 16, 20, 32, 40, 50, 64, 80, 128)
_COUNT = "number of regions"

SEGMENTERS: dict[str, Segmenter] = {
    entry.name: entry
    for entry in (
        Segmenter("egb", "propeval_lite.segmenters.gradients:egb", "scale k", _SCALES, kind="number"),
        Segmenter("ncut", "propeval_lite.segmenters.spectral:ncut", _COUNT, _REGIONS),
        Segmenter(
            "mean_shift",
            "propeval_lite.segmenters.grouping:mean_shift",
            "least region in pixels",
            _MINIMA,
            kind="number",
        ),
        Segmenter("watershed", "propeval_lite.segmenters.gradients:watershed", _COUNT, _REGIONS),
        Segmenter(
            "merged_superpixels", "propeval_lite.segmenters.grouping:merged_superpixels", _COUNT, _REGIONS
        ),
        Segmenter("quadtree", "propeval_lite.segmenters.quadtree:quadtree", _COUNT, _QUARTERS, baseline=True),
        Segmenter(
            "random_slic", "propeval_lite.segmenters.grouping:random_slic", _COUNT, _REGIONS, baseline=True
        ),
        Segmenter(
            "random_watershed",
            "propeval_lite.segmenters.grouping:random_watershed",
            _COUNT,
            _REGIONS,
            baseline=True,
        ),
    )
}


def find_segmenter(spec: str | Segmenter | Callable, parameters: Sequence | None = None) -> Segmenter:
    """Return the segmenter that `spec` names.

    Parameters
    ----------
    spec : str, callable or Segmenter
        A name of `SEGMENTERS`; ``"ucm:FOLDER"`` for contour maps ``FOLDER/IMAGE_ID.mat`` (parameter: threshold);
        ``"package.module:function"`` or a function ``f(image, parameter) -> labels`` of your own. As text also with
        options behind it: ``"egb?sweep=100,400"`` sets the sweep, others go to the function; ``"LABEL=…"`` names it.
    parameters : sequence, optional
        The sweep, if not in `spec`; a function of your own needs one.

    Returns
    -------
    Segmenter

    Examples
    --------
    >>> find_segmenter("quadtree").baseline
    True
    >>> find_segmenter("egb?sweep=100,0.5").parameters
    (100, 0.5)
    >>> halves = find_segmenter(lambda image, at: np.arange(4).reshape(1, 4) // at, parameters=[2])
    >>> halves.segment_all(np.zeros((1, 4), dtype=np.uint8))[0].tolist()
    [[0, 0, 1, 1]]
    """
    if isinstance(spec, Segmenter):
        found = spec
    elif callable(spec):
        found = _own(getattr(spec, "__name__", "function"), spec, parameters, {})
    elif isinstance(spec, str):
        found, parameters = _named(spec, parameters)
        found = replace(found, name=parse_spec(spec, "segmenter").label or found.name)
    else:
        raise fail(
            "a segmenter's name or a function", repr(spec), "Choose from list_segmenters().", "segmenter"
        )
    if parameters is None:
        return found
    found._check(parameters)
    return replace(found, parameters=tuple(parameters))


def find_segmenters(specs: Iterable) -> dict[str, Segmenter]:
    """Return the segmenters that `specs` name, by name; two of one name are an error.

    Examples
    --------
    >>> list(find_segmenters(["egb?sweep=100", "fine=egb?sweep=50"]))
    ['egb', 'fine']
    """
    found: dict[str, Segmenter] = {}
    for spec in specs:
        segmenter = find_segmenter(spec)
        if segmenter.name in found:
            remedy = f"Name one of them yourself, for example 'other={spec}'."
            got = f"two called {segmenter.name!r}, the second {spec!r}"
            raise fail("a name of its own for each segmenter", got, remedy, "segmenters")
        found[segmenter.name] = segmenter
    return found


def segment_all(
    name: str, image: object, parameters: Sequence | None = None, seed: int = 0
) -> list[np.ndarray]:
    """Segment a picture at every parameter of a sweep.

    Parameters
    ----------
    name : str
        See `find_segmenter`.
    image : uint8 array, shape (height, width, 3) or (height, width)
        RGB or grey picture (for ``ucm:…`` the contour map itself).
    parameters : sequence, optional
        In any order; the segmenter's default sweep without.
    seed : int
        For the random baseline; the others do not use it.

    Returns
    -------
    list of int32 array, shape (height, width)
        Labels 0 … n − 1, every region connected, one array per parameter.

    References
    ----------
    Pont-Tuset & Marqués, §5.2 and §6.3 (the methods and baselines that were judged).

    Examples
    --------
    >>> picture = np.zeros((4, 4), dtype=np.uint8)
    >>> [cut.tolist() for cut in segment_all("quadtree", picture, [1, 2])]
    [[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
     [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]]
    """
    return find_segmenter(name, parameters).segment_all(image, seed=seed)


def segment(name: str, image: object, parameter: float, seed: int = 0) -> np.ndarray:
    """Segment a picture at one parameter (see `segment_all`).

    Examples
    --------
    >>> picture = np.zeros((2, 6), dtype=np.uint8)
    >>> picture[:, 4:] = 200
    >>> segment("watershed", picture, 2).tolist()
    [[0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1]]
    """
    return segment_all(name, image, [parameter], seed)[0]


def list_segmenters() -> pd.DataFrame:
    """List the built-in segmenters: ``name, parameter, sweep, baseline``."""
    rows = [
        (entry.name, entry.meaning, ", ".join(map(str, entry.parameters)), entry.baseline)
        for entry in SEGMENTERS.values()
    ]
    return pd.DataFrame(rows, columns=["name", "parameter", "sweep", "baseline"])


def _named(text: str, parameters: Sequence | None) -> tuple[Segmenter, Sequence | None]:
    """Segmenter and sweep of ``NAME[:PATH][?sweep=VALUES&option=value]``."""
    spec = parse_spec(text, "segmenter")
    options = dict(spec.options)
    sweep = options.pop("sweep", None)
    if sweep is not None:
        if parameters is not None:
            raise fail("the sweep once", "it twice", "Give it in the text or as an argument.", text)
        parameters = sweep if isinstance(sweep, tuple) else (sweep,)
        if not all(isinstance(value, (int, float)) for value in parameters):
            raise fail("numbers with commas for sweep", repr(sweep), "Write 'egb?sweep=100,400'.", text)
    if spec.head in SEGMENTERS:
        found = SEGMENTERS[spec.head]
        _check_options(found, options, text)
        return replace(found, options={**found.options, **options}), parameters
    if spec.name == "ucm" and spec.path:
        thresholds = tuple(round(0.01 * k, 2) for k in range(1, 100))
        found = Segmenter("ucm", "", "threshold", thresholds, kind="number", folder=spec.path)
        _check_options(found, options, text)
        return found, parameters
    if spec.path:
        return _own(spec.head, import_function(spec.head), parameters, options), parameters
    raise fail(
        f"a segmenter of {', '.join(SEGMENTERS)}, ucm:FOLDER or package.module:function",
        repr(spec.head),
        "Correct the spelling, or name your own function.",
        "segmenter",
    )


def _check_options(segmenter: Segmenter, options: dict, text: str) -> None:
    known = ["sweep"]
    if isinstance(segmenter.function, str) and segmenter.function:
        known += list(inspect.signature(import_function(segmenter.function)).parameters)[3:]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise fail(
            f"options {', '.join(known)}", f"unknown option {unknown[0]!r}", "Check the spelling.", text
        )


def _own(name: str, function: Callable, parameters: Sequence | None, options: dict) -> Segmenter:
    if parameters is None:
        raise fail(
            "parameters for a segmenter of your own", "none", "Give the list of values to sweep.", name
        )
    try:
        inspect.signature(function).bind(np.zeros((1, 1, 3), np.uint8), parameters[0], **options)
    except TypeError as error:
        raise fail("a function (image, parameter)", str(error), "Correct its arguments.", name) from None
    each = partial(_each, name, partial(function, **options))
    return Segmenter(name, each, "parameter", tuple(parameters), kind="any")


def _each(name: str, function: Callable, image: np.ndarray, parameters: list, rng) -> list[np.ndarray]:
    cuts = []
    for value in parameters:
        labels = check_labels(function(image, value), f"{name} at {value}")
        if labels.shape != image.shape[:2]:
            raise fail(
                f"labels of shape {image.shape[:2]}",
                f"shape {labels.shape}",
                "Return one label per pixel.",
                f"{name} at {value}",
            )
        cuts.append(connected(labels))
    return cuts
