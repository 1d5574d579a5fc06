// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/global_objects.h"

#include "runtime/core/lock.h"
#include "runtime/execution/single_item.h"

#include <cstdio>
#include <exception>

namespace heddle {

GlobalObjects::GlobalObjects(std::shared_ptr<const UnitSource> source,
                             const ProgramMetadata& metadata, std::byte* program_scope)
    : program_scope_(program_scope) {
  auto one_item = generic_specialization(true);
  one_item.lanes = 1;
  if (metadata.has_initializer)
    initializer_ = std::make_unique<KernelUnits>(source, kInitializerKernel, one_item);
  if (metadata.has_finalizer)
    finalizer_ = std::make_unique<KernelUnits>(source, kFinalizerKernel, one_item);
}

GlobalObjects::~GlobalObjects() {
  if (!finalizer_ || state_.load(std::memory_order_acquire) != State::constructed)
    return;
  const auto* unit = finalizer_->ready(); // since the objects were constructed
  try {
    const auto problem =
        run_single_item(unit->metadata(), unit->variant().function, program_scope_);
    if (!problem.empty())
      std::fprintf(stderr, "heddle: the destructors of a program failed: %s\n", problem.c_str());
  } catch (const std::exception&) {
    std::fputs("heddle: the destructors of a program failed\n", stderr);
  }
}

void GlobalObjects::start() {
  for (const auto& units : {initializer_.get(), finalizer_.get()})
    if (units)
      units->start();
}

void GlobalObjects::need() {
  for (const auto& units : {initializer_.get(), finalizer_.get()})
    if (units)
      units->need();
}

std::string GlobalObjects::run_constructors() {
  need();
  for (const auto& units : {initializer_.get(), finalizer_.get()})
    if (units && !units->ready())
      return "they cannot be built: " + units->problem();
  if (!initializer_)
    return "";
  const auto* unit = initializer_->ready();
  return run_single_item(unit->metadata(), unit->variant().function, program_scope_);
}

bool GlobalObjects::construct(std::string& problem) {
  if (state_.load(std::memory_order_acquire) == State::constructed)
    return true;
  const Lock lock(mutex_);
  if (state_.load(std::memory_order_relaxed) != State::untouched)
    return state_.load(std::memory_order_relaxed) == State::constructed;
  problem = run_constructors();
  state_.store(problem.empty() ? State::constructed : State::failed, std::memory_order_release);
  return problem.empty();
}

void GlobalObjects::store_in(std::vector<StoredUnit>& units) const {
  for (const auto& own : {initializer_.get(), finalizer_.get()})
    if (own)
      own->store_in(units);
}

std::string GlobalObjects::problem() const {
  std::string text;
  for (const auto& own : {initializer_.get(), finalizer_.get()})
    if (own)
      text += own->problem();
  return text;
}

} // namespace heddle
