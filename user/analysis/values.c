// SPDX-License-Identifier: GPL-2.0
#include "analysis/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#define CELLS (RT_VALUES_MAX * 2) /* a power of two */

static void free_field(struct rt_value_field *f)
{
	free(f->cells);
	free(f->texts);
	free(f->recent);
	free(f->values);
}

void rt_values_free(struct rt_values *v)
{
	size_t i, f;

	for (i = 0; i < v->event_count; i++) {
		for (f = 0; v->events[i] && f < v->events[i]->field_count; f++)
			free_field(&v->events[i]->fields[f]);
		free(v->events[i]);
	}
	free(v->events);
	rt_arena_free(&v->arena);
	memset(v, 0, sizeof(*v));
}

/* Names of tasks and the like: a fixed place of 16 bytes. */
static bool is_short_text(const struct tep_format_field *format)
{
	return format->size == 2 * sizeof(uint64_t) && format->offset >= 0 &&
	       !(format->flags & TEP_FIELD_IS_DYNAMIC);
}

static bool add_field(struct rt_value_event *e, const struct tep_format_field *format, bool swapped)
{
	struct rt_value_field *f;

	/* Arrays and structures have no value to count. */
	if (!(format->flags & TEP_FIELD_IS_STRING) &&
	    format->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) {
		e->no_value++;
		return true;
	}
	if (e->field_count == RT_VALUES_FIELDS) {
		e->left_out++;
		return true;
	}
	f = &e->fields[e->field_count];
	f->format = format;
	f->name = format->name;
	f->kind = format->flags & TEP_FIELD_IS_STRING  ? RT_VALUE_TEXT :
		  format->flags & TEP_FIELD_IS_POINTER ? RT_VALUE_POINTER :
		  format->flags & TEP_FIELD_IS_SIGNED  ? RT_VALUE_SIGNED :
							 RT_VALUE_UNSIGNED;
	f->plain = rt_field_plain(format, swapped);
	if (e->reach < rt_field_plain_end(&f->plain))
		e->reach = rt_field_plain_end(&f->plain);
	f->cells = calloc(CELLS, sizeof(*f->cells));
	if (f->kind == RT_VALUE_TEXT) {
		f->texts = calloc(CELLS, sizeof(*f->texts));
		f->recent =
			is_short_text(format) ? calloc(RT_VALUES_TEXTS, sizeof(*f->recent)) : NULL;
	}
	if (!f->cells || (f->kind == RT_VALUE_TEXT && !f->texts)) {
		free_field(f);
		return false;
	}
	e->end = &e->fields[++e->field_count];
	return true;
}

struct rt_value_event *rt_values_of(struct rt_values *v, const struct rt_perf_event *event)
{
	const struct tep_format_field *format;
	struct rt_value_event **list, *e;

	if (event->index < v->event_count && v->events[event->index])
		return v->events[event->index];
	if (event->index >= v->event_count) {
		list = realloc(v->events, (event->index + 1) * sizeof(*list));
		if (!list)
			return NULL;
		memset(list + v->event_count, 0,
		       (event->index + 1 - v->event_count) * sizeof(*list));
		v->events = list;
		v->event_count = event->index + 1;
	}
	e = v->events[event->index] = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->event = event;
	e->end = e->fields;
	for (format = event->format->format.fields; format; format = format->next)
		if (!add_field(e, format, v->swapped))
			return NULL;
	return e;
}

static uint64_t hash_text(const char *text, size_t len)
{
	uint64_t h = 14695981039346656037ULL;

	while (len--)
		h = (h ^ (unsigned char)*text++) * 1099511628211ULL;
	return h;
}

