"""What §6.4 reads from figure 11, read from the authors' files: each finding with its numbers and whether it holds."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from propeval_lite.studies.ponttuset_files import BLIND, CONFERENCE, LATER, best_of_files, common_recalls

NAMES = {"fb": "$F_b$", "fop": "$F_{op}$"}


class Finding(NamedTuple):
    """One finding: row of the ledger, the paper's claim, what the files say, and whether the claim holds.

    `partly` says whether its order holds where it does not.
    """

    row: str
    claim: str
    found: str
    holds: bool
    partly: bool = False


def findings(curves: pd.DataFrame, people: pd.DataFrame) -> list[Finding]:
    """Read the findings of §6.4 about methods and people from the files.

    Parameters
    ----------
    curves, people : DataFrame
        From `curves_of_files` and `people_of_files`.
    """
    best = best_of_files(curves).set_index(["package", "measure", "method"])["f"].sort_index()
    return [
        _best_in_both(best),
        _learned_contours(best),
        _egb(best),
        _quadtree(best, curves),
        _crossing(curves),
        floor_of_precision(curves),
        _people(people),
    ]


def list_findings(found: list[Finding]) -> pd.DataFrame:
    """List findings for readers: ``claim, found, holds``."""
    table = pd.DataFrame(found)[["claim", "found", "holds"]]
    return table.assign(holds=table["holds"].map({True: "yes", False: "no"}))


def _ordered(values: pd.Series) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in values.sort_values(ascending=False).items())


def _best_in_both(best: pd.Series) -> Finding:
    leaders = {measure: best[LATER, measure].nlargest(2) for measure in NAMES}
    found = "; ".join(f"{NAMES[measure]}: {_ordered(top)}" for measure, top in leaders.items())
    holds = all(top.index[0] == "MCG-UCM" for top in leaders.values())
    return Finding("ponttuset.claim_mcg_both", "MCG-UCM is best by both measures", found, holds)


def _learned_contours(best: pd.Series) -> Finding:
    pair = {measure: best[LATER, measure][["gPb-UCM", "ISCRA"]] for measure in NAMES}
    found = "; ".join(f"{NAMES[measure]}: {_ordered(two)}" for measure, two in pair.items())
    holds = pair["fb"].idxmax() == "gPb-UCM" and pair["fop"].idxmax() == "ISCRA"
    claim = "gPb-UCM is above ISCRA by boundaries and below it by regions"
    return Finding("ponttuset.claim_gpb_iscra", claim, found, holds)


def _egb(best: pd.Series) -> Finding:
    places, words = {}, []
    for measure, name in NAMES.items():
        values = best[CONFERENCE, measure].combine_first(best[LATER, measure]).drop(BLIND)
        values = values.sort_values(ascending=False)
        places[measure] = values.index.get_loc("EGB") + 1
        words.append(f"{name}: place {places[measure]} of {len(values)}: {_ordered(values)}")
    claim = "EGB is the fourth method by boundaries and the worst by objects and parts"
    worst = places["fop"] == len(values)
    return Finding("ponttuset.claim_egb", claim, "; ".join(words), places["fb"] == 4 and worst,
                   worst and places["fb"] < places["fop"])  # fmt: skip


def _quadtree(best: pd.Series, curves: pd.DataFrame) -> Finding:
    rows = _lines(curves, "fb")
    gap = common_recalls(rows, BLIND, "NWMC")["gap"]
    values = best[CONFERENCE, "fb"][[BLIND, "NWMC"]]
    found = (f"best {NAMES['fb']}: {_ordered(values)}; at equal recall the quadtree's precision is lower by "
             f"{-gap.max():.2f} to {-gap.min():.2f}")  # fmt: skip
    claim = "the best values of the quadtree and NWMC are near, but as a curve the quadtree is clearly worse"
    # Worse as a curve: at every recall, and by more than the best values differ at some.
    holds = bool(gap.max() < 0 and -gap.min() > values["NWMC"] - values[BLIND])
    return Finding("ponttuset.claim_quadtree_nwmc", claim, found, holds)


def _crossing(curves: pd.DataFrame) -> Finding:
    words, holds = [], True
    for measure, name in NAMES.items():
        both = common_recalls(_lines(curves, measure), "NCut", "NWMC")
        turns = both.loc[both["gap"].gt(0).diff().fillna(False).astype(bool), "recall"]
        first, last = both["gap"].iloc[[0, -1]]
        holds &= first < 0 < last and len(turns) == 1
        at = " and ".join(f"{recall:.2f}" for recall in turns) or "no recall"
        words.append(
            f"{name}: the lines cross at recall {at}; precision of NCut less that of NWMC is {first:+.3f} at the least "
            f"common recall and {last:+.3f} at the greatest"
        )
    claim = "NCut is better at high recall, NWMC at high precision"
    return Finding("ponttuset.claim_ncut_nwmc", claim, "; ".join(words), bool(holds))


def floor_of_precision(curves: pd.DataFrame) -> Finding:
    """Read the boundary precision of what is wrong for sure: all swapped curves, and the quadtree."""
    wrong = curves[(curves["package"] == CONFERENCE) & (curves["measure"] == "fb")]
    wrong = wrong[wrong["swapped"].astype(bool) | (wrong["method"] == BLIND)]
    low = wrong.iloc[wrong["precision"].argmin()]
    share = (wrong["precision"] >= 0.2).mean()
    inside = wrong["precision"].between(0.2, 0.3).mean()
    found = (f"lowest {low['precision']:.3f} ({low['method']}, recall {low['recall']:.2f}); "
             f"{share:.1%} of {len(wrong)} "
             f"points at .2 or above, {inside:.0%} between .2 and .3")  # fmt: skip
    claim = "any result, however wrong, gets a boundary precision of .2 to .3"
    return Finding(
        "ponttuset.claim_floor", claim, found, bool(share == 1), bool(round(low["precision"], 1) >= 0.2)
    )


def _people(people: pd.DataFrame) -> Finding:
    own = people[people["same"].astype(bool) & (people["average"] == "picture first")].set_index("measure")
    found = "; ".join(f"{NAMES[str(measure)]}: {row.precision:.3f} against {row.recall:.3f}"
                      for measure, row in own.iterrows())  # fmt: skip
    holds = bool((own["precision"] > own["recall"]).all())
    return Finding("ponttuset.claim_humans", "people are better in precision than in recall", found, holds)


def _lines(curves: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the conference package's curves of one measure on the right pictures."""
    own = ~curves["swapped"].astype(bool) & (curves["package"] == CONFERENCE)
    return curves[own & (curves["measure"] == measure)]
