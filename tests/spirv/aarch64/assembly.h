// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What inline_assembly_test.cpp does in instructions of the target: code and constraints of LLVM.
#pragma once

namespace heddle::test {

struct Assembly {
  const char *code, *constraints;
};
constexpr const char* kArchitecture = "aarch64";
constexpr const char* kTriple = "aarch64-unknown-linux-gnu";
constexpr const char* kFlags = "cc"; // what clobbers call them

constexpr Assembly kAddFourTimes = {"add ${0:w}, ${1:w}, ${2:w}, lsl #2", "=r,r,r"};
constexpr Assembly kDivide = {"sdiv ${0:w}, ${1:w}, ${2:w}", "={w0},{w0},r"};
constexpr Assembly kAddAtomically = {
    "1: ldxr w9, [$0]; add w9, w9, ${1:w}; stxr w10, w9, [$0]; cbnz w10, 1b", "r,r,~{x9},~{x10}"};
constexpr Assembly kMultiplyMemory = {"ldr w9, $1; mov w10, $2; mul ${0:w}, w9, w10",
                                      "=r,*m,i,~{x9},~{x10}"};
constexpr const char* kMove = "mov ${0:w}, ${1:w}";
constexpr const char* kUnknownConstraints[] = {"=t,r", "=r,rt"}; // t
constexpr const char* kUnknownInstruction =
    "unrecognized instruction mnemonic"; // the assembler's message

} // namespace heddle::test
