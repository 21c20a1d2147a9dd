"""Every criterion of an overlap table, for tests that hold for all of them."""

from propeval_lite.boxes import abo, auc, average_recall, mabo, recall, vus

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
