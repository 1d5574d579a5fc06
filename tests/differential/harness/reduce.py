# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces a failing kernel: removes statements, branches and operands as long as it fails in
the same manner. Every step keeps the kernel well-defined: an exchange goes with its barriers, a
masked index stays masked."""
import time

from generator.launches import Launch
from generator.literals import simplest
from generator.tree import CONDITION, Expr


class Reducer:
    """`fails(tree)` says whether a tree still shows the fault; `seconds` bounds the work."""

    def __init__(self, tree, fails, seconds):
        self.tree, self.fails = tree, fails
        self.deadline = time.monotonic() + seconds
        self.tries = 0

    def run(self):
        size = None
        while size != len(self.tree.text()) and not self._late():
            size = len(self.tree.text())
            self._launch()
            for body in self._bodies():
                self._block(body)
            self._lists()
            for body in self._bodies():
                self._expressions(body)
        return self.tree

    def _late(self):
        return time.monotonic() > self.deadline

    def _bodies(self):
        return [self.tree.body] + [f.body for f in self.tree.functions]

    def _keep(self):
        """Whether to keep the last change."""
        if self._late():
            return False
        self.tries += 1
        return self.fails(self.tree)

    def _launch(self):
        old = self.tree.launch
        groups_of_one = [min(g, l) for g, l in zip(old.global_, old.local)] if old.local else [1] * len(old.global_)
        for global_, offset in ((groups_of_one, [0] * len(old.offset)), (groups_of_one, old.offset),
                                (old.global_, [0] * len(old.offset))):
            if (global_, offset) == (old.global_, old.offset):
                continue
            self.tree.launch = Launch(global_, old.local, offset)
            if self._keep():
                return
        self.tree.launch = old

    def _lists(self):
        """Removes unused functions, declarations and parameters."""
        for items in (self.tree.functions, self.tree.declarations, self.tree.parameters):
            for i in range(len(items) - 1, -1, -1):
                item = items.pop(i)
                if not self._keep():
                    items.insert(i, item)

    def _block(self, block):
        chunk = max(1, len(block) // 2)
        while chunk:
            i = 0
            while i < len(block):
                part = block[i:i + chunk]
                if any(s.fixed for s in part):
                    if chunk > 1:
                        i += chunk
                        continue
                    i += 1
                    continue
                del block[i:i + chunk]
                if not self._keep():
                    block[i:i] = part
                    i += chunk
            chunk //= 2
        i = 0
        while i < len(block):
            statement = block[i]
            if statement.hollow and self._hollow(block, i):
                continue
            for inner in statement.blocks:
                self._block(inner)
            i += 1

    def _hollow(self, block, i):
        statement = block[i]
        for inner in statement.blocks:
            block[i:i + 1] = inner
            if self._keep():
                return True
            block[i:i + len(inner)] = [statement]
        return False

    def _expressions(self, block):
        for statement in block:
            self._operands(statement.exprs)
            for inner in statement.blocks:
                self._expressions(inner)

    def _operands(self, kids):
        for i in range(len(kids)):
            self._shrink(kids, i)
            if isinstance(kids[i], Expr):
                self._operands(kids[i].kids)

    def _shrink(self, kids, i):
        again = True
        while again and not self._late():
            again = False
            old = kids[i]
            for candidate in self._simpler(old):
                if len(str(candidate)) >= len(str(old)):
                    continue
                kids[i] = candidate
                if self._keep():
                    again = True
                    break
                kids[i] = old

    @staticmethod
    def _simpler(expr):
        if expr.type == CONDITION:
            candidates = [Expr(CONDITION, "1"), Expr(CONDITION, "0")]
        elif expr.type is not None:
            candidates = [simplest(expr.type)]
        else:
            return []
        reachable = list(expr.kids)
        for kid in reachable:  # grandchildren too: they may have the type that the kids have not
            reachable += kid.kids
            if len(reachable) > 40:
                break
        return candidates + [kid for kid in reachable if kid.type == expr.type]
