// Async copies between global and local memory, and their events: every type, both directions,
// strides; lines and planes of elements of any size; fences between copies; copies in loops,
// branches and functions; groups that are not full. Every byte is compared, those that must stay as
// they were too.
#include "harness.h"

#include <algorithm>
#include <array>
#include <random>

using namespace conformance;

namespace {

using Bytes = std::vector<cl_uchar>;
constexpr cl_uchar kUntouched = 0xa5;
constexpr size_t kLocalBytes = 16 << 10;

Bytes random_bytes(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (auto& byte : bytes)
    byte = cl_uchar(random());
  return bytes;
}

// For the first byte that differs; vectors of this length are not worth printing.
void expect_same(const Bytes& seen, const Bytes& expected, const std::string& what) {
  ASSERT_EQ(seen.size(), expected.size());
  const auto [a, b] = std::mismatch(seen.begin(), seen.end(), expected.begin());
  EXPECT_TRUE(a == seen.end()) << what << ": byte " << a - seen.begin() << " is " << int(*a)
                               << ", not " << int(*b);
}

// What every kernel here begins and ends with: local memory filled by all, and read by all.
const char* kCommon = R"(
  size_t item() {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
           + get_local_id(0);
  }
  size_t items() { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
  void fill(local uchar* to, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = 0xa5;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  void load(local uchar* to, const global uchar* from, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  void save(global uchar* to, const local uchar* from, uint bytes) {
    for (size_t i = item(); i < bytes; i += items()) to[i] = from[i];
  }
)";

class AsyncCopies : public DeviceTest {};

struct Type {
  const char* name;
  size_t bytes;
  const char* extension = nullptr;
};
constexpr Type kTypes[] = {
    {"char", 1},
    {"uchar", 1},
    {"short", 2},
    {"ushort", 2},
    {"int", 4},
    {"uint", 4},
    {"long", 8},
    {"ulong", 8},
    {"float", 4},
    {"double", 8, "cl_khr_fp64"},
    {"half", 2, "cl_khr_fp16"},
};
// All widths of the first type of each size, and some of the others: copies do not look at bits.
std::vector<int> widths_of(const Type& type) {
  for (const char* first : {"char", "short", "int", "long"})
    if (std::string(first) == type.name)
      return {1, 2, 3, 4, 8, 16};
  return {1, 3, 16};
}

TEST_F(AsyncCopies, EveryTypeBothWays) {
  SPEC("C, Async Copies: async_work_group_copy, async_work_group_strided_copy; 3-component vectors "
       "are copied as 4-component ones are (footnote)");
  const size_t groups[][2] = {{1, 1}, {7, 1}, {64, 1}, {5, 3}};
  for (const auto& type : kTypes) {
    if (type.extension && !has_extension(type.extension))
      continue;
    std::string source = kCommon;
    if (type.extension)
      source += "#pragma OPENCL EXTENSION " + std::string(type.extension) + " : enable\n";
    for (const int width : widths_of(type)) {
      const auto t = type.name + (width == 1 ? "" : std::to_string(width));
      source += "kernel void in_" + t + "(const global " + t + "* from, global uchar* out, local " +
                t + R"(* l, uint n, uint stride, uint bytes) {
          fill((local uchar*)l, bytes);
          event_t e;
          if (stride == 0) e = async_work_group_copy(l + 1, from + 1, n, 0);
          else e = async_work_group_strided_copy(l + 1, from + 1, n, stride, 0);
          wait_group_events(1, &e);
          save(out, (local uchar*)l, bytes);
        }
        kernel void out_)" +
                t + "(const global uchar* from, global " + t + "* out, local " + t +
                R"(* l, uint n, uint stride, uint bytes) {
          load((local uchar*)l, from, bytes);
          event_t e;
          if (stride == 0) e = async_work_group_copy(out + 1, l + 1, n, 0);
          else e = async_work_group_strided_copy(out + 1, l + 1, n, stride, 0);
          wait_group_events(1, &e);
        })";
    }
    Program program = build(source);
    if (HasFailure())
      return;
    for (const int width : widths_of(type)) {
      const auto t = type.name + (width == 1 ? "" : std::to_string(width));
      const size_t size = type.bytes * (width == 3 ? 4 : width);
      Kernel in = make_kernel(program, ("in_" + t).c_str());
      Kernel out = make_kernel(program, ("out_" + t).c_str());
      unsigned turn = 0;
      for (const cl_uint stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 33})
        for (const cl_uint n : {0, 1, 2, 9, 50, 67, 150}) {
          const auto& group = groups[turn++ % 4];
          const auto what =
              t + ", " + std::to_string(n) + " elements, stride " + std::to_string(stride);
          const size_t step = stride == 0 ? 1 : stride, few = (n + 2) * size,
                       many = ((n == 0 ? 0 : (n - 1) * step + 1) + 2) * size;
          if (few > kLocalBytes)
            continue;
          const Bytes from = random_bytes(many, turn);
          Memory source_buffer = make_buffer(from);
          {
            Memory out_buffer = make_buffer(few);
            set_arguments(in, source_buffer, out_buffer, Local{few}, n, stride, cl_uint(few));
            run(in, {group[0], group[1]}, {group[0], group[1]});
            Bytes expected(few, kUntouched);
            for (size_t i = 0; i < n; ++i)
              std::copy_n(&from[(1 + i * step) * size], size, &expected[(1 + i) * size]);
            expect_same(read<cl_uchar>(out_buffer, few), expected, what + ", to local memory");
          }
          {
            Bytes expected(many, kUntouched);
            Memory out_buffer = make_buffer(expected);
            Memory short_source = make_buffer(Bytes(from.begin(), from.begin() + few));
            set_arguments(out, short_source, out_buffer, Local{few}, n, stride, cl_uint(few));
            run(out, {group[0], group[1]}, {group[0], group[1]});
            for (size_t i = 0; i < n; ++i)
              std::copy_n(&from[(1 + i) * size], size, &expected[(1 + i * step) * size]);
            expect_same(read<cl_uchar>(out_buffer, many), expected, what + ", to global memory");
          }
          if (HasFailure())
            return;
        }
    }
  }
}

