"""The floor of coverage: in every package the tests run at least 90 % of the lines.

``make coverage`` runs the compiled tests, the interpreted ones and those of the runner under coverage, then
``python tests/floor.py REPORT`` on coverage's JSON report. It prints a row per package, names what drags a package
below the floor, and fails if one is below. Kernels count in the interpreted tests only: coverage does not see lines
that numba has compiled.
"""

import json
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

FLOOR = 0.90


def count_lines(report):
    """Return all lines and the lines run, of each package and of each module, from coverage's JSON report."""
    lines, run = Counter(), Counter()
    for name, entry in report["files"].items():
        path = PurePosixPath(name.replace("\\", "/"))
        for place in (path.parts[1].removesuffix(".py"), str(path)):
            lines[place] += entry["summary"]["num_statements"]
            run[place] += entry["summary"]["covered_lines"]
    return lines, run


def below_the_floor(lines, run):
    """Return the places with lines of which fewer than the floor were run."""
    return [place for place in sorted(lines) if run[place] < FLOOR * lines[place]]


def table(lines, run):
    """Return one row per package, and below a package that fails its modules that fail."""
    low = below_the_floor(lines, run)
    packages = sorted(place for place in lines if "/" not in place and lines[place])
    rows = []
    for package in packages:
        modules = [place for place in low if place.startswith(f"propeval_lite/{package}/")]
        for place in [package, *(modules if package in low else ())]:
            mark = "" if place not in low else f"  below {FLOOR:.0%}"
            rows.append(f"{place:<50}{lines[place]:>7}{100 * run[place] / lines[place]:>7.1f} %{mark}")
    return "\n".join(rows)


def main(path):
    """Print the table of the report at `path`; return 1 if a package is below the floor."""
    lines, run = count_lines(json.loads(Path(path).read_text(encoding="utf-8")))
    print(f"{'package':<50}{'lines':>7}{'run':>9}")
    print(table(lines, run))
    return int(any("/" not in place for place in below_the_floor(lines, run)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
