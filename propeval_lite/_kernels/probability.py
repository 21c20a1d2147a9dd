"""The probability that boxes drawn at random, none twice, hit an object."""

import math

import numpy as np

from propeval_lite._kernels.compiled import njit


@njit(cache=True)
def _stirling_tail(z):
    """Return ln z! minus the elementary part of Stirling's series, for z >= 16."""
    r = 1.0 / (z * z)
    return (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0)))) / z


@njit(cache=True)
def _log_miss(n, total, k):
    """Logarithm of C(total - n, k) / C(total, k) for 0 < n, 0 < k, n + k <= total.

    Stirling's series for the four factorials, with the large parts that cancel taken out by hand: each of the
    three terms left is about as large as their sum.
    """
    few, many = min(n, k), max(n, k)
    rest = total - n - k
    if rest < 16:
        # Almost every candidate is a hit or drawn: the product falls fast, or has few factors.
        total_log = 0.0
        for i in range(few):
            total_log += math.log((total - many - i) / (total - i))
            if total_log < -60.0:
                break
        return total_log
    a, b, c, s = float(many), float(few), float(rest), float(total)
    main = b * math.log1p(-a / s) + a * math.log1p(-b / s) + (c + 0.5) * math.log1p(a / s * (b / c))
    tail = (_stirling_tail(c + b) - _stirling_tail(s)) + (_stirling_tail(c + a) - _stirling_tail(c))
    return main + tail


@njit(cache=True)
def hit_probabilities(n_hit, n_total, k):
    """Probability that k of N candidates, drawn without repetition, hit: 1 − C(N − n, k) / C(N, k).

    Parameters
    ----------
    n_hit, n_total, k : int64 array, (m,)
        Candidates that hit (n), all candidates (N), and draws.

    Returns
    -------
    float64 array, (m,)
    """
    out = np.empty(len(n_hit), np.float64)
    for i in range(len(n_hit)):
        if n_hit[i] == 0 or k[i] == 0:
            out[i] = 0.0
        elif k[i] > n_total[i] - n_hit[i]:
            out[i] = 1.0
        else:
            out[i] = -math.expm1(_log_miss(n_hit[i], n_total[i], k[i]))
    return out
