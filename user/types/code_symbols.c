// SPDX-License-Identifier: GPL-2.0
#include "types/code_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES_MAX = 1 << 16 }; /* symbols of one name */

static uint64_t hash_of(const char *name)
{
	return rt_hash_bytes(0, name, strlen(name));
}

static bool is_code(const GElf_Sym *sym, GElf_Word section, Elf *elf)
{
	Elf_Scn *scn = elf && section ? elf_getscn(elf, section) : NULL;
	int type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr shdr;

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && scn && gelf_getshdr(scn, &shdr) &&
	       shdr.sh_flags & SHF_EXECINSTR;
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

static int by_address(const void *a, const void *b)
{
	const struct rt_code_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->rank - y->rank;
}

static int add(struct rt_code_symbols *s, const struct rt_code_symbol *symbol)
{
	struct rt_code_symbol *list;

	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		list = realloc(s->list, s->room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		s->list = list;
	}
	s->list[s->count++] = *symbol;
	return 0;
}

int rt_code_symbols_read(struct rt_code_symbols *s, Dwfl_Module *module, uint64_t bias)
{
	int i, count = dwfl_module_getsymtab(module);
	struct rt_code_symbol symbol;
	GElf_Word section;
	GElf_Addr value;
	GElf_Sym sym;
	Elf *elf;
	size_t n;

	memset(s, 0, sizeof(*s));
	for (i = 1; i < count; i++) {
		symbol.name =
			dwfl_module_getsym_info(module, i, &sym, &value, &section, &elf, NULL);
		/* Those that begin with $ mark code and data. */
		if (!symbol.name || !*symbol.name || *symbol.name == '$' ||
		    sym.st_shndx == SHN_UNDEF || !is_code(&sym, section, elf))
			continue;
		symbol.address = value - bias;
		symbol.size = sym.st_size;
		symbol.rank = rank_of(&sym);
		if (add(s, &symbol))
			goto no_memory;
	}
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_address);
	for (n = 0; n < s->count; n++)
		if (!rt_index_add(&s->names, hash_of(s->list[n].name), n + 1))
			goto no_memory;
	return 0;
no_memory:
	rt_code_symbols_free(s);
	return -ENOMEM;
}

void rt_code_symbols_free(struct rt_code_symbols *s)
{
	free(s->list);
	rt_index_free(&s->names);
	memset(s, 0, sizeof(*s));
}

const struct rt_code_symbol *rt_code_symbols_next(const struct rt_code_symbols *s, const char *name,
						  size_t *at)
{
	struct rt_index_probe probe;
	uint32_t number = rt_index_first(&s->names, hash_of(name), &probe), next = 0;
	int tries;

	/* The lowest number above the last one. */
	for (tries = 0; number && tries < TRIES_MAX; tries++) {
		if (number > *at && (!next || number < next) &&
		    !strcmp(s->list[number - 1].name, name))
			next = number;
		number = rt_index_next(&s->names, &probe);
	}
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

bool rt_code_symbols_ambiguous(const struct rt_code_symbols *s, const char *name)
{
	const struct rt_code_symbol *first, *next;
	size_t at = 0;

	first = rt_code_symbols_next(s, name, &at);
	while (first && (next = rt_code_symbols_next(s, name, &at)))
		if (next->address != first->address)
			return true;
	return false;
}
