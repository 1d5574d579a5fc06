# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random OpenCL C kernels whose results the language defines: no race, no overflow of signed
integers, no value that was never written, no index outside. Start with kernel.py."""
