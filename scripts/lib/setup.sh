# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# setup.sh - what every script of ringtail starts with: where the tree is, how to
# speak, and how to get the Debian packages a purpose needs.

RT_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034 # for the scripts that source this
RT_CACHE=${RINGTAIL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringtail}

# Exit status of a script when a package registry or mirror refused or failed:
# not the fault of the software under test (sysexits.h: EX_TEMPFAIL).
RT_EXIT_DOWNLOAD=75

rt_say() { printf '%s\n' "$*" >&2; }
rt_die() { rt_say "${0##*/}: $*"; exit 1; }

# rt_retry COMMAND…: three tries with growing pauses, for anything that downloads.
rt_retry() {
	local try
	for try in 1 2 3; do
		"$@" && return 0
		[ "$try" = 3 ] || sleep $((try * 5))
	done
	return 1
}

# rt_packages PURPOSE…: the Debian packages of these purposes, one a line.
rt_packages() {
	local purpose arch
	arch=$(dpkg --print-architecture)
	for purpose; do
		sed -n -e "s/^$purpose: *//p" -e "s/^$purpose@$arch: *//p" "$RT_TOP/scripts/lib/packages"
	done | tr -s ' ' '\n' | sort -u
}

# rt_installed: of the packages on stdin, those that are installed, in the same order.
rt_installed() {
	# shellcheck disable=SC2016 # dpkg's own variables
	xargs dpkg-query -W -f '${db:Status-Abbrev}|${Package}\n' 2>/dev/null | sed -n 's/^ii |//p' | sort -u
}

# rt_need PURPOSE…: install what these purposes need and is not there yet.
rt_need() {
	local missing=() log
	command -v dpkg-query >/dev/null ||
		rt_die "this script installs Debian packages; on another system install what scripts/lib/packages lists for: $*"
	mapfile -t missing < <(comm -23 <(rt_packages "$@") <(rt_packages "$@" | rt_installed))
	[ ${#missing[@]} -gt 0 ] || return 0

	[ "$(id -u)" = 0 ] || rt_die "packages are missing; as root: apt-get install ${missing[*]}"
	rt_say "installing for $*: ${missing[*]}"
	log=$(mktemp)
	(
		flock 9
		export DEBIAN_FRONTEND=noninteractive
		rt_retry apt-get -qq update && rt_retry apt-get -qq -y --no-install-recommends \
			-o DPkg::Lock::Timeout=300 install "${missing[@]}"
	) >"$log" 2>&1 9>/var/lock/ringtail-apt && { rm -f "$log"; return 0; }
	tail -n 20 "$log" >&2
	rt_say "download failed: apt could not install ${missing[*]} (log: $log)"
	exit $RT_EXIT_DOWNLOAD
}
