#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The model of the ring (ring.pml), searched exhaustively by spin: as it is, nothing may be
# found; with a barrier taken away or a mistake put in, something must be.
# docs/ring-proof.md says what is shown, and what is not.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

. tests/model/lib/search.sh

holds() { # WHAT OPTION…
	local what=$1 verdict
	shift
	verdict=$(search "$(tr -cs 'a-zA-Z0-9\n' - <<<"$what")" "$@")
	like "$verdict" '^holds' "$what"
	diag "$verdict ($*)"
}

found() { # WHAT OPTION…
	local what=$1 verdict
	shift
	verdict=$(search "$(tr -cs 'a-zA-Z0-9\n' - <<<"$what")" "$@")
	like "$verdict" '^found' "$what: found"
	diag "$verdict"
}

live=(-DMODE=DISCARD -DREADER=LIVE)
take=(-DMODE=OVERWRITE -DREADER=TAKE)
copy=(-DMODE=OVERWRITE -DREADER=COPY)
alone=(-DMODE=OVERWRITE -DREADER=NOBODY)
alone_discard=(-DMODE=DISCARD -DREADER=NOBODY)

# Nested writers, and an image of the memory at every moment.
holds 'overwrite, writers alone, laps inside one interrupt' "${alone[@]}" -DIMAGE -DWORDS=3 -DOUTER=3 -DNESTED=3
holds 'overwrite, writers alone, three levels' "${alone[@]}" -DIMAGE -DWORDS=2 -DOUTER=1 -DNESTED=2 -DDEEP=1
holds 'overwrite, writers alone, several records a sub-buffer' "${alone[@]}" -DIMAGE -DWORDS=4 -DOUTER=3 -DNESTED=2
holds 'discard, writers alone' "${alone_discard[@]}" -DIMAGE -DWORDS=4 -DOUTER=3 -DNESTED=2

# A reader on another CPU.
holds 'discard, live reader' "${live[@]}" -DIMAGE -DWORDS=3 -DOUTER=2 -DNESTED=1
holds 'overwrite, taker' "${take[@]}" -DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=1
holds 'overwrite, copier' "${copy[@]}" -DWORDS=2 -DOUTER=2 -DNESTED=1

# Stores that are seen late and in any order.
holds 'discard, live reader, weak memory' "${live[@]}" -DWEAK -DWORDS=2 -DOUTER=3 -DNESTED=0
holds 'discard, live reader, weak memory, nested' "${live[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1
holds 'overwrite, taker, weak memory' "${take[@]}" -DWEAK -DWORDS=2 -DOUTER=4 -DNESTED=0
holds 'overwrite, copier, weak memory' "${copy[@]}" -DWEAK -DWORDS=2 -DOUTER=3 -DNESTED=0

holds 'overwrite, taker, weak memory, nested' "${take[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1
holds 'overwrite, copier, weak memory, nested' "${copy[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1

if [ "${RT_LEVEL:-default}" != default ]; then
	holds 'overwrite, writers alone, four sub-buffers' "${alone[@]}" -DIMAGE -DSUBBUFS=4 -DWORDS=2 -DOUTER=2 -DNESTED=5
	holds 'overwrite, writers alone, three levels, several records a sub-buffer' "${alone[@]}" -DIMAGE -DWORDS=4 \
		-DOUTER=2 -DNESTED=2 -DDEEP=1
	holds 'discard, live reader, several records a sub-buffer' "${live[@]}" -DIMAGE -DWORDS=4 -DOUTER=2 -DNESTED=2
	holds 'discard, live reader, four sub-buffers' "${live[@]}" -DIMAGE -DSUBBUFS=4 -DWORDS=2 -DOUTER=3 -DNESTED=2
	holds 'overwrite, taker, longer' "${take[@]}" -DIMAGE -DWORDS=3 -DOUTER=2 -DNESTED=2
	holds 'overwrite, copier, longer' "${copy[@]}" -DWORDS=2 -DOUTER=2 -DNESTED=2
fi

# Each barrier of ring.c's table is needed, on both sides.
weak=(-DWEAK -DNESTED=0)
found 'without A, the release of seq' "${live[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=3 -DNO_A
found 'without A, the acquire of seq' "${live[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=3 -DNO_A_READER
found 'without B, the release of the state' "${live[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=1 -DNO_B
found 'without B, the acquire of the state' "${live[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=1 -DNO_B_READER
found 'without B, the acquire of the state in a copy' "${copy[@]}" "${weak[@]}" -DWORDS=3 -DOUTER=1 -DNO_B_READER
found 'without C, the release of the commit count' "${live[@]}" "${weak[@]}" -DWORDS=3 -DOUTER=2 -DNO_C
found 'without C, the acquire of the commit count' "${live[@]}" "${weak[@]}" -DWORDS=3 -DOUTER=2 -DNO_C_READER
found 'without C, the acquire of the commit count in a copy' "${copy[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=2 -DNO_C_READER
found 'without D, the release of consumed' "${live[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=3 -DNO_D_READER
found "without E, the order of the reader's exchange" "${take[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=4 -DNO_E_READER
found "without F, the order of the writer's exchange" "${copy[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=3 -DNO_F
found 'without F, the read barrier after a copy' "${copy[@]}" "${weak[@]}" -DWORDS=2 -DOUTER=3 -DNO_F_READER

# Mistakes in the algorithm itself.
nested=(-DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=3)
found 'a sub-buffer that is not wiped' "${alone[@]}" "${nested[@]}" -DBUG_NOT_WIPED
found 'a pending record is wiped' "${alone[@]}" "${nested[@]}" -DBUG_PENDING_WIPED
found 'what another prepares is taken' "${alone[@]}" "${nested[@]}" -DBUG_PREPARING_TAKEN
found 'what was passed over is published after all' "${live[@]}" -DWORDS=2 -DOUTER=1 -DNESTED=1 -DBUG_NOT_SKIPPED
found 'the head is raised after the sub-buffer was opened' "${alone[@]}" -DWORDS=2 -DOUTER=1 -DNESTED=2 -DDEEP=2 -DBUG_HEAD_LATE
found 'committed before the payload' "${alone[@]}" "${nested[@]}" -DBUG_COMMITTED_FIRST
found 'what is overwritten is not counted' "${alone[@]}" "${nested[@]}" -DBUG_OVERWRITTEN_NOT_COUNTED
found 'the rest of a closed sub-buffer is not counted' "${live[@]}" -DWORDS=3 -DOUTER=3 -DNESTED=0 -DBUG_REST_NOT_COUNTED
found 'the unread is wiped' "${live[@]}" -DWORDS=2 -DOUTER=3 -DNESTED=0 -DBUG_UNREAD_WIPED
done_testing
