# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Global buffers in which each work-item has slots of its own, found by some shape of address. What
is stored there is compared, so that NaNs are made canonical."""
from .tree import Expr, Stmt
from .types import Type


def _power_of_two(n):
    return 1 << max(0, n - 1).bit_length()


def canonical(value):
    return Expr(value.type, f"canon_{value.type}({{0}})", value) if value.type.real else value


class OwnBuffer:
    """`slots` a work-item, a power of two."""
    SHAPES = ("planes", "reversed", "blocks", "scattered", "table", "rows")

    def __init__(self, name, type_, slots, items, shape, rng):
        self.name, self.type, self.slots, self.shape = name, type_, slots, shape
        padded = _power_of_two(items)
        if shape == "planes":
            self.place, self.count = f"({{0}} * {items} + gid)", items * slots
        elif shape == "reversed":
            self.place, self.count = f"({{0}} * {items} + ({items - 1} - gid))", items * slots
        elif shape == "blocks":
            self.place, self.count = f"(gid * {slots} + {{0}})", items * slots
        elif shape == "scattered":
            odd, start = 2 * rng.randrange(40) + 1, rng.randrange(padded)
            self.place = f"({{0}} * {padded} + ((gid * {odd} + {start}) & {padded - 1}))"
            self.count = padded * slots
        elif shape == "rows":  # in any order
            self.place, self.count = f"(perm[gid] * {slots} + {{0}})", items * slots
        else:
            self.place, self.count = f"({{0}} * {items} + perm[gid])", items * slots

    @property
    def compared(self):
        return self.type.n != 3

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return not uniform and not scope.helper

    def element(self, gen, scope):
        text = f"{self.name}[{self.place}]"
        if gen.rng.random() < 0.1:
            text = f"(*((volatile global {self.type}*){self.name} + {self.place}))"
        return Expr(self.type, text, gen.index(scope, self.slots, False))

    def read(self, gen, scope, uniform, type_):
        if self.shape == "blocks" and not self.type.vector and self.slots >= 4 and gen.rng.random() < 0.3:
            n = gen.rng.choice([n for n in (2, 4, 8) if n <= self.slots])
            return Expr(self.type.of(n), f"vload{n}(gid * {self.slots // n} + {{0}}, {self.name})",
                        gen.index(scope, self.slots // n, False))
        return self.element(gen, scope)

    def write(self, gen, scope):
        rng = gen.rng
        if self.shape == "blocks" and not self.type.vector and self.slots >= 4 and rng.random() < 0.3:
            n = rng.choice([n for n in (2, 4, 8) if n <= self.slots])
            value = canonical(gen.expression(self.type.of(n), scope))
            return Stmt([f"vstore{n}({{0}}, gid * {self.slots // n} + {{1}}, {self.name});"],
                        [value, gen.index(scope, self.slots // n, False)])
        value = canonical(gen.expression(self.type, scope))
        op = rng.choice(("=", "=", "^=", "|=")) if self.type.integer else "="
        return Stmt([f"{{0}} {op} {{1}};"], [Expr(None, "{0}", self.element(gen, scope)), value])

    def atomic(self, gen, scope):
        """No other work-item accesses the slot, so the old value is deterministic."""
        rng = gen.rng
        prefix = "atomic_" if self.type.bits == 32 else "atom_"
        name = rng.choice(("add", "sub", "xchg", "and", "or", "xor", "min", "max", "inc", "dec", "cmpxchg"))
        place = f"&{self.name}[{self.place}]"
        values = {"inc": 0, "dec": 0, "cmpxchg": 2}.get(name, 1)
        slot = gen.index(scope, self.slots, False)
        arguments = "".join(f", {{{i + 1}}}" for i in range(values))
        return Expr(self.type, f"{prefix}{name}({place}{arguments})", slot,
                    *[gen.expression(self.type, scope, 1) for _ in range(values)])


class OwnHalves:
    """Halves of each work-item, stored from floats with a rounding mode."""

    def __init__(self, name, slots, items):
        self.name, self.slots, self.count = name, slots, slots * items
        self.type = Type("float")
        self.compared = True

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return not uniform and not scope.helper

    def read(self, gen, scope, uniform, type_):
        return Expr(self.type, f"vload_half(gid * {self.slots} + {{0}}, {self.name})",
                    gen.index(scope, self.slots, False))

    def write(self, gen, scope):
        mode = gen.rng.choice(("", "_rte", "_rtz", "_rtp", "_rtn"))
        n = gen.rng.choice((1, 1, 2, 4))
        value = canonical(gen.expression(self.type.of(n), scope))
        name = f"vstore_half{n if n > 1 else ''}{mode}"
        return Stmt([f"{name}({{0}}, gid * {self.slots // n} + {{1}}, {self.name});"],
                    [value, gen.index(scope, self.slots // n, False)])


class Records:
    """A structure in each slot. Padding has no value, so the memory itself is not compared: what is
    read of it goes into the digest."""

    def __init__(self, name, struct, fields, slots, items, blocked):
        self.name, self.struct, self.fields = name, struct, fields  # fields: (name, type, length)
        self.slots, self.count = slots, slots * items
        self.place = f"(gid * {slots} + {{0}})" if blocked else f"({{0}} * {items} + gid)"
        self.type = fields[0][1]
        self.compared = False

    @staticmethod
    def declaration(struct, fields):
        lines = "".join(f"  {t} {name}{f'[{length}]' if length else ''};\n" for name, t, length in fields)
        return f"typedef struct {{\n{lines}}} {struct};\n"

    @property
    def size(self):
        """Bytes: each field at a multiple of its size, the whole a multiple of the largest."""
        offset, align = 0, 1
        for _, type_, length in self.fields:
            offset = -(-offset // type_.size) * type_.size + type_.size * (length or 1)
            align = max(align, type_.size)
        return -(-offset // align) * align

    def gives(self, type_):
        return any(t == type_ for _, t, _ in self.fields)

    def readable(self, scope, uniform):
        return not uniform and not scope.helper

    def member(self, gen, scope, record, type_=None):
        fields = [f for f in self.fields if f[1] == type_] or self.fields
        name, type_, length = gen.rng.choice(fields)
        if length:
            return Expr(type_, f"{{0}}.{name}[{{1}}]", record, gen.index(scope, length, False))
        return Expr(type_, f"{{0}}.{name}", record)

    def record(self, gen, scope):
        return Expr(None, f"{self.name}[{self.place}]", gen.index(scope, self.slots, False))

    def read(self, gen, scope, uniform, type_):
        return canonical(self.member(gen, scope, self.record(gen, scope), type_))

    def write(self, gen, scope):
        kind = gen.rng.randrange(3)
        if kind == 0:
            return Stmt(["{0} = {1};"], [self.record(gen, scope), self.record(gen, scope)])
        if kind == 1:
            place = self.member(gen, scope, self.record(gen, scope))
            return Stmt(["{0} = {1};"], [Expr(None, "{0}", place), gen.expression(place.type, scope)])
        copy = gen.name("r")
        place = self.member(gen, scope, Expr(None, copy))
        return Stmt([f"{{{{ {self.struct} {copy} = {{0}}; {{1}} = {{2}}; {{3}} = {copy}; }}}}"],
                    [self.record(gen, scope), Expr(None, "{0}", place),
                     gen.expression(place.type, scope), self.record(gen, scope)])
