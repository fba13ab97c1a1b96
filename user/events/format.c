// SPDX-License-Identifier: GPL-2.0
/*
 * Describe a probe's record in tracefs' format language, for libtraceevent and the programs that
 * use it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/spec.h"

static const char common[] =
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n";

#define ACCESS_NAMES "{ 0x1, \"r\" }, { 0x2, \"w\" }, { 0x3, \"rw\" }, { 0x4, \"x\" }"
#define WATCH_NAMES                                                                    \
	"{ 0x1, \"uncertain\" }, { 0x2, \"old-unknown\" }, { 0x4, \"new-unknown\" }, " \
	"{ 0x8, \"ip-after\" }, { 0x10, \"old-last\" }, "                              \
	"{ 0x20, \"unchecked\" }"

static void print_field(FILE *out, const struct rt_field *field)
{
	if (field->dynamic)
		fprintf(out, "\tfield:__data_loc %s[] %s;", field->type, field->name);
	else if (field->count || field->show == RT_SHOW_CHAR)
		fprintf(out, "\tfield:%s %s[%u];", field->type, field->name,
			field->count ? field->count : 1);
	else
		fprintf(out, "\tfield:%s %s;", field->type, field->name);
	fprintf(out, "\toffset:%u;\tsize:%u;\tsigned:%d;\n", field->offset, field->size,
		field->is_signed);
}

/*
 * The printf conversion of one element.  libtraceevent does not sign-extend, so the conversion must
 * give the width of a signed number.
 */
static const char *conversion(const struct rt_field *field)
{
	uint32_t size = field->size / (field->count ? field->count : 1);

	switch (field->show) {
	case RT_SHOW_HEX:
		return size == 8 ? "0x%Lx" : "0x%x";
	case RT_SHOW_UNSIGNED:
	case RT_SHOW_BIG:
		return size == 8 ? "%Lu" : "%u";
	case RT_SHOW_SIGNED:
		return size == 8 ? "%Ld" : size == 4 ? "%d" : size == 2 ? "%hd" : "%hhd";
	case RT_SHOW_FLOAT:
		/* libtraceevent shows the bits; the type of the field says more. */
		return size == 8 ? "%#Lx" : "%#x";
	case RT_SHOW_CHAR:
		return field->count ? "\\\"%s\\\"" : "'%s'";
	case RT_SHOW_SYMBOL:
		return "%pS";
	case RT_SHOW_ACCESS:
	case RT_SHOW_WATCH:
	case RT_SHOW_NAMES:
		return "%s";
	case RT_SHOW_STRING:
		break;
	}
	return "\\\"%s\\\"";
}

/* Print characters as text, because libtraceevent does not support %c. */
static bool is_text(const struct rt_field *field)
{
	return field->is_string || field->show == RT_SHOW_CHAR;
}

static void print_conversion(FILE *out, const struct rt_field *field)
{
	uint32_t i;

	fprintf(out, " %s=", field->name);
	if (!field->count || is_text(field)) {
		fputs(conversion(field), out);
		return;
	}
	for (i = 0; i < field->count; i++)
		fprintf(out, "%c%s", i ? ',' : '{', conversion(field));
	fputc('}', out);
}

/*
 * An element (INDEX, or -1) with its bytes swapped, as an expression: libtraceevent has no function for it.  Both
 * architectures are little-endian.
 */
static void print_swapped(FILE *out, const struct rt_field *field, int index)
{
	uint32_t bytes = field->size / (field->count ? field->count : 1), i;
	char value[2 * RT_EVENT_NAME_MAX];

	if (index < 0)
		snprintf(value, sizeof(value), "REC->%s", field->name);
	else
		snprintf(value, sizeof(value), "REC->%s[%d]", field->name, index);
	fputs(", ", out);
	for (i = 1; i < bytes; i++)
		fputc('(', out);
	for (i = 0; i < bytes; i++) {
		fprintf(out, "%s((%s >> %u) & 0xff) << %u)%s", i ? " | (" : "(", value, 8 * i,
			8 * (bytes - 1 - i), i ? ")" : "");
	}
}

static void print_value(FILE *out, const struct rt_field *field)
{
	uint32_t i;

	if (field->show == RT_SHOW_ACCESS)
		fprintf(out, ", __print_symbolic(REC->%s, " ACCESS_NAMES ")", field->name);
	else if (field->show == RT_SHOW_WATCH)
		fprintf(out, ", __print_flags(REC->%s, \"|\", " WATCH_NAMES ")", field->name);
	else if (field->show == RT_SHOW_NAMES)
		fprintf(out, ", __print_symbolic(REC->%s, %s)", field->name, field->names);
	else if (field->show == RT_SHOW_BIG && !field->count)
		print_swapped(out, field, -1);
	else if (field->show == RT_SHOW_BIG)
		for (i = 0; i < field->count; i++)
			print_swapped(out, field, i);
	else if (field->dynamic)
		fprintf(out, ", __get_str(%s)", field->name);
	else if (!field->count || is_text(field))
		fprintf(out, ", REC->%s", field->name);
	else
		for (i = 0; i < field->count; i++)
			fprintf(out, ", REC->%s[%u]", field->name, i);
}

/* Fault bits of fields whose printed value does not show that the read failed. */
static uint64_t silent_faults(const struct rt_event_spec *spec)
{
	uint64_t mask = 0;
	size_t i;

	for (i = 0; i < spec->fields.count; i++)
		if (spec->fields.fields[i].fault_bit >= 0 && !spec->fields.fields[i].dynamic)
			mask |= 1ULL << spec->fields.fields[i].fault_bit;
	return mask;
}

static void print_faults(FILE *out, const struct rt_event_spec *spec, uint64_t mask)
{
	const struct rt_field *field;
	size_t i;

	fprintf(out, ", __print_flags(REC->%s & 0x%" PRIx64 ", \"\"", spec->faults->name, mask);
	for (i = 0; i < spec->fields.count; i++) {
		field = &spec->fields.fields[i];
		if (field->fault_bit >= 0 && !field->dynamic)
			fprintf(out, ", { 0x%llx, \" (fault: %s)\" }", 1ULL << field->fault_bit,
				field->name);
	}
	fputc(')', out);
}

static void print_print(FILE *out, const struct rt_event_spec *spec)
{
	bool returns = rt_event_returns(spec);
	uint64_t mask = silent_faults(spec);
	size_t i;

	fprintf(out, "\nprint fmt: \"%s", returns ? "(%lx <- %lx)" : "(%lx)");
	for (i = 0; i < spec->fields.count; i++)
		if (!spec->fields.fields[i].hidden)
			print_conversion(out, &spec->fields.fields[i]);
	fprintf(out, "%s\"", mask ? "%s" : "");

	fputs(returns ? ", REC->__probe_func, REC->__probe_ret_ip" : ", REC->__probe_ip", out);
	for (i = 0; i < spec->fields.count; i++)
		if (!spec->fields.fields[i].hidden)
			print_value(out, &spec->fields.fields[i]);
	if (mask)
		print_faults(out, spec, mask);
	fputc('\n', out);
}

char *rt_event_format_text(const struct rt_event_spec *spec, unsigned int id)
{
	char *text = NULL;
	size_t i, size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "name: %s\nID: %u\n%s", spec->name, id, common);
	for (i = 0; i < spec->fields.count; i++)
		print_field(out, &spec->fields.fields[i]);
	print_print(out, spec);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
