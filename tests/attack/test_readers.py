"""Spoilt files of every format: refused with the file and the place, or read as what they are."""

import gzip
import io
import json
import lzma
import struct
import zipfile
import zlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
from PIL import Image
from refusals import refused, within
from tiny_files import LABELS, PICTURE, XML, bsds, coco, ground_truth, hosang, instances, positions, put, voc

import propeval_lite as pe

HEAD = "image_id,x1,y1,x2,y2,score\n"
GOOD = HEAD + "a,0,0,4,4,0.5\n"


def read(folder, content, name="boxes.csv", **options):
    return pe.read_proposals(put(folder / name, content), **options)


CSV = {
    "empty": ("", ()),
    "only the header of another table": ("a,b\n1,2\n", ("image_id",)),
    "no header": ("a,0,0,4,4,0.5\n", ("image_id",)),
    "semicolons": (GOOD.replace(",", ";"), ("image_id",)),
    "tabs": (GOOD.replace(",", "\t"), ("image_id",)),
    "column missing": ("image_id,x1,y1,x2\na,0,0,4\n", ("y2",)),
    "column twice": ("image_id,x1,y1,x2,y2,x1\na,0,0,4,4,1\n", ("x1",)),
    "more cells than names": (GOOD + "b,0,0,4,4,0.5,9,9\n", ()),
    "fewer cells": (HEAD + "a,0,0\n", ("x2",)),
    "no image": (HEAD + ",0,0,4,4,0.5\n", ("image_id",)),
    "words": (HEAD + "a,zero,0,4,4,0.5\n", ("x1",)),
    "decimal commas": (HEAD + 'a,"0,5",0,4,4,0.5\n', ("x1",)),
    "nan": (HEAD + "a,nan,0,4,4,0.5\n", ("x1",)),
    "inf": (HEAD + "a,0,0,inf,4,0.5\n", ("x2",)),
    "beyond floats": (HEAD + "a,0,0,1e999,4,0.5\n", ("x2",)),
    "nan score": (HEAD + "a,0,0,4,4,nan\n", ("score",)),
    "no score": (HEAD + "a,0,0,4,4,\n", ("score",)),
    "word as score": (HEAD + "a,0,0,4,4,high\n", ("score",)),
    "true as score": (HEAD + "a,0,0,4,4,True\n", ("score",)),
    "swapped corners": (HEAD + "a,4,4,0,0,0.5\n", ("x2",)),
    "swapped sides": (HEAD + "a,0,4,4,0,0.5\n", ("y2",)),
    "dates": (HEAD + "a,2020-01-01,0,4,4,0.5\n", ("x1",)),
    "percent": (HEAD + "a,0,0,4,4,50%\n", ("score",)),
    "latin-1": (GOOD.replace("a,", "é,").encode("latin-1"), ("UTF-8",)),
    "utf-16": (GOOD.encode("utf-16"), ()),
    "nul bytes": (b"\0" * 64, ()),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(200)), ()),
    "open quote": (HEAD + 'a,"0,0,4,4,0.5\n', ()),
}


@pytest.mark.parametrize(("content", "words"), CSV.values(), ids=CSV)
def test_csv(tmp_path, content, words):
    with refused("boxes.csv", *words):
        read(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode("utf-8-sig"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD + "\n\n",
        GOOD.rstrip(),
    ],
    ids=["mark of windows", "lines of windows", "lines of old macs", "empty lines", "no last line end"],
)
def test_csv_in_other_dress(tmp_path, content):
    found = read(tmp_path, content)
    assert found.boxes.tolist() == [[0, 0, 4, 4]] and found.image_ids.tolist() == ["a"]


GZ = {
    "not gzip": GOOD.encode(),
    "empty": b"",
    "cut": gzip.compress(GOOD.encode() * 99)[:-20],
    "wrong sum": gzip.compress(GOOD.encode())[:-8] + b"\0" * 8,
    "bomb": gzip.compress(HEAD.encode() + b"a,0,0,4,4,0.5\n" * 2**16),
    "bomb in one cell": gzip.compress(HEAD.encode() + b"a" * 2**21),
}


