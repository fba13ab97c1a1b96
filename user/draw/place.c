// SPDX-License-Identifier: GPL-2.0
#include "draw/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"

void rt_placer_open(struct rt_placer *p, struct rt_profile *profile, struct rt_flame *flame)
{
	size_t nodes = (size_t)rt_profile_node_count(profile) + 1;

	memset(p, 0, sizeof(*p));
	p->profile = profile;
	p->flame = flame;
	p->frames = rt_large_table((size_t)rt_profile_func_count(profile) + 1, sizeof(*p->frames));
	p->memo = rt_large_table(nodes, sizeof(*p->memo));
	p->path = malloc(nodes * sizeof(*p->path));
	if (!p->frames || !p->memo || !p->path)
		flame->failed = true;
}

void rt_placer_close(struct rt_placer *p)
{
	free(p->frames);
	free(p->memo);
	free(p->path);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static uint32_t make_frame(struct rt_placer *p, const struct rt_profile_func *func)
{
	const char *object = func->object ? rt_object_name(func->object) : "";
	char name[128];

	if (func->name)
		return rt_flame_frame(p->flame, func->name, object,
				      func->inlined ? RT_FLAME_INLINED :
				      func->kernel  ? RT_FLAME_KERNEL :
				      func->jit	    ? RT_FLAME_JIT :
						      RT_FLAME_USER);
	/* All addresses without a symbol in one object are one frame. */
	if (!p->unknown || p->unknown_in != func->object) {
		snprintf(name, sizeof(name), *object == '[' ? "%s" : "[%s]",
			 *object ? last_part(object) : "unknown");
		p->unknown = rt_flame_frame(p->flame, name, object, RT_FLAME_UNKNOWN) + 1;
		p->unknown_in = func->object;
	}
	return p->unknown - 1;
}

static uint32_t frame_of(struct rt_placer *p, uint32_t func)
{
	if (!p->frames[func])
		p->frames[func] = make_frame(p, rt_profile_func(p->profile, func)) + 1;
	return p->frames[func] - 1;
}

uint32_t rt_place_group(struct rt_placer *p, const char *name)
{
	if (!p->group || p->group_name != name) {
		p->group = rt_flame_child(p->flame, RT_FLAME_ROOT,
					  rt_flame_frame(p->flame, name, "", RT_FLAME_GROUP));
		p->group_name = name;
	}
	return p->group;
}

uint32_t rt_place_func(struct rt_placer *p, uint32_t group, uint32_t func)
{
	return p->flame->failed ? RT_FLAME_ROOT :
				  rt_flame_child(p->flame, group, frame_of(p, func));
}

/* Go outwards to a frame whose place is known, then back inwards. */
uint32_t rt_place_stack(struct rt_placer *p, uint32_t group, uint32_t stack)
{
	uint32_t node = group, n = stack;
	size_t depth = 0;

	if (p->flame->failed)
		return RT_FLAME_ROOT;
	for (; n && p->memo[n].group != group + 1; n = rt_profile_node(p->profile, n)->caller)
		p->path[depth++] = n;
	if (n)
		node = p->memo[n].node;
	while (depth--) {
		n = p->path[depth];
		node = rt_flame_child(p->flame, node,
				      frame_of(p, rt_profile_node(p->profile, n)->func));
		p->memo[n].group = group + 1;
		p->memo[n].node = node;
	}
	return node;
}
