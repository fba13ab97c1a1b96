// SPDX-License-Identifier: GPL-2.0
/*
 * ELF dumps: /proc/vmcore, QEMU's dump-guest-memory, makedumpfile -E, and /proc/kcore of this
 * machine.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/kcore.h"
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

/* On older kernels, such as 4.9, no segment of /proc/kcore has a physical address. */
static int place_segments(Elf64_Phdr *segments, size_t count, struct rt_err *err)
{
	size_t i, placed = 0;
	FILE *iomem;

	for (i = 0; i < count; i++)
		if (segments[i].p_type == PT_LOAD && segments[i].p_paddr)
			return 0;
	iomem = fopen("/proc/iomem", "re");
	if (iomem) {
		placed = rt_kcore_place(segments, count, iomem);
		fclose(iomem);
	}
	if (!placed)
		return rt_err_set(err, ENODATA,
				  "this kernel's /proc/kcore has no physical addresses, and "
				  "/proc/iomem does not show where memory is; run as root with "
				  "CAP_SYS_ADMIN, or extract from a dump");
	return 0;
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

/* The program headers; those that lie behind the end of the file are left out. */
static Elf64_Phdr *read_segments(struct rt_bytes *bytes, const Elf64_Ehdr *head, size_t *count)
{
	size_t all = segments(bytes, head), i;
	Elf64_Phdr *list = NULL, *grown;

	if (all > SEGMENTS_MAX)
		all = SEGMENTS_MAX;
	for (i = 0; i < all; i++) {
		/* Grow to 1, 2, 4, 8, … entries: a damaged count must not take memory. */
		if (!(i & (i - 1))) {
			grown = realloc(list, (i ? 2 * i : 1) * sizeof(*list));
			if (!grown) {
				free(list);
				return NULL;
			}
			list = grown;
		}
		if (!rt_bytes_get(bytes, head->e_phoff + i * sizeof(*list), &list[i],
				  sizeof(*list)))
			break;
	}
	*count = i;
	return list;
}

static int add_segments(struct rt_extents *r, const Elf64_Phdr *list, size_t count, bool live)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < count; i++)
		if (is_memory(&list[i], live))
			ret = rt_extents_add(r, list[i].p_paddr, list[i].p_offset, list[i].p_filesz,
					     list[i].p_memsz > list[i].p_filesz ? list[i].p_memsz :
										  list[i].p_filesz);
	return ret;
}

int rt_memory_elf(struct rt_bytes *bytes, bool live, struct rt_memory **out, struct rt_err *err)
{
	struct rt_extents *r;
	Elf64_Phdr *list;
	Elf64_Ehdr head;
	size_t count = 0;
	int ret;

	if (!rt_bytes_get(bytes, 0, &head, sizeof(head)) || memcmp(head.e_ident, ELFMAG, SELFMAG))
		return 1;
	ret = check(&head, err);
	if (ret)
		return ret;
	list = read_segments(bytes, &head, &count);
	if (live && list) {
		ret = place_segments(list, count, err);
		if (ret) {
			free(list);
			return ret;
		}
	}
	r = rt_extents_new(bytes, live ? "memory of this machine" : "ELF dump");
	ret = r && (list || !segments(bytes, &head)) ? add_segments(r, list, count, live) : -ENOMEM;
	free(list);
	if (ret)
		rt_err_set(err, ENOMEM, "out of memory");
	if (!r)
		return ret;
	*out = rt_extents_memory(r);
	(*out)->live = live;
	return ret;
}
