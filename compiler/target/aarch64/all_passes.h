// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of passes.def.
#pragma once

#include "compiler/target/aarch64/fuse_multiply_adds.h"
#include "compiler/target/aarch64/separate_half_conversions.h"
#include "compiler/target/aarch64/sink_negations.h"
#include "compiler/target/aarch64/use_system_counter.h"
