// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/kernel_runner.h"

#include "runtime/target/processor.h"

#include <algorithm>
#include <cctype>
#include <csetjmp>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace heddle::test {

const char* const BuildInput::kExtensions =
    "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
    "cl_khr_fp64 __opencl_c_fp64 __opencl_c_int64 __opencl_c_program_scope_global_variables "
    "__opencl_c_generic_address_space __opencl_c_atomic_order_acq_rel "
    "__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "
    "cl_khr_extended_async_copies cl_khr_async_work_group_copy_fence";

const heddle_compiler_api& compiler() {
  static const heddle_compiler_api* const api = [] {
    const char* const other = std::getenv("HEDDLE_COMPILER");
    void* library = dlopen(other != nullptr ? other : HEDDLE_COMPILER_PATH, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::abort();
    }
    return reinterpret_cast<const heddle_compiler_api* (*)()>(
        dlsym(library, "heddle_compiler_get_api"))();
  }();
  return *api;
}

namespace {

struct Job {
  const BuildInput& input;
  Built result;
  std::jmp_buf escape;
  std::string fatal_message;
};

void leave(void* context, const char* message) {
  auto& job = *static_cast<Job*>(context);
  job.fatal_message = message;
  std::longjmp(job.escape, 1);
}

std::vector<std::byte> copy(const heddle_blob& blob) {
  const auto* data = static_cast<const std::byte*>(blob.data);
  return blob.size == 0 ? std::vector<std::byte>() : std::vector<std::byte>(data, data + blob.size);
}

void run_request(Job& job, const heddle_request& request) {
  if (setjmp(job.escape) != 0) {
    job.result.status = HEDDLE_BUILD_FAILURE;
    job.result.log = "fatal: " + job.fatal_message;
    return;
  }
  auto* result = compiler().run(&request);
  auto& built = job.result;
  built.status = result->status;
  built.log += result->log;
  ProgramMetadata metadata;
  if (result->metadata.size != 0)
    metadata =
        deserialize({static_cast<const std::byte*>(result->metadata.data), result->metadata.size})
            .value();
  if (request.goal == HEDDLE_GOAL_UNIT) {
    built.units[request.kernel] = copy(result->output);
    for (auto& kernel : built.metadata.kernels)
      if (kernel.name == request.kernel && built.ok())
        kernel = std::move(metadata.kernels.at(0));
  } else {
    built.output = copy(result->output);
    built.metadata = std::move(metadata);
    built.dependencies.assign(result->dependencies,
                              result->dependencies + result->dependency_count);
  }
  compiler().free_result(result);
}

void build_units(Job& job, heddle_request request) {
  const heddle_blob program{job.result.output.data(), job.result.output.size()};
  request.goal = HEDDLE_GOAL_UNIT;
  request.source = {};
  request.inputs = &program;
  request.input_count = 1;
  for (std::size_t i = 0; job.result.ok() && i < job.result.metadata.kernels.size(); ++i) {
    const auto name = job.result.metadata.kernels[i].name;
    request.kernel = name.c_str();
    run_request(job, request);
  }
}

void* build_on_thread(void* argument) {
  auto& job = *static_cast<Job*>(argument);
  const auto& input = job.input;
  std::vector<const char*> options;
  for (const auto& option : input.options)
    options.push_back(option.c_str());
  std::vector<heddle_header> headers;
  for (const auto& [name, text] : input.headers)
    headers.push_back({name.c_str(), {text.data(), text.size()}});
  std::vector<heddle_blob> inputs;
  for (const auto& object : input.inputs)
    inputs.push_back({object.data(), object.size()});
  heddle_request request{};
  request.goal = input.goal.value_or(HEDDLE_GOAL_PROGRAM);
  request.source = {input.source.data(), input.source.size()};
  request.source_name = "program.cl";
  request.working_directory =
      input.working_directory.empty() ? nullptr : input.working_directory.c_str();
  request.headers = headers.data();
  request.header_count = headers.size();
  request.inputs = inputs.data();
  request.input_count = inputs.size();
  request.options = options.data();
  request.option_count = options.size();
  request.extensions = input.extensions.c_str();
  request.cpu = input.cpu.c_str();
  for (const auto& argument : input.known)
    request.specialization.know(argument);
  request.force_fibers = input.force_fibers ? 1 : 0;
  request.max_seconds = input.max_seconds;
  request.max_memory_bytes = input.max_memory_bytes;
  request.verify_each = 1;
  request.fatal = leave;
  request.fatal_context = &job;
  run_request(job, request);
  if (!input.goal)
    build_units(job, request);
  return nullptr;
}

// Fibers of one group, resumed round-robin.
struct SerialWorker {
  abi::Worker abi{};
  std::vector<std::vector<std::byte>>* records = nullptr;
  ucontext_t scheduler{};
  std::vector<ucontext_t> fibers;
  std::vector<bool> finished;
  std::size_t current = 0;
  const abi::Group* group = nullptr;
  abi::ItemFunction item = nullptr;
};

SerialWorker& worker_of(abi::Worker* worker) { return *reinterpret_cast<SerialWorker*>(worker); }

SerialWorker* starting = nullptr;

void fiber_main() {
  auto& worker = *starting;
  const auto index = worker.current;
  worker.item(worker.group, index);
  worker.finished[index] = true;
  swapcontext(&worker.fibers[index], &worker.scheduler);
}

void run_fibers(const abi::Group* group, abi::ItemFunction item, std::uint64_t count) {
  constexpr std::size_t kStack = 256 * 1024;
  auto& worker = worker_of(group->worker);
  worker.group = group;
  worker.item = item;
  worker.fibers.assign(count, {});
  worker.finished.assign(count, false);
  std::vector<std::unique_ptr<char[]>> stacks;
  for (auto& fiber : worker.fibers) {
    stacks.emplace_back(new char[kStack]);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stacks.back().get();
    fiber.uc_stack.ss_size = kStack;
    makecontext(&fiber, fiber_main, 0);
  }
  for (bool live = true; live;) {
    live = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (worker.finished[i])
        continue;
      live = true;
      worker.current = i;
      starting = &worker;
      swapcontext(&worker.scheduler, &worker.fibers[i]);
    }
  }
}

