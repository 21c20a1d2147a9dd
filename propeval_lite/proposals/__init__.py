"""Ranked boxes per image, in memory and in files."""

from propeval_lite.proposals.container import Proposals
from propeval_lite.proposals.files import read_proposals, write_proposals

__all__ = ["Proposals", "read_proposals", "write_proposals"]
