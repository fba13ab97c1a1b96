#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Bad input of record, by a table: every option that takes a value with values that it cannot take, and options
# that contradict each other.  Each is refused before the module is asked, in one line that names the option,
# with status 2, and leaves no file.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
rt=$top/build/san/ringtail
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# refused REGEX WORD…: one point for the row.
refused() {
	local want=$1 said status
	shift
	said=$("$rt" record "$@" 2>&1 </dev/null)
	status=$?
	if [ "$status" = 2 ] && [[ $said =~ $want ]] && [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] && [ -z "$(ls)" ]; then
		ok "refused: $*" true
	else
		ok "refused: $*" false
		diag "status $status, files '$(ls)', expected /$want/: $said"
		rm -f ./*
	fi
}

huge=99999999999999999999
# OPTION|REGEX|VALUE VALUE…  A value "-" is an empty one.  The option's value is attached if it ends with "=" or is -z.
while IFS='|' read -r option want values; do
	for value in $values; do
		[ "$value" != - ] || value=
		case $option in
		*= | -z) refused "$want" "$option$value" -a -o new.data -- true ;;
		-p | -t) refused "$want" "$option" "$value" -o new.data ;;
		-u | -G) refused "$want" "$option" "$value" -o new.data ;;
		*) refused "$want" "$option" "$value" -a -o new.data -- true ;;
		esac
	done
done <<EOF
-c|-c takes a number of events, not|- -1 0 x 1x 1.5 $huge nan
-F|-F takes samples a second, a number or 'max', not|- -1 0 x 1x 1.5 $huge maximum
-F|the kernel allows [0-9]+ samples a second|4294967296
--max-stack|--max-stack takes a number from 1 to 4294967295, not|- -1 0 x 1x 1.5 4294967296 $huge
--instances|--instances takes a number from 1 to|- -1 0 x 1x 4294967296 $huge
--watch-rate|--watch-rate takes a number from 1 to|- -1 0 x 1x 4294967296 $huge
--subbuffers|--subbuffers takes a number from 1 to|- -1 0 x 1x 4294967296 $huge
--switch-max-files|--switch-max-files takes a number from 1 to|- -1 0 x 1x 4294967296 $huge
--max-files|--max-files takes a number from 1 to|- -1 0 x 1x 4294967296 $huge
-m|-m takes pages or bytes for each CPU|- -1 0 x 1x 1.5 $huge 8MB
-m|a ring has at most 4096 MB|4294967296 5G
--duration|--duration takes a time|- -1 0 x 1x 0s 0ms -5s nan 10h
--duration|longer than a year|inf 1e400 $huge 1e9m
--max-size|--max-size takes a size|- -1 0 x 1x 1.5 4294967296 $huge 0M -5M
--switch-output=|--switch-output takes 'signal'|- -1 0 x 1x 1.5 $huge
-D|'--delay|- x 1x 1.5 4294967296 $huge
-D|-D takes milliseconds|-1 -2
--raw=|takes no value|1 yes
-z|-z takes a level from 1 to 22|-1 0 23 x 1x 1.5 $huge
-C|-C takes numbers separated by commas|- -1 x 1x 0-x 0, ,0 0,,1 3-1 0--1 4294967296 0-4294967296 $huge
-p|-p takes numbers separated by commas|- -1 x 1x 1, ,1 1,,2 1-2 4294967297 $huge
-t|-t takes numbers separated by commas|- -1 x 1x 1, ,1 1,,2 1-2 4294967297 $huge
-u|-u takes a user|-
-G|-G takes|- a,b
-k|CLOCK_MONOTONIC|- x boottime 4
-e|an event is missing here|- , cycles,
-e|there is no event|-1 0 x 1x
--call-graph|--call-graph takes fp, dwarf or dwarf,SIZE|- x lbr
--user-regs=|there is no register|x sp,x , sp,
--call-graph|SIZE is 1 to 49152 bytes|dwarf, dwarf,x dwarf,-1 dwarf,0 dwarf,65536 dwarf,$huge
EOF
# What people write who mean something else: each refusal names it.
while IFS='|' read -r want event; do
	refused "$want" -a -o new.data -e "$event"
done <<'EOF'
for line 20 of a function write probe:f:20|kprobe:f:20
one name before one '='|kprobe:NAME=a=vfs_read
'vfs_read' is a function, not a module; values come after a blank: 'vfs_read size'|kprobe:vfs_read:size
if it is the access: r, w, rw or x|mem:no_such_thing:q
members are not looked up here: write mem:no_such_thing\+OFFSET/LENGTH|mem:no_such_thing.comm
watched by its address: mem:0xADDRESS|mem:/usr/bin/true:seed
EOF
for style in fp dwarf lbr; do refused "write --call-graph $style" -o new.data -g "$style" -a -e cpu-clock; done

refused '-o takes the name of a file' -o '' -a -- true
refused '--filter stands after the -e' --filter 'pid == 1' -a -o new.data -- true
refused 'no such option|there is no option' --no-such-option -a -o new.data

# Options that contradict each other, or that lack another one.
while IFS='|' read -r want words; do
	# shellcheck disable=SC2086 # words
	refused "$want" $words
done <<'EOF'
record what\?|-o new.data
use one of them|-c 5 -F 5 -a -o new.data
use one of them|-m 8M --subbuffers 8 -a -o new.data
leave nothing|--all-kernel --all-user -a -o new.data
-a means everything|-a -p 1 -o new.data
-a means everything|-a -t 1 -o new.data
-a means everything|-a -u root -o new.data
leave out the command|-u root -o new.data -- true
needs --switch-output|--switch-max-files 3 -a -o new.data
needs --switch-output|--max-files 3 -a -o new.data
needs files: leave out -o -|--switch-output=1M -a -o -
compresses files|-z -a -o -
-D takes milliseconds|-D -1 -a -o new.data -- true
writes a regular file|--raw -a -o -
writes a regular file|--raw -a -o /dev/null
use one of them|--raw -z -a -o new.data
leave out --threads|--raw --threads=2 -a -o new.data
leave out -s or --raw|--raw -s -a -o new.data
loaded later|--raw -e later:xfs:* -a -o new.data
EOF
done_testing
