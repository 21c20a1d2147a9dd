"""What a notebook hands over: tables as CSV and figures as SVG, each with the stamp of the run that made it.

Inside `propeval run` the files go to the run's folder. In a notebook opened by hand nothing is written and
the same calls only display.
"""

from __future__ import annotations

import base64
import html
import io

import pandas as pd

from propeval_lite._checks.values import fail
from propeval_lite.results.provenance import Result, run_folder, stamp


class Shown:
    """A piece of HTML that a notebook displays as its cell's result."""

    def __init__(self, markup: str, text: str):
        self.markup, self.text = markup, text

    def _repr_html_(self) -> str:
        return self.markup

    def __repr__(self) -> str:
        return self.text


class Said:
    """A sentence that a notebook displays as Markdown."""

    def __init__(self, text: str):
        self.text = text

    def _repr_markdown_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def say(text: str) -> Said:
    """Display a sentence whose numbers, order and words of quantity a cell has made.

    Parameters
    ----------
    text : str
        Markdown with math, references and citations as in a text cell. Prose that states a result is made here and
        not in a text cell, so that it is right in every profile and for every data set.

    Examples
    --------
    >>> say(f"Recall is {0.754:.2f}, so {'most' if 0.754 > 0.5 else 'few'} objects are found.")
    Recall is 0.75, so most objects are found.
    """
    if not text.strip():
        raise fail("a sentence to say", "none", "Write the sentence, or leave out the call.", "say")
    return Said(text)


def show_figure(figure, name: str, alt: str, source: str | Result, data: pd.DataFrame | None = None) -> Shown:
    """Display a figure with alt text and provenance; write NAME.svg and the numbers behind it, NAME.csv.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    name : str
        File name without ending.
    alt : str
        What the picture shows, in words, for readers who cannot see it.
    source : str or Result
        What the numbers were made from: data set, its size, its seed; or the stored result that is drawn.
    data : DataFrame, optional
        The numbers drawn, linked below the figure.
    """
    if not alt.strip():
        raise fail("alt text for the figure", "none", "Say in words what the picture shows.", name)
    svg = figure_svg(figure)
    link = "" if data is None else f' · <a href="./{name}.csv" download>data (CSV)</a>'
    _write(f"{name}.svg", svg)
    if data is not None:
        _write(f"{name}.csv", data.to_csv(index=False))
    picture = base64.b64encode(svg.encode()).decode()
    markup = (
        f'<figure class="propeval"><img alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption>{html.escape(stamp(source))}{link}</figcaption></figure>"
    )
    return Shown(markup, f"[figure {name}: {alt}]")


def figure_svg(figure) -> str:
    """SVG text of a figure, the same bytes for the same figure; the figure is closed."""
    import matplotlib
    import matplotlib.pyplot as plt

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "propeval-lite", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return buffer.getvalue()


def show_table(
    table: pd.DataFrame, name: str, source: str | Result, digits: int = 4, caption: str = ""
) -> Shown:
    """Display a table with its provenance and write it, unrounded, as NAME.csv."""
    _write(f"{name}.csv", table.to_csv(index=False))
    whole = dict.fromkeys(table.select_dtypes("integer"), "{:,}".format)
    body = table.to_html(
        index=False,
        border=0,
        classes="propeval",
        na_rep="–",
        justify="left",
        formatters=whole,
        float_format=lambda value: f"{value:.{digits}g}",
    )
    head = f"<p><strong>{html.escape(caption)}</strong></p>" if caption else ""
    markup = (
        f'<div class="propeval-table">{head}<div class="scroll">{body}</div><p class="stamp">'
        f'{html.escape(stamp(source))} · <a href="./{name}.csv" download>data (CSV)</a></p></div>'
    )
    return Shown(markup, table.to_string(index=False))


def _write(name: str, text: str) -> None:
    folder = run_folder()
    if folder is not None:
        (folder / name).write_text(text, encoding="utf-8")
