// SPDX-License-Identifier: GPL-2.0
#include "record/kernel_env.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kallsyms.h"
#include "record/modfile.h"

#define KALLSYMS "/proc/kallsyms"

/* --- symbols --------------------------------------------------------------------- */

struct search {
	const char *module, *name;
	bool found, several, in_module;
	uint64_t start, end;
};

static bool module_is(const struct rt_kallsym *sym, const char *module)
{
	size_t size = strlen(module);

	return sym->module && sym->module[0] == '[' && !strncmp(sym->module + 1, module, size) &&
	       sym->module[1 + size] == ']';
}

/* The next symbol ends the one before it; those of the kernel itself come in order. */
static int look_for_end(void *arg, struct rt_kallsym *sym)
{
	struct search *s = arg;

	if (sym->address > s->start && (!s->end || sym->address < s->end))
		s->end = sym->address;
	return 0;
}

static int look(void *arg, struct rt_kallsym *sym)
{
	struct search *s = arg;

	if (s->found)
		look_for_end(s, sym);
	if (strcmp(sym->name, s->name) || (s->module && !module_is(sym, s->module)))
		return 0;
	if (s->found && sym->address != s->start) {
		/* A module's own does not hide the kernel's. */
		s->several = s->several || !sym->module;
		return 0;
	}
	s->found = true;
	s->in_module = sym->module;
	s->start = sym->address;
	return 0;
}

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	struct search s = { .module = module, .name = symbol };
	int ret = rt_kallsyms_read(KALLSYMS, look, &s);

	if (ret)
		return ret;
	if (!s.found)
		return -ENOENT;
	if (s.several)
		return -ENOTUNIQ;
	if (!s.start)
		return -EACCES;
	if (s.in_module)
		rt_kallsyms_read(KALLSYMS, look_for_end, &s);
	*start = s.start;
	*end = s.end ? s.end : s.start + 1;
	return 0;
}

/* --- modules --------------------------------------------------------------------- */

static int find_module(void *data, const char *module, uint64_t *start, uint64_t *end)
{
	FILE *in = fopen("/proc/modules", "r");
	char *line = NULL, name[128];
	uint64_t base, bytes;
	int ret = -ENOENT;
	size_t room = 0;

	if (!in)
		return -errno;
	while (ret && getline(&line, &room, in) > 0) {
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &bytes, &base) !=
			    3 ||
		    strcmp(name, module))
			continue;
		ret = base ? 0 : -EACCES;
		*start = base;
		*end = base + bytes;
	}
	free(line);
	fclose(in);
	return ret;
}

/* --- probes ---------------------------------------------------------------------- */

char *rt_kernel_env_probe(const char *line, const char *group, const char *name)
{
	const char *at = line + 1;
	size_t size;
	char *out;

	/* p:GROUP/NAME PLACE ARGS, r16:GROUP/NAME PLACE ARGS */
	if (line[0] != 'p' && line[0] != 'r')
		return NULL;
	while (isdigit((unsigned char)*at))
		at++;
	size = strlen(group);
	if (*at++ != ':' || strncmp(at, group, size) || at[size] != '/')
		return NULL;
	at += size + 1;
	size = strlen(name);
	if (strncmp(at, name, size) || at[size] != ' ')
		return NULL;
	at += size + 1;
	if (asprintf(&out, "%s%.*s",
		     line[0] == 'p' ? "kprobe:" : "kretprobe:", (int)strcspn(at, "\n"), at) < 0)
		return NULL;
	return out;
}

static char *find_probe(void *data, const char *group, const char *name)
{
	static const char *const paths[] = { "/sys/kernel/tracing/kprobe_events",
					     "/sys/kernel/debug/tracing/kprobe_events" };
	char *line = NULL, *found = NULL;
	size_t i, room = 0;
	FILE *in = NULL;

	for (i = 0; !in && i < sizeof(paths) / sizeof(paths[0]); i++)
		in = fopen(paths[i], "r");
	if (!in)
		return NULL;
	while (!found && getline(&line, &room, in) > 0)
		found = rt_kernel_env_probe(line, group, name);
	free(line);
	fclose(in);
	return found;
}

void rt_kernel_env(struct rt_event_env *env)
{
	rt_event_env_local(env);
	env->symbol = find_symbol;
	env->module = find_module;
	env->module_file = rt_modfile_name;
	env->probe = find_probe;
}
