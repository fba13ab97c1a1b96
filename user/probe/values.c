// SPDX-License-Identifier: GPL-2.0
/* The values of a definition: parameters, variables, $retval. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arch/register_names.h"
#include "probe/convention.h"
#include "probe/job.h"

/* Make a name that no other value of the probe has: f, f_1, f_2. */
static int unique_name(struct rt_probe_job *j, const char *name, char *out, size_t size)
{
	int n, ret;

	snprintf(out, size, "%s", name);
	for (n = 1; !(ret = rt_text_set_add(&j->names, out)); n++)
		snprintf(out, size, "%.100s_%d", name, n);
	return ret < 0 ? rt_err_set(j->err, ENOMEM, "out of memory") : 0;
}

/* The name of a value without one: its last member, with the number of the element. */
static void make_name(const char *what, char *out, size_t size)
{
	const char *from = what + strlen(what), *at;
	size_t used = 0;

	/* Go back over elements, then over the identifier before them. */
	while (from > what && !strchr(".>", from[-1]))
		from--;
	if (*from == '@' || *from == '$')
		from++;
	for (at = from; *at && used + 1 < size; at++) {
		if (isalnum((unsigned char)*at) || *at == '_')
			out[used++] = *at;
		else if (*at == '[')
			out[used++] = '_';
	}
	out[used] = 0;
}

/* The identifier at the start of TEXT. */
static size_t identifier(const char *text)
{
	size_t size = 0;

	while (isalnum((unsigned char)text[size]) || text[size] == '_')
		size++;
	return isdigit((unsigned char)*text) ? 0 : size;
}

/* Follow PATH from VALUE and write it. */
static int write_path(struct rt_probe_job *j, const struct rt_probe_value *v,
		      struct rt_typed *value, size_t skip)
{
	char base[128], name[128], chosen[128];
	int ret;

	snprintf(base, sizeof(base), "%.*s", (int)skip, v->what);
	ret = rt_typed_follow(value, base, v->what + skip, j->err);
	if (ret)
		return ret;
	if (v->name)
		snprintf(name, sizeof(name), "%s", v->name);
	else
		make_name(v->what, name, sizeof(name));
	ret = unique_name(j, name, chosen, sizeof(chosen));
	if (ret)
		return ret;
	if (v->type)
		return rt_typed_write_as(value, chosen, v->type, &j->values, j->err);
	return rt_typed_write(value, chosen, v->what, &j->values, &j->labels, j->err);
}

static int at_entry(struct rt_probe_job *j, const char *name)
{
	if (j->user && j->def->returns)
		return rt_err_set(
			j->err, EINVAL,
			"'%s' may be gone when %s returns, and only parameters of kernel functions "
			"are saved; record it at the entry, with a second probe: -e 'probe:%s:%s %s'",
			name, j->def->function, j->def->module, j->def->function, name);
	if (!j->debug && j->def->offset)
		return rt_err_set(
			j->err, EINVAL,
			"only debug information says where '%s' is at %s+0x%llx; without it "
			"use registers there, or the name at the entry",
			name, j->def->function, (unsigned long long)j->def->offset);
	return 0;
}

/* Replace "%di" with "$arg1"; false if the register carries no argument. */
static bool save_register(enum rt_arch arch, char *base, size_t size)
{
	unsigned int n;
	int slot;

	for (n = 1; (slot = rt_register_argument(arch, n)) >= 0; n++)
		if (!strcmp(base + 1, rt_register_name(arch, slot))) {
			snprintf(base, size, "$arg%u", n);
			return true;
		}
	return false;
}

/*
 * VALUE is where a parameter is at the entry.  At the return take it from the registers that the module
 * saved then; what a pointer leads to is read at the return.
 */
static int save_for_return(struct rt_probe_job *j, const char *name, struct rt_typed *value)
{
	enum rt_arch arch = rt_probe_sources_env(j->sources)->arch;

	if (!j->def->returns ||
	    (value->in != RT_TYPED_SYMBOL &&
	     (*value->base == '\\' || save_register(arch, value->base, sizeof(value->base))) &&
	     (!*value->second || save_register(arch, value->second, sizeof(value->second)))))
		return 0;
	return rt_err_set(
		j->err, EINVAL,
		"'%s' is not in a register when %s is entered, so it is not saved for the "
		"return; record it at the entry, with a second probe: -e 'probe:%s %s'",
		name, j->def->function, j->def->function, name);
}

