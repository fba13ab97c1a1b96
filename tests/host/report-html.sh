#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# report-html - `ringtail report --html`: the page is well-formed and allows no request whatever the
# recording holds; its numbers are those of report --stdio and of perf script's text.

set -u
cd "$(dirname "$0")/../.." || exit 1
command=report
. tests/host/lib/command.sh

page() { python3 tests/host/lib/report-page.py "$@"; }
samples() { perf script -i "$1" -F event 2>/dev/null | grep -c .; }

# --- tables as report --stdio prints them ----------------------------------------------

# table FILE EVENT OPTION…: the same rows in both.
table() {
	local file=$1 event=$2
	shift 2
	run -q -i "$corpus/$file.data" -g none --html "$dir/$file.html" "$@"
	page "$dir/$file.html" table "$event" >"$dir/got"
	"$ringtail" report --stdio -i "$corpus/$file.data" -g none -t '|' "$@" 2>/dev/null | EVENT=$event perl -ne '
		if (/^# Samples: .* of event .(.*).$/) { $on = $1 eq $ENV{EVENT}; next }
		next if /^#/ || !$on || !/\S/;
		chomp; print join("|", map { s/^\s+|\s+$//gr } split /\|/, $_, -1), "\n"' | head -n "$(wc -l <"$dir/got")" >"$dir/want"
	if [ "$status" = 0 ] && [ -s "$dir/want" ] && cmp -s "$dir/want" "$dir/got"; then
		tap_point 0 "$file $*: the table of $event is that of --stdio ($(wc -l <"$dir/got") rows)"
	else
		tap_point 1 "$file $*: the table of $event is that of --stdio"
		diff "$dir/want" "$dir/got" | head -n 6 | sed 's/^/# /'
	fi
}
first_event() { "$ringtail" evlist -i "$corpus/$1.data" 2>/dev/null | head -n 1; }
for file in clock stacks dwarf processes; do
	table "$file" "$(first_event "$file")"
done
table stacks "$(first_event stacks)" --no-children
table processes "$(first_event processes)" --sort comm,dso -n
table mixed sched:sched_process_fork
table trace raw_syscalls:sys_enter --sort comm,sym --switch-on sched:sched_switch
table trace raw_syscalls:sys_enter --sort comm,sym
for file in clock stacks dwarf processes mixed trace; do
	is "$(page "$dir/$file.html" check)" yes "$file: the page is well-formed, and its policy allows only its own parts"
	got=$(page "$dir/$file.html" timeline | awk -F '|' '$1 == "events" { n += $3; bad += $3 != $4 || NF > 4 } END { print n, bad + 0 }')
	is "$got" "$(samples "$corpus/$file.data") 0" "$file: the timeline has every sample"
done
got=$(page "$dir/processes.html" timeline | awk -F '|' '$1 == "CPUs" { sub("CPU ", "", $2); print $2, $3 }')
want=$(perf script -i "$corpus/processes.data" -F cpu 2>/dev/null | awk 'NF { gsub(/[^0-9]/, ""); n[$0 + 0]++ } END { for (c in n) print c, n[c] }' | sort -n)
is "$got" "$want" "each CPU has its samples on the timeline"

# --- values and latencies ----------------------------------------------------------------

run -q -i "$corpus/trace.data" --html "$dir/trace.html"
perf script -i "$corpus/trace.data" -F event,trace 2>/dev/null >"$dir/text"
got=$(page "$dir/trace.html" values sched:sched_switch | awk -F '|' '$2 == "next_pid" && $3 != "others" { print $3, $4 }' | sort)
want=$(sed -n 's/.*sched:sched_switch:.*next_pid=\([0-9]*\) .*/\1/p' "$dir/text" | sort | uniq -c | sort -rn |
	awk '{ print $1, $2 }' | sort -k1,1nr -k2,2n | head -n 8 | awk '{ print $2, $1 }' | sort)
is "$got" "$want" "the values of next_pid, the most frequent, with their counts"
got=$(page "$dir/trace.html" values sched:sched_switch | awk -F '|' '$2 == "prev_comm" { n += $4 } END { print n }')
is "$got" "$(grep -c 'sched:sched_switch:' "$dir/text")" "the values of prev_comm are all there"
page "$dir/trace.html" latency >"$dir/pairs"
want=$(perf script --ns -i "$corpus/trace.data" -F tid,time,event 2>/dev/null | perl -ne '
	next unless /^\s*(\d+)\s+(\d+)\.(\d+):\s+raw_syscalls:sys_(enter|exit)/;
	my $time = $2 * 1000000000 + $3;
	if ($4 eq "enter") { $open{$1} = $time; next }
	next unless defined $open{$1};
	my $ns = $time - delete $open{$1};
	$n++; $max = $ns if $ns > $max; $min = $ns if !defined $min || $ns < $min;
	END { print "$n $min $max\n" }')
got=$(perl -CSD -ne '
	sub ns { my ($n, $u) = @_; return sprintf "%d", $n * { ns => 1, "\x{b5}s" => 1e3, ms => 1e6, s => 1e9 }->{$u} + .5 }
	next unless /^raw_syscalls:sys_enter.*: ([0-9,]+) pairs?, shortest ([0-9.]+) (\S+), .*longest ([0-9.]+) ([^\s;]+)/;
	my ($n, @rest) = ($1, $2, $3, $4, $5); $n =~ s/,//g;
	print "$n ", ns(@rest[0, 1]), " ", ns(@rest[2, 3]), "\n"' "$dir/pairs")
# Durations have four or more digits: compare within what they leave out.
is "${got%% *}" "${want%% *}" "each system call is one pair"
is "$(echo "$got $want" | awk '{ d1 = $2 - $5; d2 = $3 - $6; print (d1 * d1 <= ($5 / 1000 + 1) ^ 2 && d2 * d2 <= ($6 / 1000 + 1) ^ 2) ? "same" : $0 }')" same \
	"the shortest and the longest time are those of perf script's text"

# A recording of ringtail's own with a probe and a watch.
[ -x build/san/unit/writer_scenes ] || make -s SAN=1 build/san/unit/writer_scenes >&2 || exit 1
build/san/unit/writer_scenes probe "$dir/probe.data" >/dev/null
run -q -i "$dir/probe.data" --html "$dir/probe.html"
is "$status $(page "$dir/probe.html" check)" "0 yes" "a recording with a probe and a watch"
want=$("$ringtail" script -q -i "$dir/probe.data" -F event,trace | sed -n 's/.*probe:tcp_sendmsg: *(\([0-9a-f]*\)).*/0x\1/p' | sort | uniq -c | awk '{ print $2, $1 }' | sort | head -n 5)
got=$(page "$dir/probe.html" values probe:tcp_sendmsg | awk -F '|' '$2 == "__probe_ip" && $3 != "others" { print $3, $4 }' | sort | head -n 5)
is "$got" "$want" "addresses of a probe are in hexadecimal, with 0x"

# --- what is left out is counted ------------------------------------------------------------

cat >"$dir/calls.py" <<'PYTHON'
import ctypes, fcntl, os, select, socket, sys
fd = 999
calls = [lambda: os.read(fd, 1), lambda: os.write(fd, b""), lambda: os.close(fd), lambda: os.fstat(fd), lambda: os.lseek(fd, 0, 0),
         lambda: os.dup(fd), lambda: os.dup2(fd, 998), lambda: fcntl.fcntl(fd, 1), lambda: fcntl.flock(fd, 8), lambda: os.fsync(fd),
         lambda: os.fdatasync(fd), lambda: os.ftruncate(fd, 0), lambda: os.fchdir(fd), lambda: os.fchmod(fd, 0), lambda: os.fchown(fd, 0, 0),
         lambda: os.fstatvfs(fd), lambda: os.pread(fd, 1, 0), lambda: os.pwrite(fd, b"", 0), lambda: os.readv(fd, [bytearray(1)]),
         lambda: os.writev(fd, [b""]), lambda: os.preadv(fd, [bytearray(1)], 0, 1), lambda: os.pwritev(fd, [b""], 0, 2),
         lambda: os.getxattr(fd, "user.a"), lambda: os.setxattr(fd, "user.a", b""), lambda: os.listxattr(fd), lambda: os.removexattr(fd, "user.a"),
         lambda: os.posix_fallocate(fd, 0, 1), lambda: os.posix_fadvise(fd, 0, 0, 0), lambda: os.sendfile(fd, fd, 0, 1),
         lambda: os.getpgid(0), lambda: os.getsid(0), lambda: os.getpriority(0, 0), lambda: os.sched_getparam(0),
         lambda: os.sched_getscheduler(0), lambda: os.sched_getaffinity(0), lambda: os.sched_yield(), lambda: os.sched_rr_get_interval(0),
         lambda: os.getuid(), lambda: os.geteuid(), lambda: os.getgid(), lambda: os.getegid(), lambda: os.getppid(), lambda: os.getgroups(),
         lambda: os.getresuid(), lambda: os.getresgid(), lambda: os.umask(18), lambda: os.uname(), lambda: os.times(), lambda: os.pipe(),
         lambda: os.eventfd(0), lambda: os.memfd_create("x"), lambda: os.pidfd_open(0), lambda: select.epoll().close(),
         lambda: os.chdir("/"), lambda: os.getcwd(), lambda: os.readlink("/none"), lambda: os.mkdir("/none/x"), lambda: os.rmdir("/none"),
         lambda: os.unlink("/none"), lambda: os.rename("/none", "/no"), lambda: os.link("/none", "/no"), lambda: os.symlink("/none", "/none/x"),
         lambda: os.truncate("/none", 0), lambda: os.chmod("/none", 0), lambda: os.chown("/none", 0, 0), lambda: os.access("/none", 0),
         lambda: socket.socketpair(), lambda: socket.socket().connect(("127.0.0.1", 1)), lambda: socket.socket().listen(),
         lambda: socket.socket().getsockname(), lambda: socket.socket().getpeername(), lambda: socket.socket().shutdown(2)]
for call in calls:
    try:
        call()
    except OSError:
        pass
PYTHON
perf record -q -m 1M -e 'syscalls:sys_enter_*,syscalls:sys_exit_*' -o "$dir/calls.data" -- python3 "$dir/calls.py" >/dev/null 2>&1
run -q -i "$dir/calls.data" --html "$dir/calls.html"
is "$status $(page "$dir/calls.html" check)" "0 yes" "a page of all system calls"
perf script -i "$dir/calls.data" -F event 2>/dev/null | sed -n 's/.*sys_\(enter\|exit\)_\([a-z0-9_]*\):.*/\1 \2/p' | sort -u >"$dir/calls"
events=$(wc -l <"$dir/calls") pairs=$(sed -n 's/enter //p' "$dir/calls" | sort | comm -12 - <(sed -n 's/exit //p' "$dir/calls" | sort) | wc -l)
like "$(cat "$dir/calls.html")" ">$((pairs - 48)) more pairs? of events (is|are) not shown\\." "of $pairs pairs of events it says how many are not shown"
like "$(cat "$dir/calls.html")" ">$((events - 8)) events with fewer samples are not drawn\\." "and of $events events how many have no flame graph"
got=$(page "$dir/calls.html" timeline | awk -F '|' '$1 == "events" { n += $3; rows++; last = $2 } END { print n, rows, last }')
is "$got" "$(samples "$dir/calls.data") 49 $((events - 48)) others" "the timeline adds up the events that it has no row for"

# --- losses and hostile names ----------------------------------------------------------------

python3 tests/host/lib/perfdata-lost.py "$dir/lost.data"
run -q -i "$dir/lost.data" --html "$dir/lost.html"
is "$status $(page "$dir/lost.html" check)" "0 yes" "a hostile task name: the page is well-formed"
like "$(cat "$dir/lost.html")" '&lt;/script&gt;' "and shows the name"
is "$(page "$dir/lost.html" lost)" 42 "losses are on the timeline"
like "$(cat "$dir/lost.html")" '42 events were lost while recording' "and in words"
bad=0
for seed in 1 2 3 4 5 6 7 8; do
	python3 tests/host/lib/perfdata-lost.py "$dir/names.data" "$seed"
	run -q -i "$dir/names.data" --html "$dir/names.html"
	verdict=$(page "$dir/names.html" check)
	"$ringtail" flamegraph -q -i "$dir/names.data" -o "$dir/names.svg"
	well=$(python3 -c 'import sys, xml.etree.ElementTree as t; print(len(list(t.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}title"))) > 100)' "$dir/names.svg" 2>&1)
	[ "$status $verdict $well" = "0 yes True" ] || { bad=$((bad + 1)); diag "seed $seed: $status $verdict $well"; }
done
page "$dir/names.html" timeline | grep -a '^tasks|' >"$dir/tasks"
is "$(wc -l <"$dir/tasks") $(perl -ne '$n += /\|(\d+) others\|/ ? $1 : /\((\d+) tasks\)\|/ ? $1 : 1; END { print $n }' "$dir/tasks")" "41 100" \
	"of 100 tasks the timeline has those of 40 names, and says how many it adds up"
is "$bad" 0 "hostile names of 800 tasks and objects: Python's parsers read the page, its JSON and the flame graph"
run -q -i "$dir/lost.data" --html -
is "$(head -n 1 "$dir/out")" '<!DOCTYPE html>' "--html - writes to standard output"

# --- what is wrong is said ---------------------------------------------------------------------

run -i "$corpus/clock.data" --html "$dir/no/such.html"
is "$status" 1 "a directory that is not there fails"
like "$(cat "$dir/err")" "cannot write $dir/no/such.html: No such file" "with the reason"
run -i "$dir/nothing.data" --html "$dir/nothing.html"
is "$status $(ls "$dir"/nothing.html* 2>/dev/null)" "1 " "a recording that is not there makes no page"
size=$(stat -c %s "$corpus/stacks.data")
head -c $((size * 2 / 3)) "$corpus/stacks.data" >"$dir/half.data"
run -q -i "$dir/half.data" --html "$dir/half.html"
is "$status $(page "$dir/half.html" check)" "1 yes" "a file that was cut: exit status 1, and a page of what it holds"
like "$(cat "$dir/half.html")" 'damaged: only its first part is shown' "which says that it is not all"
# Recordings with bytes changed at random: a page or a reason, never a crash, never a broken page.
bad=0 pages=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	file=trace-stacks
	[ $((seed % 2)) = 0 ] || file=trace
	perl -e 'my ($seed, $in, $out) = @ARGV; srand $seed; local $/; open my $f, "<:raw", $in; my $d = <$f>;
		for (1 .. 12) { substr($d, 104 + int(rand(length($d) - 104)), 1) = chr int rand 256 } open my $o, ">:raw", $out; print $o $d' \
		"$seed" "$corpus/$file.data" "$dir/hit.data"
	rm -f "$dir/hit.html"
	timeout 60 "$ringtail" report -q -i "$dir/hit.data" --html "$dir/hit.html" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -le 1 ] || { bad=$((bad + 1)); diag "seed $seed: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
	[ -e "$dir/hit.html" ] || continue
	pages=$((pages + 1))
	verdict=$(page "$dir/hit.html" check)
	[ "$verdict" = yes ] || { bad=$((bad + 1)); diag "seed $seed: $verdict"; }
done
is "$bad" 0 "damaged recordings never crash and never break the page ($pages pages)"
# Waits after preemption count: four programs on one CPU take it from each other.
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
for _ in 1 2 3 4; do taskset -c "$cpu" timeout 3 sh -c 'while :; do :; done' & done
perf record -q -a -m 4M -e sched:sched_switch,sched:sched_wakeup -o "$dir/wait.data" sleep 1 2>/dev/null
wait
want=$(perf sched latency -i "$dir/wait.data" 2>/dev/null | perl -ne '$m = $1 if /max: *([0-9.]+) ms/ && $1 > $m; END { printf "%.3f ms", $m }')
run -q -i "$dir/wait.data" --html "$dir/wait.html"
like "$(page "$dir/wait.html" latency)" "longest $(perl -e '$_ = shift; /(.*) ms/; $1 >= 1000 ? printf("%.3f s", $1 / 1000) : print' "$want")" \
	"the longest wait is perf's: $want"
done_testing
