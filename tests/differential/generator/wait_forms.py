# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a work-item reads and writes a word that others wait for, the loops it may wait in, and locks."""
from .tree import Function, Stmt

NOT = {"==": "!=", "!=": "==", ">=": "<", ">": "<="}


class Atomics:
    """Atomic loads and stores that acquire and release."""

    def __init__(self, rng, space, fence):
        self.space = space
        self.scope = rng.choice(("memory_scope_work_group", "memory_scope_work_group", "memory_scope_device"))
        self.is_plain = rng.random() < 0.2

    def cast(self, word, type_="atomic_uint"):
        return f"(volatile {self.space} {type_}*){word}"

    def load(self, word):
        if self.is_plain:
            return f"atomic_load({self.cast(word)})"
        return f"atomic_load_explicit({self.cast(word)}, memory_order_acquire, {self.scope})"

    def after_load(self):
        return []

    def store(self, word, value):
        if self.is_plain:
            return [f"atomic_store({self.cast(word)}, {value});"]
        return [f"atomic_store_explicit({self.cast(word)}, {value}, memory_order_release, {self.scope});"]

    def increment(self, word):
        return [f"atomic_fetch_add_explicit({self.cast(word)}, 1u, memory_order_acq_rel, {self.scope});"]


class Fences(Atomics):
    """Relaxed ones beside fences."""

    def __init__(self, rng, space, fence):
        super().__init__(rng, space, fence)
        self.fence = fence

    def load(self, word):
        return f"atomic_load_explicit({self.cast(word)}, memory_order_relaxed, {self.scope})"

    def _fence(self, order):
        return f"atomic_work_item_fence({self.fence}, memory_order_{order}, {self.scope});"

    def after_load(self):
        return [self._fence("acquire")]

    def store(self, word, value):
        return [self._fence("release"),
                f"atomic_store_explicit({self.cast(word)}, {value}, memory_order_relaxed, {self.scope});"]

    def increment(self, word):
        return [self._fence("release"),
                f"atomic_fetch_add_explicit({self.cast(word)}, 1u, memory_order_relaxed, {self.scope});"]


class Volatile(Atomics):
    """What OpenCL C 1.x has: volatile words beside fences."""

    def __init__(self, rng, space, fence):
        super().__init__(rng, space, fence)
        self.fence = fence

    def load(self, word):
        return f"*{self.cast(word, 'uint')}"

    def after_load(self):
        return [f"mem_fence({self.fence});"]

    def store(self, word, value):
        return [f"mem_fence({self.fence});", f"*{self.cast(word, 'uint')} = {value};"]

    def increment(self, word):
        return [f"mem_fence({self.fence});", f"atomic_inc({self.cast(word, 'uint')});"]


class Updates(Volatile):
    """Updates that change nothing, in place of loads."""

    def __init__(self, rng, space, fence):
        super().__init__(rng, space, fence)
        self.form = rng.choice(("atomic_add({0}, 0u)", "atomic_or({0}, 0u)", "atomic_max({0}, 0u)",
                                "atomic_cmpxchg({0}, ~0u, ~0u)"))

    def load(self, word):
        return self.form.format(self.cast(word, "uint"))

    def store(self, word, value):
        return [f"mem_fence({self.fence});", f"atomic_xchg({self.cast(word, 'uint')}, {value});"]


ACCESSES = (Atomics, Atomics, Atomics, Fences, Volatile, Volatile, Updates)


def loop(gen, load, operator, value):
    """Lines of a loop that ends when what is loaded compares so with the value."""
    rng = gen.rng
    go, stay = f"{load} {operator} {value}", f"{load} {NOT[operator]} {value}"
    seen, label = gen.name("seen"), gen.name("W")
    return rng.choice((
        [f"while ({stay});"], [f"while ({stay});"],
        ["for (;;) {{", f"  if ({go}) break;", "}}"],
        [f"uint {seen};", f"do {{{{ {seen} = {load}; }}}} while ({seen} {NOT[operator]} {value});"],
        [f"int {seen} = 0;", f"while (!{seen}) {{{{", f"  if ({go}) {seen} = 1;", "}}"],
        [f"{label}:", f"if ({stay}) goto {label};"],
        # A pause between two looks, a count of them, and some looks before each pause.
        [f"volatile uint {seen} = 0;", f"while ({stay})", f"  for (int i = 0; i < 3; ++i) {seen} += i;"],
        [f"ulong {seen} = 0;", f"while ({stay}) ++{seen};"],
        [f"for (int {seen} = 1; {seen};)", "  for (int i = 0; i < 5; ++i)", f"    if ({go}) {{{{ {seen} = 0; break; }}}}"]))


# Each gives the lines that take the lock and those that give it back. The second word is for those that need one.

def _simple(take, give):
    def lock(gen, access, word):
        return [take.format(access.cast(word, "uint")), *access.after_load()], \
            [f"mem_fence({_fence(access)});", give.format(access.cast(word, "uint"))]
    return lock


def _fence(access):
    return f"CLK_{access.space.upper()}_MEM_FENCE"


def _acquired(access):
    return [f"atomic_work_item_fence({_fence(access)}, memory_order_acquire, {access.scope});"]


def _released(access):
    return [f"atomic_work_item_fence({_fence(access)}, memory_order_release, {access.scope});"]


