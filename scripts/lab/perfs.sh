#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# perfs.sh NAME… - other readers of perf.data, made once in the cache, for the tests
# that show they all read alike.  Prints for each the program to run:
#
#	5.10      perf of Debian 11, the oldest that must open our files
#	newest    perf of Debian's development release
#	hotspot   hotspot-perfparser of Debian 12, a reader that shares no code with perf
#
# Packages are unpacked, never installed; each program brings its C library along.

# shellcheck disable=SC2154 # what common.sh sets
set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib/setup.sh
. "$here/../lib/setup.sh"
for part in common arch mirror; do
	# shellcheck source=/dev/null
	. "$here/$part.sh"
done

# The newest one is fetched anew after this time.
PERFS_MAX_AGE_DAYS=30

perfs_release() { # NAME
	case $1 in
	5.10) echo bullseye ;;
	newest) echo sid ;;
	hotspot) echo bookworm ;;
	*) rt_die "no reader '$1'; there are 5.10, newest and hotspot" ;;
	esac
}

# hotspot as a package wants a whole desktop; its parser only these.
perfs_packages() { # NAME
	case $1 in
	5.10) echo linux-perf-5.10 ;;
	newest) echo linux-perf ;;
	hotspot) echo libqt5core5a,libqt5network5,libdw1,libelf1,libstdc++6,libzstd1,libdebuginfod1 ;;
	esac
}

# Debian 11's updates are not all on the mirrors any more; its last point release is.
perfs_sources() { # RELEASE
	local list
	list=$(mirror_root "$1" "$HOST_ARCH")/etc/apt/sources.list
	if [ "$1" = bullseye ]; then grep -v -- -security "$list"; else cat "$list"; fi
}

perfs_make() { # NAME NEW
	local release log=$lab_scratch/perfs.log deb
	release=$(perfs_release "$1")
	mirror_need "$release" "$HOST_ARCH"
	rt_say "unpacking $1 of Debian $release, once"
	perfs_sources "$release" >"$lab_scratch/sources.list"
	rt_retry mmdebstrap --mode=root --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' --include="$(perfs_packages "$1")" \
		"$release" "$2" "$lab_scratch/sources.list" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		download_failed "$1 of Debian $release"
	}
	if [ "$1" = hotspot ]; then
		mirror_download "$release" "$HOST_ARCH" "$lab_scratch" hotspot || download_failed "hotspot of Debian $release"
		for deb in "$lab_scratch"/hotspot_*.deb; do dpkg -x "$deb" "$2"; done
	fi
	rm -rf "$2"/usr/share/{doc,man,locale,icons} "$2"/var/{cache,lib}
	perfs_wrapper "$2"
}

# A script that starts the program with the C library it was built for.
perfs_wrapper() { # ROOT
	local program
	program=$(cd "$1" && find usr/bin usr/lib* -name 'perf_[0-9]*' -o -path usr/bin/perf -o -name hotspot-perfparser | head -n 1)
	[ -n "$program" ] || rt_die "no reader among the unpacked files"
	cat >"$1/run" <<-END
	#!/bin/sh
	root=\$(dirname "\$(readlink -f "\$0")")
	path=
	for dir in "\$root"/lib/$(arch_fact "$HOST_ARCH" triplet) "\$root"/usr/lib/$(arch_fact "$HOST_ARCH" triplet); do
		[ ! -d "\$dir" ] || path=\$path:\$dir
	done
	# Not lib64: a link there may be absolute and lead out of this root.
	for ld in "\$root"/lib/ld-linux-* "\$root"/lib/$(arch_fact "$HOST_ARCH" triplet)/ld-linux-* \\
		"\$root"/usr/lib/ld-linux-* "\$root"/usr/lib/$(arch_fact "$HOST_ARCH" triplet)/ld-linux-*; do
		[ ! -e "\$ld" ] || exec "\$ld" --library-path "\${path#:}" "\$root/$program" "\$@"
	done
	echo "\$0: no dynamic linker in \$root" >&2
	exit 127
	END
	chmod +x "$1/run"
}

[ $# -gt 0 ] || rt_die "usage: scripts/lab/perfs.sh 5.10|newest|hotspot…"
rt_need lab
for name; do
	perfs_release "$name" >/dev/null
	root=$RT_CACHE/perf/$name
	if [ "$name" = newest ] && [ -n "$(find "$root/run" -mtime +$PERFS_MAX_AGE_DAYS 2>/dev/null)" ]; then
		rm -rf "$root"
	fi
	cache_make "$root" perfs_make "$name"
	echo "$root/run"
done
