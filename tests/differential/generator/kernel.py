# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random kernel: what it may use is drawn first, so that kernels differ in kind and not only in
detail; then its memories, helpers and statements."""
import random
from dataclasses import dataclass
from math import prod

from .blocks import Blocks
from .exchange import Exchanges
from .expressions import Expressions
from .guards import Guards
from .launches import random_launch
from .literals import literal
from .loops import Loops
from .memory import IMAGE_BASES, HalfBuffer, InBuffer, InImage, PrivateArray, Table
from .outs import Outs
from .own_memory import OwnBuffer, OwnHalves, Records
from .pointers import Pointers
from .private_records import PrivateShapes
from .scope import Scope, Var
from .shared_memory import Cells, Shared
from .statements import Statements
from .sub_groups import SubGroups
from .tree import Function, KernelTree, Stmt
from .types import INTEGERS, UINT, ULONG, Type
from .waits import Waits
from .walks import Walks

_FEATURES = ("vectors", "arrays", "pointers", "effects", "volatile", "own_atomics", "loops", "switch",
             "goto", "return", "exits", "flags", "records", "walks", "outs", "guards", "checks", "blocks",
             "images", "waits")


@dataclass(frozen=True)
class Features:
    """What all drivers that are compared have in common."""
    fp64: bool = True
    fp16: bool = False
    exact_division: bool = True
    ctz: bool = True
    cl3: bool = True
    non_uniform: bool = True
    int64_atomics: bool = True
    work_group_collectives: bool = False
    sub_groups: frozenset = frozenset()  # extensions; empty without sub-groups
    progress: bool = False  # sub-groups make independent forward progress
    images: bool = False
    math: bool = False  # library functions with an allowed error
    c11_atomics: bool = False
    device_enqueue: bool = False
    without: frozenset = frozenset()  # of _FEATURES: to look behind a fault that is known
    often: frozenset = frozenset()  # of _FEATURES: in every kernel that can have them
    only_groups: bool = False  # kernels with barriers only
    other_drivers: bool = False  # stay away from what another driver is known to do in another way


@dataclass
class Helper:
    name: str
    type: object
    parameters: list
    passed: list


def _power_of_two(n):
    return 1 << max(0, n - 1).bit_length()


class Generator(Expressions, Statements, Loops, Walks, Guards, Pointers, PrivateShapes, Outs, Exchanges,
                SubGroups, Waits, Blocks):
    def __init__(self, seed, name, features):
        self.rng = random.Random(seed)
        self.features = features
        self.tree = KernelTree(name)
        self.names = 0
        self.nesting = 0  # of indices in indices
        self.sites = 0    # that enqueue kernels
        self.helpers, self.inputs, self.cells, self.shared = [], [], [], []
        self._draw()

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def _draw(self):
        rng, features = self.rng, self.features
        pool = list(INTEGERS) + ["float"] * 3 + ["int", "uint", "ulong"]
        pool += ["double"] * 2 if features.fp64 else []
        pool += ["half"] if features.fp16 else []
        self.bases = sorted({rng.choice(pool) for _ in range(rng.randrange(2, 6))})
        self.enabled = {f for f in _FEATURES if rng.random() < 0.45}
        # Wide vectors at wide widths are slow to compile: not many of them.
        widths = rng.choices((2, 3, 4, 8, 16), (6, 5, 6, 2, 1), k=rng.randrange(1, 3))
        self.enabled = self.enabled - features.without | features.often
        if not features.device_enqueue:
            self.enabled.discard("blocks")
        self.widths = sorted(set(widths)) if "vectors" in self.enabled else []
        self.types = [Type(b) for b in self.bases] * 3 + [Type(b, n) for b in self.bases for n in self.widths]
        group_work = rng.random() < 0.45 or features.only_groups or "waits" in features.often
        self.groups_visible = group_work or rng.random() < 0.7
        self.launch = random_launch(rng, features.non_uniform, not self.groups_visible)
        self.dimensions = len(self.launch.global_)
        self.items = self.launch.items
        self.collectives = group_work and features.work_group_collectives and rng.random() < 0.5
        self.group_work = group_work
        self.sub_group_work = group_work and bool(features.sub_groups) and (
            rng.random() < 0.5 or "waits" in features.often)
        if not (self.sub_group_work and features.progress and features.c11_atomics):
            self.enabled.discard("waits")
        if "waits" in self.enabled:
            self._draw_larger_groups()
        self.left = rng.choice((6, 8, 12, 16, 30))  # statements to come

    def _draw_larger_groups(self):
        """Of several sub-groups."""
        for _ in range(4):
            if self.launch.group_items > 30:
                return
            self.launch = random_launch(self.rng, self.features.non_uniform, False)
            self.dimensions, self.items = len(self.launch.global_), self.launch.items

    def _seed(self):
        return self.rng.randrange(1 << 32)

    def _parameter(self, text, argument):
        self.tree.parameters.append((text, argument))

    # --- memories -------------------------------------------------------------------------------

    def _make_inputs(self):
        rng = self.rng
        ids = ["gid"] + (["lid", "get_local_id(0)"] if self.groups_visible else [])
        largest = self.items
        if self.launch.is_far:  # what is left of an id when 32 bits have wrapped around, and others
            start = self.launch.offset[0] & 0xffffffff
            ids += [f"((uint)get_global_id(0) - {start}u)", f"((uint)(get_global_id(0) - {start}ul))",
                    f"((uint)get_global_id(0) + {-start & 0xffffffff}u)",
                    "(get_global_id(0) - get_global_offset(0))"]
        else:
            ids.append("get_global_id(0)")
            largest = max(self.items, self.launch.global_[0] + self.launch.offset[0])
        for i in range(rng.randrange(1, 5)):
            type_ = rng.choice(self.types)
            if type_.n == 3:
                type_ = type_.scalar
            count = _power_of_two(4 * largest + 32)
            if self.features.images and "images" in self.enabled and rng.random() < 0.5:
                type_ = Type(type_.base if type_.base in IMAGE_BASES else "float", rng.choice((1, 4)))
                memory = InImage(f"in{i}", type_, max(count, 64), ids)
                self._parameter(memory.declaration,
                                f"image{type_.n} {type_.base} {memory.count * type_.n} random {self._seed()}")
                self.inputs.append(memory)
                continue
            if rng.random() < 0.12:
                memory = HalfBuffer(f"in{i}", count, ids)
                base, elements = "half", count
            else:
                memory = InBuffer(f"in{i}", type_, count, ids)
                memory.space = "constant" if rng.random() < 0.15 and count * type_.size <= 32768 else "global"
                base, elements = type_.base, count * type_.n
            memory.restrict = rng.choice(("", " restrict"))
            if memory.space == "constant":
                memory.name = f"c{i}"  # its name tells that it is not global
                memory.restrict = ""
            self._parameter(memory.declaration, f"in {base} {elements} random {self._seed()}")
            memory.restrict = ""  # in helpers
            self.inputs.append(memory)

    def _make_own(self):
        rng = self.rng
        own = []
        for i in range(rng.randrange(1, 4)):
            slots = rng.choice((1, 2, 4, 8))
            kind = rng.random()
            if kind < 0.15:
                own.append(self._make_records(i, slots))
                continue
            if kind < 0.25:
                memory = OwnHalves(f"own{i}", max(4, slots), self.items)
                self._parameter(f"global half* {memory.name}", f"out half {memory.count} random {self._seed()}")
                own.append(memory)
                continue
            type_ = rng.choice(self.types)
            memory = OwnBuffer(f"own{i}", type_, slots, self.items, rng.choice(OwnBuffer.SHAPES), rng)
            if memory.shape in ("table", "rows") and not self.has_table:
                self.has_table = True
                self._parameter("global const uint* perm", f"in uint {self.items} permutation {self._seed()}")
            kind = "out" if memory.compared else "scratch"
            elements = memory.count * (4 if type_.n == 3 else type_.n)
            self._parameter(f"global {type_}* {memory.name}", f"{kind} {type_.base} {elements} random {self._seed()}")
            own.append(memory)
        return own

    def _make_records(self, i, slots):
        rng = self.rng
        fields = [(f"f{k}", rng.choice(self.types), rng.choice((0, 0, 0, 2, 4))) for k in range(rng.randrange(1, 5))]
        struct = f"Record{i}_{self.tree.name}"
        memory = Records(f"own{i}", struct, fields, slots, self.items, rng.random() < 0.6)
        self.tree.declarations.append(Records.declaration(struct, fields))
        self._parameter(f"global {struct}* {memory.name}",
                        f"scratch uchar {memory.count * memory.size} random {self._seed()}")
        return memory

    def _make_shared(self, prologue):
        rng = self.rng
        count = _power_of_two(max(2, self.launch.group_items))
        for i in range(rng.randrange(1, 3)):
            type_ = rng.choice([t for t in self.types if t.n <= 4] + [UINT])
            if rng.random() < 0.15 and type_.n != 3:
                groups = prod(self.launch.groups)
                memory = Shared(f"group{i}", type_, count, "global", True)
                kind = "scratch" if type_.real else "out"
                self._parameter(f"global {type_}* all_{memory.name}",
                                f"{kind} {type_.base} {groups * count * type_.n} zero")
                prologue.append(Stmt([f"global {type_}* {memory.name} = all_{memory.name} + group * {count};"],
                                     fixed=True))
            else:
                memory = Shared(f"local{i}", type_, count, "local", rng.random() < 0.3)
                if memory.is_argument:
                    self._parameter(f"local {type_}* {memory.name}",
                                    f"local {type_.base} {count * (4 if type_.n == 3 else type_.n)}")
                else:
                    prologue.append(Stmt([f"local {type_} {memory.name}[{count}];"], fixed=True))
            self.shared.append(memory)
        sizes = " * ".join(f"(uint)get_local_size({d})" for d in range(self.dimensions))
        prologue.append(Stmt([f"const uint items = {sizes};"], fixed=True))
        if "waits" in self.enabled:
            self.prepare_waits(prologue)
        prologue += [memory.initialise() for memory in self.shared]
        if self.sub_group_work:
            prologue.insert(0, Stmt(self.sub_group_memory(count)))
            self._parameter("global uint* check", f"check uint {self.items} zero")
        prologue.append(Stmt(["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"], fixed=True))

    def _make_cells(self):
        types = ["int", "uint"] + (["long", "ulong"] if self.features.int64_atomics else [])
        cells = Cells("cells", Type(self.rng.choice(types)))
        self._parameter(f"global {cells.type}* {cells.name}", f"out {cells.type} {cells.count} random {self._seed()}")
        self.cells.append(cells)

    # --- helpers --------------------------------------------------------------------------------

    def _make_helper(self):
        rng = self.rng
        type_ = rng.choice(self.types)
        parameters = [rng.choice(self.types) for _ in range(rng.randrange(1, 4))]
        name = f"helper_{self.tree.name}_{len(self.helpers)}"
        scope = Scope(helper=type_, may_return=True, uniform=False, depth=1)
        texts = []
        for i, parameter in enumerate(parameters):
            texts.append(f"{parameter} q{i}")
            scope.variables.append(Var(f"q{i}", parameter))
        passed = []
        if self.inputs and rng.random() < 0.5:
            memory = rng.choice([m for m in self.inputs])
            texts.append(memory.declaration)
            passed.append(memory.name)
            scope.memories.append(memory)
        saved, self.left = self.left, rng.randrange(2, 9)
        body = self.block(scope, rng.randrange(1, 5))
        body.append(Stmt(["return {0};"], [self.expression(type_, scope, 2)], fixed=True))
        self.left = saved
        attribute = rng.choice(("", "", "__attribute__((noinline)) ", "inline __attribute__((always_inline)) "))
        self.tree.functions.append(Function(f"{attribute}{type_} {name}({', '.join(texts)})", body))
        self.helpers.append(Helper(name, type_, parameters, passed))

    # --- the kernel -----------------------------------------------------------------------------

    def _linear_ids(self):
        """gid, lid and group as one number each, by a function or by hand."""
        def linear(value, size):
            terms = [f"(get_global_id({d}) - get_global_offset({d}))" if value == "get_global_id" else f"{value}({d})"
                     for d in range(self.dimensions)]
            text = terms[-1]
            for term, dimension in zip(terms[-2::-1], range(self.dimensions - 2, -1, -1)):
                text = f"({text} * {size}({dimension}) + {term})"
            return f"(uint){text}"
        library = self.features.cl3 and self.rng.random() < 0.5
        gid = "(uint)get_global_linear_id()" if library else linear("get_global_id", "get_global_size")
        lines = [f"const uint gid = {gid};"]
        if self.groups_visible:
            # Outer sizes of a smaller group at the edge still count its own work-items only.
            lid = "(uint)get_local_linear_id()" if library else linear("get_local_id", "get_local_size")
            lines.append(f"const uint lid = {lid};")
        if self.group_work:
            lines.append(f"const uint group = {linear('get_group_id', 'get_num_groups')};")
        return Stmt(lines, fixed=True)

    def _make_variables(self, scope):
        statements = []
        for _ in range(self.rng.randrange(3, 6)):
            type_ = self.rng.choice(self.types)
            uniform = self.rng.random() < 0.25
            value = self.expression(type_, scope, 1, uniform)
            name = self.name("u" if uniform else "v")
            scope.variables.append(Var(name, type_, uniform))
            statements.append(Stmt([f"{type_} {name} = {{0}};"], [value]))
        if not any(not v.uniform for v in scope.variables if v.writable):
            name = self.name("v")
            scope.variables.append(Var(name, Type(self.bases[0])))
            statements.append(Stmt([f"{self.bases[0]} {name} = {{0}};"], [literal(self.rng, Type(self.bases[0]))]))
        if "effects" in self.enabled:
            statements.append(Stmt(["uint seq = gid;"], fixed=True))
            scope.variables.append(Var("seq", UINT, writable=False))
        return statements

    def _digest(self, scope):
        """Everything that lives at the end, folded into one number of the work-item."""
        statements = [Stmt([f"h = fold_{v.type}(h, {v.name});"]) for v in scope.variables if v.name != "h"]
        for memory in scope.memories:
            if isinstance(memory, PrivateArray) or getattr(memory, "compared", True) is False:
                if not memory.readable(scope, False):
                    continue
                for _ in range(2):
                    value = memory.read(self, scope, False, memory.type)
                    statements.append(Stmt([f"h = fold_{value.type}(h, {{0}});"], [value]))
        statements += [Stmt([f"h = fold_uint(h, {name});"]) for name, _ in scope.flags]
        for memory in self.shared:
            statements.append(Stmt([f"h = fold_{memory.type}(h, {memory.name}[lid]);"]))
        statements.append(Stmt(["result[gid] = h;"], fixed=True))
        return statements

    def _make_scalars(self, scope):
        for i in range(self.rng.randrange(3)):
            type_ = self.rng.choice([t for t in self.types if t.integer and t.n != 3] or [UINT])
            name = f"arg{i}"
            self._parameter(f"{type_} {name}", f"value {type_} {self.rng.randbytes(type_.size).hex()}")
            scope.variables.append(Var(name, type_, uniform=True, writable=False))

    def make(self):
        rng = self.rng
        self.has_table = False
        self._parameter("global ulong* result", f"out ulong {self.items} zero")
        scope = Scope(may_return=True, depth=1)
        self._make_inputs()
        own = self._make_own()
        if rng.random() < 0.35:
            self._make_cells()
        self._make_scalars(scope)
        tables = [Table(f"table{i}_{self.tree.name}", Type(rng.choice(self.bases)), rng.choice((4, 16, 32)))
                  for i in range(rng.choice((0, 0, 1)))]
        self.tree.declarations += [table.declaration(rng) for table in tables]
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            self._make_helper()
        body = [self._linear_ids()]
        if self.group_work:
            self._make_shared(body)
        scope.memories += self.inputs + own + tables + self.shared
        if not self.group_work and "checks" in self.enabled:
            body += [self.bounds_check() for _ in range(rng.choice((1, 1, 2)))]
            if rng.random() < 0.4:
                body.append(self.border(scope))
        body.append(Stmt(["ulong h = gid;"], fixed=True))
        body += self._make_variables(scope)
        scope.barriers = self.group_work
        body += self.block(scope, rng.randrange(3, 10))
        if "waits" in self.enabled:
            if not self.wait_sites:
                body.append(self.wait(scope))
            self.finish_waits()
        if self.group_work:  # behind the last barrier each goes its own way
            scope.barriers = False
            scope.uniform = False
            self.left = max(self.left, 4)
            body += self.block(scope, rng.randrange(1, 5))
        body += self._digest(scope)
        attribute = ""
        if self.launch.local and rng.random() < 0.2:
            sizes = ", ".join(str(s) for s in self.launch.local + [1] * (3 - self.dimensions))
            attribute = f"__attribute__((reqd_work_group_size({sizes}))) "
            if any(g % l for g, l in zip(self.launch.global_, self.launch.local)):
                attribute = ""
        self.tree.attribute = attribute
        self.tree.body = body
        self.tree.launch = self.launch
        return self.tree


def make_kernel(seed, name, features):
    return Generator(seed, name, features).make()
