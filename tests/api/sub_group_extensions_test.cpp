// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-group extensions: extended types, non-uniform votes and arithmetic, ballots, shuffles,
// rotations and clusters. ctest runs these tests at several sub-group sizes.
#include "tests/api/lane_model.h"

namespace heddle::test {
namespace {

bool is_odd(cl_int v) { return (v & 1) != 0; }

template <class T>
std::vector<Combination<T>> arithmetic() {
  auto all = add_min_max<T>();
  all.push_back({"mul", [](T a, T b) { return T(a * b); }, T(1)});
  return all;
}
template <class T>
std::vector<Combination<T>> logic() {
  return {{"and", [](T a, T b) { return T(a & b); }, T(~T(0))},
          {"or", [](T a, T b) { return T(a | b); }, T(0)},
          {"xor", [](T a, T b) { return T(a ^ b); }, T(0)}};
}
template <class T>
std::vector<Combination<T>> combinations() {
  auto all = arithmetic<T>();
  if constexpr (std::is_integral_v<T>)
    for (auto& one : logic<T>())
      all.push_back(one);
  return all;
}
// Products of these values are exact and do not overflow.
template <class T>
std::string tame(const std::string& how) {
  return how == "mul" && std::is_floating_point_v<T> ? "v > 0 ? 2 : 1" : "v";
}
template <class T>
std::function<T(T, T)> tamed(const Combination<T>& how) {
  if (std::string(how.name) != "mul" || !std::is_floating_point_v<T>)
    return how.combine;
  return [](T a, T b) { return a * (b > 0 ? T(2) : T(1)); };
}

template <class T>
class SubGroupExtended : public testing::Test {};
using Types = testing::Types<cl_char, cl_ushort, cl_int, cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(SubGroupExtended, Types);

TYPED_TEST(SubGroupExtended, NonUniformArithmetic) {
  using T = TypeParam;
  std::vector<LaneCase<T>> cases;
  const auto odd = [](T v) { return is_odd(static_cast<cl_int>(v)); };
  for (const auto& how : combinations<T>()) {
    const auto call = [&](const char* kind) {
      return std::string("if ((int)v & 1) r = sub_group_non_uniform_") + kind + "_" + how.name +
             "((" + type_name(T()) + ")(" + tame<T>(how.name) + "));";
    };
    const auto combine = tamed(how);
    cases.push_back({call("reduce"), fold<T>(combine, how.identity, everybody), odd});
    cases.push_back({call("scan_inclusive"), fold<T>(combine, how.identity, up_to), odd});
    cases.push_back({call("scan_exclusive"), fold<T>(combine, how.identity, before), odd});
  }
  expect_lanes<T>(cases);
}

TYPED_TEST(SubGroupExtended, Clusters) {
  using T = TypeParam;
  std::vector<LaneCase<T>> cases;
  for (const auto& how : combinations<T>())
    for (const size_t lanes : {1, 2, 4}) {
      cases.push_back(
          {std::string("if (get_max_sub_group_size() >= ") + std::to_string(lanes) +
               ") r = sub_group_clustered_reduce_" + how.name + "((" + type_name(T()) + ")(" +
               tame<T>(how.name) + "), " + std::to_string(lanes) + ");",
           [=, fold_cluster = fold<T>(tamed(how), how.identity, [=](size_t lane, size_t own) {
                 return lane / lanes == own / lanes;
               })](const Lanes<T>& all) {
             return all.value.size() >= lanes ? fold_cluster(all) : T(0);
           }});
    }
  expect_lanes<T>(cases);
}

// Values of absent lanes are undefined; the tests read only existing ones.
TYPED_TEST(SubGroupExtended, Shuffles) {
  using T = TypeParam;
  const auto from = [](auto other) {
    return [=](const Lanes<T>& lanes) {
      const size_t lane = other(lanes.lane, lanes.value.size());
      return lane < lanes.value.size() && lanes.active[lane] ? lanes.value[lane] : T(0);
    };
  };
  const auto keep = [](const std::string& lane, const std::string& call) {
    return "{ uint o = " + lane + "; " + type_name(T()) + " s = " + call +
           "; r = o < get_sub_group_size() ? s : 0; }";
  };
  const std::string own = "get_sub_group_local_id()", width = "get_max_sub_group_size()";
  expect_lanes<T>({
      {keep(own + " ^ 1", "sub_group_shuffle_xor(v, 1)"),
       from([](size_t i, size_t) { return i ^ 1; })},
      {keep("(" + own + " * 5 + 3) % " + width, "sub_group_shuffle(v, o)"),
       from([](size_t i, size_t n) { return (i * 5 + 3) % n; })},
      {keep("0u", "sub_group_shuffle(v, 0)"), from([](size_t, size_t) { return size_t{0}; })},
      {keep("get_sub_group_size() / 2", "sub_group_shuffle(v, o)"),
       [](const Lanes<T>& lanes) {
         const auto there = std::count(lanes.active.begin(), lanes.active.end(), true);
         return lanes.value[static_cast<size_t>(there) / 2];
       }},
      {keep(own + " - 2", "sub_group_shuffle_up(v, 2)"),
       from([](size_t i, size_t) { return i - 2; })},
      {keep(own + " + 1", "sub_group_shuffle_down(v, 1)"),
       from([](size_t i, size_t) { return i + 1; })},
      {keep("(" + own + " + 3) % " + width, "sub_group_rotate(v, 3)"),
       from([](size_t i, size_t n) { return (i + 3) % n; })},
      {keep("(" + own + " + " + width + " - 1) % " + width, "sub_group_rotate(v, -1)"),
       from([](size_t i, size_t n) { return (i + n - 1) % n; })},
      {"if (" + width + " >= 4) " +
           keep("(" + own + " & ~3u) + (" + own + " + 1) % 4",
                "sub_group_clustered_rotate(v, 1, 4)"),
       [=](const Lanes<T>& lanes) {
         return lanes.value.size() < 4
                    ? T(0)
                    : from([](size_t i, size_t) { return i / 4 * 4 + (i + 1) % 4; })(lanes);
       }},
  });
}

TYPED_TEST(SubGroupExtended, ValuesOfOneLane) {
  using T = TypeParam;
  const auto odd = [](T v) { return is_odd(static_cast<cl_int>(v)); };
  const auto first = [](const Lanes<T>& lanes) {
    return lanes
        .value[std::find(lanes.active.begin(), lanes.active.end(), true) - lanes.active.begin()];
  };
  const std::string type = type_name(T());
  expect_lanes<T>({
      {"if ((int)v & 1) r = sub_group_broadcast_first(v);", first, odd},
      {"r = sub_group_non_uniform_broadcast(v, 0);", first},
      {"r = sub_group_broadcast(v, 0);", first},
      {type + "3 s = sub_group_broadcast((" + type +
           "3)(v, 7, v), 0); r = s.y == 7 && s.x == s.z ? s.x : 99;",
       first},
      {"r = sub_group_non_uniform_broadcast((" + type + "16)(v), 0).sf;", first},
      {"if ((int)v & 1) r = sub_group_non_uniform_all_equal(v);",
       [=](const Lanes<T>& lanes) {
         for (size_t i = 0; i < lanes.value.size(); ++i)
           if (lanes.active[i] && lanes.value[i] != first(lanes))
             return T(0);
         return T(1);
       },
       odd},
      {"if ((int)v & 1) r = sub_group_non_uniform_all_equal((" + type + ")3);",
       [](const Lanes<T>&) { return T(1); }, odd},
  });
}

TEST(SubGroupVotes, NonUniform) {
  const auto among = [](auto predicate, bool all) {
    return [=](const Lanes<cl_int>& lanes) {
      cl_int result = all;
      for (size_t i = 0; i < lanes.value.size(); ++i)
        if (lanes.active[i])
          result = all ? result & predicate(lanes.value[i]) : result | predicate(lanes.value[i]);
      return result;
    };
  };
  const auto positive = [](cl_int v) { return static_cast<cl_int>(v > 0); };
  expect_lanes<cl_int>({
      {"if (v & 1) r = sub_group_non_uniform_all(v > 0);", among(positive, true), is_odd},
      {"if (v & 1) r = sub_group_non_uniform_any(v > 0);", among(positive, false), is_odd},
      {"if (v & 1) r = sub_group_elect();",
       [](const Lanes<cl_int>& lanes) {
         return static_cast<cl_int>(std::find(lanes.active.begin(), lanes.active.end(), true) ==
                                    lanes.active.begin() + static_cast<std::ptrdiff_t>(lanes.lane));
       },
       is_odd},
  });
}

TEST(SubGroupVotes, LogicalArithmetic) {
  std::vector<LaneCase<cl_int>> cases;
  const Combination<cl_int> logical[] = {
      {"and", [](cl_int a, cl_int b) { return a & static_cast<cl_int>(b > 0); }, 1},
      {"or", [](cl_int a, cl_int b) { return a | static_cast<cl_int>(b > 0); }, 0},
      {"xor", [](cl_int a, cl_int b) { return a ^ static_cast<cl_int>(b > 0); }, 0}};
  for (const auto& how : logical) {
    const auto call = [&](const char* kind) {
      return std::string("if (v & 1) r = sub_group_non_uniform_") + kind + "_logical_" + how.name +
             "((v > 0) << 4);";
    };
    cases.push_back({call("reduce"), fold<cl_int>(how.combine, how.identity, everybody), is_odd});
    cases.push_back(
        {call("scan_inclusive"), fold<cl_int>(how.combine, how.identity, up_to), is_odd});
    cases.push_back(
        {call("scan_exclusive"), fold<cl_int>(how.combine, how.identity, before), is_odd});
    cases.push_back(
        {std::string("if (v & 1) r = sub_group_clustered_reduce_logical_") + how.name +
             "(v > 0, 1);",
         fold<cl_int>(how.combine, how.identity, [](size_t a, size_t b) { return a == b; }),
         is_odd});
  }
  expect_lanes<cl_int>(cases);
}

TEST(SubGroupBallot, Bits) {
  const auto bits = [](const Lanes<cl_ulong>& lanes) {
    cl_ulong result = 0;
    for (size_t i = 0; i < lanes.value.size(); ++i)
      if (lanes.active[i] && lanes.value[i] > 9)
        result |= cl_ulong{1} << i;
    return result;
  };
  const auto odd = [](cl_ulong v) { return (v & 1) != 0; };
  const auto count = [](cl_ulong word) {
    return static_cast<cl_ulong>(__builtin_popcountll(word));
  };
  const auto full = [](const Lanes<cl_ulong>& lanes) {
    return ~cl_ulong{0} >> (64 - lanes.value.size());
  };
  const std::string ballot = "uint4 b = sub_group_ballot(v > 9); ";
  const std::string word = "; if (m.z | m.w) r = 99; else r = (ulong)m.y << 32 | m.x;";
  const auto mask = [&](const char* which) {
    return std::string("uint4 m = get_sub_group_") + which + "_mask()" + word;
  };
  expect_lanes<cl_ulong>({
      {"if (v & 1) { uint4 m = sub_group_ballot(v > 9)" + word + " }", bits, odd},
      {ballot + "r = sub_group_inverse_ballot(b) != 0;",
       [=](const auto& lanes) { return bits(lanes) >> lanes.lane & 1; }},
      {ballot + "r = sub_group_ballot_bit_extract(b, 0) != 0;",
       [=](const auto& lanes) { return bits(lanes) & 1; }},
      {ballot + "r = sub_group_ballot_bit_count(b | 0x80000000u);",
       [=](const auto& lanes) { return count((bits(lanes) | 0x8000000080000000u) & full(lanes)); }},
      {ballot + "r = sub_group_ballot_inclusive_scan(b);",
       [=](const auto& lanes) { return count(bits(lanes) & ((cl_ulong{2} << lanes.lane) - 1)); }},
      {ballot + "r = sub_group_ballot_exclusive_scan(b);",
       [=](const auto& lanes) { return count(bits(lanes) & ((cl_ulong{1} << lanes.lane) - 1)); }},
      {ballot + "if (sub_group_any(v > 9)) r = sub_group_ballot_find_lsb(b) * 100 + "
                "sub_group_ballot_find_msb(b);",
       [=](const auto& lanes) {
         const auto set = bits(lanes);
         return set == 0
                    ? 0
                    : static_cast<cl_ulong>(__builtin_ctzll(set) * 100 + 63 - __builtin_clzll(set));
       }},
      {mask("eq"), [](const auto& lanes) { return cl_ulong{1} << lanes.lane; }},
      {mask("lt"), [](const auto& lanes) { return (cl_ulong{1} << lanes.lane) - 1; }},
      {mask("le"), [](const auto& lanes) { return (cl_ulong{2} << lanes.lane) - 1; }},
      {mask("gt"),
       [=](const auto& lanes) { return full(lanes) & ~((cl_ulong{2} << lanes.lane) - 1); }},
      {mask("ge"),
       [=](const auto& lanes) { return full(lanes) & ~((cl_ulong{1} << lanes.lane) - 1); }},
  });
}

// Lanes have different trip counts: each iteration sees the lanes that are still in the loop, and
// after the loop all are active.
TEST(SubGroupVotes, DivergentLoops) {
  expect_lanes<cl_int>({
      {"int n = v & 7; for (int i = 0; i < n; ++i) r += sub_group_non_uniform_reduce_add(1); "
       "r = r * 100 + (int)sub_group_ballot_bit_count(sub_group_ballot(1));",
       [](const Lanes<cl_int>& lanes) {
         cl_int result = 0;
         for (cl_int round = 0; round < (lanes.value[lanes.lane] & 7); ++round)
           for (size_t i = 0; i < lanes.value.size(); ++i)
             result += lanes.active[i] && (lanes.value[i] & 7) > round;
         return result * 100 +
                static_cast<cl_int>(std::count(lanes.active.begin(), lanes.active.end(), true));
       }},
      // The same vote on both sides of a branch, and before it.
      {"uint a = sub_group_ballot(1).x; if (v & 1) r = sub_group_ballot(1).x == a; else r = "
       "(sub_group_ballot(1).x == a) + 10;",
       [](const Lanes<cl_int>& lanes) {
         const bool own = is_odd(lanes.value[lanes.lane]);
         bool same = true;
         for (size_t i = 0; i < std::min<size_t>(lanes.value.size(), 32); ++i)
           same &= !lanes.active[i] || is_odd(lanes.value[i]) == own;
         return (own ? 0 : 10) + static_cast<cl_int>(same);
       }},
  });
}

} // namespace
} // namespace heddle::test
