"""Scores over a sweep, and the scales chosen from them."""

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.meta.scales import ods, ois, score_sweep
from propeval_lite.meta.seism import read_seism_scores
from propeval_lite.meta.summaries import mean_sides, summarise
from propeval_lite.meta.swaps import fit_labels, swap_partners
from propeval_lite.partitions.measures import REGION_MEASURES
from propeval_lite.partitions.scores import score_all


def tiny_dataset(n=4, sizes=((6, 8), (8, 6))):
    """Pictures of two halves with two annotators each; the cut lies elsewhere in each image."""
    shapes = [sizes[i % len(sizes)] for i in range(n)]
    images = pd.DataFrame(
        {
            "image_id": [f"im{i}" for i in range(n)],
            "width": [w for _, w in shapes],
            "height": [h for h, _ in shapes],
        }
    )

    def truth(image_id, shift=0):
        i = int(image_id[2:])
        labels = np.zeros(shapes[i], dtype=np.int32)
        labels[:, 2 + i % 3 + shift :] = 1
        return labels

    def picture(image_id):
        return np.repeat((60 + 120 * truth(image_id)).astype(np.uint8)[:, :, None], 3, axis=2)

    return Dataset(
        "tiny",
        images,
        no_objects(),
        read_image=picture,
        read_partitions=lambda image_id: [truth(image_id), truth(image_id, 1)],
    )


def table(scores):
    """Long table of a dict parameter -> scores of images 0, 1, …"""
    rows = [(i, p, value) for p, values in scores.items() for i, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["image_id", "parameter", "mine"])


sweeps = st.integers(1, 4).flatmap(
    lambda n: st.dictionaries(
        st.integers(0, 5), st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=1, max_size=5
    )
)


@given(sweeps, st.booleans())
@settings(deadline=None)
def test_dataset_scale_is_the_best_mean(scores, up):
    scale = ods(table(scores), measure="mine", higher_is_better=up)
    means = {p: sum(values) / len(values) for p, values in scores.items()}
    best = max(means.values()) if up else min(means.values())
    assert scale.parameter == next(p for p in scores if means[p] == best)
    assert scale.value == scale.chosen_at == pytest.approx(best)
    assert scale.scores.tolist() == scores[scale.parameter]


@given(sweeps, st.booleans())
@settings(deadline=None)
def test_image_scale_is_the_best_of_each_image(scores, up):
    scale = ois(table(scores), measure="mine", higher_is_better=up)
    pick = max if up else min
    for i in range(len(next(iter(scores.values())))):
        values = {p: scores[p][i] for p in scores}
        best = pick(values.values())
        assert scale.scores[i] == best
        assert scale.parameters[i] == next(p for p in values if values[p] == best)
    assert scale.value == pytest.approx(scale.scores.mean())


@given(sweeps)
@settings(deadline=None)
def test_image_scale_is_never_worse(scores):
    found = table(scores)
    one = ois(found, measure="mine", higher_is_better=True).value
    assert one >= ods(found, measure="mine", higher_is_better=True).value - 1e-12


def test_chosen_on_train_reported_on_test():
    train, test = table({"a": [0.2, 0.9], "b": [0.6, 0.6]}), table({"a": [0.1], "b": [0.8]})
    scale = ods(train, test, measure="mine", higher_is_better=True)
    assert (scale.parameter, scale.value) == ("b", 0.8)
    assert ods(train, test, measure="mine", higher_is_better=False).parameter == "a"


def test_direction_is_known_for_measures_of_the_library():
    scores = table({1: [0.2], 2: [0.4]}).rename(columns={"mine": "voi"})
    assert ods(scores, measure="voi").parameter == 1
    assert ois(scores.rename(columns={"voi": "pri"}), measure="pri").parameters.tolist() == [2]


def test_parameters_with_undefined_scores_are_passed_over():
    assert ods(table({1: [0.9, np.nan], 2: [0.1, 0.1]}), measure="mine", higher_is_better=True).parameter == 2
    with pytest.raises(
        InputError, match="ods of mine: expected a parameter without NaN scores, got NaN at each"
    ):
        ods(table({1: [np.nan]}), measure="mine", higher_is_better=True)


