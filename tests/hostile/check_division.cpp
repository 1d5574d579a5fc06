// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=division: integer division by zero, and of the smallest value by -1, fail the
// command, and the message names kernel, work-item and line. Also if the result is unused, and if
// the divisor is a constant.
#include "tests/hostile/hostile.h"

#include <climits>

#include <cstdlib>

using namespace heddle::hostile;

template <class T>
static void divide(Session& session, const char* type, T lowest) {
  const std::string name = std::string("checked_") + type;
  const auto program = build(session.context, std::string("typedef ") + type + " T; kernel void " +
                                                  name + R"((global T* out, T a, T b) {
      size_t i = get_global_id(0);
      T divisor = i == 5 ? b : 7;
      out[i * 2] = a / divisor;
      out[i * 2 + 1] = a % divisor;
    })");
  const auto kernel = make_kernel(program, name.c_str());
  const auto out = make_buffer(session.context, sizeof(T) * 16);
  set_args(kernel, out, T{100}, T{3});
  run(session.queue, kernel, {{8}, {}, {}});
  const auto values = read<T>(session.queue, out, 16);
  expect(values[10] == 33 && values[11] == 1 && values[0] == 14,
         std::string("good divisions of ") + type);
  set_args(kernel, out, T{100}, T{0});
  const auto text = expect_fault(session, kernel, name, {{8}, {}, {}});
  expect(text.find("work-item (5)") != std::string::npos, "the work-item of " + name + ": " + text);
  expect(text.find(".cl:4 is by zero") != std::string::npos, "the reason of " + name + ": " + text);
  set_args(kernel, out, lowest, static_cast<T>(-1));
  // char and short are divided as int, which cannot overflow.
  if (lowest < 0 && sizeof(T) >= 4)
    expect(expect_fault(session, kernel, name, {{8}, {}, {}}).find(".cl:4 overflows") !=
               std::string::npos,
           "the overflow of " + name);
  else
    run(session.queue, kernel, {{8}, {}, {}});
}

static void body() {
  setenv("HEDDLE_CHECK", "division", 1);
  Session session;
  divide<cl_char>(session, "char", SCHAR_MIN);
  divide<cl_ushort>(session, "ushort", 0);
  divide<cl_int>(session, "int", INT_MIN);
  divide<cl_uint>(session, "uint", 0);
  divide<cl_long>(session, "long", LLONG_MIN);
  divide<cl_ulong>(session, "ulong", 0);
  const auto program = build(session.context, R"(
    kernel void one_component(global int4* out, int4 b) { out[get_global_id(0)] = (int4)(9) / b; }
    kernel void seen_by_the_compiler(global int* out) { int zero = 0; out[get_global_id(0)] = 9 / zero; }
    kernel void unused_result(global int* out, int b) { int unused = out[0] / b; })");
  const auto one = make_kernel(program, "one_component"),
             seen = make_kernel(program, "seen_by_the_compiler"),
             unused = make_kernel(program, "unused_result");
  const auto out = make_buffer(session.context, 256);
  set_args(one, out, cl_int4{{1, 2, 3, 4}});
  run(session.queue, one, {{8}, {}, {}});
  set_args(one, out, cl_int4{{1, 2, 0, 4}});
  expect_fault(session, one, "one_component", {{8}, {}, {}});
  set_args(seen, out);
  expect_fault(session, seen, "seen_by_the_compiler", {{8}, {}, {}});
  set_args(unused, out, cl_int{0});
  expect_fault(session, unused, "unused_result", {{8}, {}, {}});
}

int main() { return run_program(body); }
