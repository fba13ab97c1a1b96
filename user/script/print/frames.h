/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frames.h - a cache for the text of stack frames, made once per address.
 *
 * A stack of twenty frames then costs twenty lookups and copies, whatever a frame shows (symbols,
 * objects, source lines, inlined functions).  Each thread has one cache of fixed size; a new frame
 * replaces one that was not used again.
 */
#ifndef RT_SCRIPT_PRINT_FRAMES_H
#define RT_SCRIPT_PRINT_FRAMES_H

#include "script/print/script.h"
#include "stack/location.h"

/* What a frame's text contains; part of its key. */
enum {
	RT_FRAME_IP = 1,
	RT_FRAME_SYM = 2,
	RT_FRAME_SYMOFF = 4,
	RT_FRAME_DSO = 8,
	RT_FRAME_SRCLINE = 16,
	RT_FRAME_INLINES = 32,
	RT_FRAME_SINGLE = 64, /* the rest of a sample's own line, not a line of a stack */
	RT_FRAME_LEAF = 128,  /* no text: whether the link register still holds the caller */
};

struct rt_frame {
	const char *text;
	uint32_t len;
	bool stop; /* print nothing above this frame (--stop-bt) */
	bool leaf; /* result of RT_FRAME_LEAF */
};

struct rt_frames;

struct rt_frames *rt_frames_new(const struct rt_script *script);
void rt_frames_free(struct rt_frames *f);

/* Forget everything, because kernel addresses get another meaning. */
void rt_frames_clear(struct rt_frames *f);

/* Valid until the next call. */
const struct rt_frame *rt_frames_get(struct rt_frames *f, const struct rt_maps *maps,
				     unsigned int cpumode, uint64_t ip, unsigned int parts);

/*
 * Append the text of one stack frame to `out`; return whether the stack ends there.  Not for
 * RT_FRAME_SINGLE and RT_FRAME_LEAF.
 */
bool rt_frames_put(struct rt_frames *f, const struct rt_maps *maps, unsigned int cpumode,
		   uint64_t ip, unsigned int parts, struct rt_text *out);

/* Whether the link register holds the caller of the leaf function at pc (leaf.h); kept, too. */
bool rt_frames_is_leaf(void *frames, const struct rt_maps *maps, uint64_t pc);

/*
 * Whether such a frame is made anew each time, with --compat: perf does not cache addr2line's
 * answers, and these can change; what perf can read to find a caller depends on the current
 * mappings.
 */
bool rt_frames_change(const struct rt_frames *f, unsigned int parts);

/* The parts that a set of fields needs. */
unsigned int rt_frame_parts(uint64_t fields);

#endif
