// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group and sub-group collectives, several per kernel, so that they dominate memory accesses.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {
namespace {

constexpr size_t kGroup = 256;

uint32_t group_sum(const uint32_t* in, size_t) {
  uint32_t sum = 0;
  for (size_t i = 0; i != kGroup; ++i)
    sum += in[i];
  return sum;
}
uint32_t group_max(const uint32_t* in, size_t) {
  uint32_t most = 0;
  for (size_t i = 0; i != kGroup; ++i)
    most = std::max(most, in[i]);
  return most;
}
uint32_t group_scan(const uint32_t* in, size_t l) {
  uint32_t sum = 0;
  for (size_t i = 0; i <= l; ++i)
    sum += in[i];
  return sum;
}

std::unique_ptr<Workload> make(Scale scale, const char* need, const std::string& head,
                               const std::string& body) {
  auto w = std::make_unique<Workload>();
  w->work = "1 Mi uints, groups of 256";
  w->needs = {need};
  w->options = "-cl-std=CL3.0";
  w->source = head +
              "\nkernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
              "void k(global uint* out, global uint* sizes, global const uint* in) {\n"
              "  size_t i = get_global_id(0);\n  uint v = in[i];\n" +
              body + "\n}";
  const size_t n = scale == Scale::kFull ? 1 << 20 : 1 << 12;
  const auto in = w->input(random_bits(n));
  const auto out = w->result<uint32_t>(n), sizes = w->result<uint32_t>(n);
  w->launch("k", {n}, {kGroup}, out, sizes, in);
  return w;
}

// Work-group: every work-item's result is a function of the group's values.
void add_group(const char* name, const char* expression,
               uint32_t (*expected)(const uint32_t*, size_t)) {
  Register(std::string("work_group/") + name, [=](Scale scale) {
    auto w = make(scale, "__opencl_c_work_group_collective_functions", "",
                  std::string("out[i] = ") + expression + "; sizes[i] = 0;");
    w->verify = [=, &w = *w] {
      const auto out = w.view<uint32_t>(1), in = w.view<uint32_t>(0);
      std::vector<uint32_t> values(in.size());
      for (size_t i = 0; i != in.size(); ++i)
        values[i] = expected(&in[i - i % kGroup], i % kGroup);
      return equal(out, values);
    };
    return w;
  });
}

// Sub-group: the kernel also stores each work-item's position (id | size << 16), since sizes depend
// on the driver. expected(values of the sub-group, size, id).
using SubExpected = uint32_t (*)(const uint32_t*, uint32_t, uint32_t);

void add_subgroup(const char* name, const char* need, const char* expression,
                  SubExpected expected) {
  Register(std::string("sub_group/") + name, [=](Scale scale) {
    const std::string head = R"(
      #ifdef cl_khr_subgroups
      #pragma OPENCL EXTENSION cl_khr_subgroups : enable
      #endif
      uint bits(uint4 b) {
        return popcount(b.x) + popcount(b.y) + popcount(b.z) + popcount(b.w);
      })";
    auto w = make(scale, need, head,
                  "  uint id = get_sub_group_local_id(), size = get_sub_group_size();\n"
                  "  out[i] = " +
                      std::string(expression) + ";\n  sizes[i] = id | (size << 16);");
    w->verify = [=, &w = *w]() -> std::string {
      const auto in = w.view<uint32_t>(0), out = w.view<uint32_t>(1), sizes = w.view<uint32_t>(2);
      for (size_t first = 0; first < in.size();) {
        const uint32_t size = sizes[first] >> 16;
        if (size == 0 || size > kGroup || first + size > in.size())
          return "a sub-group of " + std::to_string(size);
        for (uint32_t id = 0; id != size; ++id) {
          if (sizes[first + id] != (id | size << 16))
            return "sub-groups are not consecutive at " + std::to_string(first + id);
          if (out[first + id] != expected(&in[first], size, id))
            return "wrong at " + std::to_string(first + id);
        }
        first += size;
      }
      return {};
    };
    return w;
  });
}

const bool registered = [] {
  add_group("reduce_add", "work_group_reduce_add(v)", group_sum);
  add_group("reduce_max", "work_group_reduce_max(v)", group_max);
  add_group("scan_add", "work_group_scan_inclusive_add(v)", group_scan);
  add_group("broadcast", "work_group_broadcast(v, 17)",
            [](const uint32_t* in, size_t) { return in[17]; });
  add_subgroup("reduce_add", "cl_khr_subgroups|__opencl_c_subgroups", "sub_group_reduce_add(v)",
               [](const uint32_t* in, uint32_t size, uint32_t) {
                 uint32_t sum = 0;
                 for (uint32_t i = 0; i != size; ++i)
                   sum += in[i];
                 return sum;
               });
  add_subgroup("scan_add", "cl_khr_subgroups|__opencl_c_subgroups",
               "sub_group_scan_inclusive_add(v)", [](const uint32_t* in, uint32_t, uint32_t id) {
                 uint32_t sum = 0;
                 for (uint32_t i = 0; i <= id; ++i)
                   sum += in[i];
                 return sum;
               });
  add_subgroup("shuffle", "cl_khr_subgroup_shuffle", "sub_group_shuffle(v, size - 1 - id)",
               [](const uint32_t* in, uint32_t size, uint32_t id) { return in[size - 1 - id]; });
  add_subgroup("shuffle_xor", "cl_khr_subgroup_shuffle", "sub_group_shuffle_xor(v, size > 1)",
               [](const uint32_t* in, uint32_t size, uint32_t id) { return in[id ^ (size > 1)]; });
  add_subgroup("ballot", "cl_khr_subgroup_ballot", "bits(sub_group_ballot(v & 1))",
               [](const uint32_t* in, uint32_t size, uint32_t) {
                 uint32_t count = 0;
                 for (uint32_t i = 0; i != size; ++i)
                   count += in[i] & 1;
                 return count;
               });
  return true;
}();

} // namespace
} // namespace heddle::bench
