"""Things of the wrong kind in every argument of every public function: each is refused, and the argument is named."""

import inspect
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from refusals import refused
from tiny_files import bsds, coco, hosang, voc
from toys import toy

import propeval_lite as pe
from propeval_lite.datasets.bsds import load_bsds500
from propeval_lite.datasets.coco import load_coco
from propeval_lite.datasets.hosang_mat import load_ilsvrc2013, load_voc2007
from propeval_lite.datasets.photos.load import load_photos
from propeval_lite.datasets.scenes.load import load_scenes
from propeval_lite.datasets.transforms import reduce_blocks, shrink
from propeval_lite.datasets.voc import load_voc2012
from propeval_lite.superpixels.tree import MergeTree

FRAME = pd.DataFrame({"a": [1.0]})
RAGGED = [[0, 1], [2]]
HIDDEN = np.ma.masked_array(np.zeros((2, 2), int), mask=[[True, False], [False, False]])

#: Wrong things for each kind of argument, by a short name.
WRONG = {
    "dataset": {"none": None, "text": "voc2012", "frame": FRAME, "number": 3, "list": [1]},
    "proposals": {"none": None, "text": "uniform", "frame": FRAME, "array": np.zeros((1, 4)), "dict": {}},
    "overlaps": {"none": None, "text": "recall", "frame": FRAME, "array": np.zeros((1, 1)), "list": [0.5]},
    "table": {"none": None, "text": "a", "number": 3, "list": [1, 2], "array": np.zeros(3)},
    "tau": {"none": None, "text": "half", "ragged": [[0.5], [0.5, 0.6]], "true": True, "percent": 50,
            "nan": np.nan, "zero": 0, "dict": {}, "huge exponent": Decimal("1e-99999999")},
    "one tau": {"none": None, "text": "half", "list": [0.5, 0.6], "true": True, "nan": np.nan, "frame": FRAME},
    "boxes": {"none": None, "text": "1,2,3,4", "ragged": RAGGED, "frame": pd.DataFrame({"a": ["b"]}),
              "three": [[1, 2, 3]], "dict": {"x1": 1}, "dates": np.array(["2020-01-01"], "M8[D]"),
              "masked": np.ma.masked_array([[1, 1, 3, 2]], mask=[[0, 1, 0, 0]])},
    "sizes": {"none": None, "text": "3x3", "ragged": RAGGED, "three": [3, 3, 3], "half": (3.5, 3), "dict": {}},
    "labels": {"none": None, "text": "a", "ragged": RAGGED, "floats": np.zeros((2, 2)), "dict": {},
               "frame": pd.DataFrame({"a": ["b"]}), "masked": HIDDEN, "negative": [[-1, 0]], "empty": []},
    "truths": {"none": None, "text": "a", "number": 3, "ragged": [RAGGED], "dict": {}, "empty": [],
               "frame": pd.DataFrame({"a": ["b"]}), "masked": [HIDDEN], "none in it": [None]},
    "mask": {"none": None, "text": "a", "ragged": RAGGED, "floats": np.full((2, 2), 0.5), "dict": {},
             "frame": pd.DataFrame({"a": ["b"]}), "masked": HIDDEN, "labels": [[0, 7], [0, 1]], "empty": []},
    "masks": {"none": None, "text": "a", "ragged": [RAGGED], "numbers": np.zeros((1, 1, 4)), "dict": {},
              "one": np.zeros((1, 4), bool), "masked": np.ma.masked_array(np.zeros((1, 1, 4), bool), mask=True)},
    "contour": {"none": None, "text": "a", "ragged": RAGGED, "numbers": np.zeros((2, 2)), "flat": [True, False],
                "masked": np.ma.masked_array(np.zeros((2, 2), bool), mask=True)},
    "image": {"none": None, "text": "a.jpg", "ragged": RAGGED, "floats": np.zeros((4, 4)), "dict": {},
              "flat": np.zeros(3, np.uint8), "masked": np.ma.masked_array(np.zeros((4, 4), np.uint8), mask=True)},
    "void": {"text": "255", "float": 255.0, "negative": -1, "true": True, "list": [0], "frame": FRAME},
    "void mask": {"text": "255", "number": 255, "shape": np.zeros((2, 2), bool),
                  "masked": np.ma.masked_array(np.zeros((1, 4), bool), mask=True)},
    "whole": {"none": None, "text": "3", "half": 1.5, "true": True, "negative": -1, "list": [1], "frame": FRAME},
    "some whole": {"text": "3", "half": 1.5, "true": True, "negative": -1, "list": [1]},
    "bound": {"none": None, "text": "half", "nan": np.nan, "true": True, "list": [0.6], "frame": FRAME},
    "count": {"none": None, "text": "3", "half": 1.5, "negative": -1, "ragged": RAGGED, "dict": {}, "nan": np.nan,
              "masked": np.ma.masked_array([1, 2], mask=[1, 0])},
    "budgets": {"text": "ten", "half": 1.5, "negative": -1, "zero": 0, "falling": [2, 1], "empty": [],
                "ragged": RAGGED, "dict": {}, "nan": np.nan},
    "mask budgets": {"none": None, "text": "ten", "half": [1.5], "negative": [-1], "empty": [], "number": 3},
    "number": {"none": None, "text": "0.1", "nan": np.nan, "true": True, "list": [0.1], "frame": FRAME},
    "unit": {"none": None, "text": "0.1", "list of text": ["a"], "two": 2.0, "ragged": RAGGED, "dict": {},
    "true": True,
             "masked": np.ma.masked_array([0.5, 0.5], mask=[1, 0])},
    "scale": {"text": "half", "half": 0.5, "zero": 0, "true": True, "list": [1], "frame": FRAME},
    "choice": {"none": None, "text": "nonsense", "number": 3, "list": ["best"], "frame": FRAME},
    "some choice": {"text": "nonsense", "number": 3, "list": ["best"], "frame": FRAME},
    "flag": {"text": "no", "number": 2, "list": [], "frame": FRAME},
    "direction": {"none": None, "text": "no", "number": 2, "list": [True]},
    "some direction": {"text": "no", "number": 2, "list": [True]},
    "function": {"none": None, "text": "recall", "number": 3},
    "method": {"none": None, "text": "nonsense", "number": 3, "list": ["uniform"], "frame": FRAME},
    "measure": {"none": None, "text": "nonsense", "number": 3, "list": ["fop"], "frame": FRAME},
    "measures": {"none": None, "text": "nonsense", "number": 3, "list of none": [None], "empty": []},
    "more measures": {"none": None, "text": "nonsense", "number": 3, "list of none": [None]},
    "methods": {"text": "nonsense", "number": 3, "list of none": [None], "empty": []},
    "partitions": {"none": None, "text": "egb", "number": 3, "list": [1], "value": {"a": 3}, "empty": {}},
    "path": {"none": None, "number": 3, "empty": "", "absent": "/no/such/place", "list": ["a"], "frame": FRAME},
    "some path": {"number": 3, "empty": "", "absent": "/no/such/place", "list": ["a"]},
    "new path": {"none": None, "number": 3, "list": ["a"]},
    "spec": {"none": None, "number": 3, "text": "nonsense", "empty": "", "list": ["scenes"], "frame": FRAME},
    "ids": {"none": None, "number": 3, "ragged": [[1], [2, 3]], "twice": ["a", "a"], "missing": [None, "b"],
            "mixed": ["a", 1], "halves": [0.5, 1.5], "frame": FRAME,
            "masked": np.ma.masked_array([1, 2], mask=[True, False])},
    "id": {"none": None, "list": [], "unknown": "nonsense", "frame": FRAME},
    "some ids": {"none": None, "number": 3, "unknown": ["nonsense"], "ragged": [[1], [2, 3]], "frame": FRAME},
    "offsets": {"none": None, "text": "a", "floats": [0.0, 1.0, 1.0], "ragged": RAGGED, "falling": [0, 2, 1],
                "masked": np.ma.masked_array([0, 1, 1], mask=[0, 1, 0])},
    "scores": {"text": "a", "few": [0.5, 0.5], "ragged": RAGGED, "words": ["a"], "flags": [True], "nan": [np.nan],
               "masked": np.ma.masked_array([0.5], mask=[True])},
    "partners": {"text": "a", "number": 3, "empty": {}, "list": [1], "itself": {"scene-00000": "scene-00000"},
                 "unknown": {"scene-00000": "nonsense"}, "half": {"scene-00000": "scene-00001"}},
    "sample": {"none": None, "text": "a", "words": ["a"], "ragged": RAGGED, "empty": [], "nan": [np.nan],
    "dict": {},
               "masked": np.ma.masked_array([0.5, 0.6], mask=[1, 0])},
    "score table": {"none": None, "text": "a", "number": 3, "words": pd.DataFrame({"m": ["a", "b"]}),
                    "empty": pd.DataFrame(), "nan": pd.DataFrame({"m": [np.nan, 1.0]})},
    "iou": {"none": None, "text": "a", "ragged": RAGGED, "above one": [[2.0]], "nan": [[np.nan]], "flat": [0.5],
            "masked": np.ma.masked_array([[0.5]], mask=True)},
    "rows": {"text": ["a"], "negative": [-1], "beyond": [10**6], "floats": [0.5], "number": 3,
             "masked": np.ma.masked_array([0, 0], mask=[1, 0])},
    "keep": {"none": None, "text": "a", "numbers": [0], "few": [],
             "masked": np.ma.masked_array([True, True], mask=[1, 0])},
    "coordinates": {"none": None, "text": "a", "ragged": RAGGED, "dict": {}},
    "thresholds": {"none": None, "text": "all", "empty": [], "percent": [50], "ragged": [[0.5], [0.5, 0.6]]},
    "area": {"none": None, "text": "vast", "number": 3, "falling": (3, 2), "three": (1, 2, 3), "nan": (np.nan, 1)},
    "parameters": {"number": 3, "text": "a", "negative": [-1], "empty": [], "half": [1.5], "words": ["a"]},
    "parameter": {"none": None, "text": "a", "negative": -1, "half": 1.5, "list": [2], "true": True},
    "segmenter": {"none": None, "text": "nonsense", "number": 3, "list": ["egb"]},
    "trees": {"none": None, "text": "a", "number": 3, "empty": (), "other": (3,)},
    "tree": {"none": None, "text": "a", "floats": [0.0], "negative": [-1], "beyond": [1], "two": [0, 0],
             "masked": np.ma.masked_array([0], mask=[1])},
    "nodes": {"none": None, "text": "a", "floats": [[0.0, 1.0]], "negative": [[-1, -1]], "beyond": [[9, -1]],
              "flat": [0], "minus two": [[0, -2]], "itself": [[1, 1]], "own child": [[3, 0]],
              "masked": np.ma.masked_array([[0, -1]], mask=True)},
    "text": {"none": None, "number": 3, "list": ["a"], "frame": FRAME},
    "some text": {"number": 3, "list": ["a"], "frame": FRAME},
    "record": {"none": None, "text": "a", "number": 3},
    "size": {"none": None, "text": "a.jpg", "flat": np.zeros(3), "dict": {}},
    "unused": {},
    "pictures": {"text": "a", "number": 3},
}  # fmt: skip

