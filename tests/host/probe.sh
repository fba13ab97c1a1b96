#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# probe - `ringtail probe` with the debug information of programs: the places and registers that perf probe
# finds, debug files beside the program, and wrong requests.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
rt=$PWD/build/san/ringtail
source=$PWD/tests/programs/probe-names.c
parts=$PWD/tests/programs/probe-parts.c
copies=$PWD/tests/programs/probe-copies.c
globals=$PWD/tests/programs/probe-globals.c
case $(uname -m) in
aarch64) pc=pc ;;
*) pc=ip ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
gcc -O2 -g -o fast "$source" && gcc -O0 -g -o slow "$source" || exit 1

ours() { timeout 120 "$rt" probe -x "./$1" -D "$2" 2>&1; } # PROGRAM DEFINITION
theirs() { perf probe -x "./$1" -D "$2" 2>/dev/null; }
# perf gives several places one name, and shows pointers to char as numbers unless told otherwise.
plain() { sed 's/ *$//; s,^\([pr]:[^ ]*_L[0-9]*\)_[0-9]* ,\1 ,' | sort; }
same() { # PROGRAM DEFINITION [DEFINITION FOR PERF]
	is "$(ours "$1" "$2" | plain)" "$(theirs "$1" "${3-$2}" | plain)" "$1, $2: as perf probe"
}
refused() { # STATUS REGEX OPTION…
	local want=$1 regex=$2 said status
	shift 2
	said=$(timeout 120 "$rt" probe "$@" 2>&1 >/dev/null)
	status=$?
	is "$status $(wc -l <<<"$said")" "$want 1" "probe $*: refused with status $want, in one line"
	like "$said" "$regex" "probe $*: with the reason"
}

same fast 'work count s'
same fast 'work word' 'work word=word:string'
same fast 'work l->next->p[2].y l->p[0].x' 'work y=l->next->p[2].y x=l->p[0].x'
same fast twice
same slow 'twice value'
gcc -O3 -g -o parts "$parts" && clang-14 -O0 -g -o llvm "$parts" || exit 1
# clang describes the place of a parameter relative to a register that the prologue has yet to set.
is "$(ours llvm 'first p' | sed 's/.* //')" "$(ours parts 'first p' | sed 's/.* //')" "clang, unoptimised: a parameter at the entry is where the caller put it"
# The compiler splits a function and inlines both parts: one call.
is "$(ours parts split | cut -d ' ' -f 2 | sort)" "$(theirs parts split | cut -d ' ' -f 2 | sort)" "a function in two parts: the places of perf probe"
# Source that is elsewhere now: below a directory of the user's, whatever the path was.
mkdir -p gone/tree/lib kept/tree/lib kept/other
printf 'int moved(int n);\nint moved(int n)\n{\n\tint twice = 2 * n;\n\n\treturn twice + 1; /* the end */\n}\nint main(int c, char **v)\n{\n\treturn moved(c);\n}\n' >gone/tree/lib/moved.c
gcc -O0 -g -o moved "$dir/gone/tree/lib/moved.c" && mv gone/tree/lib/moved.c kept/tree/lib/ || exit 1
like "$("$rt" probe -x ./moved -L moved)" 'the source is not here, nor in /usr/src .--source DIR' "-L: the source is gone"
for place in kept kept/tree kept/tree/lib; do
	like "$("$rt" probe -x ./moved -s $place -L moved | tr '\n' ' ')" "^<moved@$place/.*moved.c:2>.*return twice" "-L --source $place finds it"
