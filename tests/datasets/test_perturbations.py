import io

import naive
import numpy as np
import pytest
from PIL import Image
from scipy.io import loadmat

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.homographies import rotation_crop, rotation_geometry, scale_geometry
from propeval_lite.datasets.perturbations import LOSSLESS, PERTURBATIONS, geometry, perturb
from propeval_lite.datasets.registry import load_dataset


def picture(height=40, width=60, seed=0):
    """Smooth enough to be interpolated, with all grey levels."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (6, 8, 3), dtype=np.uint8))
    return np.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC))


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_every_value_gives_a_picture_of_the_size_foretold(kind):
    image = picture()
    for value in PERTURBATIONS[kind].strengths:
        changed = perturb(image, kind, value)
        assert changed.dtype == np.uint8
        assert changed.shape[1::-1] == geometry((60, 40), kind, value).size


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_one_value_changes_nothing_and_the_others_do(kind):
    image, p = picture(), PERTURBATIONS[kind]
    reference = perturb(image, "rotation", 0) if kind == "rotation" else image
    assert np.array_equal(perturb(image, kind, p.identity), reference)
    for value in set(p.strengths) - {p.identity}:
        assert not np.array_equal(perturb(image, kind, value), reference), value


def test_values_are_those_of_the_paper():
    scales = np.log2(PERTURBATIONS["scale"].strengths)
    assert len(scales) == 17 and np.allclose(scales[[0, -1]], [-1, 1])
    assert {round(float(2**s), 2) for s in scales} >= {0.9, 0.95, 0.99, 1.0, 1.01, 1.05, 1.1}
    assert PERTURBATIONS["rotation"].strengths == (-20, -15, -10, -5, -1, -0.5, 0, 0.5, 1, 5, 10, 15, 20)


@pytest.mark.data
def test_homographies_are_those_of_the_authors(real_data):
    """Their file holds those of scale 1.1 and of 1 degree, for each of the 4 952 images."""
    theirs = loadmat(real_data / "hosang/pascal_voc07_test_repeatability_homographies.mat")["homographies"][
        0, 0
    ]
    sizes = load_dataset(f"voc2007:{real_data / 'hosang'}").images[["width", "height"]].to_numpy().tolist()
    assert len(sizes) == len(theirs["rotate"])
    for i, size in enumerate(sizes):
        assert np.abs(rotation_geometry(size, 1.0).homography - theirs["rotate"][i]).max() < 1e-12
        assert np.abs(scale_geometry(size, 1.1).homography - theirs["scale"][i]).max() < 1e-12
    for kind in ("light", "jpeg", "blur", "saltnpepper"):
        assert (theirs[kind] == np.eye(3)).all()


@pytest.mark.parametrize("size", [(500, 375), (375, 500), (333, 500), (121, 90)])
def test_the_crop_lies_in_the_turned_picture_and_keeps_its_aspect(size):
    turned = np.array(size) / 2 + 0.5
    for angle in PERTURBATIONS["rotation"].strengths:
        crop, _ = rotation_crop(size, angle)
        assert abs(crop.width / crop.height - size[0] / size[1]) < 0.03
        a = np.deg2rad(angle)
        for x in (crop.x, crop.x + crop.width - 1):
            for y in (crop.y, crop.y + crop.height - 1):
                back = (
                    np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ ([x, y] - turned) + turned
                )
                assert (back > -0.5).all() and (back < np.array(size) + 1.5).all()


@pytest.mark.parametrize(
    ("kind", "value"), [("rotation", 15), ("rotation", -20), ("scale", 0.5), ("scale", 2)]
)
def test_a_mark_goes_where_the_homography_says(kind, value):
    """A bright square of the reference picture is found again in the perturbed one, to a pixel."""
    size = (200, 150)
    image = np.zeros((150, 200, 3), dtype=np.uint8)
    image[70:79, 120:129] = 255
    first = rotation_crop(size, 0)[1] - 1 if kind == "rotation" else np.zeros(2)
    centre = np.array([125, 75]) - first
    x, y, _ = geometry(size, kind, value).homography @ [*centre, 1]
    weight = perturb(image, kind, value)[:, :, 0].astype(float)
    rows, columns = np.indices(weight.shape)
    found = np.array([(columns * weight).sum(), (rows * weight).sum()]) / weight.sum() + 1
    assert np.abs(found - [x, y]).max() < 0.76


def test_shrinking_is_the_bicubic_of_pillow():
    image = picture(64, 96)
    ours = perturb(image, "scale", 0.5).astype(int)
    theirs = np.asarray(Image.fromarray(image).resize((48, 32), Image.Resampling.BICUBIC)).astype(int)
    inner = (slice(4, -4), slice(4, -4))
    assert np.abs(ours - theirs)[inner].max() <= 1


def test_scaling_keeps_an_even_grey():
    grey = np.full((20, 30, 3), 77, dtype=np.uint8)
    for value in PERTURBATIONS["scale"].strengths:
        assert (perturb(grey, "scale", value) == 77).all()


@pytest.mark.parametrize("sigma", [1, 0.45])
def test_blur_equals_the_double_sum(sigma):
    image = picture(14, 12)
    blurred = perturb(image, "blur", sigma)
    for row, column in ((0, 0), (7, 6), (13, 11), (3, 10)):
        expected = naive.blurred_pixel(image[:, :, 1].tolist(), row, column, sigma)
        assert abs(blurred[row, column, 1] - expected) <= 0.5 + 1e-9


def test_light_multiplies_brightness_and_cuts():
    image = np.array([[[200, 100, 50]]], dtype=np.uint8)
    assert perturb(image, "illumination", 150).ravel().tolist() == [255, 150, 75]
    assert perturb(image, "illumination", 50).ravel().tolist() == [100, 50, 25]


def test_jpeg_is_what_the_file_holds():
    image, buffer = picture(), io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=20)
    assert np.array_equal(perturb(image, "jpeg", 20), np.asarray(Image.open(buffer)))
    assert perturb(image, "jpeg", LOSSLESS) is not image


@pytest.mark.parametrize("n", [1, 10, 100, 1000, 2400])
def test_salt_and_pepper_changes_so_many_pixels_from_dark_to_white_and_back(n):
    image = picture()
    changed = perturb(image, "salt_and_pepper", n)
    grey = np.rint(image @ np.array([0.2989, 0.587, 0.114]))
    touched = (changed != image).any(axis=2)
    assert touched.sum() <= n <= touched.sum() + ((image == 0) | (image == 255)).all(axis=2).sum()
    assert (changed[touched & (grey < 128)] == 255).all() and (changed[touched & (grey >= 128)] == 0).all()
    assert np.array_equal(changed, perturb(image, "salt_and_pepper", n))


def test_salt_and_pepper_draws_the_numbers_of_the_authors_generator():
    """MATLAB's first two random numbers after a start are .8147 and .9058; its seed then is 5489."""
    image = np.zeros((1000, 1000, 3), dtype=np.uint8)
    image.reshape(-1)[:5489] = 1
    found = np.argwhere((perturb(image, "salt_and_pepper", 1) == 255).all(axis=2))
    assert found.tolist() == [[905, 814]]


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("scale", 0, "a scale above 0, got 0"),
        ("scale", float("nan"), "a scale above 0"),
        ("rotation", 21, "an angle of at most 20 degrees"),
        ("jpeg", 0, "a whole quality of 1 to 100"),
        ("jpeg", float("nan"), "a whole quality"),
        ("jpeg", 110, "a whole quality"),
        ("illumination", -1, "a brightness >= 0"),
        ("blur", -1, "a standard deviation >= 0"),
        ("salt_and_pepper", 2401, "a whole number of pixels of 0 to 2400"),
        ("salt_and_pepper", 1.5, "a whole number of pixels"),
        ("contrast", 1, "perturbation to be one of scale"),
    ],
)
def test_bad_values(kind, value, message):
    with pytest.raises(InputError, match=message):
        perturb(picture(), kind, value)


def test_bad_pictures():
    with pytest.raises(InputError, match="an RGB picture of bytes"):
        perturb(np.zeros((4, 4)), "blur", 1)
    with pytest.raises(InputError, match="width and height in whole pixels"):
        geometry((4.5, 3), "blur", 1)
    with pytest.raises(InputError, match="leaves something under all rotations"):
        rotation_geometry((2, 2), 5)
