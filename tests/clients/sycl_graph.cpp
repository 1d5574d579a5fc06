// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL-Graph on OpenCL's command buffers: recorded queues and graphs of nodes, with kernels of
// SPIR-V, copies and fills. sycl_graph MODULE, where MODULE is sycl_graph.cl as SPIR-V.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/sycl.hpp>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using Graph = experimental::command_graph<experimental::graph_state::modifiable>;

constexpr size_t kItems = 4096;
int passed = 0, failed = 0;

void expect(bool condition, const char* what) {
  ++(condition ? passed : failed);
  if (!condition)
    std::printf("wrong: %s\n", what);
}

std::vector<std::byte> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

double microseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

struct Programs {
  sycl::context context;
  sycl::device device;
  sycl::queue in_order{context, device, sycl::property::queue::in_order{}};
  sycl::queue out_of_order{context, device};
  sycl::kernel scale, add;
  int* x = sycl::malloc_shared<int>(kItems, in_order);
  int* y = sycl::malloc_shared<int>(kItems, in_order);
  int* z = sycl::malloc_shared<int>(kItems, in_order);

  auto scaling(int* memory, int factor, size_t items = kItems) const {
    return [=, this](sycl::handler& handler) {
      handler.set_args(memory, factor);
      handler.parallel_for(sycl::range<1>(items), scale);
    };
  }
  auto adding(int* to, int* a, int* b) const {
    return [=, this](sycl::handler& handler) {
      handler.set_args(to, a, b);
      handler.parallel_for(sycl::range<1>(kItems), add);
    };
  }

  void recorded_queue() {
    std::fill_n(x, kItems, 1);
    Graph graph(context, device);
    graph.begin_recording(in_order);
    for (int k = 0; k < 5; ++k)
      in_order.submit(scaling(x, 2));
    in_order.submit([&](sycl::handler& handler) { handler.memcpy(y, x, kItems * sizeof(int)); });
    in_order.submit([&](sycl::handler& handler) { handler.fill(z, 7, kItems); });
    in_order.submit(adding(z, z, y));
    graph.end_recording();
    const auto executable = graph.finalize();
    int expected = 1;
    for (int round = 0; round < 3; ++round) {
      in_order.ext_oneapi_graph(executable).wait();
      expected *= 32;
      expect(std::all_of(x, x + kItems, [=](int v) { return v == expected; }), "recorded kernels");
      expect(std::all_of(z, z + kItems, [=](int v) { return v == expected + 7; }),
             "recorded copies and fills");
    }
  }

  void branches() {
    std::fill_n(x, kItems, 1);
    std::fill_n(y, kItems, 3);
    Graph graph(context, device);
    const auto a = graph.add(scaling(x, 2));
    const auto b = graph.add(scaling(y, 5));
    graph.add(adding(z, x, y), {experimental::property::node::depends_on(a, b)});
    const auto executable = graph.finalize();
    for (int round = 0; round < 4; ++round)
      out_of_order.ext_oneapi_graph(executable);
    out_of_order.wait();
    expect(std::all_of(z, z + kItems, [](int v) { return v == 16 + 3 * 625; }), "two branches");
  }

  void times() {
    constexpr int kKernels = 200;
    const auto submit = [&] {
      for (int k = 0; k < kKernels; ++k)
        in_order.submit(scaling(x, 1, 64));
    };
    Graph graph(context, device);
    graph.begin_recording(in_order);
    submit();
    graph.end_recording();
    const auto executable = graph.finalize();
    double submitted = 1e30, replayed = 1e30;
    for (int round = 0; round < 50; ++round) {
      const double start = microseconds();
      submit();
      in_order.wait();
      const double middle = microseconds();
      in_order.ext_oneapi_graph(executable).wait();
      submitted = std::min(submitted, middle - start);
      replayed = std::min(replayed, microseconds() - middle);
    }
    std::printf("%d kernels: submitted %.0f us, as a graph %.0f us\n", kKernels, submitted,
                replayed);
  }
};

} // namespace

int main(int, char** words) try {
  const sycl::device device{sycl::default_selector_v};
  std::printf("%s\n", device.get_platform().get_info<sycl::info::platform::name>().c_str());
  if (!device.has(sycl::aspect::ext_oneapi_limited_graph)) {
    std::puts("skipped: the device has no command buffers");
    return 77;
  }
  const sycl::context context(device);
  auto source = experimental::create_kernel_bundle_from_source(
      context, experimental::source_language::spirv, read(words[1]));
  auto bundle = experimental::build(source);
  Programs programs{.context = context,
                    .device = device,
                    .scale = bundle.ext_oneapi_get_kernel("scale"),
                    .add = bundle.ext_oneapi_get_kernel("add")};
  programs.recorded_queue();
  programs.branches();
  programs.times();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
} catch (const std::exception& error) {
  std::printf("failed: %s\n", error.what());
  return 1;
}
