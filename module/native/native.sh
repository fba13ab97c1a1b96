#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# native.sh KDIR OUT: native probes for every trace header that the kernel at KDIR lets
# us compile and link, for the build of the module in OUT.
#
# A header that needs private structs or unexported functions is left out; what it would
# have given goes the generic way.  Leaves behind
#
#   OUT/native/*.c         one stub a header
#   OUT/native/objects.mk  the objects that go into the module
#   OUT/native/table.c     the table of their events
#   OUT/native/report      for each header: its events, or why it was left out; then the sum
#
# NATIVE, if set, names the headers to try, "none" means none; empty or unset: all there are.
#
# All are compiled in one run of the kernel's build system, as parts of the module, so
# that the build proper finds them done.

set -eu

kdir=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$out/native
log=$dir/log

rm -rf "$dir"
mkdir -p "$dir"

# The headers package of a distribution may keep the sources apart from KDIR.
tree=$kdir
[ -d "$tree/include/trace/events" ] ||
	tree=$(dirname "$(sed -n 's/^include \(.*\)$/\1/p' "$kdir/Makefile" | head -n 1)")
[ -d "$tree/include/trace/events" ] || tree=$kdir/source
if [ ! -d "$tree/include/trace/events" ]; then
	echo "ringtail: $kdir has no include/trace/events: no native tracepoints" >&2
fi

# Comments speak of structs, too.
uncommented()
{
	awk '{ text = text $0 "\n" }
		END {
			while ((at = index(text, "/*"))) {
				printf "%s", substr(text, 1, at - 1)
				text = substr(text, at + 2)
				end = index(text, "*/")
				text = end ? substr(text, end + 2) : ""
			}
			printf "%s", text
		}' "$1"
}

# Headers whose events come most often: their probes have the whole path inlined, a kilobyte each.
busy="irq irq_vectors sched syscalls timer"

# A stub: what the header forgot to include or declare, then the machine.
stub()
{
	echo "// made by native.sh"
	for need in $(awk -v h="$1" '$1 == h { $1 = ""; print }' "$here/needs"); do
		[ ! -e "$tree/include/$need" ] || echo "#include <$need>"
	done
	uncommented "$2" | grep -oE '\b(struct|union) [a-z_][a-z_0-9]*' | sort -u | sed 's/$/;/'
	case " $busy " in *" $1 "*) echo "#define RT_NATIVE_BUSY" ;; esac
	echo "#define RT_NATIVE_HEADER <trace/events/$1.h>"
	echo '#include "stages.h"'
}

for name in ${NATIVE-}; do
	[ "$name" = none ] || [ -e "$tree/include/trace/events/$name.h" ] || {
		echo "ringtail: NATIVE=$name: this kernel has no include/trace/events/$name.h; name headers of that" \
			"directory without .h, or none" >&2
		exit 1
	}
done

names=
for header in "$tree"/include/trace/events/*.h; do
	[ -e "$header" ] || break
	name=$(basename "$header" .h)
	case " ${NATIVE:-$name} " in *" $name "*) ;; *) continue ;; esac
	stub "$name" "$header" >"$dir/$name.c"
	names="$names $name"
done

# Failures are answers: keep going.
echo "ringtail-y := $(echo "$names" | sed 's| \([^ ]*\)| native/\1.o|g')" >"$dir/objects.mk"
"${MAKE:-make}" -k -C "$kdir" M="$out" C=0 W= RT_NATIVE_ONLY=1 modules >"$log" 2>&1 || :

# What an object needs and the kernel itself does not export.  What other modules export
# does not count: we will not have them loaded for the sake of their tracepoints.
unexported()
{
	"${NM:-nm}" -u "$1" | awk -v symvers="$kdir/Module.symvers" '
		BEGIN { while ((getline line < symvers) > 0) { split(line, f, "\t"); if (f[3] == "vmlinux") exported[f[2]] = 1 } }
		$NF !~ /^rt_/ && !($NF in exported) { print $NF }'
}

kept= events=
: >"$dir/report"
for name in $names; do
	object=$dir/$name.o
	if [ ! -e "$object" ]; then
		why=$(grep -m 1 "events/$name\.h:.* error: " "$log" | sed 's/.* error: //')
		echo "$name: left out: ${why:-does not compile}" >>"$dir/report"
		continue
	fi
	missing=$(unexported "$object" | tr '\n' ' ')
	if [ -n "$missing" ]; then
		echo "$name: left out: not exported: $missing" >>"$dir/report"
		continue
	fi
	these=$("${NM:-nm}" "$object" | sed -n 's/.* R rt_native_//p' | tr '\n' ' ')
	kept="$kept native/$name.o"
	events="$events $these"
	echo "$name: $these" >>"$dir/report"
done

echo "ringtail-y += native/table.o$kept" >"$dir/objects.mk"
{
	echo '// made by native.sh'
	echo '#include "native.h"'
	for event in $events; do
		echo "extern const struct rt_native rt_native_$event;"
	done
	echo 'const struct rt_native *const rt_natives[] = {'
	for event in $events; do
		echo "	&rt_native_$event,"
	done
	echo '	NULL,'
	echo '};'
} >"$dir/table.c"
echo "$(echo $events | wc -w) events of $(echo $kept | wc -w) headers" >>"$dir/report"
