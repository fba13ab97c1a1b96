# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# added.sh - kernels that were built elsewhere: a vendor's, a customer's, a developer's.
#
#   CACHE/added/NAME@HASH/vmlinuz [vmlinux]     copies of the image
#   CACHE/added/NAME@HASH/{release,cc,.config}  its release, the compiler for modules, its configuration
#   CACHE/added/NAME@HASH/append                words that its command line always has
#   CACHE/added/NAME@HASH/build                 a link to the tree that modules are built against
#
# The hash is that of the image and the paths, so that a kernel that was added again is another one.

added_place() { find "$RT_CACHE/added" -mindepth 1 -maxdepth 1 -name "$1@*" 2>/dev/null | head -n 1; } # NAME

added_known() { find "$RT_CACHE/added" -mindepth 1 -maxdepth 1 -name '*@*' -printf '%f\n' 2>/dev/null | sed 's/@.*//' | sort; }

# added_resolve PREFIX: fill K for an added kernel.
added_resolve() {
	K[prefix]=$1
	K[kdir]=$1/build
	K[release]=$(<"$1/release")
	K[gcc]=$TOOLCHAIN_GCC
	K[cc]=$(cat "$1/cc" 2>/dev/null)
	K[append]=$(cat "$1/append" 2>/dev/null)
	[ ! -e "$1/vmlinux" ] || K[boot]=vmlinux
}

added_check_headers() {
	[ -e "${K[kdir]}/Makefile" ] || rt_die "${K[name]}: its headers at $(readlink "${K[kdir]}") are gone; add the kernel again"
}

added_command() { # NAME OPTION VALUE…
	local name=${1-} prefix option
	local -A given=()
	[[ $name =~ ^[A-Za-z0-9.+]+-(arm64|x86_64)(-[A-Za-z0-9.+]+)?$ ]] ||
		rt_die "add: '$name' is not a name such as 4.18-x86_64-el8: SERIES-ARCH, or SERIES-ARCH-FLAVOUR"
	[[ " $(kernels_known | tr '\n' ' ') $KERNEL_BUILT " != *" $name "* ]] || rt_die "add: the lab has a kernel $name already"
	shift
	while [ $# -gt 0 ]; do
		option=${1#--}
		case $1 in
		--image | --config | --cc) [ -f "${2-}" ] || rt_die "add: $1: no file '${2-}'" ;;
		--headers | --modules) [ -d "${2-}" ] || rt_die "add: $1: no directory '${2-}'" ;;
		--append) [ -n "${2-}" ] || rt_die "add: --append needs words for the kernel's command line" ;;
		*) rt_die "add: unknown option '$1'" ;;
		esac
		given[$option]=$2
		[ "$option" = append ] || given[$option]=$(realpath "$2")
		[ "$option" != cc ] || given[cc]=$(realpath -s "$2")
		shift 2
	done
	[[ ${given[image]-} && ${given[headers]-} ]] || rt_die "add: --image FILE and --headers DIR are needed"
	kernel_split "$name"
	K[release]=$(added_release "${given[headers]}") || exit
	scratch_need
	added_check_image "${given[image]}"
	prefix=$RT_CACHE/added/$name@$({ cat "${given[image]}"; echo "${given[@]}"; } | hash_of)
	rm -rf "$prefix"
	lock_take "added-$name"
	cache_make "$prefix" added_make
	find "$RT_CACHE/added" -mindepth 1 -maxdepth 1 -name "$name@*" ! -path "$prefix" -exec rm -rf {} +
	echo "$name: ${K[release]}; try: scripts/vm run $name -- uname -a"
}

# As modules built there will have it; include/config/kernel.release may say something else.
added_release() { # HEADERS
	local release
	release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$1"/include/{generated,linux}/utsrelease.h 2>/dev/null | head -n 1)
	[ -n "$release" ] || rt_die "add: $1 is not a prepared kernel tree: it does not say its release"
	echo "$release"
}

# The image must be of the architecture in the name and of the release of the headers.
added_check_image() { # IMAGE
	local plain=$1 version at
	case ${K[arch]} in
	x86_64)
		[ "$(dd if="$1" bs=1 skip=514 count=4 status=none | tr -d '\0')" = HdrS ] || rt_die "add: $1 is not a bzImage of x86"
		at=$(($(fetch_number "$1" 526 2) + 512))
		version=$(dd if="$1" bs=1 skip=$at count=128 status=none | tr '\0' '\n' | head -n 1)
		version=${version%% *}
		;;
	arm64)
		[ "$(od -An -t x1 -N 2 "$1" | tr -d ' ')" != 1f8b ] || { plain=$lab_scratch/Image && gzip -dc "$1" >"$plain"; }
		[ "$(dd if="$plain" bs=1 skip=56 count=3 status=none | tr -d '\0')" = ARM ] || rt_die "add: $1 is not an Image of arm64"
		version=$(grep -a -m 1 -o 'Linux version [^ ]*' "$plain")
		version=${version#Linux version }
		;;
	esac
	[ "$version" = "${K[release]}" ] || rt_die "add: the image is of ${version:-an unknown release}, the headers of ${K[release]}"
}

added_make() { # NEW; the options are in `given`
	local new=$1 config
	mkdir -p "$new/lib/modules"
	cp "${given[image]}" "$new/vmlinuz"
	ln -s "${given[headers]}" "$new/build"
	echo "${K[release]}" >"$new/release"
	[ -z "${given[cc]-}" ] || echo "${given[cc]}" >"$new/cc"
	[ -z "${given[append]-}" ] || echo "${given[append]}" >"$new/append"
	config=${given[config]-${given[headers]}/.config}
	[ ! -e "$config" ] || cp "$config" "$new/.config"
	# Only kernels from 4.21 on have an entry for QEMU in their ELF image.
	[ "$(arch_fact "${K[arch]}" boot)" = vmlinuz ] ||
		{ (fetch_unpack_bzimage "$new/vmlinuz" "$new/vmlinux") 2>/dev/null && readelf -nW "$new/vmlinux" 2>/dev/null | grep -q 'Xen.*0x00000012'; } ||
		rm -f "$new/vmlinux"
	if [ -n "${given[modules]-}" ]; then
		ln -s "${given[modules]}" "$new/lib/modules/${K[release]}"
		return
	fi
	mkdir "$new/lib/modules/${K[release]}"
	cp "${given[headers]}"/modules.{order,builtin} "$new/lib/modules/${K[release]}/" 2>/dev/null
	depmod -b "$new" "${K[release]}" 2>/dev/null || rt_die "add: depmod failed for ${K[release]}"
}

added_remove_command() { # NAME
	local place
	place=$(added_place "${1-}")
	[ -n "$place" ] || rt_die "remove: no kernel '${1-}' was added; scripts/vm kernels lists them"
	rm -rf "$place" "$RT_BUILD/vm/$1" "$RT_CACHE/guest/drivers-${place##*/}"-*
	echo "$1 removed"
}
