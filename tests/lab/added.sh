#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that was built elsewhere: one of the lab's own stands for it, under another name.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

# One of those that check has by default, and another for headers that do not belong to it.
case $(uname -m) in aarch64) arch=arm64 other=x86_64 ;; *) arch=x86_64 other=arm64 ;; esac
kernel=5.10-$arch
name=elsewhere-$arch
work=$(mktemp -d)
trap 'rm -rf "$work"; scripts/vm remove $name >/dev/null 2>&1' EXIT

prefix=$(scripts/vm fetch $kernel | sed 's/.* in //')
release=$(ls "$prefix/lib/modules")
headers=$prefix/usr/src/linux-headers-$release
add() { scripts/vm add "$@" 2>&1; }

out=$(add $name --image "$prefix/vmlinuz" --headers "$headers" --modules "$prefix/lib/modules/$release" --append rt_word=1)
is "$?:${out%%;*}" "0:$name: $release" "is added by its image, headers and modules"
like "$(scripts/vm kernels)" "^$name +$release +added\$" "kernels lists it"
unlike "$(scripts/vm kernels --all; scripts/vm kernels --default)" "^$name" "check does not take it unless it is named"
like "$(scripts/check --kernel $name --only vm/module-load --list)" "vm/module-load.*$name" "check takes it by name"

mkdir -p "build/vm/$name/modules"
is "$(scripts/vm run $name --no-build -- 'uname -r; cat /boot/config-*; grep -o rt_word=1 /proc/cmdline' 2>&1 | sed -n '1p; s/^\(CONFIG_KPROBES\)=y/\1/p; /^rt_word/p' | paste -sd ' ')" \
	"$release CONFIG_KPROBES rt_word=1" "a guest boots it, with its configuration and its words"
if [ "${RT_LEVEL:-all}" != default ]; then
	is "$(NATIVE=sched scripts/vm run $name -- 'insmod /rt/ringtail.ko && ringtail record -q -o /tmp/x -e kprobe:vfs_read -- cat /proc/self/stat >/dev/null &&
		ringtail script -i /tmp/x | grep -c vfs_read' 2>&1 | tail -n 1 | grep -c '^[1-9]')" 1 "the module is built for it and records"
fi

# --- refusals ---------------------------------------------------------------------------

refused() { # REGEX WHAT ARGUMENT…
	local regex=$1 what=$2
	shift 2
	out=$(add "$@")
	is "$?:$(wc -l <<<"$out")" 1:1 "$what is refused in one line"
	like "$out" "$regex" "which says what is wrong"
}

refused 'is not a name such as' "a name without an architecture" mine --image "$prefix/vmlinuz" --headers "$headers"
refused "has a kernel $kernel already" "a name of the lab's own" $kernel --image "$prefix/vmlinuz" --headers "$headers"
refused '--image FILE and --headers DIR are needed' "an image without headers" $name --image "$prefix/vmlinuz"
refused '--append needs words' "a command line without words" $name --append ''
refused "no file '/nowhere'" "a file that is not there" $name --image /nowhere --headers "$headers"
refused 'is not an? (bzImage|Image) of' "something else than an image" $name --image Makefile --headers "$headers"
refused 'is not an? (bzImage|Image) of' "an image of another architecture" my-$other --image "$prefix/vmlinuz" --headers "$headers"
refused 'is not a prepared kernel tree' "a tree that is none" $name --image "$prefix/vmlinuz" --headers "$work"
mkdir -p "$work/include/generated"
echo '#define UTS_RELEASE "4.4.0"' >"$work/include/generated/utsrelease.h"
refused "the image is of $release, the headers of 4.4.0" "a tree of another kernel" $name --image "$prefix/vmlinuz" --headers "$work"

# --- its end --------------------------------------------------------------------------------

cp -r "$prefix/vmlinuz" "$work/"
mkdir -p "$work/tree/include/generated"
cp "$headers/include/generated/utsrelease.h" "$work/tree/include/generated/"
touch "$work/tree/Makefile"
add $name --image "$work/vmlinuz" --headers "$work/tree" >/dev/null
is "$(scripts/vm kernels | grep -c "^$name ")" 1 "added again, it is there once"
rm -r "$work/tree"
out=$(scripts/vm run $name -- true 2>&1)
is "$?:$(grep -c 'are gone; add the kernel again' <<<"$out")" 1:1 "headers that are gone are named"
like "$(scripts/vm kernels)" "^$name .* added\$" "and the list of kernels is still printed"
ok "is removed" scripts/vm remove $name
unlike "$(scripts/vm kernels)" "^$name" "and not listed any more"
fails "and nothing is left of what was built for it" test -e "build/vm/$name"
fails "there is nothing to remove twice" scripts/vm remove $name

done_testing