DATA = toy(3)
PROPOSALS = pe.Proposals(DATA.images["image_id"], [0, 1, 2, 3], [[1, 1, 20, 20]] * 3, name="p")
TABLE = pe.match(DATA, PROPOSALS, [1, 2])
LABELS = np.array([[0, 0, 1], [2, 2, 1]])
MASK = LABELS == 0
TREE = MergeTree(np.array([[0, 0, 1, 2]]), np.array([[0, 1]]))
MASKS = pe.MaskProposals((TREE,), np.array([0]), np.array([[3, -1]]))
OBJECT = np.array([[[1, 1, 1, 0]]], dtype=bool)
PICTURE = np.zeros((8, 8), np.uint8)
CUTS = pe.load_dataset("scenes", n=4, width=32, height=32)
FLAT = {image_id: np.zeros((32, 32), int) for image_id in CUTS.images["image_id"]}
SCORES = pd.DataFrame({"m": [0.9, 0.2]})
HUMANS = pd.DataFrame(
    {"image_id": [1, 1], "annotator": 0, "other_id": [1, 2], "same": [True, False], "pri": [0.9, 0.1]}
)
SWEEPS = pd.DataFrame(
    [
        (kind, method, split, swapped, 1, image, 0.5)
        for kind, method in (("method", "m"), ("baseline", "b"))
        for split, image in (("train", 1), ("test", 2))
        for swapped in (False, True)
    ],
    columns=["kind", "method", "split", "swapped", "parameter", "image_id", "pri"],
)


