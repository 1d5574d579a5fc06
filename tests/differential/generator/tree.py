# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as trees of templates, so that the reducer can remove parts and print the rest."""
CONDITION = "condition"


class Expr:
    """An expression: {0}, {1} ... in `template` stand for `kids`. `type` is CONDITION where only true
    or false matters, and None for what no other expression may replace, such as a masked index."""
    __slots__ = ("type", "template", "kids")

    def __init__(self, type_, template, *kids):
        self.type = type_
        self.template = template
        self.kids = list(kids)

    def __str__(self):
        return self.template.format(*self.kids) if self.kids else self.template


class Stmt:
    """A statement: {0} ... in a line stand for `exprs` and doubled braces for
    braces; a line `@0` is replaced by block 0. `fixed` ones stay; of those that are `hollow` a block
    may take the place of the whole."""
    __slots__ = ("lines", "exprs", "blocks", "fixed", "hollow")

    def __init__(self, lines, exprs=(), blocks=(), fixed=False, hollow=False):
        self.lines = [lines] if isinstance(lines, str) else list(lines)
        self.exprs = list(exprs)
        self.blocks = list(blocks)
        self.fixed = fixed
        self.hollow = hollow

    def text(self, depth):
        pieces = []
        for line in self.lines:
            if line.startswith("@"):
                pieces.append(block_text(self.blocks[int(line[1:])], depth + 1))
            else:
                pieces.append("  " * depth + line.format(*self.exprs) + "\n")
        return "".join(pieces)


def block_text(block, depth):
    return "".join(statement.text(depth) for statement in block)


class Function:
    """A helper function or a kernel; `head` is everything before the body."""

    def __init__(self, head, body):
        self.head = head
        self.body = body

    def __str__(self):
        return f"{self.head} {{\n{block_text(self.body, 1)}}}\n"


class KernelTree:
    """One kernel with what it needs and how it is launched."""

    def __init__(self, name):
        self.name = name
        self.declarations = []  # of struct types and constant tables: text
        self.functions = []     # helpers before the kernel
        self.attribute = ""
        self.parameters = []    # of the kernel: text, and what the runner passes
        self.body = []
        self.launch = None      # launches.Launch

    def text(self):
        directives = [f"//! kernel {self.name} {self.launch}\n"]
        directives += [f"//! arg {argument}\n" for _, argument in self.parameters]
        parameters = ", ".join(parameter for parameter, _ in self.parameters)
        kernel = Function(f"{self.attribute}kernel void {self.name}({parameters})", self.body)
        return "".join(directives + self.declarations + [str(f) for f in self.functions] + [str(kernel)])
