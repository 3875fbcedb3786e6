"""Prints what pip-audit found, from its report in JSON; 1 if a package has known vulnerabilities.

    scripts/vulnerabilities.py REPORT

An advisory service that does not know a package says nothing of its vulnerabilities, and pip-audit then
succeeds; a mirror of PyPI often knows none. So it prints what was not looked up.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def describe(packages: list[dict[str, Any]]) -> list[str]:
    """The lines of the report on packages, as pip-audit lists them."""
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    looked_up = len(packages) - len(skipped)
    if not looked_up:
        return [
            "the advisory service knows none of the packages; vulnerabilities were not looked up"
        ]
    found = [
        f"{package['name']} {package['version']}: {one['id']}, "
        + (
            f"mended in {', '.join(one['fix_versions'])}"
            if one["fix_versions"]
            else "not mended yet"
        )
        for package in packages
        for one in package.get("vulns", ())
    ]
    lines = [f"known vulnerabilities of {looked_up} packages: {len(found)}", *found]
    if skipped:
        lines.append(f"the advisory service does not know {len(skipped)}: {', '.join(skipped)}")
    return lines


def main() -> int:
    """Print the report; 1 if there are vulnerabilities."""
    report, packages = Path(sys.argv[1]), list[dict[str, Any]]()
    if not report.exists() or not report.read_bytes().strip():
        lines = [
            "pip-audit made no report, as when its service cannot be reached; vulnerabilities were not "
            "looked up"
        ]
    else:
        packages = json.loads(report.read_bytes())["dependencies"]
        lines = describe(packages)
    sys.stdout.write("\n".join(lines) + "\n")
    return int(any(package.get("vulns") for package in packages))


if __name__ == "__main__":
    sys.exit(main())
