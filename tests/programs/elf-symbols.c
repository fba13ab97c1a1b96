// SPDX-License-Identifier: GPL-2.0
/*
 * elf-symbols FILE NOTES NAME=ADDRESS… - make an ELF file that has these symbols and the notes of
 * the file NOTES, like a vmlinux with symbols.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS_MAX 16
#define BYTES_MAX   65536

static Elf64_Sym symbols[1 + SYMBOLS_MAX];
static char strings[4096], notes[BYTES_MAX];
static const char names[] = "\0.notes\0.symtab\0.strtab\0.shstrtab";

static void set(Elf64_Shdr *s, size_t name, unsigned int type, const void *bytes, size_t size,
		size_t *at, FILE *out)
{
	s->sh_name = name;
	s->sh_type = type;
	s->sh_offset = *at;
	s->sh_size = size;
	s->sh_addralign = 8;
	fwrite(bytes, 1, size, out);
	*at += size;
	for (; *at % 8; (*at)++)
		fputc(0, out);
}

int main(int argc, char **argv)
{
	Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_EXEC,
			    .e_version = EV_CURRENT,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 5,
			    .e_shstrndx = 4 };
	size_t at = sizeof(head), text = 1, size;
	Elf64_Shdr sections[5] = { { 0 } };
	FILE *in, *out;
	char *equals;
	int i, count = 1;

#ifdef __x86_64__
	head.e_machine = EM_X86_64;
#else
	head.e_machine = EM_AARCH64;
#endif
	if (argc < 4 || argc > 3 + SYMBOLS_MAX)
		return 2;
	in = fopen(argv[2], "r");
	out = fopen(argv[1], "w");
	if (!in || !out) {
		perror(in ? argv[1] : argv[2]);
		return 1;
	}
	size = fread(notes, 1, sizeof(notes), in);
	for (i = 3; i < argc; i++) {
		equals = strchr(argv[i], '=');
		if (!equals || text + (equals - argv[i]) + 1 > sizeof(strings))
			return 2;
		symbols[count].st_name = text;
		symbols[count].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
		symbols[count].st_shndx = SHN_ABS;
		symbols[count++].st_value = strtoull(equals + 1, NULL, 0);
		memcpy(strings + text, argv[i], equals - argv[i]);
		text += equals - argv[i] + 1;
	}
	fwrite(&head, sizeof(head), 1, out);
	set(&sections[1], 1, SHT_NOTE, notes, size, &at, out);
	set(&sections[2], 8, SHT_SYMTAB, symbols, count * sizeof(symbols[0]), &at, out);
	sections[1].sh_addralign = 4;
	sections[2].sh_link = 3;
	sections[2].sh_info = 1;
	sections[2].sh_entsize = sizeof(symbols[0]);
	set(&sections[3], 16, SHT_STRTAB, strings, text, &at, out);
	set(&sections[4], 24, SHT_STRTAB, names, sizeof(names), &at, out);
	fwrite(sections, sizeof(sections), 1, out);
	head.e_shoff = at;
	rewind(out);
	fwrite(&head, sizeof(head), 1, out);
	fclose(in);
	return fclose(out) ? 1 : 0;
}
