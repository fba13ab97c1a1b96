/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pieces.h - a raw recording (`record --raw`): the sub-buffers of the event rings to the file as they
 * are, instead of their records one by one.
 *
 * Everything else is in a raw recording as in any other: the side-band, which says at the time of a
 * mapping which file it is, and losses.  One thread does it all: it only passes on pieces of 32 KB.
 */
#ifndef RT_RECORD_PIECES_H
#define RT_RECORD_PIECES_H

#include "record/recording.h"

/* After the file has begun: what the records of each event hold.  0 or the writer's negative errno. */
int rt_pieces_describe(struct rt_recording *r);
/*
 * Write the sub-buffers that are complete, until UNTIL by the clock; r->more says whether there are
 * more.  Return the number of events written, at least 1 if some wait in a sub-buffer that is still
 * written; or a negative errno.
 */
int rt_pieces_sweep(struct rt_recording *r, uint64_t until);
/*
 * Write the committed part of the others, too, and make everything readable from the file: twice a
 * second, or NOW.
 */
int rt_pieces_settle(struct rt_recording *r, bool now, struct rt_err *err);
/* All events are off and written: let readers hand them out before what comes next. */
int rt_pieces_rest(struct rt_recording *r, struct rt_err *err);

#endif
