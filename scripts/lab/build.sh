# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# build.sh - everything of ours that goes into a guest:
#
#   build/vm/KERNEL/ringtail.ko, build/vm/KERNEL/modules/*.ko    for that kernel
#   build/vm/user-ARCH/ringtail, build/vm/user-ARCH/programs/*   for its architecture
#
# Nothing is written outside the build directory, and nothing is done twice: a stamp
# beside each result holds what it was made from.

build_command() {
	local name
	[ $# -gt 0 ] || rt_die "build: for which kernel?  scripts/vm kernels lists them"
	rt_need build lab
	for name; do
		build_kernel "$name"
		echo "$name: $BUILD_OUT"
	done
}

# build_kernel NAME: fetch, then build for it; the result in BUILD_OUT, BUILD_USER.
build_kernel() {
	local lock
	fetch_kernel "$1"
	BUILD_OUT=$RT_BUILD/vm/$1
	BUILD_USER=$RT_BUILD/vm/user-${K[arch]}
	mkdir -p "$BUILD_OUT" "$BUILD_USER" || rt_die "cannot write to $RT_BUILD; set RINGTAIL_BUILD"
	scratch_need
	exec {lock}>"$RT_BUILD/vm/.lock"
	flock "$lock"
	build_user
	build_module
	build_test_modules "$RT_TOP/tests/modules" "$BUILD_OUT/modules"
	exec {lock}>&-
}

# build_once STAMP IDENTITY 'PATH…' FUNCTION ARGUMENT…: call it unless the stamp says that
# it was called with this identity and these files as they are now.
build_once() {
	local stamp=$1 paths now
	# shellcheck disable=SC2206 # a list of paths below the tree
	paths=($3)
	now=$(
		printf '%s\n' "$2"
		cd "$RT_TOP" && find "${paths[@]}" -type f -printf '%p %s %T@\n' 2>/dev/null | sort
	)
	shift 3
	[ ! -e "$stamp" ] || [ "$(<"$stamp")" != "$now" ] || return 0
	"$@"
	printf '%s\n' "$now" >"$stamp"
}

# build_quietly WHAT COMMAND…: its output only if it fails.
build_quietly() {
	local what=$1 log=$lab_scratch/build.log
	shift
	"$@" >"$log" 2>&1 </dev/null && return
	grep -E -A 5 'error|Error|warning' "$log" | head -n 40 >&2
	cp "$log" "$RT_BUILD/vm/failed-build.log"
	rt_die "$what does not build (log: $RT_BUILD/vm/failed-build.log)"
}

build_user() {
	local sysroot=
	sysroot_need "${K[arch]}"
	sysroot=$(sysroot_path "${K[arch]}")
	build_user_compiler "$sysroot"
	build_once "$BUILD_USER/stamp" "${BUILD_CC[*]}" "Makefile scripts/lib include user tests/programs" build_user_now
}

# build_user_compiler SYSROOT: make's arguments, into BUILD_CC.
build_user_compiler() {
	local triplet libdir
	BUILD_CC=()
	[ -n "$1" ] || return 0
	triplet=$(arch_fact "${K[arch]}" triplet)
	libdir=$1/usr/lib/$triplet/pkgconfig:$1/usr/share/pkgconfig
	BUILD_CC=(CC="$triplet-$TOOLCHAIN_GCC --sysroot=$1" AR="$triplet-ar"
		PKG_CONFIG="env PKG_CONFIG_LIBDIR=$libdir PKG_CONFIG_SYSROOT_DIR=$1 pkg-config")
}

build_user_now() {
	local source name flags cc=("$TOOLCHAIN_GCC")
	build_quietly "ringtail for ${K[arch]}" make -C "$RT_TOP" -j "$(nproc)" B="$BUILD_USER" "${BUILD_CC[@]}"
	[ -z "${BUILD_CC[*]}" ] || read -ra cc <<<"${BUILD_CC[0]#CC=}"
	rm -rf "$BUILD_USER/programs"
	mkdir -p "$BUILD_USER/programs"
	for source in "$RT_TOP"/tests/programs/*.c; do
		[ -e "$source" ] || continue
		name=${source##*/}
		# A program may say how it is to be linked.
		read -ra flags <<<"$(sed -n 's/^ \* build: //p' "$source")"
		build_quietly "tests/programs/$name" "${cc[@]}" "${flags[@]}" -std=gnu99 -D_GNU_SOURCE -Wall -Wextra -O2 -g -fno-omit-frame-pointer \
			-I"$RT_TOP/include/uapi" -I"$RT_TOP/user" -o "$BUILD_USER/programs/${name%.c}" "$source" "$BUILD_USER/libringtail.a" -pthread
	done
}

build_module() {
	[ -e "$RT_TOP/Kbuild" ] || return 0
	toolchain_arguments
	build_once "$BUILD_OUT/stamp.module" "${K[prefix]} ${TOOLCHAIN[*]} $BUILD_OUT/obj" "Makefile Kbuild scripts/lib include module" \
		build_module_now
}

build_module_now() {
	build_quietly "the module for ${K[name]}" toolchain_run make -j "$(nproc)" -C "$RT_TOP" module MODULE_OUT="$BUILD_OUT/obj" "${TOOLCHAIN[@]}"
	cp "$BUILD_OUT/obj/ringtail.ko" "$BUILD_OUT/ringtail.ko"
}

# build_test_modules SOURCES OUT: each .c is one module.  Like the module's own files they
# stand on its compat layer.
build_test_modules() {
	toolchain_arguments
	build_once "$2.stamp" "${K[prefix]} ${TOOLCHAIN[*]}" "$1 include module" build_test_modules_now "$1" "$2"
}

build_test_modules_now() { # SOURCES OUT
	local source kept=()
	mkdir -p "$2"
	find "$2" -name '*.[ch]' ! -name '*.mod.c' -delete
	cp -p "$1"/*.[ch] "$2"/ 2>/dev/null
	{
		echo "ccflags-y := -I$2 -I$RT_TOP/include/uapi -I$RT_TOP/include -I$RT_TOP/module -I$RT_TOP -idirafter $RT_TOP/module/compat/moved"
		echo "ccflags-y += -include $BUILD_OUT/obj/rt-compat-config.h -include $RT_TOP/module/compat/compat.h"
		echo "ccflags-\$(if \$(CONFIG_DEBUG_INFO),,y) += -g -fvar-tracking-assignments"
		for source in "$1"/*.c; do
			[ -e "$source" ] || continue
			source=${source##*/}
			echo "obj-m += ${source%.c}.o"
			kept+=("${source%.c}")
		done
	} >"$2/Kbuild"
	for source in "$2"/*.ko; do
		[[ " ${kept[*]-} " == *" $(basename "$source" .ko) "* ]] || rm -f "$source"
	done
	[ ${#kept[@]} -gt 0 ] || return 0
	build_quietly "$1 for ${K[name]}" toolchain_run make -j "$(nproc)" -C "${K[kdir]}" M="$2" "${TOOLCHAIN[@]}" modules
}
