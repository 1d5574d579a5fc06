// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a few instructions on each element of two buffers.
#pragma once

#include "tests/api/support.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace heddle::test {

// A kernel k(global T* out, global const T* a, global const T* b) of sub-groups of 16 work-items,
// whose body answers the value of out[i] from those of a[i] and b[i].
template <class T>
class Elementwise {
 public:
  static constexpr size_t kItems = 64, kLanes = 16;
  struct Body {
    KernelModule& module;
    Word type;               // T
    Word a, b;               // values of the work-item
    Word out, in_a, element; // the parameters out and a, and &out[i]
  };

  Elementwise(std::initializer_list<Word> capabilities, const char* extension = nullptr,
              const char* set = "")
      : capabilities_(capabilities), extension_(extension), set_(set) {}

  // Appended behind the kernel.
  std::function<void(KernelModule&)> functions;
  // Execution modes with the width 32, and build options.
  Words modes_of_floats;
  std::string options;

  static Program make_program(cl_context context, const std::vector<Word>& words) {
    cl_int error = CL_SUCCESS;
    Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
    check(error, "clCreateProgramWithIL");
    return program;
  }

  std::vector<T> run(const std::vector<T>& a, const std::vector<T>& b,
                     const std::function<void(KernelModule&)>& constants,
                     const std::function<Word(Body)>& body) const {
    const auto context = make_context();
    const auto program = make_program(context, module(constants, body));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr), CL_SUCCESS)
        << build_log(program);
    const auto kernel = make_kernel(program, "k");
    const auto queue = make_queue(context);
    const std::vector<T> zeros(kItems);
    const auto out = make_buffer(context, kItems * sizeof(T), zeros.data());
    const auto in_a = make_buffer(context, kItems * sizeof(T), a.data());
    const auto in_b = make_buffer(context, kItems * sizeof(T), b.data());
    set_args(kernel, out, in_a, in_b);
    heddle::test::run(queue, kernel, {{kItems}, {kItems}, {}});
    return read<T>(queue, out, kItems);
  }

  // The build log of a module that must be refused.
  std::string refusal(const std::function<void(KernelModule&)>& constants,
                      const std::function<Word(Body)>& body) const {
    const auto context = make_context();
    const auto program = make_program(context, module(constants, body));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    return build_log(program);
  }

  // Names and decorations.
  std::function<void(KernelModule&)> decorations;

  Words module(const std::function<void(KernelModule&)>& constants,
               const std::function<Word(Body)>& body) const {
    KernelModule m(set_, capabilities_, extension_, kLanes, modes_of_floats);
    if (decorations)
      decorations(m);
    m.types();
    Word element = m.i32, pointer = m.global_i32;
    if constexpr (std::is_same_v<T, float>) {
      element = m.f32;
      pointer = m.global_f32;
    } else if constexpr (std::is_same_v<T, cl_half>) {
      element = m.type(OpTypeFloat, {16});
      pointer = m.type(OpTypePointer, {CrossWorkgroup, element});
    } else if constexpr (sizeof(T) == 8) {
      element = std::is_same_v<T, double> ? m.type(OpTypeFloat, {64}) : m.i64;
      pointer = m.type(OpTypePointer, {CrossWorkgroup, element});
    }
    if (constants)
      constants(m);
    const auto p = m.begin({pointer, pointer, pointer});
    const Word i = m.load_global_id();
    const auto load = [&](Word from) {
      return m.result(OpLoad, element,
                      {m.result(OpInBoundsPtrAccessChain, pointer, {from, i}), 2, sizeof(T)});
    };
    const Word place = m.result(OpInBoundsPtrAccessChain, pointer, {p[0], i});
    const Word value = body({m, element, load(p[1]), load(p[2]), p[0], p[1], place});
    if (value != 0)
      m.add(OpStore, {place, value, 2, sizeof(T)});
    m.end();
    if (functions)
      functions(m);
    return m.words();
  }

 private:
  std::vector<Word> capabilities_;
  const char* extension_;
  std::string set_;
};

template <class T>
std::vector<T> numbers(T first, T step) {
  std::vector<T> made(64);
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<T>(first + static_cast<T>(i) * step);
  return made;
}

template <class T, class Function>
std::vector<T> expected(Function function) {
  std::vector<T> made(64);
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = function(i);
  return made;
}

} // namespace heddle::test
