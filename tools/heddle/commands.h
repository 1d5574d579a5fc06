// The commands of `heddle`. Each takes the words behind its name and returns the exit status: 0,
// 1 if what was asked for failed, 2 if the words make no sense.
#pragma once

#include <span>

namespace heddle::command {

// FILE.cl [-- BUILD OPTIONS]: builds the file as clBuildProgram would and prints what became of
// each kernel. Build errors go to standard error.
int explain(std::span<char*> words);

// Prints every environment variable that Heddle reads, its value and what it does.
int environment(std::span<char*> words);

// [--json] [--loader LIBRARY]: what a user needs when it does not work: loader, drivers, CPU,
// threads, cache and memory, each with what to do. 1 if there is a problem.
int doctor(std::span<char*> words);

// Prints the path of the driver that belongs to this command: what an .icd file holds.
int icd(std::span<char*> words);

} // namespace heddle::command
