// SPDX-License-Identifier: GPL-2.0
#include "perfdata/format.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const struct rt_format_field common_fields[] = {
	{ "unsigned short", "common_type", 0, 2, 0, false },
	{ "unsigned char", "common_flags", 2, 1, 0, false },
	{ "unsigned char", "common_preempt_count", 3, 1, 0, false },
	{ "int", "common_pid", 4, 4, 0, true },
};

static void put_field(FILE *out, const struct rt_format_field *f)
{
	if (!strcmp(f->type, "string"))
		fprintf(out, "\tfield:__data_loc char[] %s;", f->name);
	else if (f->array)
		fprintf(out, "\tfield:%s %s[%u];", f->type, f->name, f->array);
	else
		fprintf(out, "\tfield:%s %s;", f->type, f->name);
	fprintf(out, "\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->offset, f->size, f->is_signed);
}

char *rt_format_make(const char *name, unsigned id, const struct rt_format_field *fields,
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

/* Behind "ID: " at the beginning of a line, or NULL. */
static const char *id_line(const char *text)
{
	const char *p = text;

	while (p) {
		if (!strncmp(p, "ID:", 3)) {
			p += 3;
			while (*p == ' ' || *p == '\t')
				p++;
			return isdigit((unsigned char)*p) ? p : NULL;
		}
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

int rt_format_id(const char *text)
{
	const char *p = id_line(text);
	unsigned long id;

	if (!p)
		return -EINVAL;
	id = strtoul(p, NULL, 10);
	return id <= UINT16_MAX ? (int)id : -EINVAL;
}

char *rt_format_with_id(const char *text, unsigned id)
{
	const char *p = id_line(text);
	char *copy;

	if (!p)
		return NULL;
	return asprintf(&copy, "%.*s%u%s", (int)(p - text), text, id, p + strspn(p, "0123456789")) <
			       0 ?
		       NULL :
		       copy;
}

const char *rt_tracefs_path(void)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s/events", places[i]);
		if (rt_file_exists(path))
			return places[i];
	}
	return NULL;
}

int rt_tracefs_read(const char *file, char **text, size_t *size)
{
	const char *root = rt_tracefs_path();
	char path[PATH_MAX];

	if (!root)
		return -ENOENT;
	if (snprintf(path, sizeof(path), "%s/%s", root, file) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return rt_file_read(path, RT_FORMAT_TEXT_MAX, text, size);
}

int rt_format_read(const char *name, char **text, struct rt_err *err)
{
	const char *colon = strchr(name, ':');
	char file[512];
	int ret;

	if (!colon || strchr(name, '/') ||
	    snprintf(file, sizeof(file), "events/%.*s/%s/format", (int)(colon - name), name,
		     colon + 1) >= (int)sizeof(file))
		return rt_err_set(err, EINVAL, "'%s' is not the name of a tracepoint: SYSTEM:EVENT",
				  name);
	if (!rt_tracefs_path())
		return rt_err_set(
			err, ENOENT,
			"the format of %s is not known: tracefs is not mounted; as root: mount -t "
			"tracefs nodev /sys/kernel/tracing",
			name);
	ret = rt_tracefs_read(file, text, NULL);
	if (ret == -ENOENT)
		return rt_err_set(err, ENOENT, "this kernel has no tracepoint %s", name);
	if (ret)
		return rt_err_set(err, ret, "cannot read the format of %s: %s", name,
				  strerror(-ret));
	return 0;
}
