// SPDX-License-Identifier: GPL-2.0
/* variable.c - see variable.h */
#include "symbols/kernel/variable.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/buildid.h"
#include "host/kallsyms.h"
#include "host/modules.h"
#include "symbols/elffile.h"

/* List modules whose files are missing, up to this many bytes. */
#define NAMES_MAX 160

struct search {
	const struct rt_host *host;
	const char *name;
	uint64_t address, per_cpu_address;
	int found; /* number of addresses */
	bool per_cpu, hidden;
	char missing[NAMES_MAX]; /* modules whose file is missing */
	unsigned int missing_count;
	bool no_vmlinux;
	char id[RT_BUILDID_HEX]; /* of the kernel, "" if unknown */
};

static void add(struct search *s, uint64_t address)
{
	if (s->found && s->address == address)
		return;
	s->address = address;
	s->found++;
}

/* --- one file -------------------------------------------------------------------- */

/* Find the current address of a symbol's section; false if it has none. */
typedef bool (*base_fn)(struct search *s, const void *arg, const char *section, uint64_t *base);

static void look_at(struct search *s, const struct rt_elf *e, const GElf_Sym *sym,
		    GElf_Word strings, base_fn base_of, const void *arg)
{
	const char *name = elf_strptr(e->elf, strings, sym->st_name), *section;
	uint64_t base;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	if (!name || strcmp(name, s->name) || sym->st_shndx == SHN_UNDEF ||
	    GELF_ST_TYPE(sym->st_info) == STT_SECTION || GELF_ST_TYPE(sym->st_info) == STT_FILE)
		return;
	scn = sym->st_shndx < SHN_LORESERVE ? elf_getscn(e->elf, sym->st_shndx) : NULL;
	/* Linkers give some variables a number instead of a section: jiffies on x86. */
	if (!scn && sym->st_shndx != SHN_ABS)
		return;
	section = scn && gelf_getshdr(scn, &shdr) ? rt_elf_section_name(e, &shdr) : "";
	if (!strncmp(section, ".data..percpu", 13)) {
		s->per_cpu = true;
		/* Kernels that link such variables at 0 do not move them. */
		if (base_of(s, arg, section, &base))
			s->per_cpu_address = sym->st_value + (sym->st_value >> 63 ? base : 0);
		return;
	}
	if (base_of(s, arg, section, &base))
		add(s, base + sym->st_value);
}

/* Look at all symbols of the name; false if the file has no symbols at all. */
static bool look_through(struct search *s, const struct rt_elf *e, base_fn base_of, const void *arg)
{
	Elf_Data *data = e->symtab ? elf_getdata(e->symtab, NULL) : NULL;
	GElf_Shdr shdr;
	GElf_Sym sym;
	int i, count;

	if (!data || !gelf_getshdr(e->symtab, &shdr) || !shdr.sh_entsize)
		return false;
	count = shdr.sh_size / shdr.sh_entsize;
	for (i = 1; i < count && gelf_getsym(data, i, &sym); i++)
		look_at(s, e, &sym, shdr.sh_link, base_of, arg);
	return count > 1;
}

static bool is_of(const struct rt_elf *e, const struct rt_buildid *wanted)
{
	struct rt_buildid id;

	return !wanted->len || (!rt_elf_buildid(e, &id) && rt_buildid_equal(&id, wanted));
}

/* --- modules --------------------------------------------------------------------- */

static bool section_base(struct search *s, const void *module, const char *section, uint64_t *base)
{
	/* The kernel freed sections that only load-time code uses. */
	if (rt_host_module_section(s->host, module, section, base))
		return false;
	if (!*base)
		s->hidden = true;
	return *base;
}

/* True if the file belongs to the module and has symbols. */
static bool try_module(struct search *s, const char *path, const char *module,
		       const struct rt_buildid *id)
{
	struct rt_elf e;
	bool served;

	if (rt_elf_open(&e, path))
		return false;
	served = is_of(&e, id) && look_through(s, &e, section_base, module);
	rt_elf_close(&e);
	return served;
}

static bool try_below(struct search *s, const char *dir, const char *module,
		      const struct rt_buildid *id)
{
	char path[PATH_MAX];
	char *const paths[] = { path, NULL };
	FTS *fts;
	bool served = false;
	FTSENT *file;

	rt_host_path(s->host, path, "%s", dir);
	fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	while (fts && !served && (file = fts_read(fts)))
		if ((file->fts_info == FTS_F || file->fts_info == FTS_NSOK) &&
		    rt_host_module_is_file(file->fts_name, file->fts_namelen, module))
			served = try_module(s, file->fts_path, module, id);
	if (fts)
		fts_close(fts);
	return served;
}