static bool is_less(const struct rt_value_field *f, uint64_t a, uint64_t b)
{
	return f->kind == RT_VALUE_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

/* N times the same number. */
static void sum_up(struct rt_value_field *f, uint64_t number, uint64_t n)
{
	if (!f->count || is_less(f, number, f->min))
		f->min = number;
	if (!f->count || is_less(f, f->max, number))
		f->max = number;
	f->sum +=
		(f->kind == RT_VALUE_SIGNED ? (double)(int64_t)number : (double)number) * (double)n;
	f->count += n;
}

static size_t home_of(uint64_t number)
{
	uint64_t h = number * 0x9e3779b97f4a7c15ULL;

	return (size_t)(h ^ h >> 32) & (CELLS - 1);
}

static bool is_text(const char *known, const char *text, size_t len)
{
	return !strncmp(known, text, len) && !known[len];
}

/* Count a value.  Its cell in *FOUND; NULL: it is counted with the others. */
static int count_value(struct rt_values *v, struct rt_value_field *f, uint64_t number,
		       const char *text, size_t len, struct rt_value_cell **found)
{
	size_t at = home_of(number);

	*found = NULL;
	for (; f->cells[at].count; at = (at + 1) & (CELLS - 1))
		if (f->cells[at].number == number && (!text || is_text(f->texts[at], text, len))) {
			f->cells[at].count++;
			*found = &f->cells[at];
			return 0;
		}
	if (f->distinct == RT_VALUES_MAX) {
		f->others++;
		sum_up(f, number, 1);
		return 0;
	}
	if (text) {
		f->texts[at] = rt_arena_strn(&v->arena, text, len);
		if (!f->texts[at])
			return -ENOMEM;
	}
	f->cells[at] = (struct rt_value_cell){ .number = number, .count = 1 };
	*found = &f->cells[at];
	f->distinct++;
	return 0;
}

/* A text that may have come lately, in WORDS. */
static int add_short_text(struct rt_values *v, struct rt_value_field *f, const struct rt_sample *s)
{
	const char *text = (const char *)s->raw.data + f->format->offset;
	struct rt_value_recent *recent;
	uint64_t words[2];
	size_t len;
	int ret;

	memcpy(words, text, sizeof(words));
	recent =
		&f->recent[((words[0] ^ words[1] * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL) >>
				   32 &
			   (RT_VALUES_TEXTS - 1)];
	if (recent->cell && recent->words[0] == words[0] && recent->words[1] == words[1]) {
		recent->cell->count++;
		return 0;
	}
	len = strnlen(text, sizeof(words));
	ret = count_value(v, f, hash_text(text, len), text, len, &recent->cell);
	memcpy(recent->words, words, sizeof(words));
	return ret;
}

/* A value of any field, whatever the data hold. */
static int add_value(struct rt_values *v, struct rt_value_field *f, const struct rt_sample *s)
{
	struct rt_value_cell *found;
	const char *text;
	uint64_t number;
	size_t len;

	if (f->recent && s->raw.size >= (size_t)f->format->offset + (size_t)f->format->size)
		return add_short_text(v, f, s);
	if (f->kind == RT_VALUE_TEXT) {
		if (!rt_field_string(f->format, s, v->swapped, &text, &len))
			return 0;
		return count_value(v, f, hash_text(text, len), text, len, &found);
	}
	if (!rt_field_number(f->format, s, v->swapped, &number))
		return 0;
	return count_value(v, f, number, NULL, 0, &found);
}

static int add_values(struct rt_values *v, struct rt_value_event *e, const struct rt_sample *s)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < e->field_count; i++)
		ret = add_value(v, &e->fields[i], s);
	return ret;
}

int rt_values_add(struct rt_values *v, struct rt_value_event *e, const struct rt_sample *s)
{
	struct rt_value_field *f = e->fields;
	struct rt_value_cell *cell;
	uint64_t number;

	/* Most fields are numbers, most data hold all of them, and most numbers came before. */
	if (e->reach > s->raw.size)
		return add_values(v, e, s);
	for (; f < e->end; f++) {
		if (!f->plain.size) {
			if (add_value(v, f, s))
				return -ENOMEM;
			continue;
		}
		number = rt_field_plain_read(&f->plain, s->raw.data);
		cell = &f->cells[home_of(number)];
		if (cell->number == number && cell->count)
			cell->count++;
		else if (count_value(v, f, number, NULL, 0, &cell))
			return -ENOMEM;
	}
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct rt_value_count *l = a, *r = b;

	if (l->count != r->count)
		return l->count > r->count ? -1 : 1;
	if (l->text && r->text)
		return strcmp(l->text, r->text);
	return l->number < r->number ? -1 : l->number > r->number;
}

static bool finish_field(struct rt_value_field *f)
{
	size_t i, n = 0;

	f->values = malloc((f->distinct + 1) * sizeof(*f->values));
	if (!f->values)
		return false;
	for (i = 0; i < CELLS; i++)
		if (f->cells[i].count)
			f->values[n++] =
				(struct rt_value_count){ .number = f->cells[i].number,
							 .text = f->texts ? f->texts[i] : NULL,
							 .count = f->cells[i].count };
	qsort(f->values, n, sizeof(*f->values), by_count);
	for (i = 0; i < n; i++)
		sum_up(f, f->values[i].number, f->values[i].count);
	return true;
}

bool rt_values_sort(struct rt_values *v)
{
	size_t i, f;

	for (i = 0; !v->sorted && i < v->event_count; i++)
		for (f = 0; v->events[i] && f < v->events[i]->field_count; f++)
			if (!finish_field(&v->events[i]->fields[f]))
				return false;
	v->sorted = true;
	return true;
}
