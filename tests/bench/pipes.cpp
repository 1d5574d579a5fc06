// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The speed of pipes: nanoseconds per packet by packet size and kind of reservation, on the driver
// under test; and of boost::lockfree queues between host threads.
//
//   pipe_bench [--lines] [--small]
//
// "write", "read": one launch fills a deep pipe, the next empties it. "stream": concurrent launches
// that write and read a pipe of 4096 packets; only if the driver runs both concurrently.
#include "tests/api/support.h"

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>

namespace {

using namespace heddle::test;
using Clock = std::chrono::steady_clock;

bool lines = false;
int rounds = 9;
size_t megabytes = 32; // that a filled pipe holds
constexpr cl_uint kStreamDepth = 4096;
constexpr size_t kGroup = 256;

void report(const std::string& name, double nanoseconds) {
  if (lines)
    std::printf("%s\t%.4f\n", name.c_str(), nanoseconds);
  else
    std::printf("%-44s %9.2f ns %9.1f million packets/s\n", name.c_str(), nanoseconds,
                1e3 / nanoseconds);
  std::fflush(stdout);
}

double seconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// For packets struct packet { uint i[WORDS]; }, with one kind of reservation: NOTHING, or RESERVE,
// COMMIT, PLACE and COUNT.
const char* kSource = R"(
  struct packet { uint i[WORDS]; };
  kernel void put(write_only pipe struct packet p, uint tries, global uint* out) {
    uint g = get_global_id(0);
    struct packet v;
    for (int i = 0; i < WORDS; ++i) v.i[i] = g + i;
    uint lost = 1;
#ifdef NOTHING
    for (uint t = 0; t < tries && lost; ++t) lost = write_pipe(p, &v) != 0;
#else
    reserve_id_t id = RESERVE(write)(p, COUNT);
    for (uint t = 1; t < tries && !is_valid_reserve_id(id); ++t) id = RESERVE(write)(p, COUNT);
    if (is_valid_reserve_id(id)) {
      lost = write_pipe(p, id, PLACE, &v) != 0;
      COMMIT(write)(p, id);
    }
#endif
    if (lost) out[g] = 1;
  }
  kernel void get(read_only pipe struct packet p, uint tries, global uint* out) {
    struct packet v;
    uint lost = 1;
#ifdef NOTHING
    for (uint t = 0; t < tries && lost; ++t) lost = read_pipe(p, &v) != 0;
#else
    reserve_id_t id = RESERVE(read)(p, COUNT);
    for (uint t = 1; t < tries && !is_valid_reserve_id(id); ++t) id = RESERVE(read)(p, COUNT);
    if (is_valid_reserve_id(id)) {
      lost = read_pipe(p, id, PLACE, &v) != 0;
      COMMIT(read)(p, id);
    }
#endif
    uint wrong = lost;
    if (!lost) for (int i = 1; i < WORDS; ++i) wrong |= v.i[i] != v.i[0] + i;
    if (wrong) out[get_global_id(0)] = 1; else out[v.i[0]] += 2;
  })";

struct Way {
  const char* name;
  const char* options;
};
constexpr Way kWays[] = {
    {"item", " -DNOTHING"},
    {"sub-group",
     " -DRESERVE(x)=sub_group_reserve_##x##_pipe -DCOMMIT(x)=sub_group_commit_##x##_pipe"
     " -DCOUNT=get_sub_group_size() -DPLACE=get_sub_group_local_id()"},
    {"work-group", " -DRESERVE(x)=work_group_reserve_##x##_pipe"
                   " -DCOMMIT(x)=work_group_commit_##x##_pipe"
                   " -DCOUNT=get_local_size(0) -DPLACE=get_local_id(0)"},
};

class Bench {
 public:
  void run(const Way& way, size_t bytes) {
    const auto name = std::to_string(bytes) + " bytes, by " + way.name;
    Program program;
    try {
      program = build(context_, kSource,
                      ("-cl-std=CL3.0 -DWORDS=" + std::to_string(bytes / 4) + way.options).c_str());
    } catch (const std::exception&) { // sub-groups are optional
      std::fprintf(stderr, "%s: does not build here\n", name.c_str());
      return;
    }
    const auto put = make_kernel(program, "put"), get = make_kernel(program, "get");
    const size_t packets = std::min<size_t>((megabytes << 20) / bytes, 1 << 20) / kGroup * kGroup;
    fill_and_empty(name, put, get, bytes, packets);
    if (can_stream_)
      stream(name, put, get, bytes, packets);
  }

 private:
  Buffer make_pipe(size_t bytes, size_t packets) {
    cl_int error;
    Buffer pipe(clCreatePipe(context_, 0, cl_uint(bytes), cl_uint(packets), nullptr, &error));
    check(error, "clCreatePipe");
    return pipe;
  }
  Buffer zeros(size_t count) {
    const std::vector<cl_uint> values(count);
    return make_buffer(context_, count * 4, values.data());
  }
  void expect(cl_mem buffer, cl_uint value, size_t count) {
    for (const auto found : read<cl_uint>(queue_, buffer, count))
      if (found != value)
        throw std::runtime_error("packets were lost or damaged");
  }