static int write_parameter(struct rt_probe_job *j, const struct rt_probe_value *v, const char *name,
			   size_t skip)
{
	struct rt_nearest near;
	struct rt_member member;
	struct rt_typed value;
	uint32_t index;
	char text[200];
	int ret;

	ret = rt_probe_describe(j);
	if (!ret)
		ret = at_entry(j, name);
	if (ret)
		return ret;
	if (j->debug) {
		ret = rt_probe_locate(j, name, &value);
		if (!ret)
			ret = save_for_return(j, name, &value);
		return ret ? ret : write_path(j, v, &value, skip);
	}
	rt_nearest_begin(&near, name);
	if (rt_types_find_parameter(j->types, j->function, name, &index, &member, &near))
		return rt_err_set(j->err, ENOENT,
				  "%s has no parameter '%s'; 'ringtail probe -V %s' lists them%s",
				  j->def->function, name, j->def->function,
				  rt_nearest_text(&near, text, sizeof(text)));
	ret = rt_convention_place(rt_probe_sources_env(j->sources)->arch, j->types, j->function,
				  index, &value, j->err);
	if (!ret)
		ret = save_for_return(j, name, &value);
	return ret ? ret : write_path(j, v, &value, skip);
}

/* All variables, or parameters, that have a place there. */
struct scope {
	struct rt_probe_job *job;
	bool parameters; /* only these */
	size_t written;
};

static int write_one(void *arg, const struct rt_variable *variable)
{
	struct rt_probe_value v = { .what = (char *)variable->name };
	struct scope *scope = arg;
	struct rt_probe_job *j = scope->job;
	struct rt_typed value;
	size_t before = j->values.len;

	if (scope->parameters && !variable->parameter)
		return 0;
	if (rt_probe_place_variable(j, variable, &value) ||
	    save_for_return(j, variable->name, &value))
		return 0;
	/* What cannot be recorded is left out. */
	if (write_path(j, &v, &value, strlen(v.what)))
		j->values.len = before;
	else
		scope->written++;
	return 0;
}

static int write_scope(struct rt_probe_job *j, const char *what)
{
	struct scope scope = { .job = j, .parameters = !strcmp(what, "$params") };

	rt_debuginfo_variables(j->debug, j->place->address, write_one, &scope);
	if (scope.written)
		return 0;
	return rt_err_set(j->err, ENOENT, "no variable has a place at %s+0x%llx; leave %s out",
			  j->place->symbol, (unsigned long long)j->place->offset, what);
}

static int write_parameters(struct rt_probe_job *j, const char *what)
{
	struct rt_probe_value v = { 0 };
	struct rt_member member;
	struct rt_type type;
	uint32_t i;
	int ret;

	ret = rt_probe_describe(j);
	if (!ret)
		ret = at_entry(j, what);
	if (!ret && j->debug)
		return write_scope(j, what);
	if (!ret && rt_types_get(j->types, j->function, &type))
		ret = rt_err_set(j->err, EINVAL, "the types are damaged");
	for (i = 0; !ret && i < type.count; i++) {
		if (rt_types_member(j->types, type.id, i, &member) || !member.name)
			continue;
		v.what = (char *)member.name;
		ret = write_parameter(j, &v, member.name, strlen(member.name));
	}
	return ret;
}

static int write_raw(struct rt_probe_job *j, const struct rt_probe_value *v)
{
	if (v->name && rt_text_set_add(&j->names, v->name) < 0)
		return rt_err_set(j->err, ENOMEM, "out of memory");
	rt_text_printf(&j->values, " %s", v->text);
	return 0;
}

