"""Checks at the border of the library: one checker per concept.

Every message has the same three parts: what was expected, what came, and what to do about it.
Kernels never check anything; each public function calls the checkers it needs once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypeGuard

import numpy as np
import pandas as pd

LONGEST = 200


class InputError(ValueError):
    """Input that the library cannot judge; the message says what was expected, what came and the remedy.

    Examples
    --------
    >>> check_choice("blue", ("red", "green"), "colour")
    Traceback (most recent call last):
    ...
    propeval_lite._checks.values.InputError: expected colour to be one of red, green, got 'blue'. Choose one of these.
    """


def fail(expected: str, got: object, remedy: str, where: str = "") -> InputError:
    """Build the error ``where: expected …, got …. remedy`` (to be raised by the caller)."""
    place = f"{where}: " if where else ""
    # Arrays and messages of other libraries have line breaks; an error is one line.
    one_line = re.sub(r"\s*\n\s*", " ", str(got)).strip().removesuffix(".") or "nothing"
    short = one_line if len(one_line) <= LONGEST else f"{one_line[:LONGEST]}…"
    return InputError(f"{place}expected {expected}, got {short}. {remedy}")


def check_type(value: Any, kind: type | tuple[type, ...], expected: str, remedy: str, where: str) -> Any:
    """Return `value` if it is of a type; the error names the type that came.

    Examples
    --------
    >>> check_type(None, dict, "a mapping", "Write {}.", "options")
    Traceback (most recent call last):
    ...
    propeval_lite._checks.values.InputError: options: expected a mapping, got NoneType. Write {}.
    """
    if not isinstance(value, kind):
        raise fail(expected, type(value).__name__, remedy, where)
    return value


def check_flag(value: object, name: str) -> bool:
    """Return True or False; text such as "no" is neither."""
    if not isinstance(value, (bool, np.bool_)):
        raise fail(f"{name} to be True or False", repr(value), "Give a bool, not a word or a number.", name)
    return bool(value)


def check_text(value: object, name: str) -> str:
    """Return `value` if it is text."""
    return check_type(value, str, f"{name} as text", "Give a short word.", name)


def check_list(values: object, expected: str, remedy: str, where: str) -> list:
    """Return the entries of a list of anything; text, tables and mappings are no lists."""
    single = isinstance(values, (str, bytes, Mapping, pd.DataFrame)) or not np.iterable(values)
    if single:
        raise fail(expected, type(values).__name__, remedy, where)
    return list(values)  # type: ignore[call-overload]


def check_choice(value: object, choices: tuple[str, ...], name: str) -> str:
    """Return `value` if it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise fail(f"{name} to be one of {', '.join(choices)}", repr(value), "Choose one of these.")
    return str(value)


def as_floats(values: object, expected: str, remedy: str, where: str) -> np.ndarray:
    """Return `values` as a float64 array; text, truth values, dates and complex numbers are no numbers.

    Masked entries become NaN: a mask that is dropped in silence would bring back what somebody left out.
    """
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
        if values is None or isinstance(values, (str, Mapping)):
            raise TypeError(type(values).__name__)
        if array.size and array.dtype.kind not in "fiuO":
            raise TypeError(f"{array.dtype.name} values")
        if array.dtype.kind == "O" and any(isinstance(value, (str, bool)) for value in array.flat):
            raise TypeError("words among them")
        if isinstance(array, np.ma.MaskedArray):
            return np.ma.filled(array.astype(np.float64), np.nan)
        return np.asarray(array if array.size else np.empty(array.shape), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise fail(expected, error, remedy, where) from None


def check_threshold(tau: Any, name: str = "tau") -> Fraction:
    """Return an IoU threshold in (0, 1] as an exact fraction.

    A float means the short decimal that it prints as (0.8 is 4/5), so that no rounding decides a tie.
    """
    if isinstance(tau, np.ndarray) and tau.ndim == 0:
        tau = tau[()]
    try:
        if isinstance(tau, (bool, np.bool_)):
            raise TypeError
        if isinstance(tau, Decimal) and not sys.float_info.min <= tau <= 1:
            value = Fraction(0)  # the fraction of a Decimal has as many digits as its exponent says
        elif isinstance(tau, str) and "e" in tau.lower() and not sys.float_info.min <= float(tau) <= 1:
            value = Fraction(0)  # out of range either way; its power of ten could have a million digits
        else:
            value = Fraction(str(tau)) if isinstance(tau, (float, np.floating, np.integer)) else Fraction(tau)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, ArithmeticError):
        raise fail(
            f"{name} to be a number in (0, 1]", repr(tau), "Use for example 0.5 or Fraction(1, 2)."
        ) from None
    # Below the smallest normal float a threshold would turn into 0, which every box reaches.
    if not sys.float_info.min <= value <= 1:
        raise fail(f"{name} in (0, 1]", tau, "IoU thresholds lie above 0 and at most at 1.")
    return value


