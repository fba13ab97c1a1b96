// SPDX-License-Identifier: GPL-2.0
/* Parse the fields of a tracefs `format` text, as far as filters need them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/spec.h"

/* "\tfield:TYPE NAME[N];\toffset:O;\tsize:S;\tsigned:B;" */
struct line {
	const char *declaration;
	size_t size;
	unsigned int offset, bytes, is_signed;
};

/* Read the number after ";<blank>KEY:"; -EINVAL if it is missing. */
static int read_number(const char *line, const char *end, const char *key, unsigned int *value)
{
	size_t size = strlen(key);
	const char *p;

	for (p = line; p + size < end; p++)
		if (!strncmp(p, key, size) && isspace((unsigned char)p[-1]))
			return sscanf(p + size, "%u", value) == 1 ? 0 : -EINVAL;
	return -EINVAL;
}

static int read_line(const char *text, const char *end, struct line *line)
{
	const char *semicolon = memchr(text, ';', end - text);

	if (!semicolon || read_number(semicolon, end, "offset:", &line->offset) ||
	    read_number(semicolon, end, "size:", &line->bytes))
		return -EINVAL;
	/* Kernels before 2.6.35 do not print "signed:". */
	if (read_number(semicolon, end, "signed:", &line->is_signed))
		line->is_signed = 0;
	line->declaration = text;
	line->size = semicolon - text;
	return 0;
}

static size_t trim(const char *s, size_t size)
{
	while (size && isspace((unsigned char)s[size - 1]))
		size--;
	return size;
}

static bool starts_with(const char *s, size_t size, const char *word)
{
	return size >= strlen(word) && !strncmp(s, word, strlen(word));
}

/* Whether the declared type is an array of char. */
static bool is_char(const char *type)
{
	return !strcmp(type, "char") || !strcmp(type, "unsigned char") ||
	       !strcmp(type, "const char") || !strcmp(type, "char[]");
}

static int read_declaration(const struct line *line, struct rt_field *field)
{
	const char *s = line->declaration, *bracket;
	size_t size = trim(s, line->size), name;
	bool array = false;

	if (starts_with(s, size, "__data_loc ")) {
		field->dynamic = true;
		s += 11;
		size -= 11;
	} else if (starts_with(s, size, "__rel_loc ")) {
		/*
		 * The offset is relative to the field itself; treat it as an array, which filters
		 * refuse.
		 */
		field->count = 1;
		s += 10;
		size -= 10;
	}
	if (size && s[size - 1] == ']') {
		bracket = memrchr(s, '[', size);
		if (!bracket)
			return -EINVAL;
		array = true;
		field->count = strtoul(bracket + 1, NULL, 0);
		size = trim(s, bracket - s);
	}
	for (name = size; name && (isalnum((unsigned char)s[name - 1]) || s[name - 1] == '_');)
		name--;
	if (name == size)
		return -EINVAL;
	field->name = strndup(s + name, size - name);
	field->type = strndup(s, trim(s, name));
	if (!field->name || !field->type)
		return -ENOMEM;
	field->offset = line->offset;
	field->size = line->bytes;
	field->is_signed = line->is_signed;
	field->is_string = (field->dynamic || array) && is_char(field->type);
	/* The length of the array is a macro: "char comm[TASK_COMM_LEN]". */
	if (array && !field->count && !field->dynamic)
		field->count = field->size;
	field->is_dev = !strcmp(field->type, "dev_t");
	field->show = field->is_string ? RT_SHOW_STRING :
		      field->is_signed ? RT_SHOW_SIGNED :
					 RT_SHOW_UNSIGNED;
	field->fault_bit = -1;
	return 0;
}

static int add_line(struct rt_field_list *list, const struct line *line)
{
	struct rt_field *fields, field = { .fault_bit = -1 };
	int ret = read_declaration(line, &field);

	if (ret || !strncmp(field.name, "common_", 7)) {
		free(field.name);
		free(field.type);
		return ret;
	}
	fields = realloc(list->fields, (list->count + 1) * sizeof(*fields));
	if (!fields) {
		free(field.name);
		free(field.type);
		return -ENOMEM;
	}
	list->fields = fields;
	fields[list->count++] = field;
	if (field.offset + field.size > list->fixed)
		list->fixed = field.offset + field.size;
	return 0;
}

int rt_field_list_parse(struct rt_field_list *list, const char *format, struct rt_err *err)
{
	const char *p, *end, *field;
	struct line line;
	int ret = 0;

	memset(list, 0, sizeof(*list));
	list->fixed = RT_FIELD_BASE;
	for (p = format; *p && !ret; p = *end ? end + 1 : end) {
		end = strchrnul(p, '\n');
		for (field = p; isspace((unsigned char)*field) && field < end; field++)
			;
		if (strncmp(field, "field:", 6))
			continue;
		ret = read_line(field + 6, end, &line);
		if (!ret)
			ret = add_line(list, &line);
		if (ret == -EINVAL)
			rt_err_set(err, EINVAL,
				   "the format has a line that is not understood: %.*s",
				   (int)(end - field), field);
		else if (ret)
			rt_err_set(err, ENOMEM, "out of memory");
	}
	if (ret)
		rt_field_list_free(list);
	return ret;
}

void rt_field_list_free(struct rt_field_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		free(list->fields[i].name);
		free(list->fields[i].type);
		free(list->fields[i].names);
	}
	free(list->fields);
	memset(list, 0, sizeof(*list));
}
