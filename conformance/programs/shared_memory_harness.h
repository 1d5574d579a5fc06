// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs about SVM and about USM share: the extension's entry points, allocations that
// are freed at the end of their scope, kernels that both use.
#pragma once

#include "harness.h"

#include <CL/cl_ext.h>

namespace conformance {

template <class Function>
Function entry_point(const char* name) {
  return reinterpret_cast<Function>(
      clGetExtensionFunctionAddressForPlatform(Target::get().platform, name));
}

// A kernel that reads and writes 32-bit integers: out[i] = in[i] * factor + old out[i].
inline const char* const kScaleSource = R"(
  kernel void scale(global const int* in, global int* out, int factor) {
    int i = get_global_id(0);
    out[i] += in[i] * factor;
  })";

// A kernel that follows pointers: a list of nodes, each in memory of its own. It answers their sum
// and puts the running sum into each.
inline const char* const kListSource = R"(
  typedef struct Node { int value; int seen; global struct Node* next; } Node;
  kernel void follow(global Node* first, global int* out) {
    int sum = 0;
    for (global Node* node = first; node != 0; node = node->next) {
      sum += node->value;
      node->seen = sum;
    }
    *out = sum;
  })";
struct ListNode {
  cl_int value;
  cl_int seen;
  ListNode* next;
};

inline cl_command_type type_of(cl_event event) {
  return info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
}
inline cl_int status_of(cl_event event) {
  return info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
}

} // namespace conformance