  void fill_and_empty(const std::string& name, const Kernel& put, const Kernel& get, size_t bytes,
                      size_t packets) {
    const auto pipe = make_pipe(bytes, packets);
    std::vector<double> writing, reading;
    for (int round = 0; round <= rounds; ++round) { // the first warms up
      const auto lost = zeros(packets), got = zeros(packets);
      set_args(put, pipe, cl_uint(1), lost);
      set_args(get, pipe, cl_uint(1), got);
      writing.push_back(seconds([&] {
        heddle::test::run(queue_, put, {{packets}, {kGroup}, {}});
      }));
      reading.push_back(seconds([&] {
        heddle::test::run(queue_, get, {{packets}, {kGroup}, {}});
      }));
      expect(lost, 0, packets);
      expect(got, 2, packets);
    }
    writing.erase(writing.begin());
    reading.erase(reading.begin());
    report(name + ", write", median(writing) / double(packets) * 1e9);
    report(name + ", read", median(reading) / double(packets) * 1e9);
  }

  void stream(const std::string& name, const Kernel& put, const Kernel& get, size_t bytes,
              size_t packets) {
    const auto pipe = make_pipe(bytes, kStreamDepth);
    const auto other = make_queue(context_);
    std::vector<double> times;
    for (int round = 0; round <= rounds; ++round) {
      const auto lost = zeros(packets), got = zeros(packets);
      set_args(put, pipe, ~cl_uint{0}, lost);
      set_args(get, pipe, ~cl_uint{0}, got);
      times.push_back(seconds([&] {
        check(enqueue(queue_, put, {{packets}, {kGroup}, {}}), "put");
        check(clFlush(queue_), "clFlush");
        check(enqueue(other, get, {{packets}, {kGroup}, {}}), "get");
        check(clFinish(other), "clFinish");
        check(clFinish(queue_), "clFinish");
      }));
      expect(lost, 0, packets);
      expect(got, 2, packets);
    }
    times.erase(times.begin());
    report(name + ", stream", median(times) / double(packets) * 1e9);
  }

  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
  // Other drivers wait forever in the first launch.
  const bool can_stream_ = device_text(CL_DEVICE_VERSION).find("Heddle") != std::string::npos;
};

template <size_t Bytes>
struct Packet {
  std::array<unsigned, Bytes / 4> words;
};

// One writing and one reading thread, or as many of each as the machine has processors for.
template <class Queue, size_t Bytes>
void host_stream(const std::string& name, unsigned pairs) {
  const size_t each = std::min<size_t>((megabytes << 20) / Bytes, 1 << 20) / pairs;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    auto queue = std::make_unique<Queue>(kStreamDepth);
    times.push_back(seconds([&] {
      std::vector<std::thread> threads;
      for (unsigned i = 0; i < pairs; ++i) {
        threads.emplace_back([&] {
          Packet<Bytes> packet{};
          for (size_t n = 0; n < each; ++n) {
            packet.words.fill(unsigned(n));
            for (int failures = 0; !queue->push(packet);)
              if (++failures % 32 == 0)
                std::this_thread::yield();
          }
        });
        threads.emplace_back([&] {
          Packet<Bytes> packet{};
          for (size_t n = 0; n < each; ++n)
            for (int failures = 0; !queue->pop(packet);)
              if (++failures % 32 == 0)
                std::this_thread::yield();
        });
      }
      for (auto& thread : threads)
        thread.join();
    }));
  }
  report(name, median(times) / double(each * pairs) * 1e9);
}

// One thread fills the queue, then empties it: as "write" and "read" above, without contention.
template <size_t Bytes>
void host_fill(const std::string& name) {
  const size_t packets = std::min<size_t>((megabytes << 20) / Bytes, 1 << 20);
  boost::lockfree::queue<Packet<Bytes>> queue(packets);
  std::vector<double> writing, reading;
  for (int round = 0; round <= rounds; ++round) {
    Packet<Bytes> packet{};
    writing.push_back(seconds([&] {
      for (size_t n = 0; n < packets; ++n) {
        packet.words.fill(unsigned(n));
        queue.bounded_push(packet);
      }
    }));
    reading.push_back(seconds([&] {
      while (queue.pop(packet)) {
      }
    }));
  }
  report(name + ", write", median(writing) / double(packets) * 1e9);
  report(name + ", read", median(reading) / double(packets) * 1e9);
}

template <size_t Bytes>
void host() {
  const auto size = std::to_string(Bytes) + " bytes, ";
  host_fill<Bytes>(size + "boost queue, 1 thread");
  host_stream<boost::lockfree::queue<Packet<Bytes>, boost::lockfree::fixed_sized<true>>, Bytes>(
      size + "boost queue, stream", 1);
  host_stream<boost::lockfree::spsc_queue<Packet<Bytes>>, Bytes>(size + "boost spsc_queue, stream",
                                                                 1);
}

} // namespace

int main(int argc, char** argv) try {
  bool with_host = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--lines") == 0) {
      lines = true;
      with_host = false;
    } else if (std::strcmp(argv[i], "--small") == 0) {
      rounds = 1;
      megabytes = 1;
    } else {
      std::fprintf(stderr, "pipe_bench [--lines] [--small]\n");
      return 2;
    }
  }
  Bench bench;
  for (const size_t bytes : {4, 64, 1024})
    for (const auto& way : kWays)
      bench.run(way, bytes);
  if (with_host) {
    host<4>();
    host<64>();
    host<1024>();
  }
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
