// SPDX-License-Identifier: GPL-2.0
#include "browse/menu.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "browse/screen.h"

static void draw_menu(const char *title, const char *const *items, int n, int at, int top)
{
	static const char help[] = "Enter chooses, Esc goes back";
	int rows, columns, i;

	rt_screen_size(&rows, &columns);
	rt_screen_clear();
	rt_screen_line(0, RT_STYLE_TITLE, title, strlen(title), 0);
	for (i = 0; top + i < n && i + 1 < rows - 1; i++)
		rt_screen_line(i + 1, top + i == at ? RT_STYLE_SELECTED : RT_STYLE_PLAIN,
			       items[top + i], strlen(items[top + i]), 0);
	rt_screen_line(rows - 1, RT_STYLE_TITLE, help, sizeof(help) - 1, 0);
	rt_screen_show(-1);
}

/* The new choice after a key that moves; -1 if the key does something else. */
static int move(int key, int at, int n, int height)
{
	switch (key) {
	case RT_KEY_UP:
		return at ? at - 1 : 0;
	case RT_KEY_DOWN:
		return at + 1 < n ? at + 1 : at;
	case RT_KEY_PAGE_UP:
		return at > height ? at - height : 0;
	case RT_KEY_PAGE_DOWN:
		return at + height < n ? at + height : n - 1;
	case RT_KEY_HOME:
		return 0;
	case RT_KEY_END:
		return n - 1;
	default:
		return -1;
	}
}

int rt_menu_choose(const char *title, const char *const *items, int n, int at)
{
	int top = 0, rows, columns, height, key, to;

	for (;;) {
		rt_screen_size(&rows, &columns);
		height = rows > 2 ? rows - 2 : 1;
		if (at < top)
			top = at;
		if (at >= top + height)
			top = at - height + 1;
		draw_menu(title, items, n, at, top);
		key = rt_screen_key(-1);
		to = move(key, at, n, height);
		if (to >= 0)
			at = to;
		else if (key == RT_KEY_ENTER)
			return n ? at : -1;
		else if (key == RT_KEY_ESCAPE || key == RT_KEY_LEFT || key == 'q' ||
			 key == RT_KEY_GONE)
			return -1;
	}
}

/* Remove the last character, which may have several bytes. */
static void rub_out(char *text)
{
	size_t len = strlen(text);

	while (len && ((unsigned char)text[len - 1] & 0xc0) == 0x80)
		len--;
	if (len)
		len--;
	text[len] = '\0';
}

static void type(char *text, size_t size, int key)
{
	char bytes[MB_LEN_MAX];
	mbstate_t state = { 0 };
	size_t len = strlen(text), n = wcrtomb(bytes, (wchar_t)key, &state);

	if (n == (size_t)-1 || len + n >= size)
		return;
	memcpy(text + len, bytes, n);
	text[len + n] = '\0';
}

bool rt_menu_ask(const char *question, char *text, size_t size)
{
	struct rt_text line;
	char *typed = strdup(text);
	bool done = false;
	int key = 0;

	typed = typed ? realloc(typed, size) : NULL;
	if (!typed)
		return false;
	rt_text_init(&line);
	while (!done) {
		int rows, columns, skip;

		rt_screen_size(&rows, &columns);
		rt_text_reset(&line);
		rt_text_str(&line, question);
		rt_text_str(&line, typed);
		/* Show the end of a line that is too long.  A character has at most as many cells as bytes. */
		skip = (int)line.len >= columns ? (int)line.len - columns + 1 : 0;
		rt_screen_line(rows - 1, RT_STYLE_TITLE, line.base, line.len, skip);
		rt_screen_show((int)line.len - skip);
		key = rt_screen_key(-1);
		if (key == RT_KEY_ENTER || key == RT_KEY_ESCAPE || key == RT_KEY_GONE)
			done = true;
		else if (key == RT_KEY_BACKSPACE)
			rub_out(typed);
		else if (key == 'U' - '@') /* Ctrl-U */
			typed[0] = '\0';
		else if (key >= ' ' && key < RT_KEY_UP)
			type(typed, size, key);
	}
	if (key == RT_KEY_ENTER)
		memcpy(text, typed, strlen(typed) + 1);
	free(typed);
	rt_text_free(&line);
	return key == RT_KEY_ENTER;
}
