"""What Hosang et al. read off their curves, asked of the published numbers: who is first, what is alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr, t

from propeval_lite.results.published import published

BASELINES = ("Uniform", "Gaussian", "Sliding window", "Superpixels")
#: Named as best on VOC 2007, as strong below 1 000 proposals, and as coarse: §4.2.
BEST = ("MCG", "EdgeBoxes", "SelectiveSearch", "Rigor", "Geodesic")
BEST_OF_FEW = ("MCG", "Endres", "CPMC")
COARSE = frozenset({*BASELINES, "Bing", "Rahtu", "Objectness", "EdgeBoxes"})
#: Named as good with few proposals, and with many.
WITH_FEW, WITH_MANY = ("Endres", "EdgeBoxes"), ("Rigor", "SelectiveSearch")

VOC, IMAGENET, COCO = "voc2007 test", "ilsvrc2013 val", "coco val2014"
CRITERIA = {"AR": ("AR", None), "recall at .5": ("recall", 0.5), "recall at .8": ("recall", 0.8)}
MANY = 1000  # the paper's own limit of "few"
MOST_ORDERS = 7  # so many methods have 5 040 orders, which are counted one by one


def curves() -> pd.DataFrame:
    """Return the published curves: ``figure, dataset, method, budget, proposals, criterion, tau, value``.

    A curve against the number of proposals has ``proposals``, how many there were on average; one against IoU has not.

    Examples
    --------
    >>> table = curves()
    >>> table[table["figure"] == "7c"].groupby("method").size().agg(["size", "max"]).tolist()
    [16, 7]
    """
    return published("hosang_curves")


def by_budget(table: pd.DataFrame, dataset: str, criterion: str = "AR") -> pd.DataFrame:
    """Return a criterion of `CRITERIA` on a data set: a row per method, a column per budget.

    Examples
    --------
    >>> float(by_budget(curves(), "voc2007 test").loc["MCG", 1000].round(3))
    0.574
    """
    kind, tau = CRITERIA[criterion]
    rows = table[(table["dataset"] == dataset) & (table["criterion"] == kind) & table["proposals"].notna()]
    if tau is not None:
        rows = rows[np.isclose(rows["tau"], tau)]
    return rows.pivot_table(index="method", columns="budget", values="value")


def places(values: pd.DataFrame) -> pd.DataFrame:
    """Place of each method in each column, the largest value first; sorted by the column of 1 000 proposals."""
    ranks = values.rank(ascending=False, method="min").astype(int)
    return ranks.loc[ranks[MANY].sort_values().index]


def first_of(values: pd.DataFrame, named: Sequence[str]) -> pd.DataFrame:
    """Return the first methods at each budget, as many as are named, and how many of those are named.

    Parameters
    ----------
    values : DataFrame
        From :func:`by_budget`.
    named : sequence of str

    Returns
    -------
    DataFrame
        Columns ``proposals, first, named`` (of `named`), ``lowest place`` (of one that is named).
    """
    ranks, rows = places(values), []
    for budget in values.columns:
        first = values[budget].nlargest(len(named)).index.tolist()
        rows.append(
            {
                "proposals": budget,
                "first": ", ".join(first),
                "named": len(set(first) & set(named)),
                "lowest place": int(ranks.loc[list(named), budget].max()),
            }
        )
    return pd.DataFrame(rows)


def groups(table: pd.DataFrame, budget: int = MANY, loose: float = 0.5) -> pd.DataFrame:
    """Part the methods into coarse and well placed ones by what is left of recall at stricter thresholds.

    Parameters
    ----------
    table : DataFrame
        From :func:`curves`.
    budget : int
    loose : float
        What is left is recall at a threshold over recall at this one.

    Returns
    -------
    DataFrame
        A row per stricter threshold, columns ``IoU, most left of a coarse one, least left of a well placed one, gap,
        coarse, as in the paper``. The groups are parted at the largest distance between two methods that follow one
        another.
    """
    rows = table[(table["dataset"] == VOC) & (table["budget"] == budget) & table["proposals"].isna()]
    recall = rows.pivot_table(index="method", columns="tau", values="value")
    found = []
    for tau in [level for level in recall.columns.to_numpy() if loose < level < 1]:
        left = (recall[tau] / recall[loose]).sort_values()
        cut = int(np.diff(left).argmax()) + 1
        coarse = left.index[:cut]
        found.append(
            {
                "IoU": tau,
                "most left of a coarse one": left.iloc[cut - 1],
                "least left of a well placed one": left.iloc[cut],
                "gap": left.iloc[cut] - left.iloc[cut - 1],
                "coarse": ", ".join(coarse),
                "as in the paper": set(coarse) == COARSE,
            }
        )
    return pd.DataFrame(found)


def gains(table: pd.DataFrame, dataset: str = VOC) -> pd.DataFrame:
    """Compare the best method with the best baseline at each budget.

    Returns
    -------
    DataFrame
        Columns ``proposals, best, its AR, best baseline, AR of that, ratio``.
    """
    values = by_budget(table, dataset)
    blind = values.index.isin(BASELINES)
    return pd.DataFrame(
        {
            "proposals": values.columns,
            "best": values[~blind].idxmax().to_numpy(),
            "its AR": values[~blind].max().to_numpy(),
            "best baseline": values[blind].idxmax().to_numpy(),
            "AR of that": values[blind].max().to_numpy(),
            "ratio": (values[~blind].max() / values[blind].max()).to_numpy(),
        }
    )


def firsts(table: pd.DataFrame) -> pd.DataFrame:
    """Return which method is first: a row per data set and criterion, a column per budget."""
    rows = []
    for dataset in (VOC, IMAGENET, COCO):
        for criterion in CRITERIA:
            values = by_budget(table, dataset, criterion)
            rows.append({"dataset": dataset, "criterion": criterion, **values.idxmax().to_dict()})
    return pd.DataFrame(rows)


def mean_places(table: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Mean place by AR on VOC 2007 with fewer and with more than 1 000 proposals, and the worst place of all."""
    ranks = places(by_budget(table, VOC)).loc[list(methods)]
    values, budgets = ranks.to_numpy(), ranks.columns.to_numpy()
    columns = {
        "fewer than 1 000": values[:, budgets < MANY].mean(axis=1),
        "more than 1 000": values[:, budgets > MANY].mean(axis=1),
        "worst place": values.max(axis=1),
    }
    return pd.DataFrame(columns, index=ranks.index).reset_index()


