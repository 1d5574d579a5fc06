// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates an expression in every work-item, together with the work-item's sub-group and lane, and
// compares the results with a model on the host.
#pragma once

#include "tests/api/api_test.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

namespace heddle::test {

// Group shapes with a full or partial last sub-group, and with rows that are or are not multiples
// of sub-groups.
inline const std::vector<Range>& group_shapes() {
  static const std::vector<Range> shapes = {
      {{64}, {64}, {}},       {{48}, {16}, {}},
      {{2}, {1}, {}},         {{6}, {3}, {}},
      {{7}, {7}, {}},         {{99}, {33}, {}},
      {{100}, {100}, {}},     {{70}, {20}, {}},
      {{8, 16}, {8, 8}, {}},  {{5, 3, 4}, {5, 3, 2}, {}},
      {{1, 64}, {1, 64}, {}}, {{32, 6}, {32, 3}, {}},
      {{13, 9}, {6, 4}, {}},
  };
  return shapes;
}

inline std::string describe(const Range& range) {
  std::ostringstream text;
  for (size_t d = 0; d < range.global.size(); ++d)
    text << (d ? " x " : "") << range.global[d] << "/" << range.local[d];
  return text.str();
}

inline size_t items_of(const Range& range) {
  size_t items = 1;
  for (const auto size : range.global)
    items *= size;
  return items;
}

// The values of the lanes of a sub-group (or work-group); active[i] is false for absent and
// inactive lanes.
template <class T>
struct Lanes {
  std::vector<T> value;
  std::vector<bool> active;
  size_t lane = 0; // the one whose result is asked for
  cl_uint sub_group = 0;
  bool wide_row = false; // more than ten work-items in a row of the group
};

// The ids that each work-item reports.
struct Place {
  cl_uint group, sub_group, lane, size, width, count, enqueued, local_linear, row;
};

template <class T>
struct Outcome {
  std::vector<Place> places;
  std::vector<T> results;
};

inline const char* type_name(cl_char) { return "char"; }
inline const char* type_name(cl_uchar) { return "uchar"; }
inline const char* type_name(cl_short) { return "short"; }
inline const char* type_name(cl_ushort) { return "ushort"; }
inline const char* type_name(cl_int) { return "int"; }
inline const char* type_name(cl_uint) { return "uint"; }
inline const char* type_name(cl_long) { return "long"; }
inline const char* type_name(cl_ulong) { return "ulong"; }
inline const char* type_name(cl_float) { return "float"; }
inline const char* type_name(cl_double) { return "double"; }

// Small values of both signs, whose sums are exact in every type.
template <class T>
std::vector<T> lane_inputs(size_t count) {
  std::vector<T> values(count);
  cl_uint state = 12345;
  for (auto& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<T>(static_cast<int>(state >> 27) - (T(-1) < T(0) ? 16 : 0));
  }
  return values;
}

// One program with kernels k0, k1, ... that each write `r`, which the statements set from `v`.
class LaneProgram {
 public:
  LaneProgram(const std::string& type, const std::vector<std::string>& statements) {
    std::string source = R"(
      #define PLACE {get_global_linear_group(), get_sub_group_id(), get_sub_group_local_id(), \
        get_sub_group_size(), get_max_sub_group_size(), get_num_sub_groups(), \
        get_enqueued_num_sub_groups(), (uint)get_local_linear_id(), (uint)get_local_size(0)}
      typedef struct { uint group, sub_group, lane, size, width, count, enqueued, local_linear, row; } Place;
      uint get_global_linear_group() {
        return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
      }
    )";
    for (size_t i = 0; i < statements.size(); ++i)
      source += "kernel void k" + std::to_string(i) + "(global " + type +
                "* out, global Place* places, global const " + type +
                "* in) {\n  size_t i = get_global_linear_id();\n  Place own = PLACE;\n  places[i] "
                "= own;\n  " +
                type + " v = in[i], r = 0;\n  " + statements[i] + "\n  out[i] = r;\n}\n";
    program_ = build(context_, source, "-cl-std=CL3.0");
  }

  template <class T>
  Outcome<T> run(size_t number, const Range& range, const std::vector<T>& in) const {
    const auto kernel = make_kernel(program_, ("k" + std::to_string(number)).c_str());
    const auto n = items_of(range);
    const std::vector<unsigned char> zeros(n * std::max(sizeof(T), sizeof(Place)));
    const auto out = make_buffer(context_, n * sizeof(T), zeros.data());
    const auto places = make_buffer(context_, n * sizeof(Place), zeros.data());
    const auto input = make_buffer(context_, n * sizeof(T), in.data());
    set_args(kernel, out, places, input);
    test::run(queue_, kernel, range);
    return {read<Place>(queue_, places, n), read<T>(queue_, out, n)};
  }

 private:
  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
  Program program_;
};

