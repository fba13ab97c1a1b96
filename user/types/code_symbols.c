// SPDX-License-Identifier: GPL-2.0
#include "types/code_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sort_keys.h"

enum {
	TRIES_MAX = 1 << 16, /* symbols of one name */
	SEARCHES_MAX = 3,    /* after as many it pays to index the names */
	TAG_MAX = 8,	     /* characters */
	SECTIONS_MAX = 4096, /* a kernel has less than 100 */
};

static uint32_t tag_of(const char *name)
{
	uint32_t tag = 0;
	int i;

	for (i = 0; i < TAG_MAX && name[i]; i++)
		tag = 31 * tag + (unsigned char)name[i];
	return tag;
}

static uint64_t hash_of(const char *name)
{
	return rt_hash_name(0, name);
}

static bool is_executable(Elf *elf, GElf_Word section)
{
	Elf_Scn *scn = elf && section ? elf_getscn(elf, section) : NULL;
	GElf_Shdr shdr;

	return scn && gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR;
}

static bool is_code(const GElf_Sym *sym, bool executable)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && executable);
}

/* Functions before labels of assembly, with a size before without, global before local. */
static uint8_t rank_of(const GElf_Sym *sym)
{
	int bind = GELF_ST_BIND(sym->st_info);

	return (GELF_ST_TYPE(sym->st_info) != STT_NOTYPE) << 3 | (sym->st_size != 0) << 2 |
	       (bind == STB_GLOBAL ? 2 :
		bind == STB_WEAK   ? 1 :
				     0);
}

/* By address, and those with the same one by rank: few, and mostly in order. */
static int sort(struct rt_code_symbols *s)
{
	struct rt_code_symbol *sorted = malloc((s->count + 1) * sizeof(*sorted)), symbol;
	struct rt_sort_key *keys = malloc((2 * s->count + 1) * sizeof(*keys)), *order;
	size_t i, to;

	if (!sorted || !keys || s->count > UINT32_MAX) {
		free(sorted);
		free(keys);
		return -ENOMEM;
	}
	for (i = 0; i < s->count; i++)
		keys[i] = (struct rt_sort_key){ s->list[i].address, i };
	order = rt_sort_keys(keys, keys + s->count, s->count);
	for (i = 0; i < s->count; i++) {
		symbol = s->list[order[i].at];
		for (to = i; to && sorted[to - 1].address == symbol.address &&
			     sorted[to - 1].rank > symbol.rank;
		     to--)
			sorted[to] = sorted[to - 1];
		sorted[to] = symbol;
	}
	free(keys);
	free(s->list);
	s->list = sorted;
	s->room = s->count + 1;
	return 0;
}

static int add(struct rt_code_symbols *s, const struct rt_code_symbol *symbol)
{
	if (!RT_ARRAY_ROOM(s->list, s->count, s->room))
		return -ENOMEM;
	s->list[s->count++] = *symbol;
	return 0;
}

/* Take a symbol if it names code; those that begin with $ mark code and data. */
static int take(struct rt_code_symbols *s, const GElf_Sym *sym, const char *name, uint64_t address)
{
	struct rt_code_symbol symbol = { .address = address, .size = sym->st_size, .name = name };

	if (!name || !*name || *name == '$' || sym->st_shndx == SHN_UNDEF)
		return 0;
	symbol.rank = rank_of(sym);
	symbol.tag = tag_of(name);
	return add(s, &symbol);
}

/* All that libdwfl knows, wherever it has found it. */
static int read_all(struct rt_code_symbols *s, Dwfl_Module *module, uint64_t bias)
{
	int i, ret = 0, count = dwfl_module_getsymtab(module);
	GElf_Word section;
	GElf_Addr value;
	const char *name;
	GElf_Sym sym;
	Elf *elf;

	for (i = 1; !ret && i < count; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &value, &section, &elf, NULL);
		if (name && is_code(&sym, is_executable(elf, section)))
			ret = take(s, &sym, name, value - bias);
	}
	return ret;
}

