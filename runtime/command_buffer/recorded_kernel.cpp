// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/recorded_kernel.h"

#include "runtime/command_buffer/versions.h"

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
         kernel.bridge == launch.bridge && kernel.used_nanoseconds == launch.used_nanoseconds &&
         (kernel.abi.arguments_overlap != 0) == launch.arguments_overlap;
}

} // namespace

RecordedKernel::RecordedKernel(Kernel& kernel, Ref<Kernel> copy, Device& device, const Range& range,
                               Options options)
    : original_(&kernel), kernel_(std::move(copy)), device_(&device), range_(range),
      options_(std::move(options)), has_pipes_(has_pipe_argument(kernel.declaration())) {}

RecordedKernel::Version::~Version() = default;

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

// What replays in flight may still run goes to `replaced`, the rest is freed.
void RecordedKernel::publish(std::unique_ptr<Version> made, ReplacedVersion* replaced) {
  auto* const current = newest_.load(std::memory_order_relaxed);
  if (replaced) {
    made->older = current;
    replaced->version = current;
    if (made->base.get() != current)
      replaced->owned.reset(current);
  }
  newest_.store(made.release(), std::memory_order_release);
  if (!replaced)
    delete current;
}

// Units and memory objects stay what they are: they are those of the base, which the newest version
// owns, since versions are freed in their order. To count references to them, which replays in
// flight drop, would take more time than the rest.
cl_int RecordedKernel::prepare_values(Version& current, std::uint64_t number, bool is_in_use,
                                      ReplacedVersions& replaced) {
  if (!is_in_use) {
    kernel_->write_values(current.values ? *current.values : *current.kernel->arguments);
    return CL_SUCCESS;
  }
  auto made = std::make_unique<Version>();
  auto& place = replaced.add(*this);
  made->values = kernel_->copy_values(*current.kernel->arguments);
  if (!made->values)
    return CL_OUT_OF_HOST_MEMORY;
  made->number = number;
  made->kernel = current.kernel;
  if (current.base)
    made->base = std::move(current.base);
  else
    made->base.reset(&current);
  publish(std::move(made), &place);
  return CL_SUCCESS;
}

cl_int RecordedKernel::prepare(std::uint64_t number, Change change, bool is_in_use,
                               ReplacedVersions& replaced) {
  auto* current = newest_.load(std::memory_order_relaxed);
  if (current && change == Change::values && current->kernel && !current->kernel->checks)
    return prepare_values(*current, number, is_in_use, replaced);
  KernelLaunch launch;
  if (const cl_int error = capture(launch))
    return error;
  if (!current) // replays read it
    is_launched_ = launch.variant.metadata->uses_device_queues || launch.pipes || launch.checks;
  // Before the optimized unit is there, launches that were used much would have more units built
  // to bridge the time, which delay it.
  if (!is_expected_ && launch.used_nanoseconds && !launch.replacement) {
    is_expected_ = true;
    launch.used_nanoseconds->fetch_add(kExpectedNanoseconds, std::memory_order_relaxed);
  }
  if (current && change == Change::none &&
      (!current->kernel || runs_same(*current->kernel, launch)))
    return CL_SUCCESS;
  auto made = std::make_unique<WholeVersion>();
  auto* const place = current && is_in_use ? &replaced.add(*this) : nullptr;
  made->number = number;
  if (!is_empty() && !is_launched_) {
    const auto* kernels = launch.loaded.get();
    made->prepared.emplace(std::move(launch), kernel_->program().context(), kernels, nullptr);
    made->kernel = &*made->prepared;
  }
  publish(std::move(made), place);
  return CL_SUCCESS;
}

bool RecordedKernel::is_provisional() const noexcept {
  const auto* kernel = newest().kernel;
  return kernel && kernel->replacement;
}

bool RecordedKernel::is_superseded() const noexcept {
  const auto is_there = [](const auto* source) {
    return source && source->load(std::memory_order_relaxed) != nullptr;
  };
  return is_provisional() &&
         (is_there(newest().kernel->replacement) || is_there(newest().kernel->bridge));
}

} // namespace heddle