def voc2007(folder):
    return hosang(folder, name="pascal_voc07_test_annotations.mat")


def boxes(folder):
    return pe.write_proposals(PROPOSALS, folder / "boxes.csv")


def draw_whole(width, height, n, rng):
    return np.tile([0, 0, width, height], (n, 1))


FILES = (voc, voc2007, hosang, coco, bsds, boxes)
CATEGORY = DATA.objects["category"].iloc[0]
DETECTIONS = DATA.objects[["image_id", "category", "x1", "y1", "x2", "y2"]].assign(score=0.5)
FOUND = {"dataset": DATA, "detections": DETECTIONS}
REGION = pe.omega_min((10, 10, 14, 12), 0.5)
CRITERION = {"overlaps": TABLE}

#: A call that is right, of every public function.
CALLS = {
    "Dataset": (pe.Dataset, {"name": "d", "images": DATA.images, "objects": DATA.objects}),
    "Dataset.image": (DATA.image, {"image_id": "i0"}),
    "Dataset.masks": (CUTS.masks, {"image_id": "scene-00000"}),
    "Dataset.partitions": (CUTS.partitions, {"image_id": "scene-00000"}),
    "Dataset.subset": (DATA.subset, {"image_ids": ["i0"]}),
    "load_dataset": (pe.load_dataset, {"spec": "scenes?n=1&width=32&height=32"}),
    "load_scenes": (load_scenes, {"n": 1, "width": 32, "height": 32}),
    "load_photos": (load_photos, {}),
    "load_voc2012": (load_voc2012, {"folder": voc}),
    "load_voc2007": (load_voc2007, {"folder": voc2007}),
    "load_ilsvrc2013": (load_ilsvrc2013, {"path": hosang}),
    "load_coco": (load_coco, {"path": coco}),
    "load_bsds500": (load_bsds500, {"folder": bsds}),
    "shrink": (shrink, {"dataset": DATA, "longest": 30}),
    "reduce_blocks": (reduce_blocks, {"dataset": CUTS, "by": 2}),
    "propose": (pe.propose, {"method": "uniform", "dataset": DATA, "k": 2}),
    "read_proposals": (pe.read_proposals, {"path": boxes}),
    "write_proposals": (pe.write_proposals, {"proposals": PROPOSALS, "path": "x.csv"}),
    "Proposals": (pe.Proposals, {"image_ids": ["a", "b"], "offsets": [0, 1, 1], "boxes": [[0, 0, 4, 4]]}),
    "Proposals.from_table": (pe.Proposals.from_table, {"table": PROPOSALS.to_table()}),
    "Proposals.of": (PROPOSALS.of, {"image_id": "i0"}),
    "Proposals.top": (PROPOSALS.top, {"k": 1}),
    "Proposals.deduplicate": (PROPOSALS.deduplicate, {}),
    "Proposals.converted": (PROPOSALS.converted, {"pixels": "edges", "origin": 0}),
    "Proposals.aligned": (PROPOSALS.aligned, {"dataset": DATA}),
    "Proposals.checked_against": (PROPOSALS.checked_against, {"dataset": DATA}),
    "MaskProposals": (pe.MaskProposals, {"hierarchies": (TREE,), "tree": [0], "nodes": [[3, -1]]}),
    "match": (pe.match, {"dataset": DATA, "proposals": PROPOSALS, "budgets": [1], "matching": "coco"}),
    "Overlaps.from_iou": (pe.Overlaps.from_iou, {"iou": [[0.5]], "budgets": 1, "image_row": [0]}),
    "Overlaps.hits": (TABLE.hits, {"tau": 0.5}),
    "Overlaps.select": (TABLE.select, {"keep": np.ones(len(TABLE), bool)}),
    "recall": (pe.recall, CRITERION | {"tau": 0.5}),
    "average_recall": (pe.average_recall, CRITERION),
    "abo": (pe.abo, CRITERION),
    "mabo": (pe.mabo, CRITERION),
    "auc": (pe.auc, CRITERION | {"tau": 0.5}),
    "auc over thresholds": (pe.auc, CRITERION | {"over": "thresholds"}),
    "vus": (pe.vus, CRITERION),
    "oma": (pe.oma, CRITERION | {"tau": 0.5}),
    "average_oma": (pe.average_oma, CRITERION),
    "chance_recall": (pe.chance_recall, CRITERION | {"tau": 0.5}),
    "boxes.bootstrap": (pe.boxes.bootstrap, CRITERION | {"criterion": pe.abo, "n": 2}),
    "boxes.object_chance": (pe.boxes.object_chance, CRITERION | {"tau": 0.5}),
    "nms": (pe.nms, {"boxes": [[0, 0, 4, 4]], "scores": [0.5], "threshold": 0.5}),
    "average_precision": (pe.average_precision, FOUND),
    "boxes.judge_detections": (pe.boxes.judge_detections, FOUND),
    "boxes.precision_recall": (pe.boxes.precision_recall, dict(zip(("judged", "counts"),
                               pe.boxes.judge_detections(**FOUND), strict=True)) | {"category": CATEGORY}),
    "boxes.detection_errors": (pe.boxes.detection_errors, FOUND),
    "boxes.perfect_nms": (pe.boxes.perfect_nms, FOUND),
    "boxes.with_truth": (pe.boxes.with_truth, {"dataset": DATA, "proposals": PROPOSALS}),
    "boxes.project": (pe.boxes.project, {"boxes": [[1, 1, 3, 2]], "homography": np.eye(3)}),
    "boxes.repeats": (pe.boxes.repeats, {"reference": [[1, 1, 3, 2]], "boxes": [[1, 1, 3, 2]],
                                         "homography": np.eye(3), "reference_size": (9, 9), "size": (9, 9)}),
    "boxes.size_groups": (pe.boxes.size_groups, {"boxes": [[1, 1, 3, 2]], "size": (9, 9)}),
    "boxes.area_under_recall": (pe.boxes.area_under_recall, {"iou": [0.5, 0.7]}),
    "boxes.group_areas": (pe.boxes.group_areas, {"iou": [0.5, 0.7], "groups": [0, 3]}),
    "boxes.mean_area": (pe.boxes.mean_area, {"areas": [0.5, np.nan]}),
    "omega_min": (pe.omega_min, {"box": (10, 10, 14, 12), "tau": 0.5}),
    "omega_max": (pe.omega_max, {"box": (10, 10, 14, 12), "tau": 0.5}),
    "Region.bounds": (REGION.bounds, {"x": 10}),
    "Region.contains": (REGION.contains, {"x": 10, "y": 10}),
    "Region.polygon": (REGION.polygon, {"n": 9}),
    "count_candidates": (pe.count_candidates, {"sizes": (3, 2)}),
    "count_hits": (pe.count_hits, {"boxes": [[1, 1, 3, 2]], "sizes": (3, 3), "tau": 0.5}),
    "hit_probability": (pe.hit_probability, {"n_hit": 3, "n_total": 10, "k": 2}),
    "chance.chance_report": (pe.chance.chance_report,
                             {"width": 5, "height": 5, "box": (1, 1, 3, 2), "iou": 0.5, "k": 1}),
    "chance.draws_needed": (pe.chance.draws_needed, {"n_hit": 1, "n_total": 10, "probability": 0.5}),
    "chance.object_lattice": (pe.chance.object_lattice, {"dataset": DATA}),
    "chance.random_boxes": (pe.chance.random_boxes,
                            {"image": PICTURE, "k": 2, "rng": np.random.default_rng(0)}),
    "chance.prior_hits": (pe.chance.prior_hits,
                          {"dataset": DATA, "draw": draw_whole, "taus": 0.5, "draws": 2}),
    "chance.prior_chance": (pe.chance.prior_chance, {"hits": [0, 1], "draws": 2, "k": 1}),
    "jaccard": (pe.jaccard, {"truth": MASK, "mask": MASK}),
    "f_measure": (pe.f_measure, {"truth": MASK, "mask": MASK}),
    "boundary_f": (pe.boundary_f, {"truth": MASK, "mask": MASK}),
    "masks.precision": (pe.masks.precision, {"truth": MASK, "mask": MASK}),
    "masks.recall": (pe.masks.recall, {"truth": MASK, "mask": MASK}),
    "masks.j_from_f": (pe.masks.j_from_f, {"f": 0.5}),
    "masks.f_from_j": (pe.masks.f_from_j, {"j": 0.5}),
    "masks.boundary_counts": (pe.masks.boundary_counts, {"truth": MASK, "mask": MASK}),
    "masks.propose_masks": (pe.masks.propose_masks, {"method": "quadtree", "image": PICTURE}),
    "masks.mask_scores": (pe.masks.mask_scores, {"proposals": MASKS, "truths": OBJECT}),
    "masks.best_masks": (pe.masks.best_masks, {"proposals": MASKS, "truths": OBJECT, "budgets": [1]}),
    "contingency": (pe.contingency, {"truth": LABELS, "partition": LABELS}),
    "partition_scores": (pe.partition_scores, {"partition": LABELS, "truths": [LABELS]}),
    "fop": (pe.fop, {"partition": LABELS, "truths": [LABELS]}),
    "fb": (pe.fb, {"partition": LABELS, "truths": [LABELS]}),
    "partitions.classify_regions": (pe.partitions.classify_regions, {"partition": LABELS, "truths": [LABELS]}),
    "partitions.contours": (pe.partitions.contours, {"labels": LABELS}),
    "partitions.match_contours": (pe.partitions.match_contours, {"truth": MASK, "contour": MASK}),
    "meta.sihd": (pe.meta.sihd, {"measure": "pri", "dataset": CUTS}),
    "meta.sabd": (pe.meta.sabd, {"measure": "pri", "dataset": CUTS, "methods": {"m": FLAT},
    "baselines": {"b": FLAT}}),
    "meta.sisd": (pe.meta.sisd, {"measure": "pri", "dataset": CUTS, "methods": {"m": FLAT}}),
    "meta.report": (pe.meta.report, {"measure": "pri", "dataset": CUTS, "built_in": ["pri"],
                                     "methods": ["quadtree?sweep=2"], "baselines": ["coarse=quadtree?sweep=2"]}),
    "meta.human_scores": (pe.meta.human_scores, {"measures": ["pri"], "dataset": CUTS}),
    "meta.classify_scores": (pe.meta.classify_scores,
                             {"same": [0.9], "different": [0.1], "higher_is_better": True}),
    "meta.densities": (pe.meta.densities, {"same": [0.9], "different": [0.1]}),
    "meta.sihd_of_scores": (pe.meta.sihd_of_scores, {"scores": HUMANS, "measure": "pri"}),
    "meta.sabd_of_scores": (pe.meta.sabd_of_scores,
                            {"methods": SCORES, "baselines": SCORES, "higher_is_better": True}),
    "meta.sisd_of_scores": (pe.meta.sisd_of_scores,
                            {"same": SCORES, "swapped": SCORES, "higher_is_better": True}),
    "meta.report_of_scores": (pe.meta.report_of_scores, {"measures": ["pri"], "humans": HUMANS, "sweeps": SWEEPS}),
    "segmenters.segment": (pe.segmenters.segment, {"name": "quadtree", "image": PICTURE, "parameter": 2}),
    "segmenters.segment_all": (pe.segmenters.segment_all, {"name": "quadtree", "image": PICTURE,
    "parameters": [2]}),
    "segmenters.find_segmenter": (pe.segmenters.find_segmenter, {"spec": "quadtree"}),
    "Segmenter.segment_all": (pe.segmenters.find_segmenter("quadtree").segment_all, {"image": PICTURE}),
    "Segmenter.partitions": (pe.segmenters.find_segmenter("quadtree").partitions,
                             {"dataset": CUTS, "image_id": "scene-00000", "parameters": [2]}),
}  # fmt: skip

