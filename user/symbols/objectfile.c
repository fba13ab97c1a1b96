// SPDX-License-Identifier: GPL-2.0
/*
 * objectfile.c - load an object from ELF files.
 *
 * It tries every place of locate.h in order until it has one file with .symtab and one with .dynsym
 * (the file that runs).  It skips a file whose build-id is not the object's: names from another
 * build would be wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/internal.h"
#include "symbols/elfsyms.h"
#include "symbols/locate.h"
#include "symbols/vdso.h"

/* One of the files that make up an object. */
struct source {
	struct rt_elf elf;
	char path[RT_SYMBOLS_PATH]; /* "" for an image in memory */
	void *image;		    /* freed with it */
};

/* What the search has found so far; syms and runtime may be the same source. */
struct search {
	struct rt_object *obj;
	struct source *syms, *runtime;
	char looked[RT_LOOKED_MAX];
};

static void source_free(struct source *s)
{
	if (!s)
		return;
	rt_elf_close(&s->elf);
	free(s->image);
	free(s);
}

static bool is_other_build(const struct rt_object *obj, const struct rt_elf *e)
{
	struct rt_buildid id;

	if (!obj->id.len || obj->syms->opt.ignore_vmlinux_buildid)
		return false;
	return rt_elf_buildid(e, &id) || !rt_buildid_equal(&id, &obj->id);
}

/* Keep the source if it has something that is still missing. */
static void offer(struct search *s, struct source *src)
{
	bool taken = false;

	if (!s->syms && src->elf.symtab) {
		s->syms = src;
		taken = true;
	}
	if (!s->runtime && (src->elf.dynsym || src->elf.opd)) {
		s->runtime = src;
		taken = true;
	}
	if (taken)
		return;
	rt_locate_note(s->looked, src->path, "no symbols");
	source_free(src);
}

static void try_path(struct search *s, const char *path)
{
	struct source *src;
	int err;

	if (!rt_is_regular_file(path)) {
		rt_locate_note(s->looked, path, NULL);
		return;
	}
	src = calloc(1, sizeof(*src));
	if (!src)
		return;
	err = rt_elf_open(&src->elf, path);
	if (err) {
		rt_locate_note(s->looked, path, err == -ENOEXEC ? "not ELF" : strerror(-err));
		free(src);
		return;
	}
	if (is_other_build(s->obj, &src->elf)) {
		rt_locate_note(s->looked, path, "another build");
		source_free(src);
		return;
	}
	snprintf(src->path, sizeof(src->path), "%s", path);
	offer(s, src);
}

/* Use the vdso of this process if it is the same one. */
static void try_own_vdso(struct search *s)
{
	struct source *src;
	size_t size;

	if (s->obj->syms->opt.no_live_kernel || strcmp(s->obj->name, "[vdso]"))
		return;
	/* If the recording has a build-id, perf looks only in its cache. */
	if (s->obj->syms->opt.perf_only && s->obj->given.len)
		return;
	src = calloc(1, sizeof(*src));
	if (!src)
		return;
	src->image = rt_vdso_copy(&size);
	if (!src->image || rt_elf_open_memory(&src->elf, src->image, size)) {
		free(src->image);
		free(src);
		return;
	}
	if (is_other_build(s->obj, &src->elf)) {
		rt_locate_note(s->looked, "the running kernel's vdso", "another build");
		source_free(src);
		return;
	}
	if (!s->obj->id.len)
		rt_elf_buildid(&src->elf, &s->obj->id);
	offer(s, src);
}

/* Distributions that strip .symtab may keep a small compressed one. */
static void try_minidebug(struct search *s)
{
	struct source *src;

	if (s->syms || !s->runtime || s->obj->syms->opt.perf_only)
		return;
	src = calloc(1, sizeof(*src));
	if (!src)
		return;
	if (rt_elf_open_minidebug(&src->elf, &s->runtime->elf) || !src->elf.symtab) {
		source_free(src);
		return;
	}
	strcpy(src->path, s->runtime->path);
	s->syms = src;
}