@pytest.mark.parametrize("content", GZ.values(), ids=GZ)
def test_gz(tmp_path, monkeypatch, content):
    monkeypatch.setattr("propeval_lite.datasets.files.MOST_UNPACKED", 2**16)
    with refused("boxes.csv.gz"):
        read(tmp_path, content, "boxes.csv.gz")


def test_gz_that_is_whole(tmp_path):
    assert len(read(tmp_path, gzip.compress(GOOD.encode()), "boxes.csv.gz")) == 1


def parquet(folder, name="boxes.parquet", metadata=None, **columns):
    table = {"image_id": ["a"], "x1": [0.0], "y1": [0.0], "x2": [4.0], "y2": [4.0]} | columns
    table = pa.table({key: values for key, values in table.items() if values is not None})
    pq.write_table(table.replace_schema_metadata(metadata), folder / name)
    return folder / name


PARQUET = {
    "column missing": ({"y2": None}, ("y2",)),
    "words": ({"x1": ["zero"]}, ("x1",)),
    "true": ({"x1": [True]}, ("x1",)),
    "dates": ({"x1": pa.array([0], pa.timestamp("s"))}, ("x1",)),
    "lists": ({"x1": [[0.0]]}, ("x1",)),
    "missing number": ({"x1": pa.array([None], pa.float64())}, ("x1",)),
    "missing score": ({"score": pa.array([None], pa.float64())}, ("score",)),
    "missing image": ({"image_id": pa.array([None], pa.string())}, ("image_id",)),
    "images as numbers with a point": ({"image_id": [1.5]}, ("image id",)),
    "swapped": ({"x1": [9.0]}, ("x2",)),
    "nan": ({"y1": [float("nan")]}, ("y1",)),
    "inf": ({"y2": [float("inf")]}, ("y2",)),
    "notes that are no JSON": ({"metadata": {b"propeval": b"{"}}, ("notes",)),
    "notes that are a list": ({"metadata": {b"propeval": b"[]"}}, ("notes",)),
    "notes with half a frame": ({"metadata": {b"propeval": b'{"pixels": "edges"}'}}, ("origin",)),
    "notes with a wrong frame": (
        {"metadata": {b"propeval": b'{"pixels": "dots", "origin": 0}'}},
        ("pixels",),
    ),
    "notes with a wrong origin": (
        {"metadata": {b"propeval": b'{"pixels": "edges", "origin": 7}'}},
        ("origin",),
    ),
}


@pytest.mark.parametrize(("columns", "words"), PARQUET.values(), ids=PARQUET)
def test_parquet(tmp_path, columns, words):
    with refused(*words):
        pe.read_proposals(parquet(tmp_path, **columns))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(64) + b"PAR1", GOOD.encode()])
def test_broken_parquet(tmp_path, content):
    with refused("boxes.parquet"):
        read(tmp_path, content, "boxes.parquet")


def test_parquet_files_carry_page_checksums_and_verify_them(tmp_path):
    rng = np.random.default_rng(0)
    boxes = np.sort(rng.random((500, 4)), axis=1)
    path = pe.write_proposals(pe.Proposals(["a"], [0, 500], boxes), tmp_path / "boxes.parquet")
    content = bytearray(path.read_bytes())
    place = content.find(boxes[250, 0].tobytes())
    assert place > 0, "the box is not stored as it is: choose another byte to flip"
    content[place + 5] ^= 1
    path.write_bytes(content)
    with refused("boxes.parquet"):
        pe.read_proposals(path)


NPZ = {"image_ids": np.array(["a"]), "offsets": np.array([0, 1]), "boxes": np.array([[0.0, 0, 4, 4]])}


def npz(folder, **changes):
    arrays = {key: value for key, value in (NPZ | changes).items() if value is not None}
    np.savez(folder / "boxes.npz", **arrays)
    return folder / "boxes.npz"


