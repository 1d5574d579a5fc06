# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What lit, LLVM's test runner, is to know of the tests in this folder: files whose RUN lines are run, and whose output
# FileCheck compares with their CHECK lines. lit.site.cfg.py of the build folder names the tools and loads this.
import os
import shutil

import lit.formats
import lit.util

config.name = "heddle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cl", ".spvasm"]
config.excludes = ["compile_time", "objects"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.heddle_tests_build

# FileCheck, not, split-file, count, and LLVM's tools.
config.environment["PATH"] = os.pathsep.join((config.llvm_tools, config.environment["PATH"]))
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"
# tools/cross has a build of the compiler that runs on this machine.
cross = os.environ.get("HEDDLE_CROSS_COMPILER")
if cross:
    config.heddlec, config.heddle_opt = os.path.join(cross, "heddlec"), os.path.join(cross, "heddle-opt")
config.substitutions.append(("%heddlec", config.heddlec))
if config.heddle_opt:
    config.substitutions.append(("%heddle_opt", config.heddle_opt))
    config.suffixes.append(".ll")
# The architecture that kernels are compiled for.
config.available_features.add(config.heddle_target)
# Tests may ask for the CPU that qemu has (tools/cross).
if "QEMU_CPU" in os.environ:
    config.available_features.add("qemu")
# Of Debian's spirv-tools.
if shutil.which("spirv-as"):
    config.available_features.add("spirv-as")
# Options that reach the compiler through the environment, those of sanitizers, and those of qemu (tools/cross).
for name, value in os.environ.items():
    if name.startswith(("HEDDLE_", "QEMU_")) or name.endswith("SAN_OPTIONS"):
        config.environment[name] = value
