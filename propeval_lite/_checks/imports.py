"""Functions named by text: ``package.module:function``."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from propeval_lite._checks.values import InputError, fail


def import_function(path: str, error: type[InputError] = InputError) -> Callable:
    """Import the function that ``package.module:function`` names.

    Parameters
    ----------
    path : str
        Also a built-in one of the library.
    error : type
        What to raise; a method that cannot run on any image has an error of its own.

    Returns
    -------
    callable

    Examples
    --------
    >>> import_function("math:sqrt")(9)
    3.0
    """
    module_name, _, attribute = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as problem:
        raise error(
            f"{path}: expected a module that imports, got {type(problem).__name__}: {problem}. "
            f"Install {module_name!r}, add its folder to PYTHONPATH, or mend it."
        ) from problem
    function = getattr(module, attribute, None)
    if not callable(function):
        names = [name for name, value in vars(module).items() if callable(value) and name[0] != "_"]
        got = "none" if function is None else type(function).__name__
        known = f"It has: {', '.join(names) or 'no function'}."
        raise error(str(fail(f"a function {attribute!r} in {module_name}", got, known, path)))
    return function
