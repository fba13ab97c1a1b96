// SPDX-License-Identifier: GPL-2.0
/*
 * ELF dumps: /proc/vmcore, QEMU's dump-guest-memory, makedumpfile -E, and /proc/kcore of this
 * machine.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/memory.h"

#define SEGMENTS_MAX (1U << 20)

/* More segments than e_phnum can hold are counted in the first section header. */
static uint32_t segments(struct rt_bytes *bytes, const Elf64_Ehdr *head)
{
	Elf64_Shdr section;

	if (head->e_phnum != PN_XNUM)
		return head->e_phnum;
	if (!head->e_shoff || !rt_bytes_get(bytes, head->e_shoff, &section, sizeof(section)))
		return head->e_phnum;
	return section.sh_info;
}

/* Kernel mappings in /proc/kcore that are not memory have the physical address 0 or -1. */
static bool is_memory(const Elf64_Phdr *segment, bool live)
{
	return segment->p_type == PT_LOAD && segment->p_paddr != UINT64_MAX &&
	       (segment->p_paddr || !live);
}

static int check(const Elf64_Ehdr *head, struct rt_err *err)
{
	if (head->e_ident[EI_DATA] != ELFDATA2LSB)
		return rt_err_set(err, EINVAL,
				  "dump of a big-endian machine; ringtail has no module for these");
	if (head->e_ident[EI_CLASS] != ELFCLASS64)
		return rt_err_set(
			err, EINVAL,
			"32-bit ELF dump; write a 64-bit one (kexec without --elf32-core-headers)");
	if (head->e_type != ET_CORE)
		return rt_err_set(err, EINVAL,
				  "an ELF file, but not a dump: a dump has the type 'core'");
	return 0;
}

int rt_memory_elf(struct rt_bytes *bytes, bool live, struct rt_memory **out, struct rt_err *err)
{
	struct rt_extents *r;
	Elf64_Phdr segment;
	Elf64_Ehdr head;
	uint32_t i, count;
	int ret = 0;

	if (!rt_bytes_get(bytes, 0, &head, sizeof(head)) || memcmp(head.e_ident, ELFMAG, SELFMAG))
		return 1;
	ret = check(&head, err);
	if (ret)
		return ret;
	r = rt_extents_new(bytes, live ? "memory of this machine" : "ELF dump");
	if (!r)
		return rt_err_set(err, ENOMEM, "out of memory");
	count = segments(bytes, &head);
	for (i = 0; !ret && i < count && i < SEGMENTS_MAX; i++) {
		if (!rt_bytes_get(bytes, head.e_phoff + (uint64_t)i * sizeof(segment), &segment,
				  sizeof(segment)))
			break;
		if (is_memory(&segment, live))
			ret = rt_extents_add(r, segment.p_paddr, segment.p_offset, segment.p_filesz,
					     segment.p_memsz > segment.p_filesz ? segment.p_memsz :
										  segment.p_filesz);
	}
	if (ret)
		rt_err_set(err, ENOMEM, "out of memory");
	*out = rt_extents_memory(r);
	(*out)->live = live;
	return ret;
}