TEST_F(AsyncCopies, SizesKnownToTheCompiler) {
  SPEC("C, Async Copies: async_work_group_copy");
  const std::vector<size_t> counts = {1,    64,   255,  256,  257,  1023, 1024,  1025,  1088,
                                      1280, 1281, 2047, 4096, 4100, 8224, 16383, 16384, 16385};
  std::string source = kCommon;
  for (const auto n : counts) {
    const auto text = std::to_string(n);
    source += "kernel void in_" + text +
              "(const global uchar* from, global uchar* out, local uchar* l, uint at, uint bytes) {"
              "fill(l, bytes);"
              "event_t e = async_work_group_copy(l + at, from + 1, " +
              text +
              ", 0);"
              "wait_group_events(1, &e); save(out, l, bytes); }"
              "kernel void out_" +
              text +
              "(const global uchar* from, global uchar* out, local uchar* l, uint at, uint bytes) {"
              "load(l, from, bytes);"
              "event_t e = async_work_group_copy(out + at, l + 1, " +
              text +
              ", 0);"
              "wait_group_events(1, &e); }";
  }
  Program program = build(source);
  for (const auto n : counts)
    for (const size_t at : {0, 1, 31, 64}) {
      const size_t bytes = n + 100;
      const auto what = std::to_string(n) + " bytes, to " + std::to_string(at);
      const Bytes from = random_bytes(bytes, unsigned(n));
      Bytes expected(bytes, kUntouched);
      std::copy_n(&from[1], n, &expected[at]);
      Memory source_buffer = make_buffer(from);
      for (const auto* const way : {"in_", "out_"}) {
        Memory out_buffer = make_buffer(Bytes(bytes, kUntouched));
        Kernel kernel = make_kernel(program, (way + std::to_string(n)).c_str());
        set_arguments(kernel, source_buffer, out_buffer, Local{bytes}, cl_uint(at), cl_uint(bytes));
        run(kernel, {40}, {40});
        expect_same(read<cl_uchar>(out_buffer, bytes), expected, way + what);
      }
      if (HasFailure())
        return;
    }
}

