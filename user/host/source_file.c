// SPDX-License-Identifier: GPL-2.0
#include "host/source_file.h"

#include <dirent.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/buildid.h"
#include "host/modules.h"

bool rt_source_file_matches(const char *full, const char *file)
{
	size_t a = strlen(full), b = strlen(file);

	return b && a >= b && !strcmp(full + a - b, file) && (a == b || full[a - b - 1] == '/');
}

/* --- inside a file ----------------------------------------------------------------- */

/* Ask the DWARF unit that contains the address.  This does not work in an unlinked file. */
static int ask_dwarf(Elf *elf, uint64_t value, const char *file)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	const char *name = NULL;
	int ret = -ENOENT;
	Dwarf_Die unit;

	if (dwarf && dwarf_addrdie(dwarf, value, &unit))
		name = dwarf_diename(&unit);
	if (name)
		ret = rt_source_file_matches(name, file);
	dwarf_end(dwarf);
	return ret;
}

static bool section_is(Elf *elf, size_t index, const char *name)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	const char *called;
	GElf_Shdr shdr;
	size_t strings;

	if (!name)
		return true;
	called = scn && gelf_getshdr(scn, &shdr) && !elf_getshdrstrndx(elf, &strings) ?
			 elf_strptr(elf, strings, shdr.sh_name) :
			 NULL;
	return called && !strcmp(called, name);
}

/* Local symbols follow the symbol with the name of their file, which has no directories. */
static int ask_symtab(Elf *elf, const char *section, const char *name, uint64_t value,
		      const char *file)
{
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file, *of = NULL, *called;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;
	GElf_Sym sym;
	int i;

	do {
		scn = elf_nextscn(elf, scn);
	} while (scn && gelf_getshdr(scn, &shdr) && shdr.sh_type != SHT_SYMTAB);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	for (i = 0; data && gelf_getsym(data, i, &sym); i++) {
		called = elf_strptr(elf, shdr.sh_link, sym.st_name);
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE)
			of = called;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_value != value || !called ||
		    strcmp(called, name) || !section_is(elf, sym.st_shndx, section))
			continue;
		if (GELF_ST_BIND(sym.st_info) != STB_LOCAL || !of || !*of)
			return -ENOENT;
		return rt_source_file_matches(of, base);
	}
	return -ENOENT;
}

int rt_source_file_in_elf(const char *path, const char *section, const char *name, uint64_t value,
			  const char *file)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = -ENOENT;
	Elf *elf;

	if (fd < 0)
		return -ENOENT;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && !section)
		ret = ask_dwarf(elf, value, file);
	if (elf && ret == -ENOENT)
		ret = ask_symtab(elf, section, name, value, file);
	elf_end(elf);
	close(fd);
	return ret;
}

/* --- the file that belongs to the kernel --------------------------------------------- */

static int running_id(const char *module, struct rt_buildid *id)
{
	return module ? rt_host_module_buildid(NULL, module, id) : rt_host_kernel_buildid(NULL, id);
}

/* Whether the ELF file has this build-id. */
static bool has_id(const char *path, const struct rt_buildid *id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct rt_buildid its;
	Elf_Scn *scn = NULL;
	bool is = false;
	GElf_Shdr shdr;
	Elf_Data *data;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && !is && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		is = data && data->d_buf && !rt_buildid_in_notes(&its, data->d_buf, data->d_size) &&
		     rt_buildid_equal(&its, id);
	}
	elf_end(elf);
	close(fd);
	return is;
}

/* The module's path in modules.dep, below /lib/modules/RELEASE, up to ".ko". */
static bool installed_as(const char *module, char *out, size_t room)
{
	char *dep = rt_host_modules_dep(NULL);
	const char *file, *base;
	size_t len;

	file = rt_host_modules_dep_find(dep, module, &len);
	if (file) {
		base = memrchr(file, '/', len);
		base = base ? base + 1 : file;
		snprintf(out, room, "%.*s", (int)(base - file + strlen(module)), file);
	}
	free(dep);
	return file != NULL;
}

