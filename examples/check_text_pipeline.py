# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs text_pipeline on the project's own sources and documents, on text beyond ASCII and on invalid UTF-8, and
compares the results with Python's."""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parent.parent
LETTERS = "a-z0-9'\u00df-\u00f6\u00f8-\u024f\u03ac-\u03ce\u0430-\u045f"


def fold(character):
    """Lower case in the ranges that the kernel knows."""
    code = ord(character)
    known = code < 0x100 or 0x100 <= code <= 0x177 or 0x391 <= code <= 0x3A9 or 0x400 <= code <= 0x42F
    lower = character.lower()
    return lower if known and len(lower) == 1 else character


def expected(data):
    text = "".join(map(fold, data.decode(errors="replace")))
    return re.sub(f"[^{LETTERS}]+", " ", text).lstrip(" ").encode()


def check(name, data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = subprocess.run([PROGRAM, file.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    if done.returncode != 0:
        print(done.stderr.decode(), end="")
        sys.exit(done.returncode)
    print(f"{name}: {done.stderr.decode().strip()}")
    if done.stdout != expected(data):
        print("  differs from the result of Python")
        sys.exit(1)


sources = sorted(path for folder in ("docs", "builtins", "runtime", "compiler", "conformance/programs")
                 for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".cpp", ".h", ".cl"))
check("sources", b"".join(path.read_bytes() for path in sources))
check("languages", ("Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ÀÉÎÕÜ ŁÓDŹ Ţară "
                    "ΞΕΣΚΕΠΑΖΩ την ψυχοφθόρα βδελυγμία. СЪЕШЬ ЖЕ ЕЩЁ этих мягких французских булок. "
                    "日本語 😀 end" * 5000).encode())
check("damaged", b"\xff\xfeA\x80B\xc3 C\xe2\x82 D\xf0\x9f\x98E\xc3" * 1000)
check("one letter", b"x")
check("no word", b"?!")
