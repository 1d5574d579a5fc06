// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of passes.def.
#pragma once

#include "compiler/target/x86/avoid_gathers.h"
#include "compiler/target/x86/coalesce_gathers.h"
#include "compiler/target/x86/expand_gathers.h"
#include "compiler/target/x86/expand_sqrt_f64.h"
#include "compiler/target/x86/match_ternary_logic.h"
#include "compiler/target/x86/round_byte_fractions.h"
#include "compiler/target/x86/split_packed_lanes.h"
#include "compiler/target/x86/stream_halves.h"
