# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants, with a preference for limits."""
from .tree import Expr

_REALS = ("0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "-3.25", "100.0", "7.0", "1024.0", "0.1", "-1e-3", "3e4")


def scalar_literal(rng, type_):
    base = type_.base
    if type_.real:
        if base == "half":
            return f"(half){rng.choice(_REALS)}f"
        text = rng.choice(_REALS + ("1e30", "1e-38", "16777216.0", "4294967296.0"))
        return text if base == "double" else text + "f"
    bits = type_.bits
    kind = rng.randrange(8)
    if kind < 4:
        value = rng.randrange(20)
    elif kind == 4:
        value = (1 << bits) - 1 - rng.randrange(3)
    elif kind == 5:
        value = (1 << (bits - 1)) - rng.randrange(2)
    else:
        value = rng.getrandbits(bits)
    suffix = "ul" if bits == 64 else "u"
    if value < 20:
        return str(value) if base == "int" else f"({base}){value}"
    return f"({base}){value:#x}{suffix}"


def literal(rng, type_):
    if not type_.vector:
        return Expr(type_, scalar_literal(rng, type_))
    if rng.random() < 0.5:
        return Expr(type_, f"({type_})({scalar_literal(rng, type_.scalar)})")
    parts = ", ".join(scalar_literal(rng, type_.scalar) for _ in range(type_.n))
    return Expr(type_, f"({type_})({parts})")


def simplest(type_):
    """The constant by which the reducer replaces an expression."""
    one = {"float": "1.0f", "double": "1.0", "half": "(half)1.0f"}.get(type_.base, f"({type_.base})1")
    return Expr(type_, f"({type_})({one})" if type_.vector else one)