#: Kind of an argument: by function and name, else by name, else by its default (a flag, a whole number, a choice).
KINDS = {
    "overlaps": "overlaps", "dataset": "dataset", "proposals": "proposals", "tau": "tau", "budgets": "budgets",
    "boxes": "boxes", "box": "boxes", "sizes": "sizes", "partition": "labels", "truths": "truths", "truth": "mask",
    "mask": "mask", "void": "void", "measure": "measure", "measures": "measures", "image": "image",
    "higher_is_better": "some direction", "tolerance": "number", "low": "bound", "high": "bound",
    "level": "number", "gamma_object": "number", "gamma_part": "number", "beta": "number", "coverage": "number",
    "lattice": "some choice", "format": "some choice", "n_hit": "count", "n_total": "count", "k": "whole",
    "width": "whole", "height": "whole", "method": "choice", "path": "path", "folder": "path",
    "images": "some path",
    "image_id": "id", "image_ids": "ids", "seed": "whole", "name": "text", "parameters": "parameters",
    "task": "some choice", "origin": "whole",
    "Dataset.images": "table", "Dataset.objects": "table", "Dataset.provenance": "record",
    "Dataset.read_image": "pictures", "Dataset.read_masks": "pictures", "Dataset.read_partitions": "pictures",
    "Dataset.read_boundaries": "pictures", "Dataset.subset.image_ids": "some ids",
    "Dataset.subset.name": "some text",
    "load_dataset.spec": "spec", "load_scenes.categories": "methods", "load_photos.folder": "some path",
    "load_voc2012.split": "choice", "propose.method": "method", "read_proposals.name": "some text",
    "read_proposals.origin": "some whole",
    "write_proposals.path": "new path", "Proposals.offsets": "offsets", "Proposals.scores": "scores",
    "Proposals.pixels": "some choice", "Proposals.origin": "some whole",
    "Proposals.converted.pixels": "choice", "Proposals.provenance": "record",
    "Proposals.from_table.table": "table", "shrink.longest": "whole", "reduce_blocks.by": "whole",
    "MaskProposals.hierarchies": "trees", "MaskProposals.tree": "tree", "MaskProposals.nodes": "nodes",
    "match.pixels": "some choice", "match.thresholds": "thresholds", "match.area": "area",
    "Overlaps.from_iou.iou": "iou", "Overlaps.from_iou.image_row": "image rows",
    "Overlaps.from_iou.dataset": "pictures",
    "Overlaps.from_iou.category": "category", "Overlaps.select.keep": "keep",
    "boxes.bootstrap.criterion": "function",
    "boxes.object_chance.tau": "one tau", "omega_min.tau": "one tau", "omega_max.tau": "one tau",
    "Region.bounds.x": "coordinates", "Region.contains.x": "coordinates", "Region.contains.y": "coordinates",
    "hit_probability.k": "count", "chance.prior_hits.draw": "function", "chance.prior_hits.taus": "tau",
    "chance.prior_hits.draws": "whole", "chance.prior_chance.hits": "count", "chance.prior_chance.draws": "whole",
    "chance.prior_chance.k": "count", "meta.densities.same": "sample", "meta.densities.different": "sample",
    "meta.human_scores.partners": "partners", "meta.sihd.partners": "partners", "Proposals.scale": "scale",
    "Proposals.from_table.score": "some text", "read_proposals.longest": "some whole",
    "read_proposals.pixels": "some choice", "chance.chance_report.iou": "one tau", "chance.draws_needed.n_hit": "whole",
    "chance.draws_needed.n_total": "whole", "chance.draws_needed.probability": "one tau",
    "chance.object_lattice.rows": "rows", "chance.random_boxes.rng": "record", "chance.random_boxes.image": "size",
    "auc.low": "unused", "auc.high": "unused", "auc over thresholds.tau": "unused",
    "auc over thresholds.budget_axis": "unused",
    "load_voc2007.split": "choice", "masks.j_from_f.f": "unit",
    "masks.f_from_j.j": "unit", "masks.propose_masks.method": "method", "masks.mask_scores.truths": "masks",
    "masks.best_masks.truths": "masks", "masks.mask_scores.void": "void mask", "masks.best_masks.void": "void mask",
    "masks.mask_scores.limit": "some whole", "masks.mask_scores.proposals": "proposals",
    "masks.best_masks.budgets": "mask budgets", "contingency.truth": "labels",
    "partitions.contours.labels": "labels",
    "partitions.match_contours.truth": "contour", "partitions.match_contours.contour": "contour",
    "meta.sabd.methods": "partitions", "meta.sabd.baselines": "partitions", "meta.sisd.methods": "partitions",
    "meta.report.train": "pictures", "meta.report.built_in": "more measures", "meta.report.methods": "methods",
    "meta.report.baselines": "methods", "meta.human_scores.truths": "choice", "meta.classify_scores.same": "sample",
    "meta.classify_scores.different": "sample", "meta.sabd_of_scores.methods": "score table",
    "meta.sabd_of_scores.baselines": "score table", "meta.sisd_of_scores.same": "score table",
    "meta.sisd_of_scores.swapped": "score table", "meta.sihd_of_scores.scores": "table",
    "meta.classify_scores.higher_is_better": "direction", "meta.sabd_of_scores.higher_is_better": "direction",
    "meta.sisd_of_scores.higher_is_better": "direction", "meta.report_of_scores.humans": "table",
    "meta.report_of_scores.sweeps": "table", "segmenters.segment.name": "segmenter",
    "segmenters.segment.parameter": "parameter", "segmenters.segment_all.name": "segmenter",
    "segmenters.find_segmenter.spec": "segmenter", "detections": "table", "nms.scores": "scores",
    "nms.threshold": "number", "nms.eta": "some number", "nms.limit": "some whole",
    "average_precision.matching": "some choice", "average_precision.pixels": "some choice",
    "average_precision.limit": "some whole", "boxes.judge_detections.pixels": "some choice",
    "boxes.judge_detections.limit": "some whole", "boxes.precision_recall.judged": "table",
    "boxes.precision_recall.counts": "table", "boxes.precision_recall.category": "some category",
    "least": "number", "boxes.perfect_nms.background": "some number", "homography": "homography", "where": "unused",
    "reference": "boxes", "size": "sizes", "reference_size": "sizes", "boxes.area_under_recall.iou": "overlap list",
    "boxes.group_areas.iou": "overlap list", "boxes.group_areas.groups": "groups",
    "boxes.area_under_recall.thin": "some whole",
    "boxes.group_areas.thin": "some whole",
    "areas": "areas", "n": "whole",
}  # fmt: skip
WRONG["image rows"] = {
    "none": None,
    "text": "a",
    "negative": [-1],
    "few": [],
    "half": [0.5],
    "ragged": RAGGED,
}
WRONG["some number"] = {"text": "0.1", "nan": np.nan, "true": True, "list": [0.1], "frame": FRAME}
WRONG["some category"] = {"none": None, "unknown": "nonsense", "list": ["cup"], "frame": FRAME}
WRONG["homography"] = {
    "none": None,
    "text": "a",
    "ragged": RAGGED,
    "flat": [1, 0, 0],
    "nan": np.full((3, 3), np.nan),
    "singular": np.zeros((3, 3)),
    "two": np.eye(2),
    "masked": np.ma.masked_array(np.eye(3), mask=True),
}
WRONG["overlap list"] = {
    "text": "a",
    "ragged": RAGGED,
    "above one": [0.5, 2.0],
    "table": [[0.5, 0.7]],
}
WRONG["groups"] = {
    "none": None,
    "text": "a",
    "negative": [-1, 0],
    "half": [0.5, 1],
    "few": [0],
    "ten": [0, 10],
}
WRONG["areas"] = {"none": None, "text": "a", "ragged": RAGGED, "above one": [2.0], "empty": []}
WRONG["category"] = {"text": "cup", "few": [], "number": 3}
BY_DEFAULT = {bool: "flag", int: "whole", str: "choice"}
#: What a message says for an argument: the entry of a list that is wrong, or what it is called outside.
CALLED = {
    "spec": "", "path": "", "folder": "", "truths": "truth", "budgets": "budget", "measures": "measure",
    "chance.prior_chance.hits": "n_hit", "chance.prior_hits.taus": "tau",
    "parameters": "", "parameter": "number of regions", "by": "blocks", "Proposals.boxes": "",
    "MaskProposals.tree": "", "meta.report.built_in": "", "meta.report.methods": "", "meta.report.baselines": "",
    "images": "", "Dataset.images": "images",
}  # fmt: skip


