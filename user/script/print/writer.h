/* SPDX-License-Identifier: GPL-2.0 */
/* writer.h - the code that accessed watched memory, by its function instead of its address. */
#ifndef RT_SCRIPT_PRINT_WRITER_H
#define RT_SCRIPT_PRINT_WRITER_H

#include "script/print/frames.h"
#include "script/print/script.h"

/* Whether the default output names the code that caused this event. */
bool rt_writer_is_named(const struct rt_script *script, const struct rt_perf_event *event);

/*
 * The text of the item's event begins at FROM in OUT: " (ffffffff81168724) addr=…".  Replace the address by
 * "function+0x6b", and by "function+0x6b file.c:12" if debug information knows the line.
 */
void rt_writer_name(struct rt_frames *frames, const struct rt_item *item, size_t from,
		    struct rt_text *out);

#endif
