#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=900 modprobe=brd default="newest-*"
#
# Probes by the names of parameters and members, which the kernel's BTF describes: the same values as
# tracefs' own kprobe events with registers and offsets, through ringtail script and perf script.

. ./lib/tap.sh
. ./lib/record.sh
. ./lib/opens.sh

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
words() { tr '\n' ' '; }

insmod /rt/ringtail.ko || exit
if [ ! -e /sys/kernel/btf/vmlinux ]; then
	said=$(ringtail probe -n 'vfs_read count' 2>&1)
	like "$said" 'this kernel has no BTF' "a kernel without BTF: names are refused"
	done_testing
	exit
fi

# --- sizes of tcp_sendmsg by name, task by task, in order --------------------------

said=$(ringtail record -e 'probe:tcp_sendmsg size sk->__sk_common.skc_dport sk->__sk_common.skc_family $cpu' \
	-o /results/perf.data -- rt-send 2>&1 >/tmp/sent)
like "$said" '24 events written, 0 filtered out, 0 lost' "24 messages" || diag "$said"
perf_events -F tid,event,trace -i /results/perf.data >/tmp/lines 2>/dev/null
ringtail script -F tid,event,trace -i /results/perf.data >/tmp/ours
is "$(wc -l </tmp/sent)" 2 "two tasks sent"
while read -r pid sizes; do
	is "$(sed -n "s/^ *$pid .* size=\([0-9]*\).*/\1/p" /tmp/lines | words)" "$sizes " "perf script: the sizes that $pid sent"
	is "$(sed -n "s/^ *$pid .* size=\([0-9]*\).*/\1/p" /tmp/ours | words)" "$sizes " "ringtail script: the same"
done </tmp/sent
is "$(field skc_family | sort -u)" 2 "a member of a member: AF_INET"

# --- against tracefs' own events with the registers and offsets that -D prints -----

definition='vfs_read count inode=file->f_inode->i_ino mode=file->f_inode->i_mode flags=file->f_flags'
line=$(ringtail probe -D "t=$definition")
like "$line" '^p:probe/t vfs_read count=%[a-z0-9]+:u64 inode=' "-D prints what tracefs takes"
ok "tracefs takes it" sh -c "echo '$line' | sed 's,probe/t,mine/t,' >>$TRACING/kprobe_events"
echo 1 >$TRACING/events/mine/t/enable
echo >$TRACING/trace
said=$(ringtail record -e "probe:t=$definition" -o /results/perf.data -- \
	dd if=/etc/passwd of=/dev/null bs=3 count=5 2>&1)
echo 0 >$TRACING/events/mine/t/enable
ringtail script -F comm,trace -i /results/perf.data | sed -n 's/^ *dd .* count=3 /count=3 /p' >/tmp/ours
sed -n 's/^ *dd-.* t: .* count=3 /count=3 /p' $TRACING/trace >/tmp/theirs
echo >$TRACING/kprobe_events
is "$(grep -c 'count=3 ' /tmp/ours)" 5 "five reads of three bytes" || diag "$said"
is "$(diff /tmp/ours /tmp/theirs | head -n 6)" "" "tracefs saw the same values, $(wc -l </tmp/ours) lines"
like "$(cat /tmp/ours)" "count=3 inode=$(stat -c %i /etc/passwd) " "the inode is the file's"

# --- return values, strings, enums, bitfields ----------------------------------------

record -e 'probe:vfs_read%return $retval' -- dd if=/etc/passwd of=/dev/null bs=7 count=3
is "$(field retval | grep -c '^7$')" 3 "return values with the type of the function"

# --- parameters at the return, as they were at the entry ------------------------------

printf 0123456789 >/tmp/ten
record -e 'probe:vfs_read%return $retval count inode=file->f_inode->i_ino' --filter 'count == 7' -- dd if=/tmp/ten of=/dev/null bs=7
is "$(sed -n 's/.* retval=\([0-9]*\) count=7 inode=\([0-9]*\).*/\1:\2/p' /tmp/lines | words)" \
	"$(inode=$(stat -c %i /tmp/ten); echo "7:$inode 3:$inode 0:$inode") " "what was asked for and what came, in one event"
record -e 'kretprobe:vfs_read asked=$arg3:u64 got=$retval' --filter 'asked == 7 && got < 7' -- dd if=/tmp/ten of=/dev/null bs=7
is "$(field asked | words)$(field got | words)" "7 7 3 0 " "by registers, through a filter"
like "$(ringtail probe -n 'vfs_read%return count')" 'V = \$arg3 at the entry' "-n says where it comes from"

# BTF of 5.10 leaves static functions out.
said=$(ringtail probe -n "$OPENS filename" 2>&1)
case $said in
*'BTF does not describe'*) like "$said" "does not describe the function $OPENS .*use registers" "a function that BTF leaves out: refused" ;;
*)
	record -e "probe:$OPENS filename" -- rt-known /etc/passwd '/a b' - /nowhere
	is "$(field filename | tail -n 4 | words)" '"/etc/passwd" "/a "(fault)" "/nowhere" ' "char *: a string, or a fault"
	record -e "probe:$OPENS%return \$retval" -- rt-known /nowhere
	like "$(field retval | tail -n 1)" '^-2$' "an errno with its sign"
	;;
