"""What a notebook hands over (figures, tables), what earlier runs stored, and what the papers published."""

from propeval_lite.results.ledger import Verdict, ledger, show_verdicts, verdict, verdicts
from propeval_lite.results.provenance import Result, several
from propeval_lite.results.published import published
from propeval_lite.results.show import figure_svg, say, show_figure, show_table
from propeval_lite.results.store import fresh_or_stored

__all__ = [
    "Result",
    "Verdict",
    "figure_svg",
    "fresh_or_stored",
    "ledger",
    "published",
    "say",
    "several",
    "show_figure",
    "show_table",
    "show_verdicts",
    "verdict",
    "verdicts",
]