TEST_F(AsyncCopies, StridesKnownToTheCompiler) {
  SPEC("C, Async Copies: async_work_group_strided_copy");
  constexpr std::pair<const char*, size_t> kOfEverySize[] = {
      {"char", 1}, {"short", 2}, {"int", 4}, {"long", 8}, {"long2", 16}};
  for (const auto& [type, size] : kOfEverySize)
    for (const size_t stride : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 20, 32, 33}) {
      const std::vector<size_t> counts = {1, 9, 67, 150};
      std::string source = kCommon;
      for (const auto n : counts) {
        const auto text = std::to_string(n), copy = ", " + text + ", " + std::to_string(stride);
        source += "kernel void in_" + text + "(const global " + type +
                  "* from, global uchar* out, local " + type +
                  "* l, uint bytes) { fill((local uchar*)l, bytes);"
                  "event_t e = async_work_group_strided_copy(l + 1, from + 1" +
                  copy +
                  ", 0);"
                  "wait_group_events(1, &e); save(out, (local uchar*)l, bytes); }"
                  "kernel void out_" +
                  text + "(const global uchar* from, global " + type + "* out, local " + type +
                  "* l, uint bytes) { load((local uchar*)l, from, bytes);"
                  "event_t e = async_work_group_strided_copy(out + 1, l + 1" +
                  copy +
                  ", 0);"
                  "wait_group_events(1, &e); }";
      }
      Program program = build(source);
      for (const auto n : counts) {
        const auto what = std::string(type) + ", " + std::to_string(n) + " elements, stride " +
                          std::to_string(stride);
        const size_t few = (n + 2) * size, many = ((n - 1) * stride + 3) * size;
        const Bytes from = random_bytes(many, unsigned(n));
        Memory wide = make_buffer(from), narrow = make_buffer(few);
        Kernel in = make_kernel(program, ("in_" + std::to_string(n)).c_str());
        set_arguments(in, wide, narrow, Local{few}, cl_uint(few));
        run(in, {40}, {40});
        Bytes expected(few, kUntouched);
        for (size_t i = 0; i < n; ++i)
          std::copy_n(&from[(1 + i * stride) * size], size, &expected[(1 + i) * size]);
        expect_same(read<cl_uchar>(narrow, few), expected, what + ", to local memory");
        expected.assign(many, kUntouched);
        wide = make_buffer(expected);
        narrow = make_buffer(Bytes(from.begin(), from.begin() + few));
        Kernel out = make_kernel(program, ("out_" + std::to_string(n)).c_str());
        set_arguments(out, narrow, wide, Local{few}, cl_uint(few));
        run(out, {40}, {40});
        for (size_t i = 0; i < n; ++i)
          std::copy_n(&from[(1 + i) * size], size, &expected[(1 + i * stride) * size]);
        expect_same(read<cl_uchar>(wide, many), expected, what + ", to global memory");
        if (HasFailure())
          return;
      }
    }
}

TEST_F(AsyncCopies, ManyElements) {
  SPEC("C, Async Copies; API, CL_DEVICE_LOCAL_MEM_SIZE");
  const auto bytes = std::min<cl_ulong>(
      info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE) / 2, 1 << 20);
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* l, uint n) {
      size_t at = get_group_id(0) * n;
      event_t e = async_work_group_copy(l, from + at, n, 0);
      wait_group_events(1, &e);
      e = async_work_group_copy(to + at, l, n, 0);
      wait_group_events(1, &e);
    })",
                              "k");
  const size_t groups = 20, n = bytes / 4 - 3;
  const Bytes from = random_bytes(groups * n * 4, 1);
  Memory source = make_buffer(from), out = make_buffer(from.size());
  set_arguments(kernel, source, out, Local{n * 4}, cl_uint(n));
  run(kernel, {groups * 32}, {32});
  expect_same(read<cl_uchar>(out, from.size()), from, "large copies");
}

TEST_F(AsyncCopies, SharedAndSeveralEvents) {
  SPEC("C, Async Copies: an event may be shared by several copies, it is then the one returned; "
       "wait_group_events waits for a list");
  Kernel kernel = make_kernel(std::string(kCommon) + R"(
    kernel void k(const global int* from, global int* out, local int* l) {
      fill((local uchar*)l, 4 * 160);
      event_t shared_one = async_work_group_copy(l, from, 10, 0);
      shared_one = async_work_group_copy(l + 10, from + 10, 20, shared_one);
      shared_one = async_work_group_strided_copy(l + 30, from + 30, 10, 3, shared_one);
      event_t list[4];
      for (int i = 0; i < 4; ++i)
        list[i] = async_work_group_copy(l + 40 + 30 * i, from + 100 + 40 * i, 30, 0);
      wait_group_events(1, &shared_one);
      wait_group_events(4, list);
      for (size_t i = item(); i < 160; i += items()) out[i] = l[i];
    })",
                              "k");
  std::vector<cl_int> from(300), expected;
  for (int i = 0; i < 300; ++i)
    from[i] = i * 7 + 1;
  expected.assign(from.begin(), from.begin() + 30);
  for (int i = 0; i < 10; ++i)
    expected.push_back(from[30 + 3 * i]);
  for (int i = 0; i < 4; ++i)
    expected.insert(expected.end(), from.begin() + 100 + 40 * i, from.begin() + 130 + 40 * i);
  Memory source = make_buffer(from), out = make_buffer(160 * 4);
  for (const size_t size : {1, 3, 32, 100}) {
    set_arguments(kernel, source, out, Local{640});
    run(kernel, {size}, {size});
    EXPECT_EQ(read<cl_int>(out, 160), expected) << "groups of " << size;
  }
}

