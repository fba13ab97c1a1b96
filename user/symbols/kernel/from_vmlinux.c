// SPDX-License-Identifier: GPL-2.0
/* from_vmlinux.c - load a kernel's symbols from its ELF file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elfsyms.h"
#include "symbols/kernel/internal.h"

struct vmlinux {
	struct rt_kernel *k;
	uint64_t reloc;	     /* run-time address - address in the file */
	struct rt_kmap *map; /* the maps to be set */
	unsigned int count, room;
	bool failed;
};

static struct rt_kmap *vmlinux_add_map(struct vmlinux *v)
{
	if (v->count == v->room) {
		unsigned int room = v->room ? v->room * 2 : 16;
		void *grown = realloc(v->map, room * sizeof(*v->map));

		if (!grown) {
			v->failed = true;
			return NULL;
		}
		v->map = grown;
		v->room = room;
	}
	return &v->map[v->count++];
}

static struct rt_object *section_object(struct vmlinux *v, const char *section)
{
	char name[RT_SYMBOLS_PATH];
	unsigned int i;

	if (!strcmp(section, ".text"))
		return v->k->object;
	snprintf(name, sizeof(name), "%s%s", v->k->name, section);
	for (i = 0; i < v->count; i++)
		if (!strcmp(v->map[i].object->name, name))
			return v->map[i].object;
	return rt_object_new(v->k->syms, RT_OBJECT_KERNEL, name, name, &v->k->id);
}

/* perf makes a separate map for every section that has symbols. */
static struct rt_symbol_table *vmlinux_section(void *arg, const char *name, const GElf_Shdr *shdr)
{
	struct vmlinux *v = arg;
	struct rt_object *obj = section_object(v, name);
	struct rt_kmap *map;
	unsigned int i;

	if (!obj) {
		v->failed = true;
		return NULL;
	}
	for (i = 0; i < v->count; i++)
		if (v->map[i].object == obj)
			return &obj->table;
	map = vmlinux_add_map(v);
	if (!map)
		return NULL;
	*map = (struct rt_kmap){
		.start = shdr->sh_addr + v->reloc,
		.end = shdr->sh_addr + v->reloc + shdr->sh_size,
		.object = obj,
	};
	obj->identity = false;
	obj->pgoff = shdr->sh_offset;
	obj->dump_delta = shdr->sh_addr - shdr->sh_offset;
	return &obj->table;
}

/* Replace the kernel's map by those of the sections; keep the modules' maps. */
static void vmlinux_commit(struct vmlinux *v, const char *path)
{
	struct rt_kernel *k = v->k;
	const char *file = rt_symbols_str(k->syms, path);
	unsigned int i, sections = v->count;
	bool text = false;
	struct rt_kmap *map;

	for (i = 0; i < sections; i++) {
		struct rt_object *obj = v->map[i].object;

		rt_symbol_table_finish(&obj->table);
		obj->symbol_file = file;
		obj->found = true;
		obj->loaded = 1;
		text |= obj == k->object;
	}
	for (i = 0; i < k->maps->count; i++) {
		if (text && k->maps->map[i].object == k->object)
			continue;
		map = vmlinux_add_map(v);
		if (map)
			*map = k->maps->map[i];
	}
	rt_kernel_set_maps(k, v->map, v->count);
	k->symbol_file = file;
}

int rt_kernel_load_vmlinux(struct rt_kernel *k, const char *path)
{
	struct vmlinux v = { .k = k };
	struct rt_elfsyms from = { .table = &k->object->table,
				   .section_table = vmlinux_section,
				   .arg = &v };
	struct rt_buildid id;
	struct rt_elf e;
	uint64_t value;
	int err = rt_elf_open(&e, path);

	if (err)
		return err;
	err = -ENOENT;
	if (k->id.len && !k->syms->opt.ignore_vmlinux_buildid &&
	    (rt_elf_buildid(&e, &id) || !rt_buildid_equal(&id, &k->id)))
		goto out;
	if (!e.symtab)
		goto out;
	if (k->ref_symbol && !rt_elfsyms_value(&e, k->ref_symbol, &value) && value)
		v.reloc = k->ref_address - value;
	from.syms = from.runtime = &e;
	if (rt_elfsyms_load(&from) >= 0 && v.count && !v.failed) {
		vmlinux_commit(&v, path);
		err = 0;
	}
out:
	free(v.map);
	rt_elf_close(&e);
	return err;
}
