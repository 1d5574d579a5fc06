// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/ranks.h"

#include "runtime/device/cpu_list.h"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unistd.h>

namespace heddle {
namespace {

// Where several launchers speak, as under mpirun within a Slurm step, the one that started the
// process comes first.
constexpr struct {
  const char* size;
  const char* rank;
} kLaunchers[] = {{"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
                  {"MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_RANK"},
                  {"MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
                  {"JSM_NAMESPACE_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_RANK"}};
constexpr unsigned kMaxRanks = 1u << 16;
constexpr int kMaxAncestors = 16; // wrapper scripts between the launcher and the process

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMaxRanks)
    return std::nullopt;
  return value;
}

std::optional<unsigned> number(const char* text) {
  return text ? number(std::string_view(text)) : std::nullopt;
}

// SLURM_STEP_TASKS_PER_NODE: "2(x3),1" is two tasks on each of three nodes and one on the fourth.
std::optional<unsigned> tasks_of_node(std::string_view list, unsigned node) {
  while (!list.empty()) {
    auto entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    unsigned repeat = 1;
    if (const auto open = entry.find("(x"); open != std::string_view::npos) {
      if (!entry.ends_with(')'))
        return std::nullopt;
      const auto times = number(entry.substr(open + 2, entry.size() - open - 3));
      if (!times)
        return std::nullopt;
      repeat = *times;
      entry = entry.substr(0, open);
    }
    if (node < repeat)
      return number(entry);
    node -= repeat;
  }
  return std::nullopt;
}

int parent_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("PPid:"))
      return std::atoi(line.c_str() + 5);
  return 0;
}

} // namespace

LocalRanks read_local_ranks(const Environment& environment, unsigned wanted) {
  LocalRanks ranks;
  for (const auto& launcher : kLaunchers) {
    const auto size = number(environment(launcher.size));
    const auto rank = number(environment(launcher.rank));
    if (!size || *size == 0 || !rank || *rank >= *size)
      continue;
    ranks = {*size, *rank, std::string(launcher.size) + "=" + std::to_string(*size)};
    break;
  }
  if (ranks.variable.empty()) {
    // Only srun sets the list of its step; in a batch script there is none.
    const char* list = environment("SLURM_STEP_TASKS_PER_NODE");
    const auto rank = number(environment("SLURM_LOCALID"));
    const auto node = number(environment("SLURM_NODEID"));
    const auto size = list && node ? tasks_of_node(list, *node) : std::nullopt;
    if (size && *size != 0 && rank && *rank < *size)
      ranks = {*size, *rank, std::string("SLURM_STEP_TASKS_PER_NODE=") + list};
  }
  if (wanted != 0)
    ranks = {wanted, ranks.rank % wanted, "HEDDLE_LOCAL_RANKS=" + std::to_string(wanted)};
  return ranks;
}

std::optional<unsigned> launcher_processors(const LocalRanks& ranks) {
  const auto name = ranks.variable.substr(0, ranks.variable.find('='));
  int process = getppid();
  for (int i = 0; i < kMaxAncestors && process > 1; ++i, process = parent_of(process)) {
    std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
    const std::string variables((std::istreambuf_iterator<char>(file)),
                                std::istreambuf_iterator<char>());
    if (variables.empty()) // not ours to read
      return std::nullopt;
    const bool is_rank =
        variables.starts_with(name + "=") || variables.find('\0' + name + "=") != std::string::npos;
    if (is_rank)
      continue;
    const auto cpus = affinity_cpus(process);
    return cpus.empty() ? std::nullopt : std::optional(static_cast<unsigned>(cpus.size()));
  }
  return std::nullopt;
}

} // namespace heddle
