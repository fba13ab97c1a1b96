// SPDX-License-Identifier: GPL-2.0
/* Definitions as tracefs takes them, and the list of functions. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "host/kallsyms.h"
#include "probe/show.h"
#include "symbols/demangle.h"
#include "types/file_functions.h"

/* What tracefs calls otherwise, or does not have. */
static int show_value(const char *value, FILE *out, struct rt_err *err)
{
	const char *type = strrchr(value, ':');

	if (strstr(value, "$cpu"))
		return rt_err_set(
			err, EINVAL,
			"tracefs has no $cpu; its events carry the CPU by themselves: leave "
			"it out");
	if (type && !strncmp(type, ":sb", 3))
		return rt_err_set(
			err, EINVAL,
			"tracefs has no signed bitfields ('%.80s'); record it with ringtail",
			value);
	if (type && !strncmp(type, ":string/", 8))
		fprintf(out, " %.*s:string", (int)(type - value), value);
	else if (type && !strncmp(type, ":be", 3))
		/* tracefs shows a big-endian number in the machine's order. */
		fprintf(out, " %.*s:u%s", (int)(type - value), value, type + 3);
	else if (type && type[1] == 'f')
		/* tracefs shows the bits of a floating-point number. */
		fprintf(out, " %.*s:x%s", (int)(type - value), value, type + 2);
	else
		fprintf(out, " %s", value);
	return 0;
}

int rt_probe_show_tracefs(const struct rt_translated *t, const struct rt_event_spec *spec,
			  size_t number, FILE *out, struct rt_err *err)
{
	char *text = strdup(t->text), *rest = text, *point, *value, *line = NULL;
	FILE *memory;
	size_t size;
	int ret = 0;

	memory = open_memstream(&line, &size);
	if (!text || !memory)
		ret = rt_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		point = strsep(&rest, " ");
		fprintf(memory, "%c:%s/%s", rt_event_returns(spec) ? 'r' : 'p',
			t->system ? t->system : spec->system, t->name ? t->name : spec->name);
		if (number)
			fprintf(memory, "_%zu", number);
		fputc(' ', memory);
		if (spec->path)
			fprintf(memory, "%s:0x%llx", spec->path, (unsigned long long)spec->address);
		else
			fputs(strchr(point, ':') + 1, memory);
		while (!ret && (value = strsep(&rest, " ")))
			if (*value)
				ret = show_value(value, memory, err);
		fputc('\n', memory);
	}
	if (memory && fclose(memory))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	if (!ret)
		fputs(line, out);
	free(line);
	free(text);
	return ret;
}

/* --- functions ------------------------------------------------------------------------- */

struct names {
	const char *module, *glob;
	struct rt_arena arena;
	const char **list;
	size_t count, room;
};

static bool in_module(const struct names *names, const struct rt_kallsym *sym)
{
	size_t size;

	if (!names->module)
		return true;
	if (!strcmp(names->module, RT_KSYMS_KERNEL))
		return !sym->module;
	size = strlen(names->module);
	return sym->module && *sym->module == '[' &&
	       !strncmp(sym->module + 1, names->module, size) && sym->module[size + 1] == ']';
}

static int take_name(struct names *names, const char *name)
{
	if (names->glob && fnmatch(names->glob, name, 0))
		return 0;
	if (!RT_ARRAY_ROOM(names->list, names->count, names->room))
		return -ENOMEM;
	names->list[names->count] = rt_arena_str(&names->arena, name);
	return names->list[names->count++] ? 0 : -ENOMEM;
}

static int take_symbol(void *arg, struct rt_kallsym *sym)
{
	struct names *names = arg;

	return strchr("tTwW", sym->type) && in_module(names, sym) ? take_name(names, sym->name) : 0;
}

/* C++ and Rust: the name as a definition takes it. */
static int take_mangled(void *arg, const char *name)
{
	char *plain = rt_demangle_wants(name) ? rt_demangle(name, false) : NULL;
	int ret = take_name(arg, plain ? plain : name);

	free(plain);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Print the names, each once; returns how many. */
static long print_names(struct names *names, FILE *out)
{
	long shown = 0;
	size_t i;

	if (names->count)
		qsort(names->list, names->count, sizeof(*names->list), by_name);
	for (i = 0; i < names->count; i++) {
		if (i && !strcmp(names->list[i - 1], names->list[i]))
			continue;
		fprintf(out, "%s\n", names->list[i]);
		shown++;
	}
	return shown;
}

long rt_probe_show_functions(const char *kallsyms, const char *module, const char *glob, FILE *out,
			     struct rt_err *err)
{
	struct names names = { .module = module, .glob = glob };
	bool file = module && strchr(module, '/');
	long ret;

	if (file)
		ret = rt_file_functions(module, take_mangled, &names, err);
	else
		ret = rt_kallsyms_read(kallsyms, take_symbol, &names);
	if (ret == -ENOMEM)
		rt_err_set(err, ENOMEM, "out of memory");
	else if (ret && !file)
		rt_err_set(err, -ret, "%s: %s", kallsyms, strerror(-ret));
	if (!ret)
		ret = print_names(&names, out);
	free(names.list);
	rt_arena_free(&names.arena);
	return ret;
}
