# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For the scripts of this folder.
source "$(dirname "${BASH_SOURCE[0]}")/../programs/lib.sh"
top=$(cd "$here/../.." && pwd)

debian=${DEBIAN_ARCHITECTURE:-$(dpkg --print-architecture)} # of packages and roots; another one than this machine's runs with qemu

needs_root() { [ "$(id -u)" = 0 ] || skip "this must be root"; }

# package_file FOLDER PATTERN: the one file of that name.
package_file() {
  local found
  found=$(compgen -G "$1/$2" | sort | tail -1) || skip "there is no $2 in $1: tools/package makes it"
  realpath "$found"
}

# pack_both TOP BUILD OTHER_TOP OTHER_BUILD [KIND...]: makes the packages of two builds, for users with other settings,
# and compares them. SOURCE_DATE_EPOCH is set.
pack_both() {
  local place=("$1" "$3") build=("$2" "$4") kinds=("${@:5}") kind i version
  [ ${#kinds[@]} -gt 0 ] || kinds=(deb wheel)
  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "${build[0]}/CMakeCache.txt")
  local settings=("umask 022; export TZ=UTC LC_ALL=C.UTF-8"
    "umask 077; export TZ=Pacific/Auckland LC_ALL=C HOME=$scratch/another-home LOGNAME=somebody USER=somebody")
  mkdir -p "$scratch/another-home"
  for i in 0 1; do
    mkdir -p "$scratch/packages.$i"
    for kind in "${kinds[@]}"; do
      bash -c "${settings[i]}; exec \"\$@\"" bash "${place[i]}/packaging/$kind/pack" "${build[i]}" "$version" "$scratch/packages.$i" \
        >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "packaging/$kind/pack"; }
    done
  done
  [ "$(ls "$scratch/packages.0")" = "$(ls "$scratch/packages.1")" ] || fail "the names of the packages differ"
  for file in "$scratch"/packages.0/*; do
    cmp "$file" "$scratch/packages.1/${file##*/}" || fail "${file##*/} differs"
    (cd "$scratch/packages.0" && sha256sum "${file##*/}")
  done
}

# bare_root PACKAGES: `root` is a folder with a Debian 12 of debootstrap, which is kept as an archive in PACKAGES, and its package index.
# `inside` runs a command in it as root, `install` installs packages.
bare_root() {
  needs debootstrap
  needs_root
  root=$scratch/root
  mkdir "$root"
  trap 'umount "$root/proc" "$root/dev/shm" 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
  # From the archive that this machine's own packages come from.
  local archive=$1/debian12-$debian-root.tar from
  if [ ! -f "$archive" ]; then
    from=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
      awk '$2 == "bookworm" && $3 == "main" { print $1; exit }')
    [ -n "$from" ] || skip "this machine has no archive of Debian 12"
    debootstrap --arch="$debian" --variant=minbase bookworm "$root" "$from" >"$scratch/log" 2>&1 || { tail "$scratch/log"; fail debootstrap; }
    mkdir -p "$1"
    tar -C "$root" -cf "$archive.$$" . && mv "$archive.$$" "$archive"
  else
    tar -C "$root" -xf "$archive"
  fi
  mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" || skip "nothing may be mounted here"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  inside apt-get update -q >"$scratch/log" 2>&1 || { tail "$scratch/log"; fail "apt-get update"; }
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C HEDDLE_LINGER=0 DEBIAN_FRONTEND=noninteractive "$@"; }
install() {
  inside apt-get install -q -y --no-install-recommends "$@" >"$scratch/log" 2>&1 || { tail -20 "$scratch/log"; fail "apt-get install $*"; }
}
# add_updates: LLVM 22 is in Debian 12's updates: the root takes all archives that this machine takes from Debian.
add_updates() {
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"
    rm -f "$root/etc/apt/sources.list"
  else
    cp /etc/apt/sources.list "$root/etc/apt/"
  fi
  inside apt-get update -q -o Acquire::Check-Valid-Until=false >"$scratch/log" 2>&1 || { tail "$scratch/log"; fail "apt-get update"; }
}
# offline USER FOLDER COMMAND...: runs it there, with no network but loopback.
offline() {
  local user=$1 folder=$2 home
  shift 2
  home=$(inside sh -c "echo ~$user")
  unshare -n chroot --userspec="$user:$user" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" USER="$user" LC_ALL=C \
    sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
}
