"""The check of public functions that take proposals."""

from __future__ import annotations

from propeval_lite._checks.values import check_type
from propeval_lite.proposals.container import Proposals


def check_proposals(proposals: object) -> Proposals:
    """Return `proposals` if they are such."""
    remedy = "Make them with propose, read_proposals or Proposals.from_table."
    return check_type(proposals, Proposals, "ranked boxes (Proposals)", remedy, "proposals")
