// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/launch_checks.h"

#include "compiler/interface/pipe_ring.h"
#include "runtime/allocation/allocation_map.h"
#include "runtime/checks/reports.h"
#include "runtime/core/lock.h"
#include "runtime/core/options.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace heddle {
namespace {

using abi::CheckedCall;
using Wide = WideInteger;

std::string text_of(Wide value) {
  std::string digits;
  for (auto left = value < 0 ? -value : value; left != 0 || digits.empty(); left /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  if (value < 0)
    digits.insert(digits.begin(), '-');
  return digits;
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

const abi::CheckedCallInfo& info_of(const abi::CheckHeader& record) {
  return abi::kCheckedCalls[static_cast<unsigned>(record.call)];
}

const char* name_of(const abi::CheckHeader& record) {
  if (record.call == CheckedCall::uninitialized)
    switch (static_cast<abi::UninitializedUse>(operands(record)[0].value)) {
    case abi::UninitializedUse::branch:
      return "branch";
    case abi::UninitializedUse::load_address:
      return "load";
    case abi::UninitializedUse::store_address:
    case abi::UninitializedUse::stored_value:
      return "store";
    case abi::UninitializedUse::divisor:
      return "division";
    }
  return info_of(record).name;
}

std::string call_at(const char* name, const char* place) {
  return std::string(name) + " at " + place;
}

} // namespace

LaunchChecks::LaunchChecks(std::vector<MemoryBlock> blocks, Indirect indirect,
                           const KernelMetadata& kernel, const std::byte* program_scope)
    : kernel_(kernel.name), blocks_(std::move(blocks)), indirect_(indirect) {
  for (const auto& variable : kernel.variables) {
    MemoryBlock block;
    block.is_local = variable.is_local;
    block.begin =
        variable.offset + (block.is_local ? 0 : reinterpret_cast<std::uintptr_t>(program_scope));
    block.bytes = variable.bytes;
    block.what = (block.is_local ? "the local variable '" : "the variable '") + variable.name + "'";
    blocks_.push_back(std::move(block));
  }
  std::uint64_t arguments = std::max<std::size_t>(1, kernel.arguments.size());
  for (const auto& block : blocks_)
    arguments = std::max(arguments, block.argument);
  bounds_.assign(arguments, {0, abi::kUnboundedBytes});
  for (const auto& block : blocks_)
    if (block.argument != 0 && !block.is_image)
      bounds_[block.argument - 1] = {block.is_local ? 0 : block.begin, block.bytes};
  const auto& checks = options().CHECK;
  if (checks.race || checks.divergence)
    order_ = std::make_unique<OrderChecks>(
        checks.race, checks.divergence, kernel.vector_width,
        [this](std::uint64_t address, std::uint64_t bytes, std::uint64_t local_memory) {
          return describe(address, bytes, local_memory);
        });
}

std::unique_ptr<LaunchChecks>
LaunchChecks::for_block(const KernelMetadata& block, const std::byte* program_scope,
                        std::span<const std::uint64_t> local_sizes) const {
  std::vector<MemoryBlock> blocks;
  // Which argument of the parent a pointer was is not known, so any block may be meant.
  for (const auto& known : blocks_)
    if (!known.is_local && known.argument != 0) {
      blocks.push_back(known);
      blocks.back().argument = 0;
    }
  auto end = block.local_bytes;
  for (std::size_t i = 0; i < local_sizes.size(); ++i) {
    MemoryBlock local;
    local.is_local = true;
    local.begin = end = (end + 127) / 128 * 128;
    local.bytes = local_sizes[i];
    local.argument = i + 2; // after the block literal
    local.what = "local argument " + std::to_string(i);
    end += local_sizes[i];
    blocks.push_back(std::move(local));
  }
  return std::make_unique<LaunchChecks>(std::move(blocks), indirect_, block, program_scope);
}

bool LaunchChecks::passes(const abi::CheckHeader& record, const abi::Worker& worker,
                          const abi::Launch& launch,
                          std::optional<checks::Finding>& finding) noexcept {
  try {
    const bool is_ordered =
        record.call >= CheckedCall::ordered_load && record.call <= CheckedCall::ended;
    auto problem = is_ordered
                       ? (order_ ? order_->check(record, worker, launch) : checks::Problem())
                       : check(record, reinterpret_cast<std::uintptr_t>(worker.local_memory));
    if (problem.empty())
      return true;
    auto found = checks::make_finding(
        is_ordered                                  ? checks::Check::divergence
        : record.call == CheckedCall::division      ? checks::Check::division
        : record.call == CheckedCall::uninitialized ? checks::Check::uninitialized
                                                    : checks::Check::memory,
        kernel_, problem);
    if (checks::is_suppressed(found))
      return true;
    constexpr std::uint32_t kLane = 3;
    if (found.check == checks::Check::memory && record.operand_count > kLane &&
        (record.call == CheckedCall::index ||
         (record.call >= CheckedCall::load && record.call <= CheckedCall::atomic)))
      found.lane = operands(record)[kLane].value;
    finding = std::move(found);
    return false;
  } catch (const std::bad_alloc&) {
    lost_.store(true, std::memory_order_relaxed);
    return true;
  }
}

// What needs no memory of earlier calls.
checks::Problem LaunchChecks::check(const abi::CheckHeader& record, std::uint64_t local_memory) {
  checks::Problem problem;
  if (record.call == CheckedCall::division)
    problem.text = operands(record)[0].value != 0 ? "is by zero" : "overflows";
  else if (record.call == CheckedCall::uninitialized)
    problem.text = check_uninitialized(record);
  else if (record.call <= CheckedCall::copy_3d)
    problem.text = check_copy(record, local_memory);
  else if (record.call >= CheckedCall::load)
    problem.text = check_access(record, local_memory);
  else
    problem.text = check_pipe(record, local_memory, problem.other);
  if (!problem.empty()) {
    problem.text = call_at(name_of(record), record.place) + " " + problem.text;
    problem.place = record.place;
  }
  return problem;
}

abi::RaceThread& LaunchChecks::ignored_accesses() noexcept {
  static abi::RaceThread ignored{[](abi::RaceThread*, std::uint64_t, std::uint64_t, std::uint64_t,
                                    std::uint64_t, const abi::RaceSites*) {},
                                 [](abi::RaceThread*, std::uint64_t, std::uint64_t) {}};
  return ignored;
}

abi::RaceThread& LaunchChecks::begin(const abi::Worker& worker,
                                     const abi::Launch& launch) noexcept {
  try {
    if (order_)
      return order_->begin(worker, launch);
  } catch (const std::bad_alloc&) { // nothing is checked
  }
  return ignored_accesses();
}

// Operands: the pointer, bytes, alignment. A pointer of unknown origin may point to private memory,
// an image's texels and, with system SVM, to anything of the host's.
std::string LaunchChecks::check_access(const abi::CheckHeader& record,
                                       std::uint64_t local_memory) const {
  const auto* given = operands(record);
  if (given[0].base >= abi::kFirstObject)
    return check_object(record);
  const auto alignment = given[2].value;
  if (given[1].value != 0) {
    CopySide side{given[0], record.call != CheckedCall::load, 0, static_cast<Wide>(given[1].value)};
    side.may_be_foreign = true;
    if (auto wrong = check_side(side, local_memory); !wrong.empty())
      return wrong;
  }
  if (given[0].value % alignment == 0)
    return "";
  return "is misaligned: its address " + hexadecimal(given[0].value) + " is no multiple of " +
         std::to_string(alignment);
}

// Of an offset.
std::string LaunchChecks::check_object(const abi::CheckHeader& record) {
  const auto* given = operands(record);
  const auto& object = *reinterpret_cast<const abi::CheckedObject*>(given[0].base);
  const auto begin = static_cast<Wide>(static_cast<std::int64_t>(given[0].value));
  const auto end = begin + given[1].value;
  if (begin >= 0 && end <= object.bytes)
    return "";
  if (record.call == CheckedCall::index)
    return "is " + text_of(begin) + ", outside of " + object.what;
  return std::string(record.call == CheckedCall::load ? "reads" : "writes") + " bytes " +
         text_of(begin) + " to " + text_of(end - 1) + " of " + object.what + ", which has " +
         std::to_string(object.bytes);
}

// Of a value, which the kernel has checked.
std::string LaunchChecks::check_uninitialized(const abi::CheckHeader& record) {
  const auto* given = operands(record);
  const auto* variable = reinterpret_cast<const char*>(given[1].value);
  const auto value = variable == nullptr
                         ? std::string("a value that was not initialized")
                         : "a value of " + std::string(variable) + " that was not initialized";
  switch (static_cast<abi::UninitializedUse>(given[0].value)) {
  case abi::UninitializedUse::stored_value:
    return "writes " + value + " to global memory";
  case abi::UninitializedUse::divisor:
    return "is by " + value;
  case abi::UninitializedUse::branch:
    return "depends on " + value;
  default:
    return "is at an address that depends on " + value;
  }
}

std::string LaunchChecks::check_copy(const abi::CheckHeader& record,
                                     std::uint64_t local_memory) const {
  const auto [to, from] = copy_sides(record.call, operands(record));
  if (to.line == 0 || to.lines == 0 || to.planes == 0)
    return "";
  auto wrong = check_side(from, local_memory);
  return wrong.empty() ? check_side(to, local_memory) : wrong;
}

std::string LaunchChecks::check_side(const CopySide& side, std::uint64_t local_memory) const {
  const auto address = static_cast<Wide>(side.pointer.value) + side.offset;
  const auto end =
      address + (side.planes - 1) * side.plane_step + (side.lines - 1) * side.line_step + side.line;
  const auto begin_of = [&](const MemoryBlock& block) {
    return static_cast<Wide>(block.begin) + (block.is_local ? local_memory : 0);
  };
  // The distance of the first byte from the block.
  const auto distance = [&](const MemoryBlock& block) {
    const auto begin = begin_of(block);
    return address < begin ? begin - address
                           : std::max<Wide>(0, address - (begin + block.bytes) + 1);
  };
  const MemoryBlock* nearest = nullptr;
  for (const auto& block : blocks_) {
    if (block.is_image)
      continue;
    if (side.pointer.base != 0
            ? block.argument == side.pointer.base
            : block.bytes != 0 && (!nearest || distance(block) < distance(*nearest)))
      nearest = &block;
    // A sub-buffer and its parent may both be arguments.
    if (side.pointer.base == 0 && address >= begin_of(block) &&
        end <= begin_of(block) + block.bytes)
      return "";
  }
  const std::string does = side.writes ? "writes " : "reads ";
  if (side.pointer.base != 0 && nearest == nullptr)
    return ""; // an argument that is an address of the host's own
  if (side.pointer.base == 0) {
    const auto around = indirect_.allocations.find(
        reinterpret_cast<const void*>(static_cast<std::uint64_t>(address)));
    if (around) {
      const auto begin = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(around->begin));
      return end <= begin + around->size ? ""
                                         : does + "bytes " + text_of(address - begin) + " to " +
                                               text_of(end - begin - 1) + " of " + around->name();
    }
    if ((indirect_.allows_system || side.may_be_foreign) &&
        (nearest == nullptr || distance(*nearest) > 0))
      return "";
  }
  if (nearest == nullptr)
    return does + text_of(end - address) + " bytes where the kernel has no memory";
  if (nearest->bytes == 0 && nearest->begin == 0)
    return does + "by " + nearest->what + ", which is null";
  const auto begin = begin_of(*nearest);
  if (address >= begin && end <= begin + nearest->bytes)
    return "";
  return does + "bytes " + text_of(address - begin) + " to " + text_of(end - begin - 1) + " of " +
         nearest->what + ", which has " + std::to_string(nearest->bytes);
}

// Operands: the pipe, then of packets (the packet, size), of reserved ones (id, index, packet,
// size), of reservations (count, size, alignment, id), of commits (id, size).
std::string LaunchChecks::check_pipe(const abi::CheckHeader& record, std::uint64_t local_memory,
                                     const char*& other) {
  const auto* given = operands(record);
  const auto& ring = *reinterpret_cast<const heddle_pipe_ring*>(given[0].value);
  const auto call = static_cast<unsigned>(record.call);
  const bool writes = (call - static_cast<unsigned>(CheckedCall::read_packet)) % 2 != 0;
  const bool packet = record.call <= CheckedCall::write_packet;
  const bool reserved = !packet && record.call <= CheckedCall::write_reserved;
  const bool reserves = record.call >= CheckedCall::reserve_read &&
                        record.call <= CheckedCall::work_group_reserve_write;
  const auto bytes = given[reserved ? 4 : 2].value;
  if (bytes != ring.packet_bytes)
    return "has packets of " + std::to_string(bytes) + " bytes, and its pipe of " +
           std::to_string(ring.packet_bytes);
  if (packet || reserved) {
    const auto& place = given[packet ? 1 : 3];
    // A pointer of unknown origin may point to private memory.
    if (place.base != 0) {
      CopySide side{place, !writes, 0, static_cast<Wide>(bytes)};
      if (auto wrong = check_side(side, local_memory); !wrong.empty())
        return wrong;
    }
    if (packet)
      return "";
  }

  const auto id = given[reserves ? 4 : 1].value;
  if (id + 1 <= 1) // neither null nor CLK_NULL_RESERVE_ID
    return reserves ? "" : "is given an invalid reservation id";
  const auto count = (id >> HEDDLE_RESERVE_POSITION_BITS) - 1;
  const Key key{given[0].value, id, writes};
  const Lock lock(mutex_);
  if (reserves) {
    active_.emplace(key, Reservation{record.place, record.call});
    return "";
  }
  const auto found = active_.find(key);
  if (found == active_.end()) {
    if (lost_.load(std::memory_order_relaxed))
      return "";
    const bool elsewhere = std::any_of(active_.begin(), active_.end(),
                                       [&](const auto& entry) { return entry.first.id == id; });
    return elsewhere ? "is given a reservation of another pipe, or of its other end"
                     : "is given a reservation that is not active: it was committed before";
  }
  if (reserved) {
    if (given[2].value < count)
      return "";
    other = found->second.place;
    return "is given index " + std::to_string(static_cast<std::uint32_t>(given[2].value)) +
           " of a reservation of " + std::to_string(count) + " packets (made at " + other + ")";
  }
  active_.erase(found);
  return "";
}

std::vector<checks::Finding> LaunchChecks::take_findings(bool has_failed) {
  std::vector<checks::Finding> found;
  const auto add = [&](checks::Check check, const checks::Problem& problem) {
    auto finding = checks::make_finding(check, kernel_, problem);
    if (!checks::is_suppressed(finding))
      found.push_back(std::move(finding));
  };
  if (!has_failed)
    if (const auto problem = uncommitted(); !problem.empty())
      add(checks::Check::memory, problem);
  if (order_)
    for (const auto& race : order_->take_races())
      add(checks::Check::race, race);
  return found;
}

// "bytes 4 to 7 of argument 0 'data'".
std::string LaunchChecks::describe(std::uint64_t address, std::uint64_t bytes,
                                   std::uint64_t local_memory) const {
  const auto at = [&](std::uint64_t begin, const std::string& what) {
    return "bytes " + std::to_string(address - begin) + " to " +
           std::to_string(address - begin + bytes - 1) + " of " + what;
  };
  for (const auto& block : blocks_) {
    const auto begin = block.begin + (block.is_local ? local_memory : 0);
    if (block.begin + block.bytes != 0 && address >= begin && address < begin + block.bytes)
      return at(begin, block.what);
  }
  const auto around = indirect_.allocations.find(reinterpret_cast<const void*>(address));
  if (around)
    return at(reinterpret_cast<std::uintptr_t>(around->begin), around->name());
  return std::to_string(bytes) + " bytes at " + hexadecimal(address);
}

checks::Problem LaunchChecks::uncommitted() {
  const Lock lock(mutex_);
  if (active_.empty() || lost_.load(std::memory_order_relaxed))
    return {};
  // Reports one source location, deterministically.
  const auto first =
      std::min_element(active_.begin(), active_.end(), [](const auto& a, const auto& b) {
        return a.second.place < b.second.place;
      });
  const auto& reservation = first->second;
  const auto same = std::count_if(active_.begin(), active_.end(), [&](const auto& entry) {
    return entry.second.place == reservation.place;
  });
  const auto count = (first->first.id >> HEDDLE_RESERVE_POSITION_BITS) - 1;
  return {
      call_at(abi::kCheckedCalls[static_cast<unsigned>(reservation.call)].name, reservation.place) +
          " has made " + (same == 1 ? "a reservation" : std::to_string(same) + " reservations") +
          (same == 1 ? " of " + std::to_string(count) + " packets" : "") +
          " and has not committed " + (same == 1 ? "it" : "them"),
      reservation.place};
}

} // namespace heddle
