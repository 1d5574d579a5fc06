// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that stores through a null buffer argument, and one that loads.
#include "tests/hostile/hostile.h"

#include <filesystem>

using namespace heddle::hostile;

// The message ends in PATH+0xOFFSET, and the file exists.
static void expect_place(const std::string& text) {
  const auto begin = text.find(", in /"), plus = text.rfind("+0x");
  if (begin == std::string::npos || plus == std::string::npos || plus < begin)
    return expect(false, "no file is named: " + text);
  const auto path = text.substr(begin + 5, plus - begin - 5);
  std::error_code error;
  expect(std::filesystem::is_regular_file(path), "there is no file " + path);
  expect(std::stoul(text.substr(plus + 1), nullptr, 16) != 0, "no place in it: " + text);
}

static void body() {
  Session session;
  const auto program = build(session.context, R"(
    kernel void null_store(global int* out) { out[get_global_id(0)] = 1; }
    kernel void null_load(global int* out, global const int* in) { out[get_global_id(0)] = in[get_global_id(0)]; })");
  const auto store = make_kernel(program, "null_store"), load = make_kernel(program, "null_load");
  const cl_mem none = nullptr;
  const auto out = make_buffer(session.context, 4096);
  expect_status(clSetKernelArg(store, 0, sizeof none, &none), CL_SUCCESS,
                "a null buffer as argument");
  expect_place(expect_fault(session, store, "null_store", {{8}, {}, {}}));
  set_args(load, out);
  expect_status(clSetKernelArg(load, 1, sizeof none, nullptr), CL_SUCCESS,
                "a null buffer as argument");
  expect_fault(session, load, "null_load", {{8}, {}, {}});
}

int main() { return run_program(body); }
