# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Common code of the scripts: strict shell, skipping, a scratch folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "failed: $*" >&2
  exit 1
}
needs() {
  command -v "$1" >/dev/null || skip "$1 is not installed"
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
