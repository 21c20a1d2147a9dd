"""The synthetic scenes: the same everywhere, tight boxes, valid partitions, VOC-like sizes and counts."""

import math
import pickle
import zlib

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import find_objects
from skimage.segmentation import felzenszwalb

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.scenes import annotators, shapes
from propeval_lite.datasets.scenes import load as module
from propeval_lite.datasets.scenes.categories import CATEGORIES, MATERIALS
from propeval_lite.datasets.scenes.load import load_scenes, scene_categories
from propeval_lite.datasets.scenes.textures import TEXTURES

# Quantiles of sqrt(box area / image area), mean number of objects and share of images with one or two objects: computed
# by us from the 14 976 boxes of the 4 952 images of PASCAL VOC 2007 test.
VOC_LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
VOC_SIZES = (0.075, 0.131, 0.267, 0.497, 0.726)
VOC_MEAN_COUNT = 3.02
VOC_ONE_OR_TWO = 0.618


@pytest.fixture(scope="module")
def small():
    return load_scenes(n=24, seed=11, width=160, height=120)


def forget():
    for cached in (module._scene, module._picture, module._partitions):
        cached.cache_clear()


def digest(dataset, image_id):
    pixels = [dataset.image(image_id), dataset.masks(image_id), *dataset.partitions(image_id)]
    boxes = dataset.objects.loc[dataset.objects["image_id"] == image_id, ["x1", "y1", "x2", "y2"]].to_numpy()
    code = 0
    for array in [*pixels, boxes]:
        code = zlib.crc32(np.ascontiguousarray(array).tobytes(), code)
    return code


def test_same_seed_same_bytes_whatever_n_and_order(small):
    ids = ["scene-00002", "scene-00000", "scene-00005"]
    forward = {image_id: digest(small, image_id) for image_id in ids}
    forget()
    fewer = load_scenes(n=6, seed=11, width=160, height=120)
    assert {image_id: digest(fewer, image_id) for image_id in reversed(ids)} == forward
    kept = small.objects[small.objects["image_id"].isin(fewer.images["image_id"])]
    assert kept.equals(fewer.objects)


def test_order_of_questions_does_not_matter(small):
    forget()
    first = small.partitions("scene-00003"), small.masks("scene-00003"), small.image("scene-00003")
    forget()
    again = small.image("scene-00003"), small.masks("scene-00003"), small.partitions("scene-00003")
    assert np.array_equal(first[2], again[0])
    assert np.array_equal(first[1], again[1])
    assert all(np.array_equal(a, b) for a, b in zip(first[0], again[2], strict=True))


def test_picture_can_be_painted_twice_from_one_layout(small):
    before = small.image("scene-00004")
    module._picture.cache_clear()
    assert np.array_equal(small.image("scene-00004"), before)


def test_other_seed_gives_other_scenes(small):
    other = load_scenes(n=2, seed=12, width=160, height=120)
    assert digest(other, "scene-00000") != digest(small, "scene-00000")
    assert not np.array_equal(other.image("scene-00000"), small.image("scene-00000"))


def test_known_bytes():
    """A change here means that every published figure on scenes changes: raise GENERATOR_VERSION with it."""
    scenes = load_scenes(n=3, seed=5, width=96, height=72)
    assert module.GENERATOR_VERSION == 1
    assert [digest(scenes, image_id) for image_id in scenes.images["image_id"]] == [
        2170402392,
        1730741,
        2359911695,
    ]


def test_what_is_given_out_may_be_written_on(small):
    image, partitions = small.image("scene-00001"), small.partitions("scene-00001")
    before = image.copy(), partitions[0].copy()
    image[:] = 0
    partitions[0][:] = -1
    assert np.array_equal(small.image("scene-00001"), before[0])
    assert np.array_equal(small.partitions("scene-00001")[0], before[1])


def test_tables(small):
    assert list(small.images.columns) == ["image_id", "width", "height", "setting"]
    assert small.images["image_id"].iloc[7] == "scene-00007"
    assert set(small.objects["image_id"]) == set(small.images["image_id"]), "every image has an object"
    assert small.objects["object_id"].tolist() == list(range(1, len(small.objects) + 1))
    assert small.pixels == "edges"
    assert small.origin == 0
    assert not small.objects["ignore"].any()
    families = scene_categories().set_index("category")["family"]
    assert (small.objects["family"] == small.objects["category"].map(families)).all()
    expected = {
        "seed": 11,
        "n": 24,
        "width": 160,
        "height": 120,
        "generator_version": module.GENERATOR_VERSION,
    }
    assert expected.items() <= small.provenance.items()


