// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of a kernel: in which unit, and what they capture.
#include "runtime/core/lock.h"
#include "runtime/core/options.h"
#include "runtime/device/limits.h"
#include "runtime/execution/kernel_cost.h"
#include "runtime/program/kernel.h"
#include "runtime/program/launch_work.h"

#include <algorithm>
#include <limits>

namespace heddle {
namespace {

bool has_whole_groups(const Program& program, const NDRange& range) {
  for (int d = 0; d < 3; ++d)
    if (range.global_size[d] % range.local_size[d] != 0)
      return !program.allows_non_uniform_groups(); // takes a lock
  return true;
}

// Whether small groups that run as one would fill sub-groups.
bool has_long_rows(const NDRange& range) {
  constexpr std::size_t kLongRow = 32;
  return is_small_row(range.local_size) && range.global_size[0] >= kLongRow &&
         range.global_size[0] % range.local_size[0] == 0;
}

bool has_small_ids(const NDRange& range) {
  for (int d = 0; d < 3; ++d)
    if (range.global_offset[d] > Specialization::kSmallIds ||
        range.global_size[d] > Specialization::kSmallIds - range.global_offset[d])
      return false;
  return true;
}

// For each compute unit, of launches that begin in a plain unit.
constexpr std::uint64_t kLeastPlainGroups = 32;

double count_items(const NDRange& range) {
  double items = 1;
  for (const auto size : range.global_size)
    items *= static_cast<double>(size);
  return items;
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

// By what its groups took until now, or else by the estimate that it contains.
double Kernel::plain_time(const ForDevice& entry, const KernelLaunch& launch,
                          const Unit& plain) const {
  const auto function = plain.variant().function;
  if (kernel_cost::is_known(function))
    return kernel_cost::per_item(function) * count_items(launch.range);
  const Lock lock(mutex_);
  const auto work = estimate_work(plain.work(), launch.range, arguments_,
                                  has_many_groups(*entry.device, launch.range));
  return work ? *work / kPlainInstructionsPerNanosecond : unit_policy::kUnknown;
}

bool Kernel::may_run(const KernelMetadata& unit) const {
  if (unit.written_arguments.empty())
    return true;
  const Lock lock(mutex_);
  return !arguments_.overlap(program_->context().allocations(), &unit.written_arguments);
}

KernelUnits::Launch Kernel::describe(const ForDevice& entry, const KernelLaunch& launch) const {
  const auto& range = launch.range;
  Specialization known;
  std::ranges::copy(range.local_size, known.local_size.begin());
  known.has_whole_groups = has_whole_groups(*program_, range);
  known.has_long_rows = has_long_rows(range);
  known.has_small_ids = has_small_ids(range);
  if (has_images_) {
    const Lock lock(mutex_);
    arguments_.add_known(known);
  }
  const bool always_begins = options().PLAIN_AFTER == 0;
  return {known,
          launch.chooses_size,
          !has_pipes_ && (always_begins || !forces_form()),
          always_begins || has_many_groups(*entry.device, range),
          launch.is_profiled && is_tuned_.load(std::memory_order_relaxed),
          entry.device->compute_units(),
          least_work(range) / kPlainInstructionsPerNanosecond};
}

UnitChoice Kernel::begin(const ForDevice& entry, KernelUnits& units, KernelUnits::Launch launch,
                         const KernelLaunch& of, std::atomic<std::uint64_t>*& used) const {
  if (launch.may_begin_plain && launch.has_many_groups) {
    // Its groups could not go on in a unit that relies on the opposite.
    const Lock lock(mutex_);
    launch.has_many_groups = !arguments_.overlap(program_->context().allocations());
  }
  return units.begin(
      launch, [&](const Unit& plain) { return plain_time(entry, of, plain); }, used);
}

Result<UnitChoice> Kernel::choose_unit(const ForDevice& entry, const KernelLaunch& of,
                                       std::atomic<std::uint64_t>*& used) const {
  const auto launch = describe(entry, of);
  const auto items = launch.known.group_items();
  const auto fits = [items](const Unit& unit) {
    return items <= heddle::max_group_size(unit.metadata());
  };
  auto& table = *entry.units;
  for (const bool has_formats : {true, false})
    for (const bool is_disjoint : {true, false}) {
      auto* units =
          has_formats ? table.of_formats(launch.known, is_disjoint) : &table.generic(is_disjoint);
      if (!units)
        break;
      auto choice = units->ready_for(launch, used);
      if (!choice.unit && has_formats && options().VARIANTS != "each")
        // A generic unit that is there bridges the time.
        if (const auto* generic = table.generic().find();
            generic && fits(*generic) && may_run(generic->metadata())) {
          units->start();
          return UnitChoice{generic};
        }
      if (!choice.unit)
        choice = begin(entry, *units, launch, of, used);
      report(entry, *units, choice.unit != nullptr);
      if (choice.replacement)
        return choice;
      if (has_formats && !(choice.unit && fits(*choice.unit)))
        break;
      if (!choice.unit)
        return CL_OUT_OF_RESOURCES;
      const auto& metadata = choice.unit->metadata();
      if (is_disjoint && !may_run(metadata))
        continue;
      // The program may know the width of the generic unit.
      if (has_formats && metadata.shows_sub_groups) {
        const auto* generic = table.generic().need();
        if (!generic || generic->metadata().vector_width != metadata.vector_width)
          break;
      }
      if (options().MIX && !has_pipes_)
        if (const auto both = units->mixed(launch); both.unit)
          return both;
      if (fits(*choice.unit))
        return choice;
      // max_group_size() may have told so before the unit was there.
      const auto* other = units->stand_in();
      if (!other || !fits(*other))
        return CL_INVALID_WORK_GROUP_SIZE;
      return UnitChoice{other};
    }
  return CL_OUT_OF_RESOURCES; // not reached
}

// What the launch adds to the kernel's sums, and does by the estimate. Without a cache, memory that
// is accessed again is counted again; with one of any size, not more than all of it.
profile::Launch Kernel::profile_of(const ForDevice& entry, const KernelLaunch& launch) const {
  using Amount = WorkEstimate::Amount;
  const auto& range = launch.range;
  profile::Launch profiled;
  profiled.sums =
      profile::sums_of(declaration().name, range.local_size, entry.device->compute_units());
  if (!profiled.sums)
    return profiled;
  profiled.work_items = static_cast<std::uint64_t>(count_items(range));
  const auto* unit = entry.units->generic().estimated();
  if (!unit)
    return profiled;
  const Lock lock(mutex_);
  const auto amount = [&](Amount which, bool may_guess = true) HEDDLE_REQUIRES(mutex_) {
    return estimate_amount(unit->work(), which, range, arguments_, may_guess);
  };
  profiled.is_estimated = amount(Amount::flops).has_value();
  if (!profiled.is_estimated)
    return profiled;
  profiled.is_guessed = !amount(Amount::flops, false);
  const auto memory = arguments_.memory_bytes(program_->context().allocations());
  const auto most = memory ? static_cast<double>(*memory) : std::numeric_limits<double>::infinity();
  profiled.flops = amount(Amount::flops).value_or(0);
  profiled.double_flops = amount(Amount::double_flops).value_or(0);
  profiled.bytes_read = std::min(amount(Amount::bytes_read).value_or(0), most);
  profiled.bytes_written = std::min(amount(Amount::bytes_written).value_or(0), most);
  return profiled;
}

void Kernel::expect_launch(const Device& device, const NDRange& range) const {
  const auto* entry = find_loaded(device);
  if (!entry)
    return;
  KernelLaunch launch;
  launch.range = range;
  const auto expected = describe(*entry, launch);
  auto& table = *entry->units;
  if (auto* units = table.has_formats() ? table.of_formats(expected.known) : &table.generic())
    units->expect(expected);
}

void Kernel::write_values(ArgumentBlock& captured) const {
  const Lock lock(mutex_);
  arguments_.write_values(captured);
}

Ref<ArgumentBlock> Kernel::copy_values(const ArgumentBlock& captured) const {
  const Lock lock(mutex_);
  return arguments_.copy_values(captured);
}

cl_int Kernel::capture(Device& device, KernelLaunch& launch) {
  const auto* entry = find_loaded(device);
  if (!entry)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  auto chosen = choose_unit(*entry, launch, launch.used_nanoseconds);
  if (!chosen)
    return chosen.error();
  const auto& metadata = chosen->unit->metadata();
  launch.variant = chosen->unit->variant();
  if (profile::is_on())
    launch.profile = profile_of(*entry, launch);
  launch.replacement = chosen->replacement;
  launch.bridge = chosen->bridge;
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
    const Lock lock(mutex_);
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
          std::make_unique<LaunchChecks>(arguments_.blocks(allocations, static_bytes), indirect,
                                         metadata, entry->loaded->program_scope());
    }
  }
  if (metadata.uses_device_queues) {
    entry->loaded->need_blocks();
    launch.default_queue = default_device_queue(program_->context(), device);
  }
  if (const auto error = entry->loaded->construct_objects(program_->context()))
    return error;
  launch.loaded =
      spare_[static_cast<std::size_t>(entry - loaded_programs_.data())].take<KernelTable>(
          *entry->loaded);
  launch.program_scope = entry->loaded->program_scope();
  if (has_pipes_)
    launch.pipes = std::make_unique<PipesInUse>(metadata, launch.arguments->bytes());
  return CL_SUCCESS;
}

} // namespace heddle
