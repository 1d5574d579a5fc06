// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/program_builder.h"

#include "compiler/interface/build_options.h"
#include "runtime/core/clock.h"
#include "runtime/device/features.h"
#include "runtime/profile/profile.h"
#include "runtime/program/cache.h"
#include "runtime/program/compiler_library.h"
#include "runtime/program/digest.h"
#include "runtime/program/files.h"
#include "runtime/trace/tasks.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace heddle {
namespace {

// The granularity of file timestamps: a file changed within this time before the compilation may
// have been read before the change.
constexpr std::int64_t kClockTickNanoseconds = 20'000'000;

bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return text.find(word) != std::string_view::npos; });
}

// Whether the result may differ between builds of the same text, or depends on the absence of
// files.
bool is_different_each_time(std::string_view text) {
  return mentions(text, {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_embed"});
}

// Whether the text may read other files; `#include` may be spelled with spaces.
bool may_include_files(std::string_view text) { return mentions(text, {"include", "embed"}); }

template <class Test>
bool any_text(const CompileRequest& request, Test test) {
  return test(request.source) ||
         std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const auto& header) { return test(header.second); }) ||
         std::any_of(request.options.begin(), request.options.end(),
                     [&](const auto& option) { return test(option); });
}

std::string current_folder() {
  char text[4096];
  return getcwd(text, sizeof text) ? text : "";
}

DigestValue key_of(const CompileRequest& request) {
  Digest digest;
  digest.add(compiler_library::identity());
  const auto cpu = cpu_digest();
  const auto producer = producer_digest();
  digest.add(std::as_bytes(std::span(cpu))).add(std::as_bytes(std::span(producer)));
  digest.add(features::compiler_names());
  digest.add(std::to_string(request.goal));
  digest.add(request.working_directory);
  digest.add(request.source);
  digest.add("il").add(request.il);
  for (const auto& [id, value] : request.spec_constants)
    digest.add(std::to_string(id)).add(value);
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

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Records the digests of the included files, so that a later build detects a change. False if that
// is impossible: a file changed during the compilation or uses __TIME__ or the like.
bool describe_dependencies(const std::vector<std::string>& paths, std::int64_t started,
                           std::vector<Dependency>& dependencies) {
  for (const auto& path : paths) {
    const auto bytes = files::read(path);
    struct stat status {};
    if (!bytes || stat(path.c_str(), &status) != 0 ||
        nanoseconds(status.st_mtim) + kClockTickNanoseconds > started)
      return false;
    if (is_different_each_time({reinterpret_cast<const char*>(bytes->data()), bytes->size()}))
      return false;
    dependencies.push_back({path, digest_of(*bytes)});
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
    return HEDDLE_GOAL_PROGRAM;
  }
}

bool explains(const ProgramFile& file) {
  return std::any_of(file.options.begin(), file.options.end(), [](const auto& word) {
    return find_build_option(word)->effect == OptionEffect::explain;
  });
}

BuiltProgram open_loaded(ProgramFile&& file) {
  BuiltProgram built;
  built.log = file.log;
  file.dependencies.clear(); // binaries must not contain file names
  built.file = std::make_shared<const ProgramFile>(std::move(file));
  if (built.file->kind != ProgramKind::executable)
    return built;
  built.loaded = LoadedProgram::open(built.file);
  if (!built.loaded) {
    built.log += "error: cannot load the program: its metadata is damaged\n";
    built.file = nullptr;
  } else if (explains(*built.file)) {
    built.loaded->need_all();
    for (std::size_t i = 0; i < built.loaded->kernel_count(); ++i)
      built.log += built.loaded->units(i).generic().log();
  }
  return built;
}

} // namespace

// `processor_time` of the compiler; none if the cache had the program.
static BuiltProgram load_or_build(CompileRequest request, const BuildOptions& build_options,
                                  ProgramKind kind, bool allows_non_uniform_groups,
                                  std::chrono::nanoseconds& processor_time) {
  request.goal = goal_of(kind);
  request.options = build_options.words;
  if (any_text(request, may_include_files))
    request.working_directory = current_folder();
  const bool cacheable = !any_text(request, is_different_each_time);
  const auto key = key_of(request);
  auto& cache = Cache::instance();
  BuildClaim claim;
  // Twice: a missing entry may have been built before it could be claimed, or while this waited.
  for (int look = 0; cacheable && !compiler_host::shows_compilation() && look < 2; ++look) {
    if (auto entry = cache.find(key); entry && entry->file.kind == kind)
      if (auto built = open_loaded(std::move(entry->file)); built.file)
        return built;
    if (look == 0)
      claim = cache.claim(key);
  }
  if (claim.is_held())
    request.keep_alive = [&claim](std::chrono::nanoseconds) { (void)claim.keep_alive(); };

  timespec started{};
  clock_gettime(CLOCK_REALTIME, &started);
  if (!request.source.empty())
    request.source_name = cache.store_source(key, request.source);
  if (request.source_name.empty())
    request.source_name = request.il.empty() ? "program.cl" : "program.spv";
  auto result = compiler_host::run(std::move(request));
  processor_time = result.processor_time;
  if (result.status != HEDDLE_OK) {
    BuiltProgram failed;
    failed.log = std::move(result.log);
    if (result.status == HEDDLE_INVALID_INPUT)
      failed.log += "error: an input program of the link is damaged\n";
    return failed;
  }
  ProgramFile file;
  file.kind = kind;
  file.allows_non_uniform_groups = allows_non_uniform_groups;
  file.payload = std::move(result.output);
  file.metadata = std::move(result.metadata);
  file.log = std::move(result.log);
  if (kind == ProgramKind::executable)
    file.options = options_of_units(build_options.words);
  if (cacheable &&
      describe_dependencies(result.dependencies, nanoseconds(started), file.dependencies))
    cache.store(key, file);
  return open_loaded(std::move(file));
}

BuiltProgram build_program(CompileRequest request, const BuildOptions& build_options,
                           ProgramKind kind, bool allows_non_uniform_groups) {
  const trace::Task task(trace::Kind::build, "program", false);
  const auto begin = monotonic_nanoseconds();
  std::chrono::nanoseconds time{};
  auto built =
      load_or_build(std::move(request), build_options, kind, allows_non_uniform_groups, time);
  if (profile::is_on())
    profile::add_build({}, monotonic_nanoseconds() - begin,
                       static_cast<std::uint64_t>(time.count()), time.count() == 0);
  if (trace::records(trace::Kind::build))
    trace::add(trace::Kind::build, begin, monotonic_nanoseconds(), "program",
               {0, static_cast<std::uint64_t>(time.count()), time.count() == 0},
               built.file ? 0 : -1);
  return built;
}

} // namespace heddle
