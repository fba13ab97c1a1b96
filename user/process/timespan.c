// SPDX-License-Identifier: GPL-2.0
#include "process/timespan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NSEC_PER_SEC  1000000000ull
#define NSEC_DIGITS   9
#define SECONDS_MAX   (UINT64_MAX / NSEC_PER_SEC - 1)
#define TIMESPANS_MAX 1024

static int bad_time(const char *text, struct rt_err *err)
{
	return rt_err_set(
		err, EINVAL,
		"--time '%s' is not understood; write START,STOP in seconds (either may be empty), or 10%%/2, or 0%%-10%%",
		text);
}

/* Convert "12", "12.5", "12.000000001" to nanoseconds; *end gets the rest of the text. */
static bool parse_seconds(const char *text, const char **end, uint64_t *ns)
{
	uint64_t sec = 0, frac = 0;
	int digits = 0;

	if (!isdigit((unsigned char)*text))
		return false;
	for (; isdigit((unsigned char)*text); text++) {
		sec = sec * 10 + (uint64_t)(*text - '0');
		if (sec > SECONDS_MAX)
			return false;
	}
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++, digits++) {
			if (digits == NSEC_DIGITS)
				return false;
			frac = frac * 10 + (uint64_t)(*text - '0');
		}
	}
	for (; digits < NSEC_DIGITS; digits++)
		frac *= 10;
	*ns = sec * NSEC_PER_SEC + frac;
	*end = text;
	return true;
}

static struct rt_timespan *add(struct rt_timespans *t)
{
	struct rt_timespan *list;

	if (t->count == TIMESPANS_MAX)
		return NULL;
	list = realloc(t->list, (t->count + 1) * sizeof(*list));
	if (!list)
		return NULL;
	t->list = list;
	memset(&list[t->count], 0, sizeof(*list));
	return &list[t->count++];
}

static const char *skip_spaces(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

/* "a,b c,d": seconds. */
static int parse_plain(struct rt_timespans *t, const char *text, struct rt_err *err)
{
	const char *at = skip_spaces(text);

	while (*at) {
		struct rt_timespan *span = add(t);

		if (!span)
			return rt_err_set(err, ENOMEM, "--time has too many parts");
		if (*at != ',' && !parse_seconds(at, &at, &span->start))
			return bad_time(text, err);
		at = skip_spaces(at);
		if (*at++ != ',')
			return bad_time(text, err);
		at = skip_spaces(at);
		if (*at && !parse_seconds(at, &at, &span->end))
			return bad_time(text, err);
		if (*at && !isspace((unsigned char)*at))
			return bad_time(text, err);
		if (span->end && span->end < span->start)
			return rt_err_set(err, EINVAL, "--time '%s' ends before it starts", text);
		if (t->count > 1 && span[-1].end >= span->start)
			return rt_err_set(err, EINVAL,
					  "--time '%s': the parts must be in order and apart",
					  text);
		at = skip_spaces(at);
	}
	return t->count ? 0 : bad_time(text, err);
}

static bool parse_percent(const char *text, const char **end, double *part)
{
	char *e;

	*part = strtod(text, &e) / 100.0;
	if (e == text || *e != '%')
		return false;
	*end = e + 1;
	return true;
}

static uint64_t nearest(double v)
{
	return (uint64_t)(v + 0.5);
}

/* "10%/2", "0%-10%" or "50%", separated by commas. */
static int parse_percents(struct rt_timespans *t, const char *text, uint64_t first, uint64_t last,
			  struct rt_err *err)
{
	double total = (double)(last - first), from, to;
	const char *at = text;

	if (!first && !last)
		return rt_err_set(
			err, EINVAL,
			"the file does not say when its first and last sample were: give --time in seconds");
	for (;;) {
		struct rt_timespan *span = add(t);

		if (!span)
			return rt_err_set(err, ENOMEM, "--time has too many parts");
		if (!parse_percent(at, &at, &from))
			return bad_time(text, err);
		if (*at == '-') {
			if (!parse_percent(at + 1, &at, &to))
				return bad_time(text, err);
		} else {
			long slice = 1;
			char *e = (char *)at;

			if (*at == '/')
				slice = strtol(at + 1, &e, 10);
			if ((*at == '/' && e == at + 1) || from <= 0)
				return bad_time(text, err);
			at = e;
			to = from * (double)slice;
			from *= (double)(slice - 1);
		}
		if (from < 0 || from > 1 || to < 0 || to > 1)
			return rt_err_set(err, EINVAL, "--time '%s' is not within 0%% and 100%%",
					  text);
		if (to < from)
			return rt_err_set(err, EINVAL, "--time '%s' ends before it starts", text);
		span->start = first + nearest(from * total);
		span->end = first + nearest(to * total);
		/* Adjacent slices must not share a nanosecond. */
		if (span->end > span->start && span->end != last)
			span->end--;
		if (!*at)
			return 0;
		if (*at++ != ',')
			return bad_time(text, err);
	}
}

int rt_timespans_parse(struct rt_timespans *t, const char *text, uint64_t first, uint64_t last,
		       bool relative, struct rt_err *err)
{
	bool percent = strchr(text, '%');
	unsigned int i;
	int ret;

	memset(t, 0, sizeof(*t));
	if (relative && !first && !last)
		return rt_err_set(
			err, EINVAL,
			"the file does not say when its first sample was: leave --reltime out, or give --time without it");
	ret = percent ? parse_percents(t, text, first, last, err) : parse_plain(t, text, err);
	if (ret) {
		rt_timespans_free(t);
		return ret;
	}
	for (i = 0; relative && i < t->count; i++) {
		t->list[i].start += first;
		if (t->list[i].end)
			t->list[i].end += first;
	}
	return 0;
}

void rt_timespans_free(struct rt_timespans *t)
{
	free(t->list);
	memset(t, 0, sizeof(*t));
}

bool rt_timespans_want(const struct rt_timespans *t, uint64_t time)
{
	unsigned int i;

	if (!t->count || !time)
		return true;
	for (i = 0; i < t->count; i++)
		if (time >= t->list[i].start && (time <= t->list[i].end || !t->list[i].end))
			return true;
	return false;
}
