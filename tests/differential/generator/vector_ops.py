# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors constructed from parts, parts of vectors, and permuted components."""
from .tree import Expr
from .types import Type

_PARTS = {2: ((1, 1),), 3: ((1, 1, 1), (2, 1), (1, 2)), 4: ((1, 1, 1, 1), (2, 2), (3, 1), (1, 2, 1)),
          8: ((4, 4), (4, 2, 1, 1), (2,) * 4), 16: ((8, 8), (4,) * 4, (8, 4, 4))}


def build(gen, type_, sub):
    if gen.rng.random() < 0.4:
        return Expr(type_, f"(({type_})({{0}}))", sub(type_.scalar))
    parts = gen.rng.choice(_PARTS[type_.n])
    places = ", ".join(f"{{{i}}}" for i in range(len(parts)))
    return Expr(type_, f"(({type_})({places}))", *[sub(type_.of(n)) for n in parts])


def reorder(gen, type_, sub):
    rng = gen.rng
    kind = rng.randrange(3)
    if kind == 0 and type_.n in (2, 4, 8):
        part = rng.choice(("lo", "hi", "even", "odd"))
        return Expr(type_, f"({{0}}).{part}", sub(type_.of(2 * type_.n)))
    if kind == 1 and type_.n != 3:
        source = type_.of(rng.choice((2, 4, 8, 16)))
        mask = type_.as_unsigned
        if rng.random() < 0.5:
            return Expr(type_, "shuffle({0}, {1})", sub(source), sub(mask))
        return Expr(type_, "shuffle2({0}, {1}, {2})", sub(source), sub(source), sub(mask))
    width = rng.choice((2, 3, 4, 8, 16))
    order = "".join(f"{rng.randrange(width):x}" for _ in range(type_.n))
    return Expr(type_, f"({{0}}).s{order}", sub(type_.of(width)))


def component(gen, type_, sub):
    """A component of a vector."""
    width = gen.rng.choice(gen.widths or (2, 4))
    return Expr(type_, f"({{0}}).s{gen.rng.randrange(width):x}", sub(type_.of(width)))


VECTOR_OPERATIONS = [(build, 3), (reorder, 3)]
SCALAR_OPERATIONS = [(component, 2)]