done
like "$("$rt" probe -x ./moved --source kept/other -L moved)" 'the source is not here' "not elsewhere"
refused 1 'a pattern needs the source: .ringtail probe --source DIR' -x ./moved -D 'moved;*return*'
is "$("$rt" probe -x ./moved --source kept -D 'moved;return*')" "$(ours moved moved:4 | sed 's/moved_L4/moved/')" "a pattern, too"
refused 2 'source goes with -L' -x ./moved --source kept -V moved
refused 2 'source goes with -L' -x ./moved --source kept moved
# All copies of a function: its own, its part, the inlined ones; each has a name that says which it is.
gcc -O2 -g -fpartial-inlining -fno-inline-functions-called-once -o copies "$copies" || exit 1
nm copies | grep -q ' get\.part\.0$' || exit 1
is "$(ours copies get | grep -c '^p:')" 4 "four copies: the function, its part, two inlined"
is "$(ours copies get | grep ^p: | cut -d ' ' -f 2 | sort)" "$(theirs copies get | cut -d ' ' -f 2 | sort)" "at the places of perf probe"
is "$(ours copies get | sed -n 's,^p:probe_copies/\([^ ]*\) .*,\1,p' | sort | tr '\n' ' ')" "get get_1 get_2 get_part_0 " "each named"
like "$(ours copies get)" 'get: 4 places probed; get.part.0 is entered from other copies, so its hits are not calls of their own' "and what a part counts"
like "$(ours copies 'get%return $retval')" 'get: 2 of 4 places probed; %return and registers are not available at 2 inlined ones' "at the return: what is missing"
is "$(ours copies 'get%return $retval' | sed -n 's,^r:probe_copies/\([^ ]*\) .*,\1,p' | sort | tr '\n' ' ')" "get__return get_part_0__return " "those that return"
like "$(ours copies 'get %di %ax' | tr '\n' ' ')" '1 of 4 places probed; .* at 2 inlined ones; the compiler may have moved the parameters of 1 clones or parts .*get [^ ]*:0x[0-9a-f]+ %di' "registers: where parameters are in them"
is "$(ours copies 'get name' | grep -c '^p:.* name=')" 4 "a parameter at each"
# As a kernel: by its debug information, and by its symbols alone.
strip -g copies -o symbols || exit 1
copies_of() { timeout 120 "$rt" probe -k "./$1" -D "$2" 2>&1; }
is "$(copies_of copies get | sed -n 's,^p:probe/\([^ ]*\) .*,\1,p' | tr '\n' ' ')" "get get_part_0 get_1 get_2 " "of a kernel: all copies"
like "$(copies_of copies 'get%return')" 'get: 2 of 4 places probed' "and what is missing"
is "$(copies_of symbols get | grep ^p:)" "p:probe/get get
p:probe/get_part_0 get.part.0" "without debug information: those that have symbols"
# No types: what returns is in a register, whose type a user can name.
is "$(copies_of symbols 'get%return $retval x=$retval' | grep ^r: | head -n 1)" 'r:probe/get__return get retval=$retval:x64 x=$retval:x64' "\$retval without types is the register"
like "$(copies_of symbols 'get%return $retval')" 'its type is not known here; .retval:s64 or another type shows it' "and that is said"
is "$(copies_of symbols 'get%return $retval:s32' | head -n 2 | tail -n 1)" 'r:probe/get__return get $retval:s32' "a type is taken"
like "$(copies_of symbols 'get%return $retval->x')" 'no section .BTF' "a member needs a type"
is "$(copies_of copies get+0 | grep ^p:)" "p:probe/get get" "an offset is one place"
like "$("$rt" probe -k ./copies -V get)" 'get.part.0.0x0:' "-V shows the copies"
line=$(grep -n 'inline void nothing' "$parts" | cut -d : -f 1)
like "$("$rt" probe -x ./parts -L nothing | head -n 1)" "^<nothing@.*probe-parts.c:$line>" "-L of a function without instructions is about its own lines"
same fast 'work%return'
same slow work:6
is "$(ours slow 'work;sum+=l->p*' | sed 's/.* //')" "$(ours slow work:6 | sed 's/.* //')" "FUNCTION;PATTERN is FUNCTION:LINE"
is "$(ours slow 'work:9 sum i' | sed 's/.*:0x[0-9a-f]* //')" "$(theirs slow 'work:9 sum i' | sed 's/.*:0x[0-9a-f]* //')" "slow: local variables at a line"
is "$(ours slow "probe-names.c:$(grep -n 'printf("%s' "$source" | cut -d: -f1) sum" | sed 's/^[^ ]* //')" \
	"$(ours slow 'work:9 sum' | sed 's/^[^ ]* //')" "FILE:LINE is FUNCTION:LINE"
is "$(ours slow 'work count')" "$(ours slow 'work count' | sed 's/count=.*/count='"$(ours fast 'work count' | sed 's/.*count=//')"'/')" \
	"unoptimised code: a parameter at the entry is where the caller put it"
like "$(ours fast 'work l->p[1].name l->p[0].kind l->p[2].color')" 'name=\+41\(%(di|x0)\):string kind=\+16\(%(di|x0)\):b3@0/8 color=\+76\(%(di|x0)\):[su]32' \
	"text, bits and enums of members"

