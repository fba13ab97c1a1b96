// SPDX-License-Identifier: GPL-2.0
/* insn.c - see insn.h */
#include "script/print/insn.h"

#include <elf.h>

#include "symbols/unwind/codefile.h"
#include "arch/x86_length.h"

#define INSN_MAX 16 /* bytes that perf looks at */

/* Like perf, decode only code of the machine that this program runs on. */
static bool is_decoded(const struct rt_script *script)
{
#if defined(__x86_64__)
	return script->stack.elf == EM_X86_64;
#else
	(void)script;
	return false;
#endif
}

/* Read the bytes at a user address from the file that was mapped there. */
static size_t fetch(const struct rt_maps *maps, uint64_t ip, uint8_t *bytes, bool *is_64bit)
{
	const struct rt_map *map = maps ? rt_maps_find(maps, ip) : NULL;
	const struct rt_codefile *code = map ? rt_codefile_of(map->object) : NULL;
	size_t len = INSN_MAX;

	if (!code || !code->elf.elf)
		return 0;
	*is_64bit = code->elf.ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	while (len && !rt_codefile_read_mapped(code, ip, map->start, map->pgoff, bytes, len))
		len--; /* near the end of the file */
	return len;
}

void rt_insn_print(const struct rt_script *script, const struct rt_item *item, uint64_t fields,
		   struct rt_text *out)
{
	uint8_t bytes[INSN_MAX];
	unsigned int n = 0, i;
	bool is_64bit = false;
	size_t len;

	if (is_decoded(script) && item->sample.ip && item->sample.cpumode != RT_MISC_KERNEL) {
		len = fetch(item->maps, item->sample.ip, bytes, &is_64bit);
		n = len ? rt_x86_length(bytes, len, is_64bit) : 0;
	}
	if (fields & RT_COLUMN_INSNLEN) {
		rt_text_lit(out, " ilen: ");
		rt_text_u64(out, n);
	}
	if (!(fields & RT_COLUMN_INSN) || !n)
		return;
	rt_text_lit(out, " insn:");
	for (i = 0; i < n; i++) {
		rt_text_char(out, ' ');
		rt_text_hex_width(out, bytes[i], 2, '0');
	}
}
