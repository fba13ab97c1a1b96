// SPDX-License-Identifier: GPL-2.0
/* The symbols of a vmlinux in the form that /proc/kallsyms has. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "host/kallsyms.h"

enum { SECTIONS_MAX = 4096 }; /* a kernel has less than 100 */

/* As nm prints it for a local symbol, as far as kallsyms distinguishes; 0: kallsyms would not have it. */
static char letter_of(Elf *elf, size_t section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC))
		return 0;
	if (shdr.sh_flags & SHF_EXECINSTR)
		return 't';
	return shdr.sh_type == SHT_NOBITS ? 'b' : 'd';
}

static char type_of(const char *letters, const GElf_Sym *sym)
{
	char letter = sym->st_shndx < SECTIONS_MAX ? letters[sym->st_shndx] : 0;
	int type = GELF_ST_TYPE(sym->st_info), bind = GELF_ST_BIND(sym->st_info);

	if (!letter || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
		return 0;
	if (bind == STB_LOCAL)
		return letter;
	return letter == 't' && bind == STB_WEAK ? 'W' : toupper(letter);
}

/* The text at an offset of a table of strings. */
static char *string_at(const Elf_Data *strings, uint32_t offset)
{
	return offset < strings->d_size ? (char *)strings->d_buf + offset : NULL;
}

static int read_table(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
		      int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	Elf_Data *data = elf_getdata(scn, NULL),
		 *strings = elf_getdata(elf_getscn(elf, shdr->sh_link), NULL);
	struct rt_kallsym out = { .module = NULL };
	char letters[SECTIONS_MAX] = { 0 };
	size_t count = 0, n;
	GElf_Sym sym;
	int i, ret = 0;

	if (!data || !strings || !strings->d_size || *string_at(strings, strings->d_size - 1))
		return -EINVAL;
	elf_getshdrnum(elf, &count);
	for (n = 1; n < count && n < SECTIONS_MAX; n++)
		letters[n] = letter_of(elf, n);
	for (i = 1; !ret && gelf_getsym(data, i, &sym); i++) {
		out.type = type_of(letters, &sym);
		out.name = out.type ? string_at(strings, sym.st_name) : NULL;
		out.address = sym.st_value;
		/* Not those with which assemblers mark code, data and places inside functions. */
		if (out.name && *out.name && *out.name != '$' && strncmp(out.name, ".L", 2))
			ret = fn(arg, &out);
	}
	return ret;
}

int rt_kallsyms_read_elf(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = -ENOENT;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf *elf;

	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB) {
			ret = read_table(elf, scn, &shdr, fn, arg);
			break;
		}
	elf_end(elf);
	close(fd);
	return ret;
}
