// SPDX-License-Identifier: GPL-2.0
/*
 * Which unit contains an address, from .debug_aranges.
 *
 * libdw can tell, but reads the headers of all units first, which are all over a large file.
 */
#include <gelf.h>
#include <string.h>

#include "types/debuginfo_internal.h"

enum {
	VERSION = 2,
	ADDRESS_SIZE = 8,
	HEADER_SIZE = 12, /* with the length of a 32-bit set */
	LONG_SET = 0xffffffff,
};

static uint32_t get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

bool rt_debuginfo_is_plain(Dwarf *dw)
{
	static const int order =
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	Elf *elf = dwarf_getelf(dw);
	GElf_Ehdr ehdr;

	return elf && gelf_getehdr(elf, &ehdr) && ehdr.e_type != ET_REL &&
	       ehdr.e_ident[EI_CLASS] == ELFCLASS64 && ehdr.e_ident[EI_DATA] == order;
}

/* Whether one of the pairs of address and size contains the address; a pair of zeros ends them. */
static bool covers(const uint8_t *pair, const uint8_t *end, Dwarf_Addr address)
{
	uint64_t from, size;

	for (; end - pair >= 2 * ADDRESS_SIZE; pair += 2 * ADDRESS_SIZE) {
		from = get64(pair);
		size = get64(pair + ADDRESS_SIZE);
		if (!from && !size)
			return false;
		if (address >= from && address - from < size)
			return true;
	}
	return false;
}

bool rt_debuginfo_aranges(Dwarf *dw, Dwarf_Addr address, Dwarf_Off *unit)
{
	const uint8_t *base, *set, *end;
	size_t size, left;
	uint16_t version;

	if (!rt_debuginfo_is_plain(dw))
		return false;
	base = rt_debuginfo_section(dw, ".debug_aranges", &size);
	for (set = base; set && size - (set - base) >= 2 * ADDRESS_SIZE; set = end) {
		left = size - (set - base) - sizeof(uint32_t);
		if (get32(set) == LONG_SET || get32(set) > left || get32(set) < HEADER_SIZE)
			return false;
		end = set + sizeof(uint32_t) + get32(set);
		memcpy(&version, set + 4, sizeof(version));
		if (version != VERSION || set[10] != ADDRESS_SIZE || set[11])
			return false;
		/* Pairs are aligned to their size, from the beginning of the set. */
		if (covers(set + 2 * ADDRESS_SIZE, end, address)) {
			*unit = get32(set + 6);
			return true;
		}
	}
	return false;
}
