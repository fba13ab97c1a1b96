// SPDX-License-Identifier: GPL-2.0
/* Where a variable is at a place, as a value of an event. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/register_names.h"
#include "arch/registers.h"
#include "probe/convention.h"
#include "probe/job.h"

/* "%di" for DWARF's number; false if the kernel does not save that register. */
static bool name_register(enum rt_arch arch, int number, char *out, size_t size)
{
	const struct rt_registers *registers = rt_registers(arch);
	size_t i;

	for (i = 0; i < registers->count; i++)
		if (registers->list[i].name && registers->list[i].dwarf == number) {
			snprintf(out, size, "%%%s", registers->list[i].name);
			return true;
		}
	return false;
}

/* A parameter of unoptimised code is still where its caller put it. */
static int place_by_convention(struct rt_probe_job *j, const struct rt_variable *variable,
			       struct rt_typed *out)
{
	struct rt_err ignored;
	struct rt_member member;
	uint32_t index;

	if (rt_probe_describe(j) ||
	    rt_types_find_parameter(j->types, j->function, variable->name, &index, &member, NULL))
		return -EINVAL;
	return rt_convention_place(rt_probe_sources_env(j->sources)->arch, j->types, j->function,
				   index, out, &ignored);
}

/*
 * A program may be loaded anywhere, but its variables always have the same distance from its code.  When a
 * function returns, the code there may be that of another file.
 */
static int place_by_code(struct rt_probe_job *j, uint64_t address, struct rt_typed *out)
{
	enum rt_arch arch = rt_probe_sources_env(j->sources)->arch;

	if (j->def->returns)
		return -EINVAL;
	out->in = RT_TYPED_MEMORY;
	out->offset = (int64_t)(address - (j->place->address - j->place->before));
	snprintf(out->base, sizeof(out->base), "%%%s",
		 rt_register_name(arch, rt_register_pc(arch)));
	return 0;
}

int rt_probe_place_variable(struct rt_probe_job *j, const struct rt_variable *variable,
			    struct rt_typed *out)
{
	enum rt_arch arch = rt_probe_sources_env(j->sources)->arch;
	const struct rt_variable_location *at = &variable->location;

	memset(out, 0, sizeof(*out));
	out->types = rt_debuginfo_types(j->debug);
	out->type = variable->type;
	out->offset = at->offset;
	switch (at->kind) {
	case RT_LOCATION_REGISTER:
		out->in = RT_TYPED_REGISTER;
		out->offset = 0;
		if (!name_register(arch, at->reg, out->base, sizeof(out->base)) ||
		    (at->second >= 0 &&
		     !name_register(arch, at->second, out->second, sizeof(out->second))))
			return -EINVAL;
		return 0;
	case RT_LOCATION_MEMORY:
		out->in = RT_TYPED_MEMORY;
		return name_register(arch, at->reg, out->base, sizeof(out->base)) ? 0 : -EINVAL;
	case RT_LOCATION_ADDRESS:
		if (j->user)
			return place_by_code(j, at->value, out);
		out->in = RT_TYPED_SYMBOL;
		strcpy(out->base, at->symbol);
		return 0;
	case RT_LOCATION_CONSTANT:
		out->in = RT_TYPED_REGISTER;
		snprintf(out->base, sizeof(out->base), "\\%" PRId64, (int64_t)at->value);
		return 0;
	case RT_LOCATION_FRAME:
		return variable->parameter ? place_by_convention(j, variable, out) : -EINVAL;
	default:
		return -EINVAL;
	}
}

static bool is_float(struct rt_probe_job *j, const struct rt_variable *variable)
{
	struct rt_type type;

	return !rt_types_get(rt_debuginfo_types(j->debug), variable->type, &type) &&
	       type.kind == RT_TYPE_FLOAT;
}

int rt_probe_locate(struct rt_probe_job *j, const char *name, struct rt_typed *out)
{
	const struct rt_code_place *place = j->place;
	char point[RT_CODE_NAME + 24], text[200];
	struct rt_variable variable;
	struct rt_nearest near;

	snprintf(point, sizeof(point), "%s+0x%" PRIx64, place->symbol, place->offset);
	rt_nearest_begin(&near, name);
	if (rt_debuginfo_variable(j->debug, place->address, name, &variable, &near))
		return rt_err_set(j->err, ENOENT,
				  "there is no variable '%s' at %.100s; 'ringtail probe -V' lists "
				  "those that there are%s",
				  name, point, rt_nearest_text(&near, text, sizeof(text)));
	if (!rt_probe_place_variable(j, &variable, out))
		return 0;
	rt_debuginfo_live_lines(j->debug, place->address, name, text, sizeof(text));
	if (variable.location.kind == RT_LOCATION_ENTRY)
		return rt_err_set(
			j->err, EINVAL,
			"at %.100s '%s' is known only as the value that a register had at the entry "
			"of %.100s; record it there%s%s",
			point, name, place->symbol,
			*text ? ", or at a line where it is stored: " : "", text);
	if (variable.location.kind == RT_LOCATION_NONE)
		return rt_err_set(j->err, ENOENT, "'%s' is optimised out at %.100s%s%s", name,
				  point,
				  *text ? "; it has a place at the lines " :
					  "; it has no place anywhere in the function",
				  text);
	if (variable.location.kind == RT_LOCATION_FRAME)
		return rt_err_set(
			j->err, EINVAL,
			is_float(j, &variable) ?
				"at %.100s '%s' is not on the frame yet but where the caller put it, in "
				"a register for floating point, which the kernel does not give to "
				"probes; use a line of the function" :
				"at %.100s '%s' is not on the frame yet: the first instructions of the "
				"function put it there; use a line of the function",
			point, name);
	if (variable.location.kind == RT_LOCATION_REGISTER)
		return rt_err_set(
			j->err, EINVAL,
			is_float(j, &variable) ?
				"at %.100s '%s' is in a register for floating point, which the kernel "
				"does not give to probes; record it where it is in memory" :
				"at %.100s '%s' is in a register that the kernel does not give to "
				"probes; record it where it is in memory",
			point, name);
	return rt_err_set(
		j->err, EINVAL,
		"'%s' is not in one place at %.100s: its value is computed; use registers%s%s",
		name, point, *text ? ", or a line where it is stored: " : "", text);
}
