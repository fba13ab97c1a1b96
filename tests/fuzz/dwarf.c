// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitrary bytes as the DWARF of a program: an answer or a sentence.
 *
 * An input is the sizes of the sections, 32 bits each, and their contents.  A valid ELF file is made
 * around them, so that the fuzzer spends its time in DWARF.
 */
#include <elf.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "types/debug_index.h"
#include "types/debuginfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const sections[] = { ".debug_info",	   ".debug_abbrev",   ".debug_line",
					".debug_str",	   ".debug_line_str", ".debug_loclists",
					".debug_rnglists", ".debug_aranges",  ".debug_frame" };

enum {
	SECTIONS = sizeof(sections) / sizeof(sections[0]),
	TEXT = SECTIONS + 1, /* section numbers; 0 is empty */
	SYMTAB,
	STRTAB,
	SHSTRTAB,
	ALL,
	BASE = 0x10000, /* where the seeds have their code */
	CODE = 0x400,
};

static const char names[] = "\0seen\0twice\0hidden";

struct image {
	uint8_t *base;
	size_t size, room;
};

static size_t put(struct image *image, const void *from, size_t size)
{
	size_t at = (image->size + 7) & ~7UL;

	if (at + size > image->room)
		abort();
	memcpy(image->base + at, from, size);
	image->size = at + size;
	return at;
}

static void describe(Elf64_Shdr *header, unsigned int type, size_t at, size_t size, size_t entry)
{
	header->sh_type = type;
	header->sh_offset = at;
	header->sh_size = size;
	header->sh_entsize = entry;
	header->sh_addralign = 1;
}

static void make(struct image *image, const uint8_t *data, size_t size)
{
	Elf64_Shdr headers[ALL] = { { 0 } };
	Elf64_Sym symbols[] = {
		{ 0 },
		{ 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, TEXT, BASE, 0x80 },
		{ 12, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, TEXT, BASE + 0x80, 0x80 },
	};
	Elf64_Ehdr head = { .e_type = ET_DYN, .e_version = EV_CURRENT, .e_ehsize = sizeof(head) };
	uint8_t code[CODE] = { 0 };
	char text[256] = "";
	size_t used = 1;
	uint32_t n, left = size - 4 * SECTIONS;
	unsigned int i;

	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = ELFDATA2LSB;
	head.e_ident[EI_VERSION] = EV_CURRENT;
	head.e_machine = EM_AARCH64;
	head.e_shentsize = sizeof(headers[0]);
	head.e_shnum = ALL;
	head.e_shstrndx = SHSTRTAB;
	put(image, &head, sizeof(head));
	for (i = 0; i < SECTIONS; i++) {
		memcpy(&n, data + 4 * i, 4);
		n = n < left ? n : left;
		describe(&headers[1 + i], SHT_PROGBITS, put(image, data + size - left, n), n, 0);
		left -= n;
		headers[1 + i].sh_name = used;
		strcpy(text + used, sections[i]);
		used += strlen(sections[i]) + 1;
		if (!strcmp(sections[i], ".debug_str") || !strcmp(sections[i], ".debug_line_str"))
			headers[1 + i].sh_flags = SHF_MERGE | SHF_STRINGS;
	}
	describe(&headers[TEXT], SHT_PROGBITS, put(image, code, sizeof(code)), sizeof(code), 0);
	headers[TEXT].sh_addr = BASE;
	headers[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	describe(&headers[SYMTAB], SHT_SYMTAB, put(image, symbols, sizeof(symbols)),
		 sizeof(symbols), sizeof(symbols[0]));
	headers[SYMTAB].sh_link = STRTAB;
	headers[SYMTAB].sh_info = 1;
	describe(&headers[STRTAB], SHT_STRTAB, put(image, names, sizeof(names)), sizeof(names), 0);
	describe(&headers[SHSTRTAB], SHT_STRTAB, put(image, text, used), used, 0);
	head.e_shoff = put(image, headers, sizeof(headers));
	memcpy(image->base, &head, sizeof(head));
}

/* --- questions ------------------------------------------------------------------------- */

static void ask_type(struct rt_types *t, rt_type_id id, int depth)
{
	struct rt_enumerator e;
	struct rt_member m;
	struct rt_type type;
	char text[256];
	uint32_t i;

	rt_types_declare(t, id, "x", text, sizeof(text));
	rt_types_find_member(t, id, "name", &m, NULL);
	if (rt_types_get(t, id, &type))
		return;
	for (i = 0; i < type.count && i < 8; i++) {
		if (!rt_types_member(t, type.id, i, &m) && depth < 2)
			ask_type(t, m.type, depth + 1);
		rt_types_enumerator(t, type.id, i, &e);
	}
	if (depth < 2)
		ask_type(t, type.target, depth + 1);
}

static int ask_variable(void *arg, const struct rt_variable *variable)
{
	ask_type(arg, variable->type, 0);
	return 0;
}

static void ask_places(struct rt_debuginfo *d, struct rt_code_places *places)
{
	struct rt_types *t = rt_debuginfo_types(d);
	struct rt_variable variable;
	rt_type_id id;
	char text[200];
	size_t i;

	for (i = 0; i < places->count && i < 4; i++) {
		uint64_t at = places->list[i].address;

		rt_debuginfo_variables(d, at, ask_variable, t);
		rt_debuginfo_globals(d, at, ask_variable, t);
		rt_debuginfo_variable(d, at, "n", &variable, NULL);
		rt_debuginfo_live_lines(d, at, "n", text, sizeof(text));
		if (!rt_debuginfo_function_type(d, at, &id))
			ask_type(t, id, 0);
	}
	rt_code_places_free(places);
}

static void ask(struct rt_debuginfo *d)
{
	struct rt_code_places places = { 0 };
	struct rt_source_lines lines;
	struct rt_err err;
	rt_type_id id;

	rt_debuginfo_function(d, "seen", &places);
	rt_debuginfo_function(d, "twice", &places);
	rt_debuginfo_function(d, "outer::method", &places);
	rt_debuginfo_symbol(d, "seen", 8, &places);
	ask_places(d, &places);
	rt_debuginfo_file_line(d, "seed.c", 9, &places, &err);
	rt_debuginfo_function_line(d, "seen", 2, &places, &err);
	ask_places(d, &places);
	if (!rt_debuginfo_source(d, "seen", &lines, &err))
		rt_source_lines_free(&lines);
	if (!rt_debuginfo_file_source(d, "seed.c", 3, 20, &lines, &err))
		rt_source_lines_free(&lines);
	rt_types_variable(rt_debuginfo_types(d), "global", &id);
}

static void scan(const char *path)
{
	static const struct rt_buildid id = { 4, { 1, 2, 3, 4 } };
	int what;

	for (what = 0; what < RT_DEBUG_INDEXES; what++)
		rt_debug_index_close(rt_debug_index_scan(path, &id, what, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_err err = { "" };
	struct rt_debuginfo *d;
	struct image image = { .room = size + 8192 };
	char path[64];
	int fd;

	if (size < 4 * SECTIONS)
		return 0;
	image.base = calloc(1, image.room);
	fd = memfd_create("dwarf", 0);
	if (!image.base || fd < 0)
		abort();
	make(&image, data, size);
	if (write(fd, image.base, image.size) != (ssize_t)image.size)
		abort();
	free(image.base);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!rt_debuginfo_open(&d, path, &err)) {
		ask(d);
		rt_debuginfo_close(d);
	} else if (!err.text[0]) {
		abort();
	}
	scan(path);
	close(fd);
	return 0;
}
