# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of a given type, and conditions."""
from . import integer_ops, real_ops, vector_ops
from .literals import literal
from .tree import CONDITION, Expr
from .types import INT, INTEGERS, UINT, ULONG, Type

_UNIFORM_IDS = ("get_group_id", "get_local_size", "get_global_size", "get_num_groups", "get_global_offset")
_GLOBAL_IDS = ("get_global_id", "get_global_size", "get_global_offset")


class _Operands:
    """sub(type) for the operations: one level less of the same scope."""

    def __init__(self, gen, scope, depth, uniform):
        self.gen, self.scope, self.depth, self.uniform = gen, scope, depth, uniform

    def __call__(self, type_):
        return self.gen.expression(type_, self.scope, self.depth - 1, self.uniform)


def _weighted(rng, table):
    return rng.choices([entry for entry, _ in table], [weight for _, weight in table])[0]


class Expressions:
    """The part of the generator for expressions."""

    def expression(self, type_, scope, depth=None, uniform=False):
        if depth is None:
            depth = 3 if not type_.vector else 2
        if depth <= 0 or self.rng.random() < 0.12:
            return self.leaf(type_, scope, uniform)
        if self.helpers and scope.cost <= 8 and not scope.helper and self.rng.random() < 0.08:
            call = self.call(type_, scope, depth, uniform)
            if call:
                return call
        table = real_ops.OPERATIONS if type_.real else integer_ops.OPERATIONS
        if type_.vector:
            table = table + vector_ops.VECTOR_OPERATIONS
        elif self.widths and self.rng.random() < 0.5:
            table = table + vector_ops.SCALAR_OPERATIONS
        if type_.n >= 8:
            depth = min(depth, 2)
        return _weighted(self.rng, table)(self, type_, _Operands(self, scope, depth, uniform))

    def leaf(self, type_, scope, uniform):
        rng = self.rng
        kind = rng.random()
        if kind < 0.45:
            found = self.variable(type_, scope, uniform)
            if found:
                return found
        if kind < 0.75:
            found = self.load(type_, scope, uniform)
            if found:
                return found
        if kind < 0.85 and not scope.helper:
            return self.convert(self.work_item_value(scope, uniform), type_)
        return literal(rng, type_)

    def variable(self, type_, scope, uniform):
        usable = [v for v in scope.variables if v.uniform or not uniform]
        same = [v for v in usable if v.type == type_]
        if same and self.rng.random() < 0.85:
            return Expr(type_, self.rng.choice(same).name)
        if not usable:
            return None
        var = self.rng.choice(usable)
        return self.convert(Expr(var.type, var.name), type_)

    def load(self, type_, scope, uniform):
        if self.nesting > 1:  # an index into what an index is read from is enough
            return None
        usable = [m for m in scope.memories if m.readable(scope, uniform)]
        if not usable:
            return None
        same = [m for m in usable if m.gives(type_)]
        memory = self.rng.choice(same if same and self.rng.random() < 0.85 else usable)
        found = memory.read(self, scope, uniform, type_)
        return self.convert(found, type_) if found else None

    def work_item_value(self, scope, uniform):
        dimension = self.rng.randrange(self.dimensions)
        if not self.groups_visible:
            names = _GLOBAL_IDS[1:] if uniform else _GLOBAL_IDS
            return Expr(ULONG, f"{self.rng.choice(names)}({dimension})")
        if uniform:
            if self.rng.random() < 0.2:  # uniform, though made of what is not
                return Expr(ULONG, f"(get_global_id({dimension}) - get_local_id({dimension}))")
            return Expr(ULONG, f"{self.rng.choice(_UNIFORM_IDS)}({dimension})")
        if self.rng.random() < (0.5 if self.launch.is_far else 0.15):
            return self.narrowed_id(dimension)
        if self.rng.random() < 0.5:
            return Expr(UINT, self.rng.choice(("gid", "lid")))
        name = self.rng.choice(("get_global_id", "get_local_id"))
        return Expr(ULONG, f"{name}({dimension})")

    def narrowed_id(self, dimension):
        """An id, or an affine function of it, that may wrap around in 32 bits."""
        rng = self.rng
        id_ = f"{rng.choice(('get_global_id', 'get_global_id', 'get_local_id'))}({dimension})"
        if rng.random() < 0.5:
            id_ = rng.choice((f"({id_} + {rng.randrange(1, 200)})", f"({id_} - {rng.randrange(1, 200)})",
                              f"({id_} * {rng.choice((2, 3, 8, 100, 65537, 1000003))})",
                              f"({rng.randrange(300)} - {id_})", f"({id_} << {rng.choice((1, 4, 20))})",
                              f"({id_} - get_global_offset({dimension}))",
                              f"(get_global_size({dimension}) - {id_})"))
        narrow = rng.choice(("int", "uint", "uint", "int", "short", "uchar"))
        text = f"({narrow}){id_}"
        if narrow == "uint" and rng.random() < 0.4:
            text = f"({text} {rng.choice('+-*')} {rng.choice((1, 2, 3, 40, 100))}u)"
        wide = rng.choice(("ulong", "long", "ulong"))
        return Expr(Type(wide), f"(({wide})({text}))")

    def convert(self, expr, type_):
        """The expression in the given type, by conversion or by selecting components."""
        have = expr.type
        if have == type_:
            return expr
        if have.n != type_.n:
            if have.n == 1:
                expr = Expr(have.of(type_.n), f"(({have.of(type_.n)})({{0}}))", expr)
            else:
                order = "".join(f"{self.rng.randrange(have.n):x}" for _ in range(type_.n))
                expr = Expr(have.of(type_.n), f"({{0}}).s{order}", expr)
        if expr.type == type_:
            return expr
        if have.real and type_.integer:
            return self.saturated(type_, expr)
        return Expr(type_, f"convert_{type_}({{0}})", expr)

    def saturated(self, type_, expr, mode=""):
        """A real as the nearest representable integer. The specification only recommends 0 for a NaN."""
        operand = f"number_{expr.type}({{0}})" if self.features.other_drivers else "{0}"
        return Expr(type_, f"convert_{type_}_sat{mode}({operand})", expr)

    def index(self, scope, count, uniform):
        """A number below `count`, which is a power of two."""
        if self.rng.random() < 0.3:
            return Expr(None, f"{self.rng.randrange(count)}")
        type_ = Type(self.rng.choice(("uint", "uint", "int", "ulong", "uchar", "short")))
        self.nesting += 1
        value = self.expression(type_, scope, 1 if self.nesting < 3 else 0, uniform)
        self.nesting -= 1
        return Expr(None, f"({{0}} & {count - 1})", value)

    def condition(self, scope, depth=2, uniform=False):
        rng = self.rng
        kind = rng.random()
        if depth > 1 and kind < 0.3:
            first = self.condition(scope, depth - 1, uniform)
            second = self.condition(scope, depth - 1, uniform)
            if rng.random() < 0.2:
                return Expr(CONDITION, "(!{0})", first)
            return Expr(CONDITION, f"({{0}} {rng.choice(('&&', '||'))} {{1}})", first, second)
        if scope.flags and rng.random() < 0.2:
            found = self.flag_condition(scope, uniform)
            if found:
                return found
        if kind < 0.45 and not uniform and not scope.helper:
            return self._id_condition(scope)
        if kind < 0.6:
            type_ = Type(rng.choice([b for b in self.bases if b in INTEGERS] or ["uint"]))
            return Expr(CONDITION, f"(({{0}} & {1 << rng.randrange(4)}) != 0)",
                        self.expression(type_, scope, depth - 1, uniform))
        if kind < 0.65 and self.widths:
            type_ = Type(rng.choice(self.bases), rng.choice(self.widths))
            return Expr(CONDITION, f"{rng.choice(('any', 'all'))}({{0}} {rng.choice('<>')} {{1}})",
                        self.expression(type_, scope, 1, uniform), self.expression(type_, scope, 0, uniform))
        type_ = Type(rng.choice(self.bases))
        if type_.real and rng.random() < 0.25:
            return Expr(CONDITION, f"({rng.choice(('isnan', 'isinf', 'isfinite', 'isnormal'))}({{0}}) != 0)",
                        self.expression(type_, scope, depth - 1, uniform))
        return Expr(CONDITION, f"({{0}} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {{1}})",
                    self.expression(type_, scope, depth - 1, uniform),
                    self.expression(type_, scope, depth - 1, uniform))

    def _id_condition(self, scope):
        """A predicate for few, half, all but one, or bands of work-items; in loops it varies by iteration."""
        rng = self.rng
        id_ = rng.choice(("gid", "lid") if self.groups_visible else ("gid",))
        counters = [v.name for v in scope.variables if v.name[0] == "i"]
        if counters and rng.random() < 0.6:
            counter = f"(uint){rng.choice(counters)}"
            period = rng.choice((2, 3, 5, 7))
            return Expr(CONDITION, rng.choice((
                f"(({id_} + {counter}) % {period} == {rng.randrange(2)})", f"({counter} > {id_} % {period})",
                f"({counter} == {id_} % {period})", f"(({id_} ^ {counter}) & {rng.choice((1, 2, 4))}u)")))
        return Expr(CONDITION, rng.choice((
            f"({id_} % {rng.choice((2, 3, 5, 7))} == {rng.randrange(2)})", f"({id_} < {rng.randrange(1, 40)})",
            f"({id_} == {rng.randrange(20)})", f"({id_} != {rng.randrange(20)})",
            f"(({id_} & {rng.choice((1, 2, 4, 8, 16, 6))}) != 0)", f"({id_} > {rng.randrange(1, 70)})")))

    def call(self, type_, scope, depth, uniform):
        helper = self.rng.choice(self.helpers)
        arguments = [self.expression(t, scope, min(1, depth - 1), uniform) for t in helper.parameters]
        places = ", ".join(f"{{{i}}}" for i in range(len(arguments)))
        names = ", ".join([places] + helper.passed) if places else ", ".join(helper.passed)
        return self.convert(Expr(helper.type, f"{helper.name}({names})", *arguments), type_)
