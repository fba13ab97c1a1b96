# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# mirror.sh - Debian packages of any release and architecture, without touching the
# host: one private apt root a release and architecture, beside it an index of the
# kernel packages, parsed once.  apt itself verifies signatures and checksums.

# Lists older than this are fetched again before a kernel is looked up.
MIRROR_MAX_AGE_DAYS=7
MIRROR_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# mirror_uris: the URI of the main archive and of the security archive, as this host's
# own apt is set up.
mirror_uris() {
	local uris main security
	# shellcheck disable=SC2016 # apt's own variables
	uris=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null | sort -u)
	main=$(awk '$2 ~ /^(bookworm|stable|bullseye|trixie|sid|testing|unstable)$/ { sub("/$", "", $1); print $1; exit }' <<<"$uris")
	security=$(awk '$2 ~ /-security$/ { sub("/$", "", $1); print $1; exit }' <<<"$uris")
	[ -n "$main" ] || rt_die "apt on this host has no Debian archive in its sources"
	echo "$main" "${security:-$main-security}"
}

mirror_sources() { # RELEASE
	local main security
	read -r main security <<<"$(mirror_uris)" || exit
	echo "deb [signed-by=$MIRROR_KEYRING] $main $1 main"
	case $1 in
	sid | experimental) ;;
	*) echo "deb [signed-by=$MIRROR_KEYRING] $security $1-security main" ;;
	esac
}

mirror_root() { echo "$RT_CACHE/apt/$1-$2"; } # RELEASE ARCH

# mirror_apt ROOT ARCH PROGRAM ARGUMENT…: apt on that root.  The Release file of a
# suite that is no longer updated counts as expired; what it signed is still good.
mirror_apt() {
	local root=$1 deb program=$3
	deb=$(arch_fact "$2" deb)
	shift 3
	LC_ALL=C "$program" -q -o Dir="$root" -o Dir::State::status="$root/status" \
		-o APT::Architecture="$deb" -o APT::Architectures="$deb" -o APT::Sandbox::User=root \
		-o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

mirror_make() { # RELEASE ARCH NEW
	local root=$3 log=$3/update.log
	mkdir -p "$root"/etc/apt/{apt.conf.d,preferences.d,sources.list.d} \
		"$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial
	: >"$root/status"
	mirror_sources "$1" >"$root/etc/apt/sources.list"
	rt_retry mirror_apt "$root" "$2" apt-get -o APT::Update::Error-Mode=any update >"$log" 2>&1 || {
		grep -E '^(E|Err|W)' "$log" | head -n 5 >&2
		download_failed "package lists of $1 for $2"
	}
	mirror_index "$root" >"$root/index"
	[ -s "$root/index" ] || rt_die "no kernel packages in the lists of $1 for $2"
}

# One line a package: name, version, dependencies.
mirror_index() { # ROOT
	local list
	for list in "$1"/var/lib/apt/lists/*_Packages*; do
		/usr/lib/apt/apt-helper cat-file "$list"
	done | awk -v OFS='\t' '
		function flush() {
			if (name ~ /^linux-(image|binary|modules|base|headers|kbuild|source)-/ && name !~ /-(dbg|unsigned)$/)
				print name, version, depends
			name = version = depends = ""
		}
		/^Package: / { name = $2 }
		/^Version: / { version = $2 }
		/^Depends: / { depends = substr($0, 10) }
		/^$/ { flush() }
		END { flush() }' | sort -u
}

# mirror_need RELEASE ARCH: the root is there and its lists are fresh enough.  Where
# fresh ones cannot be had, old ones serve.
mirror_need() {
	local root
	root=$(mirror_root "$1" "$2")
	[ -z "$(find "$root/index" -mtime +$MIRROR_MAX_AGE_DAYS 2>/dev/null)" ] || mirror_refresh "$1" "$2"
	cache_make "$root" mirror_make "$1" "$2"
}

# mirror_refresh RELEASE ARCH
mirror_refresh() {
	local root lock log
	root=$(mirror_root "$1" "$2")
	lock_take "apt-$1-$2"
	lock=$lab_lock
	log=$root/update.log
	if mirror_apt "$root" "$2" apt-get -o APT::Update::Error-Mode=any update >"$log" 2>&1; then
		mirror_index "$root" >"$root/index.new" && mv "$root/index.new" "$root/index"
		rm -f "$root/refused"
	else
		rt_say "the package lists of $1 for $2 are old and could not be updated"
		touch "$root/index"
	fi
	exec {lock}>&-
}

# mirror_download RELEASE ARCH DIRECTORY PACKAGE=VERSION: fetch one .deb.  Status 1 if the
# mirror does not have it although it lists it; that is remembered until the next update.
mirror_download() {
	local root log lock status
	root=$(mirror_root "$1" "$2")
	log=$lab_scratch/download.log
	mkdir -p "$3"
	lock_take "apt-$1-$2"
	lock=$lab_lock
	(cd "$3" && rt_retry mirror_fetch "$root" "$2" "$4" "$log")
	status=$?
	exec {lock}>&-
	[ $status != 0 ] || return 0
	if grep -q '404 *Not Found' "$log"; then
		printf '%s\n' "$4" >>"$root/refused"
		return 1
	fi
	grep -E '^(E|Err)' "$log" | head -n 5 >&2
	download_failed "$4 of $1 for $2"
}

# A 404 is an answer, not an accident: do not ask again.
mirror_fetch() { # ROOT ARCH PACKAGE=VERSION LOG
	mirror_apt "$1" "$2" apt-get download "$3" >"$4" 2>&1 && return 0
	grep -q '404 *Not Found' "$4" && exit 1
	return 1
}
