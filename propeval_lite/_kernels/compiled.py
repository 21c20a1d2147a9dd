"""The decorator of every kernel: numba's, with a cache of machine code that survives broken files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core.caching import FunctionCache


class ForgivingCache(FunctionCache):
    """A cache that begins anew where one of its files is cut short or damaged, after a full disk for example."""

    def load_overload(self, sig, target_context):
        """Return the stored machine code of a signature; None where there is none that can be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file raises almost anything
            try:
                self.flush()
            except OSError:
                self.disable()  # a folder that cannot be written keeps its damaged file: compile each time
            return None


def njit(**options: Any) -> Callable[[Callable], Any]:
    """Compile a function as ``numba.njit`` does; with ``cache=True`` a damaged cache is compiled anew."""

    def decorate(function: Callable) -> Any:
        compiled = numba.njit(**options)(function)
        if options.get("cache") and hasattr(compiled, "_cache"):  # a plain function with NUMBA_DISABLE_JIT=1
            compiled._cache = ForgivingCache(function)
        return compiled

    return decorate
