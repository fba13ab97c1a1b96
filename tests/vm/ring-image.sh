#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="!(kcsan-*)" smp=2 mem=512 timeout=300 default="@(newest-*|6.1-*)"
#
# From the kernel's memory alone, find a session that nobody reads: every record, the meaning of the
# records, and the kernel and modules that they refer to.

. ./lib/tap.sh
. ./lib/record.sh

begun=$(date +%s)

case $(uname -m) in
aarch64) a=%x0 b=%x1 ;;
x86_64) a=%di b=%si ;;
esac

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
# Some builds give modules no build-id.
module_id='[0-9a-f]{40}'
[ -e /sys/module/rt_play/notes/.note.gnu.build-id ] || module_id=-
[ -r /proc/kcore ] || { skip "rings in a memory image" "this kernel has no /proc/kcore"; done_testing; exit; }

# Stop the agent when everything is armed: later records stay in the rings.
ringtail record -q -a -o /tmp/dead.data -e "kprobe:rt_play_number a=$a:s64 b=$b:s64" \
	-e raw_syscalls:sys_enter --filter 'id == 999999' &
agent=$!
until_armed rt_play_number
usleep 500000
kill -STOP $agent
echo number 700 >/proc/rt_play
taskset 2 sh -c 'echo number 300 >/proc/rt_play'
rmmod rt_play
image-print /proc/kcore >/results/image 2>/results/image.err
is $? 0 "the kernel's memory is searched" || diag "$(cat /results/image.err)"

line() { sed -n "s/^$1 //p" /results/image; }

is "$(line session | wc -l)" 1 "there is one session"
is "$(line session | sed 's/.*boot //')" "$(tr -d - </proc/sys/kernel/random/boot_id)" "of this boot"
is "$(line record | wc -l)" 1000 "every record is found"
is "$(line record | cut -d ' ' -f 2 | sort -u)" 1 "they are all of the first event"
is "$(line ring | cut -d ' ' -f 5 | sort -u)" 0 "none is pending"
is "$(line damaged)" 0 "nothing looks damaged"

# The fields after the head: __probe_ip, a, b.
values() { line record | while read -r _ _ _ _ _ first _; do echo $((0x$first)); done; }
is "$(values | sort -n | uniq -c | awk '$1 == 2 && $2 < 300 || $1 == 1 && $2 >= 300' | wc -l)" 700 "with the values they had"
like "$(line field)" '^1 field:.* a;.offset:16;' "the event table says where a value lies"
like "$(line field)" '^1 field:.* b;.offset:24;' "and the next one"
like "$(line event)" '^1 1 rt_play:rt_play_number [1-9]' "it has the probe's name"
like "$(line event)" '2 3 raw_syscalls:sys_enter [1-9]' "and the tracepoint's"
like "$(line field)" '^2 field:unsigned long args\[6\];' "with the kernel's own fields"

is "$(line anchor | cut -d ' ' -f 1)" "$(uname -r)" "the anchor knows the release"
notes=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n')
like "$notes" "$(line anchor | cut -d ' ' -f 2)" "and the kernel's build-id"
like "$(line anchor | cut -d ' ' -f 2)" '^[0-9a-f]{40}$' "which is whole"
text=$(line anchor | cut -d ' ' -f 3) stext=$(sed -n 's/ T _stext$//p' /proc/kallsyms)
off=$((0x${stext#ffff} - 0x${text#ffff}))
ok "and where its text lies" [ $off -ge 0 -a $off -le 65536 ]
is "$(line status | cut -d ' ' -f 1,2 | sort | tr '\n' ' ')" "0 0 0 1 1 0 1 1 " "it leads to the rings of both CPUs"
first=$(line record | head -n 1 | cut -d ' ' -f 3)
read -r time wall <<END
$(line clock)
END
then=$(((wall + first - time) / 1000000000))
ok "a record's time as wall clock is that of the recording" [ $then -ge $((begun - 1)) -a $then -le "$(date +%s)" ]

is "$(line module | cut -d ' ' -f 1 | sort -u | tr '\n' ' ')" \
	"$({ cut -d ' ' -f 1 /proc/modules; echo rt_play; } | sort -u | tr '\n' ' ')" "every module is in the table"
like "$(line module)" "^rt_play [0-9a-f]+ [0-9]+ $module_id there gone" "one that went is marked"
base=$(sed -n 's/.* 0x\([0-9a-f]*\).*/\1/p;q' /proc/modules)
like "$(line module)" " $base " "the address is the kernel's own"

kill -KILL $agent
wait $agent 2>/dev/null
image-print /proc/kcore >/tmp/after
is "$(grep -c '^session' /tmp/after)" 0 "of a session that has ended nothing is found"
ok "ringtail unloads" rmmod ringtail
done_testing
