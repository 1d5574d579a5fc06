# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The members of Clang's classes that are not Clang's own, by their mangled names: see README.md.
set(HEDDLE_WRAPPED_CLANG # enqueued_blocks.cpp
    -Wl,--wrap=_ZN5clang10SemaOpenCL25checkBuiltinEnqueueKernelEPNS_8CallExprE
    -Wl,--wrap=_ZN5clang10SemaOpenCL27checkBuiltinNDRangeAndBlockEPNS_8CallExprE
    -Wl,--wrap=_ZN5clang10SemaOpenCL31checkBuiltinKernelWorkGroupSizeEPNS_8CallExprE)
