"""The study of mask proposals, on tables small enough to check by hand and on tiny pictures."""

import numpy as np
import pandas as pd
import pytest

from propeval_lite._checks.values import InputError
from propeval_lite.datasets import load_dataset
from propeval_lite.datasets.base import Dataset, no_objects
from propeval_lite.masks import boundary_f, jaccard, propose_masks
from propeval_lite.masks.methods import quadtree
from propeval_lite.results import Result
from propeval_lite.studies import ponttuset_objects as study
from propeval_lite.studies.ponttuset_objects_told import quadtree_halves as told_of


def test_study_and_its_summary():
    data = load_dataset("scenes", n=2, width=80, height=60, seed=1)
    table = study.judge_masks(data, "quadtree", [1, 20], progress=False)
    counted = (~data.objects["ignore"]).sum()
    areas = [mask.mean() for image_id in data.images["image_id"] for mask in data.masks(image_id)]
    ignored = data.objects["ignore"].to_numpy(dtype=bool)
    assert sorted(table.loc[table["budget"] == 1, "share"]) == sorted(np.array(areas)[~ignored])
    assert len(table) == 2 * counted and table["proposals"].tolist()[0] == 1
    summary = study.summarise_masks(table, levels=[0.3], n_bootstrap=50)
    for budget in (1, 20):
        best = table.loc[table["budget"] == budget, "jaccard"]
        rows = summary[(summary["budget"] == budget) & (summary["measure"] == "jaccard")]
        values = rows.set_index("statistic")["value"]
        assert values["mean"] == pytest.approx(best.mean())
        assert values["median"] == pytest.approx(best.median())
        assert values["recall"] == pytest.approx((best >= 0.3).mean())
    again = study.judge_masks(data, lambda image, rng: quadtree(image), [20], progress=False)
    pd.testing.assert_series_equal(
        again["jaccard"], table[table["budget"] == 20]["jaccard"].reset_index(drop=True)
    )


def test_standard_error_draws_images():
    rows = [(f"i{k}", o, float(k % 2)) for k in range(100) for o in range(5)]
    table = pd.DataFrame(rows, columns=["image_id", "object_id", "jaccard"])
    table = table.assign(dataset="d", method="m", budget=1, proposals=1, boundary=np.nan)
    summary = study.summarise_masks(table, n_bootstrap=2000)
    assert set(summary["measure"]) == {"jaccard"}
    # 100 images, half of them solved: 0.05, although there are 500 objects.
    assert summary.set_index("statistic").loc["mean", "error"] == pytest.approx(0.05, abs=0.005)


def test_void_label_of_a_data_set():
    objects = pd.DataFrame([("a", 1, "x", 0.0, 0.0, 1.0, 1.0, False), ("a", 2, "x", 0.0, 0.0, 1.0, 1.0, True)],
                           columns=no_objects().columns)  # fmt: skip
    mask = np.zeros((4, 4), dtype=bool)
    mask[:2, :2] = True
    partition = np.where(mask, 1, 0)
    partition[2, :2] = partition[3, :2] = 255
    data = Dataset(
        "tiny",
        pd.DataFrame({"image_id": ["a"], "width": [4], "height": [4]}),
        objects,
        read_image=lambda _: np.zeros((4, 4, 3), dtype=np.uint8),
        read_masks=lambda _: np.stack([mask, ~mask]),
        read_partitions=lambda _: [partition],
    )
    with_void = study.judge_masks(data, "quadtree", [3], void=255, progress=False)
    without = study.judge_masks(data, "quadtree", [3], progress=False)
    assert with_void["object_id"].tolist() == [1]
    assert with_void["jaccard"].tolist() == [1.0] and without["jaccard"].tolist() == [0.5]


def test_no_object_to_find():
    data = Dataset("none", pd.DataFrame({"image_id": ["a"], "width": [4], "height": [4]}), no_objects())
    with pytest.raises(InputError, match="expected a data set with objects to find, got none"):
        study.judge_masks(data, "quadtree", [1], progress=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"levels": [2]}, r"expected levels in \(0, 1\]"),
        ({"n_bootstrap": 1}, "expected n_bootstrap to be a whole"),
    ],
)
def test_errors(options, message):
    with pytest.raises(InputError, match=message):
        study.summarise_masks(pd.DataFrame(), **options)


