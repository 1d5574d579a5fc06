// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/recorded_kernel.h"

#include <algorithm>

namespace heddle {
namespace {

// What is recorded will run often: units for its local size are built as if it had run so long.
constexpr std::uint64_t kExpectedNanoseconds = 50'000'000;

bool has_pipe_argument(const KernelDeclaration& kernel) {
  return std::ranges::any_of(kernel.arguments, [](const KernelArgument& argument) {
    return argument.kind == ArgumentKind::pipe;
  });
}

// Whether a launch would run what the version runs.
bool runs_same(const PreparedKernel& kernel, const KernelLaunch& launch) {
  return kernel.variants[0].function == launch.variant.function &&
         kernel.variants[1].function == launch.challenger.function &&
         kernel.trial == launch.trial && kernel.replacement == launch.replacement &&
         kernel.used_nanoseconds == launch.used_nanoseconds &&
         (kernel.abi.arguments_overlap != 0) == launch.arguments_overlap;
}

} // namespace

RecordedKernel::RecordedKernel(Kernel& kernel, Ref<Kernel> copy, Device& device, const Range& range,
                               Options options)
    : original_(&kernel), kernel_(std::move(copy)), device_(&device), range_(range),
      options_(std::move(options)), has_pipes_(has_pipe_argument(kernel.declaration())) {}

RecordedKernel::~RecordedKernel() { delete newest_.load(std::memory_order_relaxed); }

Result<std::shared_ptr<RecordedKernel>>
RecordedKernel::create(Kernel& kernel, Device& device, const Range& range, Options options) {
  auto copy = kernel.clone();
  if (!copy)
    return copy.error();
  return std::shared_ptr<RecordedKernel>(
      new RecordedKernel(kernel, std::move(*copy), device, range, std::move(options)));
}

Result<std::shared_ptr<RecordedKernel>> RecordedKernel::copy(Device& device,
                                                             const Range& range) const {
  auto copy = kernel_->clone();
  if (!copy)
    return copy.error();
  return std::shared_ptr<RecordedKernel>(
      new RecordedKernel(*original_, std::move(*copy), device, range, options_));
}

bool RecordedKernel::is_empty() const {
  const auto& size = range_.sizes.global_size;
  return size[0] == 0 || size[1] == 0 || size[2] == 0;
}

cl_int RecordedKernel::capture(KernelLaunch& launch) const {
  launch.range = range_.sizes;
  return kernel_->capture(*device_, launch);
}

cl_int RecordedKernel::prepare(std::uint64_t number, bool is_changed, bool is_in_use,
                               std::vector<std::unique_ptr<Version>>& replaced) {
  KernelLaunch launch;
  if (const cl_int error = capture(launch))
    return error;
  auto* current = newest_.load(std::memory_order_relaxed);
  if (!current) // replays read it
    is_launched_ = launch.variant.metadata->uses_device_queues || launch.pipes || launch.checks;
  // Before the optimized unit is there, launches that were used much would have more units built
  // to bridge the time, which delay it.
  if (!is_expected_ && launch.used_nanoseconds && !launch.replacement) {
    is_expected_ = true;
    launch.used_nanoseconds->fetch_add(kExpectedNanoseconds, std::memory_order_relaxed);
  }
  const bool runs = !is_empty() && !is_launched_;
  if (current && !is_changed && (!runs || runs_same(*current->kernel, launch)))
    return CL_SUCCESS;
  const auto set = [&](Version& version) {
    version.number = number;
    version.kernel.reset();
    if (runs) {
      const auto* kernels = launch.loaded.get();
      version.kernel.emplace(std::move(launch), kernel_->program().context(), kernels, nullptr);
    }
  };
  if (current && !is_in_use) {
    set(*current);
    return CL_SUCCESS;
  }
  auto made = std::make_unique<Version>();
  set(*made);
  made->older = current;
  if (current)
    replaced.emplace_back(current);
  newest_.store(made.release(), std::memory_order_release);
  return CL_SUCCESS;
}

bool RecordedKernel::is_provisional() const noexcept {
  const auto& kernel = newest().kernel;
  return kernel && kernel->replacement;
}

bool RecordedKernel::is_superseded() const noexcept {
  return is_provisional() &&
         newest().kernel->replacement->load(std::memory_order_relaxed) != nullptr;
}

} // namespace heddle
