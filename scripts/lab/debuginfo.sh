# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# debuginfo.sh - the debug information of a Debian kernel: its vmlinux, from a package of
# several hundred megabytes.  Only benchmarks and `check --all` ask for it.

debuginfo_command() {
	[ $# = 1 ] || rt_die "debuginfo: of which kernel?  scripts/vm kernels lists them"
	rt_need lab
	kernel_resolve "$1"
	[ "${K[origin]}" = package ] || rt_die "debuginfo: $1 is not a kernel of Debian's"
	cache_make "$(debuginfo_path)" debuginfo_fetch
	debuginfo_path
}

debuginfo_path() { echo "$RT_CACHE/debuginfo/${K[prefix]##*/}/vmlinux-${K[release]}"; }

debuginfo_fetch() { # NEW
	local debs=$lab_scratch/debuginfo package=linux-image-${K[release]}-dbg
	rt_say "fetching the debug information of ${K[release]} (${K[version]}), about 800 MB"
	mirror_download "${K[debian]}" "${K[arch]}" "$debs" "$package=${K[version]}" ||
		download_failed "$package=${K[version]}"
	# Those of the modules are the larger part.
	dpkg --fsys-tarfile "$debs"/*.deb | tar -x -O "./usr/lib/debug/boot/vmlinux-${K[release]}" >"$1" ||
		rt_die "no vmlinux in $package"
	rm -rf "$debs"
}