ARRAYS = {
    "no boxes": ({"boxes": None}, ("boxes",)),
    "no offsets": ({"offsets": None}, ("image_id",)),
    "objects": ({"boxes": np.array([[{}]], dtype=object)}, ("objects",)),
    "three columns": ({"boxes": np.zeros((1, 3))}, ("boxes",)),
    "words": ({"boxes": np.array([["a", "b", "c", "d"]])}, ("boxes",)),
    "true": ({"boxes": np.zeros((1, 4), bool)}, ("boxes",)),
    "complex": ({"boxes": np.zeros((1, 4), complex)}, ("boxes",)),
    "nan": ({"boxes": np.full((1, 4), np.nan)}, ("x1",)),
    "swapped": ({"boxes": np.array([[4.0, 4, 0, 0]])}, ("x2",)),
    "offsets with a point": ({"offsets": np.array([0.0, 1.0])}, ("offsets",)),
    "falling offsets": ({"offsets": np.array([1, 0])}, ("offsets",)),
    "offsets of other boxes": ({"offsets": np.array([0, 7])}, ("offsets",)),
    "unsigned offsets that fall": (
        {"image_ids": np.array(["a", "b"]), "offsets": np.array([0, 2, 1], np.uint8)},
        (),
    ),
    "an image twice": ({"image_ids": np.array(["a", "a"]), "offsets": np.array([0, 1, 1])}, ("image",)),
    "scores of other boxes": ({"scores": np.zeros(3)}, ("scores",)),
    "scores that are words": ({"scores": np.array(["high"])}, ("scores",)),
    "half a frame": ({"pixels": np.array("edges")}, ("origin",)),
    "a wrong frame": ({"pixels": np.array("dots"), "origin": np.array(0)}, ("pixels",)),
}


@pytest.mark.parametrize(("changes", "words"), ARRAYS.values(), ids=ARRAYS)
def test_npz(tmp_path, changes, words):
    with refused(*words):
        pe.read_proposals(npz(tmp_path, **changes))


def zipped(method=zipfile.ZIP_STORED, **members):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return memory.getvalue()


def header(shape, kind="<f8"):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text + b"\n"


def marked(content, offset, value):
    """A ZIP file with a number of its local and central headers changed."""
    content = bytearray(content)
    for signature, place in ((b"PK\x03\x04", offset), (b"PK\x01\x02", offset + 2)):
        at = content.find(signature) + place
        content[at : at + 2] = struct.pack("<H", value)
    return bytes(content)


WHOLE = zipped(boxes=header((1, 4)) + bytes(32))
ARCHIVES = {
    "empty": b"",
    "text": GOOD.encode(),
    "cut": WHOLE[:-30],
    "encrypted": marked(WHOLE, 6, 1),
    "unknown packing": marked(WHOLE, 8, 77),
    "packing of another kind": marked(WHOLE, 8, 12),
    "broken lzma": marked(WHOLE, 8, 14),
    "flipped bit": WHOLE.replace(bytes(32), bytes(31) + b"\1"),
    "no array": zipped(boxes=b"hello"),
    "array without an end": zipped(boxes=header((10, 4)) + bytes(32)),
    "enormous header": zipped(boxes=header((10**15, 4))),
    "negative shape": zipped(boxes=header((-1, 4)) + bytes(32)),
    "code as header": zipped(boxes=header("__import__('os').getcwd()")),
    "bomb": zipped(zipfile.ZIP_DEFLATED, boxes=header((2**16, 4)) + bytes(2**21)),
    "bomb of many": zipped(zipfile.ZIP_DEFLATED, **{f"a{i}": header((2**15,)) + bytes(2**18) for i in range(9)}),
}  # fmt: skip


@pytest.mark.parametrize("content", ARCHIVES.values(), ids=ARCHIVES)
def test_archives(tmp_path, monkeypatch, content):
    monkeypatch.setattr("propeval_lite.datasets.files.MOST_UNPACKED", 2**16)
    with refused("boxes.npz"):
        read(tmp_path, content, "boxes.npz")


def test_lzma_is_read_or_refused(tmp_path):
    content = zipped(zipfile.ZIP_LZMA, boxes=header((1, 4)) + bytes(32))
    assert lzma.is_check_supported(lzma.CHECK_CRC32)
    with refused("boxes.npz", "image_id"):
        read(tmp_path, content, "boxes.npz")


