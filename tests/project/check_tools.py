# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_tools.py SOURCE_FOLDER: tests/labels covers the sources, and tools/changed_labels and tools/test_summary do what they say."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
errors = []


def expect(condition, what):
    if not condition:
        errors.append(what)


def labels(*files):
    return set(subprocess.run([ROOT / "tools/changed_labels", "--files", *files], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split())


rows = {line.split()[0]: set(line.split()[1:]) for line in (ROOT / "tests/labels").read_text().splitlines()
        if line.strip() and not line.startswith("#")}
known = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} | {"conformance", "examples", "*"}
for folder, named in rows.items():
    expect(named <= known, f"tests/labels: {folder}: no such labels: {named - known}")
    expect(any(ROOT.glob(folder + "*")) or folder == "debian", f"tests/labels: {folder} does not exist")
for folder in ("builtins", "compiler", "conformance", "examples", "icd", "packaging", "runtime", "tools",
               *(f"tests/{path.name}" for path in (ROOT / "tests").iterdir() if (path / "CMakeLists.txt").exists())):
    expect(any(folder == row for row in rows), f"tests/labels: no row for {folder}")

always = {"structure", "project"}
expect(labels("docs/images.md", "compiler/README.md") == always, "documents")
expect(labels("tests/api/svm_test.cpp") == always | {"api"}, "a test")
expect(labels("compiler/spirv/types.cpp", "icd/dispatch.cpp") ==
       always | {"compiler", "spirv", "api", "conformance", "programs"}, "two folders, the longest row of each")
expect({"api", "runtime", "bench", "packages"} <= labels("CMakeLists.txt"), "what concerns everything")

XML = """<testsuite><testcase name="a" status="run"/>
<testcase name="b/c(d)" status="fail"><failure message="Failed"/><system-out>no</system-out></testcase>
<testcase name="e" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>starts
skipped: hashcat is not installed
</system-out></testcase></testsuite>"""
with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
    file.write(XML)
    file.flush()
    text = subprocess.run([ROOT / "tools/test_summary", file.name, "dev"], check=True, text=True, stdout=subprocess.PIPE).stdout
expect("3 tests: 1 passed, 1 failed, 1 skipped" in text, f"the counts:\n{text}")
expect("skipped: e: hashcat is not installed" in text, f"the reason:\n{text}")
expect(r"PRESET=dev tools/test -R '^b/c\(d\)$'" in text, f"the command:\n{text}")

# tools/release set: the version is in one place, and the section of CHANGELOG.md gets its date, once.
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    for name in ("CMakeLists.txt", "CHANGELOG.md", "packaging/lib.sh", "packaging/maintainer", "tools/lib.sh", "tools/release"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    changes = copy / "CHANGELOG.md"
    changes.write_text(re.sub(r"^## .*", "## 0.0.9 (not released)", changes.read_text(), count=1, flags=re.M))
    subprocess.run(["git", "init", "-q", copy], check=True)

    def set_version(version):
        return subprocess.run([copy / "tools/release", "set", version], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1"})
    expect(set_version("9.8").returncode == 2, "a version of two numbers")
    expect(set_version("9.8.7").returncode == 0, "tools/release set 9.8.7")
    expect("project(heddle VERSION 9.8.7 " in (copy / "CMakeLists.txt").read_text(), "the version in CMakeLists.txt")
    expect(re.search(r"^## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$", changes.read_text(), re.M), "the version in CHANGELOG.md")
    again = set_version("9.8.8")
    expect(again.returncode == 1 and "## 9.8.8 (not released)" in again.stdout, f"a released section gets another version:\n{again.stdout}")

print("\n".join(errors))
sys.exit(1 if errors else 0)
