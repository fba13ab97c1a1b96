// SPDX-License-Identifier: GPL-2.0
#include "draw/shade.h"

#define SHADES 6

static void put_step(struct rt_text *out, char class, unsigned int step)
{
	rt_text_char(out, ' ');
	rt_text_char(out, class);
	rt_text_char(out, (char)('0' + step));
}

void rt_shade_kind(struct rt_text *out, const struct rt_flame_frame *frame)
{
	rt_text_char(out, "gukijx"[frame->kind]);
	/* Functions of one kind come in shades, so that neighbours are told apart. */
	if (frame->kind != RT_FLAME_GROUP && frame->kind != RT_FLAME_UNKNOWN)
		put_step(out, 's', frame->hash % SHADES);
}

void rt_shade_change(struct rt_text *out, double now, double before)
{
	/* How large a change is, as a part of both shares together. */
	static const double steps[] = { 0.02, 0.1, 0.25, 0.6 };
	double change = now + before > 0 ? (now - before) / (now + before) : 0;
	unsigned int step = 0;

	while (step < 4 && (change < 0 ? -change : change) > steps[step])
		step++;
	rt_text_char(out, !step ? 'd' : change < 0 ? 'l' : 'm');
	if (step)
		put_step(out, 't', step);
}
