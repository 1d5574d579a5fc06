# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures and unions of each work-item, alone and in arrays."""
from .own_memory import Records
from .tree import Expr, Stmt
from .types import Type


class PrivateRecords(Records):
    def __init__(self, name, struct, fields, slots):
        super().__init__(name, struct, fields, slots, 1, True)
        self.place = "{0}"

    def readable(self, scope, uniform):
        return not uniform

    def declare(self, gen, scope):
        lines, exprs = [f"{self.struct} {self.name}[{self.slots}];", f"for (int i = 0; i < {self.slots}; ++i) {{{{"], []
        for field, type_, length in self.fields:
            place = f"{self.name}[i].{field}"
            exprs.append(gen.expression(type_, scope, 1))
            value = f"{{{len(exprs) - 1}}}"
            lines.append(f"  for (int j = 0; j < {length}; ++j) {place}[j] = {value};" if length
                         else f"  {place} = {value};")
        return Stmt(lines + ["}}"], exprs)


class PrivateUnion:
    """The same 16 bytes as integers of several sizes; low bytes come first."""
    compared = False
    BASES = ("uchar", "ushort", "uint", "ulong", "int", "short")
    DECLARATION = "typedef union { uchar b_uchar[16]; ushort b_ushort[8]; uint b_uint[4]; ulong b_ulong[2]; " \
                  "int b_int[4]; short b_short[8]; } Bytes_%s;\n"

    def __init__(self, name, kernel, type_):
        self.name, self.kernel, self.type = name, kernel, type_

    def gives(self, type_):
        return type_.base in self.BASES and not type_.vector

    def readable(self, scope, uniform):
        return not uniform

    def declare(self, gen, scope):
        ulong = Type("ulong")
        return Stmt([f"Bytes_{self.kernel} {self.name};", f"{self.name}.b_ulong[0] = {{0}};",
                     f"{self.name}.b_ulong[1] = {{1}};"], [gen.expression(ulong, scope, 1) for _ in range(2)])

    def element(self, gen, scope, type_):
        return Expr(type_, f"{self.name}.b_{type_}[{{0}}]", gen.index(scope, 16 // type_.size, False))

    def read(self, gen, scope, uniform, type_):
        return self.element(gen, scope, type_ if self.gives(type_) else self.type)

    def write(self, gen, scope):
        type_ = Type(gen.rng.choice(self.BASES))
        return Stmt(["{0} = {1};"], [Expr(None, "{0}", self.element(gen, scope, type_)), gen.expression(type_, scope)])


class PrivateShapes:
    """The part of the generator that makes them."""

    def private_record(self, scope):
        rng = self.rng
        made = [m for m in scope.memories if isinstance(m, (PrivateRecords, PrivateUnion))]
        if made and rng.random() < 0.75:
            return rng.choice(made).write(self, scope)
        if rng.random() < 0.3:
            declaration = PrivateUnion.DECLARATION % self.tree.name
            if declaration not in self.tree.declarations:
                self.tree.declarations.append(declaration)
            memory = PrivateUnion(self.name("y"), self.tree.name, Type(rng.choice(PrivateUnion.BASES)))
        else:
            fields = [(f"f{k}", rng.choice(self.types), rng.choice((0, 0, 0, 2, 4)))
                      for k in range(rng.randrange(1, 5))]
            name = self.name("z")
            struct = f"Private_{name}_{self.tree.name}"
            self.tree.declarations.append(Records.declaration(struct, fields))
            memory = PrivateRecords(name, struct, fields, rng.choice((1, 2, 4)))
        statement = memory.declare(self, scope)
        scope.memories.append(memory)
        return statement
