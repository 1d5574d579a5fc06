# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointers and flags as variables: which buffer, array or slot they name is each work-item's own
choice, and they live as long as the block does, over loops and barriers."""
from .memory import InBuffer, PrivateArray
from .own_memory import OwnBuffer, canonical
from .shared_memory import Shared
from .tree import CONDITION, Expr, Stmt


class Pointer:
    """`reach` elements, a power of two, may be read from it; `targets` are the memories it may point into."""
    compared = False

    def __init__(self, name, type_, targets, reach):
        self.name, self.type, self.targets, self.reach = name, type_, targets, reach

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return not uniform and all(t.readable(scope, False) for t in self.targets)

    def element(self, gen, scope):
        if self.reach == 1 or gen.rng.random() < 0.3:
            return Expr(self.type, f"(*{self.name})")
        return Expr(self.type, f"{self.name}[{{0}}]", gen.index(scope, self.reach, False))

    def read(self, gen, scope, uniform, type_):
        return self.element(gen, scope)


class WritablePointer(Pointer):
    def write(self, gen, scope):
        return Stmt(["{0} = {1};"], [Expr(None, "{0}", self.element(gen, scope)),
                                     canonical(gen.expression(self.type, scope))])


class PointerTable(WritablePointer):
    """Pointers to variables, in an array."""

    def element(self, gen, scope):
        return Expr(self.type, f"(*{self.name}[{{0}}])", gen.index(scope, self.reach, False))


class Pointers:
    """The part of the generator for pointers."""

    def pointer_variable(self, scope):
        kinds = [self._to_input, self._to_own, self._to_array, self._to_any, self._to_variables]
        self.rng.shuffle(kinds)
        for kind in kinds:
            made = kind(scope)
            if made:
                return made
        return None

    def _two(self, memories):
        """Two of one type, sometimes the same."""
        if not memories:
            return None
        first = self.rng.choice(memories)
        return first, self.rng.choice([m for m in memories if m.type == first.type])

    def _declared(self, scope, pointer, qualified, texts, operands):
        """`texts` are the two lvalues, with {1} and {2} for `operands`."""
        condition = self.condition(scope)
        pointer.declared = qualified
        scope.memories.append(pointer)
        return Stmt([f"{qualified}* {pointer.name} = {{0}} ? {texts[0]} : {texts[1]};"], [condition, *operands])

    def _to_input(self, scope):
        two = self._two([m for m in scope.memories if type(m) is InBuffer and m.space == "global"])
        if not two or scope.helper:
            return None
        reach = min(m.count for m in two) // 2
        operands = [self.index(scope, reach, False) for _ in two]
        pointer = Pointer(self.name("p"), two[0].type, two, reach)
        return self._declared(scope, pointer, f"global const {pointer.type}",
                              [f"{m.name} + {{{i + 1}}}" for i, m in enumerate(two)], operands)

    def _to_own(self, scope):
        two = self._two([m for m in scope.memories if isinstance(m, OwnBuffer)])
        if not two or scope.helper:
            return None
        operands = [Expr(None, m.place, self.index(scope, m.slots, False)) for m in two]
        pointer = WritablePointer(self.name("p"), two[0].type, two, 1)
        return self._declared(scope, pointer, f"global {pointer.type}",
                              [f"{m.name} + {{{i + 1}}}" for i, m in enumerate(two)], operands)

    def _to_array(self, scope):
        two = self._two([m for m in scope.memories if isinstance(m, PrivateArray) and m.rows == 1])
        if not two:
            return None
        reach = min(m.count for m in two) // 2
        operands = [self.index(scope, reach, False) for _ in two]
        pointer = WritablePointer(self.name("p"), two[0].type, two, reach)
        return self._declared(scope, pointer, f"{two[0].qualifier}{pointer.type}",
                              [f"{m.name} + {{{i + 1}}}" for i, m in enumerate(two)], operands) \
            if two[0].qualifier == two[1].qualifier else None

    def _to_variables(self, scope):
        usable = [v for v in scope.variables if v.writable and not v.uniform and v.name[0] != "w"]
        if not usable:
            return None
        count, first = self.rng.choice((2, 4)), self.rng.choice(usable)
        names = [self.rng.choice([v.name for v in usable if v.type == first.type]) for _ in range(count)]
        pointer = PointerTable(self.name("p"), first.type, (), count)
        pointer.declared = "table"
        scope.memories.append(pointer)
        places = ", ".join(f"&{name}" for name in names)
        return Stmt([f"{first.type}* {pointer.name}[{count}] = {{{{{places}}}}};"])

    def _to_any(self, scope):
        """Generic: private here, local or global there."""
        usable = [m for m in scope.memories if isinstance(m, PrivateArray) and m.rows == 1 or type(m) is Shared
                  or type(m) is InBuffer and m.space == "global"]
        two = self._two([m for m in usable if m.readable(scope, False)])
        if not two or two[0] is two[1] or not self.features.cl3 or scope.helper:
            return None
        reach = min(m.count for m in two) // 2
        operands = [self.index(scope, reach, False) for _ in two]
        pointer = Pointer(self.name("p"), two[0].type, two, reach)
        qualified = f"const volatile {pointer.type}" if any(getattr(m, "qualifier", "") for m in two) \
            else f"const {pointer.type}"
        return self._declared(scope, pointer, qualified,
                              [f"({qualified}*)({m.name} + {{{i + 1}}})" for i, m in enumerate(two)], operands)

    def move_pointer(self, scope):
        """The value of another pointer whose target has the same lifetime and the same rules for reading."""
        pointers = [m for m in scope.memories if isinstance(m, Pointer)]
        same = [(a, b) for a in pointers for b in pointers
                if a is not b and a.declared == b.declared != "table" and a.type == b.type and a.reach == b.reach
                and all(t in a.targets or isinstance(t, (InBuffer, OwnBuffer)) for t in b.targets)]
        if not same:
            return None
        first, second = self.rng.choice(same)
        return Stmt([f"if ({{0}}) {first.name} = {second.name};"], [self.condition(scope)])

    def flag(self, scope):
        uniform = scope.uniform and not scope.helper and self.rng.random() < 0.3
        changeable = [name for name, uniform_too in scope.flags if not uniform_too or uniform]
        if changeable and self.rng.random() < 0.5:
            name, op = self.rng.choice(changeable), self.rng.choice(("=", "&=", "|=", "^="))
            value = self.condition(scope, uniform=(name, True) in scope.flags)
            return Stmt([f"{name} {op} (bool)({{0}});"], [value])
        name = self.name("b")
        value = self.condition(scope, uniform=uniform)
        scope.flags.append((name, uniform))
        return Stmt([f"bool {name} = {{0}};"], [value])

    def flag_condition(self, scope, uniform):
        usable = [name for name, uniform_too in scope.flags if uniform_too or not uniform]
        return Expr(CONDITION, self.rng.choice(usable)) if usable else None

    def mark(self, scope):
        """All active work-items write the same value, to an address that may be the same for all."""
        cells = self.rng.choice(self.cells)
        place = self.index(scope, cells.MARKS, self.rng.random() < 0.5)
        return Stmt([f"atomic_store_explicit((volatile global atomic_{cells.type}*)&{cells.name}"
                     f"[{cells.first_mark} + {{0}}], 77, memory_order_relaxed, memory_scope_device);"], [place])
