# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# kdump-capture.sh - what the capture kernel runs after a panic: every kind of dump that makedumpfile writes at level 31, and what
# ringtail reads from /proc/vmcore itself, into /share.

fact() { echo "capture $*"; }
fact cpus "$(grep -c ^processor /proc/cpuinfo)"
fact vmcore "$(stat -c %s /proc/vmcore)"

made() { # NAME STATUS
	fact made "$1" "$2"
	[ "$2" = 0 ] || { sed 's/^/makedumpfile: /' /tmp/log | tail -n 8; rm -f "/share/$1"; }
}

# A makedumpfile older than this kernel's memory layout writes nothing at all: then the whole memory is the dump.
makedumpfile -E -d 31 /proc/vmcore /share/elf >/tmp/log 2>&1 </dev/null
made elf $?
if [ ! -e /share/elf ] && grep -q 'not supported' /tmp/log; then
	fact refused "$(grep 'not supported' /tmp/log)"
	dd if=/proc/vmcore of=/share/elf bs=1M 2>/dev/null
	ringtail flight extract /proc/vmcore -o /tmp/data >/share/said 2>&1
	fact extract $?
	cp /tmp/data /share/in-place
	exit
fi

makedumpfile -h >/tmp/help 2>&1
has() { grep -A 1 -i "^$1 support" /tmp/help | grep -q enabled; }
for kind in plain: zlib:-c lzo:-l snappy:-p zstd:-z; do
	name=${kind%%:*}
	case $name in lzo | snappy | zstd) has "$name" || { fact lacks "$name"; continue; } ;; esac
	# shellcheck disable=SC2086 # none or one
	makedumpfile ${kind#*:} -d 31 /proc/vmcore "/share/$name" >/tmp/log 2>&1 </dev/null
	made "$name" $?
done
makedumpfile -F -c -d 31 /proc/vmcore >/share/flat 2>/tmp/log
made flat $?
makedumpfile -c -d 31 --split /proc/vmcore /share/split.1 /share/split.2 >/tmp/log 2>&1
made split $?
ringtail flight extract /proc/vmcore -o /tmp/data >/tmp/said 2>&1
fact extract $?
cp /tmp/said /share/said
cp /tmp/data /share/in-place
# A disk that is full: makedumpfile marks what it has written, three quarters, as incomplete.
mkdir /tmp/full
mount -t tmpfs -o size=$(($(stat -c %s /share/zlib) * 3 / 4096))k full /tmp/full
makedumpfile -c -d 31 /proc/vmcore /tmp/full/incomplete >/tmp/log 2>&1
fact full $?
cp /tmp/full/incomplete /share/incomplete
exit 0
