/* SPDX-License-Identifier: GPL-2.0 */
/* caption.h - the words around a picture: what was recorded, where, how much, and what is missing. */
#ifndef RT_DRAW_CAPTION_H
#define RT_DRAW_CAPTION_H

#include "base/text.h"
#include "draw/collect.h"

struct rt_caption { /* all zero: empty */
	struct rt_text title, subtitle, warning;
};

void rt_caption_free(struct rt_caption *c);

/* Append the names of the events to the title. */
void rt_caption_events(struct rt_caption *c, const struct rt_reader *reader);
/* Append the machine to the subtitle. */
void rt_caption_machine(struct rt_caption *c, const struct rt_reader *reader);
/* Append to the subtitle how many samples (NOUN) there are and how long they took. */
void rt_caption_amount(struct rt_caption *c, const struct rt_collect_stats *stats,
		       const char *noun);
/* Append to the warning what the recording lost. */
void rt_caption_losses(struct rt_caption *c, const struct rt_reader *reader, bool damaged);

/* End each text with a NUL behind its length; false if memory ran out. */
bool rt_caption_end(struct rt_caption *c);

#endif
