# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by tools/setup and tools/test.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages KIND...: installs the missing packages of these kinds in tools/packages.
install_packages() {
  local kind package missing=()
  while read -r kind package; do
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    case "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)" in *'ok installed'*) ;; *) missing+=("$package") ;; esac
  done < <(grep -v '^#' "$top/tools/packages")
  [ ${#missing[@]} -eq 0 ] && return 0
  say "Installing: ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure PRESET [OPTION...]: configures if necessary.
configure() {
  local preset=$1 launcher=()
  shift
  command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cd "$top"
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" "${launcher[@]}" "$@"
}

# build PRESET [TARGET...]: configures when needed and builds.
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build "build/$preset" ${1:+--target "$@"}
}