static int write_retval(struct rt_probe_job *j, const struct rt_probe_value *v, size_t skip)
{
	struct rt_typed value;
	char name[128];
	int ret;

	if (!j->def->returns)
		return rt_err_set(j->err, EINVAL,
				  "$retval exists only when a function returns; write %s%%return",
				  j->def->function ? j->def->function : "FUNCTION");
	ret = rt_probe_describe(j);
	/* Results of Go are described as parameters. */
	if (!ret && j->debug && rt_debuginfo_is_go(j->debug, j->place->address))
		ret = rt_err_set(j->err, EINVAL,
				 "a function of Go may return several results, the first one in "
				 "$retval; write $retval:s64 or another type");
	/* The register itself needs no type. */
	if (ret && ret != -ENOMEM && !j->unknown && !v->what[skip]) {
		j->untyped = true;
		ret = unique_name(j, v->name ? v->name : "retval", name, sizeof(name));
		if (!ret)
			rt_text_printf(&j->values, " %s=$retval:x64", name);
		return ret;
	}
	if (!ret)
		ret = rt_convention_return(rt_probe_sources_env(j->sources)->arch, j->types,
					   j->function, &value, j->err);
	return ret ? ret : write_path(j, v, &value, skip);
}

/* @symbol.member in a program. */
static int write_user_global(struct rt_probe_job *j, const struct rt_probe_value *v,
			     const char *name, size_t skip)
{
	struct rt_variable variable;
	struct rt_typed value;

	if (!j->debug || !j->place)
		return rt_err_set(j->err, ENOENT,
				  "only debug information says where the variable %s of %s is",
				  name, j->def->module);
	if (rt_debuginfo_global(j->debug, name, &variable))
		return rt_err_set(j->err, ENOENT,
				  "%s has no variable '%s' outside functions; 'ringtail probe -V "
				  "POINT --externs' lists those of a source file",
				  j->def->module, name);
	if (j->def->returns)
		return rt_err_set(j->err, EINVAL,
				  "variables are found from the code of the probe, and where %s "
				  "returns to may be another file; record '%s' at an entry or line",
				  j->def->function, v->what);
	if (rt_probe_place_variable(j, &variable, &value))
		return rt_err_set(j->err, EINVAL,
				  "'%s' has no fixed place; each thread may have its own", name);
	return write_path(j, v, &value, skip);
}

/* @symbol.member: a variable of the kernel, or of the program. */
static int write_global(struct rt_probe_job *j, const struct rt_probe_value *v)
{
	size_t size = identifier(v->what + 1);
	struct rt_typed value = { .in = RT_TYPED_SYMBOL };
	const char *path = v->what + 1 + size;
	struct rt_debuginfo *debug;
	struct rt_err why;
	int ret;

	snprintf(value.base, sizeof(value.base), "%.*s", (int)size, v->what + 1);
	if (j->user)
		return write_user_global(j, v, value.base, 1 + size);
	ret = rt_probe_sources_types(j->sources, j->module, &value.types, &why);
	if (!ret)
		ret = rt_types_variable(value.types, value.base, &value.type);
	if (ret && !rt_probe_open_debug(j, &debug, &why)) {
		value.types = rt_debuginfo_types(debug);
		ret = rt_types_variable(value.types, value.base, &value.type);
	}
	if (!ret)
		return write_path(j, v, &value, 1 + size);
	if (*path == '.' || *path == '[' || !strncmp(path, "->", 2))
		return rt_err_set(j->err, ENOENT,
				  "the type of the variable %s is not known: BTF describes only "
				  "per-CPU variables, and debug information is missing; use "
				  "@%s+OFFSET:TYPE",
				  value.base, value.base);
	return write_raw(j, v);
}

static bool is_word(const char *what, const char *word)
{
	return !strncmp(what, word, strlen(word)) && !identifier(what + strlen(word));
}

int rt_probe_write_value(struct rt_probe_job *j, const struct rt_probe_value *v)
{
	char name[128];
	size_t size;

	if (!strcmp(v->what, "$params") || !strcmp(v->what, "$vars"))
		return write_parameters(j, v->what);
	/* Without types $retval is still a register. */
	if (is_word(v->what, "$retval") && (!v->type || v->what[7]))
		return write_retval(j, v, 7);
	if (*v->what == '@' && identifier(v->what + 1))
		return write_global(j, v);
	size = identifier(v->what);
	if (!size)
		return write_raw(j, v);
	snprintf(name, sizeof(name), "%.*s", (int)size, v->what);
	return write_parameter(j, v, name, size);
}