# Debug information in another file.
objcopy --only-keep-debug fast fast.debug && objcopy --strip-debug --add-gnu-debuglink=fast.debug fast linked
is "$(ours linked 'work count' | sed 's/linked/fast/g')" "$(ours fast 'work count')" "through .gnu_debuglink"
rm fast.debug
refused 1 'linked: no debug information' -x ./linked -D 'work count'

like "$("$rt" probe -x ./fast -L work | head -n 3 | tr '\n' '|')" '^<work@.*probe-names.c:[0-9]+>\| .*long work\(.*\| +1  \{' "-L shows the source"
like "$("$rt" probe -x ./slow -V work:9)" 'long int sum +[+-][0-9]+\(%' "-V shows where variables are"

# Parts of functions and files.
source_lines() { "$rt" probe -x ./slow -L "$1" | sed 1d | tr -d '\n'; }
is "$(source_lines work:3-5)" "$("$rt" probe -x ./slow -L work | sed -n 5,7p | tr -d '\n')" "-L FUNCTION:FIRST-LAST"
is "$(source_lines work:3+3)" "$(source_lines work:3-5)" "-L FUNCTION:FIRST+COUNT"
first=$("$rt" probe -x ./slow -L work | sed -n '1s/.*:\([0-9]*\)>$/\1/p')
is "$("$rt" probe -x ./slow -L "probe-names.c:$((first + 3))-$((first + 5))" | sed '1d; s/^ *[0-9]*//')" \
	"$("$rt" probe -x ./slow -L work:3-5 | sed '1d; s/^ *[0-9]*//')" "-L FILE:FIRST-LAST shows the same text"
like "$("$rt" probe -x ./slow -L "probe-names.c:$((first + 6))")" "^ +$((first + 6))  " "with the numbers of the file"
refused 1 'line 3 is before line 5' -x ./slow -L work:5-3
refused 1 'FIRST-LAST or FIRST.COUNT, not' -x ./slow -L work:5-x
refused 1 'work has no line 9000 with code; the last is' -x ./slow -L work:9000
refused 1 'line 90000 has no code; the nearest line' -x ./slow -L probe-names.c:90000
refused 1 'name a function or lines of a file' -x ./slow -L 'work+4'
like "$("$rt" probe -x ./slow -V work --externs)" 'of the program; not recorded' "-V --externs lists variables of the file"
refused 2 'externs goes with -V' -x ./slow --externs -D work
like "$("$rt" probe -x ./slow -F 'w?rk' main | tr '\n' ' ')" '^work main $' "-F -x lists functions of a program"
is "$("$rt" probe -x ./slow -F | grep -c printf)" 0 "but not those that it only calls"
refused 1 "no function of .*/slow matches 'nosuch'" -x ./slow -F nosuch

# Entry values: at the entry the register itself has the value, later it is lost.  Compilers describe a parameter at
# the entry as the register; here the description is changed to the register's value at the entry.
cat >entry.c <<'END'
void other(void);
long taken(long a, long b);
long __attribute__((noinline)) taken(long a, long b)
{
	other();
	other();
	return 1;
}
END
echo 'void other(void) { } long taken(long, long); int main(int c, char **v) { return taken(c, 2); }' >main.c
gcc -O2 -gdwarf-5 -S entry.c && perl -0pi -e \
	's/\.uleb128 0x1\b[^\n]*\n\s*\.byte\s+(0x5[0-9a-f])[^\n]*\n/.uleb128 0x4\n.byte 0xa3\n.uleb128 0x1\n.byte $1\n.byte 0x9f\n/ or exit 1' entry.s &&
	gcc -o entry main.c entry.s || exit 1
is "$(ours entry 'taken a b' | sed 's/%\(di\|x0\)/A/; s/%\(si\|x1\)/B/; s/.*:0x[0-9a-f]* //')" "a=A:s64 b=B:s64" "an entry value at the entry is the register"
refused 1 "'a' is known only as the value that a register had at the entry of taken; record it there" -x ./entry -D 'taken:3 a'
is "$(ours entry taken:0 | sed 's/.*://')" "$(ours entry taken | sed 's/.*://')" "FUNCTION:0 is the entry, as for perf"

