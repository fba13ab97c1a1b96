# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# fetch.sh - a kernel's packages, unpacked into a prefix of their own in the cache:
#
#   PREFIX/vmlinuz [PREFIX/vmlinux], PREFIX/lib/modules/RELEASE, PREFIX/usr/src/linux-headers-*
#
# The build tools (linux-kbuild) are those of the host's architecture: they run here,
# whatever the kernel is for.

# Drivers of hardware that no guest has make up most of a kernel package.
FETCH_LEFT_OUT='gpu media infiniband iio hid staging video mtd mmc isdn comedi usb scsi ata power hwmon
	bluetooth thunderbolt firewire nvme md net/ethernet net/wireless net/can net/usb'

fetch_command() {
	local name
	[ $# -gt 0 ] || rt_die "fetch: which kernel?  scripts/vm kernels lists them"
	rt_need lab
	for name; do
		fetch_kernel "$name"
		echo "$name: ${K[release]} in ${K[prefix]}"
	done
}

# fetch_kernel NAME: resolve it into K and have it in the cache.
fetch_kernel() {
	local lock
	kernel_resolve "$1"
	[ "${K[origin]}" != added ] || added_check_headers
	[ ! -d "${K[prefix]}" ] || return 0
	if [ "${K[origin]}" = built ]; then
		kernel_build "$1"
		return
	fi
	scratch_need
	lock_take "fetch-$1"
	lock=$lab_lock
	until fetch_newest "$1"; do :; done
	exec {lock}>&-
}

# Status 1 if the mirror refused a package: then another release may be the newest.
fetch_newest() { # NAME
	local debs
	kernel_resolve "$1"
	[ ! -d "${K[prefix]}" ] || return 0
	debs=$lab_scratch/debs
	rm -rf "$debs"
	rt_say "fetching $1: Debian's ${K[release]} (${K[version]})"
	if ! fetch_debs "$debs"; then
		# Lists of this hour are right about what is listed, so the package is gone.
		[ -n "$(find "$(mirror_root "${K[debian]}" "${K[arch]}")/index" -mmin -60)" ] ||
			mirror_refresh "${K[debian]}" "${K[arch]}"
		return 1
	fi
	cache_make "${K[prefix]}" fetch_unpack "$debs"
	rm -rf "$debs"
}

fetch_debs() { # DIRECTORY
	local package
	for package in ${K[image]} "linux-headers-${K[release]}" "${K[common]}"; do
		mirror_download "${K[debian]}" "${K[arch]}" "$1" "$package=${K[version]}" || {
			rt_say "the mirror lists it but does not have it; trying the next"
			return 1
		}
	done
	fetch_kbuild "$1"
}

# The newest linux-kbuild of the series that the mirror really has.
fetch_kbuild() { # DIRECTORY
	local version
	mirror_need "${K[debian]}" "$HOST_ARCH"
	while read -r version; do
		mirror_download "${K[debian]}" "$HOST_ARCH" "$1" "${K[kbuild]}=$version" && return 0
	done < <(awk -F '\t' -v name="${K[kbuild]}" '$1 == name { print $2 }' \
		"$(mirror_root "${K[debian]}" "$HOST_ARCH")/index" | sort -rV)
	download_failed "${K[kbuild]} for $HOST_ARCH"
}

fetch_unpack() { # DEBS NEW
	local new=$2 deb driver left_out=() release=${K[release]}
	for driver in $FETCH_LEFT_OUT; do
		left_out+=("--exclude=*/kernel/drivers/$driver")
	done
	mkdir -p "$new"
	for deb in "$1"/*.deb; do
		dpkg --fsys-tarfile "$deb" | tar -x -C "$new" "${left_out[@]}" --exclude='*/kernel/sound' \
			--exclude='./usr/share/doc' || rt_die "cannot unpack ${deb##*/}"
	done
	# From 7.x on, modules and image are below /usr.
	if [ -d "$new/usr/lib/modules/$release" ]; then
		mkdir -p "$new/lib/modules"
		cp -al "$new/usr/lib/modules/$release" "$new/lib/modules/" && rm -rf "$new/usr/lib/modules"
	fi
	mv "$new/boot/vmlinuz-$release" "$new/vmlinuz" 2>/dev/null ||
		mv "$new/lib/modules/$release/vmlinuz" "$new/vmlinuz" || rt_die "no kernel image in the packages of $release"
	[ "$(arch_fact "${K[arch]}" boot)" = vmlinuz ] || fetch_unpack_bzimage "$new/vmlinuz" "$new/vmlinux"
	depmod -b "$new" "$release" || rt_die "depmod failed for $release"
	# The only absolute path in the headers.
	sed -i "s,/usr/src/,${K[prefix]}/usr/src/,g" "$new/usr/src/linux-headers-$release/Makefile"
}

# The ELF image inside a bzImage: where it is, is in the boot protocol's header.
fetch_unpack_bzimage() { # BZIMAGE VMLINUX
	local setup offset length unpack
	setup=$(fetch_number "$1" 497 1)
	offset=$(fetch_number "$1" 584 4)
	length=$(fetch_number "$1" 588 4)
	offset=$(((setup + 1) * 512 + offset))
	case $(od -An -t x1 -j $offset -N 4 "$1" | tr -d ' ') in
	fd377a58) unpack='xz -dc --single-stream' ;;
	28b52ffd) unpack='zstd -qdc' ;;
	1f8b*) unpack='gzip -dc' ;;
	*) rt_die "${1##*/} is compressed in a way not known here" ;;
	esac
	# The last four bytes are the unpacked size.  Not tail | head: tail may die of the closed pipe.
	dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip=$offset count=$((length - 4)) status=none |
		$unpack >"$2" || rt_die "cannot unpack ${1##*/}"
}

fetch_number() { od -An -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '; } # FILE OFFSET BYTES
