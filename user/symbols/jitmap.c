// SPDX-License-Identifier: GPL-2.0
/*
 * jitmap.c - /tmp/perf-PID.map, where a JIT lists what it made:
 * "START SIZE name with spaces", both numbers hex.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/context.h"
#include "symbols/locate.h"

/* Hex digits without 0x, as perf reads them; returns what follows. */
static const char *read_hex(const char *p, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *d;

	*value = 0;
	for (; *p && (d = strchr(digits, *p | 0x20)) != NULL && (*p | 0x20) == *d; p++)
		*value = *value << 4 | (uint64_t)(d - digits);
	return p;
}

static void add_line(struct rt_table *t, const char *line)
{
	uint64_t start, size;
	const char *p = read_hex(line, &start);

	if (p == line || *p != ' ')
		return;
	p = read_hex(p + 1, &size);
	if (*p != ' ' || !p[1])
		return;
	rt_table_add(t, start, size, STB_GLOBAL, STT_FUNC, p + 1);
}

void rt_object_load_jitmap(struct rt_object *obj)
{
	/* Anyone may make files in /tmp: take none that is not a plain one. */
	FILE *f = rt_is_regular_file(obj->path) ? fopen(obj->path, "re") : NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	if (f) {
		while ((len = getline(&line, &room, f)) > 0) {
			if (line[len - 1] == '\n')
				line[len - 1] = '\0';
			add_line(&obj->table, line);
		}
		free(line);
		fclose(f);
		obj->symbol_file = obj->path;
	}
	rt_table_finish(&obj->table);
	if (!obj->table.count)
		obj->looked = obj->path;
}
