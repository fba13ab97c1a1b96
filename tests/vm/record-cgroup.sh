#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=240 default="5.10-*"
#
# record -G: exactly the tasks of a cgroup and of those below it, in both versions of cgroups.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

# in_group DIR N: a new task of that cgroup causes N hits.
cat >/tmp/in_group <<'EOF'
#!/bin/sh
echo $$ >"$1/cgroup.procs" && echo "number $2" >/proc/rt_play
EOF
chmod +x /tmp/in_group

# The numbers of hits tell in which cgroups they were: 1 in none of ours, 3 beside the target, 20 in
# the target, 100 and 500 below it, one of these in a cgroup that is made meanwhile, and then a task
# that moves from beside the target (4) into it (1000) and out of it (2).
cat >/tmp/all_groups <<'EOF'
#!/bin/sh
top=$1
target=$2
echo number 1 >/proc/rt_play
/tmp/in_group "$top/other" 3
/tmp/in_group "$top/$target" 20
/tmp/in_group "$top/$target/below" 100
mkdir -p "$top/$target/below/later"
/tmp/in_group "$top/$target/below/later" 500
sh -c "echo \$\$ >$top/other/cgroup.procs
	echo number 4 >/proc/rt_play
	echo \$\$ >$top/$target/cgroup.procs
	echo number 1000 >/proc/rt_play
	echo \$\$ >$top/other/cgroup.procs
	echo number 2 >/proc/rt_play"
rmdir "$top/$target/below/later" 2>/dev/null
true
EOF
chmod +x /tmp/all_groups

hits() { grep -c 'rt_play_number: ' /tmp/lines; }
try_version() { # VERSION MOUNT
	target=target$1
	mkdir -p "$2/other" "$2/$target/below"
	for name in "$2/$target" $target; do
		record -G "$name" -e kprobe:rt_play_number -- /tmp/all_groups "$2" $target
		is $? 0 "version $1, -G $name: status" || diag "$said"
		is "$(hits)" 1620 "version $1, -G $name: exactly the hits of the target and below"
	done
	like "$said" '1620 events written.*, 0 lost' "version $1: so says the summary"
	record -G "$2/$target/below" -e kprobe:rt_play_number -- /tmp/all_groups "$2" $target
	is "$(hits)" 600 "version $1: a cgroup does not have the hits of its parent"
	record -a -e kprobe:rt_play_number -- /tmp/all_groups "$2" $target
	is "$(hits)" 1630 "version $1: without -G all are recorded"
}

try_with_process() { # MOUNT
	record -G "$1/other" -p $$ -e kprobe:rt_play_number -- /tmp/in_group "$1/other" 5
	is "$(hits)" 0 "-p and -G: only tasks that are both"
}

if grep -q 'cgroup2$' /proc/filesystems; then
	v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	ok "version 2 is mounted" test -n "$v2"
	try_version 2 "$v2"
	try_with_process "$v2"
else
	skip "version 2" "this kernel has no cgroups of version 2"
fi

mkdir -p /tmp/v1 /tmp/pids
if mount -t cgroup -o perf_event none /tmp/v1; then
	try_version 1 /tmp/v1
	try_with_process /tmp/v1
else
	skip "version 1" "the kernel does not mount perf_event"
fi
refused "there is no cgroup 'nosuch'" -G nosuch -e kprobe:rt_play_number
refused "one cgroup, for all events" -G target1,other -e kprobe:rt_play_number
if mount -t cgroup -o none,name=rt_other none /tmp/pids; then
	mkdir /tmp/pids/some
	refused "of other controllers" -G /tmp/pids/some -e kprobe:rt_play_number
fi
done_testing
