/* SPDX-License-Identifier: GPL-2.0 */
/* screen.h - the terminal.  One at a time; signals that end the program restore it. */
#ifndef RT_BROWSE_SCREEN_H
#define RT_BROWSE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Keys that are not characters; a character is its Unicode number. */
enum rt_screen_key {
	RT_KEY_NONE = 0,
	RT_KEY_TAB = '\t',
	RT_KEY_ENTER = '\n',
	RT_KEY_ESCAPE = 27,
	RT_KEY_BACKSPACE = 127,
	RT_KEY_UP = 0x110000, /* above the last character */
	RT_KEY_DOWN,
	RT_KEY_LEFT,
	RT_KEY_RIGHT,
	RT_KEY_PAGE_UP,
	RT_KEY_PAGE_DOWN,
	RT_KEY_HOME,
	RT_KEY_END,
	RT_KEY_BACKTAB,
	RT_KEY_HELP,
	RT_KEY_RESIZE,
	RT_KEY_GONE, /* the terminal was closed */
	RT_KEY_OTHER,
};

/* How text looks; on a terminal without colours the last two look like plain text. */
enum rt_screen_style {
	RT_STYLE_PLAIN,
	RT_STYLE_SELECTED,
	RT_STYLE_TITLE,
	RT_STYLE_HIGH,
	RT_STYLE_MIDDLE,
};

/* Whether there is a point in opening the screen when the user did not ask for it. */
bool rt_screen_possible(void);

/* Take the terminal over. */
int rt_screen_open(FILE *terminal, struct rt_err *err);
void rt_screen_close(void);

void rt_screen_size(int *rows, int *columns);
/* The next key; RT_KEY_NONE if none came within `wait` milliseconds; negative: no limit. */
int rt_screen_key(int wait);

void rt_screen_clear(void);
/*
 * Put text into a row from a column on, as far as the row goes; leave out its first `skip` cells.
 * Control characters and what is not text in the user's locale appear as '?'.
 */
void rt_screen_put(int row, int column, enum rt_screen_style style, const char *text, size_t len,
		   int skip);
/* The same, filled with blanks up to the end of the row. */
void rt_screen_line(int row, enum rt_screen_style style, const char *text, size_t len, int skip);
/* Show what was put; the cursor goes to this column of the last row, or is hidden if negative. */
void rt_screen_show(int cursor);

#endif
