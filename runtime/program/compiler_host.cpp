#include "runtime/program/compiler_host.h"

#include "runtime/core/options.h"
#include "runtime/device/features.h"
#include "runtime/execution/fault_guard.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::compiler_host {
namespace {

constexpr std::size_t kStackBytes = 256u << 20; // address space; only what is used becomes memory
// The compiler watches its time itself; a build this much later is stuck where it cannot look.
constexpr std::chrono::seconds kGrace{10};

const std::string& library_path() {
  static const std::string path = [] {
    if (!options().COMPILER.empty())
      return options().COMPILER;
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&library_path), &info);
    const std::string self = info.dli_fname ? info.dli_fname : "";
    const auto slash = self.rfind('/');
    return (slash == std::string::npos ? std::string() : self.substr(0, slash + 1)) +
           "libheddle-compiler.so";
  }();
  return path;
}

// The library's interface, or why it cannot be had.
struct Library {
  const heddle_compiler_api* api = nullptr;
  std::string error;
};

const Library& library() {
  static const Library& opened = *[] {
    auto* result = new Library;
    void* handle = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      result->error = dlerror();
      return result;
    }
    using Entry = const heddle_compiler_api* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(handle, "heddle_compiler_get_api"));
    if (!entry || entry()->api_version != HEDDLE_COMPILER_API_VERSION)
      result->error = library_path() + " is not the compiler of this version of Heddle";
    else
      result->api = entry();
    return result;
  }();
  return opened;
}

heddle_blob blob(std::span<const std::byte> bytes) { return {bytes.data(), bytes.size()}; }
heddle_blob blob(const std::string& text) { return {text.data(), text.size()}; }
std::vector<std::byte> bytes_of(const heddle_blob& blob) {
  const auto* first = static_cast<const std::byte*>(blob.data);
  return {first, first + blob.size};
}

// One request and its thread. Shared, because a build that is stuck outlives the call that asked
// for it.
struct Job {
  CompileRequest request;
  CompileResult result;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

void compile(Job& job) {
  const auto& api = *library().api;
  const auto& in = job.request;
  char folder[4096];
  const char* working_directory = getcwd(folder, sizeof folder);
  std::vector<heddle_header> headers;
  for (const auto& [name, text] : in.headers)
    headers.push_back({name.c_str(), blob(text)});
  std::vector<heddle_blob> inputs;
  for (const auto& input : in.inputs)
    inputs.push_back(blob(input));
  std::vector<const char*> words;
  for (const auto& option : in.options)
    words.push_back(option.c_str());
  heddle_request request{};
  request.goal = in.goal;
  request.source = blob(in.source);
  request.source_name = in.source_name.c_str();
  request.working_directory = working_directory;
  request.headers = headers.data();
  request.header_count = headers.size();
  request.inputs = inputs.data();
  request.input_count = inputs.size();
  request.options = words.data();
  request.option_count = words.size();
  const auto extensions = features::compiler_names();
  request.extensions = extensions.c_str();
  request.cpu = options().CPU.c_str();
  request.max_seconds = options().BUILD_SECONDS;
  request.max_memory_bytes = std::uint64_t{options().BUILD_MEGABYTES} << 20;
  request.fatal = [](void*, const char* message) { fault_guard::leave_guarded(message); };
  heddle_result* result = api.run(&request);
  job.result.status = result->status;
  job.result.log = result->log;
  job.result.output = bytes_of(result->output);
  job.result.metadata = bytes_of(result->metadata);
  job.result.dependencies.assign(result->dependencies,
                                 result->dependencies + result->dependency_count);
  api.free_result(result);
}

void* thread_main(void* argument) {
  const std::unique_ptr<std::shared_ptr<Job>> owner(static_cast<std::shared_ptr<Job>*>(argument));
  auto& job = **owner;
  Fault fault;
  if (!fault_guard::run_guarded([&job] { compile(job); }, &fault)) {
    job.result = {};
    job.result.log = "error: the compiler failed: " + fault.signal_name() + "\n";
  }
  const std::lock_guard lock(job.mutex);
  job.done = true;
  job.changed.notify_all();
  return nullptr;
}

CompileResult failure(const std::string& why) {
  CompileResult result;
  result.log = "error: " + why + "\n";
  return result;
}

} // namespace

CompileResult run(CompileRequest request) {
  if (!library().api)
    return failure("the compiler cannot be opened: " + library().error);
  auto job = std::make_shared<Job>();
  job->request = std::move(request);
  auto* owner = new std::shared_ptr<Job>(job);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, thread_main, owner);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    delete owner;
    return failure(std::string("no thread can be made for the build: ") + std::strerror(error));
  }
  std::unique_lock lock(job->mutex);
  const auto seconds = options().BUILD_SECONDS;
  if (seconds == 0)
    job->changed.wait(lock, [&] { return job->done; });
  else if (!job->changed.wait_for(lock, std::chrono::seconds(seconds) + kGrace,
                                  [&] { return job->done; }))
    return failure("the build takes longer than HEDDLE_BUILD_SECONDS=" + std::to_string(seconds));
  return std::move(job->result);
}

const std::string& identity() {
  static const std::string text = [] {
    struct stat status{};
    if (stat(library_path().c_str(), &status) != 0)
      return std::string("none");
    return std::string(HEDDLE_VERSION) + "/" + std::to_string(status.st_size) + "/" +
           std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
  }();
  return text;
}

} // namespace heddle::compiler_host
