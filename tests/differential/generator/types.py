# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of OpenCL C that kernels compute with."""
from typing import NamedTuple

_BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32,
         "long": 64, "ulong": 64, "half": 16, "float": 32, "double": 64}
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")


class Type(NamedTuple):
    base: str
    n: int = 1

    def __str__(self):
        return self.base if self.n == 1 else f"{self.base}{self.n}"

    @property
    def bits(self):
        return _BITS[self.base]

    @property
    def size(self):
        """Bytes in memory: three components have the size of four."""
        return self.bits // 8 * (4 if self.n == 3 else self.n)

    @property
    def real(self):
        return self.base in ("half", "float", "double")

    @property
    def integer(self):
        return not self.real

    @property
    def signed(self):
        return self.integer and self.base[0] != "u"

    @property
    def scalar(self):
        return Type(self.base)

    @property
    def vector(self):
        return self.n > 1

    def of(self, n):
        return Type(self.base, n)

    @property
    def as_unsigned(self):
        return Type({8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}[self.bits], self.n)

    @property
    def as_signed(self):
        return Type({8: "char", 16: "short", 32: "int", 64: "long"}[self.bits], self.n)


UINT = Type("uint")
INT = Type("int")
ULONG = Type("ulong")


def same_size(type_):
    """Bases of the same number of bits."""
    return [base for base, bits in _BITS.items() if bits == type_.bits]