static bool find_module_file(const char *module, const struct rt_buildid *id, char path[PATH_MAX])
{
	static const char *const forms[] = { "/usr/lib/debug/lib/modules/%s/%s.ko.debug",
					     "/usr/lib/debug/lib/modules/%s/%s.ko",
					     "/usr/lib/debug/usr/lib/modules/%s/%s.ko.debug",
					     "/usr/lib/debug/usr/lib/modules/%s/%s.ko",
					     "/lib/modules/%s/%s.ko" };
	static const char *const places[] = { "extra/", "updates/", "updates/dkms/" };
	char below[4][PATH_MAX / 4] = { "" };
	size_t i, j;

	if (!installed_as(module, below[0], sizeof(below[0])))
		below[0][0] = 0;
	for (j = 0; j < 3; j++)
		snprintf(below[j + 1], sizeof(below[0]), "%s%s", places[j], module);
	for (j = 0; j < 4; j++)
		for (i = 0; *below[j] && i < sizeof(forms) / sizeof(forms[0]); i++) {
			const char *a = strstr(forms[i], "%s"), *b = strstr(a + 2, "%s");

			snprintf(path, PATH_MAX, "%.*s%s%.*s%.512s%s", (int)(a - forms[i]),
				 forms[i], rt_host_release(NULL), (int)(b - a - 2), a + 2, below[j],
				 b + 2);
			if (has_id(path, id))
				return true;
		}
	return false;
}

static bool find_kernel_file(const struct rt_buildid *id, char path[PATH_MAX])
{
	static const char *const forms[] = { "/usr/lib/debug/boot/vmlinux-%s",
					     "/usr/lib/debug/lib/modules/%s/vmlinux",
					     "/usr/lib/debug/usr/lib/modules/%s/vmlinux",
					     "/lib/modules/%s/build/vmlinux" };
	char hex[RT_BUILDID_HEX];
	const char *a;
	size_t i;

	rt_buildid_hex(id, hex);
	snprintf(path, PATH_MAX, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
	if (has_id(path, id))
		return true;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		a = strstr(forms[i], "%s");
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)(a - forms[i]), forms[i],
			 rt_host_release(NULL), a + 2);
		if (has_id(path, id))
			return true;
	}
	return false;
}

int rt_source_file_debug(const char *module, char path[PATH_MAX])
{
	struct rt_buildid id;

	if (running_id(module, &id))
		return -ENOENT;
	return (module ? find_module_file(module, &id, path) : find_kernel_file(&id, path)) ?
		       0 :
		       -ENOENT;
}

/* Find the address of _stext in the file. */
static bool file_begins(const char *path, uint64_t *value)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), i;
	Elf_Scn *scn = NULL;
	bool found = false;
	Elf_Data *data;
	GElf_Shdr shdr;
	const char *name;
	GElf_Sym sym;
	Elf *elf;

	if (fd < 0)
		return false;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && !found && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && !found && gelf_getsym(data, i, &sym); i++) {
			name = elf_strptr(elf, shdr.sh_link, sym.st_name);
			found = name && !strcmp(name, "_stext");
		}
	}
	*value = found ? sym.st_value : 0;
	elf_end(elf);
	close(fd);
	return found;
}

/* Find the section of a loaded module that holds ADDRESS: the last one that starts before it. */
static bool find_section(const char *module, uint64_t address, char *name, size_t room,
			 uint64_t *start)
{
	char path[PATH_MAX];
	struct dirent *e;
	uint64_t at;
	DIR *d;

	*start = 0;
	snprintf(path, sizeof(path), "/sys/module/%s/sections", module);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		if (e->d_name[0] != '.' || rt_host_module_section(NULL, module, e->d_name, &at) ||
		    at > address || at <= *start)
			continue;
		*start = at;
		snprintf(name, room, "%.*s", (int)room - 1, e->d_name);
	}
	if (d)
		closedir(d);
	return *start != 0;
}

int rt_source_file_is(struct rt_ksyms *k, const struct rt_ksym *sym, const char *file)
{
	char path[PATH_MAX], section[128];
	struct rt_ksym_list found;
	uint64_t start, linked;
	struct rt_buildid id;

	if (running_id(sym->module, &id))
		return -ENOENT;
	if (sym->module) {
		if (!find_module_file(sym->module, &id, path) ||
		    !find_section(sym->module, sym->start, section, sizeof(section), &start))
			return -ENOENT;
		return rt_source_file_in_elf(path, section, sym->name, sym->start - start, file);
	}
	if (!find_kernel_file(&id, path) || !file_begins(path, &linked) ||
	    rt_ksyms_find(k, RT_KSYMS_KERNEL, "_stext", RT_KSYMS_TEXT | RT_KSYMS_DATA, &found))
		return -ENOENT;
	start = found.count ? found.list[0]->start : 0;
	rt_ksym_list_free(&found);
	return start ? rt_source_file_in_elf(path, NULL, sym->name, sym->start - start + linked,
					     file) :
		       -ENOENT;
}
