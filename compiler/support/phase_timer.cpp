#include "compiler/support/phase_timer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle::compiler {
namespace {

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

} // namespace

PhaseTimer::PhaseTimer() : start_(Clock::now()), last_(start_) {
  const char* value = std::getenv("HEDDLE_TIME_PASSES");
  enabled_ = value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

PhaseTimer::~PhaseTimer() {
  if (!enabled_)
    return;
  std::string text = "heddle: build";
  for (const auto& phase : phases_) {
    char part[96];
    std::snprintf(part, sizeof part, "  %s %.2f", phase.name, milliseconds(phase.time));
    text += part;
  }
  std::fprintf(stderr, "%s  total %.2f ms\n", text.c_str(), milliseconds(Clock::now() - start_));
}

void PhaseTimer::mark(const char* phase) {
  if (!enabled_)
    return;
  const auto now = Clock::now();
  phases_.push_back({phase, now - last_});
  last_ = now;
}

} // namespace heddle::compiler
