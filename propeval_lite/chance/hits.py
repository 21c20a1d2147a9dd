"""How many of the boxes of an image hit a given object: exact counts, three ways."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from tqdm import tqdm

from propeval_lite._checks.values import check_choice, check_flag, check_threshold, fail, threshold_list
from propeval_lite._kernels.hits import WAYS, count_all
from propeval_lite.chance.lattice import check_lattice, fit_threshold

CHUNK = 512
#: So many steps take a minute or two; most objects of photographs need a millionth of them.
MOST_STEPS = 2e11
STEPS_PER_MINUTE = 1e11


def count_hits(boxes, sizes, tau, method: str = "exact", progress: bool = False) -> np.ndarray:
    """Count the candidates of an image that hit an object, IoU >= tau.

    Parameters
    ----------
    boxes : array_like of int, shape (n, 4) or (4,)
        Corners x1, y1, x2, y2 of the objects on the lattice 1..W, 1..H of their image; a box is ``x2 - x1``
        wide, as in the paper. :func:`~propeval_lite.chance.object_lattice` makes them from a data set.
    sizes : array_like of int, shape (n, 2) or (2,)
        Width W and height H of the image of each object, or of all of them.
    tau : float, str or Fraction, or a sequence of these
        IoU threshold in (0, 1]. It is used as an exact fraction, 0.8 as 4/5: no rounding decides a tie.
    method : {"exact", "algorithm1", "exhaustive"}
        "exact": sums over classes of intervals, thousands of objects per second. "algorithm1": the paper's,
        pairs the corners in Ω_min with those in Ω_max. "exhaustive": tries every candidate of the image.
        The three give the same counts.
    progress : bool
        Show a progress bar. Without it an object that would take minutes, in an image of tens of thousands of
        pixels a side, is refused with an estimate.

    Returns
    -------
    ndarray of int64, shape (n,) or (n, number of thresholds)
        Number of candidates with IoU >= tau; at least 1, as the object hits itself.

    Notes
    -----
    With tau = p/q, intersection I, candidate area C and object area S, ``I / (S + C - I) >= p/q`` is
    ``(p + q) I >= p (S + C)``. Along an axis on which the object is w long, with room A and B up to the two
    borders, a candidate interval overlaps it by i and hangs out by e. There are so many intervals (i, e):

    - i = w (it covers the object): pairs 0 <= u <= A, 0 <= v <= B with u + v = e;
    - i < w, e = 0 (it lies inside): w - i + 1;
    - i < w, e > 0 (it sticks out at one end): one if e <= A, and one if e <= B.

    For an interval (i, e) along x, an interval (j, f) along y makes a hit when
    ``f <= ((q i - p e) j - p S) / (p (i + e))``, so no loop over f is needed. Unless both stick out at one
    end, none over j either: floors of a linear function are summed in the steps of Euclid's algorithm.

    Objects that differ by a reflection or a transposition are counted once. Any threshold is allowed in
    images with (W - 1)(H - 1) up to a billion, beyond that those with a small p + q.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.2 and Algorithm 1.

    Examples
    --------
    On a 3 x 3 lattice the object of 2 x 1 is hit at one half by itself, by its two halves and by its double.

    >>> count_hits([(1, 1, 3, 2)], (3, 3), 0.5)
    array([4])
    >>> count_hits([(100, 80, 300, 250)], (500, 375), ["1/2", 0.8])
    array([[234760484,   2114680]])
    """
    way = WAYS.index(check_choice(method, WAYS, "method"))
    check_flag(progress, "progress")
    cases = check_lattice(boxes, sizes)
    fractions = [check_threshold(value) for value in threshold_list(tau)]
    single = np.ndim(tau) == 0
    if not fractions:
        raise fail("at least one threshold", "an empty sequence", "Give for example 0.5.", "tau")
    pairs = [fit_threshold(fraction, cases) for fraction in fractions]
    inverse: slice | np.ndarray = slice(None)
    if method == "exact":
        cases, inverse = _distinct(cases)
    if method == "exact" and not progress:
        _check_steps(cases, min(fractions))
    counts = np.empty((len(cases), len(pairs)), dtype=np.int64)
    with tqdm(total=counts.size, desc="hit counts", unit="count", disable=not progress) as bar:
        for column, (p, q) in enumerate(pairs):
            for start in range(0, len(cases), CHUNK):
                part = slice(start, start + CHUNK)
                counts[part, column] = count_all(cases[part], p, q, way)
                bar.update(len(counts[part]))
    table = counts[inverse]
    return table[:, 0] if single else table


def exact_steps(cases: np.ndarray, tau: float) -> np.ndarray:
    """Estimate how many steps the exact count of each object takes.

    They are the intervals that stick out along x, times those along y. Of the intervals that overlap an
    object of side w by i and stick out by e at one end, those with ``i / (w + e) >= tau`` and e up to the
    room to the border can belong to a hit.

    Examples
    --------
    >>> (exact_steps(np.array([[4000, 4000, 12000, 12000, 16000, 16000]]), 0.5) / 1e9).round().tolist()
    [48.0]
    """
    x1, y1, x2, y2, width, _ = cases.T.astype(np.float64)
    room = np.maximum(x1 - 1, width - x2)
    reach = (x2 - x1) * (1 / tau - 1)
    intervals = tau * np.where(reach <= room, reach**2 / 2, room * (reach - room / 2))
    return intervals * (y2 - y1) * (1 - tau)


def _check_steps(cases: np.ndarray, tau: Fraction) -> None:
    steps = exact_steps(cases, float(tau))
    if steps.max(initial=0) > MOST_STEPS:
        worst = int(np.argmax(steps))
        w, h, width, height = (cases[worst, [2, 3, 4, 5]] - [*cases[worst, :2], 0, 0]).tolist()
        minutes = steps.sum() / STEPS_PER_MINUTE
        got = f"one of {w} x {h} in an image of {width} x {height}, about {minutes:,.0f} minutes"
        remedy = "Scale the image and its boxes down, or pass progress=True to wait."
        raise fail("objects that are counted within a minute or two", got, remedy, "sizes")


def _distinct(cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return one case per class of equal counts, and where each row went.

    Counts do not change when an axis is reflected or when the two axes are exchanged. The cases are shuffled,
    so that threads and chunks get equal shares of the large objects.
    """
    axes = []
    for low, high, size in ((0, 2, 4), (1, 3, 5)):
        before, after = cases[:, low] - 1, cases[:, size] - cases[:, high]
        side = cases[:, high] - cases[:, low]
        axes.append(np.column_stack([side, np.minimum(before, after), np.maximum(before, after)]))
    swap = axes[0][:, 0] > axes[1][:, 0]
    first = np.where(swap[:, None], axes[1], axes[0])
    second = np.where(swap[:, None], axes[0], axes[1])
    rows, inverse = np.unique(np.column_stack([first, second]), axis=0, return_inverse=True)
    order = np.random.default_rng(0).permutation(len(rows))
    place = np.empty(len(rows), dtype=np.int64)
    place[order] = np.arange(len(rows))
    w, left, right, h, below, above = rows[order].T
    x2, y2 = left + 1 + w, below + 1 + h
    distinct = np.column_stack([left + 1, below + 1, x2, y2, x2 + right, y2 + above])
    return distinct, place[inverse.reshape(-1)]
