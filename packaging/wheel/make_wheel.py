# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wheels by hand, to the byte (PyPA binary distribution format): one archive for one tree.

make_wheel.py metadata TREE VERSION MAINTAINER FILE...
    writes the .dist-info folder, with these licenses and notices
make_wheel.py zip TREE WHEEL LEVEL
    writes RECORD, then the archive: names in order, SOURCE_DATE_EPOCH as time, deflated as far as LEVEL says (0 to 9)
"""
import base64
import csv
import hashlib
import io
import os
import pathlib
import sys
import time
import zipfile

SUMMARY = "OpenCL driver for multicore CPUs: kernels compiled by Clang and LLVM, found by PyOpenCL as it is installed"
DESCRIPTION = """\
# Heddle

An OpenCL driver for multicore CPUs. PyOpenCL's own wheel finds it by itself:

```sh
pip install heddle-opencl
PYOPENCL_CTX=Heddle python -c '
import numpy, pyopencl as cl, pyopencl.array as array
queue = cl.CommandQueue(cl.create_some_context())
a = array.arange(queue, 1_000_000, dtype=numpy.float64)
print(queue.device.name, (a * a).get().sum() == (numpy.arange(1e6) ** 2).sum())'
```

For programs that use the system's OpenCL loader: `eval "$(python -m heddle)"`, in this shell only.
When something does not work, `heddle doctor` says what and why.

Inside are the driver, its compiler (Clang and LLVM), TBB, hwloc, zstd and the command `heddle`; all of them under names
or in folders of their own. The only file elsewhere is `pyopencl/.libs/heddle.icd`, where PyOpenCL's loader looks, which
is why PyOpenCL is required (`pip install --no-deps heddle-opencl` leaves it out).
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def metadata(tree, version, maintainer, files):
    info = tree / f"heddle_opencl-{version}.dist-info"
    for file in files:
        write(info / "licenses" / file.name, file.read_text(encoding="utf-8"))
    lines = ["Metadata-Version: 2.4", "Name: heddle-opencl", f"Version: {version}", f"Summary: {SUMMARY}",
             f"Maintainer-email: {maintainer}", "Requires-Python: >=3.9",
             "Requires-Dist: pyopencl", *(f"License-File: {f.name}" for f in files),
             "Classifier: Operating System :: POSIX :: Linux", "Classifier: Programming Language :: Python :: 3",
             "Description-Content-Type: text/markdown"]
    write(info / "METADATA", "\n".join(lines) + "\n\n" + DESCRIPTION)
    write(info / "WHEEL", f"Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: py3-none-linux_{os.uname().machine}\n")
    write(info / "entry_points.txt", "[console_scripts]\nheddle = heddle.__main__:main\n")


def record(files, tree):
    rows = []
    for path in files:
        data = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append((path.relative_to(tree).as_posix(), f"sha256={digest}", len(data)))
    return rows


def archive(tree, wheel, level):
    info = next(tree.glob("*.dist-info"))
    recorded = info / "RECORD"
    files = sorted((p for p in tree.rglob("*") if p.is_file() and p != recorded),
                   key=lambda p: (p.is_relative_to(info), p.as_posix()))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [*record(files, tree), (recorded.relative_to(tree).as_posix(), "", "")])
    write(recorded, text.getvalue())
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as out:
        for path in [*files, recorded]:
            entry = zipfile.ZipInfo(path.relative_to(tree).as_posix(), moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the upper half of the attributes is the mode
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            with out.open(entry, "w") as stream:
                stream.write(path.read_bytes())


def main(words):
    if len(words) > 4 and words[0] == "metadata":
        metadata(pathlib.Path(words[1]), words[2], words[3], [pathlib.Path(word) for word in words[4:]])
    elif len(words) == 4 and words[0] == "zip":
        archive(pathlib.Path(words[1]), pathlib.Path(words[2]), int(words[3]))
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
