// SPDX-License-Identifier: GPL-2.0
/*
 * jitmap.c - /tmp/perf-PID.map, in which a JIT lists its code: "START SIZE name with spaces", both
 * numbers in hex; Java writes them with 0x, others without.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/internal.h"
#include "symbols/locate.h"

/* Return what follows the number, or NULL if there is none. */
static const char *read_hex(const char *p, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *d, *first;

	*value = 0;
	if (p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	first = p;
	for (; *p && (d = strchr(digits, *p | 0x20)) != NULL && (*p | 0x20) == *d; p++)
		*value = *value << 4 | (uint64_t)(d - digits);
	return p > first ? p : NULL;
}

static void add_line(struct rt_symbol_table *t, const char *line)
{
	uint64_t start, size;
	const char *p = read_hex(line, &start);

	if (!p || *p != ' ')
		return;
	p = read_hex(p + 1, &size);
	if (!p || *p != ' ' || !p[1])
		return;
	rt_symbol_table_add(t, start, size, STB_GLOBAL, STT_FUNC, p + 1);
}

void rt_object_load_jitmap(struct rt_object *obj)
{
	/* Anybody can create files in /tmp: accept only a regular one. */
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
	rt_symbol_table_finish(&obj->table);
	if (!obj->table.count)
		obj->looked = obj->path;
}
