// SPDX-License-Identifier: GPL-2.0
/* buildid.c - see buildid.h */
#include "base/buildid.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

void rt_buildid_set(struct rt_buildid *id, const void *data, size_t len)
{
	size_t i;

	memset(id, 0, sizeof(*id));
	if (len > RT_BUILDID_MAX)
		len = RT_BUILDID_MAX;
	memcpy(id->data, data, len);
	for (i = 0; i < len && !id->len; i++)
		if (id->data[i])
			id->len = len;
}

bool rt_buildid_equal(const struct rt_buildid *a, const struct rt_buildid *b)
{
	return a->len == b->len && !memcmp(a->data, b->data, sizeof(a->data));
}

const char *rt_buildid_hex(const struct rt_buildid *id, char out[RT_BUILDID_HEX])
{
	size_t i;

	out[0] = '\0';
	for (i = 0; i < id->len && i < RT_BUILDID_MAX; i++)
		sprintf(out + 2 * i, "%02x", id->data[i]);
	return out;
}

int rt_buildid_parse(struct rt_buildid *id, const char *text)
{
	uint8_t data[RT_BUILDID_MAX];
	size_t len = strlen(text), i;
	unsigned int byte;

	if (!len || len % 2 || len / 2 > sizeof(data) ||
	    strspn(text, "0123456789abcdefABCDEF") != len)
		return -EINVAL;
	for (i = 0; i < len / 2; i++) {
		sscanf(text + 2 * i, "%2x", &byte);
		data[i] = byte;
	}
	rt_buildid_set(id, data, len / 2);
	return 0;
}

static size_t note_pad(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

int rt_buildid_in_notes(struct rt_buildid *id, const void *data, size_t size)
{
	const char *notes = data;
	Elf32_Nhdr note; /* the same for both classes */
	size_t at = 0, name, desc;

	memset(id, 0, sizeof(*id));
	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		if (note.n_namesz > size || note.n_descsz > size)
			break;
		desc = name + note_pad(note.n_namesz);
		at = desc + note_pad(note.n_descsz);
		if (desc + note.n_descsz > size || at > note_pad(size))
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU"))) {
			rt_buildid_set(id, notes + desc, note.n_descsz);
			return id->len ? 0 : -ENOENT;
		}
		if (at > size)
			break;
	}
	return -ENOENT;
}
