// SPDX-License-Identifier: GPL-2.0
/*
 * elfsym.c - ELF files that are not what they seem, through everything of ours that
 * reads them: symbols, stubs, build-ids, links, unwind tables, nearest symbols.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/unwind/codefile.h"
#include "symbols/elffile.h"
#include "symbols/elfsyms.h"
#include "symbols/lines/nearsym.h"
#include "symbols/object.h"
#include "symbols/symbol_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the loaders do, on an image in memory. */
static void from_memory(const uint8_t *data, size_t size)
{
	char *image = malloc(size + 1);
	struct rt_nearsyms near;
	struct rt_buildid id;
	struct rt_symbol_table table;
	struct rt_elf e, mini;
	uint64_t value;

	if (!image)
		return;
	memcpy(image, data, size);
	if (!rt_elf_open_memory(&e, image, size)) {
		struct rt_elfsyms from = { .syms = &e, .runtime = &e, .table = &table };

		rt_symbol_table_init(&table, true, true);
		rt_elfsyms_load(&from);
		rt_elfsyms_load_plt(&e, &table);
		rt_symbol_table_finish(&table);
		for (value = 0; value < 4096; value += 16)
			rt_symbol_table_find(&table, value);
		rt_symbol_table_find_name(&table, "main");
		rt_symbol_table_free(&table);

		rt_elf_buildid(&e, &id);
		rt_elf_debuglink(&e);
		rt_elfsyms_value(&e, "_text", &value);
		if (!rt_elf_open_minidebug(&mini, &e))
			rt_elf_close(&mini);
		if (!rt_nearsyms_load(&near, &e))
			rt_nearsyms_find(&near, 1, 100);
		rt_nearsyms_free(&near);
		rt_elf_close(&e);
	}
	free(image);
}

/* The same as an object in a file, with what unwinding needs. */
static void from_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	const struct rt_codefile *code;
	struct rt_symbols_options opt = { .home = "/nonexistent" };
	struct rt_symbols *syms;
	struct rt_object *obj;
	uint64_t word;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	syms = rt_symbols_open(&opt, NULL);
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);
	rt_object_symbol(obj, 0x1000);
	rt_object_to_vaddr(obj, 0x1000, &word);
	code = rt_codefile_of(obj);
	rt_codefile_read(code, rt_codefile_bias(code, 0x1234, 0, 0x1000), &word, sizeof(word));
	rt_codefile_read_mapped(code, 0x1234, 0, 0x1000, &word, sizeof(word));
	rt_symbols_close(syms);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	from_memory(data, size);
	from_file(data, size);
	return 0;
}
