# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# common.sh - scratch directories, locks, and things made once for everybody.

RT_BUILD=${RINGTAIL_BUILD:-$RT_TOP/build}

# Scratch of this process, removed when it ends, however it ends.
lab_scratch='' lab_use=''
lab_on_exit=()

lab_exit() {
	local status=$? action
	trap '' INT TERM HUP
	for action in "${lab_on_exit[@]}"; do
		$action
	done
	[ -z "$lab_scratch" ] || rm -rf "$lab_scratch"
	exit "$status"
}
trap lab_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# The scratch lives in the cache, so that what is made in it can be renamed into place.
scratch_need() {
	[ -n "$lab_scratch" ] && return
	mkdir -p "$RT_CACHE/tmp" "$RT_CACHE/lock" || rt_die "the cache $RT_CACHE cannot be written; set RINGTAIL_CACHE"
	# Whoever has a scratch uses the cache: clean.sh waits for nobody and asks for this lock.
	[ -n "$lab_use" ] || { exec {lab_use}>"$RT_CACHE/lock/use" && flock -s "$lab_use"; }
	lab_scratch=$(mktemp -d "$RT_CACHE/tmp/vm.$$.XXXXXX") || rt_die "no scratch directory in $RT_CACHE/tmp"
}

# lock_take NAME: wait for the cache's lock of that name; its descriptor in lab_lock, which
# the caller closes.
lock_take() {
	lock_open "$1"
	flock "$lab_lock"
}

lock_open() {
	mkdir -p "$RT_CACHE/lock" || rt_die "the cache $RT_CACHE cannot be written; set RINGTAIL_CACHE"
	exec {lab_lock}>"$RT_CACHE/lock/${1//\//_}"
}


# cache_make PATH FUNCTION ARGUMENT…: make PATH in the cache, once.  FUNCTION gets the
# path to make (a name in our scratch) as its last argument and dies on failure; only a
# whole result is renamed to PATH, while others who want it wait.
cache_make() {
	local path=$1 new lock
	shift
	[ ! -e "$path" ] || return 0
	lock_take "${path#"$RT_CACHE"/}"
	lock=$lab_lock
	if [ ! -e "$path" ]; then
		scratch_need
		new=$(mktemp -u "$lab_scratch/new.XXXXXX")
		"$@" "$new"
		mkdir -p "$(dirname "$path")"
		mv -T "$new" "$path" || rt_die "cannot put $path into the cache"
	fi
	exec {lock}>&-
}

# hash_of: a short name for what is on stdin.
hash_of() { sha256sum | cut -c 1-16; }

# download_failed WHAT: the mirror's fault, not ours.
download_failed() {
	rt_say "download failed: $*"
	exit "$RT_EXIT_DOWNLOAD"
}
