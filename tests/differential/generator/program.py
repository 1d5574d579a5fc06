# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file of several kernels for the runner."""
from .kernel import make_kernel
from .prelude import prelude


def kernel_seed(seed, index):
    return seed * 1000 + index


def program_text(trees, options, comment=""):
    kernels = "\n".join(tree.text() for tree in trees)
    head = "".join(f"// {line}\n" for line in comment.splitlines())
    return f"{head}//! options {options}\n{prelude(kernels)}\n{kernels}"


def make_trees(seed, count, features):
    return [make_kernel(kernel_seed(seed, i), f"k{i}", features) for i in range(count)]


def build_options(features):
    options = "-cl-std=CL3.0" if features.cl3 else "-cl-std=CL1.2"
    if features.exact_division:
        options += " -cl-fp32-correctly-rounded-divide-sqrt"
    return options
