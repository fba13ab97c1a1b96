// SPDX-License-Identifier: GPL-2.0
/* The function of a definition: its module, its types, its instructions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/job.h"

static const char *clones(const struct rt_ksym_list *list, char *out, size_t size)
{
	size_t i, used = 0;

	out[0] = 0;
	for (i = 0; i < list->count && used < size; i++)
		used += snprintf(out + used, size - used, "%s%s", i ? ", " : "",
				 list->list[i]->name);
	return out;
}

/* No function has the name itself: say so if the compiler made clones of it. */
static int only_clones(struct rt_probe_job *j, struct rt_ksyms *k, const char *module)
{
	struct rt_ksym_list list;
	char text[160];
	int ret = 0;

	if (rt_ksyms_find(k, module, j->def->function, RT_KSYMS_CLONES | RT_KSYMS_PARTS, &list))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	if (list.count)
		ret = rt_err_set(j->err, EINVAL,
				 "the compiler replaced %s with %s and may have moved or removed "
				 "parameters; use registers: kprobe:%s arg=%%REGISTER",
				 j->def->function, clones(&list, text, sizeof(text)),
				 list.list[0]->name);
	else
		ret = -ENOENT;
	rt_ksym_list_free(&list);
	return ret;
}

int rt_probe_find_module(struct rt_probe_job *j)
{
	const struct rt_event_env *env = rt_probe_sources_env(j->sources);
	struct rt_ksyms *k = env->ksyms ? env->ksyms(env->data) : NULL;
	struct rt_ksym_list list;
	size_t i;
	int ret = 0;

	j->module = j->def->module;
	free(j->own_module);
	j->own_module = NULL;
	if (j->module && strchr(j->module, '/')) {
		j->own_module =
			env->module_file ? env->module_file(env->data, j->module, j->err) : NULL;
		if (!j->own_module)
			return env->module_file ?
				       -EINVAL :
				       rt_err_set(j->err, EINVAL, "files are not looked into here");
		j->module = j->own_module;
	}
	if (!k)
		return 0;
	if (rt_ksyms_find(k, j->module, j->def->function, RT_KSYMS_TEXT, &list))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	if (!list.count)
		ret = only_clones(j, k, j->module);
	j->unknown = ret == -ENOENT;
	for (i = 1; !ret && i < list.count; i++)
		if (list.list[i]->module != list.list[0]->module &&
		    (!list.list[i]->module || !list.list[0]->module ||
		     strcmp(list.list[i]->module, list.list[0]->module)))
			ret = rt_err_set(j->err, ENOTUNIQ,
					 "%s and %s both have a function %s; choose one: %s:%s",
					 list.list[0]->module ? list.list[0]->module : "the kernel",
					 list.list[i]->module ? list.list[i]->module : "the kernel",
					 j->def->function,
					 list.list[i]->module ? list.list[i]->module :
								RT_KSYMS_KERNEL,
					 j->def->function);
	if (!ret)
		j->module = list.list[0]->module;
	rt_ksym_list_free(&list);
	return ret;
}

/* The function around the place, from debug information. */
static int describe_debug(struct rt_probe_job *j)
{
	if (rt_debuginfo_function_type(j->debug, j->place->address, &j->function))
		return rt_err_set(j->err, ENOENT,
				  "debug information does not describe the function at %s+0x%llx",
				  j->place->symbol, (unsigned long long)j->place->offset);
	j->types = rt_debuginfo_types(j->debug);
	j->described = true;
	return 0;
}

int rt_probe_describe(struct rt_probe_job *j)
{
	int ret;

	if (j->described)
		return 0;
	if (j->debug)
		return describe_debug(j);
	if (!j->def->function)
		return rt_err_set(j->err, EINVAL,
				  "at an address there are no names of variables; use registers: "
				  "%%REGISTER, +OFFSET(%%REGISTER)");
	ret = rt_probe_find_module(j);
	if (ret)
		return ret;
	ret = rt_probe_sources_types(j->sources, j->module, &j->types, j->err);
	if (ret)
		return ret;
	ret = rt_types_function(j->types, j->def->function, &j->function);
	if (ret == -ENOTUNIQ)
		return rt_err_set(
			j->err, EINVAL,
			"BTF describes several functions %s with different parameters and "
			"does not say which is which; use registers: %%REGISTER, $argN, $retval:s64",
			j->def->function);
	if (ret)
		return rt_err_set(
			j->err, ENOENT,
			"BTF does not describe the function %s (it is written in assembly, "
			"or the compiler changed its parameters); use registers: "
			"%%REGISTER, $argN, $retval:s64",
			j->def->function);
	j->described = true;
	return 0;
}
