// SPDX-License-Identifier: GPL-2.0
#include "browse/zoom.h"

#include <stdlib.h>
#include <string.h>

#include "report/key_text.h"

static void drop(struct rt_zooms *z, size_t i)
{
	free(z->list[i].name);
	z->count--;
	memmove(&z->list[i], &z->list[i + 1], (z->count - i) * sizeof(z->list[0]));
}

bool rt_zooms_push(struct rt_zooms *z, enum rt_zoom_kind kind, int32_t tid, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return false;
	rt_zooms_drop(z, kind);
	z->list[z->count].kind = kind;
	z->list[z->count].tid = tid;
	z->list[z->count++].name = copy;
	return true;
}

bool rt_zooms_pop(struct rt_zooms *z)
{
	if (!z->count)
		return false;
	drop(z, z->count - 1);
	return true;
}

bool rt_zooms_drop(struct rt_zooms *z, enum rt_zoom_kind kind)
{
	size_t i;

	for (i = 0; i < z->count; i++)
		if (z->list[i].kind == kind) {
			drop(z, i);
			return true;
		}
	return false;
}

void rt_zooms_free(struct rt_zooms *z)
{
	while (rt_zooms_pop(z))
		;
}

/* Like --tid and --dsos, choose by the thread and by the sampled function. */
static bool leave_out(void *arg, const struct rt_sum *sum)
{
	const struct rt_zooms *z = arg;
	size_t i;

	for (i = 0; i < z->count; i++) {
		const struct rt_zoom *zoom = &z->list[i];
		struct rt_report *r = z->report;

		if (zoom->kind == RT_ZOOM_THREAD) {
			if (sum->tid != zoom->tid)
				return true;
		} else if (strcmp(rt_pool_get(&r->pool, rt_key_object_name(r, sum->func)),
				  zoom->name)) {
			return true;
		}
	}
	return false;
}

void rt_zooms_apply(struct rt_zooms *z, struct rt_report *r)
{
	z->report = r;
	r->leave_out = z->count ? leave_out : NULL;
	r->leave_out_arg = z;
}

void rt_zooms_text(const struct rt_zooms *z, struct rt_text *out)
{
	size_t i;

	for (i = 0; i < z->count; i++) {
		const struct rt_zoom *zoom = &z->list[i];

		if (zoom->kind == RT_ZOOM_THREAD)
			rt_text_printf(out, "Thread %s(%d). ", zoom->name, zoom->tid);
		else
			rt_text_printf(out, "Object %s. ", zoom->name);
	}
}
