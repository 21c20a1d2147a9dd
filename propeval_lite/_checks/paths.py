"""Where the files that come with the library lie: inside an installed package, or in the repository."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from propeval_lite._checks.values import fail

_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(name: str) -> Path:
    """Return the folder ``data/<name>`` that comes with the library.

    Parameters
    ----------
    name : str
        Name of a folder below ``data``, such as ``"photos"`` or ``"published"``.

    Returns
    -------
    Path
        The folder inside the installed package if there is one, else the one of the repository (an
        editable install).

    Examples
    --------
    >>> data_folder("photos").name
    'photos'
    """
    return _find(name, "folder", Path.is_dir)


def data_file(name: str) -> Path:
    """Return the file ``data/<name>`` that comes with the library, looked for as :func:`data_folder` does.

    Examples
    --------
    >>> data_file("ledger.csv").name
    'ledger.csv'
    """
    return _find(name, "file", Path.is_file)


def _find(name: str, kind: str, is_there: Callable[[Path], bool]) -> Path:
    places = (_PACKAGE / "data" / name, _PACKAGE.parent / "data" / name)
    for place in places:
        if is_there(place):
            return place
    got = "none at " + " or ".join(str(place) for place in places)
    remedy = "Install the package again from the repository or from its wheel."
    raise fail(f"a {kind} data/{name} that comes with propeval_lite", got, remedy)