esac

record -e 'probe:wake_up_new_task p->comm p->pid p->in_execve me=$comm' -- sh -c 'true & wait'
is "$(field comm | tail -n 1)" '"sh"' "char[16]: a string"
is "$(field in_execve | sort -u)" 0 "a bitfield"
record -e 'probe:attach_pid type' -- sh -c '/bin/true; /bin/true'
like "$(field type)" '^PIDTYPE_PID$' "perf script: an enum by name"
like "$(ringtail script -i /results/perf.data -F trace)" 'type=PIDTYPE_PID' "ringtail script: the same"
record -e 'probe:vfs_read $params' --filter 'count == 5' -- dd if=/etc/passwd of=/dev/null bs=5 count=4
is "$(field count | words)" "5 5 5 5 " "a filter on a value by name"

# --- definitions that are kept --------------------------------------------------------

ok "a definition is kept" ringtail probe 'mine:reads=vfs_read count'
ok "and a second" ringtail probe --add 'vfs_write count'
like "$(ringtail probe -l)" '^mine:reads  mine:reads=vfs_read count$' "-l lists it"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "nothing is armed"
record -e mine:reads -- dd if=/etc/passwd of=/dev/null bs=9 count=2
is "$(grep -c 'mine:reads: .* count=9' /tmp/lines)" 2 "record -e GROUP:NAME uses it"
record -e probe:vfs_write -- dd if=/etc/passwd of=/dev/null bs=11 count=2
is "$(grep -c 'probe:vfs_write: .* count=11' /tmp/lines)" 2 "record -e probe:NAME, too"
like "$(ringtail probe --add 'vfs_write pos')" '^probe:vfs_write_1  ' "a second probe of a function gets a name of its own"
fails "the same definition again does not" ringtail probe --add 'vfs_write pos' 2>/dev/null
is "$(ringtail list 'probe:*' | awk '{ print $1 }' | words)" "probe:vfs_write probe:vfs_write_1 " "list shows kept probes by a glob"
is "$(ringtail list probe | awk '{ print $1 }' | words)" "mine:reads probe:vfs_write probe:vfs_write_1 " "and by their kind"
record -e 'probe:vfs_w*' -- dd if=/etc/passwd of=/dev/null bs=11 count=2
is "$(grep -c 'probe:vfs_write: .* count=11' /tmp/lines)" 2 "record -e GLOB records them"
is "$(grep -c 'probe:vfs_write_1: .* pos=' /tmp/lines)" "$(grep -c 'probe:vfs_write: ' /tmp/lines)" "both at each call"
said=$(ringtail probe 'mine:reads=vfs_read' 2>&1)
is $? 1 "a name is given once"
like "$said" 'already; remove it with --del mine:reads' "with a way out"
is "$(stat -c %a /run/ringtail)" 700 "only root reads them"
for i in 1 2 3; do ringtail probe "many:p$i=vfs_read count" >/dev/null & done
wait
is "$(ringtail probe -l | grep -c ^many:)" 3 "three writers at once lose nothing"
sed -i 's/\t[0-9a-f-]\{36\}\t/\t00000000-0000-0000-0000-000000000000\t/' /run/ringtail/probes
like "$(ringtail probe -l)" '^mine:reads .*\(stale: the machine has booted since\)' "a definition of another boot is named"
refused 'defined for another kernel: the machine has booted since' -e mine:reads
ok "--del removes what matches" ringtail probe --del 'many:*'
ok "in every group" ringtail probe -d '*'
is "$(ringtail probe -l)" "" "none is left"

# --- modules, functions, variables ----------------------------------------------------

if [ -e /sys/kernel/btf/brd ]; then
	like "$(ringtail probe -V brd:brd_submit_bio)" 'struct bio \*bio +%(di|x0)' "the types of a module"
fi
like "$(ringtail probe -V tcp_sendmsg)" 'struct sock \*sk +%(di|x0)' "-V: parameters and where they are"
is "$(ringtail probe -F 'tcp_sendms*' | grep -c '^tcp_sendmsg$')" 1 "-F lists functions"
like "$(ringtail probe -n 'vfs_read count')" 'address: 0x[0-9a-f]+' "-n: the address"

# --- refusals --------------------------------------------------------------------------

# unit/probe_translate has the others.
refused "has no parameter 'cont'.*did you mean 'count'" -e 'probe:vfs_read cont'
refused "did you mean 'vfs_read'" -e 'probe:vfs_raed count'
case $(uname -m) in
x86_64) refused 'in the middle of an instruction; instructions begin at vfs_read\+0x0 and vfs_read\+0x' -e probe:vfs_read+1 ;;
aarch64) refused 'only debug information says where' -e 'probe:vfs_read+4 count' ;;
esac

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "ringtail unloads" rmmod ringtail
done_testing
