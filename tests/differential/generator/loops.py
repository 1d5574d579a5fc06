# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, switches and goto: each loop has its own counter, so everything terminates."""
from .scope import Var
from .tree import Expr, Stmt
from .types import INTEGERS, Type


class Loops:
    """The part of the generator for control flow with joins."""

    def _trips(self, scope, uniform):
        """A trip count and its maximum."""
        rng = self.rng
        most = rng.choice((2, 3, 4, 7, 8))
        if most in (3, 7):
            type_ = Type(rng.choice([b for b in self.bases if b in INTEGERS] or ["uint"]))
            return Expr(None, f"({{0}} & {most})", self.expression(type_, scope, 1, uniform)), most
        if rng.random() < 0.2 and not uniform and not scope.helper:
            return Expr(None, f"(gid % {most + 1})"), most
        return Expr(None, str(most)), most

    def loop(self, scope):
        rng = self.rng
        uniform = scope.uniform and rng.random() < (0.75 if scope.barriers else 0.4)
        trips, most = self._trips(scope, uniform)
        # Without barriers a loop that all enter together may still be left one by one.
        together = uniform and scope.barriers
        inner = scope.inside(together, cost=scope.cost * most, breakable=True, loop=True, own_loop=True)
        label = self.name("X") if "exits" in self.enabled and not together and rng.random() < 0.6 else None
        if label:
            inner.exits += (label,)
        counter = self.name("i")
        type_ = rng.choice(("uint", "int", "uchar", "ulong", "short", "uint", "int"))
        inner.variables.append(Var(counter, Type(type_), inner.uniform, writable=False))
        body = self.block(inner, rng.randrange(1, 5))
        form = rng.randrange(5)
        bound = f"({type_}){{0}}"
        if form == 0:
            lines = [f"for ({type_} {counter} = 0; {counter} < {bound}; ++{counter}) {{{{", "@0", "}}"]
        elif form == 1:
            lines = [f"for ({type_} {counter} = {bound}; {counter} > 0; {counter} -= 1) {{{{", "@0", "}}"]
        elif form == 2:
            lines = ["{{", f"  {type_} {counter} = 0;", f"  while ({counter} < {bound}) {{{{",
                     f"    ++{counter};", "@0", "  }}", "}}"]
        elif form == 3:
            lines = ["{{", f"  {type_} {counter} = 0;", "  do {{", f"    ++{counter};", "@0",
                     f"  }}}} while ({counter} < {bound});", "}}"]
        else:
            lines = [f"for ({type_} {counter} = 0, e_{counter} = {bound};; ++{counter}) {{{{",
                     f"  if ({counter} >= e_{counter}) break;", "@0", "}}"]
        # The bound is computed anew in each pass, from variables that may have changed; it never
        # passes the most there may be.
        if label:
            lines = ["{{"] + ["  " + line if line[0] != "@" else line for line in lines] + [f"{label}:;", "}}"]
        return Stmt(lines, [trips], [body], hollow=True)

    def switch(self, scope):
        rng = self.rng
        uniform = scope.uniform and rng.random() < 0.4
        type_ = Type(rng.choice([b for b in self.bases if b in INTEGERS] or ["uint"]))
        mask = rng.choice((1, 3, 7))
        value = Expr(None, f"(int)({{0}} & {mask})", self.expression(type_, scope, 2, uniform))
        if not uniform and not scope.helper and rng.random() < 0.3:
            value = Expr(None, f"(int)(gid % {mask + 2})")
        labels = rng.sample(range(-1, mask + 1), rng.randrange(1, min(5, mask + 2)))
        lines, blocks = ["switch ({0}) {{"], []
        default = rng.randrange(len(labels) + 2)
        for place, label in enumerate(labels):
            lines.append("default:" if place == default else f"case {label}:")
            # `break` would leave the switch here, `continue` the pass of the loop around it.
            inner = scope.inside(uniform)
            inner.breakable = False
            blocks.append(self.block(inner, rng.randrange(1, 3)))
            lines += ["{{", f"@{len(blocks) - 1}", "}}"]
            if rng.random() < 0.7:
                lines.append("  break;")
        lines.append("}}")
        return Stmt(lines, [value], blocks, hollow=True)

    def goto_graph(self, scope):
        """Labels with jumps between them; a counter of jumps ends it. With two entries into a cycle the
        graph is irreducible. Where all jump together, barriers may stand between."""
        rng = self.rng
        uniform = scope.uniform and scope.barriers
        places = rng.randrange(2, 5)
        fuel = rng.choice((3, 5, 9))
        label = self.name("L")
        conditions, blocks = [], []
        lines = ["{{", f"  int fuel_{label} = {fuel};"]

        def jump(to):
            conditions.append(self.condition(scope, 1, uniform))
            return f"if ({{{len(conditions) - 1}}}) goto {label}_{to};"
        if rng.random() < 0.8:
            lines.append("  " + jump(rng.randrange(1, places)))
        for place in range(places):
            inner = scope.inside(uniform, cost=scope.cost * (fuel + 1), breakable=False, loop=False)
            blocks.append(self.block(inner, rng.randrange(1, 3)))
            lines += [f"{label}_{place}: {{{{", f"@{place}", "}}"]
            lines.append(f"  if (fuel_{label}-- <= 0) goto {label}_end;")
            for _ in range(rng.choice((1, 1, 2))):
                lines.append("  " + jump(rng.randrange(places)))
        lines += [f"{label}_end:;", "}}"]
        return Stmt(lines, conditions, blocks, hollow=True)