# Functions of one name: each has its own places.
for i in 1 2; do
	printf 'volatile int sum%d;\nstatic int __attribute__((noinline)) same(int a) { sum%d += a;\n%s return a + %d; }\nint use%d(int a) { return same(a); }\n' \
		$i $i "$([ $i = 1 ] || echo 'for (int i = 0; i < a; i++) sum2 *= a;')" $i $i >same$i.c
done
echo 'int use1(int), use2(int); int main(int c, char **v) { return use1(c) + use2(c); }' >main.c
gcc -O1 -g -o same main.c same1.c same2.c || exit 1
base=$(readelf -lW same | awk '/LOAD.*R E/ { print $3 "-" $2; exit }')
is "$(ours same 'same a' | sed 's/.*:\(0x[0-9a-f]*\) .*/\1/' | sort)" \
	"$(nm same | awk '$3 == "same" { print "0x" $1 }' | while read -r at; do printf '0x%x\n' $((at - ($base))); done | sort)" \
	"functions of one name: each entry once"
is "$(ours same same2.c:3 | sed 's/.*:0x/0x/' | sort)" "$(theirs same same2.c:3 | sed 's/.*:0x/0x/; s/ *$//' | sort)" \
	"a line in one of them: only there, as perf probe"

# C++: functions of namespaces and classes.
cat >names.cpp <<'END'
namespace outer {
namespace inner {
struct Shape {
	int sides;
	int area(int scale) const;
};
int __attribute__((noinline)) Shape::area(int scale) const { return sides * scale; }
}
namespace {
struct Shape {
	int sides;
	int __attribute__((noinline)) area(int scale) const { return sides + scale; }
};
}
template <typename T> T __attribute__((noinline)) larger(T a, T b) { return a > b ? a : b; }
int use(int n)
{
	inner::Shape s = { n };
	Shape o = { n };
	return s.area(n) + o.area(n) + larger<long>(n, 3);
}
}
int main(int argc, char **argv) { return outer::use(argc); }
END
g++ -O1 -g -o cpp names.cpp || exit 1
offset() { printf '0x%x' $((0x$(nm cpp | sed -n "s/ [tTwW] $1\$//p") - $(readelf -lW cpp | awk '/LOAD.*R E/ { print "(" $3 "-" $2 ")"; exit }'))); }
is "$(ours cpp 'outer::inner::Shape::area this->sides scale' | sed 's/%\(di\|x0\)/A/; s/%\(si\|x1\)/B/')" \
	"p:probe_cpp/outer_inner_Shape_area $dir/cpp:$(offset _ZNK5outer5inner5Shape4areaEi) sides=+0(A):s32 scale=B:s32" "C++: a method"
is "$(ours cpp 'a=inner::Shape::area')" "p:probe_cpp/a $dir/cpp:$(offset _ZNK5outer5inner5Shape4areaEi)" "outer names may be left out"
is "$(ours cpp 'Shape::area scale' | wc -l)" 2 "all methods of that name"
is "$(ours cpp 'outer::larger<long> a' | wc -l)" 1 "an instance of a template"
like "$("$rt" probe -x ./cpp -F '*area*' | tr '\n' ' ')" 'outer::inner::Shape::area ' "-F shows such names"
like "$("$rt" probe -x ./cpp -L outer::inner::Shape::area | tail -n 1)" 'return sides \* scale' "-L takes them, too"
refused 1 'have a function inner::Round::area' -x ./cpp -D 'inner::Round::area scale'

refused 1 "there is no variable 'cont'.*did you mean 'count'" -x ./fast -D 'work cont'
refused 1 "struct list has no member 'txt'.*did you mean 'text'" -x ./fast -D 'work l->txt'
refused 1 'has 3 elements, the last is \[2\]' -x ./fast -D 'work l->p[3].x'
refused 1 'the nearest line.* with code' -x ./fast -D work:9999
refused 1 'no code comes from the file' -x ./fast -D nowhere.c:1
refused 1 "no line of work with code matches 'nothing_like_it'" -x ./fast -D 'work;nothing_like_it'
refused 1 'inlined code does not return' -x ./fast -D 'twice%return $retval'
refused 1 'a function nosuch|no function' -x ./fast -D 'nosuch x'
refused 1 'optimised out|not in one place|known only as the value that a register had at the entry of work; record it there' -x ./fast -D 'work:10 l'

