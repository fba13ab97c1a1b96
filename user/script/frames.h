/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frames.h - the text of a stack frame, made once for each address and kept.
 *
 * A stack of twenty frames costs twenty look-ups and copies this way, whatever is
 * asked of a frame (symbols, objects, source lines, inlined functions).  One thread
 * has one cache of fixed size, small enough for the processor's own: whatever was not
 * asked for again makes room for the next.
 */
#ifndef RT_SCRIPT_FRAMES_H
#define RT_SCRIPT_FRAMES_H

#include "script/place.h"

/* What a frame's text holds; the rest of the key to it. */
enum {
	RT_FRAME_IP = 1,
	RT_FRAME_SYM = 2,
	RT_FRAME_SYMOFF = 4,
	RT_FRAME_DSO = 8,
	RT_FRAME_SRCLINE = 16,
	RT_FRAME_INLINES = 32,
	RT_FRAME_SINGLE = 64, /* not a line of a stack but the rest of a sample's own line */
	RT_FRAME_LEAF = 128,  /* no text: is the caller still in the link register? */
};

struct rt_frame {
	const char *text;
	uint32_t len;
	bool stop; /* nothing is shown above this frame (--stop-bt) */
	bool leaf; /* of RT_FRAME_LEAF */
};

struct rt_frames;

struct rt_frames *rt_frames_new(const struct rt_script *script);
void rt_frames_free(struct rt_frames *f);

/* Forget everything: kernel addresses mean something else from now on. */
void rt_frames_clear(struct rt_frames *f);

/* Valid until the next call. */
const struct rt_frame *rt_frames_get(struct rt_frames *f, const struct rt_maps *maps,
				     unsigned int cpumode, uint64_t ip, unsigned int parts);

/* The parts a set of fields asks for. */
unsigned int rt_frame_parts(uint64_t fields);

#endif
