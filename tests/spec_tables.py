"""The tables of book/specs.md, made from the code. ``python tests/spec_tables.py`` writes them into the page."""

import inspect
import re
from importlib import import_module
from pathlib import Path

from propeval_lite._checks.imports import import_function
from propeval_lite.datasets.registry import COMMON, LOADERS
from propeval_lite.masks.methods import MASK_METHODS
from propeval_lite.methods.registry import BUILT_IN
from propeval_lite.partitions.measures import MEASURES
from propeval_lite.proposals.files import ENDINGS, READERS, read_proposals
from propeval_lite.results.published import KINDS
from propeval_lite.segmenters.registry import SEGMENTERS

PAGE = Path(__file__).parents[1] / "book" / "specs.md"
TABLE = re.compile(r"<!-- table: (\w+) -->.*?<!-- end -->", re.DOTALL)


def written(value):
    """A default as it would be written in a spec."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        if all(isinstance(part, str) for part in value):
            return repr(list(value)).replace(" ", "")
        return ",".join(map(str, value))
    return str(value)


def options(function, skip):
    """The arguments of a function that a spec can set, each with its default."""
    found = list(inspect.signature(function).parameters.values())[skip:]
    return [name.name if name.default is None else f"{name.name}={written(name.default)}" for name in found]


def code(texts):
    """Inline code, with commas; a dash for nothing."""
    return ", ".join(f"`{text}`" for text in texts) or "–"


def table(head, rows):
    """A table of the page."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def first_line(function):
    """The first sentence of a docstring, as text of the page."""
    return inspect.getdoc(function).splitlines()[0].rstrip(".").replace("``", "`")


def datasets():
    """Names, default paths and options of the data sets."""
    rows = []
    for name, loader in LOADERS.items():
        function = getattr(import_module(loader.module), loader.function)
        path = "none" if loader.default is None else f"`{loader.default}`"
        rows.append([f"`{name}`", path, code(options(function, loader.default is not None))])
    return table(["name", "path, below `PROPEVAL_DATA` if left out", "options and defaults"], rows)


def common():
    """Options of every data set, in the order in which they are applied."""
    return table(
        ["option", "what it does"],
        [[f"`{key}`", first_line(function)] for key, function in COMMON.items()],
    )


def methods():
    """Names and options of the proposal methods."""
    rows = []
    for name, place in BUILT_IN.items():
        function = import_function(place)
        rows.append([f"`{name}`", first_line(function), code(options(function, 3))])
    return table(["name", "what it proposes", "options and defaults"], rows)


def files():
    """Formats of files of boxes: their endings and options."""
    rows = [["every format", "", code(options(read_proposals, 1)[:-1])]]
    for name, reader in READERS.items():
        endings = [ending for ending, format in ENDINGS.items() if format == name]
        rows.append([f"`{name}`", code(endings), code(options(reader, 3))])
    return table(["`format`", "endings", "options and defaults"], rows)


def segmenters():
    """Names, sweeps and options of the segmenters."""
    rows = [
        [f"`{name}`", entry.meaning, f"`{written(entry.parameters)}`",
         code(options(import_function(entry.function), 3))]
        for name, entry in SEGMENTERS.items()
    ]  # fmt: skip
    return table(["name", "what `sweep` sets", "default `sweep`", "options and defaults"], rows)


def masks():
    """Names and options of the mask methods."""
    rows = [[f"`{name}`", code(options(function, 2))] for name, function in MASK_METHODS.items()]
    return table(["name", "options and defaults"], rows)


def measures():
    """Names of the measures of partitions."""
    rows = [
        [f"`{name}`", "higher" if entry.higher_is_better else "lower"] for name, entry in MEASURES.items()
    ]
    return table(["name", "better is"], rows)


def published():
    """Kinds of published tables."""
    return table(["name", "path", "options"], [[f"`{kind}`", "a file", "`dataset`"] for kind in KINDS])


TABLES = {
    made.__name__: made for made in (datasets, common, methods, files, segmenters, masks, measures, published)
}


def filled(page):
    """The page with every table made anew."""
    return TABLE.sub(
        lambda found: f"<!-- table: {found[1]} -->\n\n{TABLES[found[1]]()}\n\n<!-- end -->", page
    )


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
