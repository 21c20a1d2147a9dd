"""What a measure of partitions is: a function with a range and a direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """A measure of a partition against one or more truths, with what is needed to use and to rank it.

    Attributes
    ----------
    name, symbol : str
        Key in tables, and notation of the paper.
    score : callable
        ``score(partition, truths) -> float``.
    low, high : float
        Range of the values.
    higher_is_better : bool
        Direction.
    section : str
        Where the paper defines it.
    of_table : callable or None
        ``of_table(contingency) -> float`` where the score is the mean of this over the truths.
    """

    name: str
    symbol: str
    score: Callable
    low: float
    high: float
    higher_is_better: bool
    section: str
    of_table: Callable | None = None

    def __call__(self, partition: object, truths: Iterable) -> float:
        """Score `partition` against `truths`."""
        return self.score(partition, truths)
