# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For deb/pack and wheel/pack: whoever packs, and wherever, the packages are the same.
source "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
umask 022
export TZ=UTC LC_ALL=C.UTF-8
# Times in archives: those of the sources.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct)}
# Who answers for the packages. Heddle has no public address: its developers' is of .invalid (RFC 2606), which no mail is ever sent to.
maintainer=$(cat "$top/packaging/maintainer")
case "$maintainer" in
  *' <'*@*'>') ;;
  *) echo "packaging/maintainer is not of the form NAME <ADDRESS>" >&2; exit 1 ;;
esac
