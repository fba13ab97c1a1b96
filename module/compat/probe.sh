#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probe.sh KDIR OUT VERSION: write what the kernel at KDIR has to OUT/rt-compat-config.h.
#
# Compiles every file of probes/ in one run of the kernel's own build system.  A probe passes if it
# compiles and the kernel exports every symbol that it leaves undefined.  MAKE and NM name the
# tools.  COMPAT_WITHOUT lists probes that count as failed, to test the replacements.  "all" means
# all but two kinds: probes named *_H, because nothing compiles without the header, and probes
# whose replacement needs the older layout of a struct.  COMPAT_LIKE=FILE means those of "all" that
# the file, a list of what some kernel has, does not name.

set -eu

kdir=$1 out=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
dir=$out/probes
log=$dir/log

stop()
{
	echo "ringtail: $*" >&2
	exit 1
}

[ -e "$kdir/Makefile" ] ||
	stop "no kernel build tree at $kdir: install the headers of that kernel" \
	     "(Debian: linux-headers-\$(uname -r), RPM: kernel-devel) or say KDIR=…"
[ -e "$kdir/include/generated/autoconf.h" ] ||
	stop "$kdir is not prepared: run 'make olddefconfig && make' there, or use the distribution's headers package"
[ -e "$kdir/Module.symvers" ] ||
	stop "$kdir has no Module.symvers: 'make modules_prepare' is not enough, build that kernel once"

command -v "${NM:-nm}" >/dev/null || stop "no ${NM:-nm}: install the binutils of that architecture"

rm -rf "$dir"
mkdir -p "$dir"
names=
for probe in "$here"/probes/*.c; do
	name=$(basename "$probe" .c)
	names="$names $name"
	ln -s "$probe" "$dir/$name.c"
done
{
	echo "obj-m := $(echo "$names" | sed 's/\( [^ ]*\)/\1.o/g')"
	# A warning must not fail a probe, whatever CONFIG_WERROR and KCFLAGS say.
	echo "ccflags-y := -Wno-error"
	# But one function for another is no warning.
	echo 'ccflags-y += $(foreach w,int-conversion incompatible-pointer-types implicit-int implicit-function-declaration,$(call cc-option,-Werror=$(w)))'
} >"$dir/Kbuild"

# A failure is a result.  insanity.c always fails, so make never links anything.
"${MAKE:-make}" -k -C "$kdir" M="$dir" C=0 W= modules >"$log" 2>&1 || :

# For each object: its name, and the first symbol that it needs and the kernel does not export.
links()
{
	for name in $names; do
		[ -e "$dir/$name.o" ] || continue
		echo "object $name"
		"${NM:-nm}" -u "$dir/$name.o" | awk '{ print "needs", $NF }'
	done | awk -v symvers="$kdir/Module.symvers" '
		BEGIN { while ((getline line < symvers) > 0) { split(line, f, "\t"); exported[f[2]] = 1 } }
		$1 == "object" { if (name) print name, missing; name = $2; missing = "" }
		$1 == "needs" && !($2 in exported) && !missing { missing = $2 }
		END { if (name) print name, missing }'
}

links >"$dir/objects"

# Why sanity.c failed: its first error, or else the first error of make or a tool.
first_error()
{
	grep -m1 -E '/sanity\.c.*error' "$log" ||
		grep -v insanity "$log" | grep -m1 -iE 'error|not found|no such file|no rule' || tail -n1 "$log"
}

replaceable() { [ "${1%_H}" = "$1" ] && ! grep -q 'older layout' "$here/probes/$1.c"; }

without()
{
	case " ${COMPAT_WITHOUT-} " in
	*" $1 "*) return 0 ;;
	*" all "*) replaceable "$1" ;;
	*) [ -n "${COMPAT_LIKE-}" ] && ! grep -qx "$1" "$COMPAT_LIKE" && replaceable "$1" ;;
	esac
}

[ -e "$dir/sanity.o" ] ||
	stop "even an empty module does not compile for $kdir: $(first_error)" \
	     "(whole log: $log); use the compiler that built it (CC=…, CROSS_COMPILE=…, ARCH=…)"
grep -qx 'sanity ' "$dir/objects" ||
	stop "$kdir/Module.symvers does not belong to that kernel: it lacks $(sed -n 's/^sanity //p' "$dir/objects")"
[ ! -e "$dir/insanity.o" ] ||
	stop "the compiler flags of $kdir accept functions that do not exist: remove" \
	     "-Wno-error=implicit-function-declaration and the like (KCFLAGS, CC)"

{
	echo "/* What $kdir has; made by module/compat/probe.sh.  Compiler output: $log */"
	echo "#define RT_VERSION \"$version\""
	for name in $names; do
		case $name in
		sanity | insanity) continue ;;
		esac
		if without "$name"; then
			echo "/* no $name: turned off by COMPAT_WITHOUT or COMPAT_LIKE */"
		elif grep -qx "$name " "$dir/objects"; then
			echo "#define $name 1"
		elif [ -e "$dir/$name.o" ]; then
			echo "/* no $name: $(sed -n "s/^$name //p" "$dir/objects") is not exported */"
		else
			echo "/* no $name: does not compile */"
		fi
	done
} >"$out/rt-compat-config.h.new"
mv "$out/rt-compat-config.h.new" "$out/rt-compat-config.h"