def tiny(name, void=False):
    """One picture of 8 x 6 pixels whose left half is the object; with `void`, two columns beside it are not counted."""
    row = ("a", 1, "x", 0.0, 0.0, 4.0, 6.0, False)
    mask = np.zeros((6, 8), dtype=bool)
    mask[:, :4] = True
    partition = mask.astype(int)
    partition[:, 4:6] = 255 if void else 0
    return Dataset(
        name,
        pd.DataFrame({"image_id": ["a"], "width": [8], "height": [6]}),
        pd.DataFrame([row], columns=no_objects().columns),
        read_image=lambda _: np.zeros((6, 8, 3), dtype=np.uint8),
        read_masks=lambda _: mask[None],
        read_partitions=lambda _: [partition],
    )


def test_data_sets_of_one_name_go_by_their_spec():
    # Loaded data sets know their spec without options.
    data = {f"scenes?seed={seed}": tiny("scenes") for seed in (1, 2)}
    objects, sizes = study.judge_data_sets(data, ["quadtree"], [1, 2], 0.01, 0)
    assert sizes == {"scenes": 1, "scenes?seed=2": 1}
    # The whole picture covers the object twice over, its left half is the object.
    assert objects["dataset"].tolist() == 2 * ["scenes"] + 2 * ["scenes?seed=2"]
    assert objects["jaccard"].tolist() == [0.5, 1, 0.5, 1]


def test_conventions_are_tried_on_voc_only():
    objects, _ = study.judge_data_sets(
        {"voc2012": tiny("voc2012-val", void=True)}, ["quadtree"], [1, 2], 0.01, 0
    )
    best = objects.pivot_table("jaccard", "method", "budget", sort=False)
    # Without the void columns, 12 pixels, the whole picture has 36 of which 24 are the object. Halved along the shorter
    # side first, the second mask is the upper half.
    assert best.loc["quadtree"].tolist() == [pytest.approx(24 / 36), 1]
    assert best.loc["quadtree, void counted"].tolist() == [0.5, 1]
    assert best.loc["quadtree, shorter side first"].tolist() == [pytest.approx(24 / 36)] * 2
    assert best.loc["quadtree, both"].tolist() == [0.5, 0.5]
    assert study.without_variants(objects)["method"].unique().tolist() == ["quadtree"]


def test_shorter_side_first():
    image = np.zeros((6, 8, 3), dtype=np.uint8)
    assert study.shorter_first(image, None).mask(1)[:3].all()


def summary_rows():
    """Two methods on one data set at two budgets, and a variant that no table of the page shows."""
    rows = []
    for method, shift in (("grouping", 0.0), ("quadtree", -0.1), ("quadtree, both", 0.3)):
        for measure, low in (("jaccard", 0.4), ("boundary", 0.5)):
            for budget in (10, 100):
                value = low + shift + budget / 1000
                head = ("d", method, budget, budget - 0.4, 7, measure)
                rows.append((*head, "mean", np.nan, value, 0.01))
                rows.append((*head, "median", np.nan, value + (0.1 if method == "grouping" else -0.1), 0.01))
                rows += [(*head, "recall", level, value - level / 4, 0.01) for level in (0.85, 0.5)]
    columns = [
        "dataset",
        "method",
        "budget",
        "proposals",
        "objects",
        "measure",
        "statistic",
        "level",
        "value",
        "error",
    ]
    return pd.DataFrame(rows, columns=columns)


def test_largest_budget():
    table = study.at_largest(summary_rows())
    assert table.columns.tolist() == [
        "dataset", "measure", "method", "masks", "mean", "median", "recall at 0.85", "recall at 0.5"]  # fmt: skip
    assert table[["measure", "method"]].to_numpy().tolist() == [
        [measure, method] for measure in ("jaccard", "boundary") for method in ("grouping", "quadtree")
    ]
    row = table.query("method == 'grouping' and measure == 'jaccard'").iloc[0]
    assert row["masks"] == 100
    assert row[["mean", "median", "recall at 0.5"]].tolist() == pytest.approx([0.5, 0.6, 0.375])


def objects_rows():
    """Four objects, two methods; by J quadtree is below on the larger half, by boundaries above on the smaller."""
    scores = {
        "grouping": ([0.2, 0.4, 0.6, 0.8], [0.1, 0.2, 0.6, 0.8]),
        "quadtree": ([0.2, 0.2, 0.5, 0.5], [0.4, 0.5, 0.2, 0.2]),
        "quadtree, both": ([1, 1, 1, 1], [1, 1, 1, 1]),
    }
    parts = [
        pd.DataFrame({"dataset": "d", "method": method, "image_id": list("aabb"), "object_id": [1, 2, 1, 2],
                      "share": [0.1, 0.2, 0.3, 0.4], "budget": budget, "jaccard": j, "boundary": b})
        for method, (j, b) in scores.items() for budget in (10, 100)
    ]  # fmt: skip
    table = pd.concat(parts, ignore_index=True)
    table.loc[table["budget"] == 10, ["jaccard", "boundary"]] /= 2
    return table


