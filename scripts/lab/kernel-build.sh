# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# kernel-build.sh - kernels of our own, from Debian's source package: debug (KASAN, lockdep,
# kmemleak, fault injection, …), kcsan (data races) and tags (tagged pointers, arm64), small enough to
# build in minutes.
#
#   PREFIX/vmlinuz, PREFIX/vmlinux, PREFIX/build (what modules are built against)
#
# A configuration is allnoconfig plus fragments in scripts/lab/config; each option that a
# fragment asks for must be there in the end, or the build stops.

KERNEL_BUILD_DEBIAN=bookworm
KERNEL_BUILD_SOURCE=linux-source-6.1
# Raise when the recipe below changes.
KERNEL_BUILD_RECIPE=2

# Objects built without KASAN: they walk all memory or all events, which takes an emulated
# and checked CPU a minute at every boot or leak scan, and they only look at the kernel itself.
KERNEL_BUILD_UNCHECKED='kmemleak trace_events initramfs'

kernel_build_command() { # KIND [ARCH]
	local arch=${2:-$HOST_ARCH}
	[ $# -gt 0 ] || rt_die "kernel-build: debug, kcsan or tags?"
	arch_check "$arch"
	[[ " $KERNEL_BUILT " == *" $1-$arch "* ]] || rt_die "no kernel '$1' to build; there are debug-ARCH, kcsan-ARCH and tags-arm64"
	rt_need lab
	kernel_build "$1-$arch"
	echo "$1-$arch: ${K[release]} in ${K[prefix]}"
}

kernel_build_fragments() {
	local fragment
	for fragment in base "${K[arch]}" "${K[series]}"; do
		echo "$RT_TOP/scripts/lab/config/$fragment.config"
	done
}

# kernel_build_resolve: fill K for a kernel of our own.  One that was built with this
# configuration serves, also if Debian has newer sources by now.
kernel_build_resolve() {
	local have hash
	# shellcheck disable=SC2046 # a list of files
	hash=$({ echo "$KERNEL_BUILD_RECIPE"; cat $(kernel_build_fragments); } | hash_of)
	have=$(find "$RT_CACHE/kernels" -maxdepth 1 -name "${K[name]}_*_$hash" 2>/dev/null | sort -V | tail -n 1)
	K[hash]=$hash
	K[gcc]=$TOOLCHAIN_GCC
	kernel_build_place "${have:-$RT_CACHE/kernels/${K[name]}_-_$hash}"
	[ "${K[name]}" != debug-arm64 ] || K[append]=irqchip.gicv3_pseudo_nmi=1
}

kernel_build_place() { # PREFIX
	K[prefix]=$1
	K[kdir]=$1/build
	K[release]=$(cat "$1/release" 2>/dev/null || echo -)
}

# kernel_build NAME: from the newest source there is; K is that kernel then.
kernel_build() {
	local version root
	kernel_resolve "$1"
	mirror_need $KERNEL_BUILD_DEBIAN "$HOST_ARCH"
	root=$(mirror_root $KERNEL_BUILD_DEBIAN "$HOST_ARCH")
	version=$(awk -F '\t' -v name=$KERNEL_BUILD_SOURCE '$1 == name { print $2 }' "$root/index" | sort -V | tail -n 1)
	[ -n "$version" ] || download_failed "no $KERNEL_BUILD_SOURCE in the package lists"
	scratch_need
	kernel_build_place "$RT_CACHE/kernels/$1_${version}_${K[hash]}"
	cache_make "${K[prefix]}" kernel_build_make "$version"
	kernel_build_place "${K[prefix]}"
}

kernel_build_make() { # VERSION NEW
	local tree=$2/build start=$SECONDS cross='' object
	[ "${K[arch]}" = "$HOST_ARCH" ] || cross=$(arch_fact "${K[arch]}" triplet)-
	kernel_build_source "$1" "$tree"
	KERNEL_MAKE=(nice -n 5 make -C "$tree" -j "$(nproc)" ARCH="$(arch_fact "${K[arch]}" kernel)" CROSS_COMPILE="$cross"
		CC="$cross$TOOLCHAIN_GCC" KBUILD_BUILD_USER=ringtail KBUILD_BUILD_HOST=lab)
	for object in $KERNEL_BUILD_UNCHECKED; do
		KERNEL_MAKE+=("KASAN_SANITIZE_$object.o=n")
	done
	kernel_build_configure "$tree"
	rt_say "building ${K[name]} from Debian's $1; this takes some minutes"
	kernel_build_step "$tree" "$(basename "$(arch_fact "${K[arch]}" image)")" modules
	cp "$tree/$(arch_fact "${K[arch]}" image)" "$2/vmlinuz"
	cp "$tree/vmlinux" "$tree/.config" "$2/"
	cp "$tree/include/config/kernel.release" "$2/release"
	mkdir -p "$2/lib/modules/$(<"$2/release")"
	cp "$tree"/modules.{order,builtin,builtin.modinfo} "$2/lib/modules/$(<"$2/release")/" ||
		rt_die "${K[name]}: no list of modules"
	depmod -b "$2" "$(<"$2/release")" || rt_die "${K[name]}: depmod failed"
	kernel_build_prune "$tree"
	rt_say "built ${K[name]} in $((SECONDS - start)) s"
}

kernel_build_source() { # VERSION TREE
	local debs=$lab_scratch/source
	mirror_download $KERNEL_BUILD_DEBIAN "$HOST_ARCH" "$debs" "$KERNEL_BUILD_SOURCE=$1" ||
		download_failed "the mirror does not have $KERNEL_BUILD_SOURCE $1"
	mkdir -p "$2"
	dpkg --fsys-tarfile "$debs"/*.deb | tar -x -O "./usr/src/$KERNEL_BUILD_SOURCE.tar.xz" |
		tar -x -J -C "$2" --strip-components=1 || rt_die "cannot unpack $KERNEL_BUILD_SOURCE"
	rm -rf "$debs"
}

kernel_build_configure() { # TREE
	local wanted=$lab_scratch/wanted.config missing
	# shellcheck disable=SC2046 # a list of files
	cat $(kernel_build_fragments) >"$wanted"
	echo "CONFIG_LOCALVERSION=\"-${K[series]}\"" >>"$wanted"
	kernel_build_step "$1" allnoconfig KCONFIG_ALLCONFIG="$wanted"
	missing=$(grep -E '^CONFIG_[A-Z0-9_]+=[^n]' "$wanted" | grep -vxFf "$1/.config")
	[ -z "$missing" ] || rt_die "${K[name]}: this kernel does not take:"$'\n'"$missing"
}

kernel_build_step() { # TREE TARGET…
	local log=$lab_scratch/kernel.log
	# In the background, so that an interrupted build ends at once, with all its children.
	setpriv --pdeathsig TERM -- "${KERNEL_MAKE[@]}" "${@:2}" >"$log" 2>&1 </dev/null &
	wait $! && return
	grep -E -B 2 -A 6 'error|Error' "$log" | head -n 40 >&2
	rt_die "${K[name]} does not build"
}

# Of two gigabytes, modules need the headers, the makefiles and the build's own tools.
kernel_build_prune() { # TREE
	local arch
	arch=$(arch_fact "${K[arch]}" kernel)
	find "$1" -mindepth 1 -maxdepth 1 ! -name include ! -name scripts ! -name arch ! -name tools ! -name Makefile \
		! -name Kbuild ! -name .config ! -name Module.symvers ! -name System.map -exec rm -rf {} +
	find "$1/arch" -mindepth 1 -maxdepth 1 -type d ! -name "$arch" -exec rm -rf {} +
	find "$1/tools" -mindepth 1 -maxdepth 1 ! -name objtool ! -name include -exec rm -rf {} +
	find "$1/arch" "$1/tools" -type f \( -name '*.[cS]' -o -name '*.o' -o -name '*.a' -o -name '*.cmd' -o -name '*.dts*' \) -delete
	find "$1/arch" -path '*/boot/*' -type f ! -name Makefile -delete
}
