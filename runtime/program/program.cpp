// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/program.h"

#include "runtime/core/lock.h"
#include "runtime/program/il.h"
#include "runtime/program/program_builder.h"

#include <algorithm>

namespace heddle {

static constexpr const char* kZeroPrivate = "-heddle-zero-private"; // cl_khr_initialize_memory

Program::Program(Context& context, std::string source)
    : Object(Kind::program), context_(&context),
      devices_(context.devices().begin(), context.devices().end()), source_(std::move(source)),
      origin_(Origin::source), states_(devices_.size()) {}

Program::Program(Context& context, std::unique_ptr<IntermediateLanguage> il)
    : Object(Kind::program), context_(&context),
      devices_(context.devices().begin(), context.devices().end()), il_(std::move(il)),
      origin_(Origin::il), states_(devices_.size()) {}

Program::~Program() = default;

Program::Program(Context& context, Origin origin, std::span<Device* const> devices)
    : Object(Kind::program), context_(&context), origin_(origin), states_(devices.size()) {
  for (auto* device : devices)
    devices_.emplace_back(device);
}

bool Program::has(const Device* device) const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const auto& own) { return own.get() == device; });
}

Program::State& Program::state_of(const Device& device) {
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i].get() == &device)
      return states_[i];
  return states_.front();
}

Program::State Program::state(const Device& device) const {
  const Lock lock(mutex_);
  for (const auto* part = &device; part; part = part->parent())
    if (has(part) && state_of(*part).status != CL_BUILD_NONE)
      return state_of(*part);
  return state_of(device);
}

Ref<LoadedProgram> Program::loaded(const Device& device) const {
  const Lock lock(mutex_);
  if (!has(&device))
    return nullptr;
  const auto& state = state_of(device);
  return state.status == CL_BUILD_SUCCESS ? state.loaded : nullptr;
}

bool Program::allows_non_uniform_groups() const {
  const Lock lock(mutex_);
  return std::all_of(states_.begin(), states_.end(), [](const State& state) {
    return !state.file || state.file->allows_non_uniform_groups;
  });
}

// cl_khr_initialize_memory: the units of a binary are built again, unless it had the option too.
static void zero_private(ProgramFile& file) {
  if (file.kind != ProgramKind::executable ||
      std::find(file.options.begin(), file.options.end(), kZeroPrivate) != file.options.end())
    return;
  file.options.emplace_back(kZeroPrivate);
  file.units.clear();
}

cl_int Program::load_binary(const Device& device, std::span<const std::byte> bytes) {
  auto file = read_program_file(bytes);
  if (!file)
    return CL_INVALID_BINARY;
  if (file->kind == ProgramKind::unit)
    return CL_INVALID_BINARY;
  State state;
  file->dependencies.clear();
  if (context().initialized_memory() & kInitializePrivate)
    zero_private(*file);
  state.file = std::make_shared<const ProgramFile>(std::move(*file));
  if (state.file->kind == ProgramKind::executable) {
    state.loaded = LoadedProgram::open(state.file);
    if (!state.loaded)
      return CL_INVALID_BINARY;
  }
  const Lock lock(mutex_);
  state_of(device) = std::move(state);
  return CL_SUCCESS;
}

bool Program::has_binary(const Device& device) const {
  const Lock lock(mutex_);
  const auto& file = state_of(device).file;
  return file && file->kind == ProgramKind::executable;
}

std::vector<std::byte> Program::binary(const Device& device) const {
  const auto built = state(device);
  if (!built.file)
    return {};
  auto file = *built.file;
  file.units.clear();
  if (built.loaded)
    built.loaded->store_in(file.units);
  return write_program_file(file);
}

std::string Program::log(const Device& device) const {
  auto built = state(device);
  for (std::size_t i = 0; built.loaded && i < built.loaded->kernel_count(); ++i)
    built.log += built.loaded->units(i).generic().problem();
  if (built.loaded && built.loaded->global_objects())
    built.log += built.loaded->global_objects()->problem();
  return built.log;
}

cl_int Program::begin(std::span<Device* const> devices, const std::string& options) {
  const Lock lock(mutex_);
  if (attached_kernels() != 0)
    return CL_INVALID_OPERATION;
  for (auto* device : devices)
    if (state_of(*device).status == CL_BUILD_IN_PROGRESS)
      return CL_INVALID_OPERATION;
  for (auto* device : devices) {
    auto& state = state_of(*device);
    state.options = options; // may throw, before the state is changed
    state.log.clear();
  }
  for (auto* device : devices)
    state_of(*device).status = CL_BUILD_IN_PROGRESS;
  return CL_SUCCESS;
}

