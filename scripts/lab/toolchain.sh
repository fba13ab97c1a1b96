# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# toolchain.sh - the compiler for a kernel's modules.
#
# Debian 12's gcc-12 builds for every kernel that was built with it or an older one.
# Newer kernels want their own compiler, and their build tools a newer C library: for
# those a chroot of that Debian release is made once, with native and cross compiler.

# The host's own compiler of kernel modules.
TOOLCHAIN_GCC='gcc-12'

# toolchain_arguments: make's arguments for the kernel in K, into TOOLCHAIN.
toolchain_arguments() {
	local cross='' gcc=$TOOLCHAIN_GCC
	! toolchain_is_chroot || gcc=${K[gcc]}
	[ "${K[arch]}" = "$HOST_ARCH" ] || cross=$(arch_fact "${K[arch]}" triplet)-
	TOOLCHAIN=(KDIR="${K[kdir]}" ARCH="$(arch_fact "${K[arch]}" kernel)" CROSS_COMPILE="$cross" CC="${K[cc]:-$cross$gcc}")
}

# Does K need more than this host has?
toolchain_is_chroot() { [ "${K[gcc]#gcc-}" -gt "${TOOLCHAIN_GCC#gcc-}" ]; }

toolchain_chroot() { echo "$RT_CACHE/chroot/${K[debian]}-${K[gcc]}"; }

# toolchain_run COMMAND…: run it where K's compiler is.  In a chroot the tree, the
# build directory and the cache are at the same paths; the mounts end with the command.
toolchain_run() {
	local chroot
	if ! toolchain_is_chroot; then
		"$@"
		return
	fi
	chroot=$(toolchain_chroot)
	cache_make "$chroot" toolchain_bootstrap
	unshare --mount --propagation private -- bash -s -- "$chroot" "$RT_TOP" "$RT_BUILD" "$RT_CACHE" "$@" <<-'END'
	root=$1 tree=$2 build=$3 cache=$4
	shift 4
	mount --bind "$root" "$root" || exit
	for dir in "$tree" "$build" "$cache"; do
		mkdir -p "$root$dir" && mount --bind "$dir" "$root$dir" || exit
	done
	mount -t proc proc "$root/proc" && exec chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	END
}

toolchain_bootstrap() { # NEW
	local gcc=${K[gcc]} other log=$lab_scratch/chroot.log
	other=$(arch_fact "$(arch_fact "$HOST_ARCH" other)" package)
	mirror_need "${K[debian]}" "$HOST_ARCH"
	rt_say "making a chroot of Debian ${K[debian]} with $gcc, once"
	# shellcheck disable=SC2016 # for mmdebstrap to expand
	rt_retry mmdebstrap --mode=root --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--include="$gcc,$gcc-$other,make,libelf1t64,pahole,kmod,bc,perl-base" --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*' \
		"${K[debian]}" "$1" "$(mirror_root "${K[debian]}" "$HOST_ARCH")/etc/apt/sources.list" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		download_failed "packages of Debian ${K[debian]} for the chroot"
	}
}
