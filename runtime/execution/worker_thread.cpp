// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/worker_thread.h"

#include "library/aligned_memory.h"
#include "runtime/core/options.h"
#include "runtime/core/thread_end.h"
#include "runtime/execution/device_enqueue.h"
#include "runtime/target/floating_point_modes.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace heddle {
namespace {

// The minimum stack of kernels without barriers; recursive ones get kRecursionBytes.
constexpr std::size_t kMainStackBytes = 1 << 20;
constexpr std::size_t kRecursionBytes = 8 << 20;
constexpr std::size_t kFiberRecursionBytes = 256 << 10;
// Stack in addition to the compiled frames: context switch, callbacks into printf.
constexpr std::size_t kHeadroomBytes = 16 << 10;

WorkerThread& thread_of(abi::Worker* worker) { return *reinterpret_cast<WorkerThread*>(worker); }

} // namespace

WorkerThread* WorkerThread::current() noexcept {
  static thread_local constinit WorkerThread* own = nullptr;
  static thread_local constinit thread_end::Hook hook{
      []() noexcept { delete std::exchange(own, nullptr); }};
  if (!own) {
    own = new (std::nothrow) WorkerThread;
    thread_end::add(hook);
  }
  return own;
}

WorkerThread::WorkerThread() noexcept {
  worker_.run_fibers = run_fibers;
  worker_.barrier = barrier;
  worker_.print = print;
  worker_.check = check;
  worker_.device_queue = &device_enqueue::calls();
  worker_.yield = barrier; // which switches to the next fiber of the ring
  worker_.counting_barrier = counting_barrier;
}

WorkerThread& WorkerThread::of(abi::Worker& worker) noexcept { return thread_of(&worker); }

WorkerThread::~WorkerThread() {
  aligned_memory::free(local_memory_);
  aligned_memory::free(frames_);
}

namespace {

// Buffers begin at a page or shortly after. If local memory did so too, its addresses would equal
// those of a kernel's buffers in the low 12 bits, and loads would wait for unrelated stores (4K
// aliasing).
constexpr std::size_t kLocalOffset = 2048; // from the start of a page
static_assert(kLocalOffset >= abi::kHiddenLocalBytes);

// Does not keep the contents.
bool grow(std::byte*& memory, std::size_t& capacity, std::uint64_t bytes) noexcept {
  constexpr std::size_t kPage = 4096;
  if (bytes <= capacity)
    return true;
  aligned_memory::free(memory);
  capacity = (bytes + kPage - 1) / kPage * kPage;
  memory = static_cast<std::byte*>(aligned_memory::allocate(kPage, capacity));
  if (memory == nullptr)
    capacity = 0;
  else if (options().CHECK.uninitialized) // the area before the groups' shadows
    std::memset(memory, 0, capacity);
  return memory != nullptr;
}

} // namespace

