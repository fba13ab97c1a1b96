#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# A machine that dies: its kernel panics while a session records, the emulator stops it there and
# writes its memory to a file, and from that file alone the rings give back every record.
# In the default check on the host's architecture, with --all on both.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/crash.sh

case $(uname -m) in aarch64) host=arm64 other=x86_64 ;; *) host=x86_64 other=arm64 ;; esac
architectures=$host
[ "${RT_LEVEL:-all}" = default ] || architectures+=" $other"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s build/libringtail.a || exit 1
gcc -std=gnu99 -O2 -w -D_GNU_SOURCE -Iinclude/uapi -Iuser -o "$work/image-print" tests/programs/image-print.c \
	build/libringtail.a || exit 1

# In the guest: the command runs when everything is armed.  It stops the recorder dead, so what comes then stays in the rings.
guest=$(
	cat <<'END'
case $(uname -m) in aarch64) a=%x0 b=%x1 ;; *) a=%di b=%si ;; esac
insmod /rt/ringtail.ko && insmod /rt/modules/rt_play.ko || exit
ringtail record -q -a -o /tmp/dead.data -e "kprobe:rt_play_number a=$a:s64 b=$b:s64" -- sh -c '
	kill -STOP $PPID
	taskset 1 sh -c "echo number 700 >/proc/rt_play"
	taskset 2 sh -c "echo number 300 >/proc/rt_play"
	echo "boot_id $(tr -d - </proc/sys/kernel/random/boot_id)" >/dev/kmsg
	echo c >/proc/sysrq-trigger'
END
)

# Boot KERNEL, let it panic, and keep its memory as $work/vmcore.
crash() { # KERNEL
	local status
	crash_guest "$work" "$1" "$guest" && crash_dump "$work" vmcore elf
	status=$?
	crash_end
	return $status
}

# Out of the kernel's log in the same memory: what was printed last may not have come through.
boot_id() { LC_ALL=C grep -a -o -E -m 1 'boot_id [0-9a-f]{32}' "$work/vmcore" | sed -n '1s/^boot_id //p'; }
line() { sed -n "s/^$1 //p" "$work/image"; }
values() { # CPU: of the field a, behind the head and the address
	line record | while read -r cpu _ _ _ _ a _; do [ "$cpu" != "$1" ] || echo $((0x$a)); done
}

for arch in $architectures; do
	kernel=$(scripts/vm kernels --default | grep -- "-$arch$" | tail -n 1)
	ok "$kernel: the guest dies, and its memory is kept" crash "$kernel" || { diag "$(tail -n 5 "$work/err")"; continue; }
	"$work/image-print" "$work/vmcore" >"$work/image" 2>"$work/image.err"
	is $? 0 "$kernel: the memory is searched" || diag "$(cat "$work/image.err")"
	is "$(line session | wc -l)" 1 "$kernel: there is one session"
	is "$(line session | sed 's/.*boot //')" "$(boot_id)" "$kernel: of the boot that died"
	is "$(line record | wc -l)" 1000 "$kernel: every record is found"
	is "$(values 0 | cmp - <(seq 0 699) && values 1 | cmp - <(seq 0 299) && echo same)" same "$kernel: in order, with the values they had"
	is "$(line ring | cut -d ' ' -f 5 | sort -u)" 0 "$kernel: none is pending"
	is "$(line damaged)" 0 "$kernel: nothing looks damaged"
	like "$(line event)" '^1 1 rt_play:rt_play_number [1-9]' "$kernel: the event has its name"
	like "$(line field)" '^1 field:.* a;.offset:16;' "$kernel: and its fields"
	like "$(line module)" '^rt_play ' "$kernel: and the module it is in"
done
done_testing
