from dataclasses import replace

import naive
import numpy as np
import pandas as pd
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.datasets.perturbations import PERTURBATIONS, geometry, perturb
from propeval_lite.datasets.registry import load_dataset
from propeval_lite.methods.registry import find_method
from propeval_lite.methods.run import propose_on_picture
from propeval_lite.studies import hosang_repeatability as study
from propeval_lite.studies import hosang_repeatability_pooled as pool

SCENES = "scenes?n=2&seed=1&width=96&height=72"
KINDS = ["blur", "rotation"]


@pytest.fixture(scope="module")
def scenes():
    return load_dataset(SCENES)


def quarters(image, k, rng):
    """The four quarters of the picture: always the same."""
    height, width = image.shape[:2]
    x, y = width // 2, height // 2
    return np.array([[0, 0, x, y], [x, 0, width, y], [0, y, x, height], [x, y, width, height]]), None


def fails_on_small(image, k, rng):
    if image.shape[1] < 60:
        raise RuntimeError("too small")
    return quarters(image, k, rng)


def finds_nothing_dark(image, k, rng):
    return (np.empty((0, 4)), None) if image.mean() < 60 else quarters(image, k, rng)


def in_the_corner(image, k, rng):
    return np.array([[0, 0, 3, 3]]), None


def curve(method, dataset, kinds=None, thin=500, empty="zero", **options):
    task, answers = study.repeat_dataset(method, dataset, kinds, 50, 1, workers=1, **options)
    return pool.summarise(task, answers, thin, empty, 10, 1), answers


@pytest.mark.parametrize("method", ["sliding_window", "edge_boxes"])
def test_a_deterministic_method_repeats_exactly_where_nothing_changes(method, scenes):
    table, answers = curve(method, scenes, empty="leave_out")
    for kind, p in PERTURBATIONS.items():
        same = table[(table["perturbation"] == kind) & np.isclose(table["value"], p.identity)]
        assert (same["repeatability"].dropna() == 1).all() and same["repeatability"].notna().any()
        assert all((answer[f"{kind}.iou"][p.strengths.index(p.identity)] == 1).all() for answer in answers)
    assert table["repeatability"].min() < 1


def test_one_picture_equals_the_oracle(scenes):
    """Boxes, projections, drops, matching, groups and the area, all by the slow way."""
    image_id = scenes.images["image_id"][0]
    image = scenes.image(image_id)
    task, answers = study.repeat_dataset("edge_boxes", scenes.subset([image_id]), KINDS, 40, 1, workers=1)
    method = find_method("edge_boxes")
    for kind in KINDS:
        reference_picture = perturb(image, kind, 0)
        size = reference_picture.shape[1::-1]
        reference = propose_on_picture(method, reference_picture, 40, None, study.rep.FRAME, "keep")
        for i, value in enumerate(PERTURBATIONS[kind].strengths):
            g = geometry(image.shape[1::-1], kind, value)
            found = propose_on_picture(method, perturb(image, kind, value), 40, None, study.rep.FRAME, "keep")
            expected = naive.repeats(reference.tolist(), found.tolist(), g.homography.tolist(), size, g.size)
            iou = answers[0][f"{kind}.iou"][i]
            assert np.allclose(iou, np.array(expected, dtype=float), rtol=0, atol=1e-9, equal_nan=True)
            areas = ((reference[:, 2:] - reference[:, :2]) + 1).prod(axis=1)
            worth = naive.repeatability(expected, areas.tolist(), [size[0] * size[1]] * len(areas))
            table = pool.summarise(task, answers, 500, "zero", 5, 0)
            row = table[(table["perturbation"] == kind) & (table["value"] == value) & (table["of"] == "all")]
            assert row["repeatability"].item() == pytest.approx(worth, abs=1e-9)


def test_boxes_that_touch_objects_are_matched_among_themselves(scenes):
    """Both sides keep only boxes that overlap an object with half; nothing else can be a partner."""
    _, answers = study.repeat_dataset("uniform", scenes, ["blur"], 200, 1, workers=1)
    answer, image_id = answers[0], scenes.images["image_id"][0]
    objects = scenes.objects[scenes.objects["image_id"] == image_id][["x1", "y1", "x2", "y2"]].to_numpy()
    objects = objects + np.array([1, 1, 0, 0])
    streams = [(image_id, "reference"), (image_id, "blur", 0.0)]
    image, method = scenes.image(image_id), find_method("uniform")
    both = []
    for stream in streams:
        rng = study.image_generator(1, stream)
        boxes = propose_on_picture(method, image, 200, rng, study.rep.FRAME, "keep")
        both.append([b for b in boxes.tolist() if max(naive.box_overlap(o, b, 1) for o in objects) >= 0.5])
    assert np.allclose(answer["blur.touching"][0], naive.greedy_table(*both), rtol=0, atol=1e-12)


