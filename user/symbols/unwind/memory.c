// SPDX-License-Identifier: GPL-2.0
/* memory.c - the memory of a sampled process, as far as it is known; see internal.h */
#include <string.h>

#include "symbols/unwind/codefile.h"
#include "symbols/unwind/internal.h"

static bool from_stack(const struct rt_unwind_arch *arch, const struct rt_unwind_sample *s,
		       uint64_t addr, void *to)
{
	uint64_t sp;

	if (!rt_unwind_reg(s, arch->sp, &sp) || addr < sp || addr - sp >= s->stack_len)
		return false;
	/* perf does not use the last word. */
	if (s->stack_len - (addr - sp) <= arch->word)
		return false;
	memcpy(to, (const char *)s->stack + (addr - sp), arch->word);
	return true;
}

bool rt_unwind_memory(const struct rt_unwind_arch *arch, const struct rt_unwind_sample *s,
		      uint64_t addr, void *to)
{
	const struct rt_codefile *code;
	struct rt_unwind_map map;

	if (addr + arch->word < addr)
		return false;
	if (from_stack(arch, s, addr, to))
		return true;
	if (!s->map(s->map_arg, addr, &map))
		return false;
	code = rt_codefile_of(map.object);
	return code && rt_codefile_read_mapped(code, addr, map.start, map.pgoff, to, arch->word);
}
