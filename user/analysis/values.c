// SPDX-License-Identifier: GPL-2.0
#include "analysis/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "analysis/field.h"

#define SLOTS (RT_VALUES_MAX * 2) /* a power of two */

void rt_values_free(struct rt_values *v)
{
	size_t i, f;

	for (i = 0; i < v->event_count; i++) {
		for (f = 0; v->events[i] && f < v->events[i]->field_count; f++) {
			free(v->events[i]->fields[f].values);
			free(v->events[i]->fields[f].slots);
		}
		free(v->events[i]);
	}
	free(v->events);
	rt_arena_free(&v->arena);
	memset(v, 0, sizeof(*v));
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
	if (f->kind != RT_VALUE_TEXT && !swapped && format->offset >= 0 &&
	    (format->size == 4 || format->size == 8)) {
		f->offset = (unsigned int)format->offset;
		f->size = (unsigned int)format->size;
		if (e->reach < (size_t)f->offset + f->size)
			e->reach = (size_t)f->offset + f->size;
	}
	f->values = malloc(RT_VALUES_MAX * sizeof(*f->values));
	f->slots = calloc(SLOTS, sizeof(*f->slots));
	e->field_count++;
	return f->values && f->slots;
}

static struct rt_value_event *event_of(struct rt_values *v, const struct rt_perf_event *event,
				       bool swapped)
{
	const struct tep_format_field *format;
	struct rt_value_event **list, *e;

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
	for (format = event->format->format.fields; format; format = format->next)
		if (!add_field(e, format, swapped))
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

	return (size_t)(h ^ h >> 32) & (SLOTS - 1);
}

static int count_value(struct rt_values *v, struct rt_value_field *f, uint64_t number,
		       const char *text, size_t len)
{
	size_t at = home_of(number);
	struct rt_value_count *value;

	for (; f->slots[at]; at = (at + 1) & (SLOTS - 1)) {
		value = &f->values[f->slots[at] - 1];
		if (value->number == number &&
		    (!text || (!strncmp(value->text, text, len) && !value->text[len]))) {
			value->count++;
			return 0;
		}
	}
	if (f->distinct == RT_VALUES_MAX) {
		f->others++;
		sum_up(f, number, 1);
		return 0;
	}
	value = &f->values[f->distinct];
	*value = (struct rt_value_count){ .number = number, .count = 1 };
	if (text) {
		value->text = rt_arena_strn(&v->arena, text, len);
		if (!value->text)
			return -ENOMEM;
	}
	f->slots[at] = (uint16_t)++f->distinct;
	return 0;
}

/* A number that can be read as it is, from data that holds it. */
static uint64_t read_number(const struct rt_value_field *f, const struct rt_sample *s)
{
	const char *at = (const char *)s->raw.data + f->offset;
	uint64_t number;
	uint32_t half;

	if (f->size == 8) {
		memcpy(&number, at, 8);
		return number;
	}
	memcpy(&half, at, 4);
	return f->kind == RT_VALUE_SIGNED ? (uint64_t)(int32_t)half : half;
}

static int count_number(struct rt_values *v, struct rt_value_field *f, uint64_t number)
{
	unsigned int slot = f->slots[home_of(number)];

	if (!slot || f->values[slot - 1].number != number)
		return count_value(v, f, number, NULL, 0);
	f->values[slot - 1].count++;
	return 0;
}

/* A value of any field, whatever the data hold. */
static int add_value(struct rt_values *v, struct rt_value_field *f, const struct rt_sample *s,
		     bool swapped)
{
	const char *text;
	uint64_t number;
	size_t len;

	if (f->kind == RT_VALUE_TEXT) {
		if (!rt_field_string(f->format, s, swapped, &text, &len))
			return 0;
		return count_value(v, f, hash_text(text, len), text, len);
	}
	if (!rt_field_number(f->format, s, swapped, &number))
		return 0;
	return count_number(v, f, number);
}

int rt_values_add(struct rt_values *v, const struct rt_perf_event *event, const struct rt_sample *s,
		  bool swapped)
{
	struct rt_value_event *e;
	int ret = 0;
	size_t i;

	if (!event->format)
		return 0;
	e = event->index < v->event_count ? v->events[event->index] : NULL;
	if (!e)
		e = event_of(v, event, swapped);
	if (!e)
		return -ENOMEM;
	/* Most fields are numbers, and most data hold all of them. */
	for (i = 0; !ret && i < e->field_count; i++) {
		struct rt_value_field *f = &e->fields[i];

		ret = f->size && e->reach <= s->raw.size ? count_number(v, f, read_number(f, s)) :
							   add_value(v, f, s, swapped);
	}
	return ret;
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

static void finish_field(struct rt_value_field *f)
{
	size_t i;

	for (i = 0; i < f->distinct; i++)
		sum_up(f, f->values[i].number, f->values[i].count);
	qsort(f->values, f->distinct, sizeof(*f->values), by_count);
}

void rt_values_sort(struct rt_values *v)
{
	size_t i, f;

	for (i = 0; !v->sorted && i < v->event_count; i++)
		for (f = 0; v->events[i] && f < v->events[i]->field_count; f++)
			finish_field(&v->events[i]->fields[f]);
	v->sorted = true;
}
