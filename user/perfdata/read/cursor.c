// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/internal.h"

const void *rt_cursor_bytes(struct rt_cursor *c, uint64_t size)
{
	const void *at = c->pos;

	if (c->failed || size > (uint64_t)(c->end - c->pos)) {
		c->failed = true;
		return NULL;
	}
	c->pos += size;
	return at;
}

uint32_t rt_cursor_u32(struct rt_cursor *c)
{
	const void *at = rt_cursor_bytes(c, 4);

	return at ? load32(at, c->swap) : 0;
}

uint64_t rt_cursor_u64(struct rt_cursor *c)
{
	const void *at = rt_cursor_bytes(c, 8);

	return at ? load64(at, c->swap) : 0;
}

/* Strings are stored as a length, which includes padding, and that many bytes. */
const char *rt_cursor_string(struct rt_cursor *c, struct rt_arena *arena)
{
	uint32_t size = rt_cursor_u32(c);
	const char *at = rt_cursor_bytes(c, size);
	const char *s = at ? rt_arena_strn(arena, at, size) : NULL;

	if (!s)
		c->failed = true;
	return s;
}

uint32_t rt_cursor_count(struct rt_cursor *c, size_t size)
{
	uint32_t count = rt_cursor_u32(c);

	if (!c->failed && count <= (size_t)(c->end - c->pos) / size)
		return count;
	c->failed = true;
	return 0;
}
