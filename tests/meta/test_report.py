"""From swept scores to the scores that the meta-measures compare."""

import pandas as pd

from propeval_lite.meta.report import scale_and_swapped


def test_scale_and_swapped_scores_stand_at_one_parameter():
    rows = [(i, p, s, 10 * p + i + 0.5 * s) for i in (0, 1) for p in (1, 2) for s in (False, True)]
    sweep = pd.DataFrame(rows, columns=["image_id", "parameter", "swapped", "mine"])
    scale, others = scale_and_swapped(sweep, "mine", True)
    assert (scale.parameter, scale.scores.tolist(), others.tolist()) == (2, [20, 21], [20.5, 21.5])
    # Chosen on train, where the first parameter is best, both are reported on test.
    train = sweep.query("not swapped").assign(split="train", mine=lambda table: -table["mine"])
    scale, others = scale_and_swapped(pd.concat([train, sweep.assign(split="test")]), "mine", True)
    assert (scale.parameter, scale.scores.tolist(), others.tolist()) == (1, [10, 11], [10.5, 11.5])
