"""Where the files that come with the library lie: inside an installed package, or in the repository."""

from __future__ import annotations

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
    places = (_PACKAGE / "data" / name, _PACKAGE.parent / "data" / name)
    for place in places:
        if place.is_dir():
            return place
    got = "none at " + " or ".join(str(place) for place in places)
    remedy = "Install the package again from the repository or from its wheel."
    raise fail(f"a folder data/{name} that comes with propeval_lite", got, remedy)
