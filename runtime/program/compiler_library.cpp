// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/compiler_library.h"

#include "runtime/core/options.h"
#include "runtime/core/process.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::compiler_library {
namespace {

constexpr std::string_view kWithFrontend = "libheddle-compiler.so";
constexpr std::string_view kBackend = "libheddle-backend.so";

// Of the library that stands beside libheddle.so.
std::string path_beside_driver(std::string_view name) {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&path_beside_driver), &info);
  const std::string self = info.dli_fname ? info.dli_fname : "";
  const auto slash = self.rfind('/');
  return (slash == std::string::npos ? std::string() : self.substr(0, slash + 1)) +
         std::string(name);
}

// Neither path is destroyed: builds may go on while the process exits.
const std::string& compiler_path() {
  static const std::string& path = *new std::string(
      options().COMPILER.empty() ? path_beside_driver(kWithFrontend) : options().COMPILER);
  return path;
}

// Empty if there is none.
const std::string& backend_path() {
  static const std::string& path = *new std::string([] {
    auto beside = options().COMPILER.empty() ? path_beside_driver(kBackend) : std::string();
    return access(beside.c_str(), R_OK) == 0 ? beside : std::string();
  }());
  return path;
}

// The executable segment that contains the address.
fault_guard::CodeRange code_around(const void* address) {
  struct Search {
    std::uintptr_t address;
    fault_guard::CodeRange found;
  } search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        auto& search = *static_cast<Search*>(context);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const auto first = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) && search.address >= first &&
              search.address - first < segment.p_memsz)
            search.found = {first, first + segment.p_memsz};
        }
        return search.found.end != 0 ? 1 : 0;
      },
      &search);
  return search.found;
}

// See stop_at_exit().
std::atomic<void (*)()> stop_hook{nullptr};

void run_stop_hook() noexcept { stop_hook.load()(); }

const Library* open(const std::string& path) {
  auto* result = new Library;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Handlers run in the reverse order, and opening the library has registered its destructors.
  if (stop_hook.load())
    process::at_exit<run_stop_hook>();
  if (!handle) {
    result->error = dlerror();
    return result;
  }
  using Entry = const heddle_compiler_api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, "heddle_compiler_get_api"));
  if (!entry || entry()->api_version != HEDDLE_COMPILER_API_VERSION)
    result->error = path + " is not the compiler of this version of Heddle";
  else
    result->api = entry();
  result->code = code_around(reinterpret_cast<const void*>(entry));
  return result;
}

std::atomic<bool> compiler_is_open{false};

const Library& compiler() {
  static const Library& opened = *open(compiler_path());
  compiler_is_open.store(true, std::memory_order_relaxed);
  return opened;
}

const Library& backend() {
  static const Library& opened = *open(backend_path());
  return opened;
}

std::string describe(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return "none";
  return std::to_string(status.st_size) + "/" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace

const Library& library(bool compiles_source) {
  if (compiles_source || backend_path().empty() || compiler_is_open.load(std::memory_order_relaxed))
    return compiler();
  return backend().api != nullptr ? backend() : compiler();
}

void stop_at_exit(void (*stop)()) noexcept {
  stop_hook.store(stop);
  process::at_exit<run_stop_hook>();
}

const std::string& identity() {
  static const std::string& text =
      *new std::string(std::string(HEDDLE_VERSION) + "/" + describe(compiler_path()) + "/" +
                       describe(backend_path()));
  return text;
}

} // namespace heddle::compiler_library