def test_boxes_are_tight_around_visible_pixels(small):
    for image_id, objects in small.objects.groupby("image_id"):
        masks = small.masks(image_id)
        assert masks.shape == (len(objects), 120, 160)
        assert masks.dtype == bool
        assert masks.sum(axis=0).max() <= 1, "no pixel shows two objects"
        for mask, row in zip(masks, objects.itertuples(), strict=True):
            ys, xs = np.nonzero(mask)
            assert (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1) == (row.x1, row.y1, row.x2, row.y2)
            assert mask.sum() == row.area
            assert 0 < row.visible <= 1
            assert row.occluded == (row.visible < 0.995)


def test_occlusion_and_truncation_happen_but_not_always(small):
    assert 0.1 < small.objects["occluded"].mean() < 0.7
    assert 0.05 < small.objects["truncated"].mean() < 0.6
    touches = (
        (small.objects[["x1", "y1"]] == 0).any(axis=1)
        | (small.objects["x2"] == 160)
        | (small.objects["y2"] == 120)
    )
    assert touches[small.objects["truncated"]].mean() > 0.7


def test_parts_divide_the_objects(small):
    for image_id in small.images["image_id"][:8]:
        labels, table = small.parts(image_id)
        objects = small.objects[small.objects["image_id"] == image_id]
        assert table["label"].tolist() == list(range(1, len(table) + 1))
        assert set(np.unique(labels)) - {0} == set(table["label"])
        assert table.groupby("object_id").size().between(1, 5).all()
        for mask, object_id in zip(small.masks(image_id), objects["object_id"], strict=True):
            own = table.loc[table["object_id"] == object_id, "label"]
            assert np.array_equal(np.isin(labels, own), mask)


def test_partitions_are_valid_and_differ(small):
    for image_id in small.images["image_id"]:
        partitions = small.partitions(image_id)
        assert 4 <= len(partitions) <= 6
        for labels in partitions:
            assert labels.shape == (120, 160)
            assert labels.dtype == np.int32
            assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
        regions = [int(labels.max()) + 1 for labels in partitions]
        assert max(regions) > min(regions)
        for k, labels in enumerate(partitions):
            assert not any(np.array_equal(labels, other) for other in partitions[:k])


def test_partition_regions_are_connected(small):
    for labels in small.partitions("scene-00002"):
        assert naive.regions_connected(labels)


def test_annotators_agree_on_large_objects():
    """A whole-object annotator has a region close to each large unoccluded object; so boundaries move only a little."""
    scenes = load_scenes(n=12, seed=1, width=250, height=188)
    best = []
    for row in scenes.objects[
        (scenes.objects["visible"] == 1) & (scenes.objects["area"] > 3000)
    ].itertuples():
        order = (
            scenes.objects.loc[scenes.objects["image_id"] == row.image_id, "object_id"]
            .tolist()
            .index(row.object_id)
        )
        mask = scenes.masks(row.image_id)[order]
        ious = []
        for labels in scenes.partitions(row.image_id):
            inside = np.bincount(labels[mask], minlength=labels.max() + 1)
            union = np.bincount(labels.ravel()) + mask.sum() - inside
            ious.append((inside / union).max())
        best.append(max(ious))
    assert len(best) >= 5
    assert np.median(best) > 0.9
    assert max(best) < 1


def test_wandering_stays_within_reach():
    rng = np.random.default_rng(3)
    labels = np.zeros((60, 80), np.int32)
    labels[:, 40:] = 1
    moved = annotators._wander(labels, rng, 1.5)
    assert (moved != labels).any()
    changed = np.nonzero(moved != labels)[1]
    assert (np.abs(changed - 39.5) <= 1.5 * 1.5 + 0.5).all()


def test_small_regions_go_to_the_longest_neighbour():
    labels = np.zeros((6, 8), np.int32)
    labels[:, 4:] = 7
    labels[2, 3] = 9  # three sides touch 0, one touches 7
    labels[5, 7] = 0  # a second piece of label 0, too small to stay
    tidy = annotators._tidy(labels, 3)
    expected = np.zeros((6, 8), np.int32)
    expected[:, 4:] = 1
    assert np.array_equal(tidy, expected)


def test_categories_are_many_and_distinct():
    table = scene_categories()
    assert len(table) >= 80
    assert table["category"].is_unique
    assert table["family"].nunique() >= 12
    assert table["parts"].between(2, 5).all()
    assert not table.duplicated(["family", "texture"]).any(), (
        "within a family no two categories share a pattern"
    )
    assert len({(kind.texture, kind.main, kind.detail) for kind in CATEGORIES}) == len(CATEGORIES)
    for kind in CATEGORIES:
        assert len({piece.name for piece in kind.parts}) == len(kind.parts)
        for piece in kind.parts:
            assert kind.material(piece.material)[0] in TEXTURES
    assert all(texture in TEXTURES for texture, *_ in MATERIALS.values())