TEST_F(AsyncCopies, DoubleBuffering) {
  SPEC("C, Async Copies: in a loop that all work-items run equally often");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* a, local int* b, int tiles) {
      local int* tile[2] = {a, b};
      event_t event[2];
      const int n = get_local_size(0), first = get_group_id(0) * tiles * n;
      event[0] = async_work_group_copy(tile[0], from + first, n, 0);
      event_t writing = 0;
      for (int t = 0; t < tiles; ++t) {
        const int now = t & 1;
        if (t + 1 < tiles) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (t > 0) wait_group_events(1, &writing);
          event[!now] = async_work_group_copy(tile[!now], from + first + (t + 1) * n, n, 0);
        }
        wait_group_events(1, &event[now]);
        const int own = tile[now][n - 1 - get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[now][get_local_id(0)] = own * 2 + t;
        barrier(CLK_LOCAL_MEM_FENCE);
        writing = async_work_group_copy(to + first + t * n, tile[now], n, 0);
        if (t + 1 >= tiles) wait_group_events(1, &writing);
      }
    })",
                              "k");
  const int groups = 9, tiles = 11;
  for (const int n : {1, 6, 64}) {
    std::vector<cl_int> from(groups * tiles * n), expected(from.size());
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = int(i) * 3 + 5;
    for (int at = 0; at < groups * tiles; ++at)
      for (int i = 0; i < n; ++i)
        expected[at * n + i] = from[at * n + n - 1 - i] * 2 + at % tiles;
    Memory source = make_buffer(from), out = make_buffer(from.size() * 4);
    set_arguments(kernel, source, out, Local{size_t(n) * 4}, Local{size_t(n) * 4}, cl_int(tiles));
    run(kernel, {size_t(groups) * n}, {size_t(n)});
    EXPECT_EQ(read<cl_int>(out, from.size()), expected) << "groups of " << n;
  }
}

// Nobody but who copies does anything in the loop, but the work-items wait there for each other:
// the second round's copies read what all had written before the loop, and behind it all may
// overwrite what was copied.
TEST_F(AsyncCopies, WaitsInALoopOfCopies) {
  SPEC("C, Async Copies: wait_group_events must be encountered by all work-items, the same number "
       "of times; it holds them together as a barrier does");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* out, local int* a, local int* b, int rounds,
                  int times, global const int* places) {
      const int n = get_local_size(0), i = get_local_id(0);
      a[i] = 3 * i + 1;
      for (int round = 0; round < rounds; ++round)
        for (int t = 0; t < times; ++t) {
          event_t e;
          if (round == 0 && t == 0)
            e = async_work_group_copy(b, from + places[t], n, 0);
          else
            e = async_work_group_copy(out + n * (1 + places[round * times + t]), a, n, 0);
          wait_group_events(1, &e);
        }
      out[i] = b[n - 1 - i];
      a[i] = -1;
    })",
                              "k");
  const int rounds = 3, times = 4;
  std::vector<cl_int> from(200), places{2};
  for (int i = 0; i < 200; ++i)
    from[i] = 1000 - i;
  for (int i = 1; i < rounds * times; ++i)
    places.push_back(rounds * times - 1 - i);
  Memory source = make_buffer(from), where = make_buffer(places);
  for (const int n : {1, 6, 64, 150})
    for (const int used : {0, 1, times}) {
      std::vector<cl_int> expected(n * (1 + rounds * times), -7);
      Memory out = make_buffer(expected);
      for (int i = 0; i < n; ++i) {
        if (used != 0)
          expected[i] = from[2 + n - 1 - i];
        for (int round = 0; round < rounds; ++round)
          for (int t = 0; t < used; ++t)
            if (round != 0 || t != 0)
              expected[n * (1 + places[round * used + t]) + i] = 3 * i + 1;
      }
      set_arguments(kernel, source, out, Local{size_t(n) * 4}, Local{size_t(n) * 4}, cl_int(rounds),
                    cl_int(used), where);
      run(kernel, {size_t(n)}, {size_t(n)});
      auto seen = read<cl_int>(out, expected.size());
      if (used == 0) // nothing was copied to what is saved then
        std::fill_n(seen.begin(), n, -7);
      EXPECT_EQ(seen, expected) << n << " work-items, " << used << " copies a round";
    }
}

