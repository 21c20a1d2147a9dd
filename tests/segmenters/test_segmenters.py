"""Segmenters: connected regions at every scale, equal to slow oracles and to the published quadtree."""

import pickle
from itertools import pairwise

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from propeval_lite import load_dataset
from propeval_lite._checks.values import InputError
from propeval_lite.partitions.objects_parts import fop
from propeval_lite.segmenters.contour_maps import read_ucm2, ucm_partitions
from propeval_lite.segmenters.gradients import superpixel_graph, watershed
from propeval_lite.segmenters.grouping import (
    compact_graph,
    merged_superpixels,
    random_slic,
    random_watershed,
)
from propeval_lite.segmenters.registry import (
    SEGMENTERS,
    find_segmenter,
    list_segmenters,
    segment,
    segment_all,
)
from propeval_lite.segmenters.spectral import _best_cut
from propeval_lite.superpixels.labels import connected

NESTED = (
    "ncut",
    "mean_shift",
    "watershed",
    "merged_superpixels",
    "quadtree",
    "random_slic",
    "random_watershed",
)


def noise(seed, height, width):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)


def blocks():
    picture = np.full((40, 60, 3), 60, dtype=np.uint8)
    picture[:, 30:] = 200
    return picture


pictures = st.builds(noise, st.integers(0, 99), st.integers(1, 9), st.integers(1, 9))


@pytest.mark.parametrize("name", SEGMENTERS)
@settings(max_examples=12, deadline=None)
@given(picture=pictures, flat=st.booleans())
def test_regions_are_connected_and_numbered_in_order(name, picture, flat):
    picture = np.zeros_like(picture) if flat else picture
    entry = SEGMENTERS[name]
    sweep = entry.parameters[::3]
    for parameter, cut in zip(sweep, segment_all(name, picture, sweep), strict=True):
        assert cut.shape == picture.shape[:2]
        assert cut.dtype == np.int32
        first = np.unique(cut, return_index=True)
        assert first[0].tolist() == list(range(len(first[0])))
        assert (np.diff(first[1]) > 0).all()
        assert naive.is_connected(cut)
        if entry.kind == "count":
            assert cut.max() < parameter


@pytest.mark.parametrize("name", NESTED)
@settings(max_examples=8, deadline=None)
@given(picture=pictures)
def test_coarser_partitions_merge_finer_ones(name, picture):
    cuts = sorted(segment_all(name, picture), key=lambda cut: -cut.max())
    for fine, coarse in pairwise(cuts):
        pairs = np.unique(np.stack([fine.ravel(), coarse.ravel()]), axis=1)
        assert pairs.shape[1] == fine.max() + 1


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_parameter_gives_the_same_alone_and_in_any_order(name):
    picture = noise(3, 12, 15)
    sweep = SEGMENTERS[name].parameters[:3]
    together = segment_all(name, picture, sweep[::-1])[::-1]
    for parameter, cut in zip(sweep, together, strict=True):
        np.testing.assert_array_equal(segment(name, picture, parameter), cut)


@pytest.mark.parametrize("spec", [*SEGMENTERS, "egb?sweep=20&sigma=0", f"{__name__}:upper_half?sweep=2"])
def test_segmenters_can_be_sent_to_another_process(spec):
    segmenter = find_segmenter(spec)
    again = pickle.loads(pickle.dumps(segmenter))
    assert again.parameters == segmenter.parameters
    for one, other in zip(
        *(made.segment_all(noise(4, 9, 8), seed=3) for made in (segmenter, again)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["egb", "ncut", "mean_shift", "watershed", "merged_superpixels"])
@pytest.mark.jit
def test_two_halves_are_found(name):
    parameter = {"egb": 100, "mean_shift": 300}.get(name, 2)
    cut = segment(name, blocks(), parameter)
    truth = connected((blocks()[:, :, 0] > 100).astype(int))
    assert cut.max() == 1
    assert (cut != truth).mean() <= 1 / 60


def test_grey_pictures_are_repeated():
    grey = noise(0, 8, 8)[:, :, 0]
    np.testing.assert_array_equal(
        segment("egb", grey, 50), segment("egb", np.repeat(grey[:, :, None], 3, axis=2), 50)
    )


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), scale=st.sampled_from([1, 60, 300]), min_size=st.integers(1, 5))
def test_graph_based_equals_the_oracle(seed, scale, min_size):
    from propeval_lite.segmenters.gradients import egb

    picture = noise(seed, 5, 6)
    (cut,) = egb(picture, [scale], None, sigma=0, min_size=min_size)
    assert naive.same_partition(cut, naive.graph_based_regions(picture / 255.0, scale / 255.0, min_size))


@pytest.mark.jit
def test_graph_based_equals_scikit_image():
    from skimage.segmentation import felzenszwalb

    picture = noise(5, 40, 50)
    for scale in (30, 300):
        expected = felzenszwalb(picture, scale=scale, sigma=0.8, min_size=50)
        assert naive.same_partition(segment("egb", picture, scale), expected)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99), regions=st.integers(1, 6))
