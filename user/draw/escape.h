/* SPDX-License-Identifier: GPL-2.0 */
/*
 * escape.h - text of a recording, made safe for XML, HTML and folded lines.
 *
 * A task may call itself "</script>", and a symbol name may hold any byte.  Control characters,
 * bytes that are not UTF-8, and characters that reorder or break text become visible: \x1b, \u202e.
 */
#ifndef RT_DRAW_ESCAPE_H
#define RT_DRAW_ESCAPE_H

#include <stddef.h>

#include "base/text.h"

/* One character of S as it is shown, at most RT_SHOWN_MAX bytes with its NUL. */
#define RT_SHOWN_MAX 9
struct rt_shown {
	char text[RT_SHOWN_MAX];
	unsigned int width; /* in columns of a monospaced font */
};

/* Show the character at S; returns the number of bytes of S that it takes, 0 at the end. */
size_t rt_shown_next(const char *s, struct rt_shown *shown);

/* Append S for the contents or a quoted attribute of an element of XML or HTML. */
void rt_xml_text(struct rt_text *t, const char *s);
/* Append at most COLUMNS columns of S, and ".." if it is longer; nothing if not even two fit. */
void rt_xml_fit(struct rt_text *t, const char *s, unsigned int columns);
/* Append S as a JSON string that may stand in a script element. */
void rt_script_json(struct rt_text *t, const char *s);
/* Append S as one frame of a folded line: ';' separates frames there and becomes ':'. */
void rt_folded_text(struct rt_text *t, const char *s);

#endif