// The tile says where the next one is.
TEST_F(AsyncCopies, WaysThroughTiles) {
  SPEC("C, Async Copies: the results of a copy may be read behind wait_group_events");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* out, local int* l, int tile) {
      int rounds = 0;
      for (int at = 0; at >= 0; ++rounds) {
        event_t e = async_work_group_copy(l, from + at * tile, tile, 0);
        wait_group_events(1, &e);
        at = l[0];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_local_id(0)] = rounds * 100 + l[get_local_id(0) % tile];
    })",
                              "k");
  const int tile = 8, last = 1;
  const std::vector<cl_int> next{4, -1, 1, 2, 3};
  std::vector<cl_int> from(tile * next.size());
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = i % tile == 0 ? next[i / tile] : int(i);
  Memory source = make_buffer(from);
  for (const int n : {1, 6, 64}) {
    Memory out = make_buffer(size_t(n) * 4);
    set_arguments(kernel, source, out, Local{tile * 4}, cl_int(tile));
    run(kernel, {size_t(n)}, {size_t(n)});
    std::vector<cl_int> expected;
    for (int i = 0; i < n; ++i)
      expected.push_back(int(next.size()) * 100 + from[last * tile + i % tile]);
    EXPECT_EQ(read<cl_int>(out, n), expected) << n << " work-items";
  }
}

TEST_F(AsyncCopies, BranchesAndFunctions) {
  SPEC("C, Async Copies: inside a conditional that all work-items of the group enter; pointers and "
       "events are values like others");
  Kernel kernel = make_kernel(std::string(kCommon) + R"(
    event_t start(local int* to, const global int* from, int n, event_t event) {
      if (n > 5) return async_work_group_copy(to, from, n, event);
      return async_work_group_strided_copy(to, from, n, 2, event);
    }
    void finish(int count, event_t* events) { wait_group_events(count, events); }
    kernel void k(const global int* from, global int* out, local int* l, constant int* counts) {
      fill((local uchar*)l, 160);
      const int n = counts[get_group_id(0)];
      if (n != 0) {
        event_t e = start(l, from, n, 0);
        if (n % 2 == 1) e = start(l + 20, from + 50, n, e);
        finish(1, &e);
      }
      save((global uchar*)(out + 40 * get_group_id(0)), (local uchar*)l, 160);
    })",
                              "k");
  const std::vector<cl_int> counts{0, 1, 2, 3, 5, 6, 7, 19, 20, 0};
  std::vector<cl_int> from(100), expected(40 * counts.size(), cl_int(0xa5a5a5a5));
  for (int i = 0; i < 100; ++i)
    from[i] = 1000 - i;
  for (size_t g = 0; g < counts.size(); ++g)
    for (int i = 0; i < counts[g]; ++i) {
      const int step = counts[g] > 5 ? 1 : 2;
      expected[40 * g + i] = from[i * step];
      if (counts[g] % 2 == 1)
        expected[40 * g + 20 + i] = from[50 + i * step];
    }
  Memory source = make_buffer(from), sizes = make_buffer(counts), out = make_buffer(expected);
  for (const size_t size : {1, 16, 50}) {
    set_arguments(kernel, source, out, Local{160}, sizes);
    run(kernel, {size * counts.size()}, {size});
    EXPECT_EQ(read<cl_int>(out, expected.size()), expected) << "groups of " << size;
  }
}

TEST_F(AsyncCopies, GroupsThatAreNotFull) {
  SPEC("C, Async Copies: this applies to ND-ranges with uniform and non-uniform work-groups");
  if (version < 300 ||
      !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT))
    GTEST_SKIP() << "no non-uniform work-groups";
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* l) {
      const uint full = get_enqueued_local_size(0) * get_enqueued_local_size(1);
      const uint group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
      const uint n = get_local_size(0) * get_local_size(1);
      event_t e = async_work_group_copy(l, from + group * full, n, 0);
      wait_group_events(1, &e);
      const uint i = get_local_id(1) * get_local_size(0) + get_local_id(0);
      const int own = l[n - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = own + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_strided_copy(to + group * full * 2, l, n, 2, 0);
      wait_group_events(1, &e);
    })",
                              "k", "-cl-std=CL3.0");
  const size_t global[2] = {50, 23}, local[2] = {16, 5}, across = 4, down = 5;
  std::vector<cl_int> from(across * down * 80), expected(from.size() * 2, -1);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = int(i);
  for (size_t y = 0; y < down; ++y)
    for (size_t x = 0; x < across; ++x) {
      const size_t n = std::min(local[0], global[0] - x * local[0]) *
                       std::min(local[1], global[1] - y * local[1]);
      for (size_t i = 0; i < n; ++i)
        expected[((y * across + x) * 80 + i) * 2] = from[(y * across + x) * 80 + n - 1 - i] + 1;
    }
  Memory source = make_buffer(from), out = make_buffer(std::vector<cl_int>(expected.size(), -1));
  set_arguments(kernel, source, out, Local{320});
  run(kernel, {global[0], global[1]}, {local[0], local[1]});
  EXPECT_EQ(read<cl_int>(out, expected.size()), expected);
}

