#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# compilers.sh NAME COMMAND… - run a command where other compilers than the host's are:
#
#	newest    gcc and clang of Debian's development release, with its libraries
#	oldest    gcc-9 of Debian 11, with the host's libraries
#
# Made once in the cache.  The tree and the directory for temporary files are at the same paths.

# shellcheck disable=SC2154 # what common.sh sets
set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib/setup.sh
. "$here/../lib/setup.sh"
for part in common arch mirror sysroot; do
	# shellcheck source=/dev/null
	. "$here/$part.sh"
done

# The newest ones are fetched anew after this time.
COMPILERS_MAX_AGE_DAYS=30
COMPILERS_OLDEST=gcc-9

compilers_make() { # NAME NEW
	local release=sid variant=apt include log=$lab_scratch/compilers.log
	include=gcc,clang,make,pkg-config,libc6-dev,$(sysroot_libraries | paste -s -d ,)
	# No program of Debian 11 but the compiler itself is run: it is unpacked alone.
	[ "$1" != oldest ] || release=bullseye variant=extract include=$COMPILERS_OLDEST
	mirror_need $release "$HOST_ARCH"
	rt_say "making a root of Debian $release with its compilers, once"
	# Debian 11's updates are not all on the mirrors any more; its last point release is.
	grep -v -- bullseye-security "$(mirror_root $release "$HOST_ARCH")/etc/apt/sources.list" >"$lab_scratch/sources.list"
	# shellcheck disable=SC2016 # for mmdebstrap to expand
	rt_retry mmdebstrap --mode=root --variant=$variant --aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--include="$include" --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*' \
		$release "$2" "$lab_scratch/sources.list" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		download_failed "compilers of Debian $release"
	}
	# Its assembler and linker lack their libraries here: the compiler takes the host's.
	[ "$1" != oldest ] || find "$2/usr/bin" ! -type d ! -name '*gcc*' -delete
}

# The mounts end with the command.
compilers_enter() { # ROOT COMMAND…
	unshare --mount --propagation private -- bash -s -- "$1" "$RT_TOP" "${TMPDIR:-/tmp}" "${@:2}" <<-'END'
	root=$1 tree=$2 temporary=$3
	shift 3
	mount --bind "$root" "$root" || exit
	for dir in "$temporary" "$tree"; do
		mkdir -p "$root$dir" && mount --bind "$dir" "$root$dir" || exit
	done
	mount -t proc proc "$root/proc" &&
		exec chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c 'cd "$0" && exec "$@"' "$tree" "$@"
	END
}

[ $# -gt 1 ] || rt_die "usage: scripts/lab/compilers.sh newest|oldest COMMAND…"
name=$1
shift
rt_need lab build
root=$RT_CACHE/compilers/$name
case $name in
newest)
	[ -z "$(find "$root" -maxdepth 0 -mtime +$COMPILERS_MAX_AGE_DAYS 2>/dev/null)" ] || rm -rf "$root"
	cache_make "$root" compilers_make newest
	compilers_enter "$root" "$@"
	;;
oldest)
	cache_make "$root" compilers_make oldest
	PATH=$root/usr/bin:$PATH "$@"
	;;
*) rt_die "no compilers '$name'; there are newest and oldest" ;;
esac
