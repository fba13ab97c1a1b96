/* SPDX-License-Identifier: GPL-2.0 */
/* shade.h - the classes of a frame, which assets/flame.css gives their colours. */
#ifndef RT_DRAW_SHADE_H
#define RT_DRAW_SHADE_H

#include "base/text.h"
#include "draw/flame.h"

/* Append the kind of a frame, and a shade by its name. */
void rt_shade_kind(struct rt_text *out, const struct rt_flame_frame *frame);
/* Append less (l), the same (d) or more (m), and how much. */
void rt_shade_change(struct rt_text *out, double now, double before);

#endif
