#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="!(kcsan-*)" smp=2 timeout=300 default="5.10-*"
#
# The module loads, reports what this kernel can do (compared with what the kernel reports
# elsewhere), and unloads, a hundred times with --all.

. ./lib/tap.sh
. ./lib/module.sh

ok "loads" insmod $MODULE
is "$(stat -c '%a %u %g %F' /dev/ringtail)" "600 0 0 character special file" "the device is root's alone"

info=$(info-print)
is $? 0 "INFO is answered" || exit 1
diag "$info"
is "$(field kernel_release "$info")" "$(uname -r)" "built for this kernel"
is "$(field version "$info")" "$(cat /sys/module/ringtail/version)" "version as in sysfs"
is "$(field page_size "$info")" "$(field own_page_size "$info")" "page size"
is "$(field cpus_online "$info")" "$(listed "$(cat /sys/devices/system/cpu/online)")" "CPUs online"
is "$(field cpus_possible "$info")" "$(listed "$(cat /sys/devices/system/cpu/possible)")" "CPUs possible"
is "$(field cpu_ids "$info")" $(($(sed 's/.*[-,]//' /sys/devices/system/cpu/possible) + 1)) "their numbers are below this"
is "$(field lockdown "$info")" 0 "no lockdown"

sources=$(field sources "$info")
is "$(bit "$sources" 0)" "$(known register_kprobe)" "kprobes"
is "$(bit "$sources" 1)" "$(known register_kretprobe)" "kretprobes"
is "$(bit "$sources" 2)" "$(known tracepoint_probe_register)" "tracepoints"
is "$(bit "$sources" 3)" "$(known register_wide_hw_breakpoint)" "watchpoints"
is "$(field pmu_error "$info")" "$(field cycles_error "$info")" "PMU: as perf_event_open finds it"
is "$(bit "$sources" 4)" "$([ "$(field cycles_error "$info")" = 0 ] && echo 1 || echo 0)" "PMU as a source"

given='WITH_REGS'
[ "$(uname -m)" != aarch64 ] || given='WITH_(REGS|ARGS)'
is "$(bit "$sources" 6)" "$(grep -cE "^CONFIG_DYNAMIC_FTRACE_$given=y" "/boot/config-$(uname -r)")" \
	"function entries through ftrace, where it gives registers"

lookups=$(field lookups "$info")
walker=stack_trace_save_regs
# Its name before 5.2.
[ "$(known $walker)" = 1 ] || walker=save_stack_trace_regs
n=0
for symbol in kallsyms_lookup_name $walker stack_trace_save_user \
	strncpy_from_kernel_nofault strncpy_from_user_nofault task_numa_group_id netdev_drivername _stext \
	kallsyms_lookup_size_offset insn_init insn_get_length task_work_add recover_probed_instruction \
	security_perf_event_open; do
	is "$(bit "$lookups" $n)" "$(known $symbol)" "looked up: $symbol"
	n=$((n + 1))
done
is "$((lookups >> n))" 0 "nothing else looked up"

is "$(field clock "$info")" "$(known ktime_get_mono_fast_ns)" "CLOCK_MONOTONIC stamps records, if its fast reader exists"
off=$(field dmesg_off "$info")
# Try again if the guest was delayed while it compared its clocks.
for _ in 1 2 3; do
	[ "${off#-}" -lt 100000 ] || off=$(field dmesg_off "$(info-print)")
done
ok "a line of dmesg falls where clock_to_dmesg puts it, to 0.1 ms ($off ns)" [ "${off#-}" -lt 100000 ]

case $(uname -m) in
aarch64)
	is "$(field watch_slots "$info")" \
		"$(dmesg | sed -n 's/.*found .* breakpoint and \([0-9]*\) watchpoint registers.*/\1/p')" "watchpoint slots"
	is "$(field break_slots "$info")" \
		"$(dmesg | sed -n 's/.*found \([0-9]*\) breakpoint and .*/\1/p')" "breakpoint slots"
	is "$(field slots_shared "$info")" 0 "slots are apart"
	;;
x86_64)
	is "$(field watch_slots "$info") $(field break_slots "$info")" "4 4" "DR0 to DR3"
	is "$(field slots_shared "$info")" 1 "slots are shared"
	;;
esac

(exec 3</dev/ringtail && : >/tmp/held && exec sleep 1000) &
holder=$!
until [ -e /tmp/held ]; do sleep 0.1; done
fails "does not unload while open" rmmod ringtail 2>/dev/null
kill -9 $holder
wait $holder 2>/dev/null
ok "unloads once a killed user is gone" rmmod ringtail
fails "the device goes with it" [ -e /dev/ringtail ]

cycles=0
times=100
[ "${RT_LEVEL:-all}" != default ] || times=30
while [ $cycles -lt $times ] && insmod $MODULE && : <>/dev/ringtail && rmmod ringtail; do
	cycles=$((cycles + 1))
done
is $cycles $times "loads, opens and unloads $times times"
is "$(words_of_ours)" "" "and the kernel's log has nothing to say"

# A module of another release, in name only: a letter of the release is changed wherever it stands.
# With symbol versions the kernel takes it, and the module itself refuses; without, the kernel does.
release=$(uname -r)
sed "s/$release/$(echo "$release" | sed 's/.$/X/')/g" $MODULE >/tmp/other.ko
fails "a module that was built for another release is not loaded" insmod /tmp/other.ko 2>/tmp/said
fails "and leaves no device" [ -e /dev/ringtail ]
if grep -qx CONFIG_MODVERSIONS=y "/boot/config-$release"; then
	like "$(words_of_ours)" "built for Linux .*X and cannot trace $release: build it for this kernel: dkms install ringtail/" \
		"the module says why and what to do"
fi

done_testing
