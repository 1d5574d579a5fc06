# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sub-group functions. What they give depends on the width, so a kernel checks them itself: each
work-item tells the group its value, sub-group and lane, works the result out from those and marks a
difference in a buffer that must stay zero."""
from .tree import Expr, Stmt
from .types import INT, Type

_IDENTITY = {"add": "0", "mul": "1", "or": "0", "xor": "0"}
_COMBINE = {"add": "e + v", "mul": "e * (v * 1u)", "min": "min(e, v)", "max": "max(e, v)", "and": "e & v",
            "or": "e | v", "xor": "e ^ v"}
_LIMITS = {"int": ("INT_MIN", "INT_MAX"), "uint": ("0u", "UINT_MAX"), "long": ("LONG_MIN", "LONG_MAX"),
           "ulong": ("0ul", "ULONG_MAX"), "char": ("CHAR_MIN", "CHAR_MAX"), "uchar": ("(uchar)0", "UCHAR_MAX"),
           "short": ("SHRT_MIN", "SHRT_MAX"), "ushort": ("(ushort)0", "USHRT_MAX"),
           "float": ("-INFINITY", "INFINITY"), "double": ("-INFINITY", "INFINITY"), "half": ("-INFINITY", "INFINITY")}


def _identity(type_, op):
    if op in _IDENTITY:
        return f"({type_}){_IDENTITY[op]}"
    low, high = _LIMITS[type_.base]
    return {"min": high, "max": low, "and": f"({type_})~({type_})0"}[op]


class SubGroups:
    """The part of the generator for sub-group functions and their checks."""

    def sub_group_memory(self, count):
        return [f"local ulong sg_value[{count}];", f"local uint sg_group[{count}];",
                f"local uint sg_lane[{count}];", f"local uint sg_on[{count}];"]

    def sub_group_function(self, scope):
        words = self.features.sub_groups
        kinds = [self._fold, self._fold, self._vote, self._broadcast, self._size]
        for word, kind in (("cl_khr_subgroup_shuffle", self._shuffle),
                           ("cl_khr_subgroup_shuffle_relative", self._relative),
                           ("cl_khr_subgroup_rotate", self._rotate),
                           ("cl_khr_subgroup_ballot", self._ballot),
                           ("cl_khr_subgroup_non_uniform_vote", self._masked_vote),
                           ("cl_khr_subgroup_non_uniform_arithmetic", self._masked_fold),
                           ("cl_khr_subgroup_clustered_reduce", self._clustered)):
            if word in words:
                kinds.append(kind)
        bases = ["int", "uint", "long", "ulong", "float"] + (["double"] if self.features.fp64 else [])
        bases += ["half"] if self.features.fp16 else []
        if "cl_khr_subgroup_extended_types" in words:
            bases += ["char", "uchar", "short", "ushort"]
        type_ = Type(self.rng.choice(bases))
        inner = scope.inner(barriers=False, may_return=False, loop=False, breakable=False)
        return self.rng.choice(kinds)(inner, type_)

    def _checked(self, scope, type_, lines, masked=False, value=None):
        """`lines` know x, the lanes' values by sg_value and make r and e, which must be equal."""
        on = self.condition(scope, 1) if masked else Expr(None, "1")
        if value is None:
            value = self.expression(type_ if type_.integer else INT, scope, 2)
            if type_.real:  # sums are exact
                value = Expr(type_, f"({type_})({{0}} & {0x1f if type_.base == 'half' else 0xff:#x})", value)
            elif type_.signed:  # sums and products do not overflow
                value = Expr(type_, f"({type_})({{0}} & {0xff if type_.bits > 8 else 1:#x})", value)
        return Stmt(
            ["{{", f"  const {type_} x = {{0}};",
             "  const uint sg = get_sub_group_id(), lane = get_sub_group_local_id(), on = {1};",
             "  barrier(CLK_LOCAL_MEM_FENCE);",
             "  sg_value[lid] = (ulong)x; sg_group[lid] = sg; sg_lane[lid] = lane; sg_on[lid] = on;",
             "  barrier(CLK_LOCAL_MEM_FENCE);", "  if (on) {{"] +
            ["    " + line for line in lines] +
            [f"    if (r != e) check[gid] = {self.rng.randrange(1, 1 << 16)}u;", "  }}", "}}"], [value, on])

    @staticmethod
    def _over_lanes(type_, which, step):
        """A loop over the active lanes of the sub-group that `which` selects."""
        return ["for (uint i = 0; i < items; ++i) {{",
                f"  const {type_} v = ({type_})sg_value[i];",
                f"  if (sg_group[i] == sg && sg_on[i] && ({which})) {step};", "}}"]

    def _fold(self, scope, type_, prefix="", ops=("add", "min", "max"), masked=False):
        op = self.rng.choice(ops)
        if op == "mul" and not self._may_wrap(type_) or op in ("and", "or", "xor") and type_.real:
            op = "add"
        name, which = self.rng.choice((("reduce", "1"), ("scan_inclusive", "sg_lane[i] <= lane"),
                                       ("scan_exclusive", "sg_lane[i] < lane")))
        return self._checked(scope, type_, [
            f"{type_} e = {_identity(type_, op)};",
            *self._over_lanes(type_, which, f"e = {_COMBINE[op]}"),
            f"const {type_} r = sub_group_{prefix}{name}_{op}(x);"], masked)

    @staticmethod
    def _may_wrap(type_):
        return type_.integer and not type_.signed

    def _masked_fold(self, scope, type_):
        if self.rng.random() < 0.2:
            return self._masked_logical(scope)
        return self._fold(scope, type_, "non_uniform_", ("add", "mul", "min", "max", "and", "or", "xor"), True)

    def _masked_logical(self, scope):
        op, start, step = self.rng.choice((("and", "1", "e && v"), ("or", "0", "e || v"), ("xor", "0", "!e != !v")))
        name, which = self.rng.choice((("reduce", "1"), ("scan_inclusive", "sg_lane[i] <= lane"),
                                       ("scan_exclusive", "sg_lane[i] < lane")))
        value = Expr(INT, "(int){0}", self.condition(scope))
        return self._checked(scope, INT, [
            f"int e = {start};", *self._over_lanes(INT, which, f"e = {step}"),
            f"const int r = sub_group_non_uniform_{name}_logical_{op}(x) != 0;"], True, value)

    def _vote(self, scope, type_):
        name, start, op = self.rng.choice((("any", "0", "||"), ("all", "1", "&&")))
        value = Expr(INT, "(int){0}", self.condition(scope))
        return self._checked(scope, INT, [
            f"int e = {start};", *self._over_lanes(INT, "1", f"e = e {op} v"),
            f"const int r = sub_group_{name}(x) != 0;"], value=value)

    def _masked_vote(self, scope, type_):
        name, start, op = self.rng.choice((("any", "0", "||"), ("all", "1", "&&")))
        value = Expr(INT, "(int){0}", self.condition(scope))
        if self.rng.random() < 0.3:  # the elected lane is the lowest active one
            return self._checked(scope, INT, [
                "int e = 1;", *self._over_lanes(INT, "sg_lane[i] < lane", "e = 0"),
                "const int r = sub_group_elect() != 0;"], True, value)
        return self._checked(scope, INT, [
            f"int e = {start};", *self._over_lanes(INT, "1", f"e = e {op} v"),
            f"const int r = sub_group_non_uniform_{name}(x) != 0;"], True, value)

    def _broadcast(self, scope, type_):
        lane = f"{self.rng.randrange(70)}u % get_sub_group_size()"
        return self._checked(scope, type_, [
            f"const uint from = {lane};", f"{type_} e = 0;",
            *self._over_lanes(type_, "sg_lane[i] == from", "e = v"),
            f"const {type_} r = sub_group_broadcast(x, from);"])

    def _size(self, scope, type_):
        return self._checked(scope, type_, [
            "uint e = 0;", *self._over_lanes(type_, "1", "e = e + 1"),
            "uint r = get_sub_group_size();",
            "if (lane >= r || sg >= get_num_sub_groups() || r > get_max_sub_group_size()) r = ~0u;"])

    def _shuffle(self, scope, type_):
        if self.rng.random() < 0.5:
            mask = self.rng.choice((1, 2, 3, 4, 8))
            return self._checked(scope, type_, [
                f"const uint from = (lane ^ {mask}u) < get_sub_group_size() ? (lane ^ {mask}u) : lane;",
                f"{type_} e = 0;", *self._over_lanes(type_, "sg_lane[i] == from", "e = v"),
                f"{type_} r = sub_group_shuffle_xor(x, {mask}u);",
                "if (from == lane) r = e;"])
        index = self.rng.choice(("(uint)x % get_sub_group_size()", "get_sub_group_size() - 1u - lane",
                                 "(lane * 3u + 1u) % get_sub_group_size()"))
        return self._checked(scope, type_, [
            f"const uint from = {index};", f"{type_} e = 0;",
            *self._over_lanes(type_, "sg_lane[i] == from", "e = v"),
            f"const {type_} r = sub_group_shuffle(x, from);"])

    def _relative(self, scope, type_):
        by = self.rng.choice((1, 2, 3, 5))
        name, inside, from_ = self.rng.choice((("up", f"lane >= {by}u", f"lane - {by}u"),
                                               ("down", f"lane + {by}u < get_sub_group_size()", f"lane + {by}u")))
        return self._checked(scope, type_, [
            f"{type_} e = 0;", *self._over_lanes(type_, f"sg_lane[i] == {from_}", "e = v"),
            # Amounts must be less than the largest size; beyond the ends nothing is promised.
            f"{type_} r = e;", f"if (get_max_sub_group_size() > {by}u) {{{{",
            f"  const {type_} s = sub_group_shuffle_{name}(x, {by}u);", f"  if ({inside}) r = s;", "}}"])

    def _rotate(self, scope, type_):
        by = self.rng.choice((1, 2, 3, 7, -1))
        # In a smaller sub-group at the end some lanes would take from one that is not there.
        return self._checked(scope, type_, [
            f"const uint from = (lane + (uint){by}) % get_max_sub_group_size();", f"{type_} e = 0;",
            *self._over_lanes(type_, "sg_lane[i] == from", "e = v"),
            f"{type_} r = sub_group_rotate(x, {by});", "if (from >= get_sub_group_size()) r = e;"])

    def _ballot(self, scope, type_):
        kind = self.rng.randrange(5)
        value = Expr(INT, "(int){0}", self.condition(scope))
        if kind == 3:  # of bits that were said by the lanes, each asks for one
            lane = self.rng.choice(("lane", f"(lane + {self.rng.randrange(1, 9)}u) % get_sub_group_size()"))
            name = "inverse_ballot(sub_group_ballot(x))" if lane == "lane" else \
                f"ballot_bit_extract(sub_group_ballot(x), {lane})"
            return self._checked(scope, INT, [
                f"const uint which = {lane};", "int e = 0;", *self._over_lanes(INT, "sg_lane[i] == which", "e = v != 0"),
                f"const int r = sub_group_{name} != 0;"], value=value)
        if kind == 4:  # the first and the last one that says yes, if there is one
            name, start, op = self.rng.choice((("lsb", "~0u", "min"), ("msb", "0u", "max")))
            return self._checked(scope, INT, [
                f"uint e = {start}, some = 0;",
                *self._over_lanes(INT, "v", f"(some = 1, e = {op}(e, sg_lane[i]))"),
                f"uint r = sub_group_ballot_find_{name}(sub_group_ballot(x));", "if (!some) r = e;"], value=value)
        if kind == 0:
            return self._checked(scope, INT, [
                "uint4 e4 = (uint4)(0u);",
                *self._over_lanes(INT, "v", "((uint*)&e4)[sg_lane[i] >> 5] |= 1u << (sg_lane[i] & 31u)"),
                "const uint4 r4 = sub_group_ballot(x);", "const int e = 1, r = all(e4 == r4);"], True, value)
        if kind == 1:
            name, which = self.rng.choice((("bit_count", "1"), ("inclusive_scan", "sg_lane[i] <= lane"),
                                           ("exclusive_scan", "sg_lane[i] < lane")))
            return self._checked(scope, INT, [
                "uint e = 0;", *self._over_lanes(INT, f"v && ({which})", "e = e + 1"),
                f"const uint r = sub_group_ballot_{name}(sub_group_ballot(x));"], value=value)
        return self._checked(scope, type_, [
            f"{type_} e = 0; uint lowest = ~0u;",
            *self._over_lanes(type_, "sg_lane[i] < lowest", "(lowest = sg_lane[i], e = v)"),
            f"const {type_} r = sub_group_broadcast_first(x);"], True)

    def _clustered(self, scope, type_):
        size = self.rng.choice((1, 2, 4, 8, 16))
        op = self.rng.choice(("add", "min", "max", *(("xor", "or", "and") if type_.integer else ())))
        return self._checked(scope, type_, [
            f"{type_} e = {_identity(type_, op)};",
            *self._over_lanes(type_, f"sg_lane[i] / {size}u == lane / {size}u", f"e = {_COMBINE[op]}"),
            f"{type_} r = e;",
            f"if (get_max_sub_group_size() >= {size}u) r = sub_group_clustered_reduce_{op}(x, {size}u);"])
