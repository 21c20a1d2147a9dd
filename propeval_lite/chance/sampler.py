"""Chance as a method: boxes drawn at random, all equally likely, none twice."""

from __future__ import annotations

import numpy as np

from propeval_lite._checks.traits import traits
from propeval_lite._checks.values import check_positive_int, check_type, fail
from propeval_lite.chance.lattice import count_candidates

REMEDY = "Give an array (height, width, 3)."


@traits(needs="size")
def random_boxes(image, k: int, rng: np.random.Generator):
    """Draw k different boxes, all boxes with corners on the edges of pixels being equally likely.

    This is the sampling that HPRS describes on the lattice "edges"; as a method its name is ``"random_boxes"``.

    References
    ----------
    Wang et al., Insights of Object Proposal Evaluation, §3.3.
    """
    k = check_positive_int(k, "k")
    check_type(
        rng, np.random.Generator, "rng as a Generator", "Make it with np.random.default_rng(0).", "rng"
    )
    if np.ndim(check_type(image, np.ndarray, "a picture as an array", REMEDY, "image")) < 2:
        raise fail("a picture as an array", f"shape {image.shape}", REMEDY, "image")
    height, width = image.shape[:2]
    n_total = int(count_candidates((width + 1, height + 1)))
    if 2 * k >= n_total:
        drawn = rng.permutation(n_total)[:k]
    else:
        drawn = np.zeros(0, np.int64)
        while len(drawn) < k:
            more = np.concatenate([drawn, rng.integers(0, n_total, k)])
            drawn = more[np.sort(np.unique(more, return_index=True)[1])]
        drawn = drawn[:k]
    columns, rows = (np.stack(np.triu_indices(n + 1, 1)) for n in (width, height))
    x, y = np.divmod(drawn, rows.shape[1])
    return np.stack([columns[0, x], rows[0, y], columns[1, x], rows[1, y]], axis=1).astype(np.float64), None
