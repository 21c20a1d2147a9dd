"""What a refusal must look like: the error of the library, soon, in three parts, naming the place."""

import contextlib
import re
import signal

import pytest

from propeval_lite import InputError

#: ``place: expected …, got …. What to do about it.`` in one line.
PARTS = re.compile(r"expected (?P<expected>\S.*?), got (?P<got>\S.*?)\. +(?P<remedy>\S.*\S)")
#: A refusal that takes longer is a hang.
SECONDS = 20


def check_message(text, *words):
    """Assert that a message says what was expected, what came and what to do, in one line, and holds `words`."""
    assert "\n" not in text, text
    assert PARTS.search(text), f"not 'expected …, got …. Remedy': {text}"
    for word in words:
        assert re.search(rf"(?<![A-Za-z]){re.escape(word)}", text), f"{word!r} is not named in: {text}"


@contextlib.contextmanager
def within(seconds=SECONDS):
    """Fail where the body takes longer."""

    def late(number, frame):
        pytest.fail(f"no answer within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def refused(*words):
    """Expect a refusal whose message holds `words`, such as the argument, the file, the column."""
    with within(), pytest.raises(InputError) as caught:
        yield caught
    check_message(str(caught.value), *words)