def test_halves_by_size_and_who_is_below_a_baseline():
    halves = study.by_size(objects_rows()).set_index("method")
    assert halves.index.tolist() == ["grouping", "quadtree"]
    assert halves.loc["grouping", ["J: smaller", "J: larger"]].tolist() == pytest.approx([0.3, 0.7])
    assert halves.loc["quadtree", ["Fb: smaller", "Fb: larger"]].tolist() == pytest.approx([0.45, 0.2])
    lines = study.below_baselines(halves.reset_index()[["dataset", "method", *halves.columns[1:]]])
    assert set(lines) == {
        "d, J: smaller, below a baseline: none",
        "d, J: larger, below a baseline: none",
        "d, Fb: smaller, below a baseline: grouping",
        "d, Fb: larger, below a baseline: none",
    }
    told = told_of(halves.reset_index())
    assert "d, 0.40 by pixels and 2.25 by boundaries (the tolerance at work)" in told


def test_disagreements_are_counted_over_pairs_and_budgets():
    rows = []
    # Method a: J of 0.1 and 0.9; b: twice 0.45. Mean J prefers a (0.5), mean F = 2 J / (1 + J) prefers b.
    for method, j, boundary in (("a", (0.1, 0.9), 0.2), ("b", (0.45, 0.45), 0.1), ("c", (0.0, 0.0), 0.9)):
        rows += [("d", method, budget, value, boundary) for budget in (1, 2) for value in j]
    objects = pd.DataFrame(rows, columns=["dataset", "method", "budget", "jaccard", "boundary"])
    table = study.disagreements(objects)
    # Of the pairs ab, ac, bc at two budgets F turns ab, boundaries turn ac and bc.
    assert table.to_numpy().tolist() == [["d", 6, 2, 4]]
    assert "f" not in objects


def test_claims_of_figure_9():
    said = study.figure_9_claims(summary_rows())
    assert said == {
        "median above mean, pixels": "1 of 2 methods",
        "median above mean, boundaries": "1 of 2 methods",
        "ranks exchanged between lowest and highest level": "0 of 1 pairs",
        "largest median of boundary F": "0.700",
    }
    turned = summary_rows()
    turned.loc[(turned["method"] == "quadtree") & (turned["level"] == 0.85), "value"] = 1
    assert study.figure_9_claims(turned)["ranks exchanged between lowest and highest level"] == "1 of 1 pairs"


def test_voc_is_of_this_run_only_when_it_comes_first(monkeypatch):
    asked = []

    def fresh_or_stored(fresh, dataset, name, source):
        asked.append((dataset, name, source))
        return Result(fresh, source, stored=fresh is None)

    monkeypatch.setattr(study, "fresh_or_stored", fresh_or_stored)
    summary = pd.concat([summary_rows(), summary_rows().assign(dataset="e")])
    assert [result.stored for result in study.on_voc(summary, summary, "s")] == [True, True]
    summary["dataset"] = summary["dataset"].replace("d", "voc2012-val")
    first, halves = study.on_voc(summary, "halves", "s")
    assert set(first.table["dataset"]) == {"voc2012-val"} and halves.table == "halves"
    assert asked[2:] == [("voc2012", "ponttuset_objects", "s"), ("voc2012", "ponttuset_objects_by_size", "s")]


def test_best_masks_of_each_method():
    image = np.full((48, 64, 3), 40, dtype=np.uint8)
    image[12:36, 16:48] = (220, 60, 60)
    truth = np.zeros((48, 64), dtype=bool)
    truth[12:36, 16:48] = True
    panels, table = study.best_masks_found(["grouping_lab", "quadtree"], image, truth, 50, 0.02, 3)
    assert table[["method", "best by"]].to_numpy().tolist() == [
        ["grouping_lab", "J"], ["grouping_lab", "F_b"], ["quadtree", "J"]]  # fmt: skip
    offered = propose_masks("quadtree", image, 3)
    scores = [jaccard(truth, offered.mask(rank)) for rank in range(50)]
    last, (title, mask) = table.iloc[-1], panels[-1]
    assert last["J"] == max(scores) and last["rank"] == scores.index(max(scores)) + 1
    assert (mask == offered.mask(last["rank"] - 1)).all()
    assert last["Fb"] == boundary_f(truth, mask, 0.02, "morphological")
    assert title == f"quadtree, best by $J$\n$J$ = {last['J']:.2f}, $F_b$ = {last['Fb']:.2f}"
