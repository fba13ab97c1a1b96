/* SPDX-License-Identifier: GPL-2.0 */
/* place.h - put the stacks of a profile into the tree of a flame graph. */
#ifndef RT_DRAW_PLACE_H
#define RT_DRAW_PLACE_H

#include "draw/flame.h"
#include "profile/profile.h"

struct rt_placer {
	struct rt_profile *profile;
	struct rt_flame *flame;
	uint32_t *frames; /* by function: the frame of the flame graph, plus one */
	/* By node of the profile: the group on which it was placed last, plus one, and where. */
	struct rt_placer_memo {
		uint32_t group, node;
	} * memo;
	uint32_t *path;
	/* What was asked last: a group on the root, 0 if none; the frame of an object, plus one. */
	const char *group_name;
	uint32_t group;
	const struct rt_object *unknown_in;
	uint32_t unknown;
};

/* The profile must have been read.  If there is no memory, the flame graph has failed. */
void rt_placer_open(struct rt_placer *p, struct rt_profile *profile, struct rt_flame *flame);
void rt_placer_close(struct rt_placer *p);

/* The node of a task's group on the root. */
uint32_t rt_place_group(struct rt_placer *p, const char *name);
/* The node where a stack of the profile ends that stands on GROUP. */
uint32_t rt_place_stack(struct rt_placer *p, uint32_t group, uint32_t stack);
/* The node of a function that stands on GROUP alone. */
uint32_t rt_place_func(struct rt_placer *p, uint32_t group, uint32_t func);

#endif
