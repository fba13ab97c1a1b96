// SPDX-License-Identifier: GPL-2.0
#include "record/kernel_env.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/ksyms.h"
#include "host/source_file.h"
#include "host/tracefs.h"
#include "probe/named.h"
#include "probe/store.h"
#include "record/installed.h"
#include "record/modfile.h"
#include "record/user_file.h"
#include "record/user_markers.h"
#include "symbols/kernel/variable.h"

/* Data about the kernel, each part read on first use. */
struct kernel {
	const char *vmlinux; /* NULL: the running kernel */
	struct rt_ksyms *ksyms;
	bool ksyms_tried;
	char *kprobes, *uprobes; /* the definitions from tracefs */
	struct rt_user_files *files;
	struct rt_event_env env; /* what the translation of names asks */
	struct rt_probe_sources *sources;
};

/* --- symbols and modules ------------------------------------------------------------ */

static struct rt_ksyms *get_ksyms(void *data)
{
	struct kernel *k = data;

	if (!k->ksyms_tried &&
	    (k->vmlinux ? rt_ksyms_open_from(&k->ksyms, k->vmlinux, rt_kallsyms_read_elf) :
			  rt_ksyms_open(&k->ksyms, NULL)))
		k->ksyms = NULL;
	k->ksyms_tried = true;
	return k->ksyms;
}

static int in_file(void *data, const struct rt_ksym *sym, const char *file)
{
	struct kernel *k = data;

	return k->vmlinux ? rt_source_file_in_elf(k->vmlinux, NULL, sym->name, sym->start, file) :
			    rt_source_file_is(get_ksyms(data), sym, file);
}

/* Choose the kernel's own symbol among several; -ENOTUNIQ if it has none or more than one. */
static int choose(const struct rt_ksym_list *found, const struct rt_ksym **out)
{
	size_t i, kernels = 0;

	for (i = 0; i < found->count; i++) {
		if (found->list[i]->module)
			continue;
		*out = found->list[i];
		kernels++;
	}
	if (found->count == 1)
		*out = found->list[0];
	return found->count == 1 || kernels == 1 ? 0 : -ENOTUNIQ;
}

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	struct rt_ksyms *ksyms = get_ksyms(data);
	const struct rt_ksym *sym = NULL;
	struct rt_ksym_list found;
	int ret;

	if (!ksyms)
		return -ENOENT;
	ret = rt_ksyms_find(ksyms, module, symbol, RT_KSYMS_TEXT | RT_KSYMS_DATA, &found);
	if (!ret)
		ret = !found.count	     ? -ENOENT :
		      rt_ksyms_hidden(ksyms) ? -EACCES :
					       choose(&found, &sym);
	if (!ret) {
		*start = sym->start;
		*end = sym->end;
	}
	rt_ksym_list_free(&found);
	return ret;
}

static int find_variable(void *data, const char *module, const char *variable, uint64_t *address,
			 struct rt_err *why)
{
	if ((!module || !strcmp(module, RT_KSYMS_KERNEL)) &&
	    !rt_kallsyms_per_cpu(RT_HOST_KALLSYMS, variable, address))
		return -EDOM;
	return rt_variable_find(NULL, module, variable, address, why);
}

static int find_module(void *data, const char *module, uint64_t *start, uint64_t *end)
{
	struct rt_ksyms *ksyms = get_ksyms(data);

	return ksyms ? rt_ksyms_module(ksyms, module, start, end) : -ENOENT;
}

/* Each line is FUNCTION, or FUNCTION [MODULE]. */
static int each_function(void *data, int (*each)(void *arg, const char *module, const char *name),
			 void *arg)
{
	char *text, *line, *next, *module;
	int ret = rt_tracefs_read(NULL, "available_filter_functions", &text, NULL);

	if (ret)
		return ret;
	for (line = text; !ret && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		module = strchr(line, ' ');
		if (module) {
			*module = 0;
			module += strspn(module + 1, " \t[") + 1;
			module[strcspn(module, "]")] = 0;
		}
		ret = each(arg, module ? module : RT_KSYMS_KERNEL, line);
	}
	free(text);
	return ret;
}

