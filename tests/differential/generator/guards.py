# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds checks, and indices that hold only behind a comparison, as in stencils, scans and loops that step by the size
of the group: what a compiler knows there does not hold for the work-items that stay out."""
from .memory import InBuffer
from .own_memory import OwnBuffer, canonical
from .scope import Var
from .tree import Expr, Stmt
from .types import Type


class Guards:
    """The part of the generator for bounds checks."""

    def guarded(self, scope):
        if scope.helper:
            return None
        buffers = [m for m in scope.memories if type(m) is InBuffer and m.ids]
        var = self.target(scope, uniform=False)
        if not buffers or not var:
            return None
        kind = self.rng.choice((self._neighbour, self._neighbour, self._mirrored, self._stepping, self._clamped,
                                self._own_shift))
        return kind(scope, self.rng.choice(buffers), var)

    def border(self, scope):
        """At the kernel's start: an id, or another number for work-items outside of a range of ids."""
        rng = self.rng
        dimension = rng.randrange(self.dimensions)
        type_ = rng.choice(("int", "int", "long", "uint"))
        x, size = self.name("x"), self.launch.global_[dimension]
        low, high = rng.choice((0, 0, 1, rng.randrange(size // 3 + 1))), rng.choice((size, size - 1, size // 2))
        shift = rng.choice(("", "", f" - {rng.randrange(4)}"))
        outside = f"{x} < {low} || {x} >= {high}"
        if rng.random() < 0.3:
            outside = f"!({x} >= {low} && {x} < {high})"
        other = rng.choice((f"clamp({x}, ({type_}){low}, ({type_}){max(low, high - 1)})", f"{x} & 3", "1"))
        scope.variables.append(Var(x, Type(type_), writable=False))
        return Stmt([f"{type_} {x} = ({type_})get_global_id({dimension}){shift};", f"if ({outside}) {x} = {other};"],
                    fixed=True)

    def bounds_check(self):
        """At the kernel's start, where most have one: some, all or none of the work-items go on; at borders a few do
        something else."""
        rng = self.rng
        is_border = rng.random() < 0.3
        terms = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            dimension = rng.randrange(self.dimensions)
            type_ = rng.choice(("uint", "int", "ulong", "long", "size_t", "uint", "int"))
            value, size = rng.choice((("gid", self.items),
                                      (f"get_global_id({dimension})", self.launch.global_[dimension])))
            size += self.launch.offset[dimension] if value != "gid" and not self.launch.is_far else 0
            scale = rng.choice(("", "", "", " * 3", " + 5", " - 7"))
            operation = "==" if is_border else rng.choice((">=", ">=", ">", "<"))
            if rng.random() < 0.1:
                limit = rng.choice((0, 1, size * 3, 0x7fffffff, 0x7fffffe0))
            else:
                limit = rng.randrange(size // 3 + 1) if operation == "<" else rng.randrange(size // 2, size * 2)
            limit = rng.choice((0, size - 1, limit)) if is_border else limit
            is_range = is_border and rng.random() < 0.5
            if type_ == "size_t" or value == "gid" and rng.random() < 0.3:
                term = f"{value}{scale}"
            else:
                term = f"({type_}){value}" if scale == "" else f"({type_})({value}{scale})"
            if is_range:
                terms.append(f"{term} < {rng.choice((0, 1, size // 8))} || {term} >= {rng.choice((size - 1, size, size // 2))}")
            else:
                terms.append(f"{term} {operation} {rng.choice(('', f'({type_})'))}{limit}")
        condition = f"if ({' || '.join(terms)})"
        if is_border:
            return Stmt([condition + " {{", f"  result[gid] = gid + {rng.randrange(1000)}u;", "  return;", "}}"],
                        fixed=True)
        return Stmt([condition + " return;"], fixed=True)

    def _distance(self, scope):
        """A distance, uniform or not; at most 15."""
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            return Expr(None, str(rng.randrange(1, 9)))
        uniforms = [v for v in scope.variables if v.uniform and v.type.integer and not v.type.vector]
        if kind == 1 and uniforms:
            return Expr(None, f"({rng.choice(uniforms).name} & 15)")
        return self.index(scope, 16, kind == 2)

    def _id(self):
        return self.rng.choice(("gid", "lid") if self.groups_visible else ("gid",))

    def _neighbour(self, scope, buffer, var):
        rng, type_ = self.rng, self.rng.choice(("uint", "int", "ulong", "long", "ushort", "short", "uint", "int"))
        n, d = self.name("n"), self.name("d")
        most = rng.choice((buffer.count - 16, self.items, 20))
        form = rng.choice((f"if ({n} >= {d}) {{{{;{n} - {d}", f"if ({n} > {d}) {{{{;{n} - {d} - 1",
                           f"if ({n} >= {d} && {n} < {most}) {{{{;{n} - {d}", f"if ({n} + {d} < {most}) {{{{;{n} + {d}",
                           f"if ({n} != 0 && {n} <= {most}) {{{{;{n} - 1", f"if ({n} < {d}) {{{{;{d} - {n} - 1",
                           f"while ({n} >= {d} + 1) {{{{;{n} -= {d} + 1"))
        guard, index = form.split(";")
        value = self.convert(Expr(buffer.type, f"{buffer.name}[{index}]"), var.type)
        inner = scope.inner()
        inner.variables.append(Var(n, Type(type_), writable=False))
        op = "^=" if var.type.integer else "+="
        return Stmt(["{{", f"  {type_} {n} = ({type_}){self._id()};", f"  const {type_} {d} = ({type_}){{0}};",
                     "  " + guard, f"    {var.name} {op} {{1}};", f"    {var.name} {op} {{2}};", "  }}", "}}"],
                    [self._distance(scope), value, self.expression(var.type, inner, 1)])

    def _mirrored(self, scope, buffer, var):
        """A loop from a divergent start down to zero."""
        type_ = self.rng.choice(("int", "long", "short", "int"))
        n, step = self.name("n"), self.rng.choice(("1", "2", "3", "7"))
        start = self.rng.choice((f"({type_})({self._id()} & 7u)", f"({type_})(20 - ({type_})({self._id()} % 23u))",
                                 f"({type_})({self._id()} % 5u) * 3"))
        value = self.convert(Expr(buffer.type, f"{buffer.name}[{n}]"), var.type)
        op = "^=" if var.type.integer else "+="
        inner = scope.inner()
        inner.variables.append(Var(n, Type(type_), writable=False))
        return Stmt([f"for ({type_} {n} = {start}; {n} >= 0; {n} -= {step}) {{{{", f"  {var.name} {op} {{0}};",
                     f"  {var.name} {op} {{1}};", "}}"], [value, self.expression(var.type, inner, 1)])

    def _stepping(self, scope, buffer, var):
        """A loop from the own id by the number of work-items, or by rows."""
        type_ = self.rng.choice(("uint", "int", "ulong", "ushort", "uint"))
        size = "get_local_size(0)" if self.groups_visible else "get_global_size(0)"
        n, most = self.name("n"), min(buffer.count, self.rng.choice((50, 200, self.items * 2)))
        step = self.rng.choice((f"({type_}){size}", f"({type_}){max(16, self.items // 3)}"))
        id_ = "get_local_id(0)" if self.groups_visible else "gid"
        most = min(most, 12 * min(16, self.launch.local[0] if self.launch.local else 16))
        value = self.convert(Expr(buffer.type, f"{buffer.name}[{n}]"), var.type)
        op = "^=" if var.type.integer else "+="
        inner = scope.inner()
        inner.variables.append(Var(n, Type(type_), writable=False))
        leave = f"  if ({{1}}) {self.rng.choice(('break', 'continue'))};"
        return Stmt([f"for ({type_} {n} = ({type_}){id_}; {n} < {most}; {n} += {step}) {{{{"] +
                    ([leave] if self.rng.random() < 0.3 else []) + [f"  {var.name} {op} {{0}};", "}}"],
                    [value, self.condition(inner, 1)])

    def _clamped(self, scope, buffer, var):
        d, n = self._distance(scope), self.name("n")
        last = self.rng.choice((buffer.count - 1, self.items - 1, 30))
        index = self.rng.choice((f"max(0, {n} - (int){{0}})", f"min({n} + (int){{0}}, {last})",
                                 f"clamp({n} - 3 + (int){{0}}, 0, {last})", f"abs({n} - (int){{0}})",
                                 f"({n} >= (int){{0}} ? {n} - (int){{0}} : {n})",
                                 f"({n} == {last} ? 0 : {n} + 1)", f"({n} + (int){{0}}) % {last + 1}",
                                 f"{n} / 2 + (int){{0}}", f"({n} ^ 1)"))
        value = self.convert(Expr(buffer.type, f"{buffer.name}[{index}]", d), var.type)
        return Stmt([f"{{{{ const int {n} = (int){self._id()}; {var.name} = {{0}}; }}}}"], [value])

    def _own_shift(self, scope, buffer, var):
        """Stores into own slots, guarded by their indices."""
        own = [m for m in scope.memories if isinstance(m, OwnBuffer) and m.shape in ("planes", "blocks")]
        if not own:
            return None
        memory = self.rng.choice(own)
        n = self.name("n")
        value = canonical(self.expression(memory.type, scope, 2))
        if memory.shape == "planes":
            place = f"{n} + {{0}} * {self.items} - 1"
        else:
            place = f"({n} - 1) * {memory.slots} + {{0}}"
        guard = self.rng.choice((f"{n} > 5", f"{n} >= {self.rng.randrange(1, 20)}", f"{n} <= {self.items - 2}"))
        type_ = self.rng.choice(("uint", "int", "ulong", "long"))
        return Stmt([f"{{{{ const {type_} {n} = gid + 1; if ({guard}) {memory.name}[{place}] = {{1}}; }}}}"],
                    [self.index(scope, memory.slots, False), value])