# Arrays of arrays, variables outside functions, floating point.
like "$(ours fast 'work l->grid l->grid[1][2] l->grid[1]')" 'grid=\+([0-9]+)\(%(di|x0)\):s32\[6\] grid_1_2=\+[0-9]+\(%(di|x0)\):s32 grid_1=\+[0-9]+\(%(di|x0)\):s32\[3\]' \
	"an array of arrays, an element, one of the arrays"
refused 1 "'l->grid\[1\]' has 3 elements, the last is \[2\]" -x ./fast -D 'work l->grid[1][3]'
for level in 0 2; do
	gcc -O$level -g -o globals "$globals" && gcc -O$level -g -no-pie -static -o fixed "$globals" || exit 1
	for file in globals fixed; do
		# The distance from the code of half() to the variable, as the symbols have it.
		distance=$(($(nm $file | awk '$3 == "shared" { v = $1 } $3 == "half" { f = $1 } END { print "0x" v " - 0x" f }')))
		is "$(ours $file 'half @shared.count' | sed 's/.* //')" "count=+$distance(%$pc):s32" "$file, -O$level: a variable by its distance from the code"
		is "$(ours $file 'half @shared.self->count' | sed 's/.* //')" "count=+0(+$((distance + 32))(%$pc)):s32" "$file: and what it leads to"
	done
	like "$(ours globals 'half @shared.parts @shared.ratio')" 'parts=[^ ]*:x32\[3\] ratio=[^ ]*:x64' "floating point: bits for tracefs"
	like "$(timeout 120 "$rt" probe -x ./globals -n 'half @shared.parts @shared.ratio')" 'parts=[^ ]*:f32\[3\] ratio=[^ ]*:f64' "and numbers for ringtail"
	like "$(ours globals 'half @table[1][2] @table @names[1]')" 'table_1_2=[^ ]*:s32 table=[^ ]*:s32\[6\] names_1=[^ ]*:string' "arrays of arrays outside functions"
	like "$(ours globals 'half n')" 'n=%(x0|di):s32' "a parameter behind one in a floating-point register"
	like "$(ours globals 'half calls')" "calls=\\+[0-9]+\\(%$pc\\):s32" "a static variable of the function"
	refused 1 'floating point' -x ./globals -D 'half x'
	refused 1 'floating-point register' -x ./globals -D 'half%return $retval'
	refused 1 'may be another file' -x ./globals -D 'half%return @shared.count'
	refused 1 'choose one: @names\[0\]' -x ./globals -D 'half @names'
	refused 1 "no variable 'nosuch' outside functions" -x ./globals -D 'half @nosuch'
	refused 1 'each thread may have its own|no variable .mine. outside' -x ./globals -D 'half @mine'
done
refused 1 'elements are not numbers; choose one' -x ./fast -D 'work l->p'
like "$(ours fast 'work @head.text')" "text=\\+0\\([+-][0-9]+\\(%$pc\\)\\):string" "text that a variable of a program points to"
refused 2 'No such file' -x ./nowhere -D main
refused 2 'takes a path' -x fast -D main
refused 2 'what is to be done' -x ./fast
refused 2 'exclude each other' -l -F
refused 2 'show a definition: give one' -n -l
refused 2 'goes with a definition' -x ./fast -l
refused 1 'a place is expected' -D ''
refused 1 'column' -D 'a=b=c'

# Definitions against another kernel's debug information, for which a program stands here.
cat >definitions <<'END'
# what was recorded before the update
work count l->p[1].x
line=work:9 word

work%return $retval
mine:gone=removed_function
work renamed
work:4000
END
"$rt" probe --check definitions -k ./slow >out 2>err
is $? 1 "--check: some fail"
is "$(sed 's/:* .*//' out | sort | uniq -c | tr -s ' \n' ' ')" " 3 fails 3 works " "--check: each is tried"
like "$(cat out)" "fails  work renamed: .*no variable 'renamed'|fails  work renamed: .*no parameter 'renamed'" "--check: with the reason"
is "$(cat err)" "ringtail: probe: 3 of the definitions in definitions do not work there" "--check: how many"
sed -i '/gone\|renamed\|4000/d' definitions
ok "--check: all work" "$rt" probe --check definitions -k ./slow
refused 1 'No such file' --check nowhere
for action in -n -D -L -V; do
	refused 2 '/etc/passwd is neither a vmlinux .* nor a file of BTF' -k /etc/passwd $action main
