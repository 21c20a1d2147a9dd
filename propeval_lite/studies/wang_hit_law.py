"""The law for small objects: far from the border the number of boxes that hit grows with the square of the area."""

from __future__ import annotations

import math

import numpy as np

from propeval_lite._checks.values import check_threshold
from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import count_candidates
from propeval_lite.chance.probability import hit_probability


def law_constant(tau, side: int = 400) -> float:
    """Return C(tau), the number of boxes that hit over the square of the object's area, by counting a square.

    Parameters
    ----------
    tau : float, str or Fraction
        IoU threshold.
    side : int
        Of the square, in lattice steps; the finer, the nearer to the limit.

    Examples
    --------
    >>> round(law_constant("1/2"), 3)
    0.221
    """
    room = math.ceil(side / float(check_threshold(tau)))  # no box that hits reaches so far
    low, high = room + 1, room + 1 + side
    (hits,) = count_hits([(low, low, high, high)], (high + room, high + room), tau)
    return int(hits) / side**4


def even_odds(constant: float, k: int) -> float:
    """Return the share of an image that an object covers which k draws hit with probability one half, by the law.

    Solves ``1 - (1 - 4 C f^2)^k = 1/2`` for f.

    Examples
    --------
    One draw hits with one half where ``4 C f^2`` is one half.

    >>> even_odds(0.5, 1)
    0.5
    """
    return math.sqrt(-math.expm1(math.log(0.5) / k) / (4 * constant))


def counted_chance(share: float, tau, k: int, side: int = 3000) -> float:
    """Return the HPRS of a square in the middle of a square image, counted, not by the law.

    Parameters
    ----------
    share : float
        Of the image, which the square covers as nearly as whole lattice steps allow.
    tau, k
        Threshold and number of draws.
    side : int
        Of the image, in lattice steps.
    """
    w = round(side * math.sqrt(share))
    low = (side - w) // 2 + 1
    size = (side + 1, side + 1)
    (hits,) = count_hits([(low, low, low + w, low + w)], size, tau)
    return float(np.float64(hit_probability(int(hits), int(count_candidates(size)), k)))
