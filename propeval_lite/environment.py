"""Write environment.yml, for conda users, with exactly the versions of requirements.lock."""

from __future__ import annotations

from pathlib import Path

HEADER = """\
# For conda users: the versions of requirements.lock, written by `make lock`. Then: pip install --no-deps -e .
name: propeval-lite
channels:
  - conda-forge
dependencies:
  - python=3.11
  - make
  - pip
  - pip:
"""


def environment_text(lock: str) -> str:
    r"""Text of environment.yml for the text of a lock file.

    Examples
    --------
    >>> print(environment_text("numpy==2.4.6\n").splitlines()[-1])
        - "numpy==2.4.6"
    """
    pins = [line.strip() for line in lock.splitlines() if line.strip() and not line.startswith("#")]
    return HEADER + "".join(f'    - "{pin}"\n' for pin in pins)


if __name__ == "__main__":
    root = Path(__file__).parents[1]
    (root / "environment.yml").write_text(environment_text((root / "requirements.lock").read_text()))