TEST_F(AsyncCopies, Prefetch) {
  SPEC("C, Async Copies: prefetch does not affect what the kernel does");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global float4* from, global float4* to, uint n) {
      prefetch(from + get_global_id(0), 1);
      prefetch((const global char*)from, n * sizeof(float4));
      prefetch((const global short3*)from, 0);
      to[get_global_id(0)] = from[get_global_id(0)];
    })",
                              "k");
  const Bytes from = random_bytes(100 * 16, 3);
  Memory source = make_buffer(from), out = make_buffer(from.size());
  set_arguments(kernel, source, out, cl_uint(100));
  run(kernel, {100});
  expect_same(read<cl_uchar>(out, from.size()), from, "behind a prefetch");
}

// Lines and planes, in elements.
struct Shape {
  cl_ulong size, elements, lines, planes;
  cl_ulong global_offset, global_line, global_plane, local_offset, local_line, local_plane;

  size_t global_bytes() const { return end(global_offset, global_line, global_plane) * size + 9; }
  size_t local_bytes() const { return end(local_offset, local_line, local_plane) * size + 9; }
  // Of the first byte of a line; the two sides have it at the same place in this order.
  template <class Function>
  void each_line(Function function) const {
    for (cl_ulong p = 0; p < planes; ++p)
      for (cl_ulong l = 0; l < lines; ++l)
        function((global_offset + p * global_plane + l * global_line) * size,
                 (local_offset + p * local_plane + l * local_line) * size);
  }
  std::array<cl_ulong, 10> in_order() const {
    return {size,        elements,     lines,        planes,     global_offset,
            global_line, global_plane, local_offset, local_line, local_plane};
  }
  std::string text() const {
    std::string result = "size, elements, lines, planes, global offset, line, plane, local ...:";
    for (const auto value : in_order())
      (result += ' ') += std::to_string(value);
    return result;
  }

 private:
  cl_ulong end(cl_ulong offset, cl_ulong line, cl_ulong plane) const {
    if (elements == 0 || lines == 0 || planes == 0)
      return offset;
    return offset + (planes - 1) * plane + (lines - 1) * line + elements;
  }
};

class ExtendedAsyncCopies : public AsyncCopies {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_extended_async_copies"))
      GTEST_SKIP() << "no cl_khr_extended_async_copies";
    DeviceTest::SetUp();
    build_for("s");
  }

  // Of the shape that the OpenCL C expression says; `s` is the argument.
  void build_for(const std::string& shape) {
    program_ = build(std::string(kCommon) + "\n#define SHAPE " + shape + R"(

      #ifndef cl_khr_extended_async_copies
      #error "the macro is missing"
      #endif
      #pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
      typedef struct {
        ulong size, elements, lines, planes, g_offset, g_line, g_plane, l_offset, l_line, l_plane;
      } shape;
      kernel void in2(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        fill(l, bytes);
        event_t e = async_work_group_copy_2D2D(l, SHAPE.l_offset, from, SHAPE.g_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.g_line, SHAPE.l_line, 0);
        wait_group_events(1, &e);
        save(out, l, bytes);
      }
      kernel void out2(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        load(l, from, bytes);
        event_t e = async_work_group_copy_2D2D(out, SHAPE.g_offset, l, SHAPE.l_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.l_line, SHAPE.g_line, 0);
        wait_group_events(1, &e);
      }
      kernel void in3(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        fill(l, bytes);
        event_t e = async_work_group_copy_3D3D(l, SHAPE.l_offset, from, SHAPE.g_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.planes, SHAPE.g_line, SHAPE.g_plane, SHAPE.l_line,
                                               SHAPE.l_plane, 0);
        wait_group_events(1, &e);
        save(out, l, bytes);
      }
      kernel void out3(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        load(l, from, bytes);
        event_t e = async_work_group_copy_3D3D(out, SHAPE.g_offset, l, SHAPE.l_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.planes, SHAPE.l_line, SHAPE.l_plane, SHAPE.g_line,
                                               SHAPE.g_plane, 0);
        wait_group_events(1, &e);
      })");
    kernels_.clear();
    for (const char* name : {"in2", "out2", "in3", "out3"})
      kernels_.push_back(make_kernel(program_, name));
  }

  // With 2D2D if there is one plane, and with 3D3D.
  void check(const Shape& shape, size_t group) {
    const Bytes in_global = random_bytes(shape.global_bytes(), unsigned(shape.size)),
                in_local = random_bytes(shape.local_bytes(), unsigned(shape.lines));
    Bytes expected_local(in_local.size(), kUntouched),
        expected_global(in_global.size(), kUntouched);
    shape.each_line([&](size_t global, size_t local) {
      std::copy_n(in_global.begin() + global, shape.elements * shape.size,
                  expected_local.begin() + local);
      std::copy_n(in_local.begin() + local, shape.elements * shape.size,
                  expected_global.begin() + global);
    });
    for (int dimensions = shape.planes == 1 ? 2 : 3; dimensions <= 3; ++dimensions) {
      const auto what = std::to_string(dimensions) + "D, " + shape.text();
      Memory from = make_buffer(in_global), out = make_buffer(in_local.size());
      auto& in_kernel = kernels_[dimensions == 2 ? 0 : 2];
      set_arguments(in_kernel, from, out, Local{in_local.size()}, cl_uint(in_local.size()), shape);
      run(in_kernel, {group}, {group});
      expect_same(read<cl_uchar>(out, in_local.size()), expected_local, "to local memory, " + what);
      from = make_buffer(in_local);
      out = make_buffer(Bytes(in_global.size(), kUntouched));
      auto& out_kernel = kernels_[dimensions == 2 ? 1 : 3];
      set_arguments(out_kernel, from, out, Local{in_local.size()}, cl_uint(in_local.size()), shape);
      run(out_kernel, {group}, {group});
      expect_same(read<cl_uchar>(out, in_global.size()), expected_global,
                  "to global memory, " + what);
    }
  }

  // The same where the compiler knows the numbers.
  void check_known(const Shape& shape, size_t group) {
    std::string numbers;
    for (const auto value : shape.in_order())
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(value);
    build_for("((shape){" + numbers + "})");
    check(shape, group);
  }

  Program program_;
  std::vector<Kernel> kernels_;
};