def test_random_methods_draw_anew_for_each_version(scenes):
    table, _ = curve("uniform", scenes, ["blur"])
    assert table.loc[table["of"] == "all", "repeatability"].nunique() == len(PERTURBATIONS["blur"].strengths)
    assert (table["repeatability"].dropna() < 1).all()


def test_the_answer_is_the_same_for_any_number_of_workers_and_when_resumed(tmp_path, scenes):
    data = load_dataset("scenes?n=5&seed=1&width=64&height=48")
    task, alone = study.repeat_dataset("edge_boxes", data, KINDS, 30, 1, workers=1)
    _, several = study.repeat_dataset("edge_boxes", data, KINDS, 30, 1, workers=2)
    first = data.subset(data.images["image_id"][:2], name=data.name)
    study.repeat_dataset("edge_boxes", data, KINDS, 30, 1, workers=1, checkpoint=str(tmp_path))
    done = sorted(tmp_path.rglob("*.npz"))
    for path in done[2:]:
        path.unlink()
    _, resumed = study.repeat_dataset("edge_boxes", data, KINDS, 30, 1, workers=2, checkpoint=str(tmp_path))
    tables = [
        pool.summarise(task, answers, 500, "zero", 10, 1).to_csv().encode()
        for answers in (alone, several, resumed)
    ]
    assert tables[0] == tables[1] == tables[2]
    assert len(done) == 5 and len(first.images) == 2


def test_a_folder_in_the_environment_keeps_finished_images(tmp_path, monkeypatch, scenes):
    monkeypatch.setenv(study.CHECKPOINTS, str(tmp_path))
    curve("uniform", scenes, ["blur"])
    assert len(list(tmp_path.rglob("*.npz"))) == 2


def test_failures_are_reported_and_not_averaged_away(scenes):
    task = study.Task(f"{__name__}:fails_on_small", study.settings(["scale"]), 10, 1)
    shown = study.Shown("a", scenes.image(scenes.images["image_id"][0]), np.array([[1, 1, 48, 36]]))
    method = replace(find_method("uniform"), function=fails_on_small, needs="image", name="fails")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "find_method", lambda spec: method)
        patch.setattr(study, "located", lambda spec: spec)
        answer = study.repeat_picture(task, shown)
    small = np.array(PERTURBATIONS["scale"].strengths) * 96 <= 59
    assert small.any()
    assert [bool(text) for text in answer["scale.problem"]] == small.tolist()
    assert answer["scale.problem"][0] == "RuntimeError: too small"
    assert np.isnan(answer["scale.iou"][small]).all() and not np.isnan(answer["scale.iou"][~small]).any()
    summary = pool.summarise(task, [answer], 500, "zero", 5, 1)
    rows = summary[(summary["of"] == "all")].set_index("value")
    assert rows["images"].tolist() == (~small).astype(int).tolist()
    assert rows["repeatability"].isna().tolist() == small.tolist()


@pytest.mark.parametrize(
    ("function", "kind", "problem"),
    [
        (finds_nothing_dark, "illumination", "no boxes"),
        (in_the_corner, "rotation", "no boxes left after projection"),
    ],
)
def test_nothing_to_compare_is_said(function, kind, problem, monkeypatch):
    method = replace(find_method("uniform"), function=function, needs="image")
    monkeypatch.setattr(study, "find_method", lambda spec: method)
    monkeypatch.setattr(study, "located", lambda spec: spec)
    image = np.full((80, 100, 3), 100, dtype=np.uint8)
    answer = study.repeat_picture(
        study.Task("x", study.settings([kind]), 10, 1), study.Shown("a", image, np.empty((0, 4)))
    )
    assert problem in answer[f"{kind}.problem"].tolist()
    assert "" in answer[f"{kind}.problem"].tolist()


