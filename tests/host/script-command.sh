#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script-command - what `ringtail script` does beyond printing as perf does: JSON and CSV,
# damaged files, a reader that goes away, errors, and the differences from perf that are
# meant (docs/perf-differences.md).

set -u
cd "$(dirname "$0")/../.." || exit 1
command=script
. tests/host/lib/command.sh


# --- for programs ------------------------------------------------------------------

for file in clock stacks dwarf trace trace-stacks details mixed; do
	run -q -i "$corpus/$file.data" --json
	want=$(perf script -i "$corpus/$file.data" -F event 2>/dev/null | grep -c .)
	got=$(perl -MJSON::PP -ne 'my $o = decode_json($_); $n++ if $o->{event}; END { print $n }' "$dir/out" 2>&1)
	is "$status $got" "0 $want" "$file: --json is one valid object an event"
done
run -q -i "$corpus/stacks.data" --json
got=$(perl -MJSON::PP -ne 'my $o = decode_json($_); print "$o->{comm} $o->{tid} ", join(";", map { $_->{sym} // "[unknown]" } @{$o->{callchain}}), "\n"' "$dir/out" | sha256sum)
want=$("$ringtail" script -q -i "$corpus/stacks.data" -F comm,tid,ip,sym |
	perl -00 -ne 'my ($h, @f) = split /\n/; $h =~ s/^(.*?)\s+(\d+)\s*$/$1 $2/; print "$h ", join(";", map { /^\s*\S+ (.*)/; $1 } @f), "\n"' | sha256sum)
