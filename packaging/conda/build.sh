#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by conda's tools in the source folder. LLVM_ROOT: another LLVM than the environment's; HEDDLE_BUILD: packs that build folder.
set -euo pipefail
build=${HEDDLE_BUILD:-}
if [ -z "$build" ]; then
  build=build
  read -ra arguments <<<"${CMAKE_ARGS:-}"
  cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib -DHEDDLE_BUILD_TESTS=OFF \
    -DHEDDLE_LLVM_ROOT="${LLVM_ROOT:-$PREFIX}" "${arguments[@]}"
  cmake --build "$build" --target heddle heddle_compiler heddle_backend heddle_command
fi
cmake --install "$build" --prefix "$PREFIX" --component driver --strip
mkdir -p "$PREFIX/etc/OpenCL/vendors"
# conda replaces the prefix in text files by that of the environment.
echo "$PREFIX/lib/heddle/libheddle.so" >"$PREFIX/etc/OpenCL/vendors/heddle.icd"
