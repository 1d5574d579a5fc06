# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements without loops and barriers, and the choice among all kinds."""
from .literals import literal
from .memory import InBuffer, PrivateArray
from .own_memory import OwnBuffer
from .scope import Var
from .tree import Expr, Stmt
from .types import INTEGERS, UINT, Type

_COMPONENTS = {2: (("x", 1), ("y", 1), ("yx", 2)), 3: (("x", 1), ("s2", 1), ("zx", 2)),
               4: (("y", 1), ("lo", 2), ("odd", 2), ("wzyx", 4), ("s012", 3)),
               8: (("s7", 1), ("hi", 4), ("even", 4), ("s0246", 4), ("s31", 2)),
               16: (("sa", 1), ("lo", 8), ("odd", 8), ("sf0a5", 4), ("s13", 2))}


class Statements:
    """The part of the generator for statements."""

    def block(self, scope, count):
        statements = []
        for _ in range(count):
            if self.left <= 0:
                break
            self.left -= 1
            statements.append(self.statement(scope))
        return statements

    def statement(self, scope):
        kinds = [(self.assign, 10), (self.declare, 3)]
        if not scope.helper:
            kinds += [(self.store, 6)]
        for feature, kind, weight in (("vectors", self.component_store, 2), ("arrays", self.array, 3),
                                      ("pointers", self.pointer, 1), ("pointers", self.pointer_choice, 1),
                                      ("pointers", self.pointer_variable, 3), ("pointers", self.move_pointer, 2),
                                      ("flags", self.flag, 3), ("records", self.private_record, 3),
                                      ("walks", self.walk, 3), ("guards", self.guarded, 3), ("outs", self.out_pointer, 2),
                                      ("effects", self.side_effects, 2), ("volatile", self.volatile, 1),
                                      ("blocks", self.enqueue, 3)):
            if feature in self.enabled:
                kinds.append((kind, weight))
        if self.cells and not scope.helper:
            kinds.append((self.count, 2))
            if self.features.c11_atomics:
                kinds.append((self.mark, 1))
        if "own_atomics" in self.enabled and not scope.helper:
            kinds.append((self.own_atomic, 2))
        if scope.depth < 4:
            kinds += [(self.branch, 5)]
            kinds += [(kind, weight) for feature, kind, weight in (
                ("loops", self.loop, 4), ("switch", self.switch, 2), ("goto", self.goto_graph, 1))
                if feature in self.enabled and (scope.cost <= 60 or kind == self.switch)]
            if scope.barriers and self.shared:
                kinds.append((self.exchange, 6))
            if scope.barriers and self.sub_group_work:
                kinds.append((self.sub_group_function, 6))
            if scope.barriers and "waits" in self.enabled:
                kinds.append((self.wait, 5))
            if scope.barriers and self.collectives:
                kinds.append((self.collective, 5))
        if scope.breakable or scope.loop:
            kinds.append((self.leave_loop, 4))
        if scope.may_return and "return" in self.enabled:
            kinds.append((self.early_return, 1))
        kind = self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
        return kind(scope) or self.assign(scope)

    def target(self, scope, uniform=None):
        """A variable that may be written here: a uniform one only in uniform control flow."""
        usable = [v for v in scope.variables if v.writable and (not v.uniform or scope.uniform)]
        if uniform is not None:
            usable = [v for v in usable if v.uniform == uniform]
        return self.rng.choice(usable) if usable else None

    def assign(self, scope):
        var = self.target(scope)
        value = self.expression(var.type, scope, uniform=var.uniform)
        ops = ["=", "="]
        if var.type.integer:
            ops += ["^=", "|=", "&="]
            if not var.type.signed:
                ops += ["+=", "-=", "+="] + (["*="] if var.type.vector or var.type.bits >= 32 else [])
        else:
            ops += ["+=", "-="]
            if self.rng.random() < 0.4 and not var.type.vector:  # back to where numbers differ
                bound = {"float": "1e5f", "double": "1e5", "half": "(half)1e3f"}[var.type.base]
                rest = literal(self.rng, Type(var.type.base))
                return Stmt([f"{var.name} = fabs({var.name}) < {bound} ? {{0}} : {rest};"], [value])
        return Stmt([f"{var.name} {self.rng.choice(ops)} {{0}};"], [value])

    def declare(self, scope):
        type_ = self.rng.choice(self.types)
        uniform = scope.uniform and not scope.helper and self.rng.random() < 0.3
        value = self.expression(type_, scope, uniform=uniform)
        name = self.name("t")
        scope.variables.append(Var(name, type_, uniform))
        return Stmt([f"{type_} {name} = {{0}};"], [value])

    def store(self, scope):
        memories = [m for m in scope.memories if hasattr(m, "write") and not isinstance(m, PrivateArray)]
        if not memories:
            return None
        return self.rng.choice(memories).write(self, scope)

    def array(self, scope):
        arrays = [m for m in scope.memories if isinstance(m, PrivateArray)]
        if arrays and self.rng.random() < 0.75:
            return self.rng.choice(arrays).write(self, scope)
        rows = self.rng.choice((1, 1, 1, 2, 4))
        qualifier = "volatile " if "volatile" in self.enabled and self.rng.random() < 0.3 else ""
        array = PrivateArray(self.name("a"), self.rng.choice(self.types), self.rng.choice((2, 4, 8, 16)), rows,
                             qualifier)
        statement = array.declare(self, scope)
        scope.memories.append(array)
        return statement

    def component_store(self, scope):
        usable = [v for v in scope.variables if v.writable and v.type.vector and (not v.uniform or scope.uniform)]
        if not usable:
            return None
        var = self.rng.choice(usable)
        part, n = self.rng.choice(_COMPONENTS[var.type.n])
        return Stmt([f"{var.name}.{part} = {{0}};"],
                    [self.expression(var.type.of(n), scope, uniform=var.uniform)])

    def branch(self, scope):
        uniform = scope.uniform and self.rng.random() < 0.4
        condition = self.condition(scope, uniform=uniform)

        def inside():
            return self.block(scope.inside(uniform), self.rng.randrange(1, 4))
        if self.rng.random() < 0.4:
            return Stmt(["if ({0}) {{", "@0", "}} else {{", "@1", "}}"], [condition],
                        [inside(), inside()], hollow=True)
        return Stmt(["if ({0}) {{", "@0", "}}"], [condition], [inside()], hollow=True)

    def side_effects(self, scope):
        """Operands that are evaluated depending on earlier ones (short circuit)."""
        seq = next((v for v in scope.variables if v.name == "seq"), None)
        if not seq:
            return None
        rng = self.rng
        limit = literal(rng, UINT)
        condition = Expr(None, f"({{0}} {rng.choice(('&&', '||'))} bump_uint(&seq, {{1}}) > {limit} "
                               f"{rng.choice(('&&', '||'))} {{2}})",
                         self.condition(scope, 1), self.expression(UINT, scope, 1), self.condition(scope, 1))
        if rng.random() < 0.4:
            var = self.target(scope, uniform=False)
            if var and var.type.base in INTEGERS and not var.type.vector:
                return Stmt([f"{var.name} ^= ({var.type}){{0}};"], [condition])
        return Stmt(["if ({0}) {{", "@0", "}}"], [condition],
                    [self.block(scope.inside(False), rng.randrange(1, 3))], hollow=True)

    def volatile(self, scope):
        type_ = Type(self.rng.choice(self.bases))
        name = self.name("w")
        value = self.expression(type_, scope, 2)
        scope.variables.append(Var(name, type_))
        return Stmt([f"volatile {type_} {name} = {{0}};"], [value])

    def pointer(self, scope):
        """A write through a pointer to one of two variables."""
        usable = [v for v in scope.variables if v.writable and not v.uniform]
        same = [(a, b) for a in usable for b in usable if a is not b and a.type == b.type
                and "w" not in (a.name[0], b.name[0])]
        if not same:
            return None
        first, second = self.rng.choice(same)
        name = self.name("p")
        return Stmt([f"{{{{ {first.type}* {name} = {{0}} ? &{first.name} : &{second.name}; *{name} = {{1}}; }}}}"],
                    [self.condition(scope), self.expression(first.type, scope)])

    def pointer_choice(self, scope):
        """A read through a pointer into one of two buffers."""
        buffers = [m for m in scope.memories if type(m) is InBuffer and m.space == "global" and not m.type.vector]
        same = [(a, b) for a in buffers for b in buffers if a is not b and a.type == b.type]
        first, second = self.rng.choice(same) if same else (buffers[0], buffers[0]) if buffers else (None, None)
        if not first:
            return None
        count = min(first.count, second.count)
        var = self.target(scope, uniform=False)
        name = self.name("p")
        value = self.convert(Expr(first.type, f"{name}[{{0}}]", self.index(scope, count // 2, False)), var.type)
        shift = self.index(scope, count // 2, False)
        return Stmt([f"{{{{ global const {first.type}* {name} = {{0}} ? {first.name} + {{1}} : {second.name}; "
                     f"{var.name} = {{2}}; }}}}"], [self.condition(scope), shift, value])

    def count(self, scope):
        cells = self.rng.choice(self.cells)
        if cells.type.bits == 32 and self.rng.random() < 0.1:
            return cells.ticket()
        return cells.update(self, scope)

    def own_atomic(self, scope):
        own = [m for m in scope.memories if isinstance(m, OwnBuffer) and not m.type.vector
               and m.type.integer and m.type.bits >= 32]
        var = self.target(scope, uniform=False)
        if not own or not var:
            return None
        value = self.convert(self.rng.choice(own).atomic(self, scope), var.type)
        return Stmt([f"{var.name} = {{0}};"], [value])

    def leave_loop(self, scope):
        word = "continue" if scope.loop and (not scope.breakable or self.rng.random() < 0.4) else "break"
        uniform = scope.uniform and scope.barriers
        if scope.exits and not uniform and self.rng.random() < 0.5:
            word = f"goto {self.rng.choice(scope.exits)}"
        condition = self.condition(scope, uniform=uniform)
        if not uniform and not scope.helper and self.rng.random() < 0.4:
            condition = self._id_condition(scope)
        var = self.target(scope, uniform=False) if self.rng.random() < 0.4 else None
        if var:  # a value that only those have who leave here
            value = self.expression(var.type, scope, 1)
            return Stmt(["if ({0}) {{", f"  {var.name} = {{1}};", f"  {word};", "}}"], [condition, value])
        return Stmt([f"if ({{0}}) {word};"], [condition])

    def early_return(self, scope):
        condition = self.condition(scope, uniform=scope.uniform and scope.barriers)
        if scope.helper:
            return Stmt(["if ({0}) return {1};"], [condition, self.expression(scope.helper, scope, 1)])
        return Stmt(["if ({0}) {{", f"  result[gid] = h + {self.rng.randrange(1000)}u;", "  return;", "}}"],
                    [condition])
