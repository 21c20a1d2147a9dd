"""What a run asks for, checked before a kernel starts: no data set twice, no two methods of one name."""

from __future__ import annotations

from collections.abc import Iterable

from propeval_lite._checks.naming import check_distinct, unique_names
from propeval_lite._checks.specs import parse_spec
from propeval_lite._checks.values import fail

#: Parameters that together name the data sets of a page.
DATASETS = ("dataset", "datasets", "other", "others", "other_datasets")
#: Parameters that each name data sets of their own.
POOLS = ("train", "test")
#: Parameters that together name the methods of a page.
METHODS = ("methods", "baselines")


def check_request(values: dict) -> None:
    """Raise an error if the parameters of a run cannot all be served.

    Examples
    --------
    >>> check_request({"dataset": "photos", "others": ["scenes"], "methods": ["uniform", "edge_boxes"]})
    """
    specs = _texts(values, DATASETS)
    check_distinct(specs, " and ".join(name for name in DATASETS if name in values))
    for name in POOLS:
        check_distinct(_texts(values, (name,)), name)
    asked = [parse_spec(spec, "datasets") for spec in specs]
    known = {name for spec in asked for name in (spec.name, spec.label) if name is not None}
    for _, method in unique_names(_texts(values, METHODS)):
        place = parse_spec(method, "methods").options.get("dataset")
        if known and place is not None and place not in known:
            remedy = "Add that data set, or leave the method out."
            raise fail(
                f"a data set of the page for each method, one of {', '.join(sorted(known))}",
                f"{method!r}, which is for {place}",
                remedy,
                "methods",
            )


def _texts(values: dict, names: Iterable[str]) -> list[str]:
    """Return all texts of these parameters, whether one or a list."""
    found = [values[name] for name in names if name in values]
    return [
        text
        for value in found
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str) and text
    ]
