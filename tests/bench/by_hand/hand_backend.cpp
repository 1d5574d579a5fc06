// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/frame/backend.h"

#include <map>

namespace heddle::bench {
namespace {

std::map<std::string, Prepare>& registry() {
  static std::map<std::string, Prepare> map;
  return map;
}

// Uses the workload's own memory, which the caller poisons before it fetches the results, so
// fetch() executes another run.
class HandRunner final : public Runner {
 public:
  HandRunner(Workload& workload, const Prepare& prepare) : run_(prepare(workload)) {}
  void run(size_t count) override {
    for (size_t i = 0; i != count; ++i)
      run_();
  }
  void fetch() override { run_(); }

 private:
  std::function<void()> run_;
};

} // namespace

ByHand::ByHand(const char* name, Prepare prepare) { registry()[name] = std::move(prepare); }

std::string backend_name() { return "C++ by hand"; }

std::unique_ptr<Runner> make_runner(Workload& workload, const std::string& case_name) {
  const auto found = registry().find(case_name);
  if (found == registry().end())
    throw Skipped("no code by hand");
  return std::make_unique<HandRunner>(workload, found->second);
}

} // namespace heddle::bench
