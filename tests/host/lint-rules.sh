#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The rules of the tree (scripts/lib/lint-tree.pl): each passes on a small tree that keeps it, and
# fails on the same tree with one violation.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

put() { # PATH TEXT: a file of the small tree
	mkdir -p "$work/$(dirname "$1")"
	printf '%b\n' "$2" >"$work/$1"
}

tree() { # the small tree, as it should be
	rm -rf "${work:?}"/*
	put scripts/lib/layers.txt 'uapi:\nmodule/compat: uapi\nmodule/ring: uapi module/compat\nbase:\nhost: base\ncmd: base host'
	put scripts/lib/uncalled.txt 'rt_host_spare the tests need it'
	put include/uapi/ring.h '#define RT_RING_SIZE 4\nstruct rt_ring_head { int size; };'
	put module/compat/compat.h '#ifdef RT_HAVE_THING\n#endif'
	put module/ring/ring.c '#include "ring/ring.h"\n/* See rt_ring_read() in ring.h. */\nint rt_ring_read(void)\n{\n\treturn rt_ring_read();\n}'
	put module/ring/ring.h '#include <ring.h>\nint rt_ring_read(void);'
	put user/base/text.h '/* May use: nothing; libc. */\nstruct rt_text { int size; };\nint rt_text_size(void);'
	put user/base/text.c '#include "base/text.h"\nint rt_text_size(void)\n{\n\treturn snprintf(0, 0, "stderr");\n}'
	put user/host/host.h '/* Facts.  May use: base. */\n#include "base/text.h"\nint rt_host_read(void);\nint rt_host_spare(void);'
	put user/host/host.c '#include "host/host.h"\nint rt_host_read(void)\n{\n\treturn rt_text_size();\n}'
	put user/cmd/cmd.h '/* May use: base, host. */'
	put user/cmd/show.c '#include "host/host.h"\nint show(void)\n{\n\treturn printf("%d", rt_host_read());\n}'
	put docs/host.md 'The program calls `rt_host_read()` (`RT_RING_SIZE`).'
}

lint() { "$top/scripts/lib/lint-tree.pl" --root "$work" "$@" 2>&1; }

# refused RULE REGEX WHAT: the rule, and no other, has something to say.
refused() {
	local said others
	said=$(lint --rule "$1")
	is "$?:$(printf '%s\n' "$said" | grep -cE "$2")" 1:1 "$3" || diag "$said"
	others=$(for rule in layers headers cycles versions printing citations callers tags; do
		[ "$rule" = "$1" ] || lint --rule $rule
	done)
	is "$others" "" "and no other rule complains"
}

tree
is "$(lint; echo $?)" 0 "the small tree keeps all rules"

put user/base/text.c '#include "base/text.h"\n#include "host/host.h"\nint rt_text_size(void)\n{\n\treturn 0;\n}'
said=$(lint --rule layers)
is "$?:$said" "1:lint: user/base/text.c:2: base may not include user/host/host.h (scripts/lib/layers.txt)" \
	"layers: a folder that includes one above it"

tree
put user/extra/extra.h '/* May use: nothing. */'
refused layers 'the folder extra is not in' "layers: a folder that the table does not know"

tree
put scripts/lib/layers.txt 'uapi:\nmodule/ring: uapi module/compat\nmodule/compat: uapi\nbase:\nhost: base\ncmd: base host'
refused layers 'module/ring may use module/compat, which is not defined above it' "layers: a table that could have a cycle"

tree
put user/host/host.h '/* Facts.  May use: base, cmd. */\n#include "base/text.h"\nint rt_host_read(void);\nint rt_host_spare(void);'
refused headers "user/host/host.h: says that host may use 'base cmd', layers.txt says 'base'" "headers: a header that promises something else"
tree
put user/host/host.h '#include "base/text.h"\nint rt_host_read(void);\nint rt_host_spare(void);'
refused headers "no header of user/host says 'May use:'" "headers: a folder without a description"

tree
put user/base/other.h '#include "base/text.h"\nint rt_other_size(void);'
put user/base/other.c '#include "base/other.h"\nint rt_other_size(void)\n{\n\treturn rt_text_size();\n}'
put user/base/text.c '#include "base/text.h"\n#include "base/other.h"\nint rt_text_size(void)\n{\n\treturn rt_other_size();\n}'
refused cycles 'in a circle: user/base/other user/base/text$' "cycles: two files that include each other"

tree
put module/ring/ring.h '#include <ring.h>\n#ifdef RT_HAVE_THING\n#endif\nint rt_ring_read(void);'
refused versions 'module/ring/ring.h:2: RT_HAVE_THING belongs to module/compat/' "versions: a compile probe outside compat"

tree
put user/base/text.c '#include "base/text.h"\nint rt_text_size(void)\n{\n\treturn fputs("x", stderr);\n}'
refused printing 'user/base/text.c:4: a library neither prints nor exits: stderr' "printing: a library that writes to stderr"
tree
put user/host/host.c '#include "host/host.h"\nint rt_host_read(void)\n{\n\tif (rt_text_size())\n\t\texit(1);\n\treturn 0;\n}'
refused printing 'user/host/host.c:5: a library neither prints nor exits: exit' "printing: a library that exits"

tree
put module/ring/ring.c '#include "ring/ring.h"\n/* See rt_ring_drain() in ring.h. */\nint rt_ring_read(void)\n{\n\treturn rt_ring_read();\n}'
refused citations 'module/ring/ring.c:2: cites rt_ring_drain, which' "citations: a comment that names no function"
tree
put module/ring/ring.c '#include "ring/ring.h"\n/* See rt_ring_read() in reader.h. */\nint rt_ring_read(void)\n{\n\treturn rt_ring_read();\n}'
refused citations 'module/ring/ring.c:2: cites reader.h, which' "citations: a comment that names no file"
tree
put docs/host.md 'The program calls\n`rt_host_write()`.'
refused citations 'docs/host.md:2: cites rt_host_write, which' "citations: a document that names no function"

tree
put user/host/host.h '/* Facts.  May use: base. */\n#include "base/text.h"\nint rt_host_read(void);\nint rt_host_spare(void);\nint rt_host_write(void);'
put tests/unit/host.c 'int main(void)\n{\n\treturn rt_host_write();\n}'
refused callers 'user/host/host.h: nobody calls rt_host_write\(\)' "callers: a function that only a test calls"
tree
put user/cmd/show.c '#include "host/host.h"\nint show(void)\n{\n\treturn rt_host_read() + rt_host_spare();\n}'
refused callers 'uncalled.txt: rt_host_spare has a caller' "callers: an excuse that is no longer needed"

tree
put user/host/host.c '#include "host/host.h"\nstruct rt_text {\n\tint other;\n};\nint rt_host_read(void)\n{\n\treturn rt_text_size();\n}'
refused tags 'struct rt_text is defined in user/base/text.h and user/host/host.c' "tags: a struct tag with two meanings"
tree
put user/base/text.h '/* May use: nothing. */\n#define RT_RING_SIZE 8\nstruct rt_text { int size; };\nint rt_text_size(void);'
said=$(lint --rule tags)
like "$said" 'RT_RING_SIZE is defined in include/uapi/ring.h and user/base/text.h' "tags: a macro with two meanings"
tree
put user/base/text.h '/* May use: nothing. */\nenum { RT_TEXT_ONE,\n\tRT_RING_TEXT,\n};\nstruct rt_text { int size; };\nint rt_text_size(void);'
refused tags 'user/base/text.h:3: RT_RING_TEXT has the prefix of include/uapi/ring.h' "tags: a constant with a prefix of the contract"

done_testing