static void search_places(struct search *s)
{
	char path[RT_SYMBOLS_PATH];
	int place;

	for (place = 0; place < RT_LOCATE_PERF_END && !(s->syms && s->runtime); place++) {
		if (place == RT_LOCATE_PATH && s->obj->kind == RT_OBJECT_VDSO)
			try_own_vdso(s);
		else if (rt_locate(s->obj, place, path))
			try_path(s, path);
	}
	for (; place < RT_LOCATE_END && !s->syms; place++)
		if (rt_locate(s->obj, place, path))
			try_path(s, path);
	try_minidebug(s);
}

/* perf uses the build-id of the file if the recording has none. */
static void read_buildid(struct rt_object *obj)
{
	char path[RT_SYMBOLS_PATH];

	if (obj->id.len || obj->path[0] == '[' || !rt_is_regular_file(obj->path))
		return;
	rt_locate_join(obj->syms, obj->path, path);
	rt_buildid_of_file(&obj->id, path);
}

static void remember_segments(struct rt_object *obj, const struct rt_elf *e)
{
	size_t n, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(e->elf, &n) || !n)
		return;
	obj->segment = calloc(n, sizeof(*obj->segment));
	if (!obj->segment)
		return;
	for (i = 0; i < n && gelf_getphdr(e->elf, i, &ph); i++) {
		struct rt_segment *seg = &obj->segment[obj->segments];

		if (ph.p_type != PT_LOAD)
			continue;
		seg->vaddr = ph.p_vaddr;
		seg->offset = ph.p_offset;
		seg->size = ph.p_filesz;
		obj->segments++;
	}
}

/* perf names only what is in .text of a module; it assumes wrong addresses for the rest. */
static struct rt_symbol_table *module_section(void *arg, const char *name, const GElf_Shdr *shdr)
{
	struct rt_object *obj = arg;

	if (strcmp(name, ".text"))
		return NULL;
	obj->pgoff = shdr->sh_offset;
	return &obj->table;
}

static void load_tables(struct search *s)
{
	struct rt_object *obj = s->obj;
	struct rt_elfsyms from = { &s->syms->elf, &s->runtime->elf, &obj->table, NULL, obj };
	bool module = obj->kind == RT_OBJECT_MODULE;
	GElf_Shdr text;

	if (module) {
		from.section_table = module_section;
		if (s->syms->elf.symtab) {
			/* Better than the symbols from kallsyms. */
			rt_symbol_table_free(&obj->table);
			rt_symbol_table_init(&obj->table, obj->syms->opt.demangle_kernel,
					     obj->syms->opt.demangle_params);
		}
	}
	if (rt_elfsyms_load(&from) > 0 && !module)
		rt_elfsyms_load_plt(&s->runtime->elf, &obj->table);
	obj->relocatable = s->syms->elf.ehdr.e_type == ET_REL;
	if (module)
		obj->dump_delta = -obj->pgoff;
	else if (rt_elf_section(&s->runtime->elf, ".text", &text, NULL))
		obj->dump_delta = text.sh_addr - text.sh_offset;
	remember_segments(obj, &s->runtime->elf);
	obj->found = true;
}

void rt_object_load_file(struct rt_object *obj)
{
	struct search s = { .obj = obj };

	read_buildid(obj);
	search_places(&s);
	if (s.syms || s.runtime) {
		if (s.syms && s.syms->elf.symtab && s.syms->path[0])
			obj->symbol_file = rt_symbols_str(obj->syms, s.syms->path);
		if (!s.syms)
			s.syms = s.runtime;
		if (!s.runtime)
			s.runtime = s.syms;
		if (s.runtime->path[0])
			obj->runtime_file = rt_symbols_str(obj->syms, s.runtime->path);
		load_tables(&s);
	}
	rt_symbol_table_finish(&obj->table);
	if (!obj->table.count)
		obj->looked = rt_symbols_str(obj->syms, s.looked);
	if (s.syms != s.runtime)
		source_free(s.syms);
	source_free(s.runtime);
}
