// SPDX-License-Identifier: GPL-2.0
/* elfsyms.c - see elfsyms.h */
#include "symbols/elfsyms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"

/* If a name is longer, the string table is broken. */
#define SYMBOL_NAME_MAX (1024 * 1024)
#define PLT_NAME_MAX	1024

#define KNOWN_SECTIONS 16 /* a power of two */
#define LOADS_MAX      16

/* What the symbols of one section share, looked up once. */
struct known_section {
	size_t index;
	bool asked, mapped;
	GElf_Shdr shdr;
	const char *name;
};

/* A cache of libelf's answers, which are the same for many thousand symbols. */
struct memory {
	struct known_section section[KNOWN_SECTIONS];
	GElf_Phdr load[LOADS_MAX]; /* of the mapped file, in their order */
	size_t loads;
	bool all_loads; /* there are no others */
};

/* A symbol section with its strings. */
struct section {
	Elf_Data *data;
	size_t count;
	const char *strings;
	size_t strings_size;
};

static int open_section(const struct rt_elf *e, Elf_Scn *scn, struct section *s)
{
	GElf_Shdr shdr;
	Elf_Scn *strings;
	Elf_Data *data;

	if (!scn || !gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
		return -ENOENT;
	s->data = elf_getdata(scn, NULL);
	strings = elf_getscn(e->elf, shdr.sh_link);
	data = strings ? elf_getdata(strings, NULL) : NULL;
	if (!s->data || !s->data->d_buf || !data || !data->d_buf || !data->d_size)
		return -ENOENT;
	s->count = s->data->d_size / gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	s->strings = data->d_buf;
	s->strings_size = data->d_size;
	return 0;
}

/* NULL if the name does not end within the section. */
static const char *symbol_name(const struct section *s, const GElf_Sym *sym)
{
	size_t left;

	if (sym->st_name >= s->strings_size)
		return NULL;
	left = s->strings_size - sym->st_name;
	if (left > SYMBOL_NAME_MAX)
		left = SYMBOL_NAME_MAX;
	return memchr(s->strings + sym->st_name, '\0', left) ? s->strings + sym->st_name : NULL;
}

static bool is_function_or_object(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT) && sym->st_name &&
	       sym->st_shndx != SHN_UNDEF;
}