def alike(table: pd.DataFrame, other: str, criterion: str = "AR") -> pd.DataFrame:
    """Compare a data set with VOC 2007 over the methods that both figures have.

    Returns
    -------
    DataFrame
        Columns ``proposals, methods, mean difference`` (other less VOC 2007), ``mean distance`` (without sign),
        ``between neighbours`` (mean distance of methods that follow one another on VOC 2007), ``rank correlation`` and
        ``by chance`` (see :func:`chance_of`).
    """
    ours, theirs = by_budget(table, VOC, criterion).align(by_budget(table, other, criterion), join="inner")
    rows = []
    for budget in ours.columns:
        one, two = ours[budget], theirs[budget]
        correlation = one.corr(two, method="spearman")
        rows.append(
            {
                "proposals": budget,
                "methods": len(one),
                "mean difference": (two - one).mean(),
                "mean distance": (two - one).abs().mean(),
                "between neighbours": (one.max() - one.min()) / (len(one) - 1),
                "rank correlation": correlation,
                "by chance": chance_of(one, two),
            }
        )
    return pd.DataFrame(rows)


def chance_of(one, two) -> float:
    """Return how often two orders without connection correlate at least as highly as these.

    Over all orders where there are few methods, else by Student's approximation.

    Parameters
    ----------
    one, two : sequence of float
        Values of the same methods.

    Examples
    --------
    Three methods in the same order say little: one order of six is the same by chance.

    >>> round(chance_of([1, 2, 3], [4, 5, 6]), 3)
    0.167
    """
    found = spearmanr(one, two, alternative="greater")
    if len(one) > MOST_ORDERS:
        return float(found.pvalue)
    first, second = (pd.Series(values).rank().to_numpy() for values in (one, two))
    products = np.array([first @ second[list(order)] for order in permutations(range(len(one)))])
    return float(np.mean(products >= first @ second - 1e-9))