void barrier(abi::Worker* worker) {
  auto& serial = worker_of(worker);
  const auto index = serial.current;
  swapcontext(&serial.fibers[index], &serial.scheduler);
}

std::int32_t print(abi::Worker* worker, const std::byte* record, std::uint64_t size) {
  worker_of(worker).records->emplace_back(record, record + size);
  return 0;
}

} // namespace

Built build(const BuildInput& input) {
  Job job{input, {}, {}, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{64} << 20);
  pthread_t thread{};
  if (pthread_create(&thread, &attributes, build_on_thread, &job) != 0)
    std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return job.result;
}

Program::Program(const BuildInput& input) : built_(build(input)) {
  EXPECT_TRUE(built_.ok()) << built_.log;
  if (!built_.ok())
    return;
  for (const auto& [kernel, unit] : built_.units)
    load(kernel, unit);
  program_scope_ = built_.metadata.program_scope;
  for (const auto offset : built_.metadata.program_scope_relocations) {
    std::uint64_t value = 0;
    std::memcpy(&value, program_scope_.data() + offset, 8);
    value += reinterpret_cast<std::uint64_t>(program_scope_.data());
    std::memcpy(program_scope_.data() + offset, &value, 8);
  }
}

void Program::load(const std::string& kernel, const std::vector<std::byte>& unit) {
  const int file = memfd_create("kernel", MFD_CLOEXEC);
  EXPECT_EQ(write(file, unit.data(), unit.size()), static_cast<ssize_t>(unit.size()));
  // The file stays open: dlopen tells libraries apart by their paths, and two units with the same
  // number would be the same library.
  auto* handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    ADD_FAILURE() << dlerror();
    return;
  }
  handles_.push_back(handle);
  functions_[kernel] = *static_cast<abi::KernelFunction*>(dlsym(handle, abi::kKernelTableSymbol));
}

Program::~Program() {
  for (auto* handle : handles_)
    dlclose(handle);
}

const KernelMetadata& Program::metadata(const std::string& kernel) const {
  for (const auto& candidate : built_.metadata.kernels)
    if (candidate.name == kernel)
      return candidate;
  static const KernelMetadata none;
  ADD_FAILURE() << "no kernel " << kernel;
  return none;
}

void Program::run(const std::string& kernel, const Range& range,
                  const std::vector<std::vector<std::byte>>& arguments) {
  const auto function = functions_.find(kernel);
  ASSERT_NE(function, functions_.end()) << "no kernel " << kernel;
  const auto& metadata = this->metadata(kernel);
  ASSERT_EQ(arguments.size(), metadata.arguments.size());

  alignas(128) std::byte packed[4096] = {};
  std::uint64_t local_end = metadata.local_bytes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = metadata.arguments[i];
    if (argument.kind == ArgumentKind::local_pointer) {
      local_end = (local_end + argument.alignment - 1) / argument.alignment * argument.alignment;
      std::memcpy(packed + argument.offset, &local_end, 8);
      local_end += arguments[i].size();
    } else {
      ASSERT_EQ(arguments[i].size(), argument.size) << "argument " << i;
      std::memcpy(packed + argument.offset, arguments[i].data(), argument.size);
    }
  }
  std::vector<std::byte> local_memory(local_end + 128);
  const auto aligned = (reinterpret_cast<std::uintptr_t>(local_memory.data()) + 127) / 128 * 128;

  abi::Launch launch{};
  launch.args = packed;
  launch.program_scope = program_scope_.data();
  launch.work_dim = 3;
  std::uint64_t groups = 1;
  for (int d = 0; d < 3; ++d) {
    launch.global_size[d] = range.global[d];
    launch.global_offset[d] = range.offset[d];
    launch.local_size[d] = range.local[d];
    launch.group_count[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
    groups *= launch.group_count[d];
  }
  abi::set_merging(launch, launch.local_size);
  SerialWorker worker;
  worker.abi.run_fibers = run_fibers;
  worker.abi.barrier = barrier;
  worker.abi.print = print;
  worker.abi.local_memory = reinterpret_cast<std::byte*>(aligned);
  std::vector<std::byte> frames(
      metadata.frame_bytes * range.local[0] * range.local[1] * range.local[2] + 64);
  worker.abi.frames = reinterpret_cast<std::byte*>(
      (reinterpret_cast<std::uintptr_t>(frames.data()) + 63) / 64 * 64);
  worker.records = &records_;
  // In two ranges, to cover ranges that do not start at 0.
  const auto middle = groups / 3;
  abi::run_groups(function->second, launch, 0, middle, worker.abi);
  abi::run_groups(function->second, launch, middle, groups, worker.abi);
}

std::vector<std::string> cpu_levels() {
  std::vector<std::string> names;
  for (const auto& level : processor::levels().first(processor::level_count()))
    names.emplace_back(level.name);
  return names;
}

std::string name_of_level(const testing::TestParamInfo<std::string>& level) {
  std::string name = level.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

} // namespace heddle::test
