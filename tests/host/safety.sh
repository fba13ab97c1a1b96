#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# docs/safety.md lists every name that the module looks up in the kernel, every switch, and the files that write to the kernel's
# structures.  The names are read from the source (scripts/lib/lookup-names.pl), so the page cannot become stale.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=docs/safety.md

section() { awk -v want="## $1" '/^## / { inside = $0 == want } inside' "$page"; } # TITLE
rows() { section "$1" | sed -n 's/^| \(`[^|]*\) |.*/\1/p' | grep -o '`[^`]*`' | tr -d '`' | sort; } # TITLE: what the first cells name

scripts/lib/lookup-names.pl . >"$work/names" 2>"$work/err"
is "$? $(cat "$work/err")" "0 " "all lookups of the source are understood"
ok "there are some" [ "$(wc -l <"$work/names")" -gt 20 ]
is "$(rows 'Names that are looked up')" "$(sort "$work/names")" "the page has each name, and no other"

# The extraction is not blind: a tree with one more lookup has one more name, or is refused.
more() { # FILE LINE: the names that this line adds
	rm -rf "$work/tree"
	mkdir -p "$work/tree"
	cp -r module "$work/tree/"
	printf '%s\n' "$2" >>"$work/tree/$1"
	scripts/lib/lookup-names.pl "$work/tree" 2>"$work/err" | comm -13 "$work/names" - | paste -sd ' '
	return "${PIPESTATUS[0]}"
}
is "$(more module/watch/watch_hit.c 'static void more(void) { rt_lookup_callable("new_function"); }')" new_function "a call with a name"
is "$(more module/event/stack.c 'static const char *const list[] = { "one_more", NEW_NAME }; 
#define NEW_NAME "and_another"
static void more(void) { rt_lookup_name(list[i]); }')" "and_another one_more" "a call with an array"
is "$(more module/session/side.c 'static void more(void) { side_listen(&probe, "new_hook", fn); }')" new_hook "a hook of the side-band"
more module/event/stack.c 'static void more(const char *name) { rt_lookup_name(name); }' >"$work/out"
is $? 1 "a call whose name is not known is refused"
like "$(cat "$work/err")" "module/event/stack.c: where does 'name' get its names" "and it says where"

# Boolean parameters are switches: of a technique, each of which the page and doctor have.
switches=$(grep -rhoE 'module_param(_named)?\([a-z_]+, ([a-z_]+, )?bool' module | sed 's/.*(\([a-z_]*\),.*/\1/' | sort)
is "$(rows Switches)" "$switches" "the page has each switch of the module"
is "$(sed -n '/switches\[\] = {/,/};/p' user/doctor/switches.c | grep -o '"[a-z_]*"' | tr -d '"' | sort)" "$switches" "so has doctor"

# Who writes to a field that the kernel keeps for itself, or takes over what its scheduler of events does.
section 'Where structures of the kernel are written' >"$work/places"
writers=$(grep -rlE --include='*.c' --include='*.h' 'orig_overflow_handler = |event->prog[,;]|pmu->(del|add)\(|^\s+\*place = |write_sysreg\(' module |
	grep -v '^module/compat/probes/' | sort)
ok "some files write to the kernel's structures" [ "$(echo "$writers" | wc -l)" -ge 5 ]
for file in $writers; do
	ok "the page has ${file##*/}" grep -qF "${file##*/}" "$work/places"
done
for file in $(grep -oE 'tests/vm/[a-z-]+\.sh|module/[a-z/_0-9]+\.[ch]' "$page" | sort -u); do
	ok "$file exists" [ -f "$file" ]
done
done_testing
