# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by tools/setup, tools/test and the scripts of packages.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros # without, ccache keeps nothing that uses precompiled headers
export HEDDLE_LINGER=0 # tests remove the cache folders of programs that have just ended

say() { printf '\n== %s\n' "$*"; }

# Whether as_root can work: root, or sudo without a password or with somebody there to type it.
can_be_root() {
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; }
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# missing_packages KIND...: those of these kinds in tools/packages that are not installed.
missing_packages() {
  local kind package
  while read -r kind package; do
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    case "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)" in *'ok installed'*) ;; *) echo "$package" ;; esac
  done < <(grep -v '^#' "$top/tools/packages")
}

# install_packages KIND...: installs the missing packages of these kinds. Nothing is fetched if none is missing.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@" | sort -u)
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! can_be_root; then
    printf '%s: these packages are missing, and only root can install them:\n  apt-get install %s\n' "$0" "${missing[*]}" >&2
    exit 1
  fi
  say "Installing: ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure PRESET [OPTION...]: configures if necessary. An existing build gets the options if they are not what it has.
configure() {
  local preset=$1 launcher=() option
  shift
  command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cd "$top"
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" "${launcher[@]}" "$@"
    return
  fi
  for option; do
    if ! grep -q "^${option#-D}$" <(sed 's/:[A-Z]*=/=/' "build/$preset/CMakeCache.txt"); then
      cmake "$@" "build/$preset" >/dev/null
      return
    fi
  done
}

# build PRESET [TARGET...]: configures when needed and builds. The status line has what is done, of how many, and seconds.
build() {
  local preset=$1
  shift
  configure "$preset"
  NINJA_STATUS=${NINJA_STATUS:-'[%f of %t, %u left, %e s] '} cmake --build "build/$preset" ${1:+--target "$@"}
}