enum class Over { sub_group, work_group };

// A statement and the expected value of r; `active` selects the lanes that execute it by their
// input value (null: all), the others keep 0.
template <class T>
struct LaneCase {
  using Expected = std::function<T(const Lanes<T>&)>;
  using Active = std::function<bool(T)>;
  LaneCase(std::string text, Expected model, Active takes_part = nullptr)
      : statement(std::move(text)), expected(std::move(model)), active(std::move(takes_part)) {}
  std::string statement;
  Expected expected;
  Active active;
};

template <class T>
void expect_lanes(const std::vector<LaneCase<T>>& cases, Over over = Over::sub_group) {
  std::vector<std::string> statements;
  for (const auto& one : cases)
    statements.push_back(one.statement);
  const LaneProgram program(type_name(T()), statements);
  for (size_t c = 0; c < cases.size(); ++c)
    for (const auto& range : group_shapes()) {
      SCOPED_TRACE(cases[c].statement + " for " + describe(range));
      const auto in = lane_inputs<T>(items_of(range));
      const auto outcome = program.run(c, range, in);
      std::map<std::pair<cl_uint, cl_uint>, Lanes<T>> groups;
      const auto key = [&](size_t i) {
        const auto& place = outcome.places[i];
        return std::pair(place.group, over == Over::sub_group ? place.sub_group : 0);
      };
      const auto number = [&](size_t i) {
        const auto& place = outcome.places[i];
        return over == Over::sub_group ? place.lane : place.local_linear;
      };
      for (size_t i = 0; i < in.size(); ++i) {
        auto& lanes = groups[key(i)];
        const size_t size = over == Over::sub_group ? outcome.places[i].width : 4096;
        lanes.value.resize(size);
        lanes.active.resize(size);
        ASSERT_LT(number(i), size);
        lanes.value[number(i)] = in[i];
        lanes.active[number(i)] = !cases[c].active || cases[c].active(in[i]);
      }
      for (size_t i = 0; i < in.size(); ++i) {
        auto& lanes = groups[key(i)];
        lanes.lane = number(i);
        lanes.sub_group = outcome.places[i].sub_group;
        lanes.wide_row = outcome.places[i].row > 10;
        const T expected = lanes.active[lanes.lane] ? cases[c].expected(lanes) : T(0);
        ASSERT_EQ(outcome.results[i], expected)
            << "work-item " << i << ", lane " << lanes.lane << " of " << outcome.places[i].width;
      }
    }
}

// Reduces the active lanes that `takes_part` selects.
template <class T>
std::function<T(const Lanes<T>&)> fold(std::function<T(T, T)> combine, T identity,
                                       std::function<bool(size_t lane, size_t own)> takes_part) {
  return [=](const Lanes<T>& lanes) {
    T result = identity;
    for (size_t i = 0; i < lanes.value.size(); ++i)
      if (lanes.active[i] && takes_part(i, lanes.lane))
        result = combine(result, lanes.value[i]);
    return result;
  };
}
inline bool everybody(size_t, size_t) { return true; }
inline bool up_to(size_t lane, size_t own) { return lane <= own; }
inline bool before(size_t lane, size_t own) { return lane < own; }

template <class T>
struct Combination {
  const char* name;
  std::function<T(T, T)> combine;
  T identity;
};

template <class T>
std::vector<Combination<T>> add_min_max() {
  using Limits = std::numeric_limits<T>;
  const T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return {{"add", [](T a, T b) { return T(a + b); }, T(0)},
          {"min", [](T a, T b) { return std::min(a, b); }, most},
          {"max", [](T a, T b) { return std::max(a, b); }, least}};
}

} // namespace heddle::test
