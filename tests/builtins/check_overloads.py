#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the builtin library defines every builtin that Clang declares.

usage: check_overloads.py LLVM_BIN_DIR BUILTINS_BC [NAME_PREFIX...]

For each declaration of opencl-c.h a caller is compiled, as kernels are, with the declarations from
Clang's tables; the symbols it refers to must be in the library. A vector overload that is not
there counts as present if its scalar counterpart is, since the compiler expands such calls: the
name then has its vectors (Dv4_f) replaced by their components, and substitutions (S_) by what they
stand for. With name prefixes, only builtins whose name starts with one are checked.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

VERSIONS = ["CL1.2", "CL3.0"]
EXTENSIONS = ["cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"]

# Families that are not the library's: the compiler's own, and those of images, pipes, device
# queues, collectives and vendors.
FOREIGN = re.compile(
    r"get_(work_dim|global_|local_|enqueued_|num_|group_id|sub_group|max_sub|image|default|fence)"
    r"|barrier|work_group_|sub_group_|intel_|amd_|arm_|read_image|write_image|enqueue_|ndrange_"
    r"|create_user|is_valid_|retain_|release_|set_user|capture_|clock_read|to_(global|local|private)"
    r"|printf|__enable_if"
)


def declarations(clang, version):
    """Yields (name, return type, [parameter types]) of the builtins in opencl-c.h."""
    command = [clang, "--target=spir64-unknown-unknown", "-x", "cl", f"-cl-std={version}"]
    command += ["-cl-no-stdinc", "-Xclang", "-finclude-default-header", "-E", "-P", "/dev/null"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"#pragma[^\n]*", "", text)
    for statement in " ".join(text.split()).split(";"):
        if "overloadable" not in statement or "typedef" in statement:
            continue
        statement = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", " ", statement)
        match = re.fullmatch(r"\s*(.*?)\b(\w+)\s*\((.*)\)\s*", statement)
        if not match:
            continue
        result, name, parameters = (part.strip() for part in match.groups())
        types = [] if parameters in ("", "void") else [strip_name(p) for p in parameters.split(",")]
        yield name, result, types


def strip_name(parameter):
    """Removes a parameter's name, if it has one: "const int *p" and "size_t n", not "float4"."""
    parameter = parameter.strip()
    match = re.fullmatch(r"(.*[\s*])(\w+)", parameter)
    known = r"u?(char|short|int|long)\d*|(half|float|double)\d*|\w+_t|atomic_\w+|memory_\w+|cl_\w+"
    if match and not re.fullmatch(known, match.group(2)):
        return match.group(1)
    return parameter


def referenced(llvm, clang, version, functions, folder):
    """The undefined symbols of a module that calls each of the functions."""
    lines = [f"#pragma OPENCL EXTENSION {e} : enable" for e in EXTENSIONS]
    for number, (name, result, types) in enumerate(functions):
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(types)) or "void"
        call = f"{name}({', '.join(f'a{i}' for i in range(len(types)))})"
        lines.append(f"{result} caller_{number}({parameters}) {{ return {call}; }}")
    source, module = folder / f"{version}.cl", folder / f"{version}.bc"
    command = [clang, "--target=spir64-unknown-unknown", "-x", "cl", f"-cl-std={version}", "-O0"]
    command += ["-cl-no-stdinc", "-Xclang", "-finclude-default-header", "-Xclang"]
    command += ["-fdeclare-opencl-builtins", "-w", "-ferror-limit=0", "-emit-llvm", "-c"]
    source.write_text("\n".join(lines) + "\n")
    run = subprocess.run(command + [str(source), "-o", str(module)], capture_output=True, text=True)
    if run.returncode != 0:
        # The header declares a few overloads that Clang's tables, and so kernels, do not have.
        unknown = {int(n) for n in re.findall(r"\.cl:(\d+):\d+: error", run.stderr)}
        for number in sorted(unknown):
            print(f"{version}: not declared to kernels: {lines[number - 1]}")
            lines[number - 1] = ""
        source.write_text("\n".join(lines) + "\n")
        subprocess.run(command + [str(source), "-o", str(module)], check=True)
    return symbols(llvm, module, "--undefined-only")


def symbols(llvm, module, which):
    command = [f"{llvm}/llvm-nm", "--format=just-symbols", which, str(module)]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def scalar_name(symbol):
    """The scalar overload that a call of an elementwise vector overload is expanded to."""
    match = re.match(r"_Z(\d+)", symbol)
    if not match:
        return symbol
    length, start = int(match.group(1)), match.end()
    name, parameters = symbol[start : start + length], symbol[start + length :]
    name = re.sub(r"^(convert_[a-z]+)(2|3|4|8|16)(?=_|$)", r"\1", name)
    # Only vectors become substitutions here: pointers come last and are not repeated.
    vectors = re.findall(r"Dv\d+_(Dh|[a-z])", parameters)
    parameters = re.sub(r"Dv\d+_(?=Dh|[a-z])", "", parameters)
    for index, component in enumerate(vectors):
        parameters = parameters.replace("S_" if index == 0 else f"S{index - 1}_", component)
    return f"_Z{len(name)}{name}{parameters}"


def main():
    llvm, library = sys.argv[1], sys.argv[2]
    prefixes = tuple(sys.argv[3:])
    clang = f"{llvm}/clang"
    defined = symbols(llvm, library, "--defined-only")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for version in VERSIONS:
            functions = [f for f in declarations(clang, version) if not FOREIGN.match(f[0])]
            functions = [f for f in functions if not prefixes or f[0].startswith(prefixes)]
            needed = referenced(llvm, clang, version, functions, Path(folder))
            missing = sorted(s for s in needed if s not in defined and scalar_name(s) not in defined)
            print(f"{version}: {len(functions)} declarations, {len(needed)} symbols, "
                  f"{len(missing)} missing")
            for symbol in missing:
                print(f"  {symbol}")
            failures += len(missing)
            if len(needed) < len(functions) // 2:
                print("  too few symbols were referred to")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
