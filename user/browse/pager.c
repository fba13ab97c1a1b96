// SPDX-License-Identifier: GPL-2.0
#include "browse/pager.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "browse/menu.h"
#include "browse/screen.h"

#define BYTES_MAX (64u << 20) /* of a text that are kept */
#define LOOK	  50	      /* milliseconds between looks for keys while the text comes */
#define SHIFT	  8
#define TAB	  8

struct pager {
	const char *title;
	struct rt_text text;
	size_t *lines; /* where each begins */
	size_t count, room;
	size_t top;
	int fd; /* -1: everything is here */
	int shift;
	char find[128];
	const char *message;
};

static bool add_line(struct pager *p, size_t start)
{
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 256;
		void *lines = realloc(p->lines, room * sizeof(*p->lines));

		if (!lines)
			return false;
		p->lines = lines;
		p->room = room;
	}
	p->lines[p->count++] = start;
	return true;
}

/* Append text; a tab becomes blanks. */
static void add(struct pager *p, const char *bytes, size_t n)
{
	size_t i, start;

	for (i = 0; i < n; i++) {
		if (!p->text.len && !p->count && !add_line(p, 0))
			return;
		if (bytes[i] == '\t') {
			start = p->lines[p->count - 1];
			rt_text_fill(&p->text, ' ', TAB - (int)((p->text.len - start) % TAB));
			continue;
		}
		rt_text_char(&p->text, bytes[i]);
		if (bytes[i] == '\n' && !add_line(p, p->text.len))
			return;
	}
}

/* The lines that have text; the last one may be empty. */
static size_t line_count(const struct pager *p)
{
	return p->count && p->lines[p->count - 1] == p->text.len ? p->count - 1 : p->count;
}

static const char *line_at(const struct pager *p, size_t i, size_t *len)
{
	size_t end = i + 1 < p->count ? p->lines[i + 1] - 1 : p->text.len;

	*len = end - p->lines[i];
	return p->text.base + p->lines[i];
}

/* Read what is there; wait for it at most `wait` milliseconds. */
static void read_more(struct pager *p, int wait)
{
	struct pollfd pfd = { .fd = p->fd, .events = POLLIN };
	char bytes[16384];
	ssize_t got;

	if (poll(&pfd, 1, wait) <= 0)
		return;
	got = read(p->fd, bytes, sizeof(bytes));
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got > 0)
		add(p, bytes, (size_t)got);
	if (got <= 0 || p->text.failed)
		p->fd = -1;
	if (p->text.len > BYTES_MAX) {
		p->fd = -1;
		p->message = "the rest is left out; ringtail script has all";
	}
}

static int page_height(void)
{
	int rows, columns;

	rt_screen_size(&rows, &columns);
	return rows > 2 ? rows - 2 : 1;
}

static void draw(struct pager *p)
{
	size_t count = line_count(p), len, i, height = (size_t)page_height();
	int rows, columns, n;
	char status[200];

	rt_screen_size(&rows, &columns);
	rt_screen_clear();
	rt_screen_line(0, RT_STYLE_TITLE, p->title, strlen(p->title), 0);
	for (i = 0; i < height && p->top + i < count; i++) {
		const char *line = line_at(p, p->top + i, &len);

		rt_screen_line((int)i + 1, RT_STYLE_PLAIN, line, len, p->shift);
	}
	n = snprintf(status, sizeof(status), "line %zu of %zu%s; q goes back%s%s",
		     count ? p->top + 1 : 0, count, p->fd >= 0 ? " so far" : "",
		     p->message ? "; " : ", / finds", p->message ? p->message : "");
	rt_screen_line(rows - 1, RT_STYLE_TITLE, status,
		       n < (int)sizeof(status) ? (size_t)n : sizeof(status) - 1, 0);
	rt_screen_show(-1);
}

static void find_next(struct pager *p)
{
	size_t count = line_count(p), i, len;
	char *line;

	p->message = NULL;
	for (i = p->top + 1; *p->find && i < count; i++) {
		const char *at = line_at(p, i, &len);
		bool found;

		line = strndup(at, len);
		found = line && strcasestr(line, p->find);
		free(line);
		if (found) {
			p->top = i;
			return;
		}
	}
	p->message = "not found below";
}

/* Whether to go on. */
static bool act(struct pager *p, int key)
{
	size_t height = (size_t)page_height(), last = line_count(p);

	switch (key) {
	case 'q':
	case RT_KEY_ESCAPE:
	case RT_KEY_GONE:
		return false;
	case RT_KEY_LEFT:
		if (!p->shift)
			return false;
		p->shift -= SHIFT;
		break;
	case RT_KEY_RIGHT:
		p->shift += SHIFT;
		break;
	case RT_KEY_UP:
		p->top -= p->top > 0;
		break;
	case RT_KEY_DOWN:
		p->top++;
		break;
	case RT_KEY_PAGE_UP:
		p->top = p->top > height ? p->top - height : 0;
		break;
	case RT_KEY_PAGE_DOWN:
	case ' ':
		p->top += height;
		break;
	case RT_KEY_HOME:
		p->top = 0;
		break;
	case RT_KEY_END:
		p->top = last;
		break;
	case '/':
		if (rt_menu_ask("Find: ", p->find, sizeof(p->find)))
			find_next(p);
		break;
	case 'n':
		find_next(p);
		break;
	default:
		break;
	}
	if (p->fd < 0 && p->top + height > last)
		p->top = last > height ? last - height : 0;
	return true;
}

static void run(struct pager *p)
{
	int key;

	do {
		bool wants = p->fd >= 0 && line_count(p) < p->top + 2 * (size_t)page_height();

		draw(p);
		key = rt_screen_key(wants ? 0 : -1);
		if (key == RT_KEY_NONE && wants)
			read_more(p, LOOK);
	} while (act(p, key));
	free(p->lines);
	rt_text_free(&p->text);
}

void rt_pager_show(const char *title, const char *text, size_t len)
{
	struct pager p = { .title = title, .fd = -1 };

	rt_text_init(&p.text);
	add(&p, text, len);
	run(&p);
}

void rt_pager_follow(const char *title, int fd)
{
	struct pager p = { .title = title, .fd = fd };

	rt_text_init(&p.text);
	run(&p);
}