cl_int Program::refuse(std::span<Device* const> devices, const std::string& why, cl_int error) {
  State none;
  none.status = CL_BUILD_ERROR;
  none.log = "error: " + why + "\n";
  return finish(devices, std::move(none), error);
}

void Program::abandon(std::span<Device* const> devices) noexcept {
  const Lock lock(mutex_);
  for (auto* device : devices)
    if (auto& state = state_of(*device); state.status == CL_BUILD_IN_PROGRESS)
      state.status = CL_BUILD_ERROR;
}

cl_int Program::finish(std::span<Device* const> devices, State result, cl_int failure) {
  const Lock lock(mutex_);
  for (auto* device : devices) {
    auto& state = state_of(*device);
    const auto options = std::move(state.options);
    state = result;
    state.options = options;
  }
  return result.status == CL_BUILD_SUCCESS ? CL_SUCCESS : failure;
}

Program::State Program::make(CompileRequest request, const BuildOptions& options, ProgramKind kind,
                             bool allows_non_uniform_groups) {
  auto effective = options;
  if (context().initialized_memory() & kInitializePrivate)
    effective.words.emplace_back(kZeroPrivate);
  auto made = build_program(std::move(request), effective, kind, allows_non_uniform_groups);
  State state;
  state.status = made.file ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  state.log = std::move(made.log);
  state.file = std::move(made.file);
  state.loaded = std::move(made.loaded);
  return state;
}

CompileRequest Program::request() const {
  CompileRequest request;
  request.source = source_;
  if (il_) {
    request.il.assign(il_->bytes().begin(), il_->bytes().end());
    request.spec_constants = il_->values();
  }
  return request;
}

// SPIR-V has no version of OpenCL C: groups may be non-uniform unless the options exclude it.
bool Program::may_be_non_uniform(const BuildOptions& options) const {
  if (!il_)
    return options.allows_non_uniform_groups;
  return std::find(options.words.begin(), options.words.end(), "-cl-uniform-work-group-size") ==
         options.words.end();
}

cl_int Program::build(std::span<Device* const> devices, const BuildOptions& options) {
  if (origin_ == Origin::source || il_)
    return finish(devices,
                  make(request(), options, ProgramKind::executable, may_be_non_uniform(options)),
                  CL_BUILD_PROGRAM_FAILURE);
  for (auto* device : devices) { // loaded executables are ready
    auto loaded = state(*device);
    loaded.status = CL_BUILD_SUCCESS;
    loaded.log = loaded.file->log;
    Device* const one[] = {device};
    finish(one, std::move(loaded), CL_BUILD_PROGRAM_FAILURE);
  }
  return CL_SUCCESS;
}

cl_int Program::compile(std::span<Device* const> devices, const BuildOptions& options,
                        std::span<const Header> headers) {
  auto asked = request();
  for (const auto& header : headers)
    asked.headers.emplace_back(header.name, header.program->source());
  return finish(devices,
                make(std::move(asked), options, ProgramKind::object, may_be_non_uniform(options)),
                CL_COMPILE_PROGRAM_FAILURE);
}

cl_int Program::link(std::span<Device* const> devices, const BuildOptions& options,
                     std::span<const Ref<Program>> inputs) {
  cl_int result = CL_SUCCESS;
  for (auto* device : devices) {
    CompileRequest request;
    bool non_uniform = true;
    for (const auto& input : inputs) {
      const auto compiled = input->has(device) ? input->state(*device) : State();
      if (!compiled.file)
        continue;
      non_uniform &= compiled.file->allows_non_uniform_groups;
      request.inputs.push_back(compiled.file->payload);
    }
    Device* const one[] = {device};
    if (request.inputs.empty()) { // no input has code for this device
      finish(one, State(), CL_SUCCESS);
      continue;
    }
    const auto kind = options.create_library ? ProgramKind::library : ProgramKind::executable;
    const auto made =
        finish(one, make(std::move(request), options, kind, non_uniform), CL_LINK_PROGRAM_FAILURE);
    if (made != CL_SUCCESS)
      result = made;
  }
  return result;
}

} // namespace heddle