def kind_of(name, argument, default):
    return KINDS.get(f"{name}.{argument}") or KINDS.get(argument) or BY_DEFAULT.get(type(default))


def arguments(name):
    for argument, parameter in inspect.signature(CALLS[name][0]).parameters.items():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            yield argument, kind_of(name, argument, parameter.default)


CASES = [
    pytest.param(name, argument, value, id=f"{name}-{argument}-{label}".replace(" ", "_"))
    for name in CALLS
    for argument, kind in arguments(name)
    for label, value in WRONG.get(kind, {}).items()
]


def made_of(right, folder):
    """Arguments in which files and folders are written, for what stands there as a function that writes them."""
    writers = {key: value for key, value in right.items() if any(value is known for known in FILES)}
    right = right | {key: write(folder) for key, write in writers.items()}
    return right | {"path": folder / "x.csv"} if right.get("path") == "x.csv" else right


@pytest.mark.parametrize(("name", "argument", "value"), CASES)
def test_wrong_kind_is_refused_by_name(name, argument, value, tmp_path):
    function, right = CALLS[name]
    right = made_of(right, tmp_path)
    with refused(CALLED.get(f"{name}.{argument}", CALLED.get(argument, argument))):
        function(**(right | {argument: value}))


PUBLIC = {
    f"{'' if module is pe else module.__name__.split('.')[-1] + '.'}{name}"
    for module in (pe, pe.boxes, pe.chance, pe.masks, pe.meta, pe.methods, pe.partitions, pe.segmenters)
    for name in module.__all__
    if callable(getattr(module, name))
    and (module is pe or getattr(pe, name, None) is not getattr(module, name))
}
#: Errors, what the library alone makes, and what takes nothing.
OTHERS = {
    "InputError",
    "Overlaps",
    "meta.Discrimination",
    "segmenters.Segmenter",
    "methods.MethodUnavailable",
}
OTHERS |= {"methods.list_methods", "segmenters.list_segmenters"}


def test_every_public_function_is_attacked():
    assert set(CALLS) >= PUBLIC - OTHERS


@pytest.mark.parametrize("name", CALLS)
def test_every_argument_is_attacked(name):
    unknown = [argument for argument, kind in arguments(name) if kind not in WRONG]
    assert not unknown, f"say in KINDS what {unknown} are"


@pytest.mark.parametrize("name", CALLS)
def test_the_right_call_is_right(name, tmp_path):
    function, right = CALLS[name]
    function(**made_of(right, tmp_path))
