# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# flight-crash.sh - a guest whose CPUs all write to a flight until it dies, and whether its memory gives back what they counted.
#
#	flight_guest CPUS HOW	the guest's script: it runs the flight 'black-box', says "running", and dies by HOW; FLIGHT_FIELDS has further
#				fields of its event
#	counted DUMP CPUS	"cpu n": how many events the workload has counted on each CPU, out of an ELF dump
#	extracted TEXT		"cpu first last count": of perf script's text; a line "after …" for each event that is missing
#	agree COUNTED EXTRACTED	every event up to the last one that was counted, or the one under way

flight_guest() { # CPUS HOW TO DIE
	cat <<END
case \$(uname -m) in aarch64) a=%x0 b=%x1 ;; *) a=%di b=%si ;; esac
insmod /rt/ringtail.ko && insmod /rt/modules/rt_crash.ko || exit
ringtail flight start black-box -q -g --size $(($1 * 512))K -e "kprobe:rt_crash_event n=\$a:s64 cpu=\$b:s64${FLIGHT_FIELDS-}" \\
	-e sched:sched_switch -e cpu-clock/freq=100/ || exit
for cpu in \$(seq 0 $(($1 - 1))); do
	taskset \$(printf %x \$((1 << cpu))) sh -c "echo run >/proc/rt_crash" &
done
until [ \$(wc -l </proc/rt_crash) = $1 ]; do usleep 10000; done
echo running
sleep 1
$2
END
}

counted() { # ELF DUMP, CPUS
	perl -e 'open(F, "<:raw", $ARGV[0]) or die; my ($b, $t, $c) = ("", "", $ARGV[1] || 2); my $bytes = 8 * $c;
		while (read(F, $b, 1 << 24)) { $t = substr($t, -1024) . $b;
			while ($t =~ /RT_CRASH_COUNTERS\0{15}(.{$bytes})/sg) { my @n = unpack "Q$c", $1; next if grep { !$_ } @n;
				print "$_ $n[$_]\n" for 0 .. $c - 1; exit } }' "$1" "${2:-2}" | sort
}

extracted() { # perf script's text
	awk '/ probe:rt_crash_event: / { n = $0; sub(/.* n=/, "", n); sub(/ .*/, "", n); c = $0; sub(/.* cpu=/, "", c); sub(/[^0-9].*/, "", c);
		if (!(c in first)) first[c] = n; else if (n != last[c] + 1) print "after " last[c] " comes " n " on CPU " c;
		last[c] = n; count[c]++ }
		END { for (c in first) print c, first[c], last[c], count[c] }' "$1" | sort
}

# shellcheck disable=SC2317 # ok calls it
agree() { # COUNTED EXTRACTED
	! grep '^after' "$2" >&2 || return
	join "$1" "$2" | awk -v cpus="$(wc -l <"$1")" '
		{ if ($4 != $2 - 1 && $4 != $2) bad = 1; if ($5 != $4 - $3 + 1) bad = 1; n++ } END { exit bad || !n || n != cpus }'
}
