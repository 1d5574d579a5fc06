# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over memory with a constant stride: along rows, down columns, backwards,
in pairs; and pointers that advance by divergent strides."""
from .memory import InBuffer
from .own_memory import OwnBuffer, canonical
from .scope import Var
from .tree import Expr, Stmt
from .types import Type


class Walks:
    """The part of the generator for such loops."""

    def walk(self, scope):
        kinds = [self._sum, self._sum, self._pointer_walk, self._copy]
        return self.rng.choice(kinds)(scope)

    def _combine(self, type_, first, second):
        """Combines two values without overflow."""
        if type_.real:
            return f"{first} * ({type_})0.5 + {second}" if type_.base == "double" else f"{first} + {second}"
        if type_.signed:
            return f"({type_})({first} ^ {second})"
        return f"({type_})({first} * ({type_})3 + {second})"

    def _bound(self, scope, most):
        """A trip count of at most `most`, uniform or not."""
        rng = self.rng
        id_ = "gid" if not self.groups_visible or rng.random() < 0.5 else "lid"
        return rng.choice((str(most), str(most), f"{id_} % {most + 1}u", f"({id_} & 1u) * {most}u"))

    def _walk_place(self, buffer, most):
        """An index for iteration i below `most`, which is 4; see InBuffer for the available range."""
        last = buffer.count - 1
        id_ = self.rng.choice(buffer.ids)
        return self.rng.choice((f"{id_} + i", f"{id_} * {most} + i", f"{last} - {id_} - i", f"i * {self.items} + gid",
                                f"{id_} * {most} + ({most - 1} - i)", f"{last} - {id_} * {most} - i",
                                f"({id_} * 5 + i * 7) & {last}", f"{id_} * 2 + i", "i * 3 + 1",
                                f"((uint){id_} ^ (uint)i) & {last}", f"({id_} >> 1) + i"))

    def _inputs(self, scope):
        return [m for m in scope.memories if type(m) is InBuffer and m.ids]

    def _loop_head(self, inner, bound):
        type_ = self.rng.choice(("uint", "int", "ulong", "long"))
        inner.variables.append(Var("i", Type(type_), writable=False))
        if self.rng.random() < 0.3:
            return f"for ({type_} n = {bound}, i = 3; n > 0; --n, --i) {{{{"
        return f"for ({type_} i = 0; i < ({type_})({bound}); ++i) {{{{"

    def _sum(self, scope):
        buffers = self._inputs(scope)
        var = self.target(scope, uniform=False)
        if not buffers or not var or scope.helper:
            return None
        buffer = self.rng.choice(buffers)
        type_ = buffer.type
        inner = scope.inner()
        lines = ["{{", f"  {type_} s = {{0}};", f"  {self._loop_head(inner, self._bound(scope, 4))}"]
        exprs = [self.expression(type_, scope, 1)]
        if self.rng.random() < 0.3:
            exprs.append(self.condition(inner, 1))
            lines.append(f"    if ({{{len(exprs) - 1}}}) {self.rng.choice(('continue', 'break'))};")
        if self.rng.random() < 0.4:
            exprs.append(self.condition(inner, 1))
            lines.append(f"    if ({{{len(exprs) - 1}}})")
        step = self._combine(type_, "s", f"{buffer.name}[{self._walk_place(buffer, 4)}]")
        lines.append(f"    s = {step};")
        if self.rng.random() < 0.3:
            step = self._combine(type_, "s", f"{buffer.name}[{self._walk_place(buffer, 4)}]")
            lines.append(f"    s = {step};")
        result = self.convert(Expr(type_, "s"), var.type)
        return Stmt(lines + ["  }}", f"  {var.name} = {{{len(exprs)}}};", "}}"], exprs + [result])

    def _pointer_walk(self, scope):
        """A divergent start and a divergent stride."""
        buffers = self._inputs(scope)
        var = self.target(scope, uniform=False)
        if not buffers or not var or scope.helper:
            return None
        buffer = self.rng.choice(buffers)
        type_ = buffer.type
        const = "const " if buffer.space == "global" else ""
        up = self.rng.random() < 0.6
        start, sign = ("0", "+") if up else (str(buffer.count - 1), "-")
        step = self.rng.choice(("1", "1", "2", "4", "(gid & 3u)", "{2}", "(i & 3)"))
        advance = f"q {sign}= {step}"
        body = self._combine(type_, "s", "*q")
        return Stmt(["{{", f"  {type_} s = {{0}};",
                     f"  {buffer.space} {const}{type_}* q = {buffer.name} + {start} {sign} (int)({{1}});",
                     f"  for (int i = 0; i < (int)({self._bound(scope, 7)}); ++i) {{{{", f"    s = {body};",
                     f"    {advance};", "  }}", f"  {var.name} = {{3}};", "}}"],
                    [self.expression(type_, scope, 1), self.index(scope, buffer.count // 4, False),
                     self.index(scope, 4, False), self.convert(Expr(type_, "s"), var.type)])

    def _copy(self, scope):
        """Consecutive slots: rows, planes and others, from an input or computed."""
        own = [m for m in scope.memories if isinstance(m, OwnBuffer) and m.slots <= 4]
        if not own or scope.helper:
            return None
        memory = self.rng.choice(own)
        inner = scope.inner()
        inner.variables.append(Var("i", Type("uint"), writable=False))
        buffers = self._inputs(scope)
        slot = self.rng.choice(("i", f"({memory.slots - 1} - i)"))
        if buffers and self.rng.random() < 0.7:
            buffer = self.rng.choice(buffers)
            value = self.convert(Expr(buffer.type, f"{buffer.name}[{self._walk_place(buffer, 4)}]"), memory.type)
        else:
            value = self.expression(memory.type, inner, 2)
        lines = [f"for (uint i = 0; i < {self._bound(scope, memory.slots)}; ++i) {{{{"]
        exprs = [canonical(value)]
        if self.rng.random() < 0.3:
            exprs.append(self.condition(inner, 1))
            lines.append("  if ({1})")
        store = f"{memory.name}[{memory.place.format(slot)}]"
        if self.rng.random() < 0.4 and not memory.type.real:  # reads what was there
            lines.append(f"  {store} = {self._combine(memory.type, store, '{0}')};")
        else:
            lines.append(f"  {store} = {{0}};")
        return Stmt(lines + ["}}"], exprs)