def threshold_list(tau: Any, name: str = "tau") -> list:
    """Return one threshold or a sequence of them as a list, each entry as it was given, but checked."""
    if isinstance(tau, str) or not np.iterable(tau):
        return [check_threshold(tau, name) and tau]
    # No array of the list: it would turn a float32 among others into the longer number behind it.
    given = unmasked(tau, name) if np.ma.isMaskedArray(tau) else tau
    levels = check_list(given, f"{name} to be numbers in (0, 1]", "Give a list of them.", name)
    return [check_threshold(level, name) and level for level in levels]


def is_number(value: object, kind: type = Real) -> TypeGuard[Any]:
    """Whether `value` is a number (with ``kind=Integral`` a whole one); truth values are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


def check_number(value: object, expected: str, allowed: Callable, remedy: str) -> None:
    """Refuse what is no number, or a number that `allowed` says no to."""
    if not is_number(value) or not allowed(value):
        raise fail(expected, repr(value), remedy)


def check_positive_int(value: object, name: str, minimum: int = 1) -> int:
    """Return `value` as an int that is at least `minimum`."""
    if not is_number(value, Integral) or value < minimum:
        raise fail(f"{name} to be a whole number >= {minimum}", repr(value), f"Give {name} as an integer.")
    return int(value)


def check_labels(labels: object, where: str = "labels") -> np.ndarray:
    """Return `labels` as a contiguous int64 array of region numbers >= 0 with at least one pixel."""
    array = unmasked(labels, where)
    if array.dtype.kind not in "iu":
        remedy = "A label names a region; convert with .astype(int) if the values are whole numbers."
        raise fail("an array of whole-number labels", f"{array.dtype.name} values", remedy, where)
    if array.size == 0:
        raise fail("at least one pixel", f"shape {array.shape}", "Give the label of every pixel.", where)
    if array.dtype.kind == "i" and array.min() < 0:
        remedy = "Give pixels to leave out a label of their own and pass it as void."
        raise fail("labels >= 0", f"the label {array.min()}", remedy, where)
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise fail("labels below 2**63", f"the label {array.max()}", "Number the regions from 0.", where)
    return np.ascontiguousarray(array, dtype=np.int64)


def unmasked(values: object, where: str) -> np.ndarray:
    """Return `values` as an array; a masked array is an error, because its mask would be lost."""
    if np.ma.is_masked(values):
        remedy = "Give the pixels to leave out a label of their own, or fill them with .filled(value)."
        raise fail("a value for every pixel", "a masked array", remedy, where)
    try:
        return np.asarray(values)
    except ValueError as error:
        raise fail("an array", error, "Give rows of equal length.", where) from None


def check_void(void: object) -> int | None:
    """Return the truth label of pixels to leave out, or None."""
    if void is None:
        return None
    if not is_number(void, Integral) or void < 0:
        remedy = "It is the truth's label of pixels to leave out."
        raise fail("void to be None or a label >= 0", repr(void), remedy)
    return int(void)


def check_truths(truths: object) -> list:
    """Return `truths` as a list of label arrays, themselves unchecked."""
    return check_list(truths, "a list of truths", "Give a list with one or more label arrays.", "truths")