def test_category_shapes_differ():
    """Silhouettes in a common frame: no category is another in disguise."""
    pictures = []
    for kind in CATEGORIES:
        outlines = [outline for piece in kind.parts for outline in piece.outlines]
        every = np.concatenate(outlines)
        low, high = every.min(axis=0), every.max(axis=0)
        picture = np.zeros((32, 32), bool)
        x0, y0, cover = shapes.coverage([(outline - low) * 32 / (high - low) for outline in outlines], 32, 32)
        picture[y0 : y0 + cover.shape[0], x0 : x0 + cover.shape[1]] = cover >= 128
        pictures.append(picture.ravel())
    pictures = np.array(pictures).astype(int)
    inter = pictures @ pictures.T
    area = pictures.sum(axis=1)
    iou = inter / (area[:, None] + area[None, :] - inter)
    families = np.array([kind.family for kind in CATEGORIES])
    same = (families[:, None] == families[None, :]) & ~np.eye(len(families), dtype=bool)
    assert iou[same].max() < 0.97
    assert np.median(iou[same]) < 0.75


def test_first_images_show_every_category():
    table = load_scenes(n=len(CATEGORIES), seed=2, width=96, height=72)
    assert set(table.objects["category"]) == set(scene_categories()["category"])


def test_only_chosen_categories_appear():
    chosen = ["bus", "owl"]
    scenes = load_scenes(n=8, seed=1, width=96, height=72, categories=chosen)
    assert set(scenes.objects["category"]) == set(chosen)
    assert scenes.provenance["categories"] == chosen
    assert set(load_scenes(n=2, width=96, height=72, categories="melon").objects["category"]) == {"melon"}


def test_counts_and_sizes_are_like_voc():
    scenes = load_scenes(n=300, seed=4)
    objects = scenes.objects
    size = np.sqrt((objects["x2"] - objects["x1"]) * (objects["y2"] - objects["y1"]) / (500 * 375))
    # a quantile over 900 objects in 300 images has a standard error of about 0.02 at most
    assert np.abs(np.quantile(size, VOC_LEVELS) - VOC_SIZES).max() < 0.08
    assert size.min() < 0.05
    assert size.max() > 0.95
    count = objects.groupby("image_id").size()
    # counts have a standard deviation of about 3, so their mean a standard error of 0.17
    assert abs(count.mean() - VOC_MEAN_COUNT) < 0.6
    assert abs((count <= 2).mean() - VOC_ONE_OR_TWO) < 0.1
    assert count.max() >= 8


@pytest.mark.data
def test_voc_numbers_are_those_of_the_data(real_data):
    from scipy.io import loadmat

    path = real_data / "hosang" / "pascal_voc07_test_annotations.mat"
    if not path.is_file():
        pytest.skip(f"{path.name} not found")
    records = loadmat(path, squeeze_me=True, struct_as_record=False)["impos"]
    sizes, counts = [], []
    for record in records:
        boxes = np.atleast_2d(record.boxes).astype(float)
        area = (boxes[:, 2] - boxes[:, 0] + 1) * (boxes[:, 3] - boxes[:, 1] + 1)
        sizes += np.sqrt(area / float(record.img_area)).tolist()
        counts.append(len(boxes))
    counts = np.array(counts)
    assert np.quantile(sizes, VOC_LEVELS) == pytest.approx(VOC_SIZES, abs=5e-4)
    assert counts.mean() == pytest.approx(VOC_MEAN_COUNT, abs=5e-3)
    assert (counts <= 2).mean() == pytest.approx(VOC_ONE_OR_TWO, abs=5e-4)


def test_neither_trivial_nor_hopeless_for_a_segmentation_method():
    scenes = load_scenes(n=10, seed=6, width=250, height=188)
    best = []
    for image_id in scenes.images["image_id"]:
        image = scenes.image(image_id)
        slices = [s for scale in (50, 400) for s in find_objects(felzenszwalb(image, scale, 0.8, 30) + 1)]
        boxes = np.array([(xs.start, ys.start, xs.stop, ys.stop) for ys, xs in slices], float)
        rows = scenes.objects.loc[scenes.objects["image_id"] == image_id, ["x1", "y1", "x2", "y2"]].to_numpy()
        for box in rows:
            w = np.minimum(boxes[:, 2], box[2]) - np.maximum(boxes[:, 0], box[0])
            h = np.minimum(boxes[:, 3], box[3]) - np.maximum(boxes[:, 1], box[1])
            inter = np.maximum(w, 0) * np.maximum(h, 0)
            area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
            best.append((inter / (area + (box[2] - box[0]) * (box[3] - box[1]) - inter)).max())
    assert 0.25 < (np.array(best) >= 0.5).mean() < 0.95


