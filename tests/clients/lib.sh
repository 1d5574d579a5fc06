# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Common code of the scripts: SCRIPT DRIVER [ARGUMENT...], where DRIVER is an .icd file or a driver's library. OCL_ICD_VENDORS becomes a
# folder with that driver alone, which every loader takes (ocl-icd takes files too, Khronos' does not).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
name=$(basename "$0")

skip() {
  echo "skipped: $*"
  exit 77
}
needs() {
  local program
  for program; do command -v "$program" >/dev/null || skip "$program is not installed"; done
}

[ $# -ge 1 ] && [ -e "$1" ] || { sed -n '3,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
driver=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/vendors"
case "$driver" in
  *.icd) cp "$driver" "$scratch/vendors/" ;;
  *) echo "$driver" >"$scratch/vendors/driver.icd" ;;
esac
export OCL_ICD_VENDORS=$scratch/vendors

# environment PACKAGE...: `python` becomes that of a virtual environment with these wheels, which is made once for each script.
environment() {
  folder=${HEDDLE_CLIENTS:-$top/build/clients}/$name # of all functions, for `python`
  if [ ! -f "$folder/complete" ]; then
    echo "$name: installing $* into $folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install -q "$@"
    touch "$folder/complete"
  fi
  python() { "$folder/bin/python" "$@"; }
  site=$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  libraries=$folder/lib
}
