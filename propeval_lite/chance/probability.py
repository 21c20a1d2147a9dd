"""How likely a box drawn at random hits an object: HPRS, and the number of draws that makes a hit likely."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from propeval_lite._checks.values import as_floats, check_positive_int, check_threshold, fail, unmasked
from propeval_lite._kernels.probability import hit_probabilities
from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import check_sizes, count_candidates

# Far above the rounding of hit_probability: within it, the exact fraction decides.
CLOSE = 1e-10
EXACT_FACTORS = 10_000


def hit_probability(n_hit, n_total, k) -> np.ndarray | np.float64:
    """Probability that k different candidates drawn at random hit the object at least once (HPRS).

    Parameters
    ----------
    n_hit : array_like of int
        Number of candidates that hit, from :func:`count_hits`.
    n_total : array_like of int
        Number of all candidates, from :func:`count_candidates`.
    k : array_like of int
        Number of candidates drawn, none twice; at most `n_total`.

    Returns
    -------
    float64 or ndarray of float64
        Of the shape to which the three are broadcast. 0 where k or `n_hit` is 0, 1 where k exceeds the
        number of misses.

    Notes
    -----
    With N = `n_total` and n = `n_hit`, ``1 - C(N - n, k) / C(N, k)``, which does not change when n and k are
    exchanged. Differences of log-gamma lose all digits for large N. Here Stirling's series is put into the
    four factorials and what cancels is taken out first; with r = N - n - k

    ``ln [C(N-n, k) / C(N, k)] = k ln(1 - n/N) + n ln(1 - k/N) + (r + ½) ln(1 + n k / (N r)) + s``,

    where s, of the order n k / r³, holds the rest of the series. Small probabilities keep all their digits.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.3, eq. 7.

    Examples
    --------
    Three of ten candidates hit; two drawn ones both miss in 7/10 · 6/9 of the cases.

    >>> round(float(hit_probability(3, 10, 2)), 12) == round(1 - 7 / 10 * 6 / 9, 12)
    True
    >>> hit_probability(234760484, 8748093750, [1, 100, 1000]).round(4)
    array([0.0268, 0.9341, 1.    ])
    """
    hits, total, drawn = (
        _whole(value, name) for value, name in ((n_hit, "n_hit"), (n_total, "n_total"), (k, "k"))
    )
    try:
        hits, total, drawn = np.broadcast_arrays(hits, total, drawn)
    except ValueError:
        shapes = f"{hits.shape}, {total.shape}, {drawn.shape}"
        raise fail("n_hit, n_total and k that broadcast", shapes, "Add axes with [:, None].") from None
    for values, name, meaning in ((hits, "n_hit", "hits"), (drawn, "k", "draws")):
        if (values > total).any():
            where = np.argmax((values > total).ravel())
            remedy = f"There cannot be more {meaning} than candidates."
            raise fail(f"{name} <= n_total", f"{values.ravel()[where]} > {total.ravel()[where]}", remedy)
    flat = hit_probabilities(*(np.ascontiguousarray(values.ravel()) for values in (hits, total, drawn)))
    return flat.reshape(total.shape)[()]


def draws_needed(n_hit: int, n_total: int, probability) -> int:
    """Return the smallest number of draws that hits with at least the given probability.

    Parameters
    ----------
    n_hit, n_total : int
        Number of candidates that hit, at least 1, and of all candidates.
    probability : float, str or Fraction
        In (0, 1]; a float is taken as the decimal that it prints as.

    Returns
    -------
    int
        Smallest k with ``hit_probability(n_hit, n_total, k) >= probability``, ties decided exactly.

    Examples
    --------
    With one hit among ten, half of them must be drawn for an even chance.

    >>> draws_needed(1, 10, 0.5), draws_needed(3, 10, 1)
    (5, 8)
    """
    target = check_threshold(probability, "probability")
    n_total = check_positive_int(n_total, "n_total")
    n_hit = check_positive_int(n_hit, "n_hit")
    hit_probability(n_hit, n_total, 0)
    low, high = 0, n_total - n_hit + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _reaches(n_hit, n_total, middle, target):
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True)
class ChanceReport:
    """What chance does with one object; ``print`` it for a table."""

    width: int
    height: int
    box: tuple[int, int, int, int]
    iou: Fraction
    k: int
    candidates: int
    hits: int
    probability: float
    draws_for_half: int
    draws_for_95: int

    def __str__(self) -> str:
        rows = (
            ("image", f"{self.width} x {self.height}"),
            ("object", "({}, {}) to ({}, {})".format(*self.box)),
            ("candidates", f"{self.candidates:,}"),
            (f"hits, IoU >= {self.iou}", f"{self.hits:,} (1 in {self.candidates / self.hits:,.1f})"),
            (f"HPRS, {self.k:,} draws", f"{self.probability:.6g}"),
            ("draws for 50 %", f"{self.draws_for_half:,}"),
            ("draws for 95 %", f"{self.draws_for_95:,}"),
        )
        margin = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{margin}}  {value}" for name, value in rows)


def chance_report(width: int, height: int, box, iou, k: int) -> ChanceReport:
    """Count the candidates of an image and those that hit an object, and say what k draws achieve.

    Parameters
    ----------
    width, height : int
        Lattice points of the image along x and y, at least 2.
    box : sequence of int, shape (4,)
        Object x1, y1, x2, y2 on the lattice 1..width, 1..height.
    iou : float, str or Fraction
        Threshold in (0, 1].
    k : int
        Number of candidates drawn, at most all of them.

    Returns
    -------
    ChanceReport
        With ``candidates``, ``hits``, ``probability`` (HPRS) and the draws for a chance of 50 % and 95 %.

    Examples
    --------
    >>> print(chance_report(500, 375, (100, 80, 300, 250), 0.5, 100))
    image             500 x 375
    object            (100, 80) to (300, 250)
    candidates        8,748,093,750
    hits, IoU >= 1/2  234,760,484 (1 in 37.3)
    HPRS, 100 draws   0.93414
    draws for 50 %    26
    draws for 95 %    111
    """
    for side, length in (("width", width), ("height", height)):
        check_positive_int(length, side, 2)
    size = check_sizes([(width, height)])[0]
    threshold = check_threshold(iou, "iou")
    k = check_positive_int(k, "k", 0)
    corners = as_floats(box, "one box x1, y1, x2, y2", "Give four numbers.", "box")
    if corners.shape != (4,):
        raise fail("one box x1, y1, x2, y2", f"shape {corners.shape}", "Give four numbers.", "box")
    hits = int(count_hits(corners, size, threshold)[0])
    x1, y1, x2, y2 = (int(corner) for corner in corners)
    candidates = int(count_candidates(size))
    return ChanceReport(
        width=int(size[0]),
        height=int(size[1]),
        box=(x1, y1, x2, y2),
        iou=threshold,
        k=k,
        candidates=candidates,
        hits=hits,
        probability=float(hit_probability(hits, candidates, k)),
        draws_for_half=draws_needed(hits, candidates, Fraction(1, 2)),
        draws_for_95=draws_needed(hits, candidates, Fraction(19, 20)),
    )


def _whole(values, name: str) -> np.ndarray:
    """Return `values` as int64, all >= 0."""
    array = unmasked(values, name)
    if array.dtype.kind in "fu" and (array >= 2.0**63).any():
        raise fail(f"{name} below 2**63", f"{array.max()}", "Scale the image and its boxes down.")
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.floor(array)).all():
        array = array.astype(np.int64)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu" or (array < 0).any():
        raise fail(f"{name} in whole numbers >= 0", repr(values), "Count candidates with integers.")
    return array.astype(np.int64)


def _reaches(n_hit: int, n_total: int, k: int, target: Fraction) -> bool:
    probability = float(hit_probability(n_hit, n_total, k))
    few, many = sorted((n_hit, k))
    if abs(probability - target) > CLOSE * target or few > EXACT_FACTORS:
        return probability >= target
    miss = Fraction(1)
    for i in range(few):
        miss *= Fraction(n_total - many - i, n_total - i)
    return 1 - miss >= target
