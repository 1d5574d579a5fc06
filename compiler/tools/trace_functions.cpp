// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the functions that a program calls, in the order of their first calls, for the linker's
// --symbol-ordering-file: a process then touches few pages of a large library's code.
//
//   heddle_trace_functions OUTPUT PROGRAM [ARGUMENT...]
//
// Runs the program, a position-independent executable with symbols, with a breakpoint on each of
// its functions, which is removed at the first call.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::uint8_t kBreakpoint = 0xcc; // int3

struct Function {
  std::vector<std::string> names; // aliases share an address
  std::uint8_t first_byte = 0;
  bool seen = false;
};
using Functions = std::unordered_map<std::uint64_t, Function>; // by address in the file

// The functions in the symbol table of an ELF file.
Functions read_functions(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    throw std::runtime_error(path + " is not an ELF file");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.e_type != ET_DYN)
    throw std::runtime_error(path + " is not position-independent");
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (header.e_shoff + sections.size() * sizeof(Elf64_Shdr) > bytes.size())
    throw std::runtime_error(path + " is cut short");
  std::memcpy(sections.data(), bytes.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  Functions functions;
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB)
      continue;
    const char* names = bytes.data() + sections.at(section.sh_link).sh_offset;
    for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes.data() + section.sh_offset + at, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 ||
          symbol.st_shndx >= sections.size() ||
          (sections[symbol.st_shndx].sh_flags & SHF_EXECINSTR) == 0)
        continue;
      functions[symbol.st_value].names.emplace_back(names + symbol.st_name);
    }
  }
  if (functions.empty())
    throw std::runtime_error(path + " has no symbols");
  return functions;
}

// The load address of the program's first segment.
std::uint64_t load_address(pid_t process, const std::string& path) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  char* real = realpath(path.c_str(), nullptr);
  const std::string name = real != nullptr ? real : path;
  std::free(real);
  for (std::string line; std::getline(maps, line);)
    if (line.size() > name.size() && line.ends_with(name))
      return std::stoull(line, nullptr, 16);
  throw std::runtime_error("the program is not mapped");
}

class Tracer {
 public:
  Tracer(pid_t process, const std::string& path)
      : process_(process), functions_(read_functions(path)), base_(load_address(process, path)),
        memory_(open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDWR | O_CLOEXEC)) {
    if (memory_ < 0)
      throw std::runtime_error("the program's memory cannot be opened");
    for (auto& [address, function] : functions_) {
      access(pread, address, function.first_byte);
      access(pwrite, address, kBreakpoint);
    }
  }
  ~Tracer() { close(memory_); }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // Runs the program to its end; returns its exit status.
  int run() {
    int signal = 0;
    for (;;) {
      if (ptrace(PTRACE_CONT, process_, nullptr, signal) != 0)
        throw std::runtime_error("the program cannot be continued");
      int status = 0;
      if (waitpid(process_, &status, 0) != process_)
        throw std::runtime_error("the program is gone");
      if (WIFEXITED(status))
        return WEXITSTATUS(status);
      if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
      signal = WSTOPSIG(status);
      if (signal == SIGTRAP && pass_breakpoint())
        signal = 0;
    }
  }

  const std::vector<const Function*>& calls() const { return calls_; }

 private:
  template <typename Call, typename Byte>
  void access(Call call, std::uint64_t address, Byte& byte) {
    if (call(memory_, &byte, 1, static_cast<off_t>(base_ + address)) != 1)
      throw std::runtime_error("the program's memory cannot be reached");
  }

  bool pass_breakpoint() {
    user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, process_, nullptr, &registers) != 0)
      return false;
    const auto found = functions_.find(registers.rip - 1 - base_);
    if (found == functions_.end())
      return false;
    auto& function = found->second;
    if (!function.seen) {
      function.seen = true;
      calls_.push_back(&function);
      access(pwrite, found->first, function.first_byte);
    }
    --registers.rip;
    return ptrace(PTRACE_SETREGS, process_, nullptr, &registers) == 0;
  }

  pid_t process_;
  Functions functions_;
  std::uint64_t base_;
  int memory_;
  std::vector<const Function*> calls_;
};

// Another name for the working directory, as long in every build; LLVM takes it from PWD.
class ShortName {
 public:
  ShortName() {
    char name[40];
    std::snprintf(name, sizeof name, "/tmp/heddle-order-%010d", static_cast<int>(getpid()));
    char here[4096];
    if (getcwd(here, sizeof here) != nullptr && symlink(here, name) == 0)
      name_ = name;
    variable_ = std::string("PWD=") + name;
  }
  ~ShortName() {
    if (!name_.empty())
      unlink(name_.c_str());
  }
  ShortName(const ShortName&) = delete;
  ShortName& operator=(const ShortName&) = delete;
  char* variable() { return variable_.data(); }

 private:
  std::string name_; // empty: none could be made, and none is found
  std::string variable_;
};

int trace(const char* output, char** command) {
  ShortName folder;
  const pid_t process = fork();
  if (process == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    // The same order in every run: LLVM iterates over some tables in the order of addresses, which
    // also depend on the lengths of strings. Where randomization cannot be turned off, builds
    // differ from each other in the order of a few functions.
    personality(ADDR_NO_RANDOMIZE);
    char* environment[] = {folder.variable(), nullptr};
    execve(command[0], command, environment);
    _exit(127);
  }
  int status = 0;
  if (process < 0 || waitpid(process, &status, 0) != process || !WIFSTOPPED(status))
    throw std::runtime_error("the program cannot be traced");
  ptrace(PTRACE_SETOPTIONS, process, nullptr, PTRACE_O_EXITKILL);
  Tracer tracer(process, command[0]);
  if (const int failed = tracer.run())
    throw std::runtime_error("the program ended with " + std::to_string(failed));
  std::ofstream list(output);
  for (const auto* function : tracer.calls())
    for (const auto& name : function->names)
      list << name << '\n';
  list.close();
  return list ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s OUTPUT PROGRAM [ARGUMENT...]\n", argv[0]);
    return 2;
  }
  try {
    return trace(argv[1], argv + 2);
  } catch (const std::exception& error) {
    // If ptrace is not permitted, the linker keeps its own order.
    std::fprintf(stderr, "%s: %s; the order is left to the linker\n", argv[0], error.what());
    return std::ofstream(argv[1]) ? 0 : 1;
  }
}
