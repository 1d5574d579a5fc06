// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division by zero and the overflow of INT_MIN / -1 give an unspecified value and no
// exception (OpenCL C 6.4): the command completes, every item runs.
#include "tests/hostile/hostile.h"

#include <climits>

using namespace heddle::hostile;

template <class T>
static void divide(Session& session, const char* type, T lowest) {
  const auto program = build(session.context, std::string("typedef ") + type + R"( T;
    kernel void divide_by_zero(global T* out, global const T* a, global const T* b) {
      size_t i = get_global_id(0);
      out[i * 3] = a[i] / b[i];
      out[i * 3 + 1] = a[i] % b[i];
      out[i * 3 + 2] = 9;
    })");
  const auto kernel = make_kernel(program, "divide_by_zero");
  const T a[] = {1, 0, lowest, 100, lowest}, b[] = {0, 0, static_cast<T>(-1), 7, 0};
  const auto out = make_buffer(session.context, sizeof(T) * 15);
  const auto in_a = make_buffer(session.context, sizeof a, a),
             in_b = make_buffer(session.context, sizeof b, b);
  set_args(kernel, out, in_a, in_b);
  Event event;
  check(enqueue(session.queue, kernel, {{5}, {}, {}}, event.out()), "enqueue");
  expect_status(clWaitForEvents(1, event.address()), CL_SUCCESS,
                std::string("division by zero of ") + type);
  expect_status(event_status(event), CL_COMPLETE,
                std::string("status of division by zero of ") + type);
  const auto values = read<T>(session.queue, out, 15);
  for (int i = 0; i != 5; ++i)
    expect(values[i * 3 + 2] == 9, std::string("item ") + std::to_string(i) + " has run, " + type);
  expect(values[9] == 100 / 7 && values[10] == 100 % 7,
         std::string("a good division beside it, ") + type);
}

static void body() {
  Session session;
  divide<cl_char>(session, "char", SCHAR_MIN);
  divide<cl_uchar>(session, "uchar", 0);
  divide<cl_short>(session, "short", SHRT_MIN);
  divide<cl_int>(session, "int", INT_MIN);
  divide<cl_uint>(session, "uint", 0);
  divide<cl_long>(session, "long", LLONG_MIN);
  divide<cl_ulong>(session, "ulong", 0);
  // Vectors, and a constant divisor.
  const auto program = build(session.context, R"(
    kernel void divide_by_zero(global int4* out, int zero) {
      int4 v = (int4)(1, 2, 3, 4);
      out[0] = v / (int4)(zero, 1, zero, 2);
      out[1] = v % (int4)(zero, 1, zero, 2);
      out[2] = v / 0;
      out[3] = (int4)(5);
    })");
  const auto kernel = make_kernel(program, "divide_by_zero");
  const auto out = make_buffer(session.context, 64);
  set_args(kernel, out, cl_int{0});
  run(session.queue, kernel, {{1}, {}, {}});
  const auto values = read<cl_int>(session.queue, out, 16);
  expect(values[1] == 2 && values[3] == 2 && values[15] == 5, "good components beside bad ones");
  expect_works(session, "after divisions by zero");
}

int main() { return run_program(body); }
