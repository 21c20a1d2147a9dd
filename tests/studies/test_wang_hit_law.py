import naive
import numpy as np
import pytest

from propeval_lite.studies import wang_hit_law as law

pytestmark = pytest.mark.jit


def test_even_odds_are_at_2_80_per_cent_of_the_image():
    constant = law.law_constant("1/2")
    assert np.isclose(constant, law.law_constant("1/2", 1200), rtol=2e-3)
    share = law.even_odds(constant, 1000)
    assert abs(share - 0.0280) < 5e-5
    assert abs(law.counted_chance(share, "1/2", 1000) - 0.5) < 2e-3


@pytest.mark.parametrize(("p", "q"), [(1, 3), (1, 2), (4, 5)])
def test_the_constant_counts_every_box_that_hits(p, q):
    box, size = (21, 21, 24, 24), (44, 44)
    assert law.law_constant(f"{p}/{q}", 3) == naive.count_lattice_hits(box, size, p, q) / 3**4


def test_even_odds_solve_the_law():
    for constant, k in ((0.2, 10), (0.01, 1000)):
        share = law.even_odds(constant, k)
        assert np.isclose(1 - (1 - 4 * constant * share**2) ** k, 0.5, rtol=1e-12)
