# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on half, float and double with one correct result: those that IEEE 754 rounds, and those that
only move bits. A zero of unspecified sign is added to +0."""
from .tree import Expr
from .types import INTEGERS, Type


def arithmetic(gen, type_, sub):
    return Expr(type_, f"({{0}} {gen.rng.choice('++--**')} {{1}})", sub(type_), sub(type_))


def divide(gen, type_, sub):
    if type_.base == "float" and not gen.features.exact_division:
        return arithmetic(gen, type_, sub)
    if gen.rng.random() < 0.5:
        return Expr(type_, "({0} / {1})", sub(type_), sub(type_))
    return Expr(type_, "sqrt({0})", sub(type_))


def fused(gen, type_, sub):
    return Expr(type_, "fma({0}, {1}, {2})", sub(type_), sub(type_), sub(type_))


def extreme(gen, type_, sub):
    zero = {"float": "0.0f", "double": "0.0", "half": "(half)0.0f"}[type_.base]
    name = gen.rng.choice(("fmin", "fmax"))
    return Expr(type_, f"({name}({{0}}, {{1}}) + {zero})", sub(type_), sub(type_))


def simple(gen, type_, sub):
    name = gen.rng.choice(("fabs", "-", "floor", "ceil", "trunc", "rint", "round"))
    return Expr(type_, f"({name}({{0}}))", sub(type_))


def exact(gen, type_, sub):
    """Library functions that the specification requires to be exact."""
    name = gen.rng.choice(("copysign", "nextafter", "fdim", "ldexp", "sign", "fmod"))
    if name == "fmod" and gen.rng.random() < 0.7:
        return simple(gen, type_, sub)
    if name == "copysign":
        return Expr(type_, f"copysign({{0}}, canon_{type_}({{1}}))", sub(type_), sub(type_))
    if name == "ldexp":
        amount = Type("int", type_.n)
        return Expr(type_, f"ldexp({{0}}, clamp({{1}}, ({amount})(-40), ({amount})(40)))", sub(type_), sub(amount))
    if name == "sign":
        return Expr(type_, "sign({0})", sub(type_))
    return Expr(type_, f"{name}({{0}}, {{1}})", sub(type_), sub(type_))


def from_other(gen, type_, sub):
    rng = gen.rng
    integers = [b for b in gen.bases if b in INTEGERS] or ["int"]
    reals = [b for b in gen.bases if b not in INTEGERS and b != type_.base]
    source = Type(rng.choice(reals if reals and rng.random() < 0.4 else integers), type_.n)
    mode = rng.choice(("", "", "_rte", "_rtz", "_rtp", "_rtn"))
    if type_.vector or mode or rng.random() < 0.3:
        return Expr(type_, f"convert_{type_}{mode}({{0}})", sub(source))
    return Expr(type_, f"({type_}){{0}}", sub(source))


def choice(gen, type_, sub):
    if not type_.vector:
        return Expr(type_, "({0} ? {1} : {2})", gen.condition(sub.scope, sub.depth - 1, sub.uniform),
                    sub(type_), sub(type_))
    return Expr(type_, "select({0}, {1}, {2})", sub(type_), sub(type_), sub(type_.as_signed))


_LIBRARY_1 = ("sin", "cos", "tan", "exp", "exp2", "log", "log2", "tanh", "erf", "cbrt", "rsqrt", "atan", "sinh", "asin")
_LIBRARY_2 = ("pow", "atan2", "hypot", "fmod", "remainder")


def library(gen, type_, sub):
    """Functions with an allowed error: bit-equal only between widths of one compiler and CPU."""
    if not gen.features.math or type_.base == "half":
        return arithmetic(gen, type_, sub)
    if gen.rng.random() < 0.3:
        return Expr(type_, f"{gen.rng.choice(_LIBRARY_2)}({{0}}, {{1}})", sub(type_), sub(type_))
    return Expr(type_, f"{gen.rng.choice(_LIBRARY_1)}({{0}})", sub(type_))


OPERATIONS = [(library, 2), (arithmetic, 8), (divide, 2), (fused, 2), (extreme, 2), (simple, 2), (exact, 1),
              (from_other, 2), (choice, 3)]
