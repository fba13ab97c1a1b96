// SPDX-License-Identifier: GPL-2.0
/* The symbols of a vmlinux in the form that /proc/kallsyms has. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "host/kallsyms.h"

/* As nm prints it, as far as kallsyms distinguishes; 0: kallsyms would not have it. */
static char type_of(Elf *elf, const GElf_Sym *sym)
{
	Elf_Scn *scn = sym->st_shndx == SHN_UNDEF ? NULL : elf_getscn(elf, sym->st_shndx);
	int type = GELF_ST_TYPE(sym->st_info);
	bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
	    (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
		return 0;
	if (shdr.sh_flags & SHF_EXECINSTR)
		return GELF_ST_BIND(sym->st_info) == STB_WEAK ? 'W' : local ? 't' : 'T';
	if (shdr.sh_type == SHT_NOBITS)
		return local ? 'b' : 'B';
	return local ? 'd' : 'D';
}

static int read_table(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
		      int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	struct rt_kallsym out = { .module = NULL };
	GElf_Sym sym;
	int i, ret = 0;

	for (i = 1; !ret && data && gelf_getsym(data, i, &sym); i++) {
		out.name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		out.type = type_of(elf, &sym);
		out.address = sym.st_value;
		/* Not those with which assemblers mark code, data and places inside functions. */
		if (out.name && *out.name && out.type && *out.name != '$' &&
		    strncmp(out.name, ".L", 2))
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
