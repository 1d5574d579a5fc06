# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that stand as strings in C++ sources."""
import ast
import re

_TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*)
  | (?P<raw>R"(?P<mark>[^\s()\\]{0,16})\((?P<body>.*?)\)(?P=mark)")
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<name>[A-Za-z_][\w:]*)
  | (?P<other>.)""", re.X | re.S | re.M)
_KERNEL = re.compile(r"\b(?:__)?kernel\s+(?:__attribute__.*?\)\)\s*)?void\b", re.S)


class _Text(str):
    """A string literal's content."""


def _tokens(source):
    """Literals as _Text, neighbors joined; all else as str."""
    tokens = []
    for match in _TOKEN.finditer(source):
        if match["skip"]:
            continue
        if match["raw"]:
            token = _Text(match["body"])
        elif match["string"]:
            try:
                token = _Text(ast.literal_eval("b" + match["string"]).decode())
            except (SyntaxError, ValueError):
                token = match["string"]
        else:
            token = match[0]
        if isinstance(token, _Text) and tokens and isinstance(tokens[-1], _Text):
            tokens[-1] = _Text(tokens[-1] + token)
        else:
            tokens.append(token)
    return tokens


def kernels(source):
    """The programs in `source`: literals and sums of literals and named literals of the same file that define a
    kernel, in the order of the file. Sums with anything else are left out, since their text is not known here."""
    tokens = _tokens(source)
    named = {}
    for i, token in enumerate(tokens):  # NAME = "..."; or NAME[] = "...";
        if isinstance(token, _Text) and i > 2 and tokens[i - 1] == "=" and tokens[i + 1:i + 2] == [";"]:
            named[tokens[i - 4] if tokens[i - 2] == "]" else tokens[i - 2]] = token
    i = 0
    while i < len(tokens):
        begin, text, complete = i, "", True
        while i < len(tokens):
            term = tokens[i]
            if tokens[i:i + 2] == ["std::string", "("] and isinstance(tokens[i + 2], _Text) and tokens[i + 3] == ")":
                term, i = tokens[i + 2], i + 3
            if not isinstance(term, _Text):
                term = named.get(term)
            if term is None:
                complete = False
            else:
                text += term
            i += 1
            if tokens[i:i + 1] != ["+"]:
                break
            i += 1
        if complete and _KERNEL.search(text) and (begin == 0 or tokens[begin - 1] != "+"):
            # A name alone is a use of a program that has been found where it is defined.
            if i - begin > 1 or isinstance(tokens[begin], _Text):
                yield text