def test_a_picture_too_narrow_to_be_turned_is_a_problem_of_that_picture():
    task = study.Task("uniform", study.settings(["rotation", "blur"]), 10, 1)
    answer = study.repeat_picture(task, study.Shown("a", np.zeros((346, 12, 3), np.uint8), np.empty((0, 4))))
    assert all("leaves something under all rotations" in text for text in answer["rotation.problem"])
    assert not any(answer["blur.problem"])
    table = pool.summarise(task, [answer], 500, "zero", 5, 1).set_index("perturbation")
    assert table.loc["rotation", "repeatability"].isna().all()
    assert table[table["of"] == "all"].loc["blur", "repeatability"].notna().all()


def test_a_degenerate_homography_is_a_problem_of_that_value(monkeypatch):
    def flat(size, kind, value):
        found = geometry(size, kind, value)
        return found._replace(homography=np.diag([1.0, 0, 1])) if value == 2 else found

    monkeypatch.setattr(study, "geometry", flat)
    task = study.Task("uniform", study.settings(["blur"]), 10, 1)
    answer = study.repeat_picture(task, study.Shown("a", np.zeros((40, 50, 3), np.uint8), np.empty((0, 4))))
    flattened = ["flattens the plane" in text for text in answer["blur.problem"]]
    assert flattened == [value == 2 for value in PERTURBATIONS["blur"].strengths]
    assert np.isnan(answer["blur.iou"][2]).all() and not np.isnan(answer["blur.iou"][1]).any()


def test_a_method_that_fails_on_the_reference(monkeypatch):
    method = replace(find_method("uniform"), function=finds_nothing_dark, needs="image")
    monkeypatch.setattr(study, "find_method", lambda spec: method)
    monkeypatch.setattr(study, "located", lambda spec: spec)
    dark = np.zeros((40, 50, 3), dtype=np.uint8)
    task = study.Task("x", study.settings(["blur"]), 10, 1)
    answer = study.repeat_picture(task, study.Shown("a", dark, np.empty((0, 4))))
    assert set(answer["blur.problem"]) == {"reference: no boxes"}
    table = pool.summarise(task, [answer], 500, "zero", 5, 1)
    assert table["repeatability"].isna().all() and (table["empty groups"] == 10).all()


def test_sizes_are_enough_for_blind_methods():
    images = pd.DataFrame({"image_id": ["a", "b"], "width": [96, 50], "height": [72, 60]})
    sizes = Dataset("sizes", images, no_objects(), pixels="inclusive", origin=1)
    table, _ = curve("uniform", sizes)
    assert set(table["perturbation"]) == set(study.GEOMETRIC)
    assert study.runnable(["uniform", "edge_boxes"], sizes) == (["uniform"], ["edge_boxes"])


def test_files_cannot_repeat(scenes):
    with pytest.raises(InputError, match="methods that can be run again, got the boxes of a file"):
        study.runnable(["uniform", "file:boxes.csv"], scenes)


def test_unknown_perturbations():
    with pytest.raises(InputError, match="perturbations out of scale, jpeg"):
        study.settings(["contrast"])


def test_intervals_contain_the_value(scenes):
    table, _ = curve("uniform", scenes, ["blur"])
    rows = table.dropna(subset="repeatability")
    assert (rows["low"] <= rows["repeatability"]).all() and (rows["repeatability"] <= rows["high"]).all()


def test_more_images_are_more_boxes(scenes):
    table, _ = curve("uniform", scenes, ["blur"])
    rows = table[table["of"] == "all"]
    assert (rows["boxes"] == 100).all() and (rows["images"] == 2).all()


@pytest.mark.data
@pytest.mark.jit
@pytest.mark.parametrize(
    ("method", "published"), [("uniform", 0.65378), ("gaussian", 0.64661), ("sliding_window", 1)]
)
def test_blind_methods_where_nothing_changes_are_as_published(method, published, real_data, monkeypatch):
    """On every tenth picture of VOC 2007; all of them take ten times as long and come closer."""
    data = load_dataset(f"voc2007:{real_data / 'hosang'}?part=::10")
    monkeypatch.setattr(study, "settings", lambda kinds: (("scale", (1.0,)),))
    task, answers = study.repeat_dataset(method, data, None, 1000, 0, workers=1)
    row = pool.summarise(task, answers, 500, "zero", 20, 0).iloc[0]
    assert abs(row["repeatability"] - published) < 0.005
    assert row["empty groups"] == 0 and row["images"] == len(data.images)
