// SPDX-License-Identifier: GPL-2.0
#include "draw/escape.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/utf8.h"

static unsigned int decode(const unsigned char *s, int len)
{
	unsigned int c = s[0];
	int i;

	if (len > 1)
		c &= 0xff >> (len + 1);
	for (i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* Characters that are invisible, change the direction of text, end lines, or are not XML. */
static bool is_hidden(unsigned int c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
	       (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

/* East Asian scripts and pictures take two columns. */
static bool is_wide(unsigned int c)
{
	return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
	       (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
	       (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
	       (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

size_t rt_shown_next(const char *s, struct rt_shown *shown)
{
	const unsigned char *u = (const unsigned char *)s;
	int len = rt_utf8_length(u);
	unsigned int c;

	if (!*u)
		return 0;
	c = len ? decode(u, len) : *u;
	if (!len || (c < 0x80 && is_hidden(c))) {
		shown->width = (unsigned int)snprintf(shown->text, RT_SHOWN_MAX, "\\x%02x", *u);
		return 1;
	}
	if (is_hidden(c)) {
		shown->width = (unsigned int)snprintf(shown->text, RT_SHOWN_MAX, "\\u%04x", c);
	} else {
		memcpy(shown->text, s, (size_t)len);
		shown->text[len] = '\0';
		shown->width = is_wide(c) ? 2 : 1;
	}
	return (size_t)len;
}

static void put_xml(struct rt_text *t, const char *shown)
{
	switch (*shown) {
	case '&':
		rt_text_lit(t, "&amp;");
		break;
	case '<':
		rt_text_lit(t, "&lt;");
		break;
	case '>':
		rt_text_lit(t, "&gt;");
		break;
	case '"':
		rt_text_lit(t, "&quot;");
		break;
	case '\'':
		rt_text_lit(t, "&#39;");
		break;
	default:
		rt_text_str(t, shown);
	}
}

/* How many bytes from here on stand for themselves in XML and take one column each. */
static size_t plain_length(const char *s)
{
	size_t n;

	for (n = 0; s[n] >= ' ' && s[n] < 0x7f; n++)
		if (s[n] == '&' || s[n] == '<' || s[n] == '>' || s[n] == '"' || s[n] == '\'')
			break;
	return n;
}

void rt_xml_text(struct rt_text *t, const char *s)
{
	struct rt_shown shown;
	size_t n;

	do {
		n = plain_length(s);
		rt_text_put(t, s, n);
		s += n;
		n = rt_shown_next(s, &shown);
		if (n)
			put_xml(t, shown.text);
		s += n;
	} while (n);
}

static unsigned int columns_of(const char *s)
{
	struct rt_shown shown;
	unsigned int columns = 0;
	size_t n;

	do {
		n = plain_length(s);
		columns += (unsigned int)n;
		s += n;
		n = rt_shown_next(s, &shown);
		if (n)
			columns += shown.width;
		s += n;
	} while (n);
	return columns;
}

void rt_xml_fit(struct rt_text *t, const char *s, unsigned int columns)
{
	struct rt_shown shown;
	size_t n;

	if (columns_of(s) <= columns) {
		rt_xml_text(t, s);
		return;
	}
	/* One letter and two dots say nothing. */
	if (columns < 4)
		return;
	columns -= 2;
	for (; (n = rt_shown_next(s, &shown)) && shown.width <= columns; s += n) {
		put_xml(t, shown.text);
		columns -= shown.width;
	}
	rt_text_lit(t, "..");
}

void rt_script_json(struct rt_text *t, const char *s)
{
	struct rt_shown shown;
	const char *p;
	size_t n;

	rt_text_char(t, '"');
	for (; (n = rt_shown_next(s, &shown)); s += n)
		for (p = shown.text; *p; p++) {
			if (*p == '"' || *p == '\\')
				rt_text_char(t, '\\');
			/* Neither "</script" nor "<!--" may end or open anything. */
			if (*p == '<' || *p == '>' || *p == '&')
				rt_text_printf(t, "\\u%04x", (unsigned int)*p);
			else
				rt_text_char(t, *p);
		}
	rt_text_char(t, '"');
}

void rt_folded_text(struct rt_text *t, const char *s)
{
	struct rt_shown shown;
	size_t n;

	for (; (n = rt_shown_next(s, &shown)); s += n)
		rt_text_str(t, *shown.text == ';' ? ":" : shown.text);
}
