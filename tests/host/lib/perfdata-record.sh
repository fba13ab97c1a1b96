# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# perfdata-record.sh - recordings of many kinds, made on this machine by perf.
#
# perfdata_record DIRECTORY: leaves NAME.data files there.  Their names tell what is
# in them.  What this machine's kernel cannot record is left out and said so.

# perfdata_misled FILE: whether the kernel announced a build-id where there is none (probably it does so beside another
# perf, which records them).  The perf of this machine then prints memory that is not its own.
perfdata_misled() { perf script -D -i "$1" 2>/dev/null | grep -aq 'PERF_RECORD_MMAP2.*<[0-9a-f]'; }

perfdata_record() {
	local dir=$1 name try
	mkdir -p "$dir"
	{
		# name, then perf's options
		cat <<-'END'
			clock       -e cpu-clock
			chain       -e cpu-clock -g
			dwarf       -e cpu-clock -F 499 --call-graph dwarf,4096
			several     -e cpu-clock,page-faults,context-switches -a
			group       -e {cpu-clock,page-faults}:S
			zstd        -z -e cpu-clock -F 9999 -g -a
			addresses   -e cpu-clock -d --phys-data --sample-cpu --data-page-size --code-page-size -W
			sideband    -e cpu-clock --switch-events --namespaces --all-cgroups -a
			read        -e cpu-clock -s -T -P
			registers   -e cpu-clock -c 100000 --user-regs=sp,pc --intr-regs=sp,pc
			clockid     -e task-clock:u -k mono
			buildids    -e cpu-clock --buildid-mmap
			nobuildids  -e cpu-clock -B
			threads     -e cpu-clock --threads -a
			smallring   -e cpu-clock -m 1 -F 9999 -a -g
			breakpoint  -e mem:0x1000:rw -e cpu-clock
			overwrite   -e cpu-clock --overwrite -a
		END
	} | while read -r name options; do
		case $name in
		# registers are named after the architecture
		registers) [ "$(uname -m)" = aarch64 ] || options=${options//sp,pc/sp,ip} ;;
		esac
		for try in 1 2 3; do
			# shellcheck disable=SC2086 # the options are words
			perf record -q -o "$dir/$name.data" $options -- sh -c 'ls -lR /usr/share/doc >/dev/null' \
				>/dev/null 2>"$dir/$name.err" </dev/null || {
				echo "# $name cannot be recorded here: $(tail -n 1 "$dir/$name.err")"
				rm -rf "$dir/$name.data"
				break
			}
			[ "$name" != buildids ] && perfdata_misled "$dir/$name.data" || break
			echo "# $name has a wrong build-id ($try)"
		done
	done
	perf record -q -e cpu-clock -g -o - -- ls -R /usr/share/doc 2>/dev/null >"$dir/pipe.data"
	perf record -q -z -e cpu-clock -o - -- ls -R /usr/share/doc 2>/dev/null >"$dir/pipe-zstd.data"
	rm -f "$dir"/*.err "$dir"/*.old
}

# Text that is the same each time: perf unpacks the vdso under a name of chance.
perfdata_plain() { sed 's,/tmp/perf-vdso\.so-[A-Za-z0-9]\{6\},[vdso],g'; }
