// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compile_server SOCKET: compiles for emulated programs (remote_compiler.cpp), each request in a
// process of its own, until it gets a signal.
#include "compiler/interface/compiler_api.h"
#include "tests/emulated/wire.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/un.h>
#include <thread>

namespace {

using heddle::emulated::Reader;
using heddle::emulated::receive_message;
using heddle::emulated::send_message;
using heddle::emulated::Writer;

constexpr std::size_t kStackBytes = 256u << 20; // as in runtime/program/compiler_host.cpp

// A request with the memory that it points to.
struct Request : heddle_request {
  std::vector<heddle_spec_constant> constants;
  std::vector<heddle_header> all_headers;
  std::vector<heddle_blob> all_inputs;
  std::vector<const char*> words;
  std::uint32_t is_cancelled = 0;
};

heddle_blob blob(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

// Texts of a request live as long as its process.
const char* kept(std::optional<std::string> text) {
  return text ? (new std::string(std::move(*text)))->c_str() : nullptr;
}

void read(Reader reader, Request& request) {
  request.goal = reader.number<heddle_goal>();
  request.source = blob(reader.text());
  request.il = blob(reader.text());
  for (auto count = reader.number<std::size_t>(); count != 0; --count) {
    const auto id = reader.number<std::uint32_t>();
    request.constants.push_back({id, blob(reader.text())});
  }
  request.source_name = kept(reader.name());
  request.working_directory = kept(reader.name());
  for (auto count = reader.number<std::size_t>(); count != 0; --count) {
    const char* const name = kept(reader.name());
    request.all_headers.push_back({name, blob(reader.text())});
  }
  for (auto count = reader.number<std::size_t>(); count != 0; --count)
    request.all_inputs.push_back(blob(reader.text()));
  request.kernel = kept(reader.name());
  request.specialization = reader.number<heddle::Specialization>();
  for (auto count = reader.number<std::size_t>(); count != 0; --count)
    request.words.push_back(kept(reader.name()));
  request.extensions = kept(reader.name());
  request.cpu = kept(reader.name());
  request.force_fibers = reader.number<std::uint32_t>();
  request.force_promotion = reader.number<std::uint32_t>();
  request.skipped_passes = kept(reader.name());
  request.max_seconds = reader.number<std::uint64_t>();
  request.max_memory_bytes = reader.number<std::uint64_t>();
  request.checks = reader.number<std::uint32_t>();
  request.time_passes = reader.number<std::uint32_t>();
  request.print_after = kept(reader.name());
  request.print_changed = reader.number<std::uint32_t>();
  request.verify_each = reader.number<std::uint32_t>();
  request.keep_folder = kept(reader.name());
  setenv("HEDDLE_SVE_BITS", std::to_string(reader.number<std::uint32_t>()).c_str(), 1);
  request.spec_constants = request.constants.data();
  request.spec_constant_count = request.constants.size();
  request.headers = request.all_headers.data();
  request.header_count = request.all_headers.size();
  request.inputs = request.all_inputs.data();
  request.input_count = request.all_inputs.size();
  request.options = request.words.data();
  request.option_count = request.words.size();
  request.cancelled = &request.is_cancelled;
}

[[noreturn]] void fail(void* context, const char* message) {
  Writer writer;
  writer.number(true);
  writer.text(message);
  send_message(*static_cast<int*>(context), writer.bytes());
  std::_Exit(0);
}

void reply(int socket, const heddle_result& result) {
  Writer writer;
  writer.number(false);
  writer.number(result.status);
  writer.text(result.log);
  writer.text(result.output.data, result.output.size);
  writer.text(result.metadata.data, result.metadata.size);
  writer.number(result.dependency_count);
  for (std::size_t i = 0; i != result.dependency_count; ++i)
    writer.text(result.dependencies[i]);
  send_message(socket, writer.bytes());
}

// In a thread with a stack as large as in the driver.
void* compile(void* argument) {
  const int socket = *static_cast<int*>(argument);
  int errors = -1;
  const auto message = receive_message(socket, &errors);
  if (!message)
    std::_Exit(0);
  if (errors >= 0)
    dup2(errors, STDERR_FILENO);
  auto* const request = new Request{};
  read(Reader(*message), *request);
  request->fatal = fail;
  request->fatal_context = argument;
  std::thread([socket, request] {
    if (!receive_message(socket)) // its process has ended
      std::_Exit(0);
    __atomic_store_n(&request->is_cancelled, 1, __ATOMIC_RELAXED);
  }).detach();
  reply(socket, *heddle_compiler_get_api()->run(request));
  std::fflush(nullptr);
  std::_Exit(0);
}

[[noreturn]] void work_off(int socket) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  if (pthread_create(&thread, &attributes, compile, &socket) == 0)
    pthread_join(thread, nullptr);
  std::_Exit(1);
}

// Has what is made once made before requests' processes are forked.
void warm_up() {
  const char* const source = "kernel void k(global float* p) { p[get_global_id(0)] *= 2; }";
  heddle_request request{};
  request.source = blob(source);
  request.source_name = "k.cl";
  request.extensions = "";
  request.cpu = "armv8-a";
  request.print_after = request.keep_folder = "";
  request.goal = HEDDLE_GOAL_PROGRAM;
  const auto* const api = heddle_compiler_get_api();
  auto* const program = api->run(&request);
  request.goal = HEDDLE_GOAL_UNIT;
  request.inputs = &program->output;
  request.input_count = 1;
  request.kernel = "k";
  auto* const unit = api->run(&request);
  if (unit->status != HEDDLE_OK)
    std::fprintf(stderr, "compile_server: %s%s", program->log, unit->log);
  api->free_result(unit);
  api->free_result(program);
}

} // namespace

int main(int count, char** words) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (count != 2 || std::strlen(words[1]) >= sizeof address.sun_path) {
    std::fprintf(stderr, "usage: compile_server SOCKET\n");
    return 2;
  }
  std::strcpy(address.sun_path, words[1]);
  std::signal(SIGCHLD, SIG_IGN);
  warm_up();
  unlink(words[1]);
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 ||
      bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(server, SOMAXCONN) != 0) {
    std::perror("compile_server");
    return 1;
  }
  for (;;) {
    const int client = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0)
      continue;
    if (fork() == 0) {
      close(server);
      work_off(client);
    }
    close(client);
  }
}
