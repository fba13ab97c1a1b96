# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# run.sh - boot a guest, run a command in it, judge what happened.
#
# QEMU is our direct child and dies with us, even if we are killed: it asks the kernel
# for a signal when its parent ends.  Everything of one run is in a scratch directory of
# its own, so any number of runs go side by side.

# Exit statuses of run besides the command's own.
RUN_EXIT_REPORT=70	# the kernel complained (oops, WARN, lockdep, KASAN, …)
RUN_EXIT_GUEST=71	# the guest did not boot, or ended before the command did
RUN_EXIT_TIMEOUT=124	# the command did not end in time

RUN_BOOT_LIMIT=${RT_VM_BOOT_LIMIT:-180}	# seconds to boot; far more than it takes even on a busy host
RUN_END_LIMIT=120	# seconds from the command's end to power-off
RUN_CHECKING=4		# a kernel that checks itself may take so much longer for both
RUN_GRACE=30		# seconds past the limit, in which the guest says where it hangs
RUN_LOGS_KEPT=30

# An emulated CPU on a busy host gets little time: the kernel's own watchdogs, set for
# real machines, would cry wolf.
RUN_PATIENCE='rcupdate.rcu_cpu_stall_timeout=100 watchdog_thresh=50 workqueue.watchdog_thresh=100'

run_command() { # MODE KERNEL OPTION… [-- COMMAND…]
	run_parse "$@"
	rt_need build lab
	if [ -n "$run_build" ]; then
		build_kernel "$run_kernel"
	else
		fetch_kernel "$run_kernel"
		BUILD_OUT=$RT_BUILD/vm/$run_kernel
		BUILD_USER=$RT_BUILD/vm/user-${K[arch]}
	fi
	scratch_need
	run_settings
	run_initrd
	run_machine
	case $run_mode in
	shell) run_interactive ;;
	*)
		run_supervise
		if run_hung_at_boot; then run_boot_again; fi
		;;
	esac
	run_results
	run_judge
}

run_parse() {
	run_mode=$1 run_smp='' run_mem=1024 run_cpu='' run_icount='' run_append='' run_share='' run_timeout=300
	run_results='' run_kvm=1 run_threads='' run_sparse='' run_numa='' run_build=1 run_kaslr='' run_allow='' run_modprobe=() run_programs=() run_qemu=() run_modules=() run_argv=()
	shift
	[[ ${1:--} != -* ]] || rt_die "$run_mode: which kernel?  scripts/vm kernels lists them"
	run_kernel=$1
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		--icount) run_icount=1 ;;
		--no-kvm) run_kvm='' ;;
		--kaslr) run_kaslr=1 ;;
		--threads) run_threads=multi ;;
		--turns) run_threads=single ;;
		--sparse) run_sparse=1 ;;
		--numa) run_numa=1 ;;
		--no-build) run_build='' ;;
		--)
			shift
			run_argv=("$@")
			break
			;;
		--smp | --mem | --cpu | --append | --share | --timeout | --results | --modprobe | --program | --allow | --qemu | --modules)
			[ $# -gt 1 ] || rt_die "$1 needs a value"
			run_option "${1#--}" "$2"
			shift
			;;
		*) rt_die "unknown option '$1' (a command comes after --)" ;;
		esac
		shift
	done
	[ "$run_mode" != command ] || [ ${#run_argv[@]} -gt 0 ] || rt_die "run: which command?  It comes after --"
	[ -z "$run_icount" ] || run_kvm=''
	[ -n "$run_smp" ] || run_smp=$([ -n "$run_icount" ] && echo 1 || echo 2)
}

run_option() { # NAME VALUE
	case $1 in
	smp | mem | timeout)
		[[ $2 =~ ^[1-9][0-9]*$ ]] || rt_die "--$1 wants a number, not '$2'"
		printf -v "run_$1" %s "$2"
		;;
	cpu) run_cpu=$2 ;;
	append) run_append+=" $2" ;;
	allow) run_allow+=" ${2//,/ }" ;;
	results) run_results=$2 ;;
	share | modules)
		[ -d "$2" ] || rt_die "--$1: no directory '$2'"
		if [ "$1" = share ]; then run_share=$(realpath "$2"); else run_modules+=("$(realpath "$2")"); fi
		;;
	modprobe) run_modprobe+=("$2") ;;
	program)
		[[ $2 == ?*:?* ]] || rt_die "--program wants [RELEASE/]PACKAGE:PATH, not '$2'"
		run_programs+=("$2")
		;;
	qemu) run_qemu+=("$2") ;;
	esac
}

# A word that the guest's shell reads back as it is.
run_quote() {
	local quote="'"
	printf "'%s' " "${1//$quote/$quote\\$quote$quote}"
}

