// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/unit_build.h"

#include "runtime/core/options.h"
#include "runtime/program/cache.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/compiler_library.h"
#include "runtime/program/target_cpu.h"

#include <algorithm>
#include <new>
#include <span>
#include <string_view>

namespace heddle {
namespace {

// The settings are read once by a process.
void add_settings(Digest& digest) {
  digest.add(compiler_library::identity());
  const auto cpu = cpu_digest();
  const auto producer = producer_digest();
  digest.add(std::as_bytes(std::span(cpu))).add(std::as_bytes(std::span(producer)));
  digest.add(target_cpu());
  digest.add(std::to_string(options().WIDTH)).add(std::to_string(options().ROWS));
  digest.add(options().BARRIERS)
      .add(options().SKIP)
      .add(options().DISJOINT ? "disjoint" : "")
      .add(names_of(options().CHECK));
}

DigestValue digest_of_program(const ProgramFile& program) {
  Digest digest;
  add_settings(digest);
  for (const auto& option : program.options)
    digest.add(option);
  return digest.add("program").add(program.payload).value();
}

// Macros and folders of headers have had their effect on the code.
DigestValue digest_of_kernel(const ProgramFile& program, const KernelDeclaration& kernel) {
  Digest digest;
  add_settings(digest);
  for (const auto& option : program.options)
    if (option.starts_with("-cl-"))
      digest.add(option);
  for (const auto& argument : kernel.arguments)
    digest.add(argument.type_name);
  return digest.add("kernel")
      .add(kernel.name)
      .add(kernel.attributes)
      .add(std::to_string(kernel.code_hash))
      .value();
}

UnitResult open_unit(ProgramFile file, const std::string& path) {
  UnitResult result;
  result.log = file.log;
  std::string error;
  if (file.kind == ProgramKind::unit)
    result.unit = Unit::open(std::move(file), path, error);
  if (!result.unit)
    result.log.append("error: cannot load the kernel: ").append(error).append("\n");
  return result;
}

// HEDDLE_FAIL.
bool is_made_to_fail(std::string_view kernel) {
  std::string_view names = options().FAIL;
  while (!names.empty()) {
    const auto name = names.substr(0, names.find(','));
    if (name == kernel || name == "*")
      return true;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return false;
}

CompileResult compile(const BuildRef& build, BuildClaim& claim) {
  const auto& program = *build->source->program;
  CompileRequest request;
  request.goal = HEDDLE_GOAL_UNIT;
  request.kernel = build->kernel;
  request.options = program.options;
  request.inputs.push_back(program.payload);
  request.specialization = build->specialization;
  request.cancelled = std::shared_ptr<const std::uint32_t>(build, &build->cancelled);
  const auto most = build->max_processor_time;
  if (claim.is_held() || most.count() != 0)
    request.keep_alive = [&claim, build, most](std::chrono::nanoseconds taken) {
      const bool is_lost = claim.is_held() && !claim.keep_alive();
      if (is_lost || (most.count() != 0 && taken > most))
        __atomic_store_n(&build->cancelled, 1, __ATOMIC_RELAXED);
    };
  if (!build->specialization.is_plain() && is_made_to_fail(build->kernel)) {
    CompileResult failed;
    failed.log = "error: HEDDLE_FAIL asks for it\n";
    return failed;
  }
  return compiler_host::run(std::move(request));
}

} // namespace

bool compares_units() {
  return options().VARIANTS == "auto" && options().TUNE != "off" && options().WIDTH == 0 &&
         options().ROWS == 0;
}

Specialization generic_specialization(bool has_disjoint_arguments) {
  Specialization generic;
  generic.lane_dimension = LaneDimension::by_strides;
  generic.is_first = options().VARIANTS == "auto";
  generic.has_long_code = !compares_units();
  generic.has_disjoint_arguments = has_disjoint_arguments;
  return generic;
}

Specialization plain_specialization(Effort effort, const Specialization& launches) {
  auto plain = Specialization::plain(effort);
  plain.argument_count = launches.argument_count;
  plain.arguments = launches.arguments;
  return plain;
}

UnitSource::UnitSource(std::shared_ptr<const ProgramFile> program, const ProgramMetadata& metadata)
    : program(std::move(program)), digest(digest_of_program(*this->program)) {
  for (const auto& kernel : metadata.kernels)
    kernels.emplace(kernel.name, digest_of_kernel(*this->program, kernel));
}

DigestValue UnitBuild::key_in_binary() const {
  return Digest().add(kernel).add(std::as_bytes(std::span(&specialization, 1))).value();
}

DigestValue UnitBuild::key() const {
  const auto unit = key_in_binary();
  return Digest()
      .add(std::as_bytes(std::span(source->digest)))
      .add(std::as_bytes(std::span(unit)))
      .value();
}

UnitResult find_unit(const UnitBuild& build) {
  if (compiler_host::shows_compilation())
    return {};
  auto& cache = Cache::instance();
  const auto key_in_binary = build.key_in_binary();
  for (const auto& stored : build.source->program->units)
    if (stored.key == key_in_binary)
      if (auto file = read_program_file(stored.bytes)) {
        const auto name = digest_of(stored.bytes);
        auto entry = cache.find_unit(name);
        const auto path = entry ? std::move(entry->path) : cache.store(name, *file);
        if (auto found = open_unit(std::move(*file), path); found.unit)
          return found;
      }
  if (auto entry = cache.find_unit(build.key()))
    if (auto found = open_unit(std::move(entry->file), entry->path); found.unit)
      return found;
  return {};
}

bool is_in_cache(const UnitBuild& build) {
  return !compiler_host::shows_compilation() && Cache::instance().has_unit(build.key());
}

// In place of a unit that cannot be built: one that needs less of the compiler.
static UnitResult make_plain_unit(const BuildRef& build, const CompileResult& failed) {
  const auto& log = failed.log;
  const auto is_cancelled = __atomic_load_n(&build->cancelled, __ATOMIC_RELAXED) != 0;
  if (is_cancelled || build->specialization.is_plain() || build->specialization.is_special())
    return {nullptr, false, log, failed.processor_time};
  const auto simple =
      std::make_shared<UnitBuild>(build->source, build->kernel, Specialization::plain());
  auto result = make_unit(simple);
  result.is_replaced = result.unit != nullptr;
  if (result.unit)
    result.log = "warning: kernel '" + build->kernel +
                 "' is slow, because its optimized build failed:\n" + log + result.log;
  else
    result.log = log;
  return result;
}

// A process that was waited for may have given up the build, because it ended. Then one of those
// that waited is next; but if that is so again and again, all build.
constexpr int kMaxClaims = 4;

UnitResult make_unit(const BuildRef& build) {
  auto& cache = Cache::instance();
  BuildClaim claim;
  auto found = find_unit(*build);
  if (!compiler_host::shows_compilation())
    for (int attempt = 0; !found.unit && !claim.is_held() && attempt < kMaxClaims; ++attempt) {
      claim = cache.claim(build->key(), &build->cancelled, build->yields);
      // A missing entry may have been built before it could be claimed, or while this waited.
      found = find_unit(*build);
      if (!claim.has_waited())
        break;
      if (build->yields && !claim.is_held())
        return found;
    }
  if (found.unit)
    return found;
  auto result = compile(build, claim);
  if (result.status != HEDDLE_OK && result.log.empty())
    throw std::bad_alloc();
  if (result.status != HEDDLE_OK)
    return make_plain_unit(build, result);
  const auto processor_time = result.processor_time;
  ProgramFile file;
  file.kind = ProgramKind::unit;
  file.payload = std::move(result.output);
  file.metadata = std::move(result.metadata);
  file.log = std::move(result.log);
  const auto path = cache.store(build->key(), file);
  auto made = open_unit(std::move(file), path);
  made.processor_time = processor_time;
  return made;
}

} // namespace heddle
