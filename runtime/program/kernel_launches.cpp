// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of a kernel: in which unit, and what they capture.
#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/program/kernel.h"
#include "runtime/program/launch_work.h"

#include <algorithm>

namespace heddle {
namespace {

bool has_whole_groups(const Program& program, const NDRange& range) {
  if (!program.allows_non_uniform_groups())
    return true;
  for (int d = 0; d < 3; ++d)
    if (range.global_size[d] % range.local_size[d] != 0)
      return false;
  return true;
}

// Whether small groups that run as one would fill sub-groups.
bool has_long_rows(const NDRange& range) {
  constexpr std::size_t kLongRow = 32;
  return is_small_row(range.local_size) && range.global_size[0] >= kLongRow &&
         range.global_size[0] % range.local_size[0] == 0;
}

// For each compute unit, of launches that begin in a plain unit.
constexpr std::uint64_t kLeastPlainGroups = 32;

// An image of so many bytes has hardly any code. The optimized build of each further byte takes
// some 20 us, in which plain code of one thread executes about twice as many instructions as this.
constexpr std::size_t kBytesWithoutCode = 4096;
constexpr double kWorkPerByte = 16'000;

// The work of a launch that costs clearly less in the plain unit, whose image has so many bytes,
// than a wait for the usual one.
double work_during_build(std::size_t bytes) {
  return kWorkPerByte * static_cast<double>(bytes - std::min(bytes, kBytesWithoutCode));
}

bool has_many_groups(const Device& device, const NDRange& range) {
  double groups = 1;
  for (int d = 0; d < 3; ++d) {
    const auto whole = range.global_size[d] / range.local_size[d];
    groups *= static_cast<double>(whole);
  }
  return groups >= static_cast<double>(kLeastPlainGroups * device.compute_units());
}

} // namespace

// What a launch of many groups can begin in before its unit is there: code without optimizations,
// of which one group for each thread costs little.
UnitChoice Kernel::begin_plain(const ForDevice& entry, KernelUnits& units,
                               const NDRange& range) const {
  if (has_pipes_ ||
      ((forces_form() || !has_many_groups(*entry.device, range)) && options().PLAIN_AFTER != 0))
    return {};
  {
    const std::lock_guard lock(mutex_);
    if (arguments_.overlap(program_->context().allocations()))
      return {};
  }
  return units.begin_plain(range.local_size);
}

// The same for a launch of little work, without waiting.
UnitChoice Kernel::begin_short(const ForDevice& entry, KernelUnits& units,
                               const NDRange& range) const {
  const double most = options().PLAIN_WORK;
  if (has_pipes_ || most == 0 || least_work(range) > most || forces_form())
    return {};
  const auto* plain = units.plain_for_short(range.local_size);
  if (!plain)
    return {};
  {
    const std::lock_guard lock(mutex_);
    const auto work =
        estimate_work(plain->work(), range, arguments_, has_many_groups(*entry.device, range));
    if (!work || *work > std::max(most, work_during_build(plain->file().payload.size())))
      return {};
  }
  return units.until_ready(*plain);
}

bool Kernel::may_run(const KernelMetadata& unit) const {
  if (unit.written_arguments.empty())
    return true;
  const std::lock_guard lock(mutex_);
  return !arguments_.overlap(program_->context().allocations(), &unit.written_arguments);
}

UnitChoice Kernel::choose_format_unit(const ForDevice& entry, const NDRange& range, bool overlap,
                                      std::atomic<std::uint64_t>*& used) const {
  if (!entry.format_units || !entry.units->may_vary())
    return {};
  KernelUnits::Launch launch{
      range.local_size, has_whole_groups(*program_, range), has_long_rows(range), {}};
  {
    const std::lock_guard lock(mutex_);
    launch.arguments = arguments_.known_arguments();
  }
  auto* units = entry.format_units->find(launch.arguments, overlap);
  if (!units)
    return {};
  const auto fits = [&range](const KernelMetadata& metadata) {
    const auto& size = range.local_size;
    return size[0] * size[1] * size[2] <= heddle::max_group_size(metadata);
  };
  const auto* unit = units->find();
  if (!unit) {
    // A generic unit that is there bridges the time.
    if (const auto* generic = entry.units->find(); generic && fits(generic->metadata()) &&
                                                   may_run(generic->metadata()) &&
                                                   options().VARIANTS != "each") {
      units->start();
      return {generic};
    }
    if (const auto plain = begin_short(entry, *units, range); plain.unit)
      return plain;
    if (const auto plain = begin_plain(entry, *units, range); plain.unit)
      return plain;
    unit = units->need();
  }
  if (!unit || !fits(unit->metadata()))
    return {};
  const auto& metadata = unit->metadata();
  if (!may_run(metadata))
    return overlap ? UnitChoice{} : choose_format_unit(entry, range, true, used);
  // The program may know the width of the generic unit.
  if (metadata.shows_sub_groups) {
    const auto* generic = entry.units->need();
    if (!generic || generic->metadata().vector_width != metadata.vector_width)
      return {};
  }
  if (options().MIX && !has_pipes_)
    if (const auto both = units->mixed(range.local_size); both.unit)
      return both;
  return units->for_launches(*unit, launch, used);
}

Result<UnitChoice> Kernel::choose_unit(const ForDevice& entry, const NDRange& range,
                                       std::atomic<std::uint64_t>*& used) const {
  if (const auto choice = choose_format_unit(entry, range, false, used); choice.unit)
    return choice;
  auto* units = entry.units;
  if (!units->ready()) {
    if (const auto plain = begin_short(entry, *units, range); plain.unit)
      return plain;
    if (const auto plain = begin_plain(entry, *units, range); plain.unit)
      return plain;
  }
  auto generic = unit(entry, *units);
  if (!generic)
    return generic.error();
  KernelUnits::Launch launch{
      range.local_size, has_whole_groups(*program_, range), has_long_rows(range), {}};
  if (has_images_) {
    const std::lock_guard lock(mutex_);
    launch.arguments = arguments_.known_arguments();
  }
  if (!may_run((*generic)->metadata())) {
    units = entry.overlapping_units;
    if (!units->ready())
      if (const auto plain = begin_short(entry, *units, range); plain.unit)
        return plain;
    generic = unit(entry, *units);
    if (!generic)
      return generic.error();
  }
  if (options().MIX && !has_pipes_)
    if (const auto both = units->mixed(range.local_size); both.unit)
      return both;
  const auto& size = range.local_size;
  const auto items = size[0] * size[1] * size[2];
  if (items > heddle::max_group_size((*generic)->metadata())) {
    // max_group_size() may have told so before the unit was there.
    const auto* other = units->stand_in();
    if (!other || items > heddle::max_group_size(other->metadata()))
      return CL_INVALID_WORK_GROUP_SIZE;
    return UnitChoice{other};
  }
  return units->for_launches(**generic, launch, used);
}

void Kernel::expect_launch(const Device& device) const {
  const auto* entry = find_loaded(device);
  if (!entry)
    return;
  if (!entry->format_units || !entry->units->may_vary())
    return entry->units->start();
  std::vector<KnownArgument> known;
  {
    const std::lock_guard lock(mutex_);
    known = arguments_.known_arguments();
  }
  if (auto* units = entry->format_units->find(known, false))
    units->start();
}

cl_int Kernel::capture(Device& device, KernelLaunch& launch) {
  const auto* entry = find_loaded(device);
  if (!entry)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  auto chosen = choose_unit(*entry, launch.range, launch.used_nanoseconds);
  if (!chosen)
    return chosen.error();
  const auto& metadata = chosen->unit->metadata();
  launch.variant = chosen->unit->variant();
  launch.replacement = chosen->replacement;
  auto static_bytes = metadata.local_bytes;
  bool has_elided_copies = metadata.has_elided_copies;
  if (chosen->trial && !has_pipes_) {
    const auto& other = chosen->challenger->metadata();
    launch.challenger = chosen->challenger->variant();
    launch.trial = chosen->trial;
    static_bytes = std::max(static_bytes, other.local_bytes);
    has_elided_copies |= other.has_elided_copies;
  }
  const auto& allocations = program_->context().allocations();
  {
    const std::lock_guard lock(mutex_);
    auto arguments = arguments_.capture(static_bytes);
    if (!arguments)
      return arguments.error();
    launch.arguments = std::move(*arguments);
    const auto local_bytes = launch.arguments->local_bytes();
    if (local_bytes > limits::kLocalBytes)
      return CL_OUT_OF_RESOURCES;
    launch.zeroes_local =
        local_bytes != 0 && (program_->context().initialized_memory() & kInitializeLocal) != 0;
    // What a replacement relies on is not known yet.
    launch.arguments_overlap =
        (has_elided_copies || launch.replacement) && arguments_.overlap(allocations);
    if (metadata.checks_memory) {
      const LaunchChecks::Indirect indirect{allocations,
                                            exec_info_.asks_for_system() || !allocations.empty() ||
                                                arguments_.has_foreign_pointer(allocations)};
      launch.checks =
          std::make_unique<LaunchChecks>(arguments_.blocks(allocations, metadata.local_bytes),
                                         indirect, metadata, entry->loaded->program_scope());
    }
  }
  if (metadata.uses_device_queues) {
    entry->loaded->need_blocks();
    launch.default_queue = default_device_queue(program_->context(), device);
  }
  if (const auto error = entry->loaded->construct_objects(program_->context()))
    return error;
  launch.loaded = Ref<KernelTable>(entry->loaded.get());
  launch.program_scope = entry->loaded->program_scope();
  if (has_pipes_)
    launch.pipes = std::make_unique<PipesInUse>(metadata, launch.arguments->bytes());
  return CL_SUCCESS;
}

} // namespace heddle