@pytest.mark.parametrize(("width", "height"), [(32, 32), (32, 90), (90, 32)])
def test_small_images(width, height):
    scenes = load_scenes(n=12, seed=9, width=width, height=height)
    assert set(scenes.objects["image_id"]) == set(scenes.images["image_id"])
    for image_id in scenes.images["image_id"][:4]:
        assert scenes.image(image_id).shape == (height, width, 3)
        assert scenes.masks(image_id).any(axis=(1, 2)).all()
        assert all(labels.shape == (height, width) for labels in scenes.partitions(image_id))


def test_pictures_use_the_range_of_brightness(small):
    for image_id in small.images["image_id"][:6]:
        image = small.image(image_id)
        assert image.dtype == np.uint8
        assert image.std() > 15
        assert (image == 255).mean() < 0.2


def test_subset_and_pickle_keep_everything(small):
    part = pickle.loads(pickle.dumps(small.subset(["scene-00003", "scene-00001"])))
    assert part.images["image_id"].tolist() == ["scene-00001", "scene-00003"]
    assert digest(part, "scene-00003") == digest(small, "scene-00003")
    assert part.parts("scene-00003")[1].equals(small.parts("scene-00003")[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "expected n to be a whole number >= 1, got 0"),
        ({"n": 2.5}, "expected n to be a whole number >= 1, got 2.5"),
        ({"n": True}, "expected n to be a whole number >= 1, got True"),
        ({"seed": -1}, "expected seed to be a whole number >= 0, got -1"),
        ({"width": 31}, "expected width to be a whole number >= 32, got 31"),
        ({"height": 8}, "expected height to be a whole number >= 32, got 8"),
        (
            {"categories": ["unicorn"]},
            "scenes: categories: expected names of scene categories, got 'unicorn'",
        ),
        ({"categories": []}, "scenes: categories: expected at least one category, got none"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError) as caught:
        load_scenes(**{"n": 1, **options})
    assert str(caught.value).startswith(message)


def test_unknown_image(small):
    with pytest.raises(InputError, match="unknown id 'scene-99999'"):
        small.image("scene-99999")
    with pytest.raises(InputError, match="unknown id 'scene-99999'"):
        small.parts("scene-99999")


def test_sine_is_a_sine():
    turns = np.linspace(-3, 3, 301)
    assert np.abs(shapes.sine(turns) - [math.sin(2 * math.pi * t) for t in turns]).max() < 1e-7
    assert np.abs(shapes.cosine(turns) - [math.cos(2 * math.pi * t) for t in turns]).max() < 1e-7


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-64, 256), st.integers(-64, 224)), min_size=3, max_size=3))
def test_coverage_of_triangles_is_the_area_inside(corners):
    points = np.array(corners) / 32
    x0, y0, cover = shapes.coverage([points], 6, 5)
    picture = np.zeros((5, 6))
    picture[y0 : y0 + cover.shape[0], x0 : x0 + cover.shape[1]] = cover / shapes.FULL
    assert np.abs(picture - naive.polygon_cover(points, 6, 5)).max() < 0.1


def test_coverage_of_rectangles_is_exact():
    rectangle = np.array([[2.25, 1.0], [5.5, 1.0], [5.5, 3.5], [2.25, 3.5]])
    x0, y0, cover = shapes.coverage([rectangle[::-1]], 12, 10)
    assert (x0, y0) == (2, 1)
    assert cover.tolist() == [[191, 255, 255, 127]] * 2 + [[95, 127, 127, 63]]
    assert np.array_equal(shapes.coverage([rectangle], 12, 10)[2], cover)
    assert shapes.coverage([rectangle + 40], 12, 10)[2].size == 0


def test_ring_has_a_hole():
    cover = shapes.coverage([shapes.ring(10, 10, 8, 4)], 20, 20)[2]
    assert cover[8, 8] == 0
    assert cover[8, 2] == 255
    assert cover.sum() / 255 == pytest.approx(math.pi * (64 - 16), rel=0.02)


def test_soften_is_a_mean_over_a_box():
    cover = np.zeros((15, 17), np.uint8)
    cover[7, 8] = 225
    soft = shapes.soften(cover, 1)
    assert soft.shape == cover.shape
    assert soft[7, 8] == 25
    assert soft[5, 8] == 8
    assert soft[7, 11] == 0
    assert (shapes.soften(np.full((9, 9), 90, np.uint8), 1)[2:-2, 2:-2] == 90).all()


@pytest.mark.parametrize("name", sorted(TEXTURES))
def test_textures_mix_between_two_colours(name):
    v, u = np.mgrid[0:60, 0:60].reshape(2, -1).astype(np.float32) / np.float32(7.3)
    mix = TEXTURES[name](u, v)
    assert mix.dtype == np.float32
    assert mix.shape == u.shape
    assert mix.min() >= 0
    assert mix.max() <= 1
    assert mix.std() > 0.02