static bool is_label(const GElf_Sym *sym)
{
	int visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && sym->st_name &&
	       sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* $a, $d, $t, $x mark where ARM code switches to data and back; they are not functions. */
static bool is_mapping_symbol(const GElf_Ehdr *ehdr, const char *name)
{
	if (ehdr->e_machine != EM_ARM && ehdr->e_machine != EM_AARCH64)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

/* ppc64 ELFv1: the symbol names a descriptor that holds the address. */
static bool follow_descriptor(const struct rt_elfsyms *from, GElf_Sym *sym)
{
	const struct rt_elf *run = from->runtime;
	GElf_Shdr shdr, there;
	Elf_Data *data;
	Elf_Scn *scn = NULL;
	uint64_t at, value;

	if (!run->opd || sym->st_shndx != run->opd_index)
		return true;
	if (!gelf_getshdr(run->opd, &shdr))
		return false;
	data = elf_rawdata(run->opd, NULL);
	at = sym->st_value - shdr.sh_addr;
	if (!data || !data->d_buf || data->d_size < sizeof(value) ||
	    at > data->d_size - sizeof(value))
		return false;
	memcpy(&value, (char *)data->d_buf + at, sizeof(value));
	if ((run->ehdr.e_ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		value = __builtin_bswap64(value);
	sym->st_value = value;
	while ((scn = elf_nextscn(run->elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &there) || value < there.sh_addr ||
		    value - there.sh_addr >= there.sh_size)
			continue;
		sym->st_shndx = elf_ndxscn(scn);
		return true;
	}
	return false;
}

/* The header and name of a section as it is mapped. */
static bool find_section(const struct rt_elfsyms *from, size_t index, GElf_Shdr *shdr,
			 const char **name)
{
	const struct rt_elf *e = from->syms;
	Elf_Scn *scn = elf_getscn(e->elf, index);

	if (!scn || !gelf_getshdr(scn, shdr) || !(shdr->sh_flags & SHF_ALLOC))
		return false;
	if (shdr->sh_type == SHT_NOBITS) {
		/* This is a debug file: its offsets are meaningless. */
		e = from->runtime;
		scn = elf_getscn(e->elf, index);
		if (!scn || !gelf_getshdr(scn, shdr))
			return false;
	}
	*name = rt_elf_section_name(e, shdr);
	return true;
}

/* The section of a symbol; NULL if it is not mapped. */
static const struct known_section *symbol_section(const struct rt_elfsyms *from, struct memory *m,
						  size_t index)
{
	struct known_section *known = &m->section[index % KNOWN_SECTIONS];

	if (!known->asked || known->index != index) {
		known->asked = true;
		known->index = index;
		known->mapped = find_section(from, index, &known->shdr, &known->name);
	}
	return known->mapped ? known : NULL;
}

static void remember_loads(const struct rt_elf *run, struct memory *m)
{
	GElf_Phdr ph;
	size_t i, n;

	if (elf_getphdrnum(run->elf, &n))
		return;
	for (i = 0; i < n && gelf_getphdr(run->elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD)
			continue;
		if (m->loads == LOADS_MAX)
			return;
		m->load[m->loads++] = ph;
	}
	m->all_loads = true;
}

static bool vaddr_delta(const struct rt_elfsyms *from, const struct memory *m, uint64_t vaddr,
			uint64_t *delta)
{
	size_t i;

	if (!m->all_loads)
		return rt_elf_vaddr_delta(from->runtime, vaddr, delta);
	for (i = 0; i < m->loads; i++)
		if (rt_elf_segment_delta(&m->load[i], vaddr, delta))
			return true;
	return false;
}

static void add_symbol(const struct rt_elfsyms *from, struct memory *m, GElf_Sym *sym,
		       const char *name, bool label)
{
	const struct known_section *section;
	struct rt_symbol_table *table = from->table;
	uint64_t delta;

	if (is_mapping_symbol(&from->syms->ehdr, name) || !follow_descriptor(from, sym) ||
	    sym->st_shndx == SHN_ABS)
		return;
	section = symbol_section(from, m, sym->st_shndx);
	if (!section || (label && !strstr(section->name, "text") && !strstr(section->name, "data")))
		return;
	/* Thumb functions have their mode in bit 0. */
	if (from->syms->ehdr.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		sym->st_value &= ~1ULL;
	if (from->section_table) {
		table = from->section_table(from->arg, section->name, &section->shdr);
		delta = section->shdr.sh_addr - section->shdr.sh_offset;
	} else if (!vaddr_delta(from, m, sym->st_value, &delta)) {
		delta = section->shdr.sh_addr - section->shdr.sh_offset;
	}
	if (table)
		rt_symbol_table_add(table, sym->st_value - delta, sym->st_size,
				    GELF_ST_BIND(sym->st_info), GELF_ST_TYPE(sym->st_info), name);
}

static int load_section(const struct rt_elfsyms *from, struct memory *m, Elf_Scn *scn)
{
	struct section s;
	const char *name;
	GElf_Sym sym;
	size_t i;
	int err = open_section(from->syms, scn, &s);

	if (err)
		return err;
	for (i = 0; i < s.count && gelf_getsym(s.data, i, &sym); i++) {
		bool label = is_label(&sym);

		if (!label && !is_function_or_object(&sym))
			continue;
		name = symbol_name(&s, &sym);
		if (name)
			add_symbol(from, m, &sym, name, label);
	}
	rt_symbol_table_fix_ends(from->table, false);
	rt_symbol_table_fix_duplicates(from->table);
	return 0;
}

int rt_elfsyms_load(const struct rt_elfsyms *from)
{
	struct memory m = { 0 };
	int symtab, dynsym;

	remember_loads(from->runtime, &m);
	symtab = load_section(from, &m, from->syms->symtab);
	dynsym = load_section(from, &m, from->syms->dynsym);
	return symtab && dynsym ? symtab : (int)from->table->count;
}

int rt_elfsyms_value(const struct rt_elf *e, const char *name, uint64_t *value)
{
	struct section s;
	GElf_Sym sym;
	size_t i;
	int err = open_section(e, e->symtab, &s);

	if (err)
		return err;
	for (i = 0; i < s.count && gelf_getsym(s.data, i, &sym); i++) {
		const char *this = symbol_name(&s, &sym);

		if (!this || strcmp(this, name))
			continue;
		*value = sym.st_value;
		return 0;
	}
	return -ENOENT;
}

/* ---- the procedure linkage table ----------------------------------------- */

struct plt {
	uint64_t header, entry;
};

static struct plt plt_sizes(const GElf_Ehdr *ehdr, const GElf_Shdr *plt)
{
	switch (ehdr->e_machine) {
	case EM_ARM:
		return (struct plt){ 20, 12 };
	case EM_AARCH64:
		return (struct plt){ 32, 16 };
	case EM_SPARC:
		return (struct plt){ 48, 12 };
	case EM_SPARCV9:
		return (struct plt){ 128, 32 };
	default:
		return (struct plt){ plt->sh_entsize, plt->sh_entsize };
	}
}

static bool relocation_symbol(Elf_Data *data, GElf_Word type, size_t i, size_t *index)
{
	GElf_Rela rela;
	GElf_Rel rel;

	if (type == SHT_RELA) {
		if (!gelf_getrela(data, i, &rela))
			return false;
		*index = GELF_R_SYM(rela.r_info);
		return true;
	}
	if (type != SHT_REL || !gelf_getrel(data, i, &rel))
		return false;
	*index = GELF_R_SYM(rel.r_info);
	return true;
}

static void add_stub(struct rt_symbol_table *table, uint64_t at, uint64_t size, const char *name)
{
	char stub[PLT_NAME_MAX];
	char *readable = table->demangle ? rt_demangle(name, table->params) : NULL;

	snprintf(stub, sizeof(stub), "%s@plt", readable ? readable : name);
	free(readable);
	rt_symbol_table_add(table, at, size, STB_GLOBAL, STT_FUNC, stub);
}

int rt_elfsyms_load_plt(const struct rt_elf *run, struct rt_symbol_table *table)
{
	GElf_Shdr rel_shdr, plt_shdr;
	struct section dynsym;
	Elf_Data *data;
	Elf_Scn *scn;
	struct plt plt;
	uint64_t at;
	size_t i, index;

	scn = rt_elf_section(run, ".rela.plt", &rel_shdr, NULL);
	if (!scn)
		scn = rt_elf_section(run, ".rel.plt", &rel_shdr, NULL);
	if (!scn || !run->dynsym || rel_shdr.sh_link != run->dynsym_index ||
	    !rt_elf_section(run, ".plt", &plt_shdr, NULL) ||
	    open_section(run, run->dynsym, &dynsym))
		return 0;
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf)
		return 0;
	plt = plt_sizes(&run->ehdr, &plt_shdr);
	at = plt_shdr.sh_offset + plt.header;
	for (i = 0; relocation_symbol(data, rel_shdr.sh_type, i, &index); i++) {
		const char *name = "";
		GElf_Sym sym;

		if (gelf_getsym(dynsym.data, index, &sym))
			name = symbol_name(&dynsym, &sym);
		add_stub(table, at, plt.entry, name ? name : "");
		at += plt.entry;
	}
	return i;
}