bool WorkerThread::prepare(const KernelMetadata& kernel, std::uint64_t sub_groups,
                           std::uint64_t local_bytes) noexcept try {
  debugger_entry_.set_kernel(kernel);
  const bool recursive = kernel.stack_bytes == 0;
  if (kernel.uses_fibers()) {
    fiber_stack_bytes_ = recursive ? kFiberRecursionBytes : kernel.stack_bytes + kHeadroomBytes;
    if (!fiber_stacks_.reserve(sub_groups, fiber_stack_bytes_, !recursive))
      return false;
    if (fibers_.size() < sub_groups)
      fibers_.resize(sub_groups);
  }
  const auto main_bytes =
      recursive && !kernel.uses_fibers()
          ? kRecursionBytes
          : std::max<std::size_t>(kMainStackBytes,
                                  kernel.uses_fibers() ? 0 : kernel.stack_bytes + kHeadroomBytes);
  if (main_bytes > main_stack_.usable_bytes()) {
    if (!main_stack_.reserve(1, main_bytes, true))
      return false;
    exit_.stack_top = nullptr;
  }
  const auto shadow_bytes = options().CHECK.uninitialized ? abi::kLocalShadow : 0;
  const auto frames_bytes = kernel.frame_bytes * sub_groups;
  if ((local_bytes != 0 &&
       !grow(local_memory_, local_capacity_, kLocalOffset + shadow_bytes + local_bytes)) ||
      !grow(frames_, frames_capacity_, frames_bytes))
    return false;
  const bool has_local = local_memory_ != nullptr;
  worker_.local_memory = has_local ? local_memory_ + kLocalOffset : nullptr;
  worker_.frames = frames_;
  const bool has_frames = kernel.frame_bytes != 0;
  const std::byte* const bounds[] = {worker_.local_memory,
                                     has_local ? local_memory_ + local_capacity_ : nullptr,
                                     main_stack_.begin(),
                                     main_stack_.end(),
                                     has_frames ? frames_ : fiber_stacks_.begin(),
                                     has_frames ? frames_ + frames_capacity_ : fiber_stacks_.end()};
  for (std::size_t i = 0; i < std::size(bounds); ++i)
    worker_.bounds[i] = reinterpret_cast<std::uintptr_t>(bounds[i]);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool WorkerThread::run(abi::KernelFunction function, const abi::Launch& launch,
                       std::uint64_t first_group, std::uint64_t last_group, PrintBuffer& prints,
                       LaunchChecks* checks, const std::atomic<bool>* stop, Fault& fault) noexcept {
  job_ = {function, &launch, first_group, last_group};
  prints_ = &prints;
  checks_ = checks;
  checked_worker_.races =
      checks != nullptr ? &checks->begin(worker_, launch) : &LaunchChecks::ignored_accesses();
  fault_ = &fault;
  stop_ = stop;
  if (!stop)
    return run_on_stack(fault);
  const FloatingPointModes modes;
  entry_.begin(*stop);
  const bool finished = run_on_stack(fault);
  entry_.end();
  if (!finished)
    modes.restore();
  return finished;
}

bool WorkerThread::run_on_stack(Fault& fault) noexcept {
  if (!exit_.stack_top) {
    exit_.stack_top = main_stack_.top(0);
    kernel_track_.begin(main_stack_.top(0), main_stack_.usable_bytes());
  }
  debugger_entry_.set_launch(job_.launch);
  fault_guard::enter_kernel(exit_, &fault, stop_);
  const bool finished = call_on_stack(&caller_, exit_.stack_top, run_job_on_stack, this,
                                      caller_track_, kernel_track_) != nullptr;
  fault_guard::leave_kernel();
  debugger_entry_.set_launch(nullptr);
  if (!finished)
    exit_.stack_top = nullptr;
  return finished;
}

HEDDLE_NO_THREAD_SANITIZER void WorkerThread::run_job_on_stack(void* value) {
  auto& thread = *static_cast<WorkerThread*>(value);
  StackTrack::entered(thread.caller_track_);
  thread.run_job();
  StackTrack::leaving(thread.caller_track_);
}

HEDDLE_NO_THREAD_SANITIZER void WorkerThread::run_job() {
  if (stop_) {
    fault_guard::allow_stop(true);
    if (stop_->load(std::memory_order_seq_cst)) {
      fault_guard::allow_stop(false);
      return;
    }
  }
  abi::run_groups(job_.function, *job_.launch, job_.first_group, job_.last_group, worker_);
  if (stop_)
    fault_guard::allow_stop(false);
}

// Runs at the top of the kernel stack, whose contents are abandoned.
HEDDLE_NO_THREAD_SANITIZER void WorkerThread::after_fault(void* worker_thread) {
  auto& thread = *static_cast<WorkerThread*>(worker_thread);
  StackContext given_up;
  switch_stack(&given_up, thread.caller_, nullptr, thread.kernel_track_, thread.caller_track_);
  std::abort(); // an abandoned stack is never resumed
}

bool WorkerThread::is_stack_guard(const void* address) const noexcept {
  return main_stack_.is_guard(address) || fiber_stacks_.is_guard(address);
}

void WorkerThread::run_fibers(const abi::Group* group, abi::ItemFunction item,
                              std::uint64_t count) {
  auto& self = thread_of(group->worker);
  self.group_ = group;
  self.item_ = item;
  self.count_ = static_cast<std::uint32_t>(count);
  auto* fibers = self.fibers_.data();
  for (std::uint32_t i = 0; i < self.count_; ++i) {
    fibers[i].track.begin(self.fiber_stacks_.top(i), self.fiber_stacks_.usable_bytes());
    fibers[i].context = make_stack(self.fiber_stacks_.top(i), fiber_entry);
    fibers[i].next = i + 1 == self.count_ ? 0 : i + 1;
    fibers[i].previous = i == 0 ? self.count_ - 1 : i - 1;
  }
  self.running_ = 0;
  self.live_ = self.count_;
  self.first_ = 0;
  self.waiting_ = 0;
  // The first fiber starts the others; the last one to return switches back here.
  switch_stack(&self.group_loop_, fibers[0].context, &self, self.kernel_track_, fibers[0].track);
}

// A fiber starts when the one before it reaches its first barrier or returns.
HEDDLE_NO_THREAD_SANITIZER void WorkerThread::fiber_entry(void* value) {
  auto& self = *static_cast<WorkerThread*>(value);
  StackTrack left; // whose bounds are known
  StackTrack::entered(left);
  if (self.stop_) // not during switches that are tracked
    fault_guard::allow_stop(true);
  const auto index = self.running_;
  self.item_(self.group_, index);
  auto* fibers = self.fibers_.data();
  auto& own = fibers[index];
  if (own.next == index) {
    switch_stack(&own.context, self.group_loop_, nullptr, own.track, self.kernel_track_);
    std::abort();
  }
  fibers[own.previous].next = own.next;
  fibers[own.next].previous = own.previous;
  if (self.first_ == index)
    self.first_ = own.next;
  auto next = own.next;
  if (--self.live_ == self.waiting_) { // the others wait for this one only
    self.open_barrier();
    next = self.first_;
  }
  self.running_ = next;
  self.worker_.current_item = next;
  switch_stack(&own.context, fibers[next].context, &self, own.track, fibers[next].track);
  std::abort();
}

void WorkerThread::switch_to(std::uint32_t next) {
  auto& from = fibers_[running_];
  auto& to = fibers_[next];
  running_ = next;
  worker_.current_item = next;
  switch_stack(&from.context, to.context, this, from.track, to.track);
}

void WorkerThread::barrier(abi::Worker* worker) {
  auto& self = thread_of(worker);
  auto* fibers = self.fibers_.data();
  auto& own = fibers[self.running_];
  if (own.next != self.running_)
    self.switch_to(own.next);
}

void WorkerThread::open_barrier() {
  waiting_ = 0;
  ++times_open_;
}

void WorkerThread::counting_barrier(abi::Worker* worker) {
  auto& self = thread_of(worker);
  if (++self.waiting_ == self.live_) {
    self.open_barrier();
    if (self.first_ != self.running_)
      self.switch_to(self.first_);
    return;
  }
  for (const auto before = self.times_open_; self.times_open_ == before;)
    self.switch_to(self.fibers_[self.running_].next);
}

HEDDLE_NO_THREAD_SANITIZER std::int32_t
WorkerThread::print(abi::Worker* worker, const std::byte* record, std::uint64_t size) {
  auto& self = thread_of(worker);
  {
    const RuntimeCall call;
    if (!PrintBuffer::ends_kernel(record, size, self.fault_->message))
      return self.prints_->append(record, size);
  }
  self.leave_failed();
}

// Abandons the stack of a kernel whose fault_ has a message, as a fault does.
HEDDLE_NO_THREAD_SANITIZER void WorkerThread::leave_failed() {
  fault_guard::allow_stop(false);
  StackContext given_up;
  StackTrack track;
  switch_stack(&given_up, caller_, nullptr, track, caller_track_);
  std::abort();
}

HEDDLE_NO_THREAD_SANITIZER void WorkerThread::check(abi::Worker* worker,
                                                    const abi::CheckHeader* record) {
  auto& self = thread_of(worker);
  {
    const RuntimeCall call;
    // Constructors of objects at program scope run before all launches, by themselves.
    if (self.checks_ == nullptr ||
        self.checks_->passes(*record, *worker, *self.job_.launch, self.fault_->finding))
      return;
  }
  self.leave_failed();
}

} // namespace heddle