done
refused 2 'neither a vmlinux' -k /etc/passwd -F
refused 2 'neither a vmlinux' -k /etc/passwd --check definitions
refused 2 '-k goes with' -k ./slow 'work count'
refused 2 'leave -m and -x out' -x ./slow --check definitions

# Text that is no definition, and files that are no programs: a sentence, never a crash.
for text in ':' '=' '%return' '+' 'f:' 'f;' 'f%' 'f @' 'f $' 'f ->' 'f x[' 'f x[-1]' 'f x=:' ':f' 'f:99999999999999999999' "$(printf 'f%01000d' 0)" 'f a->b->' 'f ::' '0x' '@x'; do
	timeout 60 "$rt" probe -x ./fast -D "$text" >out 2>err
	status=$?
	[ $status -le 2 ] && [ "$(wc -l <err)" -le 1 ] || { sed 's/^/# /' err | head -n 5; false; }
	is $? 0 "probe '${text:0:30}': status $status"
done
for size in 100 700 4000 9000; do
	head -c $size fast >short
	chmod +x short
	timeout 60 "$rt" probe -x ./short -D 'work count' >out 2>err
	is "$? $(wc -l <err)" "1 1" "a program cut to $size bytes"
done
printf 'int big[20][20];\n__attribute__((noinline)) int f(int n)\n{\n\treturn ++big[n][n];\n}\nint main(int c, char **v)\n{\n\treturn f(c) + f(c + 1);\n}\n' |
	gcc -O2 -g -x c -o big -
refused 1 "'@big' has 400 elements; at most 512 bytes are recorded; choose elements: @big\[0\]" -x ./big -D 'f @big'
# Big-endian numbers by the names of their types, flags and text by those of members.
cat >order.c <<'END'
#include <linux/types.h>
struct item { __be16 port; __be32 to; __be64 cookies[2]; unsigned char label[8], bytes[4], d_iname[4]; int f_flags; };
__attribute__((noinline)) int f(struct item *it, __be16 port, unsigned flags)
{
	__asm__ volatile("" : : "r"(it), "r"(port), "r"(flags) : "memory");
	return it->port;
}
int main(void)
{
	struct item it = { 1 };
	return f(&it, 3, 4);
}
END
gcc -O1 -g -o order order.c || exit 1
like "$("$rt" probe -x ./order -n 'f it->port it->to it->cookies it->label it->bytes it->d_iname it->f_flags p=port flags')" \
	'port=[^ ]*:be16 to=[^ ]*:be32 cookies=[^ ]*:be64\[2\] label=[^ ]*:string/8 bytes=[^ ]*:u8\[4\] d_iname=[^ ]*:string/4 f_flags=[^ ]*:x32 p=[^ ]*:be16 flags=[^ ]*:x32' \
	"__be16 and others in the order of the machine, flags in hexadecimal, text by its name"
like "$(ours order 'f it->port it->label')" 'port=[^ ]*:u16 label=[^ ]*:string$' "tracefs has the bytes"
# A program in a container, with its debug information there: a path through /proc is not one of ours.
mkdir -p box/bin box/old
gcc -O2 -g -static -o box/bin/boxed "$source"
id=$(readelf -n box/bin/boxed | awk '/Build ID/ { print $3 }')
mkdir -p "box/usr/lib/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug box/bin/boxed "box/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
strip box/bin/boxed
printf '#include <unistd.h>\nint main(void) { return pause(); }\n' | gcc -static -x c -o box/bin/wait -
unshare -Urm sh -c 'mount --bind box box && cd box && pivot_root . old && exec /bin/wait' &
inside=$!
for ((i = 0; i < 200; i++)); do
	[ "$(readlink "/proc/$inside/exe")" = /bin/wait ] && break
	sleep 0.1
done
is "$(readlink "/proc/$inside/root")" / "a container"
is "$(timeout 120 "$rt" probe -x "/proc/$inside/root/bin/boxed" -D 'work count' 2>&1 | sed 's/:0x[0-9a-f]* / /')" \
	"p:probe_boxed/work /proc/$inside/root/bin/boxed $(ours fast 'work count' | sed 's/.* //')" "its program, by the debug information there"
kill $inside
wait $inside 2>/dev/null
done_testing