# Settings and command, as files for the guest.
run_settings() {
	local dir=$lab_scratch/run/rt/run word size timeout=''
	mkdir -p "$dir" "$lab_scratch/run/rt/tests"
	size=$(stty size 2>/dev/null)
	[[ $size =~ ^[1-9] ]] || size='24 80'
	# Under -icount the guest's seconds are not the host's, and gdb stops them.
	[ "$run_mode$run_icount" = command ] && timeout=$run_timeout
	cat >"$dir/settings" <<-END
	MODE=$run_mode
	SHARE=${run_share:+1}
	ROWS=${size% *}
	COLUMNS=${size#* }
	TIMEOUT=$timeout
	END
	if [ ${#run_argv[@]} = 1 ]; then
		printf '%s\n' "${run_argv[0]}" >"$dir/command"
	else
		for word in "${run_argv[@]}"; do run_quote "$word"; done >"$dir/command"
	fi
	tar -c -C "$RT_TOP/tests" --exclude=./unit --exclude=./fuzz --exclude=./model . | tar -x -C "$lab_scratch/run/rt/tests"
	# What the contract says, for tests that compare it with what the module does.
	tar -c -C "$RT_TOP" docs/abi.md include/uapi | tar -x -C "$lab_scratch/run/rt"
	cp "$RT_TOP/scripts/lab/init" "$lab_scratch/run/init"
	chmod 755 "$lab_scratch/run/init"
}

run_initrd() {
	local parts=() program drivers dir more=()
	root_tools "${K[arch]}"
	parts+=("$ROOT_PART")
	for program in "${run_programs[@]}"; do
		root_packaged "${K[arch]}" "$program"
		parts+=("$ROOT_PART")
	done
	drivers="$ROOT_DRIVERS ${run_share:+$ROOT_SHARE_DRIVERS}"
	# shellcheck disable=SC2086 # a list
	root_drivers $drivers "${run_modprobe[@]}"
	parts+=("$ROOT_PART")
	for dir in "${run_modules[@]}"; do
		more+=("$BUILD_OUT/modules-$(hash_of <<<"$dir")")
		run_build_modules "$dir" "${more[-1]}"
	done
	root_ours "${more[@]}"
	parts+=("$ROOT_PART")
	root_pack "$lab_scratch/run" "$lab_scratch/run.cpio"
	cat "${parts[@]}" "$lab_scratch/run.cpio" >"$lab_scratch/initrd" || rt_die "cannot write the initramfs"
	rm -rf "$lab_scratch"/{run,run.cpio,ours.cpio}
}

run_build_modules() { # SOURCES OUT
	local lock
	exec {lock}>"$RT_BUILD/vm/.lock"
	flock "$lock"
	build_test_modules "$1" "$2"
	exec {lock}>&-
}

# A KVM without the processor's own virtualisation (PVM in a nested host) is there to be
# opened, but runs only kernels made for it: ours would never print a word.
run_has_kvm() {
	[ -w /dev/kvm ] && { [ "$HOST_ARCH" != x86_64 ] || grep -qwE 'vmx|svm' /proc/cpuinfo; }
}

# run_machine: QEMU's arguments, into RUN_QEMU.
run_machine() {
	local arch=${K[arch]} cpu accel append image
	accel=$(arch_fact "$arch" accel)
	# Threads have the memory order of the host's CPUs, which for x86 an arm64 host's is too weak.
	[ -z "$run_threads" ] || [ "$arch $HOST_ARCH" = 'x86_64 arm64' ] || accel=tcg,thread=$run_threads
	cpu=${run_cpu:-$(arch_fact "$arch" "cpu-${K[flavour]}")}
	cpu=${cpu:-$(arch_fact "$arch" cpu)}
	if [ -n "$run_kvm" ] && [ "$arch" = "$HOST_ARCH" ] && run_has_kvm; then
		accel=kvm
		cpu=${run_cpu:-host}
		run_kaslr=1
	fi
	image=${K[prefix]}/vmlinuz
	# A checking kernel's PVH entry faults: its code is checked before there is anything to check with.
	[ -n "$run_kaslr" ] || [ "${K[origin]}" = built ] || image=${K[prefix]}/${K[boot]:-vmlinuz}
	append="console=$(arch_fact "$arch" console) loglevel=5 panic=-1 $RUN_PATIENCE $(arch_fact "$arch" append) ${K[append]-}"
	RUN_QEMU=("$(arch_fact "$arch" qemu)" -nodefaults -no-user-config -display none -no-reboot
		-machine "$(arch_fact "$arch" machine)" -accel "$accel" -cpu "$cpu" -smp "$run_smp${run_numa:+,sockets=$run_smp}" -m "$run_mem"
		-kernel "$image" -initrd "$lab_scratch/initrd"
		-chardev "file,id=console,path=$lab_scratch/console.log" -serial chardev:console
		-device virtio-serial-pci)
	if [ -n "$run_icount" ]; then
		RUN_QEMU+=(-icount 'shift=0,sleep=off' -seed 1 -rtc 'base=2020-01-01,clock=vm')
		append+=' nokaslr norandmaps'
	fi
	if [ "$run_mode" = debug ]; then
		RUN_QEMU+=(-S -gdb "unix:path=$lab_scratch/gdb,server=on,wait=off")
		append+=' nokaslr'
	fi
	[ -z "$run_share" ] || RUN_QEMU+=(-virtfs "local,path=$run_share,mount_tag=share,security_model=none,id=share")
	RUN_QEMU+=(-append "$append$run_append" "${run_qemu[@]}")
	[ -z "$run_numa" ] || run_make_nodes
	[ -z "$run_sparse" ] || run_make_sparse
	: >"$lab_scratch/console.log"
}

# The second CPU gets a way to start that no kernel knows, so that its number stays unused.
# Two memory nodes of equal size; the CPUs belong to them by turns.
run_make_nodes() {
	local node cpu cpus
	for node in 0 1; do
		cpus=
		for ((cpu = node; cpu < run_smp; cpu += 2)); do cpus+=,cpus=$cpu; done
		RUN_QEMU+=(-object "memory-backend-ram,id=node$node,size=$((run_mem / 2))M" -numa "node,nodeid=$node,memdev=node$node$cpus")
	done
}

run_make_sparse() {
	local tree=$lab_scratch/tree
	[ "${K[arch]}" = arm64 ] || rt_die "--sparse: only arm64 guests are told of their CPUs by a device tree"
	"${RUN_QEMU[@]}" -machine "dumpdtb=$tree" >/dev/null 2>"$lab_scratch/qemu.log" || rt_die "QEMU does not write its device tree"
	# QEMU doubles what it reads, and Linux takes no more than 2 MB: without the room at the end.
	perl -0777 -pi -e '
		my $n = 0;
		s/(\x00\x00\x00\x03\x00\x00\x00\x05....)psci\x00/$1 . ($n++ == 1 ? "none" : "psci") . "\0"/ges;
		my ($structs, $strings, $strings_size, $structs_size) = unpack("x8 N N x16 N N", $_);
		my $end = $strings + $strings_size;
		$end = $structs + $structs_size if $structs + $structs_size > $end;
		$_ = substr($_, 0, $end);
		substr($_, 4, 4) = pack("N", $end)' "$tree"
	RUN_QEMU+=(-dtb "$tree")
}

# run_port NAME PATH
run_port() {
	RUN_QEMU+=(-chardev "file,id=$1,path=$2,append=on" -device "virtserialport,chardev=$1,name=$1")
}

# Start QEMU, pass its output on, and follow what the guest says on the control port.
run_supervise() {
	local line rest limit slow=1 out err control stdout_cat stderr_cat
	exec {out}> >(exec cat)
	stdout_cat=$!
	exec {err}> >(exec cat >&2)
	stderr_cat=$!
	run_port control /dev/stdout
	run_port stdout "/dev/fd/$out"
	run_port stderr "/dev/fd/$err"
	run_port results "$lab_scratch/results.tar"
	exec {control}< <(exec setpriv --pdeathsig KILL -- "${RUN_QEMU[@]}" 2>"$lab_scratch/qemu.log" </dev/null)
	run_pid=$!
	lab_on_exit+=(run_kill)
	[ "$run_mode" != debug ] || run_debug_says

	run_stage=boot run_status='' run_taint=0
	[ "${K[origin]}" != built ] || slow=$RUN_CHECKING
	limit=$((SECONDS + slow * RUN_BOOT_LIMIT))
	while rest=$((limit - SECONDS)); [ "$run_mode" != debug ] || rest=1000000; [ $rest -gt 0 ]; do
		IFS= read -r -t $rest -u "$control" line || { [ $? -gt 128 ] && continue; run_gone=1; break; }
		case $line in
		booted) run_stage=command limit=$((SECONDS + run_timeout + RUN_GRACE)) ;;
		status\ *) run_stage=end run_status=${line#* } limit=$((SECONDS + slow * RUN_END_LIMIT)) ;;
		taint\ *) run_taint=${line#* } ;;
		end) run_stage=over ;;
		esac
	done
	run_kill
	exec {control}<&- {out}>&- {err}>&-
	wait "$stdout_cat" "$stderr_cat" 2>/dev/null
}

# An emulated guest may hang, rarely, while its CPUs start: nothing of ours has run by then.
run_hung_at_boot() {
	[ "$run_stage" = boot ] && [ -z "${run_gone-}" ] && ! verdict_find "$lab_scratch/console.log" "$run_allow" >/dev/null
}

run_boot_again() {
	rt_say "vm: ${K[name]} (${K[release]}): the guest hung while it booted; booting it once more"
	run_machine
	run_supervise
}

run_kill() {
	[ -n "${run_pid-}" ] || return 0
	kill -KILL "$run_pid" 2>/dev/null
	wait "$run_pid" 2>/dev/null
	run_pid=''
	# QEMU had the terminal in raw mode.
	[ -z "${run_tty-}" ] || stty "$run_tty"
}

run_debug_says() {
	local gdb=gdb vmlinux=''
	[ "${K[arch]}" = "$HOST_ARCH" ] || gdb='gdb-multiarch'
	[ ! -e "${K[prefix]}/vmlinux" ] || vmlinux=" ${K[prefix]}/vmlinux"
	rt_say "the guest waits, stopped, with nokaslr; in another terminal:"
	rt_say "  $gdb$vmlinux -ex 'target remote $lab_scratch/gdb'"
}

# The shell has our terminal for itself.
run_interactive() {
	run_port control "$lab_scratch/control"
	run_port results "$lab_scratch/results.tar"
	RUN_QEMU+=(-chardev 'stdio,id=tty,signal=off' -device 'virtconsole,chardev=tty')
	run_tty=$(stty -g 2>/dev/null)
	# In the background, so that a signal to us is not held up until the shell ends.
	setpriv --pdeathsig KILL -- "${RUN_QEMU[@]}" <&0 2>"$lab_scratch/qemu.log" &
	run_pid=$!
	lab_on_exit+=(run_kill)
	wait "$run_pid"
	run_kill
	run_gone=1 run_stage=boot run_status='' run_taint=0
	! grep -qx booted "$lab_scratch/control" || run_stage=over run_status=0
	! grep -q '^taint' "$lab_scratch/control" || run_taint=$(sed -n 's/^taint //p' "$lab_scratch/control")
}

run_results() {
	[ -s "$lab_scratch/results.tar" ] || return 0
	run_results=${run_results:-$BUILD_OUT/results}
	mkdir -p "$run_results"
	tar -x -C "$run_results" --no-same-owner -f "$lab_scratch/results.tar" || rt_say "the results did not come back whole"
}

# run_fail STATUS MESSAGE: keep the log and end.
run_fail() {
	local kept
	kept=$BUILD_OUT/logs/$(date +%Y%m%d-%H%M%S)-$$.log
	mkdir -p "$BUILD_OUT/logs"
	cp "$lab_scratch/console.log" "$kept"
	find "$BUILD_OUT/logs" -name '*.log' -printf '%T@ %p\n' | sort -rn | tail -n +$((RUN_LOGS_KEPT + 1)) |
		cut -d ' ' -f 2- | xargs -r rm -f
	rt_say "vm: ${K[name]} (${K[release]}): $2; log: $kept"
	exit "$1"
}

run_judge() {
	local kind says pattern found log=$lab_scratch/judged.log
	cp "$lab_scratch/console.log" "$BUILD_OUT/console.log"
	verdict_clean "$lab_scratch/console.log" >"$log"
	if found=$(verdict_find "$log" "$run_allow"); then
		IFS='|' read -r kind says pattern <<<"$found"
		verdict_show "$log" "$pattern"
		run_fail $RUN_EXIT_REPORT "FAILED, the kernel printed $says [$kind]${run_status:+; the command ended with $run_status}"
	fi
	case $run_stage in
	boot)
		[ ! -s "$lab_scratch/qemu.log" ] || sed 's/^/  | /' "$lab_scratch/qemu.log" >&2
		verdict_tail "$log"
		run_fail $RUN_EXIT_GUEST "FAILED, the guest did not boot${run_gone:+: QEMU ended}"
		;;
	command)
		verdict_tail "$log"
		[ -z "${run_gone-}" ] ||
			run_fail $RUN_EXIT_GUEST "FAILED, the guest ended before the command did"
		run_fail $RUN_EXIT_TIMEOUT "FAILED, hung: the command did not end in $run_timeout s"
		;;
	end)
		verdict_tail "$log"
		run_fail $RUN_EXIT_GUEST "FAILED, the guest did not switch off after the command ended with status $run_status"
		;;
	esac
	if ((run_taint & VERDICT_TAINT)) && [[ $run_allow != *warn* ]]; then
		verdict_tail "$log"
		run_fail $RUN_EXIT_REPORT "FAILED, the kernel is tainted ($run_taint): it warned, oopsed or locked up"
	fi
	exit "$run_status"
}
