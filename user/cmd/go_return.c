// SPDX-License-Identifier: GPL-2.0
/*
 * A return probe replaces the return address on the stack.  Go copies its stacks to other places and walks
 * them for the garbage collector; it ends a program whose stack has an address that it does not know.
 * A probe at the ret instructions is as good, so tell the user where they are.
 */
#include "cmd/go_return.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/x86_length.h"
#include "base/text.h"
#include "symbols/elffile.h"

enum {
	RETS_SHOWN = 8,
	CODE_MAX = 1 << 20, /* bytes of a function */
	X86_RET = 0xc3,
};

#define A64_RET 0xd65f03c0U

/* The size of the function at an offset in the file; 0 if no symbol says it. */
static uint64_t size_at(const struct rt_elf *elf, uint64_t offset)
{
	Elf_Data *data = elf->symtab ? elf_getdata(elf->symtab, NULL) : NULL;
	uint64_t delta;
	GElf_Sym sym;
	int i;

	for (i = 1; data && gelf_getsym(data, i, &sym); i++)
		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC &&
		    rt_elf_vaddr_delta(elf, sym.st_value, &delta) && sym.st_value - delta == offset)
			return sym.st_size;
	return 0;
}

/* Append where the ret instructions are; false if the code cannot be decoded. */
static bool list_rets(const struct rt_event_spec *spec, const uint8_t *code, uint64_t size,
		      bool arm64, struct rt_text *out)
{
	uint64_t at, shown = 0;
	unsigned int length;
	uint32_t word;

	for (at = 0; at < size; at += length) {
		length = arm64 ? 4 : rt_x86_length(code + at, size - at, true);
		if (!length || at + length > size)
			return false;
		if (arm64)
			memcpy(&word, code + at, sizeof(word));
		if (arm64 ? word != A64_RET : code[at] != X86_RET)
			continue;
		if (shown++ < RETS_SHOWN)
			rt_text_printf(out, "%suprobe:%s:%s+0x%llx", shown > 1 ? ", " : "",
				       spec->path, spec->symbol, (unsigned long long)at);
	}
	return shown && shown <= RETS_SHOWN;
}

/* The places of a function's ret instructions, or general advice. */
static void advise(const struct rt_event_spec *spec, struct rt_text *out)
{
	struct rt_elf elf;
	uint64_t size = 0;
	uint8_t *code;
	bool found = false;

	if (spec->symbol && !rt_elf_open(&elf, spec->path)) {
		size = size_at(&elf, spec->address);
		code = size && size <= CODE_MAX ? malloc(size) : NULL;
		if (code && pread(elf.fd, code, size, spec->address) == (ssize_t)size)
			found = list_rets(spec, code, size, elf.ehdr.e_machine == EM_AARCH64, out);
		free(code);
		rt_elf_close(&elf);
	}
	if (found)
		return;
	rt_text_reset(out);
	rt_text_str(out, "uprobe:PATH:FUNCTION+OFFSET ('objdump -d' shows the offsets)");
}

int rt_go_return_check(const struct rt_event_list *list, enum rt_arch arch, const char *force,
		       struct rt_err *err)
{
	const struct rt_event_spec *spec;
	struct rt_text rets;
	size_t i;

	for (i = 0; i < list->count; i++) {
		spec = &list->specs[i];
		if (spec->kind != RT_SPEC_URETPROBE || !spec->go)
			continue;
		rt_text_init(&rets);
		advise(spec, &rets);
		rt_text_char(&rets, 0);
		rt_err_set(
			err, EPERM,
			"'%s': %s is a Go program: Go moves its stacks and does not know the "
			"return address that a return probe puts there, so the program would crash; "
			"probe the ret instructions instead, where %s has the first result: %s%s",
			spec->text, spec->path, arch == RT_ARCH_ARM64 ? "%x0" : "%ax",
			rets.failed ? "uprobe:" : rets.base, force);
		rt_text_free(&rets);
		return -EPERM;
	}
	return 0;
}
