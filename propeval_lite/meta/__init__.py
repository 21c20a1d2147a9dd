"""Measures of measures: does a measure prefer what is plainly better? SIHD, SABD and SISD of any measure."""

from propeval_lite.meta.annotators import human_scores, sihd, sihd_of_scores
from propeval_lite.meta.classify import classify_scores, densities
from propeval_lite.meta.discrimination import Discrimination, sabd, sabd_of_scores, sisd, sisd_of_scores
from propeval_lite.meta.report import report, report_of_scores

__all__ = [
    "Discrimination",
    "classify_scores",
    "densities",
    "human_scores",
    "report",
    "report_of_scores",
    "sabd",
    "sabd_of_scores",
    "sihd",
    "sihd_of_scores",
    "sisd",
    "sisd_of_scores",
]
