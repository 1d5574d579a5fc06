# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on integers that wrap, clamp or shift as the language defines it. Each takes (gen, type,
sub), where sub(type) makes an operand, and gives an Expr."""
from .tree import Expr
from .types import INTEGERS, Type


def arithmetic(gen, type_, sub):
    op = gen.rng.choice("+-*")
    unsigned = type_.as_unsigned
    if not type_.signed and type_.bits >= 32 or not type_.signed and type_.vector:
        return Expr(type_, f"({{0}} {op} {{1}})", sub(type_), sub(type_))
    if type_.vector:
        return Expr(type_, f"as_{type_}(as_{unsigned}({{0}}) {op} as_{unsigned}({{1}}))",
                    sub(type_), sub(type_))
    if type_.bits < 32:  # computed as int, where products of ushort alone could overflow
        first = "(uint){0}" if op == "*" else "{0}"
        return Expr(type_, f"({type_})({first} {op} {{1}})", sub(type_), sub(type_))
    if gen.rng.random() < 0.5:  # small operands: plain signed arithmetic, which may not overflow
        return Expr(type_, f"(({{0}} & 0x7fff) {op} ({{1}} & 0x7fff))", sub(type_), sub(type_))
    return Expr(type_, f"({type_})(({unsigned}){{0}} {op} ({unsigned}){{1}})", sub(type_), sub(type_))


def bitwise(gen, type_, sub):
    op = gen.rng.choice("&|^")
    if gen.rng.random() < 0.15:
        return Expr(type_, f"({type_})(~{{0}})" if not type_.vector else "(~{0})", sub(type_))
    text = f"({{0}} {op} {{1}})"
    return Expr(type_, text if type_.vector or type_.bits >= 32 else f"({type_}){text}",
                sub(type_), sub(type_))


def shift(gen, type_, sub):
    op = gen.rng.choice(("<<", ">>"))
    # The language takes the amount modulo the size of the (promoted) left operand.
    masked = gen.rng.random() < 0.6
    if type_.vector:
        amount = f"({{1}} & ({type_.base}){type_.bits - 1})" if masked else "{1}"
        if type_.signed and op == "<<":
            unsigned = type_.as_unsigned
            return Expr(type_, f"as_{type_}(as_{unsigned}({{0}}) << as_{unsigned}({amount}))",
                        sub(type_), sub(type_))
        return Expr(type_, f"({{0}} {op} {amount})", sub(type_), sub(type_))
    by = Type(gen.rng.choice(("uint", "int", "uchar", type_.base)))
    amount = f"({{1}} & {max(type_.bits, 32) - 1})" if masked else "{1}"
    left = f"({Type(type_.base).as_unsigned}){{0}}" if type_.signed and op == "<<" else "{0}"
    if type_.bits < 32 and op == "<<":
        left = "(uint){0}"
    return Expr(type_, f"({type_})({left} {op} {amount})", sub(type_), sub(by))


def division(gen, type_, sub):
    op = gen.rng.choice("/%")
    if type_.signed:  # a positive divisor: neither zero nor -1
        top = (1 << (type_.bits - 1)) - 1
        suffix = "l" if type_.bits == 64 else ""
        divisor = f"(({{1}} & ({type_.base}){top:#x}{suffix}) | ({type_.base})1)"
    else:
        divisor = f"({{1}} | ({type_.base})1)"
    text = f"({{0}} {op} {divisor})"
    return Expr(type_, text if type_.vector else f"({type_}){text}", sub(type_), sub(type_))


def builtin(gen, type_, sub):
    rng = gen.rng
    two = ["add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate", "max", "min"]
    one = ["clz", "popcount"] + (["ctz"] if gen.features.ctz else [])
    kind = rng.randrange(10)
    if kind < 4:
        return Expr(type_, f"{rng.choice(two)}({{0}}, {{1}})", sub(type_), sub(type_))
    if kind == 4:
        return Expr(type_, f"{rng.choice(one)}({{0}})", sub(type_))
    if kind == 5:
        if type_.signed:
            return arithmetic(gen, type_, sub)
        source = type_ if rng.random() < 0.4 else type_.as_signed
        if rng.random() < 0.5:
            return Expr(type_, "abs({0})", sub(source))
        return Expr(type_, "abs_diff({0}, {1})", sub(source), sub(source))
    if kind == 6:
        # A plain bound below a plain bound: anything else is undefined.
        low, high = sorted((rng.randrange(60), rng.randrange(60, 127)))
        base = type_.base
        return Expr(type_, f"clamp({{0}}, ({type_})({base}){low}, ({type_})({base}){high})", sub(type_))
    if kind == 7:
        names = ("mad_hi", "bitselect") if gen.features.other_drivers else ("mad_hi", "bitselect", "mad_sat")
        name = rng.choice(names)
        return Expr(type_, f"{name}({{0}}, {{1}}, {{2}})", sub(type_), sub(type_), sub(type_))
    if kind == 8 and type_.bits >= 16:
        half = Type({"short": "char", "ushort": "uchar", "int": "short", "uint": "ushort",
                     "long": "int", "ulong": "uint"}[type_.base], type_.n)
        return Expr(type_, "upsample({0}, {1})", sub(half), sub(half.as_unsigned))
    if kind == 9 and type_.bits == 32:
        mask = "0x7fffff" if type_.signed else "0xffffffu"
        fit = f"({{0}} & ({type_.base}){mask})", f"({{1}} & ({type_.base}){mask})"
        if rng.random() < 0.5 and not type_.signed:
            return Expr(type_, f"mad24({fit[0]}, {fit[1]}, {{2}})", sub(type_), sub(type_), sub(type_))
        return Expr(type_, f"mul24({fit[0]} & 0x7fff, {fit[1]} & 0x7fff)", sub(type_), sub(type_))
    return Expr(type_, f"{rng.choice(two)}({{0}}, {{1}})", sub(type_), sub(type_))


def from_other(gen, type_, sub):
    """Conversions and other readings of the same bits."""
    rng = gen.rng
    source = Type(rng.choice([b for b in gen.bases if b != type_.base] or ["uint"]), type_.n)
    if source.bits == type_.bits and rng.random() < 0.4:
        operand = sub(source)
        return Expr(type_, f"as_{type_}(bits_{source}({{0}}))" if source.real else f"as_{type_}({{0}})",
                    operand)
    if source.real:
        mode = rng.choice(("", "_rte", "_rtz", "_rtp", "_rtn"))
        return gen.saturated(type_, sub(source), mode)
    sat = rng.choice(("", "_sat"))
    if type_.vector or sat or rng.random() < 0.3:
        return Expr(type_, f"convert_{type_}{sat}({{0}})", sub(source))
    return Expr(type_, f"({type_}){{0}}", sub(source))


def comparison(gen, type_, sub):
    op = gen.rng.choice(("<", "<=", ">", ">=", "==", "!="))
    if not type_.vector:
        text = "({0} ? {1} : {2})"
        return Expr(type_, text if type_.bits >= 32 else f"({type_}){text}",
                    gen.condition(sub.scope, sub.depth - 1, sub.uniform), sub(type_), sub(type_))
    if not type_.signed:
        return Expr(type_, "select({0}, {1}, {2})", sub(type_), sub(type_),
                    sub(type_.as_signed if gen.rng.random() < 0.5 else type_))
    choices = [b for b in gen.bases if Type(b).bits == type_.bits] or [type_.base]
    source = Type(gen.rng.choice(choices), type_.n)
    return Expr(type_, f"({{0}} {op} {{1}})", sub(source), sub(source))


def of_vector(gen, type_, sub):
    """A whole number out of a vector's components."""
    if type_.base != "int" or type_.vector or not gen.widths:
        return bitwise(gen, type_, sub)
    source = Type(gen.rng.choice([b for b in INTEGERS if b[0] != "u"]), gen.rng.choice(gen.widths))
    return Expr(type_, f"{gen.rng.choice(('any', 'all'))}({{0}})", sub(source))


OPERATIONS = [(arithmetic, 6), (bitwise, 4), (shift, 3), (division, 1), (builtin, 4), (from_other, 3),
              (comparison, 3), (of_vector, 1)]
