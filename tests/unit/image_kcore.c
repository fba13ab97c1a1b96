// SPDX-License-Identifier: GPL-2.0
/* image_kcore.c - physical addresses for a /proc/kcore that has none. */
#include <string.h>

#include "tap.h"
#include "image/kcore.h"

#define SEGMENT(start, size)                                                              \
	{                                                                                 \
		.p_type = PT_LOAD, .p_vaddr = (start), .p_memsz = (size), .p_align = 4096 \
	}

static size_t place(Elf64_Phdr *segments, size_t count, const char *iomem)
{
	FILE *f = fmemopen((void *)iomem, strlen(iomem), "r");
	size_t placed = f ? rt_kcore_place(segments, count, f) : 0;

	if (f)
		fclose(f);
	return placed;
}

/* As 3.10 has them, on a machine of 512 MB. */
static void old_kernel(void)
{
	static const char iomem[] = "00000000-00000fff : reserved\n"
				    "00001000-0009fbff : System RAM\n"
				    "  00001000-00001fff : System RAM\n"
				    "000f0000-000fffff : reserved\n"
				    "00100000-1ffdffff : System RAM\n"
				    "  01000000-013cd9ff : Kernel code\n";
	Elf64_Phdr segments[] = {
		{ .p_type = PT_NOTE, .p_memsz = 0x9e000 },
		SEGMENT(0xffffffffff600000, 0x800000),
		SEGMENT(0xffffffff81000000, 0x7ff000),
		SEGMENT(0xffffc90000000000, 0x1fffffffffff),
		SEGMENT(0xffff880000001000, 0x9e000),
		SEGMENT(0xffff880000100000, 0x1fee0000),
	};

	is_int(place(segments, 6, iomem), 2, "memory, and no other mapping, is placed");
	is_int(segments[4].p_paddr, 0x1000,
	       "the first part, without the page that is only partly memory");
	is_int(segments[5].p_paddr, 0x100000, "the second part");
	is_int(segments[0].p_paddr + segments[1].p_paddr + segments[2].p_paddr +
		       segments[3].p_paddr,
	       0, "the others are left alone");
}

/* Another mapping happens to have the size of a part of memory. */
static void same_size(void)
{
	static const char iomem[] = "40000000-4fffffff : System RAM\n"
				    "60000000-60ffffff : System RAM\n";
	Elf64_Phdr segments[] = {
		SEGMENT(0xffffff8008000000, 0x1000000),
		SEGMENT(0xffffffc000000000, 0x10000000),
		SEGMENT(0xffffffc020000000, 0x1000000),
	};

	is_int(place(segments, 3, iomem), 2, "another mapping has the size of a part of memory");
	is_int(segments[0].p_paddr, 0, "it is not taken for memory");
	is_int(segments[1].p_paddr, 0x40000000, "the first part is");
	is_int(segments[2].p_paddr, 0x60000000, "and the second");
}

/* One part has a segment of its size, the other is divided. */
static void divided(void)
{
	static const char iomem[] = "40000000-4fffffff : System RAM\n"
				    "60000000-60ffffff : System RAM\n";
	Elf64_Phdr segments[] = {
		SEGMENT(0xffffffc000000000, 0x10000000),
		SEGMENT(0xffffffc020000000, 0x800000),
		SEGMENT(0xffffffc020800000, 0x800000),
		SEGMENT(0xffffffc030000000, 0x800000),
	};

	is_int(place(segments, 4, iomem), 3, "memory in two segments");
	is_int(segments[2].p_paddr, 0x60800000, "the second of them");
	is_int(segments[3].p_paddr, 0, "what lies behind memory is left alone");
}

static void no_help(void)
{
	Elf64_Phdr segment = SEGMENT(0xffff880000100000, 0x1fee0000);

	is_int(place(&segment, 1, "00000000-00000000 : System RAM\n"), 0, "a user is shown zeros");
	is_int(place(&segment, 1, "nothing\n"), 0, "no memory at all");
	is_int(segment.p_paddr, 0, "nothing is placed then");
}

int main(void)
{
	old_kernel();
	same_size();
	divided();
	no_help();
	return tap_done();
}
