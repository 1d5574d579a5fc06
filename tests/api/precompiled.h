// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers that most tests include, precompiled with HEDDLE_PRECOMPILE. Tests include what they use
// nevertheless.
#pragma once

#include "tests/api/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>
