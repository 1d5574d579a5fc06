#include "runtime/program/program_maker.h"

#include "runtime/core/options.h"
#include "runtime/device/features.h"
#include "runtime/program/cache.h"
#include "runtime/program/digest.h"
#include "runtime/program/files.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace heddle {
namespace {

// A file changed so shortly before it was compiled may have been read before the change: the clock
// that files are stamped with ticks this coarsely.
constexpr std::int64_t kClockTickNanoseconds = 20'000'000;

bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return text.find(word) != std::string_view::npos; });
}

// Such a text compiles to something else every time, or depends on files that are not there.
bool is_different_each_time(std::string_view text) {
  return mentions(text, {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_embed"});
}

// A text's own words for reading other files; `#include` may be spelled with spaces.
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
  digest.add(compiler_host::identity());
  const auto cpu = cpu_digest();
  const auto producer = producer_digest();
  digest.add(std::as_bytes(std::span(cpu))).add(std::as_bytes(std::span(producer)));
  digest.add(features::compiler_names());
  digest.add(std::to_string(options().WIDTH)).add(std::to_string(options().ROWS));
  digest.add(options().BARRIERS);
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
  digest.add("checks").add(names_of(options().CHECK));
  digest.add("options");
  for (const auto& option : request.options)
    digest.add(option);
  return digest.value();
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// What the included files held, so that a later build notices a change. False if that cannot be
// told: a file changed while the compiler ran, or it asks for the time itself.
bool describe_dependencies(const std::vector<std::string>& paths, std::int64_t started,
                           std::vector<Dependency>& dependencies) {
  for (const auto& path : paths) {
    const auto bytes = files::read(path);
    struct stat status{};
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
    return HEDDLE_GOAL_EXECUTABLE;
  }
}

MadeProgram open_image(ProgramFile file, const std::string& path) {
  MadeProgram made;
  made.log = file.log;
  if (file.kind == ProgramKind::executable) {
    std::string error;
    made.image = Image::open(file, path, error);
    if (!made.image) {
      made.log += "error: the program cannot be opened: " + error + "\n";
      return made;
    }
  }
  file.dependencies.clear(); // names of files are nobody else's business
  made.file = std::move(file);
  return made;
}

} // namespace

MadeProgram make_program(CompileRequest request, const BuildOptions& options, ProgramKind kind,
                         bool allows_non_uniform_groups) {
  request.goal = goal_of(kind);
  request.options = options.words;
  if (any_text(request, may_include_files))
    request.working_directory = current_folder();
  bool cacheable = !any_text(request, is_different_each_time);
  const auto key = key_of(request);
  auto& cache = Cache::instance();
  if (cacheable)
    if (auto entry = cache.find(key); entry && entry->file.kind == kind)
      if (auto made = open_image(std::move(entry->file), entry->path); made.file)
        return made;

  timespec started{};
  clock_gettime(CLOCK_REALTIME, &started);
  if (!request.source.empty())
    request.source_name = cache.store_source(key, request.source);
  if (request.source_name.empty())
    request.source_name = request.il.empty() ? "program.cl" : "program.spv";
  auto result = compiler_host::run(std::move(request));
  if (result.status != HEDDLE_OK) {
    MadeProgram failed;
    failed.log = std::move(result.log);
    if (result.status == HEDDLE_INVALID_INPUT)
      failed.log += "error: a program to be linked is damaged\n";
    return failed;
  }
  ProgramFile file;
  file.kind = kind;
  file.allows_non_uniform_groups = allows_non_uniform_groups;
  file.payload = std::move(result.output);
  file.metadata = std::move(result.metadata);
  file.log = std::move(result.log);
  std::string path;
  if (cacheable &&
      describe_dependencies(result.dependencies, nanoseconds(started), file.dependencies))
    path = cache.store(key, file);
  return open_image(std::move(file), path);
}

} // namespace heddle
