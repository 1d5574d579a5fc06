// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers of others that most sources include, precompiled with HEDDLE_PRECOMPILE. Sources include
// what they use nevertheless.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>
