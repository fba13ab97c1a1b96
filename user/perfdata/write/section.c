// SPDX-License-Identifier: GPL-2.0
#include "perfdata/write/section.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096, STRING_ALIGN = 64 };

static void *grow(struct rt_section *s, size_t size)
{
	size_t room = s->room ? s->room : FIRST_ROOM;
	uint8_t *bigger;

	if (s->failed)
		return NULL;
	while (room - s->size < size)
		room *= 2;
	if (room != s->room) {
		bigger = realloc(s->data, room);
		if (!bigger) {
			s->failed = true;
			return NULL;
		}
		s->data = bigger;
		s->room = room;
	}
	s->size += size;
	return s->data + s->size - size;
}

void rt_section_put(struct rt_section *s, const void *data, size_t size)
{
	void *to = grow(s, size);

	if (to && size)
		memcpy(to, data, size);
}

void rt_section_zero(struct rt_section *s, size_t size)
{
	void *to = grow(s, size);

	if (to)
		memset(to, 0, size);
}

void rt_section_u8(struct rt_section *s, uint8_t v)
{
	rt_section_put(s, &v, sizeof(v));
}

void rt_section_u32(struct rt_section *s, uint32_t v)
{
	rt_section_put(s, &v, sizeof(v));
}

void rt_section_u64(struct rt_section *s, uint64_t v)
{
	rt_section_put(s, &v, sizeof(v));
}

void rt_section_text(struct rt_section *s, const char *text)
{
	rt_section_put(s, text, strlen(text) + 1);
}

void rt_section_string(struct rt_section *s, const char *text)
{
	size_t len = strlen(text) + 1;
	size_t padded = (len + STRING_ALIGN - 1) & ~(size_t)(STRING_ALIGN - 1);

	rt_section_u32(s, padded);
	rt_section_put(s, text, len);
	rt_section_zero(s, padded - len);
}

void rt_section_align(struct rt_section *s)
{
	rt_section_zero(s, -s->size & 7);
}

void rt_section_free(struct rt_section *s)
{
	free(s->data);
	memset(s, 0, sizeof(*s));
}