static void look_in_module(struct search *s, const char *module)
{
	char path[PATH_MAX], hex[RT_BUILDID_HEX], below[2][PATH_MAX];
	struct rt_buildid id = { 0 };
	size_t have;

	if (rt_host_module_buildid(s->host, module, &id))
		id.len = 0;
	if (id.len) {
		rt_buildid_hex(&id, hex);
		rt_host_path(s->host, path, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
		if (try_module(s, path, module, &id))
			return;
	}
	snprintf(below[0], PATH_MAX, "/lib/modules/%s", rt_host_release(s->host));
	snprintf(below[1], PATH_MAX, "/usr/lib/debug/lib/modules/%s", rt_host_release(s->host));
	if (try_below(s, below[0], module, &id) || try_below(s, below[1], module, &id))
		return;
	s->missing_count++;
	have = strlen(s->missing);
	if (have + strlen(module) + 3 < sizeof(s->missing))
		sprintf(s->missing + have, "%s%s", have ? ", " : "", module);
}

static void look_in_modules(struct search *s)
{
	struct rt_host_modules modules;
	size_t i;

	if (rt_host_modules_read(s->host, &modules))
		return;
	for (i = 0; i < modules.count; i++)
		look_in_module(s, modules.list[i].name);
	rt_host_modules_free(&modules);
}

/* --- the kernel itself ----------------------------------------------------------- */

static bool kernel_base(struct search *s, const void *moved, const char *section, uint64_t *base)
{
	*base = *(const uint64_t *)moved;
	return true;
}

static int find_start(const struct rt_elf *e, uint64_t *start)
{
	Elf_Data *data = e->symtab ? elf_getdata(e->symtab, NULL) : NULL;
	const char *name;
	GElf_Shdr shdr;
	GElf_Sym sym;
	int i;

	if (!data || !gelf_getshdr(e->symtab, &shdr))
		return -ENOENT;
	for (i = 1; gelf_getsym(data, i, &sym); i++) {
		name = elf_strptr(e->elf, shdr.sh_link, sym.st_name);
		if (!name || strcmp(name, "_stext"))
			continue;
		*start = sym.st_value;
		return 0;
	}
	return -ENOENT;
}

static bool try_vmlinux(struct search *s, const char *path, const struct rt_buildid *id)
{
	char kallsyms[PATH_MAX];
	uint64_t linked, runs, moved;
	struct rt_elf e;
	bool served = false;

	if (rt_elf_open(&e, path))
		return false;
	if (is_of(&e, id) && !find_start(&e, &linked) &&
	    !rt_kallsyms_address(rt_host_path(s->host, kallsyms, RT_HOST_KALLSYMS), "_stext",
				 &runs)) {
		moved = runs - linked;
		s->hidden = s->hidden || !runs;
		served = runs && look_through(s, &e, kernel_base, &moved);
	}
	rt_elf_close(&e);
	return served;
}

static void look_in_kernel(struct search *s)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/boot/vmlinux-%s",
		"/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux",
	};
	char path[PATH_MAX], format[64];
	struct rt_buildid id;
	const char *slot;
	size_t i;

	/* Without a build-id no file can be verified. */
	s->no_vmlinux = true;
	if (rt_host_kernel_buildid(s->host, &id) || !id.len)
		return;
	rt_buildid_hex(&id, s->id);
	rt_host_path(s->host, path, "/usr/lib/debug/.build-id/%.2s/%s.debug", s->id, s->id + 2);
	s->no_vmlinux = !try_vmlinux(s, path, &id);
	for (i = 0; s->no_vmlinux && i < sizeof(places) / sizeof(places[0]); i++) {
		slot = strstr(places[i], "%s");
		snprintf(format, sizeof(format), "%.*s", (int)(slot - places[i]), places[i]);
		rt_host_path(s->host, path, "%s%s%s", format, rt_host_release(s->host), slot + 2);
		s->no_vmlinux = !try_vmlinux(s, path, &id);
	}
}

/* --- the answer ------------------------------------------------------------------ */

static void say_missing(const struct search *s, struct rt_err *why)
{
	char kernel[256] = "", modules[320] = "";

	if (s->no_vmlinux && s->id[0])
		snprintf(kernel, sizeof(kernel),
			 "there is no vmlinux with symbols for this kernel, build-id %s "
			 "('ringtail doctor' says where to get it)",
			 s->id);
	else if (s->no_vmlinux)
		snprintf(kernel, sizeof(kernel),
			 "this kernel has no build-id to find its vmlinux by");
	if (s->missing_count)
		snprintf(modules, sizeof(modules),
			 "below /lib/modules/%s is no file of the loaded module%s %s%s",
			 rt_host_release(s->host), s->missing_count > 1 ? "s" : "", s->missing,
			 strlen(s->missing) + 40 > NAMES_MAX ? ", …" : "");
	rt_err_set(why, ENOENT, "%s%s%s", kernel, kernel[0] && modules[0] ? "; " : "", modules);
}

int rt_variable_find(const struct rt_host *host, const char *module, const char *name,
		     uint64_t *address, struct rt_err *why)
{
	struct search s = { .host = host, .name = name };

	if (module) {
		look_in_module(&s, module);
	} else {
		look_in_kernel(&s);
		/* A module's variable does not hide the kernel's own. */
		if (!s.found && !s.per_cpu)
			look_in_modules(&s);
	}
	if (s.found) {
		*address = s.address;
		return s.found == 1 ? 0 : -ENOTUNIQ;
	}
	*address = s.per_cpu_address;
	if (s.per_cpu)
		return -EDOM;
	if (s.hidden)
		return -EACCES;
	say_missing(&s, why);
	return -ENOENT;
}