DEEP = "[" * 5000 + "]" * 5000
RECORD = {"image_id": 7, "bbox": [0, 0, 4, 4], "score": 0.5}
RESULTS = {
    "empty": ("", ()),
    "cut": ('[{"image_id": 7', ("line 1",)),
    "latin-1": ('[{"image_id": "é"}]'.encode("latin-1"), ("UTF-8",)),
    "deep": (DEEP, ()),
    "long number": ('[{"image_id": ' + "9" * 5000 + "}]", ()),
    "a number": ("3", ("list",)),
    "text": ('"boxes"', ("list",)),
    "null": ("null", ()),
    "truth": (instances(), ("Truth",)),
    "list of lists": ([[0, 0, 4, 4]], ("image_id",)),
    "no image": ([{"image_id": None, "bbox": [0, 0, 4, 4], "score": 1}], ("image_id",)),
    "true as image": ([RECORD | {"image_id": True}], ("image_id",)),
    "image with a point": ([RECORD | {"image_id": 7.5}], ("image_id",)),
    "image as list": ([RECORD | {"image_id": [7]}], ("image_id",)),
    "lone surrogate": ('[{"image_id": "a\\ud800", "bbox": [0, 0, 4, 4], "score": 1}]', ("ids",)),
    "numbers and words as images": ([RECORD, RECORD | {"image_id": "x"}], ("image",)),
    "no box": ([{"image_id": 7, "score": 1}], ("bbox", "segmentation")),
    "null as box": ([RECORD | {"bbox": None}], ("segmentation",)),
    "three numbers": ([RECORD | {"bbox": [0, 0, 4]}], ("bbox",)),
    "text in a box": ([RECORD | {"bbox": [0, 0, 4, "4"]}], ("bbox",)),
    "true in a box": ([RECORD | {"bbox": [0, 0, 4, True]}], ("bbox",)),
    "nested box": ([RECORD | {"bbox": [[0, 0, 4, 4]]}], ("bbox",)),
    "box as an object": ([RECORD | {"bbox": {"x": 0}}], ("bbox",)),
    "negative width": ([RECORD | {"bbox": [4, 4, -2, 2]}], ("bbox",)),
    "nan in a box": ('[{"image_id": 7, "bbox": [NaN, 0, 4, 4], "score": 1}]', ("x1",)),
    "infinite box": ('[{"image_id": 7, "bbox": [0, 0, Infinity, 4], "score": 1}]', ("x2",)),
    "true as score": ([RECORD | {"score": True}], ("score",)),
    "false as score": ([RECORD | {"score": False}], ("score",)),
    "word as score": ([RECORD | {"score": "0.5"}], ("score",)),
    "null as score": ([RECORD | {"score": None}, RECORD], ("score",)),
    "nan as score": ('[{"image_id": 7, "bbox": [0, 0, 4, 4], "score": NaN}]', ("score",)),
    "list as score": ([RECORD | {"score": [0.5]}], ("score",)),
    "some without score": ([RECORD, {"image_id": 7, "bbox": [0, 0, 1, 1]}], ("score",)),
}


@pytest.mark.parametrize(("content", "words"), RESULTS.values(), ids=RESULTS)
def test_coco_results(tmp_path, content, words):
    content = content if isinstance(content, (str, bytes)) else json.dumps(content)
    with refused(*words):
        read(tmp_path, content, "results.json", format="coco")


def without(key):
    return {name: value for name, value in instances().items() if name != key}


def with_image(**changes):
    content = instances()
    content["images"][0] |= changes
    return content


def twice(key):
    content = instances()
    content[key] *= 2
    return content


