// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as the names of a recording: the flame graph stays well-formed XML, the page well-formed
 * HTML, the data in it JSON, and folded lines stay lines.  The checks below are made from the
 * standards and share no code with the escaping.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/timeline.h"
#include "draw/escape.h"
#include "draw/folded.h"
#include "draw/page.h"
#include "draw/svg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAMES 8
#define DEEP  64

/* The fuzzer looks for new paths in what is tested, not in the checks. */
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)

static void must(bool good, const char *what, const char *at)
{
	if (good)
		return;
	fprintf(stderr, "%s: %.60s\n", what, at);
	abort();
}

/* ---- characters ------------------------------------------------------------------------ */

/* The length of a character that XML allows, by the table of the Unicode standard; 0: none. */
static size_t character(const unsigned char *s)
{
	size_t more, i;

	if (*s < 0x80)
		return *s >= 0x20 || *s == '\n' || *s == '\t';
	more = *s >= 0xf0 ? 3 : *s >= 0xe0 ? 2 : 1;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	for (i = 1; i <= more; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if (*s == 0xef && s[1] == 0xbf && s[2] >= 0xbe)
		return 0; /* U+FFFE and U+FFFF */
	return more + 1;
}

static void check_characters(const char *s)
{
	size_t n;

	for (; *s; s += n) {
		n = *s > ' ' && *s < 0x7f ? 1 : character((const unsigned char *)s);
		must(n, "not a character", s);
	}
}

/* ---- XML and HTML ---------------------------------------------------------------------- */

static const char *skip_name(const char *s)
{
	must(isalpha((unsigned char)*s), "no name", s);
	while (isalnum((unsigned char)*s) || strchr("-:_", *s)) {
		if (!*s)
			break;
		s++;
	}
	return s;
}

static const char *skip_reference(const char *s)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(s, known[i], strlen(known[i])))
			return s + strlen(known[i]);
	must(false, "an & that is no reference", s);
	return s;
}

/* From a quote to behind the closing one. */
static const char *skip_value(const char *s)
{
	must(*s == '"', "a value without quotes", s);
	for (s++; *s != '"';) {
		must(*s && *s != '<' && *s != '>', "a bracket in a value", s);
		s = *s == '&' ? skip_reference(s) : s + 1;
	}
	return s + 1;
}

static bool is_one_of(const char *name, size_t len, const char *list)
{
	const char *at = list;

	for (; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == len && !strncmp(at, name, len))
			return true;
	return false;
}

/* The contents of script and style end at the first end tag, whatever is around it. */
static const char *skip_raw(const char *s, const char *name, size_t len, bool html)
{
	const char *end;

	if (!html && !strncmp(s, "<![CDATA[", 9)) {
		s = strstr(s, "]]>");
		must(s, "CDATA has no end", "");
		return s + 3;
	}
	for (end = s; (end = strstr(end, "</")); end++)
		if (!strncasecmp(end + 2, name, len))
			break;
	must(end, "no end of a script", s);
	s = strstr(s, "<!--");
	must(!html || !s || s > end, "a comment in a script", s);
	return end;
}

/* One document: elements are nested and closed, and only references and characters are between. */
static void check_markup(const char *s, bool html)
{
	const char *open[DEEP], *name;
	size_t lens[DEEP], len;
	int depth = 0;

	check_characters(s);
	if (!strncmp(s, html ? "<!DOCTYPE html>" : "<?xml ", html ? 15 : 6))
		s = strchr(s, '>') + 1;
	while (*s) {
		if (*s == '&') {
			s = skip_reference(s);
			continue;
		}
		if (*s != '<') {
			must(*s != '>', "a > in text", s);
			s++;
			continue;
		}
		if (s[1] == '/') {
			name = s + 2;
			s = skip_name(name);
			len = (size_t)(s - name);
			must(depth && lens[depth - 1] == len &&
				     !strncmp(open[depth - 1], name, len),
			     "closes what is not open", name);
			must(*s == '>', "an end tag", s);
			depth--;
			s++;
			continue;
		}
		name = s + 1;
		s = skip_name(name);
		len = (size_t)(s - name);
		must(is_one_of(
			     name, len,
			     "svg style script rect text title g html head meta body header h1 h2 h3 "
			     "h4 p nav main section div span b dl dt dd table tr td noscript footer"),
		     "an element of a name", name);
		while (*s == ' ') {
			const char *attribute = s + 1;

			s = skip_name(attribute);
			must(strncmp(attribute, "on", 2) && strncmp(attribute, "href", 4) &&
				     strncmp(attribute, "src", 3),
			     "an attribute of a name", attribute);
			must(*s == '=', "an attribute without a value", s);
			s = skip_value(s + 1);
		}
		if (*s == '/') {
			must(s[1] == '>', "an empty tag", s);
			s += 2;
			continue;
		}
		must(*s == '>', "a tag", s);
		s++;
		if (html && is_one_of(name, len, "meta"))
			continue;
		must(depth < DEEP, "too deep", s);
		open[depth] = name;
		lens[depth++] = len;
		if (is_one_of(name, len, "script style"))
			s = skip_raw(s, name, len, html);
	}
	must(!depth, "not closed", depth ? open[depth - 1] : "");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static const char *skip_json(const char *s, int depth);

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \n\t");
}

