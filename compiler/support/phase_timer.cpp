// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/phase_timer.h"

#include "llvm/IR/PassInstrumentation.h"

#include <cstdio>
#include <ctime>

namespace heddle::compiler {
namespace {

std::int64_t nanoseconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string line(double wall, double processor, unsigned count, const std::string& name) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "heddle: %10.3f %10.3f %6u  ", wall / 1e6, processor / 1e6,
                count);
  return numbers + name + "\n";
}

} // namespace

PhaseTimer::Times& PhaseTimer::Times::operator+=(const Times& other) {
  wall += other.wall;
  processor += other.processor;
  return *this;
}

PhaseTimer::Times PhaseTimer::Times::operator-(const Times& other) const {
  return {wall - other.wall, processor - other.processor};
}

PhaseTimer::Times PhaseTimer::now() {
  return {nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
}

PhaseTimer::PhaseTimer(unsigned level) : level_(level) {
  if (level_ != 0)
    start_ = last_ = now();
}

PhaseTimer::~PhaseTimer() {
  if (level_ == 0)
    return;
  // A single write, so that the output of concurrent builds is not interleaved.
  std::string text = "heddle:    wall ms     cpu ms  times  pass\n";
  for (const auto& entry : passes_)
    text += line(static_cast<double>(entry.times.wall), static_cast<double>(entry.times.processor),
                 entry.count, (entry.is_llvms ? "  " : "") + entry.name);
  const auto all = now() - start_;
  text += line(static_cast<double>(all.wall), static_cast<double>(all.processor), 1, "total");
  std::fputs(text.c_str(), stderr);
}

void PhaseTimer::add(llvm::StringRef name, const Times& times, std::vector<Entry>& entries,
                     llvm::StringMap<std::size_t>& numbers) {
  const auto [place, is_new] = numbers.try_emplace(name, entries.size());
  if (is_new)
    entries.push_back({name.str(), {}, 0, false});
  auto& entry = entries[place->second];
  entry.times += times;
  ++entry.count;
}

void PhaseTimer::mark(llvm::StringRef pass) {
  if (level_ == 0)
    return;
  const auto time = now();
  add(pass, time - last_, passes_, numbers_);
  for (auto& entry : inner_) {
    const auto [place, is_new] =
        numbers_.try_emplace((pass + "/" + entry.name).str(), passes_.size());
    if (is_new)
      passes_.push_back({pass.str() + "/" + entry.name, {}, 0, true});
    passes_[place->second].times += entry.times;
    passes_[place->second].count += entry.count;
  }
  inner_.clear();
  inner_numbers_.clear();
  running_.clear();
  last_ = now();
}

void PhaseTimer::watch(llvm::PassInstrumentationCallbacks& callbacks) {
  if (!is_detailed())
    return;
  callbacks.registerBeforeNonSkippedPassCallback(
      [this](llvm::StringRef, llvm::Any) { begin_llvm_pass(); });
  callbacks.registerAfterPassCallback(
      [this](llvm::StringRef name, llvm::Any, const llvm::PreservedAnalyses&) {
        end_llvm_pass(name);
      });
  callbacks.registerAfterPassInvalidatedCallback(
      [this](llvm::StringRef name, const llvm::PreservedAnalyses&) { end_llvm_pass(name); });
  callbacks.registerBeforeAnalysisCallback(
      [this](llvm::StringRef, llvm::Any) { begin_llvm_pass(); });
  callbacks.registerAfterAnalysisCallback(
      [this](llvm::StringRef name, llvm::Any) { end_llvm_pass(name); });
}

void PhaseTimer::begin_llvm_pass() { running_.push_back({now(), {}}); }

void PhaseTimer::end_llvm_pass(llvm::StringRef name) {
  if (running_.empty())
    return;
  const auto [begin, within] = running_.back();
  running_.pop_back();
  const auto all = now() - begin;
  if (!running_.empty())
    running_.back().within += all;
  add(name, all - within, inner_, inner_numbers_);
}

} // namespace heddle::compiler
