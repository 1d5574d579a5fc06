# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that work-items enqueue on the default device queue. Each place that enqueues has a result
buffer of its own, in which a child writes only the slots of the work-item that enqueued it, so that
the order in which children run cannot be seen unless an event makes it certain."""
from .literals import literal
from .memory import InBuffer, Table
from .scope import Scope, Var
from .tree import Stmt
from .types import UINT, ULONG, Type

_FLAGS = ("CLK_ENQUEUE_FLAGS_NO_WAIT", "CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP")
_RANGES = {1: ("ndrange_1D(1)", "ndrange_1D(1, 1)"), 3: ("ndrange_1D(3)", "ndrange_1D(3, 3)"),
           4: ("ndrange_1D(4)", "ndrange_1D(4, 2)"), 7: ("ndrange_1D(7)", "ndrange_1D(5, 7, 1)"),
           8: ("ndrange_1D(8, 8)", "ndrange_1D(16, 8, 4)"), 20: ("ndrange_1D(20)", "ndrange_1D(20, 10)")}
_MOST_VARIABLES = 8  # captured ones that a block uses


class Blocks:
    """The part of the generator for enqueue_kernel."""

    def enqueue(self, scope):
        """A child, or a second one that waits for it and reads what it has written, or a child's child."""
        if scope.helper or scope.cost != 1 or self.sites >= 2:
            return None
        self.sites += 1
        rng = self.rng
        size = rng.choice(sorted(_RANGES))
        name = f"children{self.sites}"
        self._parameter(f"global ulong* {name}", f"out ulong {self.items * size} zero")
        kind = rng.choice(("plain", "plain", "event", "local", "nested"))
        range_ = rng.choice(_RANGES[size])
        place = f"{name}[gid * {size} + child]"
        first, exprs, blocks = self._block(scope, place, kind)
        flags = rng.choice(_FLAGS)
        lines = ["{{"]
        if kind == "event":
            again = f"again{self.sites}"
            self._parameter(f"global ulong* {again}", f"out ulong {self.items * size} zero")
            other = f"{name}[gid * {size} + (child + 1) % {size}]"
            lines += [
                "  clk_event_t first;",
                f"  h = fold_int(h, enqueue_kernel(get_default_queue(), {flags}, {range_}, 0, 0, &first, ^{{{{",
                *first, "  }}));",
                f"  h = fold_int(h, enqueue_kernel(get_default_queue(), {rng.choice(_FLAGS)}, {range_}, 1, &first, 0, ^{{{{",
                "    const uint child = (uint)(get_global_id(0) - get_global_offset(0));",
                f"    {again}[gid * {size} + child] = fold_ulong({other}, gid);", "  }}));",
                "  release_event(first);"]
        elif kind == "local":
            lines += [f"  h = fold_int(h, enqueue_kernel(get_default_queue(), {flags}, {range_}, ^(local void* shared) {{{{",
                      *first, f"  }}}}, (uint)({rng.choice((1, 2))} * sizeof(ulong) * {size})));"]
        else:
            lines += [f"  h = fold_int(h, enqueue_kernel(get_default_queue(), {flags}, {range_}, ^{{{{", *first, "  }}));"]
        return Stmt(lines + ["}}"], exprs, blocks)

    def _block(self, scope, place, kind):
        """The lines of a block that writes its digest to `place`, with their operands and inner blocks."""
        rng = self.rng
        captured = [v for v in scope.variables if v.name not in ("seq", "h") and v.name[0] != "w"]
        rng.shuffle(captured)
        inner = Scope(helper=ULONG, uniform=False, depth=scope.depth + 1, cost=8)
        inner.variables = [Var(v.name, v.type, writable=False) for v in captured[:_MOST_VARIABLES]]
        inner.variables += [Var("gid", UINT, writable=False), Var("child", UINT, writable=False)]
        inner.memories = [m for m in scope.memories if isinstance(m, (InBuffer, Table))]
        lines = ["    const uint child = (uint)(get_global_id(0) - get_global_offset(0));",
                 f"    ulong digest = child + {rng.randrange(1000)}u;"]
        exprs, own = [], []
        for _ in range(rng.randrange(1, 4)):
            type_ = rng.choice(self.types)
            name = self.name("b")
            lines.append(f"    {type_} {name} = {{{len(exprs)}}};")
            exprs.append(self.expression(type_, inner, 2))
            own.append(Var(name, type_))
            inner.variables.append(own[-1])
        if not any(v.writable for v in inner.variables):
            own.append(Var(self.name("b"), Type(self.bases[0])))
            lines.append(f"    {own[-1].type} {own[-1].name} = {literal(rng, own[-1].type)};")
        saved, self.left = self.left, rng.randrange(1, 6)
        body = self.block(inner, rng.randrange(1, 4))
        self.left = saved
        lines.append("@0")
        lines += [f"    digest = fold_{v.type}(digest, {v.name});" for v in own]
        if kind == "local":
            lines += ["    local ulong* const all = shared;", "    const uint lid = (uint)get_local_id(0);",
                      "    all[lid] = digest;", "    barrier(CLK_LOCAL_MEM_FENCE);",
                      "    digest = fold_ulong(digest, all[(lid + 1) % (uint)get_local_size(0)]);"]
        if kind == "nested":
            kept = own[-1]
            lines += [f"    const int nested = enqueue_kernel(get_default_queue(), {rng.choice(_FLAGS)}, ndrange_1D(1), ^{{{{",
                      f"      {place} = fold_{kept.type}(digest, {kept.name});", "    }});",
                      f"    if (nested != 0) {place} = (ulong)nested;"]
        else:
            lines.append(f"    {place} = digest;")
        return lines, exprs, [body]
