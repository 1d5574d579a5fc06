# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sub-groups of a group that wait for each other without a barrier. All of it ends where sub-groups make independent
forward progress (cl_khr_subgroups), and no work-item waits for another one of its own sub-group. What comes out does
not depend on the sub-groups' size, or the kernel checks it itself (sub_groups.py)."""
from math import prod

from . import wait_forms
from .scope import Var
from .tree import Expr, Function, Stmt
from .types import UINT

_MOST_SITES = 4
_IDS = "  const uint n = get_num_sub_groups(), sg = get_sub_group_id(), lane = get_sub_group_local_id();"


class _Site:
    """One place: its words of local or global memory, and how it accesses them."""

    def __init__(self, gen, scope):
        rng = gen.rng
        self.gen = gen
        self.space = rng.choice(("local", "local", "global"))
        self.fence = f"CLK_{self.space.upper()}_MEM_FENCE"
        self.access = rng.choice(wait_forms.ACCESSES)(rng, self.space, self.fence)
        # A place that is passed at most once needs no barriers around it.
        self.is_alone = scope.cost == 1 and rng.random() < 0.6
        self.first = []

    def words(self, count=1, start=0):
        """The name of an array of words, each of which holds `start` at the beginning."""
        gen, name = self.gen, self.gen.name("wait")
        if self.space == "local":
            gen.wait_memory.lines.append(f"local uint {name}[{count}];")
        else:
            gen.wait_memory.lines.append(f"global uint* {name} = all_waits + group * wait_words + {gen.wait_words};")
            gen.wait_words += count
        if count == 1:
            fill = f"if (lid == 0) {name}[0] = {start};"
        else:
            fill = f"for (uint i = lid; i < {count}; i += items) {name}[i] = {start};"
        (gen.wait_starts.lines if self.is_alone else self.first).append(fill)
        return name

    def begin(self):
        barrier = f"barrier({self.fence});"
        return ["{{", _IDS] + ([] if self.is_alone else ["  " + line for line in (barrier, *self.first, barrier)])

    def all_done(self):
        """Every sub-group has come here."""
        if self.gen.collectives and self.gen.rng.random() < 0.3:
            name = self.gen.name("all")
            return [f"  const int {name} = work_group_all(lid < items);", f"  barrier({self.fence});",
                    f"  if (!{name}) check[gid] = 77u;"]
        return [f"  barrier({self.fence});"]

    def end(self):
        return (["}}"] if self.is_alone else [f"  barrier({self.fence});", "}}"])

    def sync(self):
        return f"sub_group_barrier({self.fence});"

    def wait(self, word, operator, value):
        """Lines after which the word has compared so; one work-item of the sub-group waits, or all do."""
        gen, rng = self.gen, self.gen.rng
        lines = self.loop(word, operator, value)
        who = rng.choice(("lane == 0", "lane == 0", "lane == get_sub_group_size() - 1", None))
        if who:
            lines = [f"if ({who}) {{{{", *["  " + line for line in lines], "}}"]
        elif rng.random() < 0.3:
            stay = f"{self.access.load(word)} {wait_forms.NOT[operator]} {value}"
            lines = [f"while (sub_group_any({stay}));", *self.access.after_load()]
        return lines + [self.sync()]

    def loop(self, word, operator, value):
        """The lines of a loop that one work-item, or each, waits in."""
        gen, rng = self.gen, self.gen.rng
        if rng.random() < 0.25:  # in a function
            name = gen.name(f"wait_{gen.tree.name}_")
            attribute = rng.choice(("", "", "__attribute__((noinline)) "))
            body = wait_forms.loop(gen, self.access.load("p"), operator, "value") + self.access.after_load()
            gen.tree.functions.append(Function(
                f"{attribute}void {name}(volatile {self.space} uint* p, uint value)", [Stmt(body, fixed=True)]))
            return [f"{name}({word}, {value});"]
        return wait_forms.loop(gen, self.access.load(word), operator, value) + self.access.after_load()

    def post(self, word, value):
        """Lines in which one work-item of the sub-group lets others go on."""
        return ["if (lane == 0) {{", *["  " + line for line in self.access.store(word, value)], "}}"]

    def count(self, word):
        return ["if (lane == 0) {{", *["  " + line for line in self.access.increment(word)], "}}"]