def losses(table: pd.DataFrame, budget: int = MANY, level: float = 0.95) -> pd.DataFrame:
    """Return how AR changes from VOC 2007 to ImageNet, for methods that look at pictures and for baselines.

    Returns
    -------
    DataFrame
        Columns ``methods, number, mean change, low, high`` (Student's interval over methods), ``largest loss, of``.
    """
    change = by_budget(table, IMAGENET)[budget] - by_budget(table, VOC)[budget]
    change = change.dropna()
    rows = []
    for name, part in (
        ("that look", change[~change.index.isin(BASELINES)]),
        ("baselines", change[change.index.isin(BASELINES)]),
    ):
        mean, error = float(np.mean(part)), float(np.std(part, ddof=1)) / np.sqrt(len(part))
        half = float(t.ppf((1 + level) / 2, len(part) - 1)) * error
        rows.append((name, len(part), mean, mean - half, mean + half, part.min(), part.idxmin()))
    return pd.DataFrame(
        rows, columns=["methods", "number", "mean change", "low", "high", "largest loss", "of"]
    )


def metric_places(table: pd.DataFrame, budget: int = MANY) -> pd.DataFrame:
    """Place of each method on VOC 2007 by recall at .5, by recall at .8 and by AR, those that move most first."""
    by = {name: places(by_budget(table, VOC, name))[budget] for name in CRITERIA}
    found = pd.DataFrame(by)
    found["apart"] = (found["recall at .5"] - found["recall at .8"]).abs()
    return found.sort_values("apart", ascending=False).reset_index()


def swapped_pairs(first: pd.Series, second: pd.Series) -> int:
    """Count pairs that two orders have the other way round.

    Examples
    --------
    >>> swapped_pairs(pd.Series([1, 2, 3]), pd.Series([1, 3, 2]))
    1
    """
    one, two = first.to_numpy(), second.to_numpy()
    pairs = combinations(range(len(one)), 2)
    return sum(1 for i, j in pairs if (one[i] - one[j]) * (two[i] - two[j]) < 0)


def range_holds(table: pd.DataFrame) -> dict[str, bool]:
    """Ask the three parts of what the paper says of the whole range of budgets on VOC 2007, by AR.

    Parameters
    ----------
    table : DataFrame
        From :func:`curves`.
    """
    mean = mean_places(table, ["MCG", *WITH_FEW]).set_index("method")
    few, many = mean.loc[list(WITH_FEW), "fewer than 1 000"], mean.loc[list(WITH_FEW), "more than 1 000"]
    two = first_of(by_budget(table, VOC), WITH_MANY)
    return {
        "MCG is always first or second": bool(mean["worst place"]["MCG"] <= 2),
        f"{' and '.join(WITH_FEW)} stand higher with few proposals": bool((few < many).all()),
        f"{' and '.join(WITH_MANY)} are the first two with many": bool(
            (two.loc[two["proposals"] > MANY, "named"] == len(WITH_MANY)).all()
        ),
    }


def parts_in_words(parts: dict[str, bool]) -> str:
    """Say of each part whether it holds.

    Examples
    --------
    >>> parts_in_words({"the sky is blue": True, "the sea is dry": False})
    'the sky is blue: yes; the sea is dry: no'
    """
    return "; ".join(f"{part}: {'yes' if holds else 'no'}" for part, holds in parts.items())


def listed(values: Sequence[float]) -> str:
    """Write numbers as a list.

    Examples
    --------
    >>> listed([100, 1000]), listed([0.85]), listed([])
    ('100, 1,000', '0.85', 'none')
    """
    return ", ".join(f"{value:,}" for value in values) or "none"


def lowest(first: pd.DataFrame) -> str:
    """Say at which budget one of the named methods of :func:`first_of` stands lowest."""
    row = first.iloc[int(first["lowest place"].to_numpy().argmax())]
    return f"The lowest of their places is {row['lowest place']}, with {row['proposals']:,} proposals."


def coarse_in_words(parted: pd.DataFrame, tau: float) -> str:
    """Say which methods are coarse at one threshold of :func:`groups`, and which the paper has beside them."""
    row = parted.loc[np.isclose(parted["IoU"], tau)].iloc[0]
    beside = sorted(COARSE - set(row["coarse"].split(", ")))
    end = f"; {', '.join(beside)} are not among them" if beside else ""
    return f"At IoU {tau:g} the coarse ones are {row['coarse']}{end}."
