// SPDX-License-Identifier: GPL-2.0
#include "perfdata/text/data_src.h"

#include <stdio.h>
#include <string.h>

/* Append to a bounded string; return its new end. */
static size_t append(char *out, size_t size, size_t at, const char *text)
{
	size_t n = strlen(text);

	if (at + n >= size)
		n = size - at - 1;
	memcpy(out + at, text, n);
	out[at + n] = 0;
	return at + n;
}

/* Append the names of the set bits, joined by " or ". */
static size_t append_bits(char *out, size_t size, size_t at, uint64_t bits,
			  const char *const *bit_names, size_t count, bool *any)
{
	size_t i;

	for (i = 0; bits && i < count; i++, bits >>= 1) {
		if (!(bits & 1))
			continue;
		if (*any)
			at = append(out, size, at, " or ");
		at = append(out, size, at, bit_names[i]);
		*any = true;
	}
	return at;
}

/* Levels of memory and of the TLB have the same two bits. */
static size_t append_outcome(char *out, size_t size, size_t at, uint64_t bits)
{
	if (bits & 2)
		at = append(out, size, at, " hit");
	if (bits & 4)
		at = append(out, size, at, " miss");
	return at;
}

static size_t append_level(char *out, size_t size, size_t at, uint64_t src)
{
	static const char *const levels[] = {
		"N/A",
		"HIT",
		"MISS",
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const hops[] = { "N/A",
					    "core, same node",
					    "node, same socket",
					    "socket, same board",
					    "board",
					    "",
					    "",
					    "" };
	static const char *const numbers[16] = {
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};
	uint64_t bits = src >> 5 & 0x3fff, number = src >> 33 & 15, hop = src >> 43 & 7;
	bool remote = src >> 37 & 1, any = false;
	size_t begin = at;
	char text[8];

	if (remote)
		at = append(out, size, at, "Remote ");
	if (hop) {
		at = append(out, size, at, hops[hop]);
		at = append(out, size, at, " ");
	} else {
		at = append_bits(out, size, at, bits & ~6ull, levels,
				 sizeof(levels) / sizeof(*levels), &any);
	}
	if (number) {
		if (any)
			at = append(out, size, at, " or ");
		snprintf(text, sizeof(text), "L%d", (int)number);
		at = append(out, size, at, numbers[number] ? numbers[number] : text);
	}
	if (at == begin)
		at = append(out, size, at, "N/A");
	return append_outcome(out, size, at, bits);
}

static size_t append_snoop(char *out, size_t size, size_t at, uint64_t src)
{
	static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const snoopx[] = { "Fwd", "Peer" };
	bool any = false;

	at = append_bits(out, size, at, src >> 19 & 31, snoops, 5, &any);
	at = append_bits(out, size, at, src >> 38 & 3, snoopx, 2, &any);
	return any ? at : append(out, size, at, "N/A");
}

static size_t append_tlb(char *out, size_t size, size_t at, uint64_t src)
{
	static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	uint64_t tlb = src >> 26 & 0x7f;
	bool any = false;

	at = append_bits(out, size, at, tlb & ~6ull, tlbs, 7, &any);
	if (!any)
		at = append(out, size, at, "N/A");
	return append_outcome(out, size, at, tlb);
}

static size_t append_lock(char *out, size_t size, size_t at, uint64_t src)
{
	uint64_t lock = src >> 24 & 3;

	return append(out, size, at, lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
}

static size_t append_block(char *out, size_t size, size_t at, uint64_t src)
{
	uint64_t blk = src >> 40 & 7;

	if (blk & 1 || !blk)
		return append(out, size, at, " N/A");
	if (blk & 2)
		at = append(out, size, at, " Data");
	if (blk & 4)
		at = append(out, size, at, " Addr");
	return at;
}

static const struct {
	const char *title;
	unsigned int shift;
	uint64_t mask;
	size_t (*append)(char *out, size_t size, size_t at, uint64_t src);
} parts[] = {
	[RT_DATA_SRC_LEVEL] = { "|LVL ", 5, 0x3fff, append_level },
	[RT_DATA_SRC_SNOOP] = { "|SNP ", 19, 31, append_snoop },
	[RT_DATA_SRC_TLB] = { "|TLB ", 26, 0x7f, append_tlb },
	[RT_DATA_SRC_LOCK] = { "|LCK ", 24, 3, append_lock },
	[RT_DATA_SRC_BLOCK] = { "|BLK ", 40, 7, append_block },
};

uint64_t rt_data_src_bits(enum rt_data_src_part part, uint64_t src)
{
	return src >> parts[part].shift & parts[part].mask;
}

void rt_data_src_part(enum rt_data_src_part part, uint64_t src, char *out, size_t size)
{
	out[0] = 0;
	parts[part].append(out, size, 0, src);
}

int rt_data_src_text(uint64_t src, char *out, size_t size)
{
	static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	uint64_t op = src & 31;
	size_t at, i;

	at = append(out, size, 0, "|OP ");
	for (i = 0; i < 5 && !(op >> i & 1); i++)
		;
	at = append(out, size, at, i < 5 ? ops[i] : "No");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		at = append(out, size, at, parts[i].title);
		at = parts[i].append(out, size, at, src);
	}
	return (int)at;
}