TEST_F(ExtendedAsyncCopies, EveryElementSize) {
  SPEC("C, Extended Async Copy Functions: elements of num_bytes_per_element bytes; offsets, line "
       "lengths and plane areas in elements");
  std::mt19937 random(5);
  const auto upto = [&](unsigned most) { return cl_ulong(random() % (most + 1)); };
  for (cl_ulong size = 1; size <= 128; ++size)
    for (int turn = 0; turn < 3; ++turn) {
      Shape shape{};
      shape.size = size;
      const unsigned room = unsigned(600 / size);
      shape.elements = 1 + (turn == 0 ? 0 : upto(room));
      shape.lines = 1 + upto(turn == 0 ? 20 : 4);
      shape.planes = 1 + (turn == 2 ? upto(3) : 0);
      shape.global_offset = upto(5);
      shape.global_line = shape.elements + upto(4);
      shape.global_plane = shape.lines * shape.global_line + upto(9);
      shape.local_offset = upto(3);
      shape.local_line = shape.elements + upto(2);
      shape.local_plane = shape.lines * shape.local_line + upto(3);
      if (shape.local_bytes() > kLocalBytes)
        continue;
      check(shape, 1 + upto(70));
      if (HasFailure())
        return;
    }
}

TEST_F(ExtendedAsyncCopies, LinesOfEveryLength) {
  SPEC("C, Extended Async Copy Functions");
  for (cl_ulong length = 1; length < 300; length += length < 140 ? 1 : 17) {
    check({1, length, 9, 1, 3, length + 7, 0, 1, length + 1, 0}, 16);
    if (HasFailure())
      return;
  }
  check({1, 3000, 3, 1, 1, 3001, 0, 0, 3000, 0}, 16); // longer lines
  check({4, 40, 30, 1, 2, 40, 0, 1, 40, 0}, 16);      // without gaps
  check({2, 8, 10, 5, 0, 8, 80, 0, 8, 80}, 16);
  check({2, 8, 10, 5, 0, 8, 81, 0, 8, 80}, 16);
  check({4, 1, 1, 200, 0, 1, 3, 0, 1, 1}, 16); // a column of planes
}

