"""Names of proposal methods: what is built in, and how a user's own function is found."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from propeval_lite._checks.imports import import_function
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import InputError, fail

BUILT_IN = {
    "random_boxes": "propeval_lite.chance.sampler:random_boxes",
    "uniform": "propeval_lite.methods.baselines:uniform",
    "gaussian": "propeval_lite.methods.baselines:gaussian",
    "sliding_window": "propeval_lite.methods.baselines:sliding_window",
    "superpixels": "propeval_lite.methods.baselines:superpixels",
    "selective_search": "propeval_lite.methods.opencv:selective_search",
    "edge_boxes": "propeval_lite.methods.opencv:edge_boxes",
    "bing": "propeval_lite.methods.opencv:bing",
    "randomized_prims": "propeval_lite.methods.grouping:randomized_prims",
    "superpixel_grouping": "propeval_lite.methods.grouping:superpixel_grouping",
}


class MethodUnavailable(InputError):
    """A method that cannot run on any image here: a package or a model is missing, or a parameter is wrong."""


@dataclass(frozen=True)
class Method:
    """A proposal function with its name, its parameters and what it needs to know of an image."""

    name: str
    function: Callable
    needs: str = "image"
    nested: bool = True
    parameters: dict = field(default_factory=dict)

    def __call__(self, image, k, rng):
        """Return ``boxes, scores`` for one image."""
        return self.function(image, k, rng, **self.parameters)


def find_method(spec: str | Callable, parameters: dict | None = None) -> Method:
    """Return the method that `spec` names.

    Parameters
    ----------
    spec : str or callable
        A built-in name, ``"package.module:function"``, either with ``?name=value&…`` behind it and perhaps
        ``LABEL=`` before it, or the function. A function called like a built-in method is named with its module.
    parameters : dict, optional
        Keyword arguments of the function; they win over those written in `spec`.

    Examples
    --------
    >>> find_method("sliding_window?max_aspect=4").parameters
    {'max_aspect': 4}
    """
    if callable(spec):
        name = getattr(spec, "__name__", "function")
        if name in BUILT_IN:
            name = f"{spec.__module__}:{name}"
        return _checked(name, spec, dict(parameters or {}))
    if not isinstance(spec, str):
        raise fail("a method's name or a function", repr(spec), "Choose from list_methods().", "propose")
    parsed = parse_spec(spec, "propose")
    path = BUILT_IN.get(parsed.head, parsed.head)
    if ":" not in path:
        expected = f"a method of {', '.join(BUILT_IN)}, or package.module:function, or file:PATH"
        got, remedy = repr(parsed.head), "Correct the spelling, or name your own function."
        raise fail(expected, got, remedy, "propose")
    function = import_function(path, MethodUnavailable)
    options = {key: value for key, value in parsed.options.items() if key != "dataset"}
    return _checked(parsed.label or parsed.head, function, options | dict(parameters or {}))


def _checked(name: str, function: Callable, parameters: dict) -> Method:
    # Binding before the first image keeps a misspelt parameter from being skipped image after image.
    try:
        inspect.signature(function).bind(np.zeros((1, 1, 3), np.uint8), 1, None, **parameters)
    except TypeError as error:
        raise MethodUnavailable(
            f"{name}: expected a function (image, k, rng, ...) with the given parameters, got "
            f"{error}. Its signature is {inspect.signature(function)}."
        ) from None
    return Method(
        name, function, getattr(function, "needs", "image"), getattr(function, "nested", True), parameters
    )
