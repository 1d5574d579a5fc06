# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over memory with a constant stride: along rows, down columns, backwards,
in pairs; pointers that advance by divergent strides; and rows beside private arrays."""
from .literals import literal
from .memory import InBuffer
from .own_memory import OwnBuffer, canonical
from .scope import Var
from .tree import Expr, Stmt
from .types import Type


class Walks:
    """The part of the generator for such loops."""

    def walk(self, scope):
        kinds = [self._sum, self._sum, self._pointer_walk, self._copy, self._row_and_array, self._row_and_array]
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

    def _row_and_array(self, scope):
        """Each work-item walks through a row of its own in global memory and through a private array: from the one to
        the other, through both, or with each element as an index. Before and after it the array is accessed whole."""
        rng = self.rng
        rows = [m for m in scope.memories if isinstance(m, OwnBuffer) and m.shape in ("blocks", "rows")
                and m.slots > 1 and not m.type.vector]
        var = self.target(scope, uniform=False)
        if not var or scope.helper or scope.cost > 60:
            return None
        buffers = [b for b in self._inputs(scope) if not b.type.vector]
        if not rows and not buffers:
            return None
        row = rng.choice(rows) if rows else None
        type_ = row.type if row and rng.random() < 0.8 else Type(rng.choice(self.bases))
        count = rng.choice((4, 8, 16, 64, 128))
        a, start = self.name("a"), self.name("o")
        most = row.slots if row else 4
        inner = scope.inner()
        inner.variables.append(Var("j", Type("uint"), writable=False))
        exprs = [self.expression(type_, scope, 1), self.index(scope, count, False)]
        lines = ["{{", f"  {type_} {a}[{count}];",
                 f"  for (uint i = 0; i < {count}; ++i) {a}[i] = ({type_})i;" if rng.random() < 0.7 else
                 f"  for (uint i = 0; i < {count}; ++i) {a}[i] = {literal(rng, type_)};",
                 f"  const uint {start} = {{1}};"]
        place = rng.choice((f"({start} + j) & {count - 1}", f"({start} + j) & {count - 1}", f"(j * 3 + {start}) & {count - 1}",
                            f"j & {count - 1}", f"({start} - j) & {count - 1}"))
        n = rng.choice((2, 4))
        if rng.random() < 0.6:
            lines.append(f"  vstore{n}(({type_}{n})({{0}}, {', '.join(str(literal(rng, type_)) for _ in range(n - 1))}), "
                         f"{start} / {n}, {a});")
        else:
            lines.append(f"  {a}[{start}] = {{0}};")
        bound = self._bound(scope, most)
        lines.append(rng.choice((f"  for (uint j = 0; j < {bound}; ++j) {{{{", f"  for (uint j = 0, m = {bound}; j < m; ++j) {{{{")))
        if rng.random() < 0.25:
            exprs.append(self.condition(inner, 1))
            lines.append(f"    if ({{{len(exprs) - 1}}}) {rng.choice(('continue', 'break'))};")
        element = f"{a}[{place}]"
        steps = []
        if row and row.type == type_:
            slot = f"{row.name}[{row.place.format('j')}]"
            store = canonical(Expr(type_, element))
            steps += [(f"    {slot} = {{}};", store), (f"    {element} = {slot};", None),
                      (f"    {{{{ const {type_} x = {element}; {element} = {slot}; {slot} = {{}}; }}}}",
                       canonical(Expr(type_, "x")))]
        if buffers:
            buffer = rng.choice(buffers)
            id_ = rng.choice(buffer.ids)
            step = min(most, 4)
            read = f"{buffer.name}[{id_} * {step} + (j & {step - 1})]"
            value = self.convert(Expr(buffer.type, read), type_)
            steps.append((f"    {element} = {{}};", value))
            if type_.integer:
                steps.append((f"    {element} ^= {{}};", value))
        if not steps:
            return None
        for text, value in rng.sample(steps, min(len(steps), rng.choice((1, 1, 2)))):
            if value is not None:
                exprs.append(value)
                text = text.replace("{}", f"{{{len(exprs) - 1}}}")
            lines.append(text)
        lines.append("  }}")
        op = "^=" if var.type.integer else "+="
        width = rng.choice((1, 1, 2, 4))
        end = f"{a}[{{0}}]" if width == 1 else f"vload{width}({{0}}, {a})"
        result = self.convert(Expr(type_.of(width), end, self.index(scope, count // width, False)), var.type)
        exprs.append(result)
        lines += [f"  {var.name} {op} {{{len(exprs) - 1}}};", "}}"]
        return Stmt(lines, exprs)