is "$got" "$want" "--json has the frames the text has"
run -q -i "$corpus/trace.data" --json
got=$(perl -MJSON::PP -ne 'my $o = decode_json($_); next unless $o->{event} eq "sched:sched_switch"; my $f = $o->{fields};
	$bad++ unless $o->{trace} =~ /prev_pid=$f->{prev_pid} / && index($o->{trace}, "next_comm=$f->{next_comm} ") >= 0; $n++; END { print $n > 0 ? $bad + 0 : "none" }' "$dir/out")
is "$got" 0 "--json has a tracepoint's fields by name"
run -q -i "$corpus/software.data" --csv
columns=$(head -n 1 "$dir/out" | tr ',' '\n' | wc -l)
got=$(perl -ne 'my $q = 0; my $n = 1; for (split //) { $q ^= 1 if $_ eq "\""; $n++ if $_ eq "," && !$q } print "$n\n"' "$dir/out" | sort -u)
is "$status $got" "0 $columns" "--csv has the same columns in every line"

run -q -i - --csv <"$corpus/pipe.data"
is "$status $(head -n 1 "$dir/out")" "0 comm,pid,tid,time,event,period,ip,sym,dso,callchain" "--csv of a pipe begins with the names of its columns"
# What a tracepoint's record begins with, as the bytes of the file have it: flags, depth of preemption.
run -q -i "$corpus/trace.data" -F context
want=$(perf script -i "$corpus/trace.data" -F event 2>/dev/null | grep -c .)
is "$status $(grep -cE '^ *(task|softirq|hardirq|nmi)/[0-9]+ $' "$dir/out")" "0 $want" "-F context: every tracepoint has one"
run -q -i "$corpus/trace.data" -F event,context
is "$(grep softirq_entry "$dir/out" | grep -vcE '^ *(softirq|task)/')" 0 "softirq_entry is not in a hardirq"
is "$(grep irq_handler_entry "$dir/out" | grep -vcE '^ *hardirq/')" 0 "irq_handler_entry always is"
run -q -i "$corpus/trace.data" --json
got=$(perl -MJSON::PP -ne 'my $o = decode_json($_); $bad++ unless $o->{context} =~ /^(task|softirq|hardirq|nmi)$/ && $o->{preempt} =~ /^\d+$/; END { print $bad + 0 }' "$dir/out")
is "$got" 0 "--json has the context of tracepoints"
python3 tests/host/lib/perfdata-weight.py "$dir/weight.data"
run -q -i "$dir/weight.data" -F comm,tid,weight,ins_lat
is "$(tr -s ' ' <"$dir/out")" " weighed 5 7 11" "a weight in three parts: the first is the weight"
run -q -i "$dir/weight.data" -F comm,weight --json
like "$(cat "$dir/out")" '"weight":7[,}]' "in --json, too"

# --- output ---------------------------------------------------------------------------

start=$(date +%s%N)
first=$("$ringtail" script -q -i "$corpus/stacks.data" 2>"$dir/err" | head -n 1)
took=$((($(date +%s%N) - start) / 1000000))
like "$first" 'cpu-clock:' "output begins at once ($took ms)"
is "$(cat "$dir/err")" "" "a reader that goes away is no error worth a word"
one=$("$ringtail" script -q --threads 1 -i "$corpus/stacks.data" | sha256sum)
many=$("$ringtail" script -q --threads 7 -i "$corpus/stacks.data" | sha256sum)
is "$many" "$one" "any number of threads prints the same"
run -q -i "$corpus/stacks.data"
is "$(cat "$dir/err")" "" "nothing is said on stderr when all is well"
if [ -w /dev/full ]; then
	"$ringtail" script -q -i "$corpus/stacks.data" >/dev/full 2>"$dir/err"
	is "$?" 1 "a full disk fails"
	like "$(cat "$dir/err")" 'cannot write the output: No space left' "and is said so"
fi
run -i "$corpus/stacks.data"
unlike "$(cat "$dir/out")" 'no symbols for' "objects without symbols are not listed in the output"
run -q -i "$corpus/stacks.data" --header-only
like "$(cat "$dir/out")" '# hostname :' "--header-only prints the header"
unlike "$(cat "$dir/out")" 'cpu-clock:' "and nothing else"
for option in --kallsyms --vmlinux; do
	run -q -i "$corpus/stacks.data" $option /nonexistent/file
	is "$status" 1 "$option of a file that is not there is refused"
	like "$(cat "$dir/err")" "$option /nonexistent/file cannot be read" "and it says so"
done
"$ringtail" script -q -i - <"$corpus/pipe.data" >"$dir/stdin" 2>"$dir/err"
"$ringtail" script -q -i "$corpus/pipe.data" >"$dir/out"
ok "standard input is read as a file is" cmp -s "$dir/stdin" "$dir/out"

# --- damage -----------------------------------------------------------------------------

# Where the records are: two numbers of the file header.
word() { od -A n -t u8 -j "$2" -N 8 "$1" | tr -d ' '; }
size=$(stat -c %s "$corpus/clock.data")
head -c $(($(word "$corpus/clock.data" 40) + $(word "$corpus/clock.data" 48) * 3 / 4)) "$corpus/clock.data" >"$dir/half.data"
run -q -i "$dir/half.data"
is "$status" 1 "a file that ends among its records: exit status 1"
like "$(cat "$dir/err")" 'offset|0x[0-9a-f]+' "and where it ends is said"
"$ringtail" script -q -i "$corpus/clock.data" >"$dir/whole"
lines=$(wc -l <"$dir/out")
ok "everything before the damage is printed ($lines lines)" test "$lines" -gt 0
# What another CPU recorded in the same time may lie behind the cut.
is "$(diff "$dir/whole" "$dir/out" | grep -c '^>')" 0 "and it is as in the whole file, in its order"
bad=0
for at in $(seq 0 $((size / 31)) "$size"); do
	head -c "$at" "$corpus/clock.data" >"$dir/cut.data"
	timeout 60 "$ringtail" script -q -i "$dir/cut.data" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -le 1 ] || { bad=$((bad + 1)); diag "cut at $at: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
	[ $status = 0 ] || [ -s "$dir/err" ] || { bad=$((bad + 1)); diag "cut at $at: no word"; }
done
is "$bad" 0 "a file cut at thirty places never crashes, and always says why it stopped"
bad=0
for seed in $(seq 1 20); do
	perl tests/host/lib/perfdata-hit.pl "$seed" "$corpus/trace-stacks.data" "$dir/hit.data"
	case $((seed % 3)) in 0) format=--json ;; 1) format=--csv ;; *) format=--reltime ;; esac
	timeout 60 "$ringtail" script -q $format -i "$dir/hit.data" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -le 1 ] || { bad=$((bad + 1)); diag "seed $seed: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
done
is "$bad" 0 "twenty files with eight bytes changed never crash"
# A sample in the middle whose stack is longer than it: found by whoever prints it.  The number of
# its entries comes after the fields that are a word each.
at=$("$ringtail" script -D -i "$corpus/stacks.data" 2>/dev/null |
	perl -ne 'push @at, $1 if /^\d+ (0x\w+) \[0x\w+\]: PERF_RECORD_SAMPLE/; END { print $at[@at / 2] }')
fixed=$("$ringtail" evlist -v -i "$corpus/stacks.data" | perl -ne 'print scalar grep /^(IDENTIFIER|IP|TID|TIME|ADDR|ID|STREAM_ID|CPU|PERIOD)$/, split /\|/, $1 if /sample_type: ([A-Z_|]+)/')
cp "$corpus/stacks.data" "$dir/long.data"
printf '\377' | dd of="$dir/long.data" bs=1 seek=$((at + 8 + 8 * fixed + 1)) conv=notrunc 2>/dev/null
"$ringtail" script -q -i "$corpus/stacks.data" >"$dir/whole"
is_beginning() { [ -s "$1" ] && head -c "$(stat -c %s "$1")" "$2" | cmp -s - "$1" && ! cmp -s "$1" "$2"; }
for threads in 1 2 7; do
	run -q --threads $threads -i "$dir/long.data"
	is "$status" 1 "a sample that is too short, $threads threads: exit status 1"
	like "$(cat "$dir/err")" "the sample at offset $at is too short for its callchain" "and which it is is said"
	ok "all before it is printed and nothing after it" is_beginning "$dir/out" "$dir/whole"
done

# --- errors --------------------------------------------------------------------------------

refused 2 "no option '--fileds'; did you mean '--fields'" --fileds comm
refused 2 "no field 'colour'; the fields are comm" -F colour
refused 2 "not both" -F comm,+time
refused 2 'no type of event' -F x:comm
refused 2 'do not go together' --reltime --deltatime
refused 2 "not a list of numbers" --cpu x
refused 2 'wants a value' -i
refused 1 'no such file|No such file' -i "$dir/nothing.data"
refused 1 'recorded without data addresses' -i "$corpus/clock.data" -F addr
refused 1 'not understood' -i "$corpus/clock.data" --time later
refused 1 'recorded without CPU numbers' -i "$corpus/clock.data" --cpu 0
cp "$corpus/clock.data" "$dir/size.data"
printf '\0\0\0\0\0\0\0\20' | dd of="$dir/size.data" bs=1 seek=16 conv=notrunc 2>/dev/null
refused 1 'size of 1152921504606846976 bytes.* damaged' -i "$dir/size.data"
refused 1 'recorded without CPU numbers' -i "$corpus/pipe.data" --cpu 0
refused 1 'time of day' -i "$corpus/clock.data" -F +tod
run --help
is "$status" 0 "--help succeeds"
like "$(cat "$dir/out")" '--fields LIST' "--help lists the options"

# --- differences that are meant (docs/perf-differences.md) ------------------------------------

# After an exec perf shows callers of leaf functions twice: once as LR - 1, once as LR.
if [ "$(uname -m)" = aarch64 ]; then
	perf script -i "$corpus/execs.data" >"$dir/perf" 2>/dev/null
	"$ringtail" script -q -i "$corpus/execs.data" >"$dir/out"
	twice=$(diff "$dir/perf" "$dir/out" | grep -c '^<')
	ok "perf shows callers twice after an exec ($twice times)" test "$twice" -gt 0
	is "$(diff "$dir/perf" "$dir/out" | grep -c '^>')" 0 "ringtail shows nothing that perf does not"
	compat=--compat
	same "--compat shows them as perf does" "$corpus/execs.data"
	compat=
fi
is "$("$ringtail" script -q -i "$corpus/trace.data" --switch-off sched:sched_process_exec | grep -c sched_process_exec)" 0 \
	"--switch-off alone ends the output"
inlined=$("$ringtail" script -q --inline -i "$corpus/stacks.data" | grep -c 'twist.*(inlined)')
ok "--inline shows inlined functions in stacks walked by frame pointers ($inlined)" test "$inlined" -gt 0
is "$("$ringtail" script -q --compat --inline -i "$corpus/stacks.data" | grep -c 'inlined')" 0 "but not with --compat, as in perf 6.1"
done_testing
