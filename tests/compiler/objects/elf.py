# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is compared of a compiled program: its code and constants, not its debug info or the names of its symbols."""
import hashlib
import struct

# Of the sections that are loaded, those that hold names, and what follows from names and from the rest.
_NOT_COMPARED = (".note.", ".dynsym", ".dynstr", ".gnu.hash", ".gnu.version", ".dynamic", ".relro_padding")
_ALLOC, _NOBITS, _SYMTAB, _FUNC = 2, 8, 2, 2


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def _sections(image):
    """(name, type, flags, address, size, link, bytes) of each section of a 64-bit little-endian ELF file."""
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit ELF file")
    offset, = struct.unpack_from("<Q", image, 0x28)
    entry, count, names_index = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, offset + i * entry) for i in range(count)]
    names_at = headers[names_index][4]
    for name, kind, flags, address, at, size, link, *_ in headers:
        start = names_at + name
        text = image[start:image.index(b"\0", start)].decode()
        yield text, kind, flags, address, size, link, b"" if kind == _NOBITS else image[at:at + size]


def summary(image):
    """{"sections": {name: [size, digest]}, "functions": [[name, size, digest], ...] by address}."""
    sections = list(_sections(image))
    compared, functions = {}, []
    for name, _, flags, _, size, _, data in sections:
        if flags & _ALLOC and not name.startswith(_NOT_COMPARED):
            compared[name] = [size, digest(data)]
    for _, kind, _, _, _, link, data in sections:
        if kind != _SYMTAB:
            continue
        names = sections[link][6]
        for name, info, _, index, value, size in struct.iter_unpack("<IBBHQQ", data):
            if info & 15 == _FUNC and 0 < index < len(sections):
                code, start = sections[index][6], value - sections[index][3]
                text = names[name:names.index(b"\0", name)].decode()
                functions.append((value, [text, size, digest(code[start:start + size])]))
    return {"sections": compared, "functions": [function for _, function in sorted(functions)]}
