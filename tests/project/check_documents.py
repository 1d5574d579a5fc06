# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_documents.py SOURCE_FOLDER HEDDLE VERSION: documents agree with the code.

- docs/environment.md has the table that `heddle env --markdown` prints, and no other row;
- docs/passes.md is what `tools/passes_page` prints, and has the passes of `heddle passes`, in its order;
- the newest version of CHANGELOG.md that is released, or being released, is that of the project;
- links of documents lead to files that exist.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
HEDDLE, VERSION = sys.argv[2:]
errors = []

environment = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
table = subprocess.run([HEDDLE, "env", "--markdown"], check=True, text=True, stdout=subprocess.PIPE,
                       env=environment).stdout
rows = [line for line in (ROOT / "docs/environment.md").read_text().splitlines() if line.startswith("| `HEDDLE_")]
if rows != table.splitlines():
    errors.append("docs/environment.md: the table differs from `heddle env --markdown`:\n" + table)

passes = subprocess.run([HEDDLE, "passes"], check=True, text=True, stdout=subprocess.PIPE, env=environment).stdout
passes = [line.split()[0] for line in passes.splitlines() if not line.startswith(" ")]
page = (ROOT / "docs/passes.md").read_text()
if page != subprocess.run([ROOT / "tools/passes_page"], check=True, text=True, stdout=subprocess.PIPE).stdout:
    errors.append("docs/passes.md is out of date: tools/passes_page --write")
targets = "".join(path.read_text() for path in (ROOT / "compiler/target").glob("*/passes.def"))
of_targets = set(re.findall(r'^HEDDLE_\w+\("(\S+)"', targets, re.M))  # the build has one target's
names = [name for name in re.findall(r"`([a-z0-9-]+)`", page.partition("\n**")[2])
         if name in passes or name not in of_targets]
if passes != names:
    errors.append("docs/passes.md: the names are not the passes of `heddle passes`, in its order: "
                  f"{sorted(set(passes) ^ set(names)) or names}")

changelog = (ROOT / "CHANGELOG.md").read_text()
sections = re.findall(r"^## (\S+) \((.*)\)$", changelog, re.M)
if next(version for version, date in sections if date != "not released") != VERSION:
    errors.append(f"CHANGELOG.md: the newest version with a date is not {VERSION}")

for path in [*ROOT.glob("*.md"), *(p for folder in ("docs", "runtime", "icd", "builtins", "tools", "examples", "tests",
                                                    "conformance", "compiler") for p in (ROOT / folder).rglob("*.md"))]:
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
        if not link.startswith(("http:", "https:")) and not (path.parent / link).exists():
            errors.append(f"{path.relative_to(ROOT)}: {link} does not exist")

print("\n".join(errors))
sys.exit(1 if errors else 0)