ODD = float("nan")
INSTANCES = {
    "a list": ([], ("images",)),
    "a number": (3, ("images",)),
    "no images": (without("images"), ("images",)),
    "no annotations": (without("annotations"), ("annotations",)),
    "images as object": (instances() | {"images": {}}, ("images",)),
    "annotations as object": (instances() | {"annotations": {}}, ("annotations",)),
    "categories as text": (instances() | {"categories": "cat"}, ("categor",)),
    "categories without name": (instances() | {"categories": [{"id": 3}]}, ("categor",)),
    "category with a list as id": (instances() | {"categories": [{"id": [3], "name": "cat"}]}, ("categor",)),
    "category twice": (twice("categories"), ("category",)),
    "image twice": (twice("images"), ("image",)),
    "annotation twice": (twice("annotations"), ("id",)),
    "image without size": (instances() | {"images": [{"id": 7}]}, ("width",)),
    "image as text": (instances() | {"images": ["a.jpg"]}, ("image",)),
    "size with a point": (with_image(width=10.5), ("width",)),
    "size as text": (with_image(width="10"), ("width",)),
    "true as size": (with_image(width=True), ("width",)),
    "no width": (with_image(width=0), ("width",)),
    "negative height": (with_image(height=-8), ("height",)),
    "absurd width": (with_image(width=10**20), ("width",)),
    "image id as list": (with_image(id=[7]), ("id",)),
    "image id true": (with_image(id=True), ("id",)),
    "image id with a point": (with_image(id=7.5), ("id",)),
    "surrogate in an image id": (with_image(id="\ud800"), ("ids",)),
    "annotation as text": (instances() | {"annotations": ["cat"]}, ("annotation",)),
    "annotation without image": (instances(image_id=None), ("image_id",)),
    "annotation of an unknown image": (instances(image_id=8), ("image_id",)),
    "annotation of image true": (instances(image_id=True), ("image_id",)),
    "annotation without id": (instances(id=None), ("id",)),
    "annotation with a list as id": (instances(id=[1]), ("id",)),
    "annotation with true as id": (instances(id=True), ("id",)),
    "unknown category": (instances(category_id=4), ("category_id",)),
    "category as list": (instances(category_id=[3]), ("category_id",)),
    "category true": (instances(category_id=True), ("category_id",)),
    "no box": (instances(bbox=None), ("bbox",)),
    "three numbers": (instances(bbox=[0, 0, 4]), ("bbox",)),
    "text in a box": (instances(bbox=[0, 0, 4, "4"]), ("bbox",)),
    "nested box": (instances(bbox=[[0, 0, 4, 4]]), ("bbox",)),
    "nan in a box": (instances(bbox=[ODD, 0, 4, 4]), ("x1",)),
    "negative width": (instances(bbox=[4, 4, -2, 2]), ("x2",)),
    "box outside": (instances(bbox=[100, 100, 4, 4]), ("x2",)),
    "huge number": (instances(bbox=[0, 0, 10**400, 4]), ("bbox",)),
    "negative area": (instances(area=-1), ("area",)),
    "area as text": (instances(area="12"), ("area",)),
    "area true": (instances(area=True), ("area",)),
    "area nan": (instances(area=ODD), ("area",)),
    "area null": (instances(area=None), ("area",)),
    "iscrowd 2": (instances(iscrowd=2), ("iscrowd",)),
    "iscrowd as text": (instances(iscrowd="0"), ("iscrowd",)),
    "iscrowd with a point": (instances(iscrowd=0.5), ("iscrowd",)),
    "iscrowd as list": (instances(iscrowd=[1]), ("iscrowd",)),
    "iscrowd empty text": (instances(iscrowd=""), ("iscrowd",)),
    "iscrowd empty list": (instances(iscrowd=[]), ("iscrowd",)),
    "ignore as text": (instances(ignore="false"), ("ignore",)),
    "ignore -1": (instances(ignore=-1), ("ignore",)),
}


@pytest.mark.parametrize(("content", "words"), INSTANCES.values(), ids=INSTANCES)
def test_coco_instances(tmp_path, content, words):
    with refused("instances.json", *words):
        pe.load_dataset(f"coco:{coco(tmp_path, content)}")


SEGMENTATIONS = {
    "none": None,
    "text": "mask",
    "number": 3,
    "empty": [],
    "two corners": [[1, 1, 3, 3]],
    "half a corner": [[1, 1, 3, 3, 5, 1, 7]],
    "words": [["a", "b", "c", "d", "e", "f"]],
    "nan": [[ODD, 1, 3, 3, 5, 1]],
    "far away": [[0, 0, 1e12, 0, 0, 1e12]],
    "runs of another picture": {"size": [4, 4], "counts": [16]},
    "runs that stop early": {"size": [8, 10], "counts": [10]},
    "negative run": {"size": [8, 10], "counts": [-1, 81]},
    "runs with a point": {"size": [8, 10], "counts": [79.5, 0.5]},
    "no counts": {"size": [8, 10]},
    "no size": {"counts": [80]},
    "size as text": {"size": "8x10", "counts": [80]},
    "packed nonsense": {"size": [8, 10], "counts": "~~~~"},
    "empty text": {"size": [8, 10], "counts": ""},
}


