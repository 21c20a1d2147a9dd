"""What a blind guess would do: the regions of hits, their counts and probabilities, random boxes, and a prior's."""

from propeval_lite.chance.hits import count_hits
from propeval_lite.chance.lattice import count_candidates, object_lattice
from propeval_lite.chance.omega import omega_max, omega_min
from propeval_lite.chance.prior import prior_chance, prior_hits
from propeval_lite.chance.probability import chance_report, draws_needed, hit_probability
from propeval_lite.chance.sampler import random_boxes

__all__ = [
    "chance_report",
    "count_candidates",
    "count_hits",
    "draws_needed",
    "hit_probability",
    "object_lattice",
    "omega_max",
    "omega_min",
    "prior_chance",
    "prior_hits",
    "random_boxes",
]