TEST_F(ExtendedAsyncCopies, ShapesKnownToTheCompiler) {
  SPEC("C, Extended Async Copy Functions");
  for (const cl_ulong length :
       {1,  2,  3,  4,  5,  7,   8,   11,  12,  16,  20,  31,  32,   40,
        63, 64, 65, 72, 96, 127, 128, 129, 136, 200, 256, 300, 1024, 1030}) {
    check_known({1, length, 9, 1, 3, length + 7, 0, 1, length + 1, 0}, 16);
    check_known({1, length, 4, 5, 3, length + 7, length * 4 + 41, 0, length, length * 4}, 33);
    if (HasFailure())
      return;
  }
  check_known({3, 5, 37, 1, 1, 9, 0, 0, 5, 0}, 16);    // more lines than are unrolled
  check_known({4, 40, 30, 1, 2, 40, 0, 1, 40, 0}, 16); // without gaps
  check_known({2, 8, 10, 5, 0, 8, 80, 0, 8, 80}, 16);
  check_known({2, 8, 10, 5, 0, 8, 81, 0, 8, 80}, 16);
  check_known({4, 1, 1, 200, 0, 1, 3, 0, 1, 1}, 16); // a column of planes
  check_known({4, 0, 5, 1, 1, 4, 20, 1, 4, 20}, 8);  // nothing
  check_known({4, 4, 0, 1, 1, 4, 20, 1, 4, 20}, 8);
  check_known({4, 4, 5, 0, 1, 4, 20, 1, 4, 20}, 8);
}

TEST_F(ExtendedAsyncCopies, OutOfManyMebibytes) {
  SPEC("C, Extended Async Copy Functions");
  // Parts of long rows, a column of an image, and a block of a volume.
  check({4, 33, 40, 1, 70'000, 1 << 17, 0, 3, 35, 0}, 64);
  check({4, 1, 2000, 1, 5, 2048, 0, 0, 1, 0}, 64);
  check({2, 9, 10, 11, 1'234, 128, 128 * 4096, 1, 10, 101}, 48);
}

TEST_F(ExtendedAsyncCopies, NothingToCopy) {
  SPEC("C, Extended Async Copy Functions: elements x lines x planes elements are copied");
  check({4, 0, 5, 1, 1, 4, 20, 1, 4, 20}, 8);
  check({4, 4, 0, 1, 1, 4, 20, 1, 4, 20}, 8);
  check({4, 4, 5, 0, 1, 4, 20, 1, 4, 20}, 8);
}

TEST_F(ExtendedAsyncCopies, StridedCopyIsASpecialCase) {
  SPEC("C, Extended Async Copy Functions, the note: async_work_group_strided_copy in other words");
  Kernel kernel = make_kernel(R"(
    #pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
    kernel void k(const global int* from, global int* out, local int* a, local int* b, int stride) {
      event_t e = async_work_group_strided_copy(a, from, 30, stride, 0);
      e = async_work_group_copy_2D2D(b, 0, from, 0, sizeof(int), 1, 30, stride, 1, e);
      wait_group_events(1, &e);
      for (int i = get_local_id(0); i < 30; i += get_local_size(0)) { out[i] = a[i]; out[30 + i] = b[i]; }
    })",
                              "k");
  std::vector<cl_int> from(300);
  for (int i = 0; i < 300; ++i)
    from[i] = i * i;
  Memory source = make_buffer(from), out = make_buffer(240);
  for (const cl_int stride : {1, 2, 3, 10}) {
    set_arguments(kernel, source, out, Local{120}, Local{120}, stride);
    run(kernel, {20}, {20});
    const auto seen = read<cl_int>(out, 60);
    for (int i = 0; i < 60; ++i)
      ASSERT_EQ(seen[i], from[i % 30 * stride]) << "stride " << stride << ", element " << i;
  }
}

TEST_F(AsyncCopies, Fence) {
  SPEC("C, Async Copies: async_work_group_copy_fence, copies before it happen before copies after");
  if (!has_extension("cl_khr_async_work_group_copy_fence"))
    GTEST_SKIP() << "no cl_khr_async_work_group_copy_fence";
  Kernel kernel = make_kernel(R"(
    #ifndef cl_khr_async_work_group_copy_fence
    #error "the macro is missing"
    #endif
    #pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable
    // Shifts by one through local memory, again and again, with no wait between.
    kernel void k(global int* data, local int* l, int n, int times) {
      event_t e = 0;
      for (int t = 0; t < times; ++t) {
        e = async_work_group_copy(l, data, n, e);
        async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(data + 1, l, n, e);
        async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      }
      wait_group_events(1, &e);
    })",
                              "k");
  const int n = 500, times = 13;
  std::vector<cl_int> data(n + 1), expected;
  for (int i = 0; i <= n; ++i)
    data[i] = i;
  for (int i = 0; i <= n; ++i)
    expected.push_back(std::max(0, i - times));
  for (const size_t size : {1, 24, 64}) {
    Memory buffer = make_buffer(data);
    set_arguments(kernel, buffer, Local{n * 4}, cl_int(n), cl_int(times));
    run(kernel, {size}, {size});
    EXPECT_EQ(read<cl_int>(buffer, n + 1), expected) << "groups of " << size;
  }
}

} // namespace
