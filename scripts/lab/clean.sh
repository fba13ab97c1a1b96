# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# clean.sh - the cache, emptied: all of it, or only what has been superseded.

clean_command() {
	[ -d "$RT_CACHE" ] || return 0
	lock_open use
	flock -n -x "$lab_lock" || rt_die "the cache $RT_CACHE is in use by another run; try again when that has ended"
	lab_use=$lab_lock # resolving kernels must not wait for ourselves
	case ${1-} in
	'') clean_all ;;
	--stale) clean_stale ;;
	*) rt_die "clean: unknown option '$1'" ;;
	esac
	clean_drop "$RT_CACHE/tmp"
	echo "$RT_CACHE: $(du -sh "$RT_CACHE" | cut -f 1) left"
}

clean_all() {
	local part
	for part in "$RT_CACHE"/*; do
		# Kernels that were added cannot be fetched again: `remove` drops them.
		[[ ${part##*/} == @(lock|added) ]] || clean_drop "$part"
	done
}

# Kernels that are no longer the newest of their name, and what was made for them.
clean_stale() {
	local name path wanted=' '
	for name in $(kernels_known) $KERNEL_BUILT $(added_known); do
		kernel_resolve "$name"
		wanted+="${K[prefix]##*/} "
	done
	for path in "$RT_CACHE"/{kernels,debuginfo}/*; do
		[[ $wanted == *" ${path##*/} "* ]] || clean_drop "$path"
	done
	for path in "$RT_CACHE"/guest/drivers-*; do
		name=${path##*/drivers-}
		[[ $wanted == *" ${name%-*} "* ]] || clean_drop "$path"
	done
	for path in "$RT_CACHE"/sysroot/*; do
		name=${path##*/}
		[ "$path" = "$(sysroot_path "${name%%-*}")" ] || clean_drop "$path"
	done
}

# clean_drop PATH: never leaves the cache's file system.
clean_drop() { [ ! -e "$1" ] || rm -rf --one-file-system "$1"; }
