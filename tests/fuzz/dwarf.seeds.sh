#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dwarf.seeds.sh DIRECTORY - the DWARF of small programs, as dwarf.c takes it.
set -e
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >seed.c <<'C'
enum color { RED, GREEN = 5 };
struct list { struct list *next; int n : 3; char name[8]; enum color color; union { int a; long b; }; };
struct list global;
void print(long, const char *);
static inline __attribute__((always_inline)) int twice(int value) { return 2 * value; }
long seen(struct list *l, int n, const char *word)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += twice(i) + l->n;
	print(sum, word);
	return sum;
}
C
cat >seed.cpp <<'C'
namespace outer { struct list { int n; int method(int i) const; }; int list::method(int i) const { return n + i; } }
int seen(int n) { outer::list l = { n }; return l.method(n); }
C
# A number as four bytes.
le() {
	local shift
	for shift in 0 8 16 24; do
		# shellcheck disable=SC2059
		printf "\\$(printf %03o $(($1 >> shift & 255)))"
	done
}
pack() { # FILE SEED
	local section
	: >sizes
	: >contents
	for section in info abbrev line str line_str loclists rnglists aranges frame; do
		rm -f part
		objcopy -O binary --only-section=.debug_$section --set-section-flags .debug_$section=alloc "$1" part 2>/dev/null || :
		[ -e part ] || : >part
		le "$(stat -c %s part)" >>sizes
		cat part >>contents
	done
	cat sizes contents >"$out/$2"
}
for level in 0 2; do
	cc -O$level -g -fno-asynchronous-unwind-tables -nostdlib -shared -fPIC -Wl,-Ttext=0x10000 -o seed.so seed.c
	pack seed.so c$level
done
cc -O2 -gdwarf-4 -nostdlib -shared -fPIC -Wl,-Ttext=0x10000 -o seed.so seed.c
pack seed.so dwarf4
c++ -O0 -g -nostdlib -shared -fPIC -Wl,-Ttext=0x10000 -o seed.so seed.cpp
pack seed.so cpp
