# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that the work-items of a group exchange values through. Between two exchanges everybody may
read all of it; who writes, writes between two barriers (exchange.py)."""
from .tree import Expr, Stmt
from .types import UINT


class Shared:
    """`count` elements, a power of two and no fewer than a group has work-items. In global memory
    each group has its own part, `name` points to it."""

    def __init__(self, name, type_, count, space, is_argument):
        self.name, self.type, self.count, self.space = name, type_, count, space
        self.is_argument = is_argument

    @property
    def fence(self):
        return "CLK_LOCAL_MEM_FENCE" if self.space == "local" else "CLK_GLOBAL_MEM_FENCE"

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return self.name not in scope.written and not scope.helper

    def read(self, gen, scope, uniform, type_):
        rng = gen.rng
        if uniform or rng.random() < 0.4:
            index = gen.index(scope, self.count, uniform)
        else:
            last = self.count - 1
            index = Expr(None, rng.choice((
                "lid", f"(lid ^ {rng.choice((1, 2, 4, 7))}) & {last}", f"{last} - lid",
                f"(lid + {rng.randrange(1, 20)}) & {last}", f"(lid * {rng.choice((2, 3, 5))}) & {last}")))
        return Expr(self.type, f"{self.name}[{{0}}]", index)

    def initialise(self):
        value = f"({self.type})(({self.type.scalar})(i * 7 + 3))" if self.type.vector else f"({self.type})(i * 7 + 3)"
        return Stmt([f"for (uint i = lid; i < {self.count}; i += items) {self.name}[i] = {value};"], fixed=True)


class Cells:
    """Global counters that all work-items change with one operation each, whose order makes no
    difference to what is there in the end."""
    OPERATIONS = ("add", "or", "and", "xor", "min", "max")
    COUNT = 16
    MARKS = 4

    def __init__(self, name, type_, space="global"):
        self.name, self.type, self.space = name, type_, space
        self.first_mark = self.COUNT * len(self.OPERATIONS)
        self.count = self.first_mark + self.MARKS + 2  # behind them: tickets, their sum

    def update(self, gen, scope):
        rng = gen.rng
        kind = rng.randrange(len(self.OPERATIONS))
        name = self.OPERATIONS[kind]
        prefix = "atomic_" if self.type.bits == 32 else "atom_"
        cell = gen.index(scope, self.COUNT, False)
        value = gen.expression(self.type, scope, 2)
        if name == "add" and rng.random() < 0.5:
            name = rng.choice(("sub", "inc", "dec"))
        if gen.features.c11_atomics and rng.random() < 0.3 and name not in ("inc", "dec"):
            return Stmt([f"atomic_fetch_{name}_explicit((volatile global atomic_{self.type}*)&{self.name}"
                         f"[{kind * self.COUNT} + {{0}}], {{1}}, memory_order_relaxed, memory_scope_device);"],
                        [cell, value])
        arguments = ", {1}" if name not in ("inc", "dec") else ""
        return Stmt([f"{prefix}{name}(&{self.name}[{kind * self.COUNT} + {{0}}]{arguments});"], [cell, value])

    def ticket(self):
        """Each takes a number; the sum over what all took does not tell who took which."""
        return Stmt([f"atomic_add(&{self.name}[{self.count - 1}], "
                     f"({self.type})(atomic_inc(&{self.name}[{self.count - 2}]) * 3 + 1));"])
