#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# flamegraph - `ringtail flamegraph`: the stacks and weights are those of perf script's text, the
# picture is well-formed whatever the recording holds, and wrong requests are refused.

set -u
cd "$(dirname "$0")/../.." || exit 1
command=flamegraph
. tests/host/lib/command.sh


# perf 6.1 for arm64 adds callers that never called, which newer perfs and ringtail do not: script's own
# text, which is compared with theirs elsewhere, takes its place there.
script() { perf script "$@"; }
[ "$(uname -m)" != aarch64 ] || script() { "$ringtail" script -q "$@"; }

# collapse FILE [EVENT]: perf script's text as folded lines.
collapse() {
	script -i "$1" -F comm,tid,time,event,ip,sym,dso 2>/dev/null | EVENT=${2-} perl -e '
		my ($head, @stack, %count);
		sub name {
			my ($sym, $object) = @_;
			return $sym =~ s/;/:/gr if $sym ne "[unknown]";
			return $object if $object =~ /^\[/;
			return "[" . ($object =~ s|.*/||r) . "]";
		}
		sub flush { $count{join ";", $head, reverse @stack}++ if defined $head; undef $head; @stack = () }
		while (<STDIN>) {
			chomp;
			s|/tmp/perf-vdso\.so-......|[vdso]|;
			# Names of functions and of objects may contain " (": objects are paths or one word.
			# A sample: its task, its time, its event, and without -g its place.
			if (/^\s*(\S.*?)\s+\d+\s+\d+\.\d+:\s+(\S+?):\s*(?:[0-9a-f]+ (.*?) \((\/.*|\[.*|\S*)\))?$/) {
				flush();
				next if $ENV{EVENT} ne "" && $2 ne $ENV{EVENT};
				$head = $1 =~ s/;/:/gr;
				push @stack, name($3, $4) if defined $3;
			} elsif (/^\s+[0-9a-f]+ (.*?) \((\/.*|\[.*|\S*)\)$/) {
				push @stack, name($1, $2) if defined $head;
			}
		}
		flush();
		print "$_ $count{$_}\n" for keys %count;' | LC_ALL=C sort
}

# well_formed FILE: prints "yes", or what is wrong; no reference leads out of the file.
well_formed() {
	python3 - "$1" <<'PYTHON'
import re, sys, xml.etree.ElementTree as tree
try:
    root = tree.parse(sys.argv[1]).getroot()
except tree.ParseError as e:
    sys.exit("not XML: %s" % e)
space = "{http://www.w3.org/2000/svg}"
allowed = {space + n for n in ("svg", "style", "script", "rect", "text", "title", "g", "metadata")}
for e in root.iter():
    if e.tag not in allowed:
        sys.exit("element " + e.tag)
    for name, value in e.attrib.items():
        if name.startswith("on") or "href" in name or "url(" in value:
            sys.exit("attribute %s=%s" % (name, value))
text = open(sys.argv[1], encoding="utf-8").read()
if len(root.findall(space + "script")) != 1 or re.search(r"url\(|@import|<image|<use", text):
    sys.exit("a reference")
if set(re.findall(r"https?://[^'\" <]*", text)) - {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}:
    sys.exit("an address")
print("yes")
PYTHON
}

# --- the same as perf script's text ---------------------------------------------------

for file in clock stacks execs dwarf zstd processes pipe trace-stacks mixed details; do
	collapse "$corpus/$file.data" >"$dir/want"
	run -q -i "$corpus/$file.data" --folded --by comm
	LC_ALL=C sort "$dir/out" >"$dir/got"
	if [ "$status" = 0 ] && [ -s "$dir/want" ] && cmp -s "$dir/want" "$dir/got"; then
		tap_point 0 "$file: --folded is the text of perf script, collapsed ($(wc -l <"$dir/got") stacks)"
	else
		tap_point 1 "$file: --folded is the text of perf script, collapsed"
		diag "status $status"
		diff "$dir/want" "$dir/got" | head -n 6 | cut -c1-200 | sed 's/^/# /'
	fi
done

total() { awk '{ n += $NF } END { printf "%.0f\n", n }' "$1"; }
run -q -i "$corpus/mixed.data" --folded --by event
got=$(awk -F '[; ]' '{ n[$1] += $NF } END { for (e in n) print e, n[e] }' "$dir/out" | LC_ALL=C sort)
want=$(perf script -i "$corpus/mixed.data" -F event 2>/dev/null | awk 'NF { gsub(/:? *$/, ""); gsub(/^ */, ""); n[$0]++ } END { for (e in n) print e, n[e] }' | LC_ALL=C sort)
is "$got" "$want" "--by event: each event has its samples"
run -q -i "$corpus/processes.data" --folded --by cpu
got=$(awk -F '[; ]' '{ n[$2] += $NF } END { for (c in n) print c, n[c] }' "$dir/out" | LC_ALL=C sort)
want=$(perf script -i "$corpus/processes.data" -F cpu 2>/dev/null | awk 'NF { gsub(/[^0-9]/, ""); n[$0 + 0]++ } END { for (c in n) print c, n[c] }' | LC_ALL=C sort)
is "$got" "$want" "--by cpu: each CPU has its samples"
event=$(perf script -i "$corpus/mixed.data" -F event 2>/dev/null | awk 'NR == 1 { gsub(/:? *$/, ""); gsub(/^ */, ""); print }')
collapse "$corpus/mixed.data" "$event" >"$dir/want"
run -q -i "$corpus/mixed.data" --folded -e "$event"
LC_ALL=C sort "$dir/out" >"$dir/got"
ok "-e $event: only its samples, by task" cmp -s "$dir/want" "$dir/got"
run -q -i "$corpus/clock.data" --folded --period
want=$(perf script -i "$corpus/clock.data" -F period 2>/dev/null | awk '{ n += $1 } END { printf "%.0f\n", n }')
is "$(total "$dir/out")" "$want" "--period: the sum of all periods"

# --- comparison -------------------------------------------------------------------------

run -q -i "$corpus/stacks.data" --diff "$corpus/clockid.data" --folded
awk '$NF > 0 { n = $NF; sub(/ [0-9]+ [0-9]+$/, ""); print $0 " " n }' "$dir/out" | LC_ALL=C sort >"$dir/now"
awk '$(NF - 1) > 0 { n = $(NF - 1); sub(/ [0-9]+ [0-9]+$/, ""); print $0 " " n }' "$dir/out" | LC_ALL=C sort >"$dir/before"
"$ringtail" flamegraph -q -i "$corpus/stacks.data" --folded | LC_ALL=C sort | cmp -s - "$dir/now"
is "$?" 0 "--diff --folded: the second number is the recording's"
"$ringtail" flamegraph -q -i "$corpus/clockid.data" --folded | LC_ALL=C sort | cmp -s - "$dir/before"
is "$?" 0 "and the first the earlier one's"
run -q -i "$corpus/stacks.data" --diff "$corpus/clockid.data" -o "$dir/diff.svg"
is "$status $(well_formed "$dir/diff.svg")" "0 yes" "--diff: the picture is well-formed"
like "$(cat "$dir/diff.svg")" 'change: [+-][0-9.]+ points' "and has the changes"

# --- off-CPU ------------------------------------------------------------------------------

perf record -q -a -g -e sched:sched_switch -o "$dir/switch.data" -- sh -c 'for i in 1 2 3 4 5 6; do sleep 0.03; done' >/dev/null 2>&1
perf script --ns -i "$dir/switch.data" -F comm,tid,time,event,trace -G 2>/dev/null | perl -ne '
	next unless /^\s*(.*?)\s+-?\d+\s+(\d+)\.(\d+):\s+sched:sched_switch:.*prev_pid=(\d+) .*prev_state=(\S+) .*next_pid=(\d+)/;
	my ($comm, $time, $prev, $state, $next) = ($1, $2 * 1e9 + $3, $4, $5, $6);
	if ($next && $left{$next}) { my ($c, $t) = @{delete $left{$next}}; $sum{$c} += $time - $t }
	$left{$prev} = [$comm =~ s/;/:/gr, $time] if $prev && $state !~ /[XZ]/;
	END { print "$_ $sum{$_}\n" for keys %sum }' | grep -v ' 0$' | LC_ALL=C sort >"$dir/want"
run -q -i "$dir/switch.data" --off-cpu --folded
sed -E 's/^([^;]*)(;.*)? ([0-9]+)$/\1;\3/' "$dir/out" | awk -F ';' '{ n[$1] += $2 } END { for (c in n) printf "%s %.0f\n", c, n[c] }' | LC_ALL=C sort >"$dir/got"
ok "--off-cpu: nanoseconds from switch to switch, by task ($(wc -l <"$dir/got") tasks)" cmp -s "$dir/want" "$dir/got" ||
	diff "$dir/want" "$dir/got" | head -n 6 | sed 's/^/# /'
like "$(cat "$dir/got")" '^sleep [1-9][0-9]{7}' "the sleeper has slept"
like "$(cat "$dir/out")" 'sleep;.*schedule' "on the stack where it left its CPU"
run -q -i "$dir/switch.data" --off-cpu --folded --comms sleep
is "$(cut -d ';' -f 1 "$dir/out" | sort -u)" sleep "--comms: only this task, though others take its place"
run -q -i "$dir/switch.data" --off-cpu -o "$dir/off.svg"
is "$status $(well_formed "$dir/off.svg")" "0 yes" "--off-cpu: the picture is well-formed"
run -i "$corpus/clock.data" --off-cpu -o "$dir/none.svg"
is "$status" 1 "--off-cpu of a recording without switches fails"
like "$(cat "$dir/err")" 'no sched:sched_switch events; record them with' "and says what to record"

# --- pictures --------------------------------------------------------------------------------

for file in clock dwarf processes trace-stacks; do
	run -q -i "$corpus/$file.data" -o "$dir/$file.svg"
	is "$status $(well_formed "$dir/$file.svg")" "0 yes" "$file: the picture is well-formed and refers to nothing outside"
	want=$(perf script -i "$corpus/$file.data" -F event 2>/dev/null | grep -c .)
	is "$(sed -n 's/.*class="frames" data-total="\([0-9]*\)".*/\1/p' "$dir/$file.svg")" "$want" "$file: its root has all samples"
done
for kind in k u; do
	like "$(cat "$dir/processes.svg")" "<g class=\"$kind s[0-5]\"" "frames of the kind '$kind' have its colour"
done
like "$(cat "$dir/dwarf.svg")" '<g class="i s[0-5]"[^>]*><title>' "inlined functions have theirs"
if perf record -q -o "$dir/jit.data" -e cpu-clock:u -F 2000 -g -- node --perf-basic-prof --interpreted-frames-native-stack \
	--logfile=/dev/null "$PWD/tests/host/lib/jit.js" 30000 >/dev/null 2>&1; then
	run -q -i "$dir/jit.data" -o "$dir/jit.svg"
	like "$(cat "$dir/jit.svg")" '<g class="j s[0-5]"[^>]*><title>[^<]*JavaScript' "functions of a JIT compiler have theirs"
	rm -f /tmp/perf-"$(perf script -i "$dir/jit.data" -F pid 2>/dev/null | sort | uniq -c | sort -n | awk 'END { print $2 }')".map
else
	skip "functions of a JIT compiler have theirs" "perf could not record node"
fi
like "$(cat "$dir/dwarf.svg")" '<title>middle' "the function of the test program is there"
run -q -i "$corpus/stacks.data"
is "$(head -c 5 "$dir/out")" '<?xml' "without -o the picture goes to a standard output that is no terminal"
run -i "$corpus/stacks.data" --icicle -o "$dir/icicle.svg"
like "$(cat "$dir/err")" "wrote $dir/icicle.svg" "the file is named"
like "$(cat "$dir/icicle.svg")" 'data-icicle="1"' "--icicle"
run -q -i "$corpus/stacks.data" --title 'a <b> & c' -o "$dir/title.svg"
like "$(cat "$dir/title.svg")" '>a &lt;b&gt; &amp; c<' "--title"

# A task that calls itself what could end a script, with control bytes and bytes that are no UTF-8.
perf record -q -g -e cpu-clock -F 2000 -o "$dir/hostile.data" -- \
	perl -e '$0 = "</script>\x1b\xff;&"; my $end = time + 2; my $n; $n++ while times < 0.1 && time < $end' >/dev/null 2>&1
run -q -i "$dir/hostile.data" -o "$dir/hostile.svg"
is "$status $(well_formed "$dir/hostile.svg")" "0 yes" "a hostile task name: the picture is well-formed"
like "$(cat "$dir/hostile.svg")" '&lt;/script&gt;\\x1b\\xff;&amp;' "and shows the name"
run -q -i "$dir/hostile.data" --folded
like "$(cat "$dir/out")" '^</script>\\x1b\\xff:&' "--folded keeps the line and its separators"

# --- what is wrong is said -------------------------------------------------------------------

refused() { # STATUS PATTERN WHAT OPTION…
	local want=$1 pattern=$2 what=$3
	shift 3
	rm -f "$dir/refused.svg"
	run -o "$dir/refused.svg" "$@"
	is "$status $(grep -c . "$dir/err") $(ls "$dir"/refused.svg* 2>/dev/null)" "$want 1 " "$what: status $want, one line, no file"
	like "$(cat "$dir/err")" "$pattern" "$what: the reason"
}
refused 1 'nothing.data' "a file that is not there" -i "$dir/nothing.data"
refused 1 'not a perf.data|perf.data' "a file of another kind" -i "$dir/clock.svg"
refused 2 'choose from event, comm' "--by of something unknown" -i "$corpus/stacks.data" --by socks
refused 2 'twice' "--by of something twice" -i "$corpus/stacks.data" --by comm,comm
refused 2 'choose from 300' "a picture without width" -i "$corpus/stacks.data" --width 5
refused 2 'number of pixels' "a minimum that is no number" -i "$corpus/stacks.data" --min-width wide
refused 2 'number of pixels' "a minimum that is not a number, literally" -i "$corpus/stacks.data" --min-width nan
refused 2 'do not go together' "two kinds of weight" -i "$corpus/stacks.data" --off-cpu --period
refused 2 '-i' "a file without -i" "$corpus/stacks.data"
refused 1 "no event 'cycle'" "an event that is not there" -i "$corpus/stacks.data" -e cycle
refused 1 'nothing is shown: none of the [0-9]+ samples' "a task that is not there" -i "$corpus/stacks.data" --comms nobody
refused 1 'nothing.data' "an earlier recording that is not there" -i "$corpus/stacks.data" --diff "$dir/nothing.data"
refused 1 'cannot write' "a directory that is not there" -i "$corpus/stacks.data" -o "$dir/no/such.svg"
echo old >"$dir/kept.svg"
run -i "$corpus/stacks.data" --comms nobody -o "$dir/kept.svg"
is "$(cat "$dir/kept.svg")" old "a refused request leaves the file as it was"
if [ -w /dev/full ]; then
	run -q -i "$corpus/stacks.data" -o /dev/full
	is "$status" 1 "a full disk fails"
	like "$(cat "$dir/err")" 'No space left' "and is said so"
fi
size=$(stat -c %s "$corpus/stacks.data")
head -c $((size * 2 / 3)) "$corpus/stacks.data" >"$dir/half.data"
run -q -i "$dir/half.data" -o "$dir/half.svg"
is "$status $(well_formed "$dir/half.svg")" "1 yes" "a file that was cut: exit status 1, and a picture of what it holds"
like "$(cat "$dir/half.svg")" 'damaged: only its first part is shown' "which says that it is not all"

python3 tests/host/lib/perfdata-lost.py "$dir/lost.data"
run -q -i "$dir/lost.data" -o "$dir/lost.svg"
is "$status $(well_formed "$dir/lost.svg")" "0 yes" "a recording with losses"
like "$(cat "$dir/lost.svg")" '>42 events were lost while recording' "the picture says how many"

done_testing