@pytest.mark.parametrize("segmentation", SEGMENTATIONS.values(), ids=SEGMENTATIONS)
def test_coco_masks(tmp_path, segmentation):
    dataset = pe.load_dataset(f"coco:{coco(tmp_path, instances(segmentation=segmentation))}")
    with refused("annotation", "segmentation"):
        dataset.masks(7)


VOC_XML = {
    "empty": ("", ("a.xml",)),
    "cut": (XML[:-30], ("a.xml",)),
    "not xml": ("{}", ("a.xml",)),
    "entities": ('<!DOCTYPE a [<!ENTITY b "c">]>' + XML, ("a.xml",)),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?>' + XML, ("a.xml",)),
    "no size": (XML.replace("size", "extent"), ("size",)),
    "size with a point": (XML.replace(">10<", ">10.5<"), ("size",)),
    "size zero": (XML.replace(">10<", ">0<"), ("width",)),
    "size of a billion digits": (XML.replace(">10<", ">" + "9" * 5000 + "<"), ("size",)),
    "no name": (XML.replace("<name>cat</name>", ""), ("name",)),
    "no xmin": (XML.replace("xmin", "left"), ("xmin",)),
    "word as xmin": (XML.replace(">4<", ">four<"), ("xmin",)),
    "nan as xmin": (XML.replace(">4<", ">nan<"), ("x1",)),
    "inf as xmax": (XML.replace(">7<", ">inf<"), ("x2",)),
    "swapped corners": (XML.replace(">7<", ">1<"), ("x2",)),
    "box outside": (XML.replace(">7<", ">99<"), ("x2",)),
    "difficult as word": (XML.replace("<difficult>0", "<difficult>yes"), ("difficult",)),
    "difficult 2": (XML.replace("<difficult>0", "<difficult>2"), ("difficult",)),
}


@pytest.mark.parametrize(("content", "words"), VOC_XML.values(), ids=VOC_XML)
def test_voc_xml(tmp_path, content, words):
    root = voc(tmp_path)
    put(root / "Annotations" / "a.xml", content)
    with refused(*words):
        pe.load_dataset(f"voc2012:{root}")


def png(array, mode=None):
    memory = io.BytesIO()
    picture = Image.fromarray(array)
    (picture if mode is None else picture.convert(mode)).save(memory, "PNG")
    return memory.getvalue()


