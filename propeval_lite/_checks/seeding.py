"""The rules of random numbers: the stream of an image, and which images the replicates of a bootstrap draw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from propeval_lite._checks.values import check_positive_int


def check_seed(seed: object) -> int:
    """Return a seed as an int >= 0."""
    return check_positive_int(seed, "seed", minimum=0)


def image_generator(seed: int, image_id: object) -> np.random.Generator:
    """Return the generator of an image: it depends on the seed and the image's id, never on the image's row.

    Examples
    --------
    >>> [int(image_generator(1, name).integers(100)) for name in ("a", "b", "a")]
    [43, 36, 43]
    """
    digest = hashlib.blake2b(str(image_id).encode(), digest_size=16).digest()
    entropy = [check_seed(seed), int.from_bytes(digest, "little")]
    return np.random.default_rng(np.random.SeedSequence(entropy))


def image_draws(n_images: int, n: int, seed: int) -> Iterator[np.ndarray]:
    """Give the row numbers of `n_images` images drawn with replacement, `n` times.

    Images are drawn, not objects, because objects of one image are found or missed together.

    Examples
    --------
    >>> [drawn.tolist() for drawn in image_draws(4, 2, seed=0)]
    [[3, 2, 2, 1], [1, 0, 0, 0]]
    """
    rng = np.random.default_rng(check_seed(seed))
    for _ in range(n):
        yield rng.integers(0, n_images, n_images)
