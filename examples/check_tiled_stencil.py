# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tiled_stencil on images of several sizes and compares the results with Python's. The images are the
project's documents (one byte per pixel), a disc and single pixels."""
import pathlib
import subprocess
import sys

PROGRAM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parent.parent
WEIGHTS = (1, 4, 6, 4, 1)


def blurred(pixels, width, height):
    """The stencil is a product, so rows and columns can be summed one after the other before the one division."""
    def near(at, size):
        return [min(max(at + d, 0), size - 1) for d in range(-2, 3)]

    columns = [near(x, width) for x in range(width)]
    sums = []
    for y in range(height):
        row = pixels[y * width:(y + 1) * width]
        sums.append([row[a] + 4 * row[b] + 6 * row[c] + 4 * row[d] + row[e] for a, b, c, d, e in columns])
    result = bytearray()
    for y in range(height):
        a, b, c, d, e = (sums[i] for i in near(y, height))
        result += bytes((128 + p + 4 * q + 6 * r + 4 * s + t) // 256 for p, q, r, s, t in zip(a, b, c, d, e))
    return bytes(result)


def check(name, pixels, width, height, passes):
    picture = b"P5\n%d %d\n255\n" % (width, height)
    done = subprocess.run([PROGRAM, str(passes)], input=picture + pixels, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=100)
    if done.returncode != 0:
        print(done.stderr.decode(), end="")
        sys.exit(done.returncode)
    print(f"{name}: {done.stderr.decode().strip()}")
    for _ in range(passes):
        pixels = blurred(pixels, width, height)
    if done.stdout != picture + pixels:
        print("  differs from the result of Python")
        sys.exit(1)


text = b"".join(path.read_bytes() for path in sorted((ROOT / "docs").glob("*.md")))
check("documents", text[:len(text) // 80 * 80], 80, len(text) // 80, 2)
check("wide", text[:700 * 20], 700, 20, 1)
disc = bytes(255 if (x - 150) ** 2 + (y - 97) ** 2 < 8000 else 0 for y in range(200) for x in range(300))
check("disc", disc, 300, 200, 5)
check("exact tiles", disc[:256 * 64], 256, 64, 3)
for width, height in (1, 1), (1, 40), (130, 1), (2, 3):
    check("small", bytes((x * 37 + 11) % 256 for x in range(width * height)), width, height, 2)
