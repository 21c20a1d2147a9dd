"""The one rule of random numbers: an image's stream depends on the seed and the image's id, never on its row."""

from __future__ import annotations

import hashlib

import numpy as np

from propeval_lite._checks.values import check_positive_int


def image_generator(seed: int, image_id: object) -> np.random.Generator:
    """Return the generator of an image, the same in any subset and any order of a data set's images.

    Examples
    --------
    >>> [int(image_generator(1, name).integers(100)) for name in ("a", "b", "a")]
    [43, 36, 43]
    """
    digest = hashlib.blake2b(str(image_id).encode(), digest_size=16).digest()
    entropy = [check_positive_int(seed, "seed", minimum=0), int.from_bytes(digest, "little")]
    return np.random.default_rng(np.random.SeedSequence(entropy))
