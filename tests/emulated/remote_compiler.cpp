// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libheddle-compiler.so for emulated programs that has compile_server, which the kernel of this
// machine executes itself, compile. HEDDLE_COMPILE_SERVER names its socket.
#include "compiler/interface/compiler_api.h"
#include "compiler/interface/line_table.h"
#include "runtime/target/processor.h"
#include "tests/emulated/wire.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/un.h>

namespace heddle::emulated {
namespace {

constexpr int kLookMilliseconds = 10; // how often a build's cancellation is looked for

// A result with the memory that it points to.
struct Result : heddle_result {
  std::string message;
  std::string log_text;
  std::vector<std::string> dependency_names;
  std::vector<const char*> dependency_pointers;
};

heddle_blob blob(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

// What "native" is for the compiler: the server runs on another machine, so to say. The level, and
// features that passes ask for and no level has.
std::string native_cpu() {
  std::string name = processor::levels()[processor::level_count() - 1].name;
  for (const auto& feature : processor::features())
    if (feature == "i8mm" || feature == "bf16")
      name += "+" + feature;
  return name;
}

std::string cpu_of(const heddle_request& request) {
  const std::string_view cpu = request.cpu != nullptr ? request.cpu : "";
  return cpu.empty() || cpu == "native" ? native_cpu() : std::string(cpu);
}

// The length of SVE's registers; 0: there are none.
std::uint32_t scalable_bits() {
  const int answer = prctl(PR_SVE_GET_VL);
  return answer < 0 ? 0 : static_cast<std::uint32_t>(answer & PR_SVE_VL_LEN_MASK) * 8;
}

std::string written(const heddle_request& request) {
  Writer writer;
  writer.number(request.goal);
  writer.text(request.source.data, request.source.size);
  writer.text(request.il.data, request.il.size);
  writer.number(request.spec_constant_count);
  for (std::size_t i = 0; i != request.spec_constant_count; ++i) {
    writer.number(request.spec_constants[i].id);
    writer.text(request.spec_constants[i].value.data, request.spec_constants[i].value.size);
  }
  writer.name(request.source_name);
  writer.name(request.working_directory);
  writer.number(request.header_count);
  for (std::size_t i = 0; i != request.header_count; ++i) {
    writer.name(request.headers[i].name);
    writer.text(request.headers[i].text.data, request.headers[i].text.size);
  }
  writer.number(request.input_count);
  for (std::size_t i = 0; i != request.input_count; ++i)
    writer.text(request.inputs[i].data, request.inputs[i].size);
  writer.name(request.kernel);
  writer.number(request.specialization);
  writer.number(request.option_count);
  for (std::size_t i = 0; i != request.option_count; ++i)
    writer.name(request.options[i]);
  writer.name(request.extensions);
  writer.name(cpu_of(request).c_str());
  writer.number(request.force_fibers);
  writer.number(request.force_promotion);
  writer.name(request.skipped_passes);
  writer.number(request.max_seconds);
  writer.number(request.max_memory_bytes);
  writer.number(request.checks);
  writer.number(request.time_passes);
  writer.name(request.print_after);
  writer.number(request.print_changed);
  writer.number(request.verify_each);
  writer.name(request.keep_folder);
  writer.number(scalable_bits());
  return writer.bytes();
}

// -1 if there is no server.
int connect_to_server() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const char* const path = std::getenv("HEDDLE_COMPILE_SERVER");
  if (path == nullptr || std::strlen(path) >= sizeof address.sun_path)
    return -1;
  std::strcpy(address.sun_path, path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket >= 0 &&
      connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return socket;
  if (socket >= 0)
    close(socket);
  return -1;
}

void await_message(int socket, const std::uint32_t* cancelled) {
  pollfd waited{socket, POLLIN, 0};
  while (poll(&waited, 1, kLookMilliseconds) <= 0)
    if (cancelled != nullptr && __atomic_load_n(cancelled, __ATOMIC_RELAXED) != 0) {
      // Whatever arrives there is the cancellation.
      send_message(socket, std::string());
      cancelled = nullptr;
    }
}

// The compiler's process has crashed: so does its caller, which recovers.
[[noreturn]] void crash() {
  raise(SIGSEGV);
  std::abort();
}

heddle_result* failure(const char* log) {
  auto result = std::make_unique<Result>();
  result->status = HEDDLE_BUILD_FAILURE;
  result->log_text = log;
  result->log = result->log_text.c_str();
  return result.release();
}

heddle_result* run(const heddle_request* request) {
  const int socket = connect_to_server();
  if (socket < 0)
    return failure("error: HEDDLE_COMPILE_SERVER names no server\n");
  send_message(socket, written(*request), STDERR_FILENO);
  await_message(socket, request->cancelled);
  auto message = receive_message(socket);
  close(socket);
  if (!message)
    crash();
  auto result = std::make_unique<Result>();
  result->message = std::move(*message);
  Reader reader(result->message);
  if (reader.number<bool>()) {
    const std::string why(reader.text());
    result.reset();
    request->fatal(request->fatal_context, why.c_str());
  }
  result->status = reader.number<heddle_status>();
  result->log_text = reader.text();
  result->log = result->log_text.c_str();
  result->output = blob(reader.text());
  result->metadata = blob(reader.text());
  const auto count = reader.number<std::size_t>();
  for (std::size_t i = 0; i != count; ++i)
    result->dependency_names.emplace_back(reader.text());
  for (const auto& name : result->dependency_names)
    result->dependency_pointers.push_back(name.c_str());
  result->dependencies = result->dependency_pointers.data();
  result->dependency_count = count;
  return result.release();
}

void free_result(heddle_result* result) { delete static_cast<Result*>(result); }

} // namespace
} // namespace heddle::emulated

extern "C" __attribute__((visibility("default"))) const heddle_compiler_api*
heddle_compiler_get_api(void) {
  static const heddle_compiler_api api = {HEDDLE_COMPILER_API_VERSION, "remote",
                                          heddle::emulated::run, heddle::emulated::free_result};
  return &api;
}

// The real library does this.
extern "C" __attribute__((visibility("default"))) int
heddle_find_lines(const heddle_blob* unit, const uint64_t* offsets, size_t count,
                  void (*found)(void* context, size_t index, const char* file, uint32_t line),
                  void* context) {
  void* const library = dlopen(HEDDLE_COMPILER_PATH, RTLD_NOW | RTLD_LOCAL);
  const auto find =
      library == nullptr
          ? nullptr
          : reinterpret_cast<decltype(&heddle_find_lines)>(dlsym(library, "heddle_find_lines"));
  return find == nullptr ? 0 : find(unit, offsets, count, found, context);
}
