# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# kernels.sh - the kernels the lab knows, and which package is the newest of each.
#
# A name is SERIES-ARCH[-FLAVOUR].  A new kernel is one new line here.

# name              release    versions (a regular expression; the newest is taken)
KERNEL_TABLE='
5.10-arm64          bullseye   5\.10\.
5.10-x86_64         bullseye   5\.10\.
6.1-arm64           bookworm   6\.1\.
6.1-x86_64          bookworm   6\.1\.
6.12-arm64          bookworm   6\.12\.
6.12-x86_64         bookworm   6\.12\.
6.12-arm64-rt       bookworm   6\.12\.
6.12-x86_64-rt      bookworm   6\.12\.
newest-arm64        sid        [0-9]+\.[0-9]+\.
newest-x86_64       sid        [0-9]+\.[0-9]+\.
newest-arm64-16k    sid        [0-9]+\.[0-9]+\.
'

# Kernels of our own, see kernel-build.sh.
KERNEL_BUILT='debug-arm64 debug-x86_64 kcsan-arm64 kcsan-x86_64 tags-arm64'

kernels_known() { awk 'NF { print $1 }' <<<"$KERNEL_TABLE"; }

# The host's architecture with the oldest and the newest, the other one with one.
kernels_default() {
	printf '%s\n' "5.10-$HOST_ARCH" "newest-$HOST_ARCH" "6.1-$(arch_fact "$HOST_ARCH" other)"
}

kernels_all() {
	kernels_known
	printf '%s\n' "debug-$HOST_ARCH" "kcsan-$HOST_ARCH"
}

kernels_list() {
	local name state
	case ${1-} in
	--default) kernels_default; return ;;
	--all) kernels_all; return ;;
	'') ;;
	*) rt_die "kernels: unknown option '$1'" ;;
	esac
	printf '%-18s %-28s %s\n' KERNEL RELEASE STATE
	for name in $(added_known); do
		kernel_resolve "$name"
		printf '%-18s %-28s %s\n' "$name" "${K[release]}" added
	done
	for name in $(kernels_known) $KERNEL_BUILT; do
		kernel_resolve "$name"
		state=-
		[ ! -d "${K[prefix]-}" ] || state=fetched
		[ "${K[origin]}" = package ] || { [ -d "${K[prefix]}" ] && state=built || state="scripts/vm kernel-build ${name%-*}"; }
		printf '%-18s %-28s %s\n' "$name" "${K[release]}" "$state"
	done
}

# kernel_split NAME: the parts of a name, into K.
declare -A K
kernel_split() {
	local series arch flavour
	IFS=- read -r series arch flavour <<<"$1"
	K=([name]=$1 [series]=$series [arch]=$arch [flavour]=$flavour)
}

# kernel_parse NAME: the same, and where the kernel comes from.
kernel_parse() {
	kernel_split "$1"
	K[added]=$(added_place "$1")
	[ -z "${K[added]}" ] || { K[origin]=added; return; }
	case " $KERNEL_BUILT " in
	*" $1 "*) K[origin]=built; return ;;
	esac
	K[origin]=package
	read -r 'K[debian]' 'K[versions]' < <(awk -v name="$1" '$1 == name { print $2, $3 }' <<<"$KERNEL_TABLE")
	[ -n "${K[debian]}" ] || {
		rt_say "no kernel '$1'; there are:"
		{ kernels_known; tr ' ' '\n' <<<"$KERNEL_BUILT"; added_known; } | sed 's/^/  /' >&2
		exit 2
	}
}

# The end of a release name: 6.1.0-54-rt-arm64 but 7.2.13+deb14-arm64-16k.
kernel_suffix() {
	local deb
	deb=$(arch_fact "${K[arch]}" deb)
	case ${K[flavour]} in
	'') echo "$deb" ;;
	16k) echo "$deb-16k" ;;
	*) echo "${K[flavour]}-$deb" ;;
	esac
}

# kernel_resolve NAME: fill K with the newest release of that name: release, version,
# the packages it is made of, the compiler it wants, and where it is in the cache.
kernel_resolve() {
	local root line
	kernel_parse "$1"
	case ${K[origin]} in
	added) added_resolve "${K[added]}"; return ;;
	built) kernel_build_resolve; return ;;
	esac
	mirror_need "${K[debian]}" "${K[arch]}"
	root=$(mirror_root "${K[debian]}" "${K[arch]}")
	line=$(kernel_newest "$root")
	[ -n "$line" ] || download_failed "no kernel $1 in the package lists of Debian ${K[debian]}"
	IFS=$'\t' read -r 'K[release]' 'K[version]' 'K[image]' 'K[headers]' <<<"$line"
	K[kbuild]=$(tr ' ' '\n' <<<"${K[headers]}" | grep -m 1 -o '^linux-kbuild-[^,]*')
	K[gcc]=$(grep -o -m 1 'gcc-[0-9]\+' <<<"${K[headers]}" | head -n 1)
	K[common]=$(grep -o 'linux-headers-[^ ]*-common[^ ,]*' <<<"${K[headers]}" | head -n 1)
	K[prefix]=$RT_CACHE/kernels/${K[release]}_${K[version]//[:~]/-}
	K[kdir]=${K[prefix]}/usr/src/linux-headers-${K[release]}
	K[boot]=$(arch_fact "${K[arch]}" boot)
}

# The newest release with headers, an image, and nothing the mirror refused: its name,
# version, image packages and the dependencies of its headers.
kernel_newest() { # ROOT
	local refused=$1/refused
	[ -e "$refused" ] || refused=/dev/null
	awk -F '\t' -v OFS='\t' -v want="^linux-headers-${K[versions]}[0-9]+([.+~a-z0-9]*)(-[0-9]+)?-$(kernel_suffix)\$" '
		FILENAME != ARGV[2] { refused[$1] = 1; next }
		($1 "=" $2) in refused { next }
		{ have[$1 "=" $2] = 1 }
		$1 ~ want { headers[$1] = $2; depends[$1] = $3 }
		END {
			for (h in headers) {
				release = substr(h, 15); v = headers[h]
				image = "linux-image-" release
				if (("linux-binary-" release "=" v) in have)
					image = "linux-binary-" release " linux-modules-" release " linux-base-" release
				n = split(image, part, " "); whole = 1
				for (i = 1; i <= n; i++)
					whole = whole && (part[i] "=" v) in have
				if (whole)
					print release, v, image, depends[h]
			}
		}' "$refused" "$1/index" | sort -t "$(printf '\t')" -k 2,2V -k 1,1V | tail -n 1
}
