# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For the scripts of this folder.
source "$(dirname "${BASH_SOURCE[0]}")/../programs/lib.sh"
top=$(cd "$here/../.." && pwd)

needs_root() { [ "$(id -u)" = 0 ] || skip "this must be root"; }

# package_file FOLDER PATTERN: the one file of that name.
package_file() {
  local found
  found=$(compgen -G "$1/$2" | sort | tail -1) || skip "there is no $2 in $1: tools/package makes it"
  realpath "$found"
}