static const char *skip_string(const char *s)
{
	int i;

	must(*s == '"', "no string", s);
	for (s++; *s != '"'; s++) {
		must((unsigned char)*s >= 0x20 && *s != '<',
		     "a byte that JSON in a page must not have", s);
		if (*s != '\\')
			continue;
		s++;
		must(*s && strchr("\"\\/bfnrtu", *s), "an escape", s);
		for (i = 0; *s == 'u' && i < 4; i++)
			must(isxdigit((unsigned char)s[1 + i]), "an escape of a number", s);
	}
	return s + 1;
}

static const char *skip_list(const char *s, char end, int depth)
{
	s = skip_blanks(s + 1);
	while (*s != end) {
		if (end == '}') {
			s = skip_blanks(skip_string(s));
			must(*s == ':', "no colon", s);
			s++;
		}
		s = skip_blanks(skip_json(s, depth + 1));
		if (*s == ',')
			s = skip_blanks(s + 1);
		else
			must(*s == end, "no comma", s);
	}
	return s + 1;
}

static const char *skip_json(const char *s, int depth)
{
	char *end;

	must(depth < DEEP, "deep JSON", s);
	s = skip_blanks(s);
	if (*s == '"')
		return skip_string(s);
	if (*s == '[' || *s == '{')
		return skip_list(s, *s == '[' ? ']' : '}', depth);
	must(isdigit((unsigned char)*s) || (*s == '-' && isdigit((unsigned char)s[1])), "no value",
	     s);
	strtod(s, &end);
	return end;
}

static void check_json(const char *page)
{
	const char *s = page;
	int found = 0;

	while ((s = strstr(s, "<script type=\"application/json\""))) {
		s = skip_json(strchr(s, '>') + 1, 0);
		must(!strncmp(s, "</script>", 9), "behind JSON", s);
		found++;
	}
	must(found, "no JSON in the page", "");
}

#pragma clang attribute pop

/* ---- what is drawn --------------------------------------------------------------------------- */

static void end_text(struct rt_text *t)
{
	rt_text_char(t, '\0');
	t->len--;
	if (t->failed)
		exit(0); /* no memory proves nothing */
}

static void draw_flame(char **names, struct rt_text *t)
{
	struct rt_flame_picture p = { .title = names[0],
				      .subtitle = names[1],
				      .warning = names[2],
				      .unit_name = names[3],
				      .width = 1200 };
	struct rt_flame f;
	uint32_t node = RT_FLAME_ROOT;
	const char *line;
	size_t i, lines = 0;

	rt_flame_init(&f);
	for (i = 0; i < NAMES; i++) {
		node = rt_flame_child(&f, i % 3 ? node : RT_FLAME_ROOT,
				      rt_flame_frame(&f, names[i], names[NAMES - 1 - i],
						     i % RT_FLAME_KINDS));
		rt_flame_weigh(&f, node, RT_FLAME_NOW, i + 1);
	}
	rt_flame_finish(&f);
	rt_flame_svg(&f, &p, t);
	end_text(t);
	check_markup(t->base, false);
	rt_text_reset(t);
	rt_flame_folded(&f, false, t);
	end_text(t);
	check_characters(t->base);
	for (line = t->base; *line; line = strchr(line, '\n') + 1) {
		const char *blank = memrchr(line, ' ', strcspn(line, "\n"));

		must(strchr(line, '\n') && blank && isdigit((unsigned char)blank[1]),
		     "a folded line", line);
		lines++;
	}
	must(lines <= NAMES, "more lines than stacks", t->base);
	rt_flame_free(&f);
}

static void draw_page(char **names, struct rt_text *t)
{
	struct rt_timeline timeline = { .begun = false };
	uint32_t i;

	for (i = 0; i < NAMES; i++) {
		uint32_t bucket = rt_timeline_bucket(&timeline, 1000 + 900000 * i);

		rt_timeline_add(&timeline, RT_TIMELINE_EVENT, i, names[i], bucket, 1);
		rt_timeline_add(&timeline, RT_TIMELINE_TASK, 100 + i, names[NAMES - 1 - i], bucket,
				1);
	}
	rt_page_open(t, names[0], names[1]);
	rt_page_warning(t, names[2]);
	rt_page_tiles_open(t);
	rt_page_tile(t, names[3], names[4], true);
	rt_page_div_close(t);
	rt_page_facts_open(t);
	rt_page_fact(t, names[5], names[6]);
	rt_page_facts_close(t);
	rt_page_section_open(t, "table", "Table", NULL);
	rt_page_tab_open(t, names[7]);
	rt_xml_fit(t, names[1], (unsigned int)strlen(names[2]));
	rt_page_div_close(t);
	rt_page_section_close(t);
	rt_page_timeline(t, &timeline, 1, 1);
	rt_page_close(t);
	end_text(t);
	check_markup(t->base, true);
	check_json(t->base);
	rt_timeline_free(&timeline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *names[NAMES], *copy = malloc(size + 1), *at = copy;
	struct rt_text t;
	size_t i;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	/* A NUL ends a name; the last one is shared by those that are left. */
	for (i = 0; i < NAMES; i++) {
		names[i] = at;
		if (at + strlen(at) < copy + size)
			at += strlen(at) + 1;
	}
	rt_text_init(&t);
	draw_flame(names, &t);
	rt_text_reset(&t);
	draw_page(names, &t);
	rt_text_free(&t);
	free(copy);
	return 0;
}
