"""Names of proposal methods: what is built in, and how a user's own function is found."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import numpy as np

from propeval_lite._checks.values import InputError, fail

BUILT_IN = {
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
        A built-in name, ``"package.module:function"``, either with ``?name=value&…`` behind it, or the function.
    parameters : dict, optional
        Keyword arguments of the function; they win over those written in `spec`.

    Examples
    --------
    >>> find_method("sliding_window?max_aspect=4").parameters
    {'max_aspect': 4}
    """
    if callable(spec):
        return _checked(getattr(spec, "__name__", "function"), spec, dict(parameters or {}))
    if not isinstance(spec, str):
        raise fail("a method's name or a function", repr(spec), "Choose from list_methods().", "propose")
    name, _, query = spec.partition("?")
    options = {key: _literal(value) for key, value in parse_qsl(query, keep_blank_values=True)}
    path = BUILT_IN.get(name, name)
    if ":" not in path:
        raise fail(
            f"a method of {', '.join(BUILT_IN)}, or package.module:function, or file:PATH",
            repr(name),
            "Correct the spelling, or name your own function.",
            "propose",
        )
    return _checked(name, _import(path), options | dict(parameters or {}))


def _import(path: str) -> Callable:
    module_name, _, attribute = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise MethodUnavailable(
            f"{path}: expected a module that imports, got {type(error).__name__}: {error}. "
            f"Install {module_name!r}, add its folder to PYTHONPATH, or mend it."
        ) from error
    function = getattr(module, attribute, None)
    if not callable(function):
        names = [name for name, value in vars(module).items() if inspect.isfunction(value) and name[0] != "_"]
        raise MethodUnavailable(
            f"{path}: expected a function {attribute!r} in {module_name}, got "
            f"{'none' if function is None else type(function).__name__}. "
            f"Its functions are: {', '.join(names) or 'none'}."
        )
    return function


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


def _literal(text: str):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