def test_summaries():
    scores = pd.DataFrame({"fop": [0.4, 0.0], "fop_precision": [0.3, 0.1], "fop_recall": [0.6, 0.0]})
    assert summarise(scores, "fop", "mean") == 0.2
    assert summarise(scores, "fop") == summarise(scores, "fop", "f_of_means") == pytest.approx(0.24)
    assert summarise(scores * 0, "fop", "f_of_means") == 0
    assert summarise(pd.DataFrame({"voi": [1.0, 2.0]}), "voi") == 1.5


COUNTS = ["matched_truth", "truth", "matched_partition", "partition"]


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)).map(
            lambda row: (row[0], row[0] + row[1], row[2], row[2] + row[3])
        ),
        min_size=1,
    )
)
def test_f_of_boundaries_over_a_data_set_is_f_of_mean_precision_and_mean_recall_as_in_both_tables(rows):
    assume(any(row[1] for row in rows))
    counts = pd.DataFrame(rows, columns=COUNTS)
    precision, recall, f = naive.mean_boundary_sides(rows)
    assert mean_sides(counts, "fb") == pytest.approx((precision, recall))
    assert summarise(counts, "fb") == summarise(counts, "fb", "f_of_means") == pytest.approx(f)
    added = counts.sum()
    p, r = (added[f"matched_{side}"] / max(added[side], 1) for side in ("partition", "truth"))
    assert summarise(counts, "fb", "f_of_counts") == pytest.approx(2 * p * r / (p + r) if p + r else 0)


def test_adding_counts_is_another_number_and_must_be_asked_for():
    counts = pd.DataFrame([(1, 4, 1, 2), (3, 4, 4, 4)], columns=COUNTS)
    assert summarise(counts, "fb") == pytest.approx(0.6)  # of 0.75 and 0.5
    assert summarise(counts, "fb", "f_of_counts") == pytest.approx(0.625)  # of 5/6 and 0.5
    # Nobody drew a contour in the second picture; the first alone has a recall.
    empty = pd.DataFrame([(1, 4, 1, 2), (0, 0, 0, 3)], columns=COUNTS)
    assert mean_sides(empty, "fb") == (0.25, 0.25)
    assert np.isnan(summarise(empty.tail(1), "fb"))


def test_sweep_scores_own_and_swapped_partitions():
    dataset = tiny_dataset()
    sweep = score_sweep(["pri", "fop", "fb"], dataset, "quadtree", [2, 4], swapped=True, seed=3)
    assert len(sweep) == 4 * 2 * 2
    partner = swap_partners(4, seed=3)[:, 0]
    from propeval_lite.segmenters.registry import find_segmenter

    for row in sweep.itertuples():
        i = int(row.image_id[2:])
        source = f"im{partner[i]}" if row.swapped else row.image_id
        cut = find_segmenter("quadtree").partitions(dataset, source, [row.parameter])[0]
        truths = dataset.partitions(row.image_id)
        cut = fit_labels(cut, truths[0].shape)
        assert row.pri == score_all([REGION_MEASURES["pri"]], cut, truths)["pri"]
        assert row.regions == row.parameter
    assert {"fop_precision", "fop_recall", "matched_truth", "partition"} <= set(sweep.columns)


def test_sweep_of_a_random_segmenter_depends_on_the_seed():
    dataset = tiny_dataset(2)
    first, again, other = (score_sweep(["voi"], dataset, "random_slic", [3], seed=seed) for seed in (0, 0, 1))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def write(folder, name, rows):
    (folder / name).write_text("\n".join("\t".join(map(str, row)) for row in rows) + "\n")


