#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# How the module is built: out of a read-only tree, in silence, with the probes' answers
# in a header; and what is said when it cannot be built.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/headers.sh

build() { make -s module KDIR="$KDIR" CC=gcc-12 "$@" 2>&1; }
# The probes' answers alone, in seconds.
probe() { make -s "$1/rt-compat-config.h" KDIR="$KDIR" CC=gcc-12 MODULE_OUT="$1" 2>&1; } # DIRECTORY
quiet() { grep -v '^Skipping BTF generation'; }

# --- whole builds ----------------------------------------------------------------

# Each takes a minute or two.  By default the lint builds the module with W=1 and the DKMS test out of an archive.
if [ "${RT_LEVEL:-all}" != default ]; then
	# shellcheck disable=SC2016 # for the inner shell
	out=$(unshare --mount --propagation private sh -c '
		mount --bind . . && cd "$PWD" && mount -o remount,bind,ro . || exit 2
		! touch Kbuild 2>/dev/null || { echo "the tree is not read-only"; exit 2; }
		make -s module KDIR="$1" CC=gcc-12 B="$2" W=1' sh "$KDIR" "$SCRATCH/b" 2>&1)
	is $? 0 "builds out of a read-only tree"
	is "$(quiet <<<"$out")" "" "without a warning, also with W=1"
	made=$SCRATCH/b/module/$KRELEASE
	like "$(modinfo "$made/ringtail.ko")" "vermagic: +$KRELEASE " "for the kernel that was asked for"
	config=$(cat "$made/rt-compat-config.h")
	like "$config" '#define RT_HAVE_PERFMON_CAPABLE 1' "the probes' answers can be read"

	sections=$(readelf -SW "$made/ringtail.ko")
	like "$sections" ' \.text ' "the sections of the module can be read"
	unlike "$sections" 'mcount_loc|patchable_function_entries' "ftrace finds nothing to trace in it"

	before=$(stat -c %y "$made/rt-compat-config.h")
	build B="$SCRATCH/b" >/dev/null
	is "$(stat -c %y "$made/rt-compat-config.h")" "$before" "the kernel is asked once"

	out=$(build B="$SCRATCH/b" MODULE_OUT="$SCRATCH/without" COMPAT_WITHOUT=all W=1)
	is $? 0 "builds with every replacement of the compat layer"
	is "$(quiet <<<"$out")" "" "without a warning"
	layout=$(grep -l 'older layout' module/compat/probes/*.c | sed 's|.*/||; s|\.c$||' | paste -sd '|')
	unlike "$(grep -vwE "$layout" "$SCRATCH/without/rt-compat-config.h")" '#define RT_HAVE.*[^H] 1' "the compat layer can do with nothing of the kernel's"

	unexported=$(headers_copy unexported)
	sed -i '/\tsecurity_locked_down\t/d' "$unexported/Module.symvers"
	out=$(KDIR=$unexported probe "$SCRATCH/unexported")
	is $? 0 "a kernel that declares a function but does not export it is no obstacle" || diag "$out"
	like "$(cat "$SCRATCH/unexported/rt-compat-config.h")" 'no RT_HAVE_SECURITY_LOCKED_DOWN: security_locked_down is not exported' \
		"the header says which"

	cp "$KDIR/Module.symvers" "$unexported/"
	KDIR=$unexported probe "$SCRATCH/unexported" >/dev/null
	like "$(cat "$SCRATCH/unexported/rt-compat-config.h")" 'define RT_HAVE_SECURITY_LOCKED_DOWN 1' \
		"a kernel that changed under its path is asked again"
fi

# --- refusals: one line of ours each -------------------------------------------------

out=$(NATIVE="sched shced" sh module/native/native.sh "$KDIR" "$SCRATCH/native" 2>&1)
is $? 1 "an unknown word in NATIVE is refused"
like "$out" 'NATIVE=shced: this kernel has no include/trace/events/shced.h' "with the word and what it stands for"

refused() { # WHAT REGEX MAKE-ARGUMENT…
	local what=$1 regex=$2
	shift 2
	out=$(build MODULE_OUT="$SCRATCH/refused" "$@")
	if [ $? = 0 ]; then
		tap_point 1 "$what is refused"
	else
		like "$(grep '^ringtail:' <<<"$out")" "$regex" "$what"
	fi
	is "$(grep -vcE '^(ringtail:|make)' <<<"$out")" 0 "in one line"
}

mkdir "$SCRATCH/empty"
refused "no headers" 'no kernel build tree at .*: install the headers' KDIR="$SCRATCH/empty"
raw=$(headers_copy raw)
rm -r "$raw/include/generated/autoconf.h"
refused "a tree that was never configured" 'is not prepared: run ' KDIR="$raw"
bare=$(headers_copy bare)
rm "$bare/Module.symvers"
refused "a tree that was only prepared" 'has no Module.symvers' KDIR="$bare"
refused "a compiler that is not there" 'even an empty module does not compile.*no-such-gcc.*CC=' CC=no-such-gcc

# Each of these compiles all probes, which takes some seconds.
if [ "${RT_LEVEL:-all}" != default ]; then
	echo >"$bare/Module.symvers"
	refused "somebody else's Module.symvers" 'does not belong to that kernel: it lacks [_a-z]+' KDIR="$bare"
	refused "a compiler that refuses" 'even an empty module does not compile.*use the compiler' KCFLAGS=-fno-such-flag
	refused "tools that are not there" 'no nowhere-nm: install the binutils' CROSS_COMPILE=nowhere-
	refused "flags that let everything pass" 'accept functions that do not exist' \
		KCFLAGS='-Wno-error=implicit-function-declaration -Wno-implicit-function-declaration'
fi

done_testing
