// SPDX-License-Identifier: GPL-2.0
/* columns.c - parse --sort and --fields into columns. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "report/key_list.h"
#include "report/report.h"

#define SORT_BRANCHES "comm,dso_from,symbol_from,symbol_to,cycles"
#define SORT_MEMORY \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat"

static const struct {
	const char *name;
	enum rt_column_kind kind;
} numbers[] = {
	{ "overhead", RT_COL_SELF },
	{ "overhead_children", RT_COL_CHILDREN },
	{ "overhead_sys", RT_COL_SYSTEM },
	{ "overhead_us", RT_COL_USER },
	{ "overhead_guest_sys", RT_COL_GUEST_SYSTEM },
	{ "overhead_guest_us", RT_COL_GUEST_USER },
	{ "sample", RT_COL_SAMPLES },
	{ "period", RT_COL_PERIODS },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int add_column(struct rt_columns *c, const struct rt_column *column, size_t *place,
		      struct rt_err *err)
{
	if (c->count == RT_COLUMNS_MAX)
		return rt_err_set(err, EINVAL, "more than %d columns: leave some out",
				  RT_COLUMNS_MAX);
	*place = c->count;
	c->list[c->count++] = *column;
	return 0;
}

static int add_number(struct rt_columns *c, enum rt_column_kind kind, bool sorted, bool shown,
		      struct rt_err *err)
{
	struct rt_column column = { .kind = kind };
	size_t i;
	int ret;

	for (i = 0; i < c->count && c->list[i].kind != kind; i++)
		;
	if (i == c->count) {
		ret = add_column(c, &column, &i, err);
		if (ret)
			return ret;
	}
	c->list[i].sorted |= sorted;
	if (shown && !c->list[i].shown) {
		c->list[i].shown = true;
		c->shown[c->shown_count++] = i;
	}
	return 0;
}

static int add_key(struct rt_columns *c, const struct rt_key *key, bool sorted, bool shown,
		   struct rt_err *err)
{
	struct rt_column column = { .kind = RT_COL_KEY };
	struct rt_key *new;
	size_t i;
	int ret;

	for (i = 0; i < c->count; i++)
		if (c->list[i].kind == RT_COL_KEY && c->list[i].key->type == key->type &&
		    c->list[i].key->field == key->field)
			break;
	if (i == c->count) {
		new = malloc(sizeof(*new));
		if (!new)
			return rt_err_set(err, ENOMEM, "out of memory");
		*new = *key;
		new->slot = -1;
		column.key = new;
		ret = add_column(c, &column, &i, err);
		if (ret) {
			free(new);
			return ret;
		}
		if (key->type->take)
			new->slot = (int)c->extra_count++;
		c->keys[c->key_count++] = new;
		c->by_thread |= key->type->of_thread;
		c->by_address |= key->type->of_address;
		c->has_object |= key->type == &rt_key_object;
		c->has_symbol |= key->type == &rt_key_symbol;
	}
	c->list[i].sorted |= sorted;
	if (shown && !c->list[i].shown) {
		c->list[i].shown = true;
		c->shown[c->shown_count++] = i;
	}
	return 0;
}

/* "field", "event.field", "event.*" or "trace_fields". */
static int add_fields(struct rt_report *r, const char *name, bool sorted, bool shown,
		      struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	const char *dot = strchr(name, '.'), *field = dot ? dot + 1 : name;
	struct rt_key key = { .type = &rt_key_field };
	bool all = !strcmp(name, "trace_fields") || !strcmp(field, "*"), found = false;
	struct tep_format_field *f;
	size_t i;
	int ret;

	for (i = 0; i < events->count; i++) {
		const char *event = rt_perf_event_name(events->list[i]), *colon;

		if (!events->list[i]->format)
			continue;
		colon = event ? strchr(event, ':') : NULL;
		if (dot && strncmp(event, name, (size_t)(dot - name)) &&
		    (!colon || strncmp(colon + 1, name, (size_t)(dot - name))))
			continue;
		for (f = events->list[i]->format->format.fields; f; f = f->next) {
			if (!all && strcmp(f->name, field))
				continue;
			found = true;
			key.event = events->list[i];
			key.field = f;
			key.header = f->name;
			ret = add_key(&r->columns, &key, sorted, shown, err);
			if (ret)
				return ret;
		}
	}
	return found ? 0 : -ENOENT;
}

