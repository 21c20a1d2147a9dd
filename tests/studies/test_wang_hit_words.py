"""Sentences on chance: they say what their numbers say."""

import numpy as np
import pandas as pd

from propeval_lite.studies import wang_hit_words as words
from propeval_lite.studies.wang_hit_probability import example_boxes, printed_spans


def test_the_printed_region_is_right_at_zero_only():
    text = words.printed_sentence(printed_spans([[0, 0, 60, 40], [30, 0, 90, 40]], 0.5))
    assert "at $x = 0$ in 100% of its columns" in text
    assert "at $x = 30$ in 0% of its columns" in text


def test_log_gamma_loses_the_digits_of_its_own_table():
    rows = [("old", 1, n, error) for n, error in ((10**2, 1e-12), (10**4, 1e-9), (10**6, 1.0))]
    table = pd.DataFrame(
        [*rows, ("new", 1, 100, 2e-16)], columns=["way", "k", "candidates", "relative_error"]
    )
    text = words.rounding_sentence(table, "old", "new")
    assert "old loses 3.0 to 9.0 digits, 6.0 on average" in text
    assert "from this number of candidates on: 1,000,000 with 1 draw." in text
    assert text.endswith("error of new is 2.0e-16.")


def test_objects_on_and_off_the_law():
    objects = pd.DataFrame({"hprs": [0.01, 0.5, 0.95, 1.0]})
    text = words.step_sentence(objects, np.array([0.01, 1.0, 0.95, 0.5]))
    assert text.startswith(
        "50% of the objects lie within a twentieth of the law, 25% below it and 25% above."
    )
    assert (
        "25% of the objects are found with a probability under 0.1 and 50% with one over 0.9, which leaves 25%"
        in text
    )


def test_chance_recalls_by_threshold_and_by_size():
    rows = [("a", tau, k, tau * k / 100) for tau in (0.9, 0.5) for k in (10, 100)]
    summary = pd.DataFrame(rows, columns=["dataset", "tau", "k", "mean"])
    assert (
        words.recall_sentence(summary)
        == "With 100 draws chance finds 50.0% of the objects of a at IoU 0.5 and 90.0% at 0.9."
    )
    chosen = pd.DataFrame({"dataset": "a", "size": ["large", "small", "middle"], "mean": [0.9, 0.001, 0.5]})
    sizes = ["small", "middle", "large", "huge"]
    assert words.sizes_sentence(chosen, sizes) == (
        "Mean HPRS by size. *a:* from 0.001 (small) to 0.9 (large); it rises at each step."
    )
    assert "does not rise" in words.sizes_sentence(chosen.assign(mean=[0.1, 0.2, 0.3]), sizes)


def test_work_and_ratios():
    row = {"dataset": "VOC", "tau": 0.5, "pairs / hits": 3.73, "paper's ratio": 20.0, "candidates / pairs": 25.0,
           "exh. / Alg. 1": 20.0}  # fmt: skip
    table = pd.DataFrame([row])
    assert words.work_sentence(table) == "For each box that hits Algorithm 1 tries 3.7 (VOC, IoU 0.5) boxes."
    text = words.ratios_sentence(table)
    assert "VOC at 0.5: 0.8 times" in text
    assert "at least 95.0 %" in text


def test_examples_hit_and_miss():
    table = example_boxes([100, 80, 300, 250], 0.5)
    assert table["hits"].nunique() == 2
    assert ((table["iou"] >= 0.5) == table["hits"]).all()
