# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# verdict.sh - what the kernel's own messages say about a run.
#
# One line a kind, the more telling first: name, what is said to the user, the pattern
# (extended regular expression) in the console's log.

VERDICT_TABLE='
kasan|a KASAN report (bad memory access)|BUG: KASAN:
kcsan|a KCSAN report (data race)|BUG: KCSAN:
ubsan|a UBSAN report (undefined behaviour)|UBSAN:
kmemleak|a kmemleak report (leaked memory)|kmemleak: (reports follow|[0-9]+ new suspected memory leaks)
atomic|a sleep in atomic context|BUG: sleeping function called from invalid context|BUG: scheduling while atomic|BUG: using __this_cpu|BUG: using smp_processor_id
lockdep|a lockdep report (locking or RCU)|WARNING: possible (circular|recursive|irq lock)|WARNING: possible irq|WARNING: inconsistent lock state|WARNING: .*-safe -> .*-unsafe lock|WARNING: suspicious RCU usage|WARNING: bad unlock balance|WARNING: lock held|WARNING: held lock freed|WARNING: Nested lock|WARNING: .*still has locks held|BUG: Invalid wait context|\[ BUG: |INFO: trying to register non-static key|DEBUG_LOCKS_WARN_ON|BUG: MAX_LOCK
rcu|an RCU stall|rcu.*detected.* stall|rcu.*kthread starved
lockup|a lockup|BUG: soft lockup|hard LOCKUP|BUG: workqueue lockup
hungtask|a hung task|INFO: task .* blocked for more than
list|a corrupted list|list_(add|del)[a-z_]* corruption
oops|an oops|Unable to handle kernel|BUG: unable to handle|BUG: kernel NULL pointer|kernel BUG at|Internal error:|Oops[: -]|general protection fault|double fault|stack guard page was hit|Unexpected kernel|invalid opcode:|divide error:
warn|a warning (WARN)|WARNING: CPU: [0-9]+ PID|WARNING: .* at .*CPU#?:? ?[0-9]+|------------\[ cut here \]|refcount_t:
bug|a kernel bug report|(^|[^A-Z])BUG: 
panic|a panic|Kernel panic - not syncing
'

# Bits of /proc/sys/kernel/tainted that mean trouble: a warning, an oops, a bad page, a
# soft lockup.  They catch what scrolled past every pattern.
VERDICT_TAINT=$((1 << 9 | 1 << 7 | 1 << 5 | 1 << 14))

# Lines of the log printed around the first one that matters.
VERDICT_BEFORE=3
VERDICT_AFTER=45

# verdict_clean LOG: the log as it is judged, without KCSAN's reports on the kernel itself: in a
# race of ours one side is a function of a module, "name [module]", or was called by one.  What
# ftrace puts between the two is a frame, too, without a name.
verdict_clean() {
	awk '
		function flush() {
			if (!race || ours)
				printf "%s", block
			block = ""; race = ours = inner = 0
		}
		{ sub(/\r$/, "") }
		/==========$/ && race { block = block $0 "\n"; flush(); next }
		/BUG: KCSAN:/ { flush(); race = 1 }
		race && / by (task|interrupt)/ { inner = 2 }
		race && inner && /\+0x[0-9a-f]+\/0x[0-9a-f]+| 0x[0-9a-f]+$/ {
			inner--
			if (/\+0x[0-9a-f]+\/0x[0-9a-f]+ \[[a-zA-Z0-9_]+\]/)
				ours = 1
		}
		{ block = block $0 "\n"; if (!race) flush() }
		END { flush() }' "$1"
}

# verdict_find LOG ALLOWED: the first kind found that is not allowed, and what to say.
verdict_find() {
	local kind says pattern
	while IFS='|' read -r kind says pattern; do
		[ -n "$kind" ] || continue
		[[ " $2 " != *" $kind "* ]] || continue
		if grep -aqE "$pattern" "$1"; then
			printf '%s|%s|%s\n' "$kind" "$says" "$pattern"
			return 0
		fi
	done <<<"$VERDICT_TABLE"
	return 1
}

# verdict_show LOG PATTERN: the interesting part.
verdict_show() {
	awk -v pattern="$2" -v before=$VERDICT_BEFORE -v after=$VERDICT_AFTER '
		{ sub(/\r$/, ""); line[NR] = $0 }
		!hit && $0 ~ pattern { hit = NR }
		END {
			if (!hit)
				hit = NR
			for (i = hit - before; i <= hit + after && i <= NR; i++)
				if (i > 0)
					print "  | " line[i]
		}' "$1" >&2
}

# verdict_tail LOG: the end of it, when nothing in it stands out.
verdict_tail() { tail -n 25 "$1" | sed 's/\r$//; s/^/  | /' >&2; }