def lock_tested_first(gen, access, word):
    p = access.cast(word, "uint")
    return ["for (;;) {{", f"  while (*{p} != 0);", f"  if (atomic_xchg({p}, 1u) == 0) break;", "}}",
            *_acquired(access)], [*_released(access), f"atomic_xchg({p}, 0u);"]


def lock_weak(gen, access, word):
    none, p = gen.name("none"), access.cast(word)
    return [f"uint {none} = 0;",
            f"while (!atomic_compare_exchange_weak_explicit({p}, &{none}, 1u, memory_order_acquire, memory_order_relaxed, "
            f"{access.scope})) {none} = 0;"], \
        [f"atomic_store_explicit({p}, 0u, memory_order_release, {access.scope});"]


def lock_flag(gen, access, word):
    p = access.cast(word, "atomic_flag")
    return [f"while (atomic_flag_test_and_set_explicit({p}, memory_order_acquire, {access.scope}));"], \
        [f"atomic_flag_clear_explicit({p}, memory_order_release, {access.scope});"]


def lock_ticket(gen, access, word):
    """First come, first served."""
    ticket = gen.name("ticket")
    take = f"const uint {ticket} = atomic_inc({access.cast(word, 'uint')});"
    serving = f"({word} + 1)"
    p = access.cast(serving)
    return [take, *loop(gen, f"atomic_load_explicit({p}, memory_order_acquire, {access.scope})", "==", ticket)], \
        [f"atomic_fetch_add_explicit({p}, 1u, memory_order_release, {access.scope});"]


def lock_bit(gen, access, word):
    """One bit of a word, by an exchange that expects the rest of it."""
    old, p = gen.name("old"), access.cast(word)
    return ["for (;;) {{", f"  uint {old} = atomic_load_explicit({p}, memory_order_relaxed, {access.scope}) & ~1u;",
            f"  if (atomic_compare_exchange_weak_explicit({p}, &{old}, {old} | 1u, memory_order_acquire, "
            f"memory_order_relaxed, {access.scope})) break;", "}}"], \
        [f"atomic_fetch_and_explicit({p}, ~1u, memory_order_release, {access.scope});"]


def lock_emulated(gen, access, word):
    """An update that a function makes of exchanges."""
    name, space = gen.name(f"set_{gen.tree.name}_"), access.space
    attribute = gen.rng.choice(("", "", "__attribute__((noinline)) "))
    gen.tree.functions.append(Function(f"{attribute}uint {name}({space} uint* p, uint bits)", [Stmt(
        ["uint old = *p, seen;", "while ((seen = atomic_cmpxchg(p, old, old | bits)) != old) old = seen;", "return old;"],
        fixed=True)]))
    return [f"while ({name}({word}, 4u) & 4u);", *_acquired(access)], \
        [*_released(access), f"atomic_and({access.cast(word, 'uint')}, ~4u);"]


def lock_exchanged(gen, access, word):
    """An exchange that also succeeds where the lock is taken."""
    old, p = gen.name("old"), access.cast(word)
    return ["for (;;) {{", f"  uint {old} = atomic_load_explicit({p}, memory_order_relaxed, {access.scope});",
            f"  const uint was_{old} = {old};",
            f"  if (atomic_compare_exchange_strong_explicit({p}, &{old}, 1u, memory_order_acquire, "
            f"memory_order_relaxed, {access.scope}) && was_{old} == 0) break;", "}}"], \
        [f"atomic_store_explicit({p}, 0u, memory_order_release, {access.scope});"]


def lock_read_before(gen, access, word):
    old, p = gen.name("old"), access.cast(word, "uint")
    return [f"uint {old};", f"do {old} = *{p}; while ({old} != 0 || atomic_cmpxchg({p}, {old}, 1u) != {old});",
            *_acquired(access)], [*_released(access), f"atomic_xchg({p}, 0u);"]


def lock_counted(gen, access, word):
    """Who comes too early takes his count back."""
    p = access.cast(word, "uint")
    return [f"while (atomic_inc({p}) != 0) atomic_dec({p});", *_acquired(access)], \
        [*_released(access), f"atomic_dec({p});"]


def lock_inside(gen, access, word):
    """Who has the lock does the work in the same loop."""
    done, p = gen.name("done"), access.cast(word, "uint")
    return [f"int {done} = 0;", f"while (!{done}) {{{{", f"  if (atomic_xchg({p}, 1u) == 0) {{{{", *_acquired(access)], \
        [*_released(access), f"    atomic_xchg({p}, 0u);", f"    {done} = 1;", "  }}", "}}"]


LOCKS = (_simple("while (atomic_xchg({0}, 1u) != 0);", "atomic_xchg({0}, 0u);"),
         _simple("while (atomic_cmpxchg({0}, 0u, 1u) != 0);", "atomic_xchg({0}, 0u);"),
         _simple("while (atomic_or({0}, 4u) & 4u);", "atomic_and({0}, ~4u);"),
         _simple("while (atomic_max({0}, 1u) != 0);", "atomic_min({0}, 0u);"),
         lock_tested_first, lock_weak, lock_flag, lock_ticket, lock_bit, lock_emulated, lock_exchanged,
         lock_read_before, lock_counted, lock_inside)
