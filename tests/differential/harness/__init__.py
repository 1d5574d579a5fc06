# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs generated kernels in several ways and reports differences. Start with campaign.py."""
