/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - a small machine to run programs in: four pages of kernel memory, the third of which is
 * not mapped, and one page of user memory.
 */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include "program/program.h"

#define PAGE	    4096
#define KERNEL	    0xffff800000000000ULL
#define KERNEL_HOLE (KERNEL + 2 * PAGE)
#define USER	    0x0000aaaa00000000ULL

static uint8_t kernel_memory[4 * PAGE], user_memory[PAGE];
static unsigned long memory_reads;

/* The bytes [from, from + size) of an area, or NULL if they are not all in it. */
static uint8_t *area_at(uint8_t *area, uint64_t base, uint64_t length, uint64_t from, uint32_t size)
{
	if (from < base || from - base >= length || size > length - (from - base))
		return NULL;
	return area + (from - base);
}

static int memory_read(void *to, uint64_t from, uint32_t size, bool user)
{
	uint8_t *p;

	memory_reads++;
	if (user) {
		p = area_at(user_memory, USER, PAGE, from, size);
	} else {
		p = area_at(kernel_memory, KERNEL, 2 * PAGE, from, size);
		if (!p)
			p = area_at(kernel_memory + 3 * PAGE, KERNEL + 3 * PAGE, PAGE, from, size);
	}
	/* A copy that fails half-way leaves garbage behind. */
	if (!p) {
		memset(to, 0xa5, size);
		return -EFAULT;
	}
	memcpy(to, p, size);
	return 0;
}

static inline void memory_begin(void)
{
	rt_program_host.read = memory_read;
	rt_program_host.pid = 100;
	rt_program_host.tid = 101;
	rt_program_host.cpu = 3;
	rt_program_host.prio = -2;
	memset(rt_program_host.comm, 0, RT_COMM_LEN);
	strcpy(rt_program_host.comm, "worker/1:2");
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