def test_watershed_equals_the_oracle(seed, regions):
    from scipy.ndimage import gaussian_gradient_magnitude
    from skimage.color import rgb2lab

    picture = noise(seed, 5, 6)
    lab = rgb2lab(picture)
    relief = np.sqrt(sum(gaussian_gradient_magnitude(lab[:, :, c], 1.0) ** 2 for c in range(3)))
    (cut,) = watershed(picture, [regions], None)
    assert naive.same_partition(cut, naive.drowned_regions(relief, regions))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 99))
def test_merging_by_colour_equals_the_oracle(seed):
    from skimage.color import rgb2lab

    picture = noise(seed, 3, 4)
    states = naive.least_error_merges(np.arange(12).reshape(3, 4), rgb2lab(picture))
    cuts = merged_superpixels(picture, range(1, 13), None)
    for state, cut in zip(states, cuts[::-1], strict=True):
        assert naive.same_partition(cut, state)


@pytest.mark.parametrize("name", ["random_slic", "random_watershed"])
def test_random_merging_depends_on_the_seed_only(name):
    picture = noise(1, 6, 6)
    one, again, other = (segment(name, picture, 5, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not naive.same_partition(one, other)


def test_random_merging_draws_pairs_evenly():
    # Three regions in a row: the first join is left-middle or middle-right, equally likely.
    picture = np.zeros((1, 3, 3), dtype=np.uint8)
    left = sum(
        int(random_watershed(picture, [2], np.random.default_rng(seed))[0][0, 1] == 0) for seed in range(400)
    )
    assert 160 < left < 240


@pytest.mark.jit
def test_second_baseline_merges_slic_superpixels():
    from skimage.segmentation import slic

    picture = blocks()
    leaves = compact_graph(picture, 50).labels
    raw = slic(picture, 50, compactness=10.0, max_num_iter=5, start_label=0)
    assert naive.same_partition(leaves, connected(raw, neighbours=4))
    every, few = random_slic(picture, [leaves.max() + 1, 6], np.random.default_rng(0), n_superpixels=50)
    assert naive.same_partition(every, leaves)
    # Each of the few regions is a union of whole superpixels; ours merges basins of the watershed instead.
    assert len(np.unique(np.stack([leaves.ravel(), few.ravel()]), axis=1).T) == leaves.max() + 1
    assert few.max() == 5 < leaves.max()
    basins = random_watershed(picture, [6], np.random.default_rng(0), n_superpixels=50)[0]
    assert not naive.same_partition(basins, few)


def test_mean_shift_leaves_no_small_region():
    picture = noise(2, 30, 30)
    for minimum, cut in zip((5, 40, 200), segment_all("mean_shift", picture, (5, 40, 200)), strict=True):
        assert np.bincount(cut.ravel()).min() >= minimum


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 99), n=st.integers(2, 7))
def test_normalised_cut_cost_is_that_of_its_sides(seed, n):
    rng = np.random.default_rng(seed)
    links = np.triu(rng.random((n, n)), 1)
    links += links.T
    cost, parts = _best_cut(links, np.arange(n))
    assert sorted(np.concatenate(parts).tolist()) == list(range(n))
    side, rest = parts
    cut = links[np.ix_(side, rest)].sum()
    assert cost == pytest.approx(cut / links[side].sum() + cut / links[rest].sum())


def test_normalised_cut_finds_the_weak_link():
    links = np.zeros((6, 6))
    for a, b, weight in ((0, 1, 1), (1, 2, 1), (0, 2, 1), (2, 3, 0.01), (3, 4, 1), (4, 5, 1), (3, 5, 1)):
        links[a, b] = links[b, a] = weight
    parts = _best_cut(links, np.arange(6))[1]
    assert sorted(part.tolist() for part in parts) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("shape", [(2, 500), (500, 2), (1, 3000)])
def test_thin_pictures_have_superpixels(shape):
    graph = superpixel_graph(np.zeros((*shape, 3), dtype=np.uint8), 20)
    assert graph.pixels.sum() == shape[0] * shape[1]
    assert len(graph.pixels) >= 10
    assert naive.is_connected(graph.labels, corners=False)


def test_neighbours_share_their_border():
    graph = superpixel_graph(noise(0, 3, 3), 400)
    assert graph.border.tolist() == [1] * 12
    assert graph.touches().sum() == 24


def test_list_names_the_baselines():
    table = list_segmenters()
    assert table.loc[table["baseline"], "name"].tolist() == [
        "quadtree",
        "random_slic",
        "random_watershed",
    ]


