// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel_units.h"

#include "runtime/program/unit_scheduler.h"

#include <utility>

namespace heddle {

KernelUnits::KernelUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                         Specialization specialization)
    : source_(std::move(source)), kernel_(std::move(kernel)), specialization_(specialization) {}

KernelUnits::~KernelUnits() {
  if (build_)
    unit_scheduler::abandon(build_);
}

void KernelUnits::start() {
  if (ready())
    return;
  const std::lock_guard lock(mutex_);
  if (build_)
    return;
  auto build = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
  if (auto found = find_unit(*build); found.unit) {
    build->unit = std::move(found.unit);
    log_ = std::move(found.log);
    build->state = UnitBuild::State::done;
    ready_.store(build->unit.get(), std::memory_order_release);
  } else {
    unit_scheduler::start(build);
  }
  build_ = std::move(build);
}

const Unit* KernelUnits::need() {
  if (const auto* unit = ready())
    return unit;
  BuildRef build;
  {
    const std::lock_guard lock(mutex_);
    if (!build_)
      build_ = std::make_shared<UnitBuild>(source_, kernel_, specialization_);
    build = build_;
  }
  unit_scheduler::need(build);
  const std::lock_guard lock(mutex_);
  log_ = build->log;
  has_problem_ = !build->unit || build->is_replaced;
  ready_.store(build->unit.get(), std::memory_order_release);
  return build->unit.get();
}

void KernelUnits::store_in(std::vector<StoredUnit>& units) const {
  const std::lock_guard lock(mutex_);
  if (const auto* unit = ready())
    units.push_back({build_->key_in_binary(), write_program_file(unit->file())});
}

std::string KernelUnits::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::string KernelUnits::problem() const {
  const std::lock_guard lock(mutex_);
  return has_problem_ ? log_ : std::string();
}

} // namespace heddle
