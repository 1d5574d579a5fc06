# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that compare_objects builds: everything in the repository that holds a kernel."""
import glob
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field

from .literals import kernels

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
_FOLDERS = ("tests", "conformance", "examples", "compiler/tools")
_WITHOUT = "tests/hostile/build_"  # programs that are not to be built to their end
_SHAPES = ("straight", "nested", "branches", "loops", "barriers", "calls", "switch")
_SEEDS, _KERNELS = range(1, 9), 12  # of the differential tests' generator
_FUNCTIONS = """sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p logb sin cos tan sinpi cospi tanpi asin acos
    atan asinpi acospi atanpi sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma floor ceil trunc rint round fabs
    pow(x,y) powr(x,y) pown(x,i) rootn(x,i) atan2(x,y) atan2pi(x,y) fmod(x,y) remainder(x,y) hypot(x,y) fdim(x,y)
    fmin(x,y) fmax(x,y) maxmag(x,y) nextafter(x,y) ldexp(x,i) fma(x,y,x) mad(x,y,x) mix(x,y,x) smoothstep(x,y,x)
    (x/y)""".split()
# For programs that get numbers by their build options.
_NUMBERS = "-DTILE_X=32 -DTILE_Y=8 -DLOCAL_BYTES=16384 -DSHIFT=5 -DWORDS=4 -DNOTHING -DFIRST=0 -DCOUNT=64".split()
_CHOICES = (["-cl-std=CL1.2"], ["-cl-std=CL3.0"], ["-cl-std=CL3.0", *_NUMBERS])


@dataclass
class Source:
    """One program. `choices` are lists of build options; the first with which it builds is taken."""
    name: str
    text: str
    arguments: list = field(default_factory=list)  # of heddlec
    choices: list = field(default_factory=lambda: list(_CHOICES))


def _read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def _device_extensions():
    """--extensions with what Heddle's device reports."""
    names = re.findall(r'"(\w+)"\},', _read("runtime/device/features.cpp"))
    return "--extensions=" + " ".join(name for name in names if name.startswith(("cl_", "__opencl_c_")))


def _of_run_lines(name, text):
    """A kernel file as each of its RUN lines builds it, for all CPUs in place of the line's."""
    seen = []
    for line in re.findall(r"^// RUN: %heddlec (.*?)(?: 2>&1)? \|", text, re.M):
        words = shlex.split(line)
        split = words.index("--") if "--" in words else len(words)
        arguments = [w for w in words[:split] if w != "%s" and not w.startswith(("--stage=", "--cpu="))]
        if (arguments, words[split + 1:]) not in seen:
            seen.append((arguments, words[split + 1:]))
            yield Source(name, text, arguments, [words[split + 1:]])


def _of_file(path, extensions, where=None):
    text = _read(where or path)
    if path.endswith(".cl"):
        found = list(_of_run_lines(path, text))
        if found:
            return found
        options = re.search(r"^//! options (.*)$", text, re.M)
        return [Source(path, text, [extensions], [options[1].split()]) if options else Source(path, text, [extensions])]
    found = []
    for number, kernel in enumerate(kernels(text), 1):
        source = Source(f"{path}-{number}.cl", kernel, [extensions])
        if "-cl-std=CL3.0" in text:
            source.choices = source.choices[1:]
        found.append(source)
    return found


def _generated(extensions):
    for shape in _SHAPES:
        made = subprocess.run([os.path.join(ROOT, "tests/compiler/compile_time/generate_kernel"), shape, "80"],
                              check=True, text=True, stdout=subprocess.PIPE).stdout
        yield Source(f"generated/{shape}.cl", made, [extensions])
    sys.path.insert(0, os.path.join(ROOT, "tests/differential"))
    from generator.kernel import Features  # pylint: disable=import-outside-toplevel
    from generator.program import build_options, make_trees, program_text  # pylint: disable=import-outside-toplevel
    features = Features(work_group_collectives=True, c11_atomics=True, math=True,
                        sub_groups=frozenset(re.findall(r"cl_khr_subgroup\w+|__opencl_c_subgroups", extensions)))
    for seed in _SEEDS:
        text = program_text(make_trees(seed, _KERNELS, features), build_options(features))
        yield Source(f"generated/random-{seed}.cl", text, [extensions], [build_options(features).split()])
    for scalar, whole in (("float", "int"), ("double", "int"), ("float4", "int4")):
        text = "".join(
            f"kernel void f{number}(global {scalar}* o, global {scalar}* a, global {scalar}* b, global {whole}* c) {{\n"
            f"  size_t g = get_global_id(0);\n  {scalar} x = a[g], y = b[g];\n  {whole} i = c[g];\n"
            f"  o[g] = {call if '(' in call else call + '(x)'};\n}}\n" for number, call in enumerate(_FUNCTIONS))
        yield Source(f"generated/math-{scalar}.cl", text, [extensions])


def of_repository():
    """Every program, in a fixed order; one that stands in several places once."""
    extensions = _device_extensions()
    paths = [path for folder in _FOLDERS for ending in ("cl", "cpp", "h")
             for path in glob.glob(f"{folder}/**/*.{ending}", root_dir=ROOT, recursive=True)
             if not path.startswith(_WITHOUT)]
    sources = [source for path in sorted(paths) for source in _of_file(path, extensions)]
    sources += _generated(extensions)
    return list({(s.text, *s.arguments): s for s in reversed(sources)}.values())[::-1]


def name_of(path):
    """What the program of a file is called: its path in the repository, or "given/" and its name."""
    relative = os.path.relpath(os.path.abspath(path), ROOT)
    return relative if not relative.startswith("..") else f"given/{os.path.basename(path)}"


def of_files(paths):
    extensions = _device_extensions()
    return [source for path in paths for source in _of_file(name_of(path), extensions, os.path.abspath(path))]
