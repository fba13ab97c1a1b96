// SPDX-License-Identifier: GPL-2.0
/* nearsym.c - see nearsym.h */
#include "symbols/lines/nearsym.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct rt_nearsyms *out;
	size_t room;
	const char *file;
	enum { NOTHING_SEEN, SYMBOL_SEEN, FILE_AFTER_SYMBOL } state;
	bool aarch64;
};

static bool is_mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] && strchr("dxmfp", name[1]) &&
	       (!name[2] || name[2] == '.');
}

static bool may_be_function(const struct reader *r, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);
	bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (type == STT_SECTION || type == STT_FILE || type == STT_OBJECT || type == STT_COMMON ||
	    type == STT_TLS)
		return false;
	/* Skip the markers of the annobin plugin. */
	if (type == STT_NOTYPE && local && !sym->st_size &&
	    GELF_ST_VISIBILITY(sym->st_other) == STV_HIDDEN)
		return false;
	if (r->aarch64 && type != STT_NOTYPE && type != STT_FUNC)
		return false;
	return !(r->aarch64 && local && is_mapping_symbol(name));
}

static int add(struct reader *r, const GElf_Sym *sym, const char *name)
{
	struct rt_nearsyms *n = r->out;
	bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;

	if (n->count == r->room) {
		size_t room = r->room ? r->room * 2 : 256;
		void *grown = realloc(n->sym, room * sizeof(*n->sym));

		if (!grown)
			return -ENOMEM;
		n->sym = grown;
		r->room = room;
	}
	n->sym[n->count] = (struct rt_nearsym){
		.value = sym->st_value,
		.section = sym->st_shndx,
		.name = name,
		.file = local || r->state != FILE_AFTER_SYMBOL ? r->file : NULL,
		.size = sym->st_size ? sym->st_size : 1,
		.order = n->count,
	};
	n->count++;
	return 0;
}

static int read_symbol(struct reader *r, const struct rt_elf *e, const GElf_Shdr *shdr,
		       const GElf_Sym *sym)
{
	const char *name = elf_strptr(e->elf, shdr->sh_link, sym->st_name);
	int err = 0;

	if (!name)
		return 0;
	if (GELF_ST_TYPE(sym->st_info) == STT_FILE) {
		r->file = name;
		if (r->state == SYMBOL_SEEN)
			r->state = FILE_AFTER_SYMBOL;
		return 0;
	}
	if (may_be_function(r, sym, name))
		err = add(r, sym, name);
	if (r->state == NOTHING_SEEN)
		r->state = SYMBOL_SEEN;
	return err;
}

/* Among equals, sort the biggest last, and of equally big ones the first, so that it is found. */
static int by_place(const void *a, const void *b)
{
	const struct rt_nearsym *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->order < y->order ? 1 : -1;
}

int rt_nearsyms_load(struct rt_nearsyms *n, const struct rt_elf *e)
{
	struct reader r = { .out = n, .aarch64 = e->ehdr.e_machine == EM_AARCH64 };
	Elf_Scn *scn = e->symtab ? e->symtab : e->dynsym;
	GElf_Shdr shdr;
	Elf_Data *data;
	GElf_Sym sym;
	int i, err = 0;

	memset(n, 0, sizeof(*n));
	if (!scn || !gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
		return 0;
	data = elf_getdata(scn, NULL);
	if (!data)
		return 0;
	for (i = 1; !err && gelf_getsym(data, i, &sym); i++)
		err = read_symbol(&r, e, &shdr, &sym);
	if (n->count)
		qsort(n->sym, n->count, sizeof(*n->sym), by_place);
	return err;
}

void rt_nearsyms_free(struct rt_nearsyms *n)
{
	free(n->sym);
	n->sym = NULL;
	n->count = 0;
}

const struct rt_nearsym *rt_nearsyms_find(const struct rt_nearsyms *n, size_t section,
					  uint64_t value)
{
	size_t low = 0, high = n->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct rt_nearsym *s = &n->sym[mid];

		if (s->section < section || (s->section == section && s->value <= value))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || n->sym[low - 1].section != section)
		return NULL;
	return &n->sym[low - 1];
}
