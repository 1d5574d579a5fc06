# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A runner for an existing build of the Khronos OpenCL conformance tests (CTS)."""
