#include "runtime/program/program.h"

#include "runtime/device/features.h"
#include "runtime/program/cache.h"
#include "runtime/program/digest.h"

#include <algorithm>

namespace heddle {
namespace {

// Such a source compiles to something else every time.
bool mentions_time(const std::string& source) {
  for (const char* word : {"__DATE__", "__TIME__", "__TIMESTAMP__"})
    if (source.find(word) != std::string::npos)
      return true;
  return false;
}

DigestValue key_of(const CompileRequest& request) {
  Digest digest;
  digest.add(compiler_host::identity());
  const auto cpu = cpu_digest();
  digest.add(std::as_bytes(std::span(cpu)));
  digest.add(features::compiler_names());
  digest.add(std::to_string(request.goal));
  digest.add(request.source);
  digest.add("headers");
  for (const auto& [name, text] : request.headers)
    digest.add(name).add(text);
  digest.add("inputs");
  for (const auto& input : request.inputs)
    digest.add(input);
  digest.add("options");
  for (const auto& option : request.options)
    digest.add(option);
  return digest.value();
}

// Digests of the files that were included, so that a later build notices a change. False if one
// cannot be read now.
bool describe_dependencies(const std::vector<std::string>& paths,
                           std::vector<Dependency>& dependencies) {
  for (const auto& path : paths) {
    const auto bytes = read_file(path);
    if (!bytes)
      return false;
    const auto digest = digest_of(*bytes);
    dependencies.push_back({path, {digest[0], digest[1]}});
  }
  return true;
}

heddle_goal goal_of(ProgramKind kind) {
  switch (kind) {
  case ProgramKind::object:
    return HEDDLE_GOAL_OBJECT;
  case ProgramKind::library:
    return HEDDLE_GOAL_LIBRARY;
  default:
    return HEDDLE_GOAL_EXECUTABLE;
  }
}

} // namespace

Program::Program(Context& context, std::string source)
    : Object(Kind::program), context_(&context),
      devices_(context.devices().begin(), context.devices().end()), source_(std::move(source)),
      from_source_(true), states_(devices_.size()) {}

Program::Program(Context& context, std::vector<Device*> devices)
    : Object(Kind::program), context_(&context), from_source_(false), states_(devices.size()) {
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
  const std::lock_guard lock(mutex_);
  return state_of(device);
}

Ref<Image> Program::image(const Device& device) const {
  const std::lock_guard lock(mutex_);
  return has(&device) ? state_of(device).image : nullptr;
}

bool Program::allows_non_uniform_groups() const {
  const std::lock_guard lock(mutex_);
  return std::all_of(states_.begin(), states_.end(), [](const State& state) {
    return !state.file || state.file->allows_non_uniform_groups;
  });
}

cl_int Program::load_binary(const Device& device, std::span<const std::byte> bytes) {
  auto file = read_program_file(bytes);
  if (!file)
    return CL_INVALID_BINARY;
  State state;
  state.log = file->log;
  if (file->kind == ProgramKind::executable) {
    std::string error;
    state.path = Cache::instance().store_binary(bytes);
    state.image = Image::open(*file, state.path, error);
    if (!state.image)
      return CL_INVALID_BINARY;
  }
  state.file = std::move(file);
  const std::lock_guard lock(mutex_);
  state_of(device) = std::move(state);
  return CL_SUCCESS;
}

cl_int Program::begin(std::span<Device* const> devices, const std::string& options) {
  const std::lock_guard lock(mutex_);
  if (attached_kernels() != 0)
    return CL_INVALID_OPERATION;
  for (auto* device : devices)
    if (state_of(*device).status == CL_BUILD_IN_PROGRESS)
      return CL_INVALID_OPERATION;
  for (auto* device : devices) {
    auto& state = state_of(*device);
    state.status = CL_BUILD_IN_PROGRESS;
    state.options = options;
    state.log.clear();
  }
  return CL_SUCCESS;
}

cl_int Program::refuse(std::span<Device* const> devices, const std::string& why, cl_int error) {
  State none;
  none.status = CL_BUILD_ERROR;
  none.log = "error: " + why + "\n";
  return finish(devices, std::move(none), error);
}

cl_int Program::finish(std::span<Device* const> devices, State result, cl_int failure) {
  const std::lock_guard lock(mutex_);
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
  State state;
  state.status = CL_BUILD_ERROR;
  request.goal = goal_of(kind);
  request.options = options.words;
  const bool cacheable = !mentions_time(request.source);
  const auto key = key_of(request);
  auto& cache = Cache::instance();
  if (cacheable) {
    if (auto entry = cache.find(key); entry && entry->file.kind == kind) {
      state.log = entry->file.log;
      state.path = std::move(entry->path);
      state.file = std::move(entry->file);
    }
  }
  if (!state.file) {
    request.source_name =
        request.source.empty() ? std::string() : cache.store_source(key, request.source);
    if (request.source_name.empty())
      request.source_name = "program.cl";
    auto made = compiler_host::run(std::move(request));
    state.log = std::move(made.log);
    if (made.status != HEDDLE_OK)
      return state;
    ProgramFile file;
    file.kind = kind;
    file.allows_non_uniform_groups = allows_non_uniform_groups;
    file.payload = std::move(made.output);
    file.metadata = std::move(made.metadata);
    file.log = state.log;
    if (describe_dependencies(made.dependencies, file.dependencies) && cacheable)
      state.path = cache.store(key, file);
    state.file = std::move(file);
  }
  if (kind == ProgramKind::executable) {
    std::string error;
    state.image = Image::open(*state.file, state.path, error);
    if (!state.image) {
      state.log += "error: the program cannot be opened: " + error + "\n";
      state.file.reset();
      return state;
    }
  }
  state.status = CL_BUILD_SUCCESS;
  return state;
}

cl_int Program::build(std::span<Device* const> devices, const BuildOptions& options) {
  if (from_source_) {
    CompileRequest request;
    request.source = source_;
    return finish(devices,
                  make(std::move(request), options, ProgramKind::executable,
                       options.allows_non_uniform_groups),
                  CL_BUILD_PROGRAM_FAILURE);
  }
  // A binary: an executable is ready; an object or library is linked now (OpenCL API 5.8.4).
  cl_int result = CL_SUCCESS;
  for (auto* device : devices) {
    auto old = state(*device);
    Device* const one[] = {device};
    if (!old.file) {
      State none;
      none.status = CL_BUILD_ERROR;
      none.log = "error: the program has no binary for this device\n";
      result = finish(one, std::move(none), CL_BUILD_PROGRAM_FAILURE);
    } else if (old.file->kind == ProgramKind::executable) {
      old.status = CL_BUILD_SUCCESS;
      old.log = old.file->log;
      finish(one, std::move(old), CL_SUCCESS);
    } else {
      CompileRequest request;
      request.inputs.push_back(old.file->payload);
      const auto made = finish(one,
                               make(std::move(request), options, ProgramKind::executable,
                                    old.file->allows_non_uniform_groups),
                               CL_BUILD_PROGRAM_FAILURE);
      if (made != CL_SUCCESS)
        result = made;
    }
  }
  return result;
}

cl_int Program::compile(std::span<Device* const> devices, const BuildOptions& options,
                        std::span<const Header> headers) {
  CompileRequest request;
  request.source = source_;
  for (const auto& header : headers)
    request.headers.emplace_back(header.name, header.program->source());
  return finish(
      devices,
      make(std::move(request), options, ProgramKind::object, options.allows_non_uniform_groups),
      CL_COMPILE_PROGRAM_FAILURE);
}

cl_int Program::link(std::span<Device* const> devices, const BuildOptions& options,
                     std::span<const Ref<Program>> inputs) {
  cl_int result = CL_SUCCESS;
  for (auto* device : devices) {
    CompileRequest request;
    bool non_uniform = true;
    for (const auto& input : inputs) {
      const auto compiled = input->state(*device);
      if (!compiled.file)
        continue;
      non_uniform &= compiled.file->allows_non_uniform_groups;
      request.inputs.push_back(compiled.file->payload);
    }
    Device* const one[] = {device};
    const auto kind = options.create_library ? ProgramKind::library : ProgramKind::executable;
    const auto made =
        finish(one, make(std::move(request), options, kind, non_uniform), CL_LINK_PROGRAM_FAILURE);
    if (made != CL_SUCCESS)
      result = made;
  }
  return result;
}

} // namespace heddle
