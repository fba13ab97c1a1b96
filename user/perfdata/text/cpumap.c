// SPDX-License-Identifier: GPL-2.0
#include "perfdata/text/cpumap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "perfdata/read/internal.h"

/* CPUs are added one by one; adjacent ones are joined to "first-last". */
struct text {
	char *buf;
	size_t size, len;
	bool any;
	int first, last;
};

static void put(struct text *t)
{
	char one[32];
	int n;

	if (!t->any)
		return;
	if (t->first == t->last)
		n = snprintf(one, sizeof(one), "%s%d", t->len ? "," : "", t->first);
	else
		n = snprintf(one, sizeof(one), "%s%d-%d", t->len ? "," : "", t->first, t->last);
	if (t->len + n < t->size) {
		memcpy(t->buf + t->len, one, n + 1);
		t->len += n;
	}
}

static void add(struct text *t, int cpu)
{
	if (t->any && cpu == t->last + 1) {
		t->last = cpu;
		return;
	}
	put(t);
	t->any = true;
	t->first = t->last = cpu;
}

static uint16_t half(const uint8_t *data, size_t i)
{
	uint16_t v;

	memcpy(&v, data + 2 * i, sizeof(v));
	return v;
}

static int add_list(struct text *t, const uint8_t *data, size_t room)
{
	size_t i, nr;

	if (room < 4)
		return -EBADMSG;
	nr = half(data, 1);
	if (nr > (room - 4) / 2)
		return -EBADMSG;
	for (i = 0; i < nr; i++)
		add(t, (int16_t)half(data, 2 + i) == -1 ? -1 : half(data, 2 + i));
	return 0;
}

static int add_mask(struct text *t, const uint8_t *data, size_t room)
{
	size_t i, bit, nr, width, at;
	uint64_t word;

	if (room < 6)
		return -EBADMSG;
	nr = half(data, 1);
	width = half(data, 2);
	at = width == 8 ? 8 : 6;
	if ((width != 4 && width != 8) || room < at || nr > (room - at) / width)
		return -EBADMSG;
	for (i = 0; i < nr; i++) {
		word = width == 8 ? load64(data + at + i * width, false) :
				    load32(data + at + i * width, false);
		for (bit = 0; bit < 8 * width; bit++)
			if (word >> bit & 1)
				add(t, (int)(i * 8 * width + bit));
	}
	return 0;
}

static int add_range(struct text *t, const uint8_t *data, size_t room)
{
	int cpu;

	if (room < 8)
		return -EBADMSG;
	if (data[2])
		add(t, -1);
	for (cpu = half(data, 2); cpu <= half(data, 3); cpu++)
		add(t, cpu);
	return 0;
}

int rt_cpumap_text(const struct rt_perf_record *rec, const void *data, char *buf, size_t size)
{
	const uint8_t *end = (const uint8_t *)rec->hdr + rec->hdr->size;
	const uint8_t *map = data;
	struct text t = { .buf = buf, .size = size };
	int ret = -EBADMSG;

	buf[0] = 0;
	if (map > end || end - map < 2)
		return -EBADMSG;
	switch (half(map, 0)) {
	case RT_CPU_MAP_CPUS:
		ret = add_list(&t, map, end - map);
		break;
	case RT_CPU_MAP_MASK:
		ret = add_mask(&t, map, end - map);
		break;
	case RT_CPU_MAP_RANGE:
		ret = add_range(&t, map, end - map);
		break;
	}
	put(&t);
	return ret;
}
