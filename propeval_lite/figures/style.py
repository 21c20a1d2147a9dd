"""Pictures of the book. Each function takes finished numbers and returns a matplotlib figure."""

from collections.abc import Sequence

import matplotlib

# Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D1F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

LINES = ("-", "--", "-.", ":")
LEGEND_COLUMNS = 4

STYLE = {
    "figure.dpi": 100,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "legend.frameon": False,
}


def new_figure(columns: int = 1, rows: int = 1, width: float = 7.0, height: float = 4.0, **options):
    """Return a figure and its axes in the book's style, laid out so that no label is cut off."""
    import matplotlib.pyplot as plt

    with matplotlib.rc_context(STYLE):
        return plt.subplots(rows, columns, figsize=(width, height), layout="constrained", **options)


def method_styles(methods: Sequence[str]) -> dict[str, dict]:
    """Return colour, marker and line of each method, different also in grey print.

    Examples
    --------
    >>> styles = method_styles(["a", "b"])
    >>> styles["a"]["color"] != styles["b"]["color"], styles["a"]["marker"] != styles["b"]["marker"]
    (True, True)
    """
    n = len(COLOURS)
    return {
        method: {
            "color": COLOURS[i % n],
            # A colour that comes back comes with another marker.
            "marker": MARKERS[(i + 3 * (i // n)) % len(MARKERS)],
            "linestyle": LINES[(i // n + i) % len(LINES)],
        }
        for i, method in enumerate(methods)
    }


def mark_every(curve) -> int:
    """Mark so few points of a curve that the marks stay apart."""
    return max(1, len(curve) // 7)
