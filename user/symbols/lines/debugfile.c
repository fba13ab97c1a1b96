// SPDX-License-Identifier: GPL-2.0
/* debugfile.c - see debugfile.h */
#include "symbols/lines/debugfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/locate.h"

#define PATH_SIZE RT_SYMBOLS_PATH

static bool has_dwarf(const struct rt_elf *e)
{
	GElf_Shdr shdr;

	return (rt_elf_section(e, ".debug_info", &shdr, NULL) ||
		rt_elf_section(e, ".zdebug_info", &shdr, NULL)) &&
	       shdr.sh_type != SHT_NOBITS;
}

/* The file that perf passes to addr2line; NULL if the object is not a file. */
static const char *main_path(struct rt_object *obj, char *buf)
{
	if (obj->symbol_file)
		return obj->symbol_file;
	if (obj->kind == RT_OBJECT_KERNEL || obj->kind == RT_OBJECT_VDSO ||
	    obj->kind == RT_OBJECT_JIT || obj->kind == RT_OBJECT_NONE || obj->path[0] == '[')
		return NULL;
	rt_locate_join(obj->syms, obj->path, buf);
	if (rt_is_regular_file(buf))
		return buf;
	return obj->runtime_file;
}

static bool try(struct rt_debugfile *f, struct rt_symbols *syms, const char *path,
		const struct rt_buildid *id)
{
	struct rt_buildid its;

	if (!rt_is_regular_file(path) || rt_elf_open(&f->debug, path))
		return false;
	if (has_dwarf(&f->debug) &&
	    (!id->len || (!rt_elf_buildid(&f->debug, &its) && rt_buildid_equal(&its, id)))) {
		f->has_debug = f->has_dwarf = true;
		f->debug_path = rt_symbols_str(syms, path);
		return true;
	}
	rt_elf_close(&f->debug);
	return false;
}

static bool by_buildid(struct rt_debugfile *f, const struct rt_object *obj,
		       const struct rt_buildid *id)
{
	const struct rt_symbols_options *opt = &obj->syms->opt;
	char hex[RT_BUILDID_HEX], path[PATH_SIZE];

	if (!id->len)
		return false;
	rt_buildid_hex(id, hex);
	if (snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", opt->debug_dir, hex,
		     hex + 2) < PATH_SIZE &&
	    try(f, obj->syms, path, id))
		return true;
	if (opt->perf_only)
		return false;
	if (snprintf(path, sizeof(path), "%s/.cache/debuginfod_client/%s/debuginfo", opt->home,
		     hex) < PATH_SIZE &&
	    try(f, obj->syms, path, id))
		return true;
	return rt_locate_cache(obj->syms, id, "debug", path) && try(f, obj->syms, path, id);
}

static bool by_debuglink(struct rt_debugfile *f, const struct rt_object *obj, const char *path,
			 const struct rt_buildid *id)
{
	const char *link = rt_elf_debuglink(&f->main), *slash = strrchr(path, '/');
	int dir = slash ? slash - path : 0;
	char at[PATH_SIZE];

	if (!link)
		return false;
	if (snprintf(at, sizeof(at), "%.*s/%s", dir, path, link) < PATH_SIZE &&
	    try(f, obj->syms, at, id))
		return true;
	if (snprintf(at, sizeof(at), "%.*s/.debug/%s", dir, path, link) < PATH_SIZE &&
	    try(f, obj->syms, at, id))
		return true;
	return snprintf(at, sizeof(at), "%s%.*s/%s", obj->syms->opt.debug_dir, dir, path, link) <
		       PATH_SIZE &&
	       try(f, obj->syms, at, id);
}

int rt_debugfile_open(struct rt_debugfile *f, struct rt_object *obj)
{
	char buf[PATH_SIZE];
	const char *path = main_path(obj, buf);
	struct rt_buildid id = { 0 };
	int err;

	memset(f, 0, sizeof(*f));
	f->main.fd = f->debug.fd = -1;
	if (!path)
		return -ENOENT;
	err = rt_elf_open(&f->main, path);
	if (err)
		return err;
	f->open = true;
	f->path = rt_symbols_str(obj->syms, path);
	f->has_dwarf = has_dwarf(&f->main);
	if (f->has_dwarf)
		return 0;
	rt_elf_buildid(&f->main, &id);
	if (!by_buildid(f, obj, &id))
		by_debuglink(f, obj, path, &id);
	return 0;
}

void rt_debugfile_close(struct rt_debugfile *f)
{
	if (f->has_debug)
		rt_elf_close(&f->debug);
	if (f->open)
		rt_elf_close(&f->main);
	f->open = f->has_debug = false;
}

bool rt_debugfile_section(const struct rt_debugfile *f, uint64_t vaddr, size_t *section,
			  uint64_t *value)
{
	bool relocatable;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (!f->open)
		return false;
	relocatable = f->main.ehdr.e_type == ET_REL;
	while ((scn = elf_nextscn(f->main.elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
		    vaddr < shdr.sh_addr || vaddr - shdr.sh_addr >= shdr.sh_size)
			continue;
		/* All sections of a relocatable file begin at 0; perf means .text. */
		if (relocatable && strcmp(rt_elf_section_name(&f->main, &shdr), ".text"))
			continue;
		*section = elf_ndxscn(scn);
		*value = relocatable ? vaddr - shdr.sh_addr : vaddr;
		return true;
	}
	return false;
}
