# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that every work-item may read at any index, and private arrays. A memory has `gives(type)`,
`readable(scope, uniform)` and `read(gen, scope, uniform, type)`."""
from .literals import literal
from .tree import Expr, Stmt
from .types import Type

# Of the channels of images.
IMAGE_BASES = ("char", "uchar", "short", "ushort", "int", "uint", "float")


class InBuffer:
    """A read-only global or constant buffer; `count` is a power of two and more than four
    times what an id can be, so that plain ids need no mask."""

    def __init__(self, name, type_, count, ids):
        self.name, self.type, self.count = name, type_, count
        self.ids = ids  # names that are below a fourth of count; none in helpers
        self.restrict = ""

    @property
    def declaration(self):
        """As a parameter."""
        const = "const " if self.space == "global" else ""
        return f"{self.space} {const}{self.type}*{self.restrict} {self.name}"

    def gives(self, type_):
        return type_ == self.type or not self.type.vector and type_.base == self.type.base

    def readable(self, scope, uniform):
        return True

    def index(self, gen, scope, uniform, count):
        rng = gen.rng
        if uniform or scope.helper or count != self.count or not self.ids or rng.random() < 0.35:
            return gen.index(scope, count, uniform)
        id_ = rng.choice(self.ids)
        cast = rng.choice(("{}", "(int){}", "(size_t){}", "{}", "(long){}"))
        id_ = cast.format(id_)
        shape = rng.randrange(7)
        if shape == 0:
            return Expr(None, f"{id_} + {rng.randrange(1, 8)}")
        if shape == 1:
            return Expr(None, f"{count - 1} - {id_}")
        if shape == 2:
            return Expr(None, f"{id_} * {rng.choice((2, 3, 4))} + {rng.randrange(4)}")
        if shape == 3:  # beside what a small number says
            return Expr(None, f"{id_} + {{0}}", gen.index(scope, 16, True))
        return Expr(None, id_)

    def read(self, gen, scope, uniform, type_):
        if self.gives(type_) and type_ != self.type:
            n = type_.n
            if gen.rng.random() < 0.5 or scope.helper or uniform or not self.ids:
                # vload3 steps by three, so that a fourth of the elements is surely there
                index = gen.index(scope, self.count // (4 if n == 3 else n), uniform)
                return Expr(type_, f"vload{n}({{0}}, {self.name})", index)
            id_ = gen.rng.choice(self.ids)
            step = gen.rng.choice((1, 2, n)) if n <= 4 else 1
            offset = gen.rng.randrange(4)
            return Expr(type_, f"vload{n}(0, {self.name} + {id_} * {step} + {offset})")
        text = f"{self.name}[{{0}}]"
        if gen.rng.random() < 0.06:
            text = f"*((volatile global const {self.type}*){self.name} + {{0}})" if self.name[0] == "i" else text
        return Expr(self.type, f"({text})", self.index(gen, scope, uniform, self.count))


class InImage(InBuffer):
    """A read-only image of rows of 64 pixels, or a buffer in its place (IMAGES_AS_BUFFERS)."""

    space = "image"

    @property
    def declaration(self):
        return f"IMAGE({self.type}) {self.name}"

    def gives(self, type_):
        return type_ == self.type

    def read(self, gen, scope, uniform, type_):
        return Expr(self.type, f"pixel_{self.type}({self.name}, (uint)({{0}}))",
                    self.index(gen, scope, uniform, self.count))


class HalfBuffer(InBuffer):
    """Halves that are only loaded as floats."""

    space = "global"

    @property
    def declaration(self):
        return f"global const half*{self.restrict} {self.name}"

    def __init__(self, name, count, ids):
        super().__init__(name, Type("float"), count, ids)

    def gives(self, type_):
        return type_.base == "float"

    def read(self, gen, scope, uniform, type_):
        n = type_.n if type_.base == "float" else 1
        if n == 1:
            return Expr(Type("float"), f"vload_half({{0}}, {self.name})",
                        self.index(gen, scope, uniform, self.count))
        index = gen.index(scope, self.count // (4 if n == 3 else n), uniform)
        name = f"vload_half{n}"
        if gen.rng.random() < 0.3:
            name = f"vloada_half{n}"
        return Expr(type_.of(n), f"{name}({{0}}, {self.name})", index)


class Table:
    """A program-scope constant array."""

    def __init__(self, name, type_, count):
        self.name, self.type, self.count = name, type_, count

    def declaration(self, rng):
        values = ", ".join(str(literal(rng, self.type)) for _ in range(self.count))
        return f"constant {self.type} {self.name}[{self.count}] = {{{values}}};\n"

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return True

    def read(self, gen, scope, uniform, type_):
        return Expr(self.type, f"{self.name}[{{0}}]", gen.index(scope, self.count, uniform))


class PrivateArray:
    """An array of each work-item."""

    def __init__(self, name, type_, count, rows=1, qualifier=""):
        self.name, self.type, self.count, self.rows = name, type_, count, rows
        self.qualifier = qualifier

    def declare(self, gen, scope):
        dims = f"[{self.rows}][{self.count}]" if self.rows > 1 else f"[{self.count}]"
        if self.rows == 1 and self.count <= 4 and gen.rng.random() < 0.5:
            values = [gen.expression(self.type, scope, 1) for _ in range(self.count)]
            places = ", ".join(f"{{{i}}}" for i in range(self.count))
            return Stmt([f"{self.qualifier}{self.type} {self.name}{dims} = {{{{{places}}}}};"], values)
        first = gen.expression(self.type, scope, 1)
        step = literal(gen.rng, self.type)
        store = f"{self.name}[i] = a;"
        if self.rows > 1:
            store = f"for (int j = 0; j < {self.rows}; ++j) {self.name}[j][i] = a;"
        change = "a = a + {1}" if not self.type.signed else "a = a ^ {1}"
        return Stmt([f"{self.qualifier}{self.type} {self.name}{dims};",
                     f"{{{{ {self.type} a = {{0}};",
                     f"  for (int i = 0; i < {self.count}; ++i) {{{{ {store} {change}; }}}} }}}}"],
                    [first, step])

    def gives(self, type_):
        return type_ == self.type

    def readable(self, scope, uniform):
        return not uniform

    def element(self, gen, scope):
        rows = [gen.index(scope, self.rows, False)] if self.rows > 1 else []
        places = "[{0}][{1}]" if rows else "[{0}]"
        return Expr(self.type, f"{self.name}{places}", *rows, gen.index(scope, self.count, False))

    def read(self, gen, scope, uniform, type_):
        if self.rows == 1 and not self.type.vector and self.count >= 4 and not self.qualifier and gen.rng.random() < 0.15:
            return Expr(self.type.of(4), f"vload4({{0}}, {self.name})",
                        gen.index(scope, self.count // 4, False))
        return self.element(gen, scope)

    def write(self, gen, scope):
        place = self.element(gen, scope)
        return Stmt(["{0} = {1};"], [Expr(None, "{0}", place), gen.expression(self.type, scope)])
