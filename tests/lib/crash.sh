# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# crash.sh - a guest that panics, and its memory.
#
#	crash_guest DIR KERNEL SCRIPT	boot KERNEL, run SCRIPT in it, which kills the kernel, and stop it there
#	crash_boot DIR KERNEL SCRIPT	the same without waiting for it to die; what it prints is in DIR/out
#	crash_died			wait for that
#	crash_dump DIR NAME FORMAT	keep its memory as DIR/NAME, as often as needed
#	crash_end			let it go
#
# FORMAT is elf, elf-paging, a format of QEMU's dump-guest-memory, or raw.

CRASH_MEM=${CRASH_MEM:-512}
CRASH_OPTIONS=() # of scripts/vm run

# The next message of QEMU that has all of the words; 1: it has gone.
crash_wait() { # WORD…
	local line word
	while IFS= read -r -t 900 -u "$crash_out" line; do
		[ "$line" != gone ] || return 1
		for word; do [[ $line == *"\"$word\""* ]] || continue 2; done
		return 0
	done
	return 1
}

crash_say() { echo "$1" >&"$crash_in"; }

# Say it, with the id ID, and wait for the answer.
crash_ask() { # ID COMMAND ARGUMENTS
	local line
	crash_say "{ \"execute\": \"$2\", \"arguments\": { $3 }, \"id\": \"$1\" }"
	while IFS= read -r -t 300 -u "$crash_out" line && [ "$line" != gone ]; do
		[[ $line == *"\"id\": \"$1\""* ]] || continue
		[[ $line == *'"return"'* ]]
		return
	done
	return 1
}

crash_guest() { # DIR KERNEL SCRIPT
	crash_boot "$@" && crash_died
}

crash_died() { crash_wait event SHUTDOWN guest-reset; }

crash_boot() { # DIR KERNEL SCRIPT
	crash_run=
	: >"$1/out" # not what an earlier guest said
	scripts/vm build "$2" >"$1/out" 2>"$1/err" || return
	rm -f "$1"/qmp.{in,out}
	mkfifo "$1/qmp.in" "$1/qmp.out"
	exec {crash_in}<>"$1/qmp.in" {crash_out}<>"$1/qmp.out"
	{
		# A panic restarts the machine at once; instead of that, it stops.
		scripts/vm run "$2" --no-build --mem "$CRASH_MEM" --timeout "${CRASH_TIMEOUT:-600}" "${CRASH_OPTIONS[@]}" --qemu -no-shutdown --qemu -chardev --qemu "pipe,id=qmp,path=$1/qmp" \
			--qemu -mon --qemu chardev=qmp,mode=control -- "$3" >"$1/out" 2>"$1/err"
		echo gone >"$1/qmp.out"
	} &
	crash_run=$!
	case $2 in *arm64*) crash_ram=$((0x40000000)) ;; *) crash_ram=0 ;; esac
	crash_say '{ "execute": "qmp_capabilities" }'
}

crash_dump() { # DIR NAME FORMAT
	local paging=false format=$3
	rm -f "$1/$2"
	case $3 in
	raw)
		crash_ask "$2" pmemsave "\"val\": $crash_ram, \"size\": $((CRASH_MEM << 20)), \"filename\": \"$1/$2\""
		return
		;;
	elf-paging) paging=true format=elf ;;
	esac
	if [ "$format" = elf ]; then format=; else format=", \"format\": \"$format\""; fi
	crash_ask "$2" dump-guest-memory "\"paging\": $paging, \"protocol\": \"file:$1/$2\"$format"
}

crash_end() {
	[ -n "$crash_run" ] || return 0
	crash_say '{ "execute": "quit" }'
	wait "$crash_run"
	exec {crash_in}>&- {crash_out}>&-
}