static int find_user(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		     struct rt_err *err)
{
	struct kernel *k = data;

	if (!k->files)
		k->files = rt_user_files_new();
	if (!k->files)
		return rt_err_set(err, ENOMEM, "out of memory");
	return rt_user_files_find(k->files, query, out, err);
}

static int find_markers(void *data, const char *path,
			int (*each)(void *arg, const struct rt_user_marker *marker), void *arg,
			struct rt_err *err)
{
	return rt_user_markers(path, each, arg, err);
}

/* --- probes ---------------------------------------------------------------------- */

char *rt_kernel_env_probe(const char *line, const char *group, const char *name)
{
	const char *at = line + 1;
	bool user;
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
	user = *at == '/';
	if (asprintf(&out, "%c%s%s%.*s", user ? 'u' : 'k', line[0] == 'p' ? "" : "ret",
		     "probe:", (int)strcspn(at, "\n"), at) < 0)
		return NULL;
	return out;
}

/* Read a file of tracefs; "" if it does not exist. */
static char *read_tracefs(const char *name)
{
	char *text;

	return rt_tracefs_read(NULL, name, &text, NULL) ? strdup("") : text;
}

/* Skip *NTH of the definitions of that name. */
static char *find_in(const char *text, const char *group, const char *name, size_t *nth)
{
	char *found = NULL;

	while (*text && !found) {
		found = rt_kernel_env_probe(text, group, name);
		if (found && *nth) {
			--*nth;
			free(found);
			found = NULL;
		}
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return found;
}

static char *find_probe(void *data, const char *group, const char *name, size_t nth)
{
	struct kernel *k = data;
	char *found;

	if (!k->kprobes)
		k->kprobes = read_tracefs("kprobe_events");
	found = k->kprobes ? find_in(k->kprobes, group, name, &nth) : NULL;
	if (found)
		return found;
	if (!k->uprobes)
		k->uprobes = read_tracefs("uprobe_events");
	return k->uprobes ? find_in(k->uprobes, group, name, &nth) : NULL;
}

static int each_kept(void *data, rt_kept_probe_each *each, void *arg)
{
	struct rt_store store;
	struct rt_err ignored;
	size_t i;
	int ret = 0;

	/* Who may not read the store has no probes in it. */
	if (rt_store_open(&store, NULL, false, &ignored))
		return 0;
	for (i = 0; !ret && i < store.count; i++)
		ret = each(arg, store.list[i].group, store.list[i].name, store.list[i].definition);
	rt_store_close(&store);
	return ret;
}

static int translate(void *data, const char *text, struct rt_translation *out, struct rt_err *err)
{
	struct kernel *k = data;

	if (!k->sources)
		k->sources = rt_probe_sources_new(&k->env, NULL);
	if (!k->sources)
		return rt_err_set(err, ENOMEM, "out of memory");
	return rt_probe_named(k->sources, NULL, text, out, err);
}

int rt_kernel_env(struct rt_event_env *env)
{
	struct kernel *k;

	rt_event_env_local(env);
	env->data = calloc(1, sizeof(struct kernel));
	if (!env->data)
		return -ENOMEM;
	env->ksyms = get_ksyms;
	env->functions = each_function;
	env->in_file = in_file;
	env->symbol = find_symbol;
	env->variable = find_variable;
	env->module = find_module;
	env->module_file = rt_modfile_name;
	env->probe = find_probe;
	env->user = find_user;
	env->markers = find_markers;
	env->installed = rt_installed_find;
	env->kept = each_kept;
	env->translate = translate;
	k = env->data;
	k->env = *env;
	return 0;
}

int rt_kernel_env_other(struct rt_event_env *env, const char *vmlinux)
{
	int ret = rt_kernel_env(env);
	struct kernel *k = env->data;

	if (ret)
		return ret;
	k->vmlinux = vmlinux;
	/* These know only the running kernel. */
	env->functions = NULL;
	env->variable = NULL;
	env->module = NULL;
	env->probe = NULL;
	env->kept = NULL;
	env->translate = NULL;
	return 0;
}

void rt_kernel_env_free(struct rt_event_env *env)
{
	struct kernel *k = env->data;

	if (!k)
		return;
	rt_ksyms_close(k->ksyms);
	free(k->kprobes);
	free(k->uprobes);
	rt_user_files_free(k->files);
	rt_probe_sources_free(k->sources);
	free(k);
	env->data = NULL;
}
