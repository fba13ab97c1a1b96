// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/scan.h"

/* Errors show at most this much of a longer text, around the column they point at. */
#define SHOWN_MAX 120

void rt_scan_begin(struct rt_scan *scan, const char *text, struct rt_err *err)
{
	scan->text = text;
	scan->at = text;
	scan->end = text + strlen(text);
	scan->err = err;
}

char rt_scan_peek(const struct rt_scan *scan)
{
	return scan->at < scan->end ? *scan->at : 0;
}

bool rt_scan_take(struct rt_scan *scan, char c)
{
	if (scan->at == scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

bool rt_scan_word(struct rt_scan *scan, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, word, size))
		return false;
	scan->at += size;
	return true;
}

void rt_scan_blanks(struct rt_scan *scan)
{
	while (scan->at < scan->end && isspace((unsigned char)*scan->at))
		scan->at++;
}

size_t rt_scan_identifier(const struct rt_scan *scan)
{
	const char *p = scan->at;

	if (p < scan->end && isdigit((unsigned char)*p))
		return 0;
	while (p < scan->end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return p - scan->at;
}

size_t rt_scan_symbol(const struct rt_scan *scan)
{
	const char *p = scan->at;

	if (p < scan->end && isdigit((unsigned char)*p))
		return 0;
	while (p < scan->end && (isalnum((unsigned char)*p) || strchr("_.$", *p)))
		p++;
	return p - scan->at;
}

size_t rt_scan_until(const struct rt_scan *scan, const char *stop)
{
	const char *p = scan->at;

	while (p < scan->end && !isspace((unsigned char)*p) && !strchr(stop, *p))
		p++;
	return p - scan->at;
}

char *rt_scan_string(struct rt_scan *scan, size_t size)
{
	char *s = strndup(scan->at, size);

	scan->at += size;
	return s;
}

int rt_scan_number(struct rt_scan *scan, uint64_t *value)
{
	const char *begin = scan->at, *digits = begin;
	int base = 10;
	char *end;

	if (scan->end - begin > 2 && begin[0] == '0' && (begin[1] | 0x20) == 'x') {
		base = 16;
		digits += 2;
	}
	if (digits == scan->end || !isxdigit((unsigned char)*digits) ||
	    (base == 10 && !isdigit((unsigned char)*digits)))
		return rt_scan_fail(scan, begin, "a number is expected here, decimal or 0x…");
	errno = 0;
	*value = strtoull(digits, &end, base);
	if (errno)
		return rt_scan_fail(scan, begin, "this number does not fit into 64 bits");
	if (end < scan->end && (isalnum((unsigned char)*end) || *end == '_'))
		return rt_scan_fail(scan, begin, "'%.*s' is not a number; write decimal or 0x…",
				    (int)rt_scan_until(scan, "()+-:/,=<>&|"), begin);
	scan->at = end;
	return 0;
}

/* Two lines: the text that is shown, and a caret below AT. */
static void point_at(struct rt_err *err, const char *from, const char *at, bool dots)
{
	int blanks = dots;
	const char *p;

	for (p = from; p < at; p++)
		blanks += ((unsigned char)*p & 0xc0) != 0x80; /* the first byte of a character */
	if (err)
		snprintf(err->where, sizeof(err->where), "  %s%.*s\n  %*s^", dots ? "…" : "",
			 SHOWN_MAX, from, blanks, "");
}

int rt_scan_fail(const struct rt_scan *scan, const char *at, const char *fmt, ...)
{
	char sentence[RT_ERR_LEN];
	const char *from = scan->text, *dots = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	if (at - from > SHOWN_MAX / 2 && scan->end - from > SHOWN_MAX) {
		from = at - SHOWN_MAX / 2;
		dots = "…";
	}
	rt_err_set(scan->err, EINVAL, "'%s%.*s%s', column %d: %s", dots, SHOWN_MAX, from,
		   scan->end - from > SHOWN_MAX ? "…" : "", (int)(at - scan->text) + 1, sentence);
	point_at(scan->err, from, at, *dots);
	return -EINVAL;
}

int rt_scan_no_memory(const struct rt_scan *scan)
{
	return rt_err_set(scan->err, ENOMEM, "out of memory");
}
