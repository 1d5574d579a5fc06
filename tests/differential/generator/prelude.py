# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small functions that kernels call, printed only where they are used: canonical NaNs (a NaN's bits
are unspecified) and the digest of each work-item's variables."""
import re

from .types import Type

_NAN = {"half": ("ushort", "0x7fffu", "0x7c00u", "(ushort)0x7e00u"),
        "float": ("uint", "0x7fffffffu", "0x7f800000u", "0x7fc00000u"),
        "double": ("ulong", "0x7ffffffffffffffful", "0x7ff0000000000000ul", "0x7ff8000000000000ul")}
_SUB_GROUP_EXTENSIONS = {"cl_khr_subgroups": r"\bsub_group_"}
_NAME = re.compile(r"\b((?:bits|canon|fold|bump|number|pixel)_[a-z0-9]+)\b")


def _type(name):
    match = re.fullmatch(r"([a-z]+)(\d*)", name)
    return Type(match[1], int(match[2] or 1))


def _components(type_):
    return [f"x.s{i:x}" for i in range(type_.n)]


def _bits(type_):
    """The bits of a number, all NaNs alike."""
    if type_.vector:
        parts = ", ".join(f"bits_{type_.scalar}({c})" for c in _components(type_))
        unsigned = type_.as_unsigned
        return f"{unsigned} bits_{type_}({type_} x) {{ return ({unsigned})({parts}); }}\n"
    unsigned, magnitude, infinity, nan = _NAN[type_.base]
    return (f"{unsigned} bits_{type_}({type_} x) {{\n  {unsigned} b = as_{unsigned}(x);\n"
            f"  return (b & {magnitude}) > {infinity} ? {nan} : b;\n}}\n")


def _canon(type_):
    return f"{type_} canon_{type_}({type_} x) {{ return as_{type_}(bits_{type_}(x)); }}\n"


def _fold(type_):
    head = f"ulong fold_{type_}(ulong h, {type_} x) {{"
    if type_.vector:
        steps = " ".join(f"h = fold_{type_.scalar}(h, {c});" for c in _components(type_))
        return f"{head} {steps} return h; }}\n"
    value = f"bits_{type_}(x)" if type_.real else "x"
    return (f"{head}\n  h = (h ^ (ulong){value}) * 0x9e3779b97f4a7c15ul;\n"
            "  return h ^ (h >> 29);\n}\n")


def _bump(type_):
    """A side effect for conditions."""
    return (f"{type_} bump_{type_}({type_}* p, {type_} by) {{\n"
            f"  *p = ({type_})(*p * 5 + by);\n  return *p;\n}}\n")


def _number(type_):
    """Zero for a NaN."""
    if type_.vector:
        parts = ", ".join(f"number_{type_.scalar}({c})" for c in _components(type_))
        return f"{type_} number_{type_}({type_} x) {{ return ({type_})({parts}); }}\n"
    return f"{type_} number_{type_}({type_} x) {{ return isnan(x) ? ({type_})0 : x; }}\n"


def _pixel(type_):
    """An element of an image of rows of 64, or of the buffer in its place."""
    suffix = "f" if type_.real else "i" if type_.signed else "ui"
    component = "" if type_.vector else ".x"
    return (f"{type_} pixel_{type_}(IMAGE({type_}) image, uint i) {{\n#ifdef BUFFERS\n  return image[i];\n#else\n"
            f"  return convert_{type_}(read_image{suffix}(image, pixels, (int2)(i & 63, i >> 6)){component});\n"
            "#endif\n}\n")


_IMAGES = """#ifdef BUFFERS
#define IMAGE(type) global const type*
#else
#define IMAGE(type) read_only image2d_t
constant sampler_t pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#endif
"""
_MAKERS = {"pixel": _pixel, "number": _number, "bits": _bits, "canon": _canon, "fold": _fold, "bump": _bump}


def prelude(text):
    """The functions that `text` needs, each after those it calls."""
    parts, seen = [], set()

    def need(name):
        if name in seen:
            return
        seen.add(name)
        kind, type_name = name.split("_")
        body = _MAKERS[kind](_type(type_name))
        for other in _NAME.findall(body):
            need(other)
        parts.append(body)

    for name in _NAME.findall(text):
        need(name)
    pragmas = "#pragma OPENCL FP_CONTRACT OFF\n"
    if re.search(r"\bhalf\d*\b", text):
        pragmas += "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
    for extension in _SUB_GROUP_EXTENSIONS:
        if re.search(_SUB_GROUP_EXTENSIONS[extension], text):
            pragmas += f"#pragma OPENCL EXTENSION {extension} : enable\n"
    if re.search(r"\batom_", text):
        pragmas += ("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n")
    if "IMAGE(" in text:
        pragmas += _IMAGES
    return pragmas + "".join(parts)
