"""The look of the book: one theme, one palette, one size, and a fixed colour, marker and dash per method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import wraps
from typing import NamedTuple

import matplotlib
import seaborn as sns
from matplotlib.rcsetup import cycler

# Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D1F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "0.5"

#: Inches. A page on a phone shows 342 pixels of it: with text of 10.5 points a letter is then 8.6 pixels high.
WIDTH = 5.8
PANEL = 2.6
TEXT = 10.5

# Strokes and gaps in line widths; "" is a solid line. Methods that see nothing of a picture are dashed.
SOLID, LONG, SHORT, DOTTED, MIXED = "", (5, 2), (2.5, 1.5), (1, 1.5), (5, 1.5, 1, 1.5)


class Look(NamedTuple):
    """How a method is drawn in every figure of the book."""

    colour: str
    marker: str
    dashes: str | tuple[float, ...]


_BLUE, _RED, _GREEN, _PINK, _ORANGE, _SKY, _BLACK, _BROWN = COLOURS

#: Methods under all the names they go by: ours, those of published tables, those of the papers.
LOOKS = {
    ("random_boxes", "chance"): Look(GREY, "o", DOTTED),
    ("uniform", "Uniform"): Look(_BLACK, "o", SHORT),
    ("gaussian", "Gaussian"): Look(_BROWN, "s", LONG),
    ("sliding_window", "SlidingWindow", "Sliding window"): Look(_PINK, "^", MIXED),
    ("superpixels", "Superpixels"): Look(_SKY, "D", SOLID),
    ("selective_search", "selsearch_small", "SelectiveSearch", "SS"): Look(_RED, "v", SOLID),
    ("edge_boxes", "ebox", "edgebox", "EdgeBoxes", "EB"): Look(_BLUE, "o", SOLID),
    ("bing", "Bing", "BING"): Look(_ORANGE, "X", SOLID),
    ("randomized_prims", "rprim_large", "RandomizedPrims", "RP"): Look(_GREEN, "P", SOLID),
    ("superpixel_grouping",): Look(_PINK, "*", SOLID),
    ("mcg", "MCG", "MCG2015", "MCG-UCM"): Look(_BLACK, "D", SOLID),
    ("objectness", "Objectness", "OBJ"): Look(_BROWN, "s", SOLID),
    ("gop_base", "Geodesic", "GOP"): Look(_SKY, "^", MIXED),
    ("lpo", "LPO"): Look(_ORANGE, "*", LONG),
    ("egb", "EGB"): Look(_BLUE, "o", SOLID),
    ("ncut", "NCut"): Look(_RED, "s", SOLID),
    ("mean_shift", "MShift"): Look(_GREEN, "^", SOLID),
    ("watershed",): Look(_PINK, "D", SOLID),
    ("merged_superpixels",): Look(_ORANGE, "v", SOLID),
    ("quadtree", "QuadTree"): Look(_BLACK, "P", LONG),
    ("random_slic", "random_merging", "Random"): Look(_BROWN, "X", SHORT),
    ("random_watershed",): Look(_PINK, "X", SHORT),
    ("ucm", "gPb-UCM"): Look(_SKY, "*", SOLID),
    ("ISCRA",): Look(_BROWN, "^", SOLID),
    ("NWMC",): Look(_PINK, "P", SOLID),
    ("IID-KL",): Look(_ORANGE, "o", SOLID),
    ("grouping",): Look(_BLUE, "o", SOLID),
    ("grouping_lab",): Look(_SKY, "s", SOLID),
}
_BY_NAME = {name: look for names, look in LOOKS.items() for name in names}

STYLE = {
    **sns.axes_style("whitegrid"),
    **sns.plotting_context("paper"),
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "font.size": TEXT,
    **dict.fromkeys(("axes.labelsize", "axes.titlesize", "legend.fontsize", "legend.title_fontsize"), TEXT),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), TEXT - 1),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "0.3",
    "grid.color": "0.88",
    "axes.prop_cycle": cycler(color=COLOURS),
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "legend.frameon": False,
}


def styled(draw: Callable) -> Callable:
    """Let a function draw in the book's theme, whatever the settings of the reader's own notebook are."""

    @wraps(draw)
    def inside(*args, **options):
        with matplotlib.rc_context(STYLE):
            return draw(*args, **options)

    return inside


@styled
def new_figure(columns: int = 1, rows: int = 1, width: float = WIDTH, height: float | None = None, **options):
    """Return a figure and its axes in the book's style, laid out so that no label is cut off.

    `height` is that of the whole figure, in inches; by default 2.6 for each row.
    """
    import matplotlib.pyplot as plt

    height = PANEL * rows + 0.6 if height is None else height
    return plt.subplots(rows, columns, figsize=(width, height), layout="constrained", **options)


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Return the look of each method; one that the book does not know gets one that no other here has.

    Two names of one method in the same figure share its colour and differ in marker and dash.

    Examples
    --------
    >>> found = looks(["edge_boxes", "ebox", "mine"])
    >>> found["edge_boxes"].colour == found["ebox"].colour, found["edge_boxes"] == looks(["edge_boxes"])["edge_boxes"]
    (True, True)
    >>> len(set(found.values()))
    3
    """
    names = list(dict.fromkeys(names))
    chosen: dict[str, Look] = {}
    free = [Look(colour, marker, dash) for dash in (SOLID, SHORT) for colour, marker in _combinations()]
    # Names with a look of their own choose first, so that no other takes it.
    for name in names:
        if name in _BY_NAME and _BY_NAME[name] not in chosen.values():
            chosen[name] = _BY_NAME[name]
    for name in names:
        if name not in chosen:
            colour = _BY_NAME[name].colour if name in _BY_NAME else None
            family = free if colour is None else [look._replace(colour=colour) for look in free]
            used = Counter(look.colour for look in chosen.values())
            left = [look for look in family if look not in chosen.values()]
            chosen[name] = min(left, key=lambda look: used[look.colour])
    return {name: chosen[name] for name in names}


def _combinations() -> list[tuple[str, str]]:
    """Pairs of colour and marker, neighbours in the list differing in both."""
    n = len(COLOURS)
    return [(COLOURS[i % n], MARKERS[(i + i // n + 3) % len(MARKERS)]) for i in range(n * len(MARKERS))]


def seaborn_looks(names: Iterable[str]) -> dict:
    """Return arguments that make seaborn draw lines in :func:`looks`: palette, markers, dashes, and their order.

    Examples
    --------
    >>> seaborn_looks(["uniform"])["markers"]
    {'uniform': 'o'}
    """
    found = looks(names)
    return {
        "palette": {name: look.colour for name, look in found.items()},
        "markers": {name: look.marker for name, look in found.items()},
        "dashes": {name: look.dashes for name, look in found.items()},
        "hue_order": list(found),
        "style_order": list(found),
    }


def line_style(look: Look) -> dict:
    """Return arguments that make matplotlib draw a line in a look."""
    dashes = (0, look.dashes) if look.dashes else "-"
    return {"color": look.colour, "marker": look.marker, "linestyle": dashes}
