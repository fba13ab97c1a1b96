# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of scripts/check
#
# vmtests.sh - which VM test runs on which kernel, in what guest, and for how long.
#
# From scripts/check: $level is default, all or long; $sparing is set when --all chooses the
# kernels itself, $named if the user does.

# The `# vm:` line of a test says where it runs and what guest it wants.
vm_line() { sed -n 's/^# vm: *//p' "$1" | head -n 1; }

# There are a dozen kernels.  With --all the heavy tests run on the landmarks among them, and where the
# default has them.  On flavours of a kernel those run to which it can make a difference how pages,
# preemption, races and memory are.  A kernel that is named sees all.
vm_landmark() { [[ $1 == @(5.10-$HOST_ARCH|newest-arm64|newest-x86_64|debug-*) ]]; } # KERNEL
vm_checking() { [[ $1 == @(debug-*|kcsan-*|tags-*) ]]; }			       # KERNEL
vm_flavoured() { vm_checking "$1" || [[ $1 == @(*-rt|*-16k) ]]; }		       # KERNEL

vm_by_default() { # KERNEL WORD…: does the default run the test with these words there?
	local kernel=$1 word
	shift
	[ -n "${default_set-}" ] || default_set=" $(scripts/vm kernels --default | tr '\n' ' ') "
	[[ $default_set == *" $kernel "* ]] || return 1
	for word; do # shellcheck disable=SC2053 # a pattern is meant
		case $word in
		level=all) return 1 ;;
		default=*) [[ $kernel == ${word#default=} ]] || return 1 ;;
		esac
	done
}

vm_wants() { # TEST KERNEL: does the test run on this kernel, at this level?
	local word line kernel=$2 flavours=none
	line=$(vm_line "$1")
	eval "set -- $line"
	for word; do
		case $word in
		arch=*) [[ $kernel == *-${word#arch=}* ]] || return 1 ;;
		kernels=*) # shellcheck disable=SC2053 # a pattern is meant
			[[ $kernel == ${word#kernels=} ]] || return 1 ;;
		level=all) [ $level != default ] || return 1 ;;
		heavy=1) [ -z "$sparing" ] || vm_landmark "$kernel" || vm_by_default "$kernel" "$@" || return 1 ;;
		flavours=*) flavours=${word#flavours=} ;;
		default=*) # shellcheck disable=SC2053 # a pattern is meant
			[ $level != default ] || [ -n "$named" ] || [[ $kernel == ${word#default=} ]] || return 1 ;;
		esac
	done
	# shellcheck disable=SC2053 # a pattern is meant
	[ -z "$sparing" ] || ! vm_flavoured "$kernel" || [[ $kernel == $flavours ]]
}

vm_options() { # TEST KERNEL: the options of `scripts/vm run` its line asks for, one a line
	local word box=0 timeout=180 line kernel=$2
	line=$(vm_line "$1")
	eval "set -- $line"
	for word; do
		case $word in
		smp=* | mem=* | cpu=* | append=* | modprobe=* | program=* | allow=*)
			printf -- '--%s\n%s\n' "${word%%=*}" "${word#*=}"
			;;
		icount=1) echo --icount ;;
		threads=1) echo --threads ;;
		turns=1) echo --turns ;;
		sparse=1) echo --sparse ;;
		numa=1) echo --numa ;;
		timeout=*) timeout=${word#*=} ;;
		box=1) box=$RT_SECONDS ;;
		esac
	done
	# Limits are for what hangs; a kernel that checks itself is only slow.
	! vm_checking "$kernel" || [ "$timeout" -ge 900 ] || timeout=900
	printf -- '--timeout\n%s\n' $((timeout + box))
}

# All native tracepoints take minutes to build.  With --all the oldest and the newest kernel of the
# host's architecture get them; the others get those that the tests use.
FEW_NATIVES='sched syscalls irq task signal timer block'
vm_natives() { # KERNEL
	case $level:$1 in
	all:newest-"$HOST_ARCH" | all:5.10-"$HOST_ARCH" | long:newest-* | long:5.10-*) ;;
	*) export NATIVE=$FEW_NATIVES ;;
	esac
}

# One kernel sees every test at its full length, the others theirs as short as by default; the
# long fuzzing is for the kernel that sees most.
vm_lengths() { # KERNEL: sets RT_LEVEL and RT_SECONDS
	case $level:$1 in
	all:newest-"$HOST_ARCH") RT_SECONDS=120 ;;
	all:debug-*) RT_LEVEL=default ;;
	all:*) RT_LEVEL=default RT_SECONDS=30 ;;
	esac
}
