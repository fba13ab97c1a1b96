// SPDX-License-Identifier: GPL-2.0
/* Show what definitions become, what can be probed, and which definitions work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/probe_actions.h"
#include "cmd/probe_context.h"
#include "host/kallsyms.h"
#include "host/kcore.h"
#include "probe/definition.h"
#include "probe/show.h"
#include "probe/translate.h"

enum {
	CODE_SHOWN = 16, /* bytes at a probe's address */
	CHECK_SIZE_MAX = 16 << 20,
};

/* Read the code of another kernel from its file; debug files may be without. */
static int read_code(struct rt_elf *elf, uint64_t address, void *code, size_t size)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (elf->fd >= 0 && (scn = elf_nextscn(elf->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_PROGBITS &&
		    shdr.sh_flags & SHF_ALLOC && address >= shdr.sh_addr &&
		    address - shdr.sh_addr < shdr.sh_size &&
		    pread(elf->fd, code, size, shdr.sh_offset + (address - shdr.sh_addr)) ==
			    (ssize_t)size)
			return 0;
	return -ENODATA;
}

static void show_code(struct rt_probe_context *c, uint64_t address)
{
	uint8_t code[CODE_SHOWN];
	int i, ret;

	if (!c->kernel)
		ret = rt_kcore_read(NULL, address, code, sizeof(code));
	else
		ret = c->elf_open ? read_code(&c->elf, address, code, sizeof(code)) : -ENODATA;
	if (ret) {
		printf("  code: not readable here (%s: %s)\n",
		       c->kernel ? c->kernel : "/proc/kcore", strerror(-ret));
		return;
	}
	fputs("  code:", stdout);
	for (i = 0; i < CODE_SHOWN; i++)
		printf(" %02x", code[i]);
	putchar('\n');
}

static void show_event(struct rt_probe_context *c, const struct rt_translated *t,
		       const struct rt_event_spec *spec, size_t number)
{
	uint64_t address = rt_event_is_user(spec) ? 0 : spec->address, end;

	if (!address && spec->symbol && !spec->path &&
	    !c->env.symbol(c->env.data, spec->module, spec->symbol, &address, &end))
		address += spec->offset;
	printf("%s:%s", t->system ? t->system : spec->system, t->name ? t->name : spec->name);
	if (number)
		printf("_%zu", number);
	printf("\n  %s\n", spec->text);
	if (spec->path) {
		printf("  offset in %s: 0x%llx\n", spec->path, (unsigned long long)spec->address);
	} else if (address) {
		printf("  address: 0x%llx\n", (unsigned long long)address);
		show_code(c, address);
	} else {
		puts("  address: not known (are you root? is the module loaded?)");
	}
	rt_program_print(stdout, spec->fetch.slots, spec->fetch.code, spec->fetch.text,
			 c->env.arch);
}

/* How many events of the same name come before this one. */
static size_t number_of(const struct rt_translation *translation,
			const struct rt_event_list *events, size_t at)
{
	const struct rt_translated *list = translation->list;
	const char *name = list[at].name ? list[at].name : events->specs[at].name;
	size_t i, number = 0;

	for (i = 0; i < at; i++)
		number += !strcmp(list[i].name ? list[i].name : events->specs[i].name, name);
	return number;
}

static int show_one(struct rt_probe_context *c, const char *text, bool tracefs, struct rt_err *err)
{
	struct rt_translation translation = { 0 };
	struct rt_event_list events = { 0 };
	const struct rt_translated *t = NULL;
	int ret = rt_probe_compile(c, text, &translation, &events, err);
	size_t i, number;

	for (i = 0; !ret && i < events.count; i++) {
		number = i - translation.count + 1;
		if (i < translation.count) {
			t = &translation.list[i];
			number = number_of(&translation, &events, i);
		}
		if (!tracefs)
			show_event(c, t, &events.specs[i], number);
		else if (i < translation.count)
			ret = rt_probe_show_tracefs(t, &events.specs[i], number, stdout, err);
	}
	rt_event_list_free(&events);
	rt_translation_free(&translation);
	return ret;
}

int rt_probe_do_show(const struct rt_probe_words *definitions, const char *module,
		     const char *kernel, bool tracefs, struct rt_err *err)
{
	struct rt_probe_context c;
	size_t i;
	int ret = rt_probe_context_begin(&c, module, kernel, err);

	if (ret)
		return ret;
	for (i = 0; !ret && i < definitions->count; i++)
		ret = show_one(&c, definitions->list[i], tracefs, err);
	rt_probe_context_end(&c);
	return ret;
}

/* Call show() for each of the words. */
static int show_each(const struct rt_probe_words *words, const char *module, const char *kernel,
		     int (*show)(struct rt_probe_sources *s, const char *definition, FILE *out,
				 struct rt_err *err),
		     struct rt_err *err)
{
	struct rt_probe_context c;
	char *full;
	size_t i;
	int ret = rt_probe_context_begin(&c, module, kernel, err);

	if (ret)
		return ret;
	for (i = 0; !ret && i < words->count; i++) {
		full = rt_probe_def_in_module(words->list[i], module);
		ret = full ? show(c.sources, full, stdout, err) :
			     rt_err_set(err, ENOMEM, "out of memory");
		free(full);
	}
	rt_probe_context_end(&c);
	return ret;
}

static int show_variables(struct rt_probe_sources *s, const char *definition, FILE *out,
			  struct rt_err *err)
{
	return rt_probe_show_variables(s, definition, false, out, err);
}

static int show_externs(struct rt_probe_sources *s, const char *definition, FILE *out,
			struct rt_err *err)
{
	return rt_probe_show_variables(s, definition, true, out, err);
}

int rt_probe_do_variables(const struct rt_probe_words *points, const char *module,
			  const char *kernel, bool externs, struct rt_err *err)
{
	return show_each(points, module, kernel, externs ? show_externs : show_variables, err);
}

int rt_probe_do_lines(const struct rt_probe_words *functions, const char *module,
		      const char *kernel, struct rt_err *err)
{
	return show_each(functions, module, kernel, rt_probe_show_lines, err);
}

/* --- checking ------------------------------------------------------------------------------ */

/* Check one line of the file; 1: it is a definition that does not work. */
static int check_one(struct rt_probe_context *c, char *line, bool symbols)
{
	struct rt_translation translation = { 0 };
	struct rt_event_list events = { 0 };
	struct rt_err err;
	int ret;

	line += strspn(line, " \t");
	line[strcspn(line, "\r")] = 0;
	if (!*line || *line == '#')
		return 0;
	if (symbols)
		ret = rt_probe_compile(c, line, &translation, &events, &err);
	else
		ret = rt_probe_check(c->sources, line, &translation, &err);
	if (ret)
		printf("fails  %s: %s\n", line, err.text);
	else
		printf("works  %s\n", line);
	rt_event_list_free(&events);
	rt_translation_free(&translation);
	return ret != 0;
}

int rt_probe_do_check(const char *file, const char *kernel, struct rt_err *err)
{
	char *text, *line, *rest;
	size_t failed = 0, size;
	struct rt_probe_context c;
	int ret = rt_file_read(file, CHECK_SIZE_MAX, &text, &size);

	if (ret)
		return rt_err_set(err, -ret, "%s: %s", file, strerror(-ret));
	ret = rt_probe_context_begin(&c, NULL, kernel, err);
	if (!ret) {
		for (rest = text; (line = strsep(&rest, "\n"));)
			failed += check_one(&c, line, !kernel || c.env.ksyms(c.env.data));
		rt_probe_context_end(&c);
	}
	free(text);
	if (failed)
		ret = rt_err_set(err, ENOENT, "%zu of the definitions in %s do not work there",
				 failed, file);
	return ret;
}

int rt_probe_do_functions(const char *module, int count, char **globs, struct rt_err *err)
{
	const char *glob;
	long shown;
	int i = 0;

	do {
		glob = count ? globs[i] : NULL;
		shown = rt_probe_show_functions(RT_HOST_KALLSYMS, module, glob, stdout, err);
		if (shown < 0)
			return shown;
		if (!shown)
			return rt_err_set(err, ENOENT, "no function%s%s matches '%.80s'",
					  module ? " of " : "", module ? module : "",
					  glob ? glob : "*");
	} while (++i < count);
	return 0;
}
