"""Pictures of the book. Each function takes finished numbers and returns a matplotlib figure."""

import matplotlib

# Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D1F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

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
