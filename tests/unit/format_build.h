/* SPDX-License-Identifier: GPL-2.0 */
/*
 * format_build.h - the text of a tracefs format file, made for tests.
 */
#ifndef RT_TESTS_FORMAT_BUILD_H
#define RT_TESTS_FORMAT_BUILD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One field of an event of our own, behind the common ones. */
struct format_field {
	/*
	 * "u64", "s32", "unsigned long", "char" (with array set: bytes), or "string":
	 * a dynamic string, u16 offset in the record and u16 size in a u32 (__data_loc).
	 */
	const char *type;
	const char *name;
	unsigned offset; /* from the beginning of the record, common fields included */
	unsigned size;
	unsigned array; /* elements; 0: no array */
	bool is_signed;
};

static const struct format_field common_fields[] = {
	{ "unsigned short", "common_type", 0, 2, 0, false },
	{ "unsigned char", "common_flags", 2, 1, 0, false },
	{ "unsigned char", "common_preempt_count", 3, 1, 0, false },
	{ "int", "common_pid", 4, 4, 0, true },
};

static void put_field(FILE *out, const struct format_field *f)
{
	if (!strcmp(f->type, "string"))
		fprintf(out, "\tfield:__data_loc char[] %s;", f->name);
	else if (f->array)
		fprintf(out, "\tfield:%s %s[%u];", f->type, f->name, f->array);
	else
		fprintf(out, "\tfield:%s %s;", f->type, f->name);
	fprintf(out, "\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->offset, f->size, f->is_signed);
}

/*
 * Make the text.  print is what follows "print fmt: ": a C format string in quotes and its
 * arguments, `"(%lx) size=0x%llx", REC->__probe_ip, REC->size`.  The caller frees it; NULL
 * when there is no memory.
 */
static char *format_make(const char *name, unsigned id, const struct format_field *fields,
			 size_t count, const char *print)
{
	char *text = NULL;
	size_t i, size;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fprintf(out, "name: %s\nID: %u\nformat:\n", name, id);
	for (i = 0; i < sizeof(common_fields) / sizeof(*common_fields); i++)
		put_field(out, &common_fields[i]);
	fputc('\n', out);
	for (i = 0; i < count; i++)
		put_field(out, &fields[i]);
	fprintf(out, "\nprint fmt: %s\n", print);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

#endif
