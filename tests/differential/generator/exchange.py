# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exchange of values between the work-items of a group: through memory and barriers, or by a
work-group function. An exchange is one statement with its barriers, so that taking statements away
never makes a race."""
from .literals import literal
from .memory import InBuffer
from .tree import Expr, Function, Stmt
from .types import INT, Type


def _power_below(n):
    return 1 << max(0, n.bit_length() - 1)


class Exchanges:
    """The part of the generator for communication within groups."""

    def barrier(self, memory):
        name = self.rng.choice(("barrier", "work_group_barrier")) if self.features.cl3 else "barrier"
        fence = memory.fence
        if self.rng.random() < 0.2:
            fence = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
        return f"{name}({fence});"

    def exchange(self, scope):
        usable = [m for m in self.shared if m.name not in scope.written]
        if not usable:
            return None
        memory = self.rng.choice(usable)
        inner = scope.inner(written=scope.written | {memory.name}, barriers=False, may_return=False,
                            loop=False, breakable=False)
        kinds = [self._plain, self._plain, self._conditional, self._permuted, self._after_block, self._called, self._told]
        if memory.space == "local" and any(b.type == memory.type and b.space == "global" for b in self.plain_inputs()):
            kinds += [self._copied]
        if memory.space == "global" and self._same_local(memory, inner):
            kinds += [self._copied_out]
        if memory.type.integer and not memory.type.vector and not memory.type.signed:
            kinds += [self._tree, self._scan, self._rounds, self._until]
        if memory.space == "local" and memory.type.integer and not memory.type.vector and memory.type.bits >= 32:
            kinds += [self._local_atomics]
        return self.rng.choice(kinds)(scope, inner, memory)

    def _place(self, memory):
        """A distinct slot for each work-item."""
        last = memory.count - 1
        odd, start = 2 * self.rng.randrange(20) + 1, self.rng.randrange(memory.count)
        return self.rng.choice((f"{last} - lid", f"lid ^ {start}", f"(lid * {odd} + {start}) & {last}"))

    def _plain(self, scope, inner, memory):
        return Stmt([self.barrier(memory), f"{memory.name}[lid] = {{0}};", self.barrier(memory)],
                    [self.expression(memory.type, inner)])

    def _permuted(self, scope, inner, memory):
        return Stmt([self.barrier(memory), f"{memory.name}[{self._place(memory)}] = {{0}};", self.barrier(memory)],
                    [self.expression(memory.type, inner)])

    def _conditional(self, scope, inner, memory):
        return Stmt([self.barrier(memory), f"if ({{0}}) {memory.name}[lid] = {{1}};", self.barrier(memory)],
                    [self.condition(inner), self.expression(memory.type, inner)])

    def _after_block(self, scope, inner, memory):
        block = self.block(inner, self.rng.randrange(1, 4))
        return Stmt([self.barrier(memory), "{{", "@0", f"  {memory.name}[lid] = {{0}};", "}}", self.barrier(memory)],
                    [self.expression(memory.type, inner)], [block])

    def _told(self, scope, inner, memory):
        """A broadcast from one work-item, sometimes a different one in each iteration."""
        m, last, one = memory.name, memory.count - 1, self.rng.choice((0, 0, 1, self.rng.randrange(memory.count)))
        value, place = self.expression(memory.type, inner), self.index(inner, memory.count, True)
        if self.rng.random() < 0.5:
            return Stmt([self.barrier(memory), f"if (lid == {one} % items) {m}[{{1}}] = {{0}};", self.barrier(memory)],
                        [value, place])
        i, var = self.name("i"), self.target(scope, uniform=False)
        told = self.convert(Expr(memory.type, f"{m}[({i} * 5 + {one}) & {last}]"), var.type)
        op = "^=" if var.type.integer else "+="
        return Stmt([f"for (uint {i} = 0; {i} < {{1}}; ++{i}) {{{{", f"  {self.barrier(memory)}",
                     f"  if (lid == ({i} * 3 + {one}) % items) {m}[({i} * 5 + {one}) & {last}] = {{0}};",
                     f"  {self.barrier(memory)}", f"  {var.name} {op} {{2}};", "}}", self.barrier(memory)],
                    [value, self.index(inner, 4, True), told])

    def plain_inputs(self):
        return [b for b in self.inputs if type(b) is InBuffer]

    def _copied(self, scope, inner, memory):
        """All work-items execute the same async copy and wait for it."""
        rng, event = self.rng, self.name("e")
        source = rng.choice([b for b in self.plain_inputs() if b.type == memory.type and b.space == "global"])
        count = rng.randrange(1, memory.count + 1)
        start = self.index(inner, _power_below(source.count // 4), True)
        wait = f"wait_group_events(1, &{event});"
        if rng.random() < 0.3 and memory.count > 4:
            t, count = self.name("t"), rng.randrange(1, memory.count - 3)
            call = f"async_work_group_copy({memory.name} + {t}, {source.name} + {{0}}, {count}, 0)"
            times = rng.choice(("3", "get_work_dim()", "{1}"))
            return Stmt([self.barrier(memory), f"for (uint {t} = 0; {t} < {times}; ++{t}) {{{{", f"  event_t {event} = {call};",
                         f"  {wait}", "}}", self.barrier(memory)], [start, self.index(inner, 4, True)])
        call = f"async_work_group_copy({memory.name}, {source.name} + {{0}}, {count}, 0)"
        if rng.random() < 0.3:
            count = min(count, source.count // 4)
            call = f"async_work_group_strided_copy({memory.name}, {source.name} + {{0}}, {count}, 2, 0)"
        return Stmt([self.barrier(memory), f"event_t {event} = {call};", wait, self.barrier(memory)], [start])

    def _same_local(self, memory, scope):
        return [m for m in self.shared if m.space == "local" and m.type == memory.type and m.name not in scope.written]

    def _copied_out(self, scope, inner, memory):
        """From local memory to the group's part of global memory."""
        event, source = self.name("e"), self.rng.choice(self._same_local(memory, inner))
        count = self.rng.randrange(1, memory.count + 1)
        first = self.rng.randrange(memory.count - count + 1)
        both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
        return Stmt([both, f"event_t {event} = async_work_group_copy({memory.name} + {first}, {source.name}, {count}, 0);",
                     f"wait_group_events(1, &{event});", both])

    def _tree(self, scope, inner, memory):
        """Halves added to halves."""
        m, step = memory.name, self.name("s")
        return Stmt([self.barrier(memory), f"{m}[lid] = {{0}};", self.barrier(memory),
                     f"for (uint {step} = {memory.count // 2}; {step} > 0; {step} >>= 1) {{{{",
                     f"  if (lid < {step}) {m}[lid] += {m}[lid + {step}];", f"  {self.barrier(memory)}", "}}"],
                    [self.expression(memory.type, inner)])

    def _scan(self, scope, inner, memory):
        m, step, value = memory.name, self.name("s"), self.name("x")
        return Stmt([self.barrier(memory), f"{m}[lid] = {{0}};", self.barrier(memory),
                     f"for (uint {step} = 1; {step} < {memory.count}; {step} *= 2) {{{{",
                     f"  const {memory.type} {value} = lid >= {step} ? {m}[lid - {step}] : ({memory.type})0;",
                     f"  {self.barrier(memory)}", f"  {m}[lid] += {value};", f"  {self.barrier(memory)}", "}}"],
                    [self.expression(memory.type, inner)])

    def _rounds(self, scope, inner, memory):
        """A uniform loop that contains a divergent one."""
        m, r, i, last = memory.name, self.name("r"), self.name("i"), memory.count - 1
        var = self.target(scope, uniform=False)
        taken = self.convert(Expr(memory.type, f"{m}[(lid + {i} * {self.rng.choice((1, 3, 5))} + {r}) & {last}]"),
                             var.type)
        own = self.rng.choice((f"(lid + {r}) % 5u", f"lid & 3u & {r}", f"{m}[lid] & 3u", f"(gid ^ {r}) & 7u"))
        change = f"{var.name} = {{2}};" if var.type.real or var.type.vector else f"{var.name} ^= {{2}};"
        return Stmt([f"for (uint {r} = 0; {r} < {{1}}; ++{r}) {{{{", f"  {self.barrier(memory)}", f"  {m}[lid] = {{0}};",
                     f"  {self.barrier(memory)}", f"  for (uint {i} = 0; {i} < ({own}); ++{i}) {{{{", f"    {change}",
                     "  }}", "}}", self.barrier(memory)],
                    [self.expression(memory.type, inner), self.index(inner, 4, True), taken])

    def _until(self, scope, inner, memory):
        """A loop that ends by a value that one work-item wrote for all."""
        m, n = memory.name, self.name("n")
        block = self.block(inner, self.rng.randrange(1, 3))
        form = self.rng.choice(([f"for (int {n} = 0; {n} < 4; ++{n}) {{{{", "}}"],
                                [f"int {n} = 0;", "do {{", f"}}}} while ({n}++ < 4);"]))
        return Stmt(["{{", *form[:-1], self.barrier(memory), "@0", f"  {m}[lid] = {{0}};", self.barrier(memory),
                     f"  if (({m}[{{1}}] & {self.rng.choice((1, 2, 3))}) == {self.rng.randrange(2)}) break;",
                     form[-1], self.barrier(memory), "}}"],
                    [self.expression(memory.type, inner), self.index(inner, memory.count, True)], [block])

    def _local_atomics(self, scope, inner, memory):
        name = self.rng.choice(("add", "or", "and", "xor", "min", "max"))
        prefix = "atomic_" if memory.type.bits == 32 else "atom_"
        target = f"&{memory.name}[{{2}}]"
        return Stmt([self.barrier(memory), f"{memory.name}[lid] = {{0}};", self.barrier(memory),
                     f"if ({{1}}) {prefix}{name}({target}, {{3}});", self.barrier(memory)],
                    [literal(self.rng, memory.type), self.condition(inner),
                     self.index(inner, memory.count, False), self.expression(memory.type, inner, 2)])

    def _called(self, scope, inner, memory):
        """Barriers in a separate function, sometimes in a loop there."""
        rng = self.rng
        name = self.name(f"swap_{self.tree.name}_")
        type_, last = memory.type, memory.count - 1
        attribute = rng.choice(("", "", "__attribute__((noinline)) "))
        parameters = f"{memory.space} {type_}* m, uint lid, {type_} v"
        store = "m[lid] = v;"
        step = rng.randrange(1, memory.count + 1)
        lines = [self.barrier(memory), store, self.barrier(memory), f"v = m[(lid + {step}) & {last}];"]
        if rng.random() < 0.5:
            lines = [f"for (int i = 0; i < n; ++i) {{{{"] + [f"  {l}" for l in lines] + ["}}"]
            parameters += ", int n"
            extra = [self.index(inner, 4, True)]
        else:
            extra = []
        body = [Stmt(lines, fixed=True), Stmt(["return v;"], fixed=True)]
        self.tree.functions.append(Function(f"{attribute}{type_} {name}({parameters})", body))
        var = self.target(scope, uniform=False)
        arguments = "".join(f", {{{i}}}" for i in range(1 + len(extra)))
        value = self.convert(Expr(type_, f"{name}({memory.name}, lid{arguments})",
                                  self.expression(type_, inner), *extra), var.type)
        return Stmt([f"{var.name} = {{0}};", self.barrier(memory)], [value])

    def collective(self, scope):
        """Work-group functions on integers, and on reals whose sums are exact."""
        rng = self.rng
        type_ = Type(rng.choice(("int", "uint", "long", "ulong")))
        operand = self.expression(type_, scope, 2)
        uniform = False
        kind = rng.randrange(5)
        if kind == 0:
            name, uniform = rng.choice(("work_group_any", "work_group_all")), True
            type_ = INT
            operand = Expr(None, "(int){0}", self.condition(scope))
            value = Expr(type_, f"({name}({{0}}) != 0)", operand)
        elif kind == 1:
            uniform = True
            index = ", ".join(f"{{{d + 1}}} % get_local_size({d})" for d in range(self.dimensions))
            places = [Expr(None, f"(size_t){rng.randrange(300)}") for _ in range(self.dimensions)]
            value = Expr(type_, f"work_group_broadcast({{0}}, {index})", operand, *places)
        else:
            name = rng.choice(("reduce", "scan_inclusive", "scan_exclusive"))
            op = rng.choice(("add", "min", "max"))
            uniform = name == "reduce"
            if op == "add" and rng.random() < 0.3:
                type_ = Type(rng.choice(("float", "double") if self.features.fp64 else ("float",)))
                operand = Expr(type_, f"({type_})({{0}} & 255)", self.expression(INT, scope, 2))
            elif op == "add" and type_.signed:  # sums of any size only without a sign
                operand = Expr(type_, "({0} & 0xffff)", operand)
            value = Expr(type_, f"work_group_{name}_{op}({{0}})", operand)
        var = self.target(scope) if uniform else self.target(scope, uniform=False)
        return Stmt([f"{var.name} = {{0}};"], [self.convert(value, var.type)])
