#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: run_pass_test.sh HEDDLEC FILECHECK FILE
# Runs the commands after "RUN:" in FILE, with %heddlec, %filecheck and %s substituted.
set -e
heddlec=$1 filecheck=$2 file=$3
grep -q '^// RUN: ' "$file" || { echo "$file has no RUN line" >&2; exit 1; }
sed -n 's/^\/\/ RUN: //p' "$file" | while read -r line; do
  command=$(printf '%s' "$line" | sed "s|%heddlec|$heddlec|g; s|%filecheck|$filecheck|g; s|%s|$file|g")
  sh -c "$command" || { echo "failed: $command" >&2; exit 1; }
done
