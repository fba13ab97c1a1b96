/* SPDX-License-Identifier: GPL-2.0 */
/*
 * svg.h - a flame graph as SVG.
 *
 * Every frame is drawn in the file, so that a program without scripts shows the picture too.  A
 * script in the file adds zoom, search and keys; it takes names and weights from the elements.
 */
#ifndef RT_DRAW_SVG_H
#define RT_DRAW_SVG_H

#include "base/text.h"
#include "draw/flame.h"

/* A picture with more frames makes browsers slow: the narrowest are left out. */
#define RT_FLAME_FRAMES_MAX 3500
/* Of undrawn frames, which a search finds, too: about a megabyte. */
#define RT_FLAME_UNDRAWN_MAX 250000

enum rt_flame_unit { RT_FLAME_COUNT, RT_FLAME_NANOSECONDS };

struct rt_flame_picture {
	const char *title;
	const char *subtitle;
	const char *warning; /* losses; NULL: none */
	enum rt_flame_unit unit;
	const char *unit_name; /* of RT_FLAME_COUNT: "samples" */
	bool icicle;	       /* the root on top */
	bool differential;     /* colours show the change from RT_FLAME_BEFORE to RT_FLAME_NOW */
	unsigned int width;    /* of the picture without scripts, in pixels */
	size_t max_frames;     /* 0: RT_FLAME_FRAMES_MAX */
	size_t max_undrawn;    /* 0: RT_FLAME_UNDRAWN_MAX */
	double min_width;      /* frames narrower than this many pixels are not drawn */
};

/* Append the picture as a file of its own. */
void rt_flame_svg(const struct rt_flame *f, const struct rt_flame_picture *p, struct rt_text *out);
/*
 * Append only the element with the frames, for a page that holds style and script.  Returns how many
 * frames it has; SHOWN gets, for each node, the number of the frame that stands for it: its own, or
 * that of the caller in which it is hidden.
 */
size_t rt_flame_svg_element(const struct rt_flame *f, const struct rt_flame_picture *p,
			    uint32_t *shown, struct rt_text *out);

#endif