/* The stacks in which --parent looks must be there. */
static int prepare_parent(struct rt_report *r, struct rt_err *err)
{
	const char *pattern = r->opt->parent ? r->opt->parent : RT_PARENT_DEFAULT;
	char text[128];
	int ret;

	if (!(rt_reader_events(r->reader)->sample_type & RT_SAMPLE_CALLCHAIN))
		return rt_err_set(
			err, EINVAL,
			"sort key 'parent' needs stacks, and the recording has none; record with -g");
	if (r->parent_ready)
		return 0;
	ret = regcomp(&r->parent, pattern, REG_EXTENDED | REG_NOSUB);
	if (ret) {
		regerror(ret, &r->parent, text, sizeof(text));
		return rt_err_set(err, EINVAL, "--parent: '%.100s' is no regular expression: %s",
				  pattern, text);
	}
	r->parent_ready = true;
	return 0;
}

static int add_name(struct rt_report *r, const char *name, bool sorted, bool shown,
		    struct rt_err *err)
{
	struct rt_key key = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < COUNT(numbers); i++)
		if (!strcmp(numbers[i].name, name))
			return add_number(&r->columns, numbers[i].kind, sorted, shown, err);
	key.type = rt_key_find(name);
	if (key.type) {
		key.header = key.type->header;
		ret = key.type == &rt_key_parent ? prepare_parent(r, err) :
						   rt_key_check(r, key.type, err);
		return ret ? ret : add_key(&r->columns, &key, sorted, shown, err);
	}
	ret = add_fields(r, name, sorted, shown, err);
	return ret == -ENOENT ? rt_key_unknown(name, err) : ret;
}

/* Call add_name() for each name of a list. */
static int add_list(struct rt_report *r, const char *list, bool sorted, bool shown,
		    struct rt_err *err)
{
	char name[256];
	size_t len;
	int ret = 0;

	while (!ret && *list) {
		len = strcspn(list, ", ");
		if (len >= sizeof(name))
			return rt_err_set(err, EINVAL, "the sort key '%.40s…' is too long", list);
		memcpy(name, list, len);
		name[len] = '\0';
		if (len)
			ret = add_name(r, name, sorted, shown, err);
		list += len;
		list += strspn(list, ", ");
	}
	return ret;
}

/*
 * The default: the text of tracepoints if there are only tracepoints.  Of a watch, the text has the values
 * of each access, so that a line would tell of few of them; by default its lines are the functions.
 */
static const char *default_sort(const struct rt_report *r)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	size_t i, watches = 0;

	if (r->opt->memory)
		return SORT_MEMORY;
	if (r->opt->branches)
		return SORT_BRANCHES;
	for (i = 0; i < events->count; i++)
		if (events->list[i]->attr.type != RT_TYPE_TRACEPOINT)
			return "comm,dso,symbol";
		else
			watches += rt_perf_event_is_watch(events->list[i]);
	if (!events->count || (watches == events->count && !r->opt->compat && !r->opt->raw_trace))
		return "comm,dso,symbol";
	return r->opt->raw_trace ? "trace_fields" : "trace";
}

