# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# sysroot.sh - where programs and libraries of an architecture are: for the host's own
# it is the host itself, for the other one a directory unpacked from Debian packages,
# against which the user program is cross-built and from which guests get their tools.

SYSROOT_DEBIAN=bookworm
SYSROOT_TOOLS='bash linux-perf libc6-dev libstdc++-12-dev'

# The -dev packages of the user program, as its own build names them.
sysroot_libraries() { grep -o '[^[:space:]]*:[^[:space:]:]*:[^[:space:]]*-devel' "$RT_TOP/scripts/lib/libraries.mk" | cut -d : -f 2; }

sysroot_packages() {
	{
		tr ' ' '\n' <<<"$SYSROOT_TOOLS"
		sysroot_libraries
	} | sort -u
}

# sysroot_path ARCH: empty for the host.
sysroot_path() {
	[ "$1" = "$HOST_ARCH" ] || echo "$RT_CACHE/sysroot/$1-$(sysroot_packages | hash_of)"
}

# sysroot_need ARCH
sysroot_need() {
	[ "$1" = "$HOST_ARCH" ] || cache_make "$(sysroot_path "$1")" sysroot_make "$1"
}

sysroot_make() { # ARCH NEW
	rt_say "making a root of Debian $SYSROOT_DEBIAN for $1, once"
	sysroot_unpack $SYSROOT_DEBIAN "$1" "$(sysroot_packages | paste -s -d ,)" "$2"
}

# Packages and what they depend on; nothing of them is run.
sysroot_unpack() { # RELEASE ARCH PACKAGE,… NEW
	local log=$lab_scratch/sysroot.log
	mirror_need "$1" "$2"
	rt_retry mmdebstrap --mode=root --variant=extract --architectures="$(arch_fact "$2" deb)" \
		--aptopt='Acquire::Retries "3"' --aptopt='Acquire::Check-Valid-Until "false"' --include="$3" \
		"$1" "$4" "$(mirror_root "$1" "$2")/etc/apt/sources.list" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		download_failed "packages of Debian $1 for $2"
	}
	rm -rf "$4"/usr/share/{doc,man,locale} "$4"/var/{cache,lib}/apt
	sysroot_relink "$4"
}

# Absolute links would lead to the host's files.
sysroot_relink() { # ROOT
	local link target
	while IFS= read -r -d '' link; do
		target=$(readlink "$link")
		ln -snfr "$1$target" "$link"
	done < <(find "$1" -type l -lname '/*' -print0)
}
