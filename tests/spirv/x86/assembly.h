// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What inline_assembly_test.cpp does in instructions of the target: code and constraints of LLVM.
#pragma once

namespace heddle::test {

struct Assembly {
  const char *code, *constraints;
};
constexpr const char* kArchitecture = "x86";
constexpr const char* kTriple = "x86_64-pc-linux-gnu";
constexpr const char* kFlags = "flags"; // what clobbers call them

constexpr Assembly kAddFourTimes = {"leal ($1,$2,4), $0", "=r,r,r,~{dirflag},~{fpsr},~{flags}"};
constexpr Assembly kDivide = {"cltd; idivl $2", "={ax},{ax},r,~{edx},~{flags}"};
constexpr Assembly kAddAtomically = {"lock addl $1, ($0)", "r,ir"};
constexpr Assembly kMultiplyMemory = {"imull $2, $1, $0", "=r,*m,i,~{flags}"};
constexpr const char* kMove = "movl $1, $0";
constexpr const char* kUnknownConstraints[] = {"=w,r", "=r,rw"}; // w
constexpr const char* kUnknownInstruction =
    "invalid instruction mnemonic 'frobnicate'"; // the assembler's message

} // namespace heddle::test
