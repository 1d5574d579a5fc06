// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of `heddle`. Each takes the arguments after its name and returns the exit status: 0
// for success, 1 for failure, 2 for invalid arguments.
#pragma once

#include <span>

namespace heddle::command {

// [--local=64x4] FILE.cl [-- BUILD OPTIONS]: builds the file like clBuildProgram and prints how
// each kernel was compiled: for any local size, or for one. Build errors go to standard error.
int explain(std::span<char*> words);

// [--markdown]: prints every environment variable that Heddle reads, with its value and
// description; with --markdown, the table of docs/environment.md.
int environment(std::span<char*> words);

// Prints what HEDDLE_TUNE found, from the cache: for each kernel and local size the variant that
// the compiler chose, the fastest one, and the others that were compared.
int tuned(std::span<char*> words);

// Prints the name and the description of every pass of the compiler (compiler/passes.def).
int passes(std::span<char*> words);

// [--json] [--loader LIBRARY]: what a user needs when it does not work: loader, drivers, CPU,
// threads, cache and memory, each with what to do. 1 if there is a problem.
int doctor(std::span<char*> words);

// [--counters LIST] [--json FILE] [--csv FILE] [--html FILE] [--no-roofline] PROGRAM...: runs the
// program, prints on standard error what each of its kernels took and did, and writes the files.
// The exit status is the program's.
int profile(std::span<char*> words);

// [--again]: prints what the machine can do, from the cache unless it is to be measured again.
int roofline(std::span<char*> words);

// [--if-due]: measures which instructions are slow on this CPU, prints it, and keeps it for the
// compiler (runtime/program/target_cpu.h). --if-due: only if that is to be done.
int calibrate(std::span<char*> words);

// Prints the path of the driver that belongs to this command: what an .icd file holds.
int icd(std::span<char*> words);

// merge -o FILE TRACE...: writes the traces of several processes, perhaps of several machines, as
// one, whose times are those of the first one's clock.
int trace(std::span<char*> words);

// LIBRARY: what processes that exit start (runtime/program/build_helper.h); not for users.
int finish_builds(std::span<char*> words);

} // namespace heddle::command
