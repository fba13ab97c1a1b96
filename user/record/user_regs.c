// SPDX-License-Identifier: GPL-2.0
/* The registers of the user side: their names, their numbers in the file and their words in the ring. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "arch/registers.h"
#include "record/sampling.h"

/* perf's register number for each word of x86's struct pt_regs; orig_ax has none. */
static const int8_t x86_numbers[RT_REGISTERS_X86_64] = {
	23, 22, 21, 20, 6, 1, 19, 18, 17, 16, 0, 2, 3, 4, 5, -1, 8, 10, 9, 7, 11,
};

/* All registers that an unwinder may need. */
#define X86_ALL	  0xff0fffULL
#define ARM64_ALL 0x1ffffffffULL

static int number_of(enum rt_arch arch, unsigned int word)
{
	if (arch == RT_ARCH_X86_64)
		return x86_numbers[word];
	return (int)word;
}

uint64_t rt_sampling_all_registers(enum rt_arch arch)
{
	return arch == RT_ARCH_X86_64 ? X86_ALL : ARM64_ALL;
}

uint64_t rt_sampling_words(const struct rt_sampling *s, enum rt_arch arch)
{
	unsigned int word, count = rt_register_count(arch);
	uint64_t words = 0;
	int n;

	for (word = 0; word < count; word++) {
		n = number_of(arch, word);
		if (n >= 0 && s->registers >> n & 1)
			words |= 1ULL << word;
	}
	return words;
}

uint64_t rt_sampling_of_words(uint64_t words, enum rt_arch arch)
{
	unsigned int word, count = rt_register_count(arch);
	uint64_t registers = 0;
	int n;

	for (word = 0; word < count; word++) {
		n = number_of(arch, word);
		if (n >= 0 && words >> word & 1)
			registers |= 1ULL << n;
	}
	return registers;
}

void rt_sampling_registers(const struct rt_sampling *s, enum rt_arch arch, const void *words,
			   uint64_t *to)
{
	unsigned int word, count = rt_register_count(arch);
	const char *from = words;
	uint64_t below;
	int n;

	for (word = 0; word < count; word++) {
		n = number_of(arch, word);
		if (n < 0 || !(s->registers >> n & 1))
			continue;
		below = s->registers & ((1ULL << n) - 1);
		memcpy(&to[__builtin_popcountll(below)], from, sizeof(*to));
		from += sizeof(*to);
	}
}

/* --- names ----------------------------------------------------------------------- */

/* The bit of the register called NAME, SIZE characters; 0: there is none. */
static uint64_t register_called(enum rt_arch arch, const char *name, size_t size)
{
	const struct rt_registers *known = rt_registers(arch);
	size_t i;

	for (i = 0; i < known->count; i++)
		if (known->list[i].perf_name && rt_sampling_all_registers(arch) >> i & 1 &&
		    strlen(known->list[i].perf_name) == size &&
		    !strncasecmp(known->list[i].perf_name, name, size))
			return 1ULL << i;
	return 0;
}

static int unknown_register(enum rt_arch arch, const char *name, size_t size, struct rt_err *err)
{
	const struct rt_registers *known = rt_registers(arch);
	size_t i, used = 0;
	char all[256] = "";

	for (i = 0; i < known->count; i++)
		if (known->list[i].perf_name && rt_sampling_all_registers(arch) >> i & 1)
			used += snprintf(all + used, sizeof(all) - used, " %s",
					 known->list[i].perf_name);
	return rt_err_set(err, EINVAL, "--user-regs: there is no register '%.*s'; there are%s",
			  (int)size, name, all);
}

int rt_sampling_take_registers(struct rt_sampling_options *opt, enum rt_arch arch, const char *text,
			       struct rt_err *err)
{
	uint64_t bit;
	size_t size;

	opt->registers = text ? 0 : rt_sampling_all_registers(arch);
	while (text) {
		size = strcspn(text, ",");
		bit = register_called(arch, text, size);
		if (!bit)
			return unknown_register(arch, text, size, err);
		opt->registers |= bit;
		text = text[size] ? text + size + 1 : NULL;
	}
	return 0;
}