def bomb(width, height):
    """A PNG file of a few bytes that says it is as large as you like."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(9))) + chunk(b"IEND", b"")


MASK_FILES = {
    "RGB": (png(LABELS, "RGB"), "palette"),
    "RGBA": (png(LABELS, "RGBA"), "palette"),
    "grey with transparency": (png(LABELS, "LA"), "palette"),
    "16 bits": (png(LABELS.astype(np.uint16)), "8 bits"),
    "1 bit": (png(LABELS > 0), "8 bits"),
    "another size": (png(LABELS[:, :-1]), "10 x 8"),
    "transposed": (png(np.ascontiguousarray(LABELS.T)), "10 x 8"),
    "empty": (b"", "readable"),
    "text": (b"labels", "readable"),
    "cut": (png(LABELS)[:50], ""),
    "bomb": (bomb(10**5, 10**5), ""),
}


@pytest.mark.parametrize(("content", "word"), MASK_FILES.values(), ids=MASK_FILES)
@pytest.mark.parametrize("what", ["masks", "partitions"])
def test_voc_masks(tmp_path, content, word, what):
    root = voc(tmp_path)
    put(root / "SegmentationObject" / "a.png", content)
    dataset = pe.load_dataset(f"voc2012:{root}")
    with refused("a.png", word):
        getattr(dataset, what)("a")


@pytest.mark.parametrize(("content", "word"), MASK_FILES.values(), ids=MASK_FILES)
def test_voc_boxes_from_spoilt_masks(tmp_path, content, word):
    root = voc(tmp_path)
    put(root / "SegmentationClass" / "a.png", content)
    with refused("a.png", word):
        pe.load_dataset(f"voc2012:{root}", boxes="mask")


PICTURES = {
    "empty": b"",
    "text": b"a picture",
    "bomb": bomb(10**5, 10**5),
    "bomb below the limit of the library": bomb(12_000, 12_000),
    "16 bits": png(LABELS.astype(np.uint16)),
    "another size": png(PICTURE[:-1]),
    "bomb of the right format": b"BM" + bytes(200),
}


@pytest.mark.parametrize("content", PICTURES.values(), ids=PICTURES)
def test_pictures(tmp_path, content):
    root = voc(tmp_path)
    put(root / "JPEGImages" / "a.jpg", content)
    dataset = pe.load_dataset(f"voc2012:{root}")
    with refused("a.jpg"):
        dataset.image("a")


LISTS = {
    "latin-1": ("é\n".encode("latin-1"), ("UTF-8",)),
    "two words": ("a 1\n", ("one image id",)),
    "twice": ("a\na\n", ("image",)),
    "absent": ("b\n", ("b.xml",)),
}


@pytest.mark.parametrize(("content", "words"), LISTS.values(), ids=LISTS)
def test_voc_lists(tmp_path, content, words):
    root = voc(tmp_path)
    put(root / "ImageSets" / "Main" / "val.txt", content)
    with refused(*words):
        pe.load_dataset(f"voc2012:{root}")


HALVES = LABELS + 0.5
TRUTHS = {
    "halves": HALVES,
    "nan": np.full(LABELS.shape, np.nan),
    "negative": LABELS.astype(int) - 1,
    "beyond 32 bits": LABELS.astype(np.int64) * 2**40,
    "another shape": LABELS[:, :-1],
    "three axes": np.zeros((8, 10, 3), np.uint8),
    "words": np.array([["a"]]),
    "complex": LABELS.astype(complex),
    "empty": np.zeros((0, 0)),
}


@pytest.mark.parametrize("labels", TRUTHS.values(), ids=TRUTHS)
def test_bsds_labels(tmp_path, labels):
    dataset = pe.load_dataset(f"bsds500:{bsds(tmp_path, labels)}")
    with refused("a.mat"):
        dataset.partitions("a")


def test_bsds_labels_stored_as_whole_floats_are_read(tmp_path):
    dataset = pe.load_dataset(f"bsds500:{bsds(tmp_path, LABELS.astype(float))}")
    assert np.array_equal(dataset.partitions("a")[0], LABELS)


MAT = {
    "another variable": {"labels": LABELS},
    "a plain array": {"groundTruth": LABELS},
    "no annotator": {"groundTruth": np.empty((1, 0), dtype=object)},
    "other fields": {"groundTruth": {"labels": LABELS}},
}


@pytest.mark.parametrize("content", MAT.values(), ids=MAT)
def test_bsds_of_another_layout(tmp_path, content):
    root = bsds(tmp_path)
    scipy.io.savemat(root / "groundTruth" / "test" / "a.mat", content)
    with refused("a.mat"):
        pe.load_dataset(f"bsds500:{root}").partitions("a")


MAT_BYTES = {
    "empty": b"",
    "text": b"%YAML",
    "version 7.3": b"MATLAB 7.3 MAT-file" + b" " * 105 + b"\x00\x02IM" + b"\x89HDF\r\n\x1a\n",
    "zeros": bytes(300),
}


@pytest.mark.parametrize("content", MAT_BYTES.values(), ids=MAT_BYTES)
def test_broken_mat(tmp_path, content):
    root = bsds(tmp_path)
    put(root / "groundTruth" / "test" / "a.mat", content)
    with refused("a.mat"):
        pe.load_dataset(f"bsds500:{root}").partitions("a")
    with refused("a.mat"):
        pe.read_proposals(root / "groundTruth" / "test" / "a.mat")


def test_cut_mat(tmp_path):
    root = bsds(tmp_path)
    file = root / "groundTruth" / "test" / "a.mat"
    file.write_bytes(file.read_bytes()[:200])
    with refused("a.mat"):
        pe.load_dataset(f"bsds500:{root}").partitions("a")


HOSANG = {
    "another variable": ({"boxes": np.zeros((1, 4))}, ("impos",)),
    "no struct": ({"impos": np.zeros((1, 4))}, ("impos",)),
    "no sizes": ({"impos": {"im": "a", "boxes": np.zeros((1, 4))}}, ("impos",)),
    "words as size": (positions(img_size="large"), ("img_size",)),
    "three numbers as size": (positions(img_size=np.array([[1, 2, 3]])), ("img_size",)),
    "size with a point": (positions(img_size=np.array([[10.5, 8]])), ("img_size",)),
    "negative size": (positions(img_size=np.array([[-10, 8]])), ("width",)),
    "nan as size": (positions(img_size=np.array([[np.nan, 8]])), ("img_size",)),
    "boxes of three": (positions(boxes=np.zeros((1, 3))), ("boxes",)),
    "words as boxes": (positions(boxes="many"), ("boxes",)),
    "nan in a box": (positions(boxes=np.array([[np.nan, 3, 7, 5]])), ("x1",)),
    "swapped corners": (positions(boxes=np.array([[7.0, 5, 4, 3]])), ("x2",)),
    "box outside": (positions(boxes=np.array([[4.0, 3, 70, 5]])), ("x2",)),
    "no name": (positions(im=np.zeros((0, 0))), ("impos.im",)),
}


@pytest.mark.parametrize(("content", "words"), HOSANG.values(), ids=HOSANG)
def test_hosang_files(tmp_path, content, words):
    with refused("ILSVRC2013_val_annotations.mat", *words):
        pe.load_dataset(f"ilsvrc2013:{hosang(tmp_path, content)}")


def test_a_struct_like_the_real_one_is_read(tmp_path):
    assert len(pe.load_dataset(f"ilsvrc2013:{hosang(tmp_path)}").objects) == 1
    assert ground_truth(LABELS)["groundTruth"].shape == (1, 1)


SPECS = {
    "nonsense": "nonsense",
    "no name": "?n=3",
    "spaces": "scenes n=3",
    "option without value": "scenes?n",
    "option twice": "scenes?n=3&n=4",
    "unknown option": "scenes?m=3",
    "path of scenes": "scenes:/tmp",
    "absurd number": "scenes?n=1000000000",
    "absurd width": "scenes?n=1&width=10000000",
    "absurd both": "scenes?n=1&width=9000&height=9000",
    "no scene": "scenes?n=0",
    "negative number": "scenes?n=-1",
    "a half": "scenes?n=1.5",
    "too narrow": "scenes?n=1&width=8",
    "negative height": "scenes?n=1&height=-375",
    "negative seed": "scenes?n=1&seed=-1",
    "word as seed": "scenes?n=1&seed=one",
    "a digit with a line": "scenes?n=1_0",
    "unknown category": "scenes?n=1&categories=unicorn",
    "zero step": "scenes?n=2&width=32&height=32&part=0::0",
    "empty part": "scenes?n=2&width=32&height=32&part=5:",
    "part as a word": "scenes?n=2&width=32&height=32&part=half",
    "part as a number": "scenes?n=2&width=32&height=32&part=1",
    "negative longest": "scenes?n=1&width=32&height=32&longest=-1",
    "longest as a half": "scenes?n=1&width=32&height=32&longest=0.5",
    "no blocks": "scenes?n=1&width=32&height=32&blocks=0",
    "blocks larger than the picture": "scenes?n=1&width=32&height=32&blocks=64",
    "photos elsewhere": "photos?folder=/no/such/folder",
    "voc elsewhere": "voc2012:/no/such/folder",
    "coco elsewhere": "coco:/no/such/file.json",
    "coco as a folder": "coco:/tmp",
    "nul in a path": "coco:a\0b.json",
    "path without end": "coco:" + "a" * 5000,
    "home of nobody": "coco:~no_such_user/a.json",
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_specs(spec):
    with refused():
        pe.load_dataset(spec)


@pytest.mark.parametrize("name", ["boxes.txt", "boxes", "boxes.xlsx", "boxes.csv.zip", "boxes.tar.gz"])
def test_endings(tmp_path, name):
    with refused("boxes"):
        read(tmp_path, GOOD, name)


def test_a_long_list_of_pages_stays_quick(tmp_path):
    table = pd.DataFrame({"image_id": np.arange(20_000), "x1": 0, "y1": 0, "x2": 4, "y2": 4})
    table.to_csv(tmp_path / "boxes.csv", index=False)
    with within(10):
        assert len(pe.read_proposals(tmp_path / "boxes.csv")) == 20_000
