"""What a user may choose of the meta-measures, checked before anything is computed: scores may take an hour."""

from __future__ import annotations

from propeval_lite._checks.values import check_choice

#: What equal scores count.
TIES = {"correct": 1.0, "half": 0.5, "wrong": 0.0}
CHOICES = {
    "against": ("best", "each"),
    "classifier": ("density", "threshold"),
    "errors": ("sum", "mean"),
    "nan": ("error", "worst"),
    "shapes": ("auto", "rotate", "resize"),
    "ties": tuple(TIES),
    "truths": ("together", "one by one"),
}


def check_choices(**given: object) -> None:
    """Refuse a word that is none of its argument's.

    Examples
    --------
    >>> check_choices(ties="half", nan="error")
    >>> check_choices(ties="half", against="all")
    Traceback (most recent call last):
    ...
    propeval_lite._checks.values.InputError: expected against to be one of best, each, got 'all'. Choose one of these.
    """
    for name, value in given.items():
        check_choice(value, CHOICES[name], name)
