// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/source_lines.h"

#include "compiler/interface/line_table.h"
#include "runtime/program/files.h"
#include "tools/heddle/installation.h"

#include <cstdio>
#include <dlfcn.h>
#include <vector>

namespace heddle {
namespace {

decltype(&heddle_find_lines) open_line_tables() {
  const auto& path = command::installation().compiler;
  void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library ? dlsym(library, "heddle_find_lines") : nullptr;
  if (!function)
    std::fprintf(stderr, "heddle profile: no source lines: %s\n",
                 path.empty() ? "libheddle-compiler.so is not there" : dlerror());
  return reinterpret_cast<decltype(&heddle_find_lines)>(function);
}

void add(SourceLines& lines, const profile::UnitSamples& samples) {
  static const auto find_lines = open_line_tables();
  const auto file = find_lines ? files::read(samples.unit) : std::nullopt;
  if (!file)
    return;
  std::vector<std::uint64_t> offsets;
  for (const auto& [offset, count] : samples.counts)
    offsets.push_back(offset);
  struct Found {
    SourceLines& lines;
    const profile::UnitSamples& samples;
  } found{lines, samples};
  const heddle_blob unit{file->data(), file->size()};
  (void)find_lines(
      &unit, offsets.data(), offsets.size(),
      [](void* context, std::size_t index, const char* name, std::uint32_t line) {
        auto& [to, from] = *static_cast<Found*>(context);
        to.at[{name, line}] += from.counts[index].second;
      },
      &found);
}

} // namespace

SourceLines find_source_lines(const profile::KernelTimes& kernel) {
  SourceLines lines;
  for (const auto& samples : kernel.samples) {
    for (const auto& [offset, count] : samples.counts)
      lines.samples += count;
    if (!samples.unit.empty())
      add(lines, samples);
  }
  return lines;
}

} // namespace heddle
