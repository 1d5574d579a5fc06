# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Library functions that write through a pointer as well, to a variable, an array's element or a
slot in global memory."""
from .memory import PrivateArray
from .own_memory import OwnBuffer
from .tree import Expr, Stmt
from .types import Type


class Outs:
    """The part of the generator for such calls."""

    def out_pointer(self, scope):
        rng = self.rng
        reals = [t for t in self.types if t.real and t.base != "half"]
        if not reals:
            return None
        type_ = rng.choice(reals)
        name = rng.choice(("modf", "fract", "frexp"))
        written = Type("int", type_.n) if name == "frexp" else type_
        var = self.target(scope, uniform=False)
        if not var:
            return None
        setup, place, operands = self._out_place(scope, written)
        zero = f"({type_})0"
        # Of infinities and NaNs not everything is promised, nor are the signs of zeros.
        finite = f"(isfinite(x) ? x : ({type_})1)" if not type_.vector else f"select(({type_})1, x, isfinite(x))"
        result = self.convert(Expr(type_, "y"), var.type)
        lines = ["{{", f"  const {type_} x = {{0}};", f"  {setup}" if setup else "",
                 f"  const {type_} y = {name}({finite}, {place}) + {zero};", f"  {var.name} = {{{1 + len(operands)}}};"]
        if setup:
            back = self.target(scope, uniform=False)
            value = self.convert(Expr(written, "o" if name == "frexp" else f"(o + {zero})"), back.type)
            operands.append(result)
            result = value
            lines.append(f"  {back.name} = {{{1 + len(operands)}}};")
        return Stmt([line for line in lines if line] + ["}}"],
                    [self.expression(type_, scope, 2), *operands, result])

    def _out_place(self, scope, written):
        """The declaration, the address, and the operands from {1} on."""
        arrays = [m for m in scope.memories if isinstance(m, PrivateArray) and m.type == written
                  and m.rows == 1 and not m.qualifier]
        own = [m for m in scope.memories if isinstance(m, OwnBuffer) and m.type == written and not scope.helper]
        memories = arrays + own
        if not memories or self.rng.random() < 0.4:
            return f"{written} o;", "&o", []
        memory = self.rng.choice(memories)
        index = self.index(scope, memory.slots if isinstance(memory, OwnBuffer) else memory.count, False)
        if isinstance(memory, OwnBuffer):
            return "", f"&{memory.name}[{{1}}]", [Expr(None, memory.place, index)]
        return "", f"&{memory.name}[{{1}}]", [index]
