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

# As many searches at a time as there are processors; what they found is told in the end, in order.
verdicts=build/model/verdicts
rm -rf $verdicts
mkdir -p $verdicts
count=1000

ask() { # WANTED WHAT OPTION…
	[ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
	count=$((count + 1))
	{
		printf '%s\n%s\n' "$1" "$2"
		search "$(tr -cs 'a-zA-Z0-9\n' - <<<"$2")" "${@:3}"
		echo "${*:3}"
	} >$verdicts/$count &
}

holds() { ask holds "$@"; } # WHAT OPTION…
found() { model_optimize=-O0 ask found "$@"; } # WHAT OPTION…: such a search is shorter than its building

live=(-DMODE=DISCARD -DREADER=LIVE)
take=(-DMODE=OVERWRITE -DREADER=TAKE)
copy=(-DMODE=OVERWRITE -DREADER=COPY)
alone=(-DMODE=OVERWRITE -DREADER=NOBODY)
alone_discard=(-DMODE=DISCARD -DREADER=NOBODY)

# Nested writers, and an image of the memory at every moment.
holds 'overwrite, writers alone, a lap inside one interrupt' "${alone[@]}" -DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=3
holds 'overwrite, writers alone, three levels, one burst each' "${alone[@]}" -DIMAGE -DWORDS=2 -DOUTER=1 -DNESTED=1 -DDEEP=1
holds 'overwrite, writers alone, several records a sub-buffer' "${alone[@]}" -DIMAGE -DWORDS=4 -DOUTER=3 -DNESTED=2
holds 'discard, writers alone' "${alone_discard[@]}" -DIMAGE -DWORDS=4 -DOUTER=3 -DNESTED=2

# A reader on another CPU.
holds 'discard, live reader' "${live[@]}" -DIMAGE -DWORDS=3 -DOUTER=2 -DNESTED=1
holds 'overwrite, taker' "${take[@]}" -DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=1
holds 'overwrite, copier' "${copy[@]}" -DWORDS=2 -DOUTER=2 -DNESTED=1

# Times, headers, flushes, wake-ups; one reader that takes and copies.
holds 'overwrite, a clock that stands still and steps both ways' "${alone[@]}" -DCLOCK=2 -DWORDS=2 -DOUTER=2 -DNESTED=1
holds 'discard, what headers say of losses never goes back' "${alone_discard[@]}" -DHEADERS -DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=2
holds 'overwrite, a flush inside a writer' "${alone[@]}" -DFLUSHES -DIMAGE -DWORDS=4 -DOUTER=2 -DNESTED=1
holds 'discard, live reader, a flush inside a writer' "${live[@]}" -DFLUSHES -DWORDS=3 -DOUTER=2 -DNESTED=0
holds 'discard, a live reader that sleeps is woken' "${live[@]}" -DWATERMARK=1 -DWORDS=2 -DOUTER=3 -DNESTED=0
holds 'overwrite, a taker who copies' "${take[@]}" -DCOPIES -DWORDS=2 -DOUTER=2 -DNESTED=0

# Stores that are seen late and in any order.
holds 'discard, live reader, weak memory' "${live[@]}" -DWEAK -DWORDS=2 -DOUTER=3 -DNESTED=0
holds 'discard, live reader, weak memory, nested' "${live[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1
holds 'overwrite, taker, weak memory' "${take[@]}" -DWEAK -DWORDS=2 -DOUTER=4 -DNESTED=0
holds 'overwrite, copier, weak memory' "${copy[@]}" -DWEAK -DWORDS=2 -DOUTER=3 -DNESTED=0

holds 'overwrite, taker, weak memory, nested' "${take[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1
holds 'overwrite, writers alone, weak memory, nested, images' "${alone[@]}" -DWEAK -DIMAGE -DWORDS=2 -DOUTER=2 -DNESTED=1

if [ "${RT_LEVEL:-default}" != default ]; then
	# What the release of the rest orders, the releases of the records before it have ordered.
	holds 'discard, live reader, weak memory, the rest counted without release' "${live[@]}" -DWEAK -DWORDS=3 -DOUTER=2 -DNESTED=0 -DNO_C_SHUT
	holds 'discard, live reader, weak memory, nested, images' "${live[@]}" -DWEAK -DIMAGE -DWORDS=2 -DOUTER=1 -DNESTED=1
	holds 'overwrite, copier, weak memory, nested' "${copy[@]}" -DWEAK -DWORDS=2 -DOUTER=1 -DNESTED=1
	holds 'overwrite, writers alone, laps inside one interrupt' "${alone[@]}" -DIMAGE -DWORDS=3 -DOUTER=3 -DNESTED=3
	holds 'overwrite, writers alone, three levels' "${alone[@]}" -DIMAGE -DWORDS=2 -DOUTER=1 -DNESTED=2 -DDEEP=1
	holds 'overwrite, writers alone, four sub-buffers' "${alone[@]}" -DIMAGE -DSUBBUFS=4 -DWORDS=2 -DOUTER=2 -DNESTED=5
	holds 'overwrite, writers alone, three levels, several records a sub-buffer' "${alone[@]}" -DIMAGE -DWORDS=4 \
		-DOUTER=2 -DNESTED=2 -DDEEP=1
	holds 'discard, live reader, several records a sub-buffer' "${live[@]}" -DIMAGE -DWORDS=4 -DOUTER=2 -DNESTED=2
	holds 'discard, live reader, four sub-buffers' "${live[@]}" -DIMAGE -DSUBBUFS=4 -DWORDS=2 -DOUTER=3 -DNESTED=2
	holds 'overwrite, taker, longer' "${take[@]}" -DIMAGE -DWORDS=3 -DOUTER=2 -DNESTED=2
	holds 'overwrite, copier, longer' "${copy[@]}" -DWORDS=2 -DOUTER=2 -DNESTED=2
	holds 'overwrite, a clock, longer' "${alone[@]}" -DCLOCK=2 -DWORDS=2 -DOUTER=2 -DNESTED=2
	holds 'overwrite, headers, three levels' "${alone[@]}" -DHEADERS -DIMAGE -DWORDS=2 -DOUTER=1 -DNESTED=2 -DDEEP=1
	holds 'discard, a live reader that sleeps, nested writers' "${live[@]}" -DWATERMARK=1 -DWORDS=2 -DOUTER=3 -DNESTED=1
	holds 'overwrite, a taker who copies, nested writers' "${take[@]}" -DCOPIES -DWORDS=2 -DOUTER=2 -DNESTED=1
fi

# Each barrier of ring_writer.c's table is needed, on both sides.
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
found 'a clock step between closing and opening is believed' "${alone[@]}" -DCLOCK=2 -DWORDS=2 -DOUTER=2 -DNESTED=1 -DBUG_START_UNCLAMPED
found 'a header is filled after the sub-buffer was taken' "${alone[@]}" -DHEADERS -DWORDS=2 -DOUTER=1 -DNESTED=2 -DDEEP=1 -DBUG_PAST_LATE
found 'the reader is woken before the head is raised' "${live[@]}" -DWATERMARK=1 -DWORDS=2 -DOUTER=3 -DNESTED=0 -DBUG_WAKE_EARLY

wait
for file in $verdicts/*; do
	mapfile -t line <"$file"
	like "${line[2]}" "^${line[0]}" "${line[1]}$([ "${line[0]}" = holds ] || echo ': found')"
	diag "${line[2]} (${line[3]})"
done
is "$(ls $verdicts | wc -l)" $((count - 1000)) 'every search has ended'
done_testing
