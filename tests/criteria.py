"""Every criterion of an overlap table, and tables to try them on, for tests that hold for all of them."""

from hypothesis import strategies as st

from propeval_lite.boxes import Overlaps, abo, auc, average_recall, mabo, recall, vus

CRITERIA = {
    "recall": lambda table: recall(table, 0.5),
    "recall per image": lambda table: recall(table, 0.5, average="image"),
    "AR integral": average_recall,
    "AR coco": lambda table: average_recall(table, "coco"),
    "AR sum": lambda table: average_recall(table, "sum", average="image"),
    "partial AR": lambda table: average_recall(table, low=0.6, high=0.8),
    "ABO": abo,
    "MABO": mabo,
    "AUC": lambda table: auc(table, 0.5, budget_axis="log"),
    "AUC over thresholds": lambda table: auc(table, over="thresholds"),
    "VUS": vus,
}


@st.composite
def tables(draw, budgets=(5, 20, 100)):
    """Tables of 1 to 12 objects whose IoUs often lie exactly on thresholds."""
    n = draw(st.integers(1, 12))
    values = st.one_of(st.sampled_from([0.0, 0.5, 0.55, 0.6, 0.7, 0.95, 1.0]), st.floats(0, 1))
    iou = [draw(st.lists(values, min_size=len(budgets), max_size=len(budgets))) for _ in range(n)]
    images = sorted(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
    kinds = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    return Overlaps.from_iou(iou, budgets, image_row=images, category=kinds)
