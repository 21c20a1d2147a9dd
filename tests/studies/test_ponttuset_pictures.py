"""One picture at a time: arithmetic by hand, kinds of regions, matchings, tolerances and panels of segmentations."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite import InputError, fb, fop, load_dataset
from propeval_lite.partitions import classify_regions
from propeval_lite.partitions.boundaries import fb_counts
from propeval_lite.segmenters import find_segmenter
from propeval_lite.studies import ponttuset_pictures as study

HALVES = np.repeat([[0, 0, 1, 1]], 4, axis=0)
QUARTERS = HALVES + 2 * HALVES.T


@pytest.fixture(scope="module")
def scenes():
    return load_dataset("scenes?n=3&seed=3&width=64&height=48")


def test_the_arithmetic_is_printed_beside_the_values():
    by_hand = {"pri": "(20 + 72) / 120", "voi": "2 / 16 * 1"}
    values = pd.Series({"pri": 0.75, "voi": 1.5})
    table = study.list_by_hand(by_hand, values, values + 1)
    assert table["measure"].tolist() == ["PRI", "VoI"] == [study.symbol(name) for name in by_hand]
    assert table["range"].tolist() == ["0 to 1", "0 to log₂ N"]
    assert table["better"].tolist() == ["higher", "lower"]
    assert table["by hand"].tolist() == ["(20 + 72)/120", "2/16·1"]
    assert table[["value", "sides exchanged"]].to_numpy().tolist() == [[0.75, 1.75], [1.5, 2.5]]


def test_blind_matchings_keep_recall_and_move_precision():
    rng = np.random.default_rng(2)
    truths = [np.kron(rng.integers(0, 3, (4, 4)), np.ones((5, 5), dtype=int)) for _ in range(3)]
    partition = np.kron(rng.integers(0, 3, (5, 5)), np.ones((4, 4), dtype=int))
    counts = fb_counts(partition, truths, tolerance=0.1)
    spread = study.matching_spread(partition, truths, trials=25, tolerance=0.1, seed=1)
    assert (spread["matched_truth"] == counts.matched_truth).all()
    assert spread["matched_partition"].min() < spread["matched_partition"].max()
    assert spread["matched_partition"].max() <= counts.partition
    again = study.matching_spread(partition, truths, trials=25, tolerance=0.1, seed=1)
    pd.testing.assert_frame_equal(spread, again)


def test_at_least_one_trial():
    with pytest.raises(InputError, match="trials"):
        study.matching_spread(np.zeros((2, 2), dtype=int), [np.zeros((2, 2), dtype=int)], 0)


def test_wider_tolerances_match_more():
    data = load_dataset("scenes?n=3&seed=3&width=64&height=48")
    ids = data.images["image_id"].tolist()
    tolerances = (0.002, 0.02)
    table = study.ranges_by_tolerance(data, ids, tolerances)
    drawn = [data.partitions(image_id) for image_id in ids]
    for tolerance, row in zip(tolerances, table.itertuples(index=False), strict=True):
        own = np.sum([fb_counts(one[0], one[1:], tolerance) for one in drawn], axis=0)
        other = np.sum(
            [fb_counts(one[0], drawn[(k + 1) % 3], tolerance) for k, one in enumerate(drawn)], axis=0
        )
        for value, (matched_truth, truth, matched, all_) in zip(row[1:3], (own, other), strict=True):
            p, r = matched / all_, matched_truth / truth
            assert value == pytest.approx(2 * p * r / (p + r))
        assert row[3] == pytest.approx(row[1] - row[2])
    assert table["human"].is_monotonic_increasing
    assert table["human, swapped"].is_monotonic_increasing


def test_kinds_of_both_sides():
    classes = classify_regions(QUARTERS, [HALVES], coverage=1.0)
    assert study.kinds(classes.partition) == dict.fromkeys(range(4), "part")
    assert study.kinds(classes.truth) == dict.fromkeys(range(2), "fragment")
    listed = study.list_kinds(classes)
    assert listed["side"].tolist() == ["truth"] * 2 + ["partition"] * 4
    assert "truth" not in listed


def test_thresholds_change_kinds():
    truth = np.repeat([[0] * 10 + [1] * 10], 20, axis=0)
    partition = truth.copy()
    partition[:, 9] = 1  # 9 of 10 columns, and 10 of 11
    regions, scores = study.kinds_by_gamma(partition, [truth], (0.9, 0.95))
    assert regions.groupby("gamma_object")["kind"].agg(set).to_dict() == {
        0.9: {"object"},
        0.95: {"fragment", "part"},
    }
    assert scores["gamma_object"].tolist() == [0.9, 0.95]
    for row in scores.itertuples(index=False):
        assert tuple(row[1:]) == pytest.approx(fop(partition, [truth], gamma_object=row[0]))
    image = np.zeros((20, 20, 3), dtype=np.uint8)
    panels = study.kind_panels(
        image, partition, [QUARTERS.repeat(5, 0).repeat(5, 1), truth], regions, scores, 2
    )
    assert [panel["title"].partition(":")[0] for panel in panels] == [
        "photograph", "finest truth, γ = 0.9", "γ = 0.9", "γ = 0.95"
    ]  # fmt: skip
    assert "kinds" not in panels[0]
    assert all(panel["image"].shape == (10, 10, 3) for panel in panels)
    np.testing.assert_array_equal(panels[1]["labels"], truth[::2, ::2])
    assert panels[1]["kinds"] == {0: "object", 1: "object"}
    np.testing.assert_array_equal(panels[3]["labels"], partition[::2, ::2])
    assert set(panels[3]["kinds"].values()) == {"fragment", "part"}


def test_made_discs_divide_the_measures():
    truth, made = study.made_discs()
    assert np.unique(truth).tolist() == list(range(7))
    assert all(labels.shape == truth.shape and labels.max() == 6 for labels in made.values())
    # A box inside holds nothing of the background, a longer one sticks out on both sides.
    assert (truth[made["boxes inside"] > 0] > 0).all()
    assert (truth[made["longer boxes"] > 0] == 0).any()
    values = [(fb(labels, [truth])[0], fop(labels, [truth])[0]) for labels in made.values()]
    scores = pd.DataFrame(values, columns=["fb", "fop"], index=list(made))
    assert scores["fb"].idxmax() == "contours with a gap"
    assert scores["fop"].idxmax() == "boxes inside"
    panels = study.disc_panels(truth, made, scores)
    assert [panel["title"].split("\n")[0] for panel in panels] == ["truth", *made]
    assert f"{scores.loc['boxes inside', 'fop']:.2f}" in panels[2]["title"]
    assert panels[0]["image"][30, 30].tolist() == [90, 90, 90]
    assert panels[0]["image"][0, 0].tolist() == [200, 200, 200]


def test_panels_at_scales_show_each_method_at_both(scenes):
    image_id = scenes.images["image_id"].iloc[1]
    rows = [
        (scenes.name, "quadtree", "fb", 4),
        (scenes.name, "quadtree", "fop", 1),
        ("another", "quadtree", "fb", 16),
    ]
    scales = pd.DataFrame(rows, columns=["dataset", "method", "measure", "parameter"])
    panels, table = study.panels_at_scales(scenes, image_id, ["quadtree"], scales)
    assert [panel["title"] for panel in panels[:2]] == ["picture", "finest truth"]
    finest = max(len(np.unique(truth)) for truth in scenes.partitions(image_id))
    assert len(np.unique(panels[1]["labels"])) == finest
    assert table[["measure", "parameter", "regions"]].to_numpy().tolist() == [["fb", 4, 4], ["fop", 1, 1]]
    cuts = find_segmenter("quadtree").partitions(scenes, image_id, [4, 1])
    truths = scenes.partitions(image_id)
    assert table["F"].tolist() == [fb(cuts[0], truths)[0], fop(cuts[1], truths)[0]]
    for panel, cut in zip(panels[2:], cuts, strict=True):
        np.testing.assert_array_equal(panel["labels"], cut)
    assert panels[2]["title"].endswith("4 regions")
    assert panels[3]["title"].endswith("1 region")


def test_panels_of_rows_stand_beside_their_picture(scenes):
    ids = scenes.images["image_id"]
    rows = pd.DataFrame({"image_id": [ids[2], ids[0]], "method": ["watershed", "quadtree"], "parameter": [3, 4],
                         "fb": [0.25, 0.5], "fop": [0.125, 0.75]})  # fmt: skip
    panels = study.panels_of_rows(scenes, rows, ["quadtree", "watershed"])
    assert [panel["title"] for panel in panels] == [
        ids[2], "watershed\n$F_b$ 0.25, $F_{op}$ 0.12", ids[0], "quadtree\n$F_b$ 0.50, $F_{op}$ 0.75"
    ]  # fmt: skip
    np.testing.assert_array_equal(panels[2]["image"], scenes.image(ids[0]))
    np.testing.assert_array_equal(
        panels[3]["labels"], find_segmenter("quadtree").partitions(scenes, ids[0], [4])[0]
    )


def test_a_partition_comes_back_from_its_pairs_and_from_its_contour():
    labels = np.array([[0, 0, 1], [2, 2, 1], [2, 1, 1]])
    together = labels.reshape(-1, 1) == labels.reshape(1, -1)
    assert (study.regions_of_pairs(together, labels.shape) == labels).all()
    separated = [np.diff(labels, axis=axis) != 0 for axis in (0, 1)]
    assert (study.regions_of_contour(*separated) == labels).all()