@pytest.mark.data
@pytest.mark.jit
def test_quadtree_equals_the_published_results(real_data):
    ids = (real_data / "seism" / "gt_sets" / "BSDS500" / "test.txt").read_text().split()
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}", split="test")
    sweep = (2, 3, 4, 8, 16, 20, 32, 40, 50, 64, 80, 128, 160, 256, 320, 400, 800)
    folder = real_data / "seism" / "BSDS500" / "QuadTree"
    published = {count: np.loadtxt(folder / f"test_fop_{count}.txt") for count in sweep}
    for row in (0, 10, 123):
        truths = dataset.partitions(ids[row])
        cuts = find_segmenter("quadtree", sweep).partitions(dataset, ids[row])
        for count, cut in zip(sweep, cuts, strict=True):
            np.testing.assert_allclose(fop(cut, truths), published[count][row], atol=1e-6)


@pytest.mark.data
@pytest.mark.jit
def test_contour_maps_are_cut_as_documented(real_data):
    from skimage.measure import label

    folder = real_data / "bsds500" / "ucm2" / "test"
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}", split="test")
    image_id = dataset.images["image_id"].iloc[0]
    cuts = find_segmenter(f"ucm:{folder}", [0.4, 0.1]).partitions(dataset, image_id)
    for threshold, cut in zip((0.4, 0.1), cuts, strict=True):
        expected = label(read_ucm2(folder, image_id) <= threshold, connectivity=2)[1::2, 1::2]
        assert naive.same_partition(cut, expected)


def test_contour_map_as_picture():
    ucm2 = np.zeros((3, 5))
    ucm2[:, 2] = 0.5
    assert find_segmenter("ucm:somewhere").segment_all(ucm2, [0.7])[0].tolist() == [[0, 0]]
    assert ucm_partitions(ucm2, [0.5, 0.2, 0.5])[2].tolist() == [[0, 0]]


def test_missing_contour_map(tmp_path):
    with pytest.raises(InputError, match="expected a contour map 8049.mat, got no such file"):
        read_ucm2(tmp_path, "8049")


def upper_half(image, rows):
    labels = np.zeros(image.shape[:2], dtype=int)
    labels[rows:] = 7
    return labels


def test_a_function_of_ones_own():
    cut = find_segmenter(upper_half, [1, 2]).segment_all(noise(0, 4, 3))[1]
    assert cut.tolist() == [[0] * 3] * 2 + [[1] * 3] * 2
    spec = f"{__name__}:upper_half"
    np.testing.assert_array_equal(find_segmenter(spec, [2]).segment_all(noise(0, 4, 3))[0], cut)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: segment("eggs", noise(0, 3, 3), 2),
            "expected a segmenter of egb, ncut, .* got 'eggs'. Correct",
        ),
        (lambda: segment("ucm:", noise(0, 3, 3), 2), "ucm:"),
        (lambda: find_segmenter(3), "expected a segmenter's name or a function, got 3"),
        (
            lambda: segment("quadtree", noise(0, 3, 3), 0),
            "quadtree: number of regions to be a whole number >= 1",
        ),
        (lambda: segment("quadtree", noise(0, 3, 3), 2.5), "quadtree: number of regions .* got 2.5"),
        (lambda: segment("egb", noise(0, 3, 3), -1), "egb: scale k to be a number >= 0, got -1"),
        (lambda: segment("egb", noise(0, 3, 3), np.nan), "egb: scale k to be a number >= 0, got nan"),
        (lambda: segment("egb", noise(0, 3, 3), True), "egb: scale k to be a number >= 0, got True"),
        (lambda: segment_all("egb", noise(0, 3, 3), []), "egb: expected at least one parameter, got none"),
        (lambda: segment("egb", np.zeros((3, 3)), 5), "expected a uint8 picture, got float64 values"),
        (
            lambda: segment("egb", np.zeros((3, 3, 4), np.uint8), 5),
            r"got shape \(3, 3, 4\). Give one picture",
        ),
        (lambda: segment("egb", np.zeros((0, 3), np.uint8), 5), r"got shape \(0, 3, 3\)"),
        (
            lambda: find_segmenter(upper_half),
            "upper_half: expected parameters for a segmenter of your own, got none",
        ),
        (
            lambda: find_segmenter(lambda image: image, [1]),
            r"expected a function \(image, parameter\), got too many",
        ),
        (
            lambda: find_segmenter("no_such_module:f", [1]),
            "expected a module that imports, got ModuleNotFoundError: No module named",
        ),
        (lambda: find_segmenter("math:cuts", [1]), "expected a function 'cuts' in math, got none"),
        (
            lambda: segment_all(lambda image, at: np.zeros((2, 2), int), noise(0, 3, 3), [1]),
            r"expected labels of shape \(3, 3\), got shape \(2, 2\)",
        ),
        (
            lambda: segment_all(lambda image, at: image / 2.0, noise(0, 3, 3), [1]),
            "whole-number labels, got float64",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_mean_shift_without_opencv(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cv2", None)
    with pytest.raises(
        InputError, match="mean_shift: expected the package cv2, .* opencv-contrib-python-headless"
    ):
        segment("mean_shift", noise(0, 3, 3), 2)
