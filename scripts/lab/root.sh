# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# root.sh - the guest's root, an initramfs of cpio archives one after the other, so that
# only the small ones are made anew:
#
#   tools     bash, busybox, perf and their libraries      cached, per architecture
#   packaged  programs of other Debian packages            cached, per architecture
#   drivers   modules of the kernel's own that we need,
#             and its configuration                        cached, per kernel
#   ours      ringtail, modules, test programs             per build
#   run       /init, the command, the tests                per run

ROOT_TOOLS='bash perf'

# What a guest talks through; the last two only for --share.
ROOT_DRIVERS='virtio_pci virtio_console'
ROOT_SHARE_DRIVERS='9pnet_virtio 9p'
# Raise when root_drivers_make changes.
ROOT_DRIVERS_RECIPE=2

# root_pack DIRECTORY FILE
root_pack() {
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z | cpio --null -o -H newc -R 0:0 --reproducible --quiet) >"$2" ||
		rt_die "cpio failed"
}

# root_libraries ROOT TRIPLET FILE…: the shared libraries these files need, as paths.
root_libraries() {
	local root=$1 triplet=$2 file name path
	local -A seen=()
	local queue=("${@:3}")
	while [ ${#queue[@]} -gt 0 ]; do
		file=${queue[0]}
		queue=("${queue[@]:1}")
		while read -r name; do
			[ -z "${seen[$name]-}" ] || continue
			seen[$name]=1
			for path in "$root"/lib/"$triplet" "$root"/usr/lib/"$triplet" "$root"/lib "$root"/usr/lib "$root"/lib64; do
				[ -e "$path/$name" ] || continue
				echo "$path/$name"
				queue+=("$path/$name")
				break
			done
		done < <(readelf -dW "$file" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
	done
}

# root_add_programs DIRECTORY ARCH BIN FILE…: programs into BIN of the new root, with their
# libraries and their loader.
root_add_programs() {
	local new=$1 arch=$2 bin=$3 sysroot triplet file loader
	shift 3
	sysroot=$(sysroot_path "$arch")
	triplet=$(arch_fact "$arch" triplet)
	mkdir -p "$new/$bin" "$new/usr/lib/$triplet"
	cp -L "$@" "$new/$bin/"
	while read -r file; do
		cp -L "$file" "$new/usr/lib/$triplet/"
	done < <(root_libraries "$sysroot" "$triplet" "$@")
	for file; do
		loader=$(readelf -lW "$file" 2>/dev/null | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
		[ -z "$loader" ] || [ -e "$new/usr$loader" ] || {
			mkdir -p "$(dirname "$new/usr$loader")"
			cp -L "$sysroot$loader" "$new/usr$loader"
		}
	done
}

# --- tools ---------------------------------------------------------------------

# root_tools ARCH: the archive, made if need be; its path in ROOT_PART.
root_tools() {
	local identity sysroot
	sysroot_need "$1"
	sysroot=$(sysroot_path "$1")
	root_busybox "$1"
	identity=$(
		sed -n '/^root_/,/^}/p' "$RT_TOP/scripts/lab/root.sh"
		[ -z "$sysroot" ] || echo "$sysroot"
		[ -n "$sysroot" ] || root_tools_of_host
	)
	ROOT_PART=$RT_CACHE/guest/tools-$1-$(hash_of <<<"$identity").cpio
	cache_make "$ROOT_PART" root_tools_make "$1"
}

# The host's tools and their libraries, as they are now.
root_tools_of_host() {
	local tool paths=()
	for tool in $ROOT_TOOLS; do
		paths+=("$(root_tool '' "$tool")")
	done
	{
		printf '%s\n' "${paths[@]}"
		root_libraries '' "$(arch_fact "$HOST_ARCH" triplet)" "${paths[@]}"
	} | xargs stat -L -c '%n %s %Y'
}

root_busybox_path() { echo "$RT_CACHE/guest/busybox-$1"; } # ARCH

# busybox-static cannot be installed beside busybox: take it out of its package.
root_busybox() { # ARCH
	cache_make "$(root_busybox_path "$1")" root_busybox_make "$1"
	[ "$1" = "$HOST_ARCH" ] || root_busybox "$HOST_ARCH"
}

root_busybox_make() { # ARCH NEW
	local debs=$lab_scratch/busybox
	mirror_need "$SYSROOT_DEBIAN" "$1"
	mirror_download "$SYSROOT_DEBIAN" "$1" "$debs" busybox-static || download_failed "busybox-static for $1"
	dpkg --fsys-tarfile "$debs"/*.deb | tar -x -O ./bin/busybox >"$2" || rt_die "no busybox in its package"
	chmod 755 "$2"
	rm -rf "$debs"
}

root_tools_make() { # ARCH NEW
	local root=$lab_scratch/tools sysroot applet tool programs=()
	sysroot=$(sysroot_path "$1")
	mkdir -p "$root"/{usr/{bin,lib,lib64},dev,proc,sys,tmp,run,etc,root,share,results,rt}
	chmod 1777 "$root/tmp"
	ln -s usr/bin "$root/bin"
	ln -s usr/bin "$root/sbin"
	ln -s usr/lib "$root/lib"
	ln -s usr/lib64 "$root/lib64"
	ln -s bin "$root/usr/sbin"
	cp "$(root_busybox_path "$1")" "$root/usr/bin/busybox"
	# The other architecture's busybox cannot be asked, but has the same applets.
	for applet in $("$(root_busybox_path "$HOST_ARCH")" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/usr/bin/$applet"
	done
	for tool in $ROOT_TOOLS; do
		programs+=("$(root_tool "$sysroot" "$tool")") || exit
		rm -f "$root/usr/bin/$tool"
	done
	root_add_programs "$root" "$1" usr/bin "${programs[@]}"
	echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
	echo 'ringtail' >"$root/etc/hostname"
	echo '127.0.0.1 localhost' >"$root/etc/hosts"
	# Debian's packages and Debian's kernels: this is what doctor shall take it for.
	printf '%s\n' 'PRETTY_NAME="Debian GNU/Linux (ringtail lab)"' 'ID=debian' >"$root/etc/os-release"
	root_pack "$root" "$2"
	rm -rf "$root"
}

root_tool() { # SYSROOT TOOL
	local path
	for path in "$1/usr/bin/$2" "$1/bin/$2"; do
		[ ! -x "$path" ] || { echo "$path"; return; }
	done
	rt_die "no $2 in ${1:-/}usr/bin"
}

# --- packaged ------------------------------------------------------------------

# root_packaged ARCH [RELEASE/]PACKAGE:PATH: the archive with this program of Debian's package, in ROOT_PART.
root_packaged() {
	local release=$SYSROOT_DEBIAN program=$2
	[[ $program != */*:* ]] || release=${program%%/*} program=${program#*/}
	ROOT_PART=$RT_CACHE/guest/packaged-$1-$release-$(hash_of <<<"$program").cpio
	cache_make "$ROOT_PART" root_packaged_make "$1" "$release" "${program%%:*}" "${program#*:}"
}

# The program has libraries of its own, which may be those of another Debian: a script starts it with them.
root_packaged_make() { # ARCH RELEASE PACKAGE PATH NEW
	local from=$lab_scratch/packages root=$lab_scratch/packaged name=${4##*/} own loader
	own=/rt/packaged/$name
	sysroot_unpack "$2" "$1" "$3" "$from"
	[ -x "$from/$4" ] || rt_die "$3 of Debian $2 has no $4"
	mkdir -p "$root$own" "$root/usr/bin"
	loader=$(readelf -lW "$from/$4" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
	# Some libraries need the loader, too: then it is copied twice.
	cp -L "$from$loader" "$root$own/"
	# shellcheck disable=SC2046 # paths without spaces
	cp -L "$from/$4" $(root_libraries "$from" "$(arch_fact "$1" triplet)" "$from/$4") "$root$own/"
	printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "$own/${loader##*/}" "$own" "$own/$name" >"$root/usr/bin/$name"
	chmod 755 "$root/usr/bin/$name"
	root_pack "$root" "$5"
	rm -rf "$from" "$root"
}

# --- drivers -------------------------------------------------------------------

# root_drivers NAME…: the archive with K's modules of these names, in ROOT_PART.
root_drivers() {
	ROOT_PART=$RT_CACHE/guest/drivers-${K[prefix]##*/}-$(hash_of <<<"$*$ROOT_DRIVERS_RECIPE").cpio
	cache_make "$ROOT_PART" root_drivers_make "$@"
}

root_drivers_make() { # NAME… NEW
	local root=$lab_scratch/drivers new=${*: -1} name how path
	mkdir -p "$root/rt/drivers"
	for name in "${@:1:$#-1}"; do
		while read -r how path; do
			[ "$how" = insmod ] || continue
			root_unpack_module "${path%% *}" "$root/rt/drivers"
			name=${path##*/}
			grep -qsx "${name%.ko*}.ko" "$root/rt/drivers/order" || echo "${name%.ko*}.ko" >>"$root/rt/drivers/order"
		done < <(modprobe -C /dev/null -d "${K[prefix]}" -S "${K[release]}" --show-depends "$name" ||
			rt_say "${K[release]} has no module $name")
	done
	touch "$root/rt/drivers/order"
	mkdir -p "$root/boot"
	for path in "${K[prefix]}/boot/config-${K[release]}" "${K[prefix]}/usr/lib/modules/${K[release]}/config" "${K[kdir]}/.config"; do
		[ ! -e "$path" ] || { cp "$path" "$root/boot/config-${K[release]}"; break; }
	done
	root_pack "$root" "$new"
	rm -rf "$root"
}

root_unpack_module() { # FILE DIRECTORY
	local name=${1##*/}
	case $1 in
	*.xz) xz -dc "$1" >"$2/${name%.xz}" ;;
	*.zst) zstd -qdc "$1" >"$2/${name%.zst}" ;;
	*.gz) gzip -dc "$1" >"$2/${name%.gz}" ;;
	*) cp "$1" "$2/" ;;
	esac || rt_die "cannot unpack $1"
}

# --- ours ----------------------------------------------------------------------

# root_ours MODULES…: the archive with what build.sh made, and modules of further
# directories, in ROOT_PART.
root_ours() {
	local root=$lab_scratch/ours programs=() file dir
	mkdir -p "$root/rt/modules"
	for file in "$BUILD_USER/ringtail" "$BUILD_USER"/programs/*; do
		[ ! -x "$file" ] || programs+=("$file")
	done
	[ ${#programs[@]} = 0 ] || root_add_programs "$root" "${K[arch]}" rt/bin "${programs[@]}"
	[ ! -e "$BUILD_OUT/ringtail.ko" ] || cp "$BUILD_OUT/ringtail.ko" "$root/rt/"
	for dir in "$BUILD_OUT/modules" "$@"; do
		find "$dir" -maxdepth 1 -name '*.ko' -exec cp -t "$root/rt/modules" {} +
	done
	ROOT_PART=$lab_scratch/ours.cpio
	root_pack "$root" "$ROOT_PART"
	rm -rf "$root"
}
