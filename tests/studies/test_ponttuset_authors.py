"""BSDS500 beside the paper: the authors' files, human points, distances of curves, and the legend of figure 11."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from seism import write_contour_maps, write_ids, write_scores

from propeval_lite import InputError, fb, fop, load_dataset
from propeval_lite.partitions.boundaries import contours, fb_counts
from propeval_lite.segmenters import find_segmenter
from propeval_lite.studies import ponttuset_authors as study


def made_scores():
    keys = {"image_id": ["a", "b"], "parameter": ["0.10", "0.10"]}
    counts = {
        "matched_truth": [10, 20],
        "truth": [20, 40],
        "matched_partition": [5, 8],
        "partition": [10, 10],
    }
    overlaps = {"fop": [0.5, 0.4], "fop_precision": [0.5, 0.4], "fop_recall": [0.5, 0.4]}
    own = {"fb": [0.5, 0.6], "fb_precision": [0.5, 0.8], "fb_recall": [0.5, 0.5]}
    return tuple(pd.DataFrame(keys | part) for part in (counts | overlaps, overlaps, own | counts))


def test_equal_scores_have_no_difference_to_the_authors():
    row = study.compare_with_authors(*made_scores()).iloc[0]
    assert row[["fop", "lengths_differ", "matched_truth", "matched_partition", "surplus"]].tolist() == [0] * 5
    assert row["fb_here"] == row["fb_file"] and row["fop_here"] == row["fop_file"] == pytest.approx(0.45)


def test_differences_to_the_authors_are_found():
    ours, fop, fb = made_scores()
    ours.loc[1, ["matched_truth", "fop_recall"]] = 18, 0.45
    ours.loc[0, "partition"] = 11
    ours[["fop@0.95", "fop@0.95_precision", "fop@0.95_recall"]] = 0.1
    table = study.compare_with_authors(ours, fop, fb)
    row = table.iloc[0]
    assert row["fop"] == pytest.approx(0.05) and row["fop@0.95"] == pytest.approx(0.4)
    assert row["lengths_differ"] == 1 and row["surplus"] == -2
    assert row["matched_truth"] == pytest.approx(0.1) and row["matched_truth_all"] == pytest.approx(-2 / 30)
    assert row["fb_here"] != row["fb_file"]
    summary = study.largest_differences(table).set_index("compared")["value"]
    assert summary["the same with γ = 0.95"] == pytest.approx(0.4)
    assert summary["boundaries: pairs here minus theirs in one picture, least"] == -2
    assert not summary.map(math.isnan).any()


def test_images_that_the_authors_lack():
    ours, fop, fb = made_scores()
    with pytest.raises(InputError, match=r"expected the authors' scores of all 2 partitions, got 1"):
        study.compare_with_authors(ours, fop.iloc[:1], fb)


@pytest.mark.data
@pytest.mark.jit
def test_contour_maps_score_as_published(real_data):
    from propeval_lite.meta.seism import read_seism_scores

    ids = (real_data / "seism/gt_sets/BSDS500/test.txt").read_text().split()
    dataset = load_dataset(f"bsds500:{real_data / 'bsds500'}").subset(ids[5:7])
    thresholds = [0.08, 0.2, 0.5]
    scores = study.score_contour_maps(dataset, real_data / "bsds500/ucm2/test", thresholds, (0.9, 0.95))
    files = [read_seism_scores(real_data / "seism/BSDS500/gPb-UCM", name, ids) for name in ("fop", "fb")]
    table = study.compare_with_authors(scores, *files)
    assert table["parameter"].tolist() == thresholds
    assert (table["fop"] < 1e-6).all() and (table["fop@0.95"] > 1e-3).all()
    assert (table["lengths_differ"] == 0).all() and (table["surplus"] >= 0).all()
    assert ((table["fb_here"] - table["fb_file"]).abs() < 2e-3).all()


@pytest.fixture
def bench(tmp_path):
    """Two scenes; contour maps of their first truths; and files of scores as the authors would have written them."""
    scenes = load_dataset("scenes?n=2&seed=3&width=48&height=32")
    dataset = replace(scenes, read_boundaries=lambda name: [contours(one) for one in scenes.partitions(name)])
    maps, seism = tmp_path / "bsds500/ucm2/test", tmp_path / "seism"
    ids = dataset.images["image_id"].tolist()
    write_contour_maps(maps, dataset)
    write_ids(seism, ids)
    segmenter = find_segmenter(f"ucm:{maps}")
    for threshold in (0.25, 0.75):
        rows = {"fop": [], "fb": []}
        for image_id in ids:
            labels, truths = (
                segmenter.partitions(dataset, image_id, [threshold])[0],
                dataset.partitions(image_id),
            )
            counts = fb_counts(labels, dataset.boundaries(image_id))
            rows["fop"].append(fop(labels, truths))
            rows["fb"].append([*fb(labels, dataset.boundaries(image_id)), *counts])
        for name, values in rows.items():
            write_scores(seism, "gPb-UCM", name, f"{threshold:.2f}", values)
    return dataset, tmp_path


def test_all_tables_of_bsds(bench):
    dataset, root = bench
    curves = pd.DataFrame({"dataset": ["d"], "method": ["egb"], "swapped": [False]})
    scales = pd.DataFrame({"method": ["egb"]})
    one, two = dataset.images["image_id"]
    tables = study.tables_on_bsds(dataset, root, curves, scales, (0.9, 0.95), thresholds=(0.25, 0.75),
                                  partners={one: two, two: one})  # fmt: skip
    authors = tables["authors"]
    assert authors["parameter"].tolist() == [0.25, 0.75]
    assert (authors["fop"] < 1e-12).all()
    assert (authors["lengths_differ"] == 0).all()
    assert (authors["surplus"] == 0).all()
    found = tables["curves"]
    assert found["method"].unique().tolist() == ["egb", "gPb-UCM"]
    assert "dataset" not in found
    # Own pictures at every threshold, swapped ones at every tenth, for both measures.
    assert found.groupby("swapped")["parameter"].nunique().to_dict() == {False: 2, True: 1}
    assert (found.loc[found["swapped"], "f"] < found.loc[~found["swapped"], "f"].max()).all()
    people = tables["humans"]
    assert people.groupby("average").size().to_dict() == {"picture first": 4, "all together": 4}
    assert tables["scales"] is scales


def printed():
    keys = {"method": "human", "kind": "human", "measure": "fop", "f": np.nan}
    humans = [
        {**keys, "image": side, "precision": p, "recall": 0.5}
        for side, p in (("same", 0.6), ("swapped", 0.1))
    ]
    keys = {"method": "gPb-UCM", "kind": "curve", "f": np.nan}
    curve = [{**keys, "measure": "fb", "image": "same", "precision": p, "recall": 0.5} for p in (0.7, 0.9)]
    keys = {"kind": "legend", "measure": "fb", "image": "same"}
    legend = [
        {**keys, "method": name, "f": f} for name, f in (("gPb-UCM", 0.7), ("EGB", 0.6), ("human", 0.8))
    ]
    return pd.DataFrame([*humans, *curve, *legend]).assign(paper="P")


def people():
    rows = [(True, "picture first", 0.6, 0.4, 0.48), (True, "all together", 0.5, 0.5, 0.5),
            (False, "picture first", 0.2, 0.5, 0.3)]  # fmt: skip
    columns = ["same", "average", "precision", "recall", "f"]
    return pd.concat([pd.DataFrame(rows, columns=columns).assign(measure=name) for name in ("fb", "fop")])


def test_humans_beside_the_paper():
    side = study.compare_humans(printed(), {"files": people(), "unknown": None})
    assert set(side["values of"]) == {"files"}
    assert side["judged by"].tolist() == ["same picture", "same picture", "swapped"]
    assert side["average"].tolist() == ["picture first", "all together", "picture first"]
    assert side["precision: difference"].tolist() == pytest.approx([0, -0.1, 0.1])
    assert side["recall: difference"].tolist() == pytest.approx([-0.1, 0, 0])
    alone = study.compare_humans(printed(), {"files": None})
    assert alone["precision: paper"].tolist() == [0.6, 0.1]
    assert alone["precision"].isna().all()


def test_distances_of_the_published_points_from_each_line():
    ours = pd.DataFrame({"method": "gPb-UCM", "measure": "fb", "swapped": False, "recall": [0.0, 1.0],
                         "precision": [0.8, 0.8]})  # fmt: skip
    ways = [f"fb_{where}_{part}" for where in ("file", "here") for part in ("", "mean_")]
    authors = pd.DataFrame({f"{way}{name}": [0.0, 1.0] for way in ways for name in ("recall", "precision")})
    authors["fb_file_precision"] = 0.7
    table = study.curve_distances(printed(), ours, authors).set_index("line")
    assert table.loc["fb, same picture"].tolist() == pytest.approx([0.1, 0.1], abs=1e-3)
    assert table.loc["fb, file, counts added"].tolist() == pytest.approx([0.1, 0.2], abs=1e-3)
    # From (0.5, 0.7) and (0.5, 0.9) to the diagonal.
    diagonal = table.loc["fb, here, averaged over pictures"].tolist()
    assert diagonal == pytest.approx([0.3 / math.sqrt(2), 0.4 / math.sqrt(2)], abs=1e-3)
    assert len(table) == 5


def test_legend_beside_the_paper():
    curves = pd.DataFrame(
        {"method": "gPb-UCM", "measure": "fb", "swapped": [False, False, True], "f": [0.5, 0.65, 0.9]}
    )
    scales = pd.DataFrame(
        {"method": ["egb", "mine"], "measure": "fb", "test": [0.62, 0.3], "regions": [9.0, 5.0]}
    )
    table = study.compare_legend(printed(), curves, scales, people().query("measure == 'fb'"))
    assert table["method here"].tolist() == ["gPb-UCM", "egb", "human", "mine"]
    assert table["F: here"].tolist() == [0.65, 0.62, 0.48, 0.3]
    assert table["difference"].tolist() == pytest.approx([-0.05, 0.02, -0.32, math.nan], nan_ok=True)
    assert table["method in the paper"].tolist()[:3] == ["gPb-UCM", "EGB", "human"]
    assert table["regions (mean)"].tolist()[1] == 9