class Waits:
    """The part of the generator for such places."""

    def prepare_waits(self, prologue):
        """Memory for the places to come, in front of the kernel's first barrier."""
        self.wait_sites = self.wait_words = 0
        self.wait_memory, self.wait_starts = Stmt([], fixed=True), Stmt([], fixed=True)
        prologue += [self.wait_memory, self.wait_starts]

    def finish_waits(self):
        if self.wait_words:
            self._parameter("global uint* all_waits", f"scratch uint {prod(self.launch.groups) * self.wait_words} zero")
            self.wait_memory.lines.insert(0, f"const uint wait_words = {self.wait_words};")

    def wait(self, scope):
        if self.wait_sites >= _MOST_SITES:
            return None
        self.wait_sites += 1
        inner = scope.inner(barriers=False, may_return=False, loop=False, breakable=False)
        kind = self.rng.choice((self._turns, self._turns, self._told_one, self._tree_of_flags, self._line_of_flags,
                                self._lock, self._lock, self._ring, self._meeting))
        return kind(scope, inner, _Site(self, scope))

    def _inside(self, inner, times=1):
        """A block between waiting and letting others go on, or none."""
        if self.rng.random() < 0.5:
            return []
        return [self.block(inner.inner(cost=inner.cost * times), self.rng.randrange(1, 4))]

    def _change(self, scope, text):
        """A line that changes a variable by a number, and its operand {1}."""
        var = self.target(scope, uniform=False)
        return f"  {var.name} {'^=' if var.type.integer else '+='} {{1}};", self.convert(Expr(UINT, text), var.type)

    def _own(self, inner):
        return self.expression(UINT, inner, 2)

    def _turns(self, scope, inner, site):
        """One sub-group after the other, in an order that each knows."""
        rng = self.rng
        rounds = rng.choice((1, 1, 2, 3))
        place = rng.choice(("sg", "n - 1 - sg", "n - 1 - sg", "(sg + r + 1) % n", "(sg ^ 1) < n ? sg ^ 1 : sg"))
        turn, state, total = site.words(), site.words(1, 5), site.words()
        change, result = self._change(scope, f"{total}[0]")
        blocks = self._inside(inner, rounds)
        lines = site.begin() + [
            "  const uint whole = sub_group_reduce_add({0});",
            f"  for (uint r = 0; r < {rounds}; ++r) {{{{", f"    const uint mine = r * n + ({place});",
            *["    " + line for line in site.wait(f"{turn}", "==", "mine")],
            *(["@0"] if blocks else []),
            f"    const uint before = {state}[0];", "    uint e = 5;",
            "    for (uint t = 0; t < mine; ++t) e = e * 3 + t;",
            f"    if (before != e) check[gid] = {rng.randrange(1, 1 << 16)}u;", f"    {site.sync()}",
            f"    if (lane == 0) {{{{ {state}[0] = before * 3 + mine; {total}[0] += whole * (r + 1); }}}}",
            *["    " + line for line in site.post(turn, "mine + 1")]]
        if self.collectives and rng.random() < 0.4:
            name, op = rng.choice((("reduce", "max"), ("scan_inclusive", "add"), ("scan_exclusive", "add")))
            lines.append(f"    h = fold_uint(h, work_group_{name}_{op}(lid + r));")
        elif rng.random() < 0.2:
            lines.append(f"    barrier({site.fence});")
        lines += ["  }}", *site.all_done(), change, *site.end()]
        return Stmt(lines, [self._own(inner), result], blocks)

    def _told_one(self, scope, inner, site):
        """One sub-group writes a value, and the others wait for it."""
        who = f"lid == {self.rng.choice((0, self.rng.randrange(300), 255))} % items"
        flag, told = site.words(), site.words()
        change, result = self._change(scope, f"{told}[0]")
        blocks = self._inside(inner)
        wait = site.wait(flag, self.rng.choice(("==", ">=")), "1u")
        if self.rng.random() < 0.3:  # the one that has written does not wait
            wait = ["if (!mine) {{", *["  " + line for line in wait], "}}"]
        lines = site.begin() + [
            f"  const int mine = sub_group_any({who});", f"  if ({who}) {told}[0] = {{0}};", f"  {site.sync()}",
            "  if (mine) {{", *["    " + line for line in site.post(flag, "1u")], "  }}",
            *(["@0"] if blocks else []), *["  " + line for line in wait], change, *site.end()]
        return Stmt(lines, [self._own(inner), result], blocks)

    def _line_of_flags(self, scope, inner, site):
        """Each sub-group continues what its neighbor has left, from one end to the other."""
        count = max(2, self.launch.group_items)
        up = self.rng.random() < 0.4
        flags, sums = site.words(count), site.words(count)
        first, before, last = ("sg == 0", "sg - 1", "n - 1") if up else ("sg == n - 1", "sg + 1", "0")
        change, result = self._change(scope, f"{sums}[{last}]")
        blocks = self._inside(inner)
        lines = site.begin() + [
            "  uint sum = sub_group_reduce_add({0});", f"  if (!({first})) {{{{",
            *["    " + line for line in site.wait(f"({flags} + {before})", "!=", "0u")],
            f"    sum += {sums}[{before}];", "  }}", *(["@0"] if blocks else []),
            f"  if (lane == 0) {sums}[sg] = sum;", *["  " + line for line in site.post(f"({flags} + sg)", "1u")],
            *site.all_done(), change, *site.end()]
        return Stmt(lines, [self._own(inner), result], blocks)

    def _tree_of_flags(self, scope, inner, site):
        """Each sub-group waits for two others, or for all with higher ids, and adds what they have."""
        count = max(2, self.launch.group_items)
        flags, sums = site.words(count), site.words(count)
        change, result = self._change(scope, f"{sums}[0]")
        wait = ["    " + line for line in site.loop(f"({flags} + child)", "!=", "0u")]
        children = "uint child = 2 * sg + 1; child < n && child < 2 * sg + 3; ++child"
        if self.rng.random() < 0.3:
            children = "uint child = n - 1; sg == 0 && child > 0; --child"
        lines = site.begin() + [
            "  uint sum = sub_group_reduce_add({0});", "  if (lane == 0) {{", f"    for ({children}) {{{{",
            *["  " + line for line in wait], f"      sum += {sums}[child];", "    }}", f"    {sums}[sg] = sum;",
            "  }}", *["  " + line for line in site.post(f"({flags} + sg)", "1u")],
            *site.all_done(), change, *site.end()]
        return Stmt(lines, [self._own(inner), result])

    def _lock(self, scope, inner, site):
        """Updates whose order makes no difference, behind a lock."""
        rng = self.rng
        lock, arrived, total = site.words(2), site.words(), site.words()
        change, result = self._change(scope, f"{total}[0]")
        form = rng.choice(wait_forms.LOCKS)
        take, give = form(self, site.access, lock)
        # Others come to the lock while this one has it.
        held = site.loop(arrived, ">=", "n") if rng.random() < 0.7 else []
        blocks = self._inside(inner)
        lines = [*site.begin(), "  const uint whole = sub_group_reduce_add({0});",
                 *["  " + line for line in site.count(arrived)],
                 "  if (lane == 0) {{", *["    " + line for line in take + held]]
        if form is wait_forms.lock_inside or rng.random() < 0.4:
            lines += [f"    {total}[0] += whole;", *["    " + line for line in give], "  }}", *(["@0"] if blocks else [])]
        else:  # the other lanes do something meanwhile
            lines += ["  }}", f"  {site.sync()}", *(["@0"] if blocks else []),
                      f"  if (lane == get_sub_group_size() - 1) {total}[0] += whole;", f"  {site.sync()}",
                      "  if (lane == 0) {{", *["    " + line for line in give], "  }}"]
        return Stmt([*lines, *site.all_done(), change, *site.end()], [self._own(inner), result], blocks)

    def _ring(self, scope, inner, site):
        """One sub-group fills a ring, another one empties it; a single one does both."""
        rng = self.rng
        size, steps = rng.choice((1, 2, 4, 8)), rng.choice((3, 10, 25))
        # The numbers of values that were written, and that there has been room for.
        written, room, ring, out = site.words(), site.words(1, size), site.words(size), site.words()
        from_, to = rng.choice((("0", "n - 1"), ("n - 1", "0"), ("1", "0"), ("n / 2", "(n / 2 + 1) % n")))
        change, result = self._change(scope, f"{out}[0]")
        place, value = f"{ring}[i % {size}]", "start + i * 7u"
        loop = f"for (uint i = 1; i < {steps + 1}; ++i)"
        if rng.random() < 0.5:  # all lanes go through the loops
            fill = [*site.wait(room, ">=", "i"), f"if (lane == 0) {place} = {value};", site.sync(),
                    *site.post(written, "i")]
            drain = [*site.wait(written, ">=", "i"), f"sum = sum * 31 + {place};", site.sync(),
                     *site.post(room, f"i + {size}")]
            head = loop
        else:
            fill = [*site.loop(room, ">=", "i"), f"{place} = {value};", *site.access.store(written, "i")]
            drain = [*site.loop(written, ">=", "i"), f"sum = sum * 31 + {place};",
                     *site.access.store(room, f"i + {size}")]
            head = f"if (lane == 0) {loop}"
        lines = site.begin() + [
            "  const uint start = {0};", "  uint sum = 1;", "  if (n == 1) {{",
            f"    {loop} sum = sum * 31 + ({value});", f"    if (lane == 0) {out}[0] = sum;",
            f"  }}}} else if (sg == {from_}) {{{{", f"    {head} {{{{", *["      " + line for line in fill], "    }}",
            f"  }}}} else if (sg == {to}) {{{{", f"    {head} {{{{", *["      " + line for line in drain], "    }}",
            f"    if (lane == 0) {out}[0] = sum;", "  }}", *site.all_done(), change, *site.end()]
        return Stmt(lines, [self.expression(UINT, inner, 2, True), result])

    def _meeting(self, scope, inner, site):
        """A barrier made by hand: all sub-groups arrive, and then read what others have written before."""
        rng = self.rng
        count = max(2, self.launch.group_items)
        rounds = rng.choice((1, 1, 2, 4))
        arrived, values = site.words(), site.words(2 * count)
        var = self.target(scope, uniform=False)
        step = rng.randrange(1, 80)
        other = rng.choice((f"(lid + {step}) % items", "items - 1 - lid", f"{step} % items"))
        result = self.convert(Expr(UINT, f"{values}[(r & 1) * {count} + {other}]"), var.type)
        own = inner.inner()
        own.variables.append(Var("r", UINT, True, writable=False))
        blocks = self._inside(inner, rounds)
        lines = site.begin() + [
            f"  for (uint r = 0; r < {rounds}; ++r) {{{{", f"    {values}[(r & 1) * {count} + lid] = {{0}};",
            f"    {site.sync()}", *["    " + line for line in site.count(arrived)],
            *["    " + line for line in site.wait(arrived, rng.choice(("==", ">=")) if rounds == 1 else ">=", "(r + 1) * n")],
            *(["@0"] if blocks else []), f"    {var.name} {'^=' if var.type.integer else '+='} {{1}};", "  }}", *site.end()]
        return Stmt(lines, [self._own(own), result], blocks)
