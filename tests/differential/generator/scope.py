# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What code may use and do at a position in a kernel."""
from dataclasses import dataclass, field, replace


@dataclass
class Var:
    name: str
    type: object
    uniform: bool = False   # the same in all work-items of a group
    writable: bool = True


@dataclass
class Scope:
    """`cost` is how often this place is passed; `uniform` says that all work-items of a group pass it
    together; `barriers` that a barrier may stand here."""
    variables: list = field(default_factory=list)
    memories: list = field(default_factory=list)
    flags: list = field(default_factory=list)  # of bool variables: (name, whether uniform)
    cost: int = 1
    depth: int = 0
    uniform: bool = True
    barriers: bool = False
    loop: bool = False       # `continue` may stand here
    breakable: bool = False  # `break` may stand here
    exits: tuple = ()        # labels behind the loops around, for who leaves several at once
    may_return: bool = False
    helper: object = None    # the type that a helper function returns
    written: frozenset = frozenset()  # shared memories being written: not to be read

    def inner(self, **changes):
        """The scope of a nested block."""
        changes.setdefault("depth", self.depth + 1)
        return replace(self, variables=list(self.variables), memories=list(self.memories),
                       flags=list(self.flags), **changes)

    def inside(self, uniform, **changes):
        """A nested block that all pass together, or each for itself. Where others go on to a barrier,
        nobody leaves alone."""
        changes.setdefault("loop", self.loop)
        changes.setdefault("breakable", self.breakable)
        if not (uniform and self.uniform):
            changes["uniform"] = False
            changes["barriers"] = False
        if self.barriers and not changes.get("barriers", True):
            changes["may_return"] = False
            changes.setdefault("exits", ())
            if not changes.pop("own_loop", False):
                changes["loop"] = changes["breakable"] = False
        changes.pop("own_loop", None)
        return self.inner(**changes)
