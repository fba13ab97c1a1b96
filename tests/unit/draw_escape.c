// SPDX-License-Identifier: GPL-2.0
/*
 * draw_escape - random hostile names never break the XML, the JSON or the folded lines they are put
 * into.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "draw/escape.h"
#include "tap.h"

#define ROUNDS 200000

/* Pieces that have broken such pages before, and any bytes. */
static const char *const pieces[] = { "</script>",
				      "<!--",
				      "-->",
				      "]]>",
				      "<![CDATA[",
				      "&amp;",
				      "&#0;",
				      "\"",
				      "'",
				      "\\",
				      "\\u003c",
				      ";",
				      "\n",
				      "\r",
				      "\x1b[m",
				      "\xff\xfe",
				      "\xc0\xaf",
				      "\xed\xa0\x80",
				      "\xe2\x80\xa8",
				      "\xe2\x80\xae",
				      "\xef\xbf\xbf",
				      "\xf4\x90\x80\x80",
				      "\xc3\xa9",
				      "name",
				      " ",
				      "\x7f",
				      "\xc2\x85" };

static void hostile(char *name, size_t room)
{
	size_t n = 0, parts = (size_t)(rand() % 6), len;

	while (parts--) {
		const char *piece = pieces[(size_t)rand() % (sizeof(pieces) / sizeof(pieces[0]))];

		len = strlen(piece);
		if (rand() % 3 && n + len < room) {
			memcpy(name + n, piece, len);
			n += len;
		} else if (n + 1 < room) {
			name[n++] = (char)(1 + rand() % 255);
		}
	}
	name[n] = '\0';
}

/* Printable characters of UTF-8 only, none of those in STOP. */
static bool is_clean(const char *s, const char *stop)
{
	int len;

	for (; *s; s += len) {
		unsigned char c = (unsigned char)*s;

		len = rt_utf8_length((const unsigned char *)s);
		if (!len || c < 0x20 || c == 0x7f || strchr(stop, c))
			return false;
		/* C1 controls, line separators and changes of direction, not characters */
		if ((c == 0xc2 && (unsigned char)s[1] < 0xa0) ||
		    (!memcmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0xa8 &&
		     (unsigned char)s[2] <= 0xae) ||
		    !strncmp(s, "\xef\xbf\xbf", 3))
			return false;
	}
	return true;
}

/* Every & begins one of the entities that XML knows or a number. */
static bool has_entities_only(const char *s)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	size_t i;

	for (s = strchr(s, '&'); s; s = strchr(s + 1, '&')) {
		for (i = 0; i < 5; i++)
			if (!strncmp(s, known[i], strlen(known[i])))
				break;
		if (i == 5)
			return false;
	}
	return true;
}

/* A JSON string: quotes around it, and behind each backslash an escape. */
static bool is_json(const char *s)
{
	size_t n = strlen(s), i;

	if (n < 2 || s[0] != '"' || s[n - 1] != '"')
		return false;
	for (i = 1; i < n - 1; i++) {
		if (s[i] == '"')
			return false;
		if (s[i] != '\\')
			continue;
		i++;
		if (s[i] == 'u' && isxdigit((unsigned char)s[i + 1]))
			i += 4;
		else if (s[i] != '"' && s[i] != '\\')
			return false;
	}
	return i == n - 1;
}

int main(void)
{
	unsigned int bad_xml = 0, bad_fit = 0, bad_json = 0, bad_folded = 0, columns, i;
	struct rt_text t;
	char name[128];

	srand(20);
	rt_text_init(&t);
	for (i = 0; i < ROUNDS; i++) {
		hostile(name, sizeof(name));
		rt_text_reset(&t);
		rt_xml_text(&t, name);
		rt_text_char(&t, '\0');
		bad_xml += !is_clean(t.base, "<>\"'") || !has_entities_only(t.base);
		columns = (unsigned int)(rand() % 12);
		rt_text_reset(&t);
		rt_xml_fit(&t, name, columns);
		rt_text_char(&t, '\0');
		/* At most five bytes for an entity, four for another character. */
		bad_fit += !is_clean(t.base, "<>\"'") || !has_entities_only(t.base) ||
			   t.len > columns * 6 + 1;
		rt_text_reset(&t);
		rt_script_json(&t, name);
		rt_text_char(&t, '\0');
		bad_json += !is_clean(t.base, "<>&") || !is_json(t.base);
		rt_text_reset(&t);
		rt_folded_text(&t, name);
		rt_text_char(&t, '\0');
		bad_folded += !is_clean(t.base, ";");
	}
	is_int(bad_xml, 0, "XML: %d names", ROUNDS);
	is_int(bad_fit, 0, "XML, cut to fit");
	is_int(bad_json, 0, "JSON in a script element");
	is_int(bad_folded, 0, "folded lines");
	rt_text_free(&t);
	return tap_done();
}