static int add_numbers(struct rt_report *r, struct rt_err *err)
{
	const struct rt_report_options *opt = r->opt;
	struct rt_columns *c = &r->columns;
	int ret = 0;

	if (opt->children)
		ret = add_number(c, RT_COL_CHILDREN, true, true, err);
	if (!ret)
		ret = add_number(c, RT_COL_SELF, true, true, err);
	if (!ret && opt->show_modes) {
		ret = add_number(c, RT_COL_SYSTEM, false, true, err);
		if (!ret)
			ret = add_number(c, RT_COL_USER, false, true, err);
	}
	if (!ret && opt->show_count)
		ret = add_number(c, RT_COL_SAMPLES, false, true, err);
	if (!ret && opt->show_period)
		ret = add_number(c, RT_COL_PERIODS, false, true, err);
	return ret;
}

/* A column that has only one value, because a filter names it, is not shown, except if all have. */
static void elide(struct rt_report *r)
{
	const struct rt_names *comms = r->opt->comms;
	struct rt_columns *c = &r->columns;
	size_t i, left = 0;

	for (i = 0; i < c->key_count; i++) {
		const struct rt_key_type *type = c->keys[i]->type;

		c->keys[i]->elided = (type == &rt_key_comm && comms && comms->count == 1) ||
				     (type == &rt_key_object && r->opt->objects.count == 1) ||
				     (type == &rt_key_symbol && r->opt->symbols.count == 1);
		left += !c->keys[i]->elided;
	}
	for (i = 0; !left && i < c->key_count; i++)
		c->keys[i]->elided = false;
}

static bool has_key(const struct rt_columns *c, const struct rt_key_type *type)
{
	size_t i;

	for (i = 0; i < c->key_count && c->keys[i]->type != type; i++)
		;
	return i < c->key_count;
}

bool rt_columns_has_parent(const struct rt_report *r, uint32_t sum)
{
	size_t i;

	for (i = 0; i < r->columns.key_count; i++)
		if (r->columns.keys[i]->type == &rt_key_parent)
			return rt_sums_extra(&r->sums, sum, r->columns.keys[i]->slot);
	return false;
}

void rt_columns_order(const struct rt_report *r, struct rt_text *out)
{
	/* perf also names a key that only POWER processors have. */
	rt_text_str(out, r->opt->sort	? r->opt->sort :
			 r->opt->compat ? SORT_MEMORY ",local_p_stage_cyc" :
					  SORT_MEMORY);
	if (r->opt->compat && r->opt->sort && strstr(r->opt->sort, "symbol"))
		rt_text_printf(out, ",%s", rt_key_cycles.name);
}

int rt_columns_make(struct rt_report *r, struct rt_err *err)
{
	const struct rt_report_options *opt = r->opt;
	struct rt_columns *c = &r->columns;
	const char *sort = opt->sort ? opt->sort : default_sort(r);
	int ret = 0;

	if (opt->fields) {
		/* Only these columns; lines are sorted by --sort, then by the columns. */
		if (opt->sort)
			ret = add_list(r, opt->sort, true, false, err);
		if (!ret)
			ret = add_list(r, opt->fields, true, true, err);
		if (!ret && opt->sort)
			ret = add_list(r, opt->sort, true, true, err);
	} else {
		ret = add_numbers(r, err);
		if (!ret)
			ret = add_list(r, sort, true, true, err);
		if (!ret && opt->compat && opt->sort && strstr(opt->sort, "symbol"))
			ret = add_name(r, rt_key_cycles.name, false, true, err);
		c->symbol_first = opt->sort && !strncmp(opt->sort, "sym", 3);
		if (!ret && opt->parent)
			ret = add_name(r, rt_key_parent.name, true, true, err);
	}
	if (!ret && opt->exclude_other && !has_key(c, &rt_key_parent))
		ret = rt_err_set(err, EINVAL,
				 "--exclude-other needs callers to look for: use -p or -s parent");
	elide(r);
	r->sums.extra_count = c->extra_count;
	r->sums.by_thread = c->by_thread || opt->by_thread;
	r->sums.by_address = c->by_address;
	return ret;
}

void rt_columns_free(struct rt_columns *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		free(c->list[i].key);
}