/* The table of a linked file, which is several times as fast; -ENOENT if it has none. */
static int read_table(struct rt_code_symbols *s, Elf *elf)
{
	bool executable[SECTIONS_MAX] = { false };
	Elf_Data *data = NULL, *strings = NULL;
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	GElf_Sym sym;
	size_t n;
	int i, ret = 0;

	if (!elf || !gelf_getehdr(elf, &ehdr) || ehdr.e_type == ET_REL)
		return -ENOENT;
	for (n = 1; (scn = elf_nextscn(elf, scn)); n++) {
		if (!gelf_getshdr(scn, &shdr))
			continue;
		if (n < SECTIONS_MAX)
			executable[n] = shdr.sh_flags & SHF_EXECINSTR;
		if (shdr.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		strings = elf_getdata(elf_getscn(elf, shdr.sh_link), NULL);
	}
	if (!data || !strings || !strings->d_size ||
	    ((const char *)strings->d_buf)[strings->d_size - 1])
		return -ENOENT;
	for (i = 1; !ret && gelf_getsym(data, i, &sym); i++)
		if (sym.st_name < strings->d_size &&
		    is_code(&sym, sym.st_shndx < SECTIONS_MAX && executable[sym.st_shndx]))
			ret = take(s, &sym, (const char *)strings->d_buf + sym.st_name,
				   sym.st_value);
	return ret;
}

int rt_code_symbols_read(struct rt_code_symbols *s, Dwfl_Module *module, Dwarf *dw, uint64_t bias)
{
	int ret;

	memset(s, 0, sizeof(*s));
	ret = read_table(s, dwarf_getelf(dw));
	if (ret == -ENOENT)
		ret = read_all(s, module, bias);
	if (!ret)
		ret = sort(s);
	if (ret)
		rt_code_symbols_free(s);
	return ret;
}

void rt_code_symbols_free(struct rt_code_symbols *s)
{
	free(s->list);
	rt_index_free(&s->names);
	memset(s, 0, sizeof(*s));
}

/* False: no memory. */
static bool index_names(struct rt_code_symbols *s)
{
	size_t n;

	if (s->count >= UINT32_MAX || !rt_index_reserve(&s->names, s->count))
		return false;
	for (n = 0; n < s->count; n++)
		if (!rt_index_add(&s->names, hash_of(s->list[n].name), n + 1)) {
			rt_index_free(&s->names);
			memset(&s->names, 0, sizeof(s->names));
			return false;
		}
	return s->count;
}

/* The number of the first symbol behind AT that is called NAME; 0. */
static uint32_t search_list(const struct rt_code_symbols *s, const char *name, size_t at)
{
	uint32_t tag = tag_of(name);

	for (; at < s->count; at++)
		if (s->list[at].tag == tag && !strcmp(s->list[at].name, name))
			return at + 1;
	return 0;
}

/* The same in the index. */
static uint32_t search_index(const struct rt_code_symbols *s, const char *name, size_t at)
{
	struct rt_index_probe probe;
	uint32_t number = rt_index_first(&s->names, hash_of(name), &probe), next = 0;
	int tries;

	for (tries = 0; number && tries < TRIES_MAX; tries++) {
		if (number > at && (!next || number < next) &&
		    !strcmp(s->list[number - 1].name, name))
			next = number;
		number = rt_index_next(&s->names, &probe);
	}
	return next;
}

const struct rt_code_symbol *rt_code_symbols_next(struct rt_code_symbols *s, const char *name,
						  size_t *at)
{
	bool indexed = s->names.slots || (!*at && ++s->searches > SEARCHES_MAX && index_names(s));
	uint32_t next = indexed ? search_index(s, name, *at) : search_list(s, name, *at);

	if (!next)
		return NULL;
	*at = next;
	return &s->list[next - 1];
}

const struct rt_code_symbol *rt_code_symbols_at(const struct rt_code_symbols *s, uint64_t address)
{
	size_t low = 0, high = s->count, middle, i;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	/* A label of assembly inside a function is not where the function begins. */
	for (i = low; i-- && low - i <= 64;)
		if (s->list[i].size && address - s->list[i].address < s->list[i].size)
			return &s->list[i];
	return &s->list[low - 1];
}

bool rt_code_symbols_ambiguous(struct rt_code_symbols *s, const char *name)
{
	const struct rt_code_symbol *first, *next;
	size_t at = 0;

	first = rt_code_symbols_next(s, name, &at);
	while (first && (next = rt_code_symbols_next(s, name, &at)))
		if (next->address != first->address)
			return true;
	return false;
}