def test_published_files_are_read(tmp_path):
    write(tmp_path, "test_fop_0.5_10.txt", [(0.5, 0.4, 0.6), (0.1, 0.2, 0.3)])
    write(tmp_path, "test_fb_7.txt", [(0.5, 0.4, 0.6, 3, 5, 2, 5), (0.5, 0.4, 0.6, 1, 2, 3, 4)])
    scores = read_seism_scores(tmp_path, "fop", ["x", "y"])
    assert scores["parameter"].tolist() == ["0.5_10"] * 2
    assert scores.loc[1, ["image_id", "fop", "fop_precision", "fop_recall"]].tolist() == ["y", 0.1, 0.2, 0.3]
    counts = read_seism_scores(tmp_path, "fb", ["x", "y"]).loc[0]
    assert (counts["matched_truth"], counts["truth"], counts["matched_partition"], counts["partition"]) == (
        3,
        5,
        2,
        5,
    )


def test_published_files_that_do_not_fit(tmp_path):
    with pytest.raises(InputError, match=r"expected files test_fop_\*.txt, got none"):
        read_seism_scores(tmp_path, "fop", ["x"])
    write(tmp_path, "test_fop_1.txt", [(0.5, 0.4, 0.6)])
    with pytest.raises(InputError, match="expected 2 lines of 3 numbers, for 2 images, got 1 lines of 3"):
        read_seism_scores(tmp_path, "fop", ["x", "y"])
    with pytest.raises(InputError, match="expected measure to be one of fb, fop, nvoi, .*, got 'voi'"):
        read_seism_scores(tmp_path, "voi", ["x"])


@pytest.mark.data
def test_published_scales_of_gpb_ucm(real_data):
    ids = (real_data / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    folder = real_data / "seism" / "BSDS500" / "gPb-UCM"
    regions = ods(read_seism_scores(folder, "fop", ids), measure="fop", summary="f_of_means")
    contours = ods(read_seism_scores(folder, "fb", ids), measure="fb")
    # Fig. 11 prints 0.35 and 0.73 in its legends.
    assert (round(regions.value, 2), round(contours.value, 2)) == (0.35, 0.73)


@pytest.mark.data
def test_legend_of_boundaries_in_figure_11_is_f_of_means_also_where_only_later_files_are(real_data):
    ids = (real_data / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    for name, printed in (("MCG", 0.75), ("ISCRA", 0.72)):
        scores = read_seism_scores(real_data / "seism" / "BSDS500" / name, "fb", ids)
        assert round(ods(scores, measure="fb").value, 2) == printed


GOOD = table({1: [0.5, 0.5], 2: [0.1, 0.1]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ods(GOOD.drop(columns="mine"), measure="voi"),
            "train: expected columns image_id, parameter, voi, got no voi",
        ),
        (lambda: ods(GOOD, measure="mine"), "expected a measure of .* got 'mine'"),
        (
            lambda: ods(GOOD.head(0), measure="mine", higher_is_better=True),
            "train: expected at least one score, got none",
        ),
        (
            lambda: ods(pd.concat([GOOD, GOOD]), measure="mine", higher_is_better=True),
            "expected one row per image and parameter, got two for image 0, parameter 1",
        ),
        (
            lambda: ods(GOOD.head(3), measure="mine", higher_is_better=True),
            "every image at every parameter, got gaps",
        ),
        (
            lambda: ods(GOOD, GOOD[GOOD["parameter"] == 2], measure="mine", higher_is_better=True),
            "test: expected the chosen parameter 1 in test, got no such rows",
        ),
        (
            lambda: ods(GOOD, measure="mine", higher_is_better=True, summary="median"),
            "expected summary to be one of mean, f_of_means, f_of_counts, got 'median'",
        ),
        (
            lambda: ods(GOOD, measure="mine", higher_is_better=True, summary="f_of_means"),
            "expected columns mine_precision, mine_recall, got no mine_precision, mine_recall",
        ),
        (
            lambda: summarise(GOOD, "fb", "f_of_counts"),
            "got no matched_truth, truth, matched_partition, partition",
        ),
        (
            lambda: ois(GOOD.head(0), measure="mine", higher_is_better=True),
            "scores: expected at least one score",
        ),
        (lambda: swap_partners(1), "number of images to be a whole number >= 2"),
        (lambda: swap_partners(3, swaps=3), "expected swaps below the number of images, 3, got 3"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()
