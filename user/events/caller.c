// SPDX-License-Identifier: GPL-2.0
/* Compile what `caller` is compared with to ranges of addresses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/filter_parser.h"

/* Add START <= caller < END to the alternatives in *OUT. */
static int add_range(struct rt_filter_parser *p, const struct rt_operand *operand, uint64_t start,
		     uint64_t end, int *out)
{
	int from, to, range;

	if (rt_filter_test(p, operand, RT_IF_GE, start, &from) ||
	    rt_filter_test(p, operand, RT_IF_LT, end, &to) ||
	    rt_filter_join(p, RT_NODE_AND, from, to, &range))
		return -EINVAL;
	if (*out < 0) {
		*out = range;
		return 0;
	}
	return rt_filter_join(p, RT_NODE_OR, *out, range, out);
}

/* ADDRESS or ADDRESS-ADDRESS */
static int parse_addresses(struct rt_filter_parser *p, const struct rt_operand *operand, int *out)
{
	const char *at = p->scan->at;
	uint64_t start, end;

	if (rt_scan_number(p->scan, &start))
		return -EINVAL;
	end = start + 1;
	if (rt_scan_take(p->scan, '-') && rt_scan_number(p->scan, &end))
		return -EINVAL;
	if (end <= start)
		return rt_scan_fail(p->scan, at, "the range is empty");
	return add_range(p, operand, start, end, out);
}

/* Report that no function or module has this name. */
static int no_caller(struct rt_filter_parser *p, const char *at, const char *module,
		     const char *name, bool whole)
{
	struct rt_ksyms *k = p->env->ksyms ? p->env->ksyms(p->env->data) : NULL;
	struct rt_nearest near;
	char text[256] = "";

	if (k && whole)
		rt_ksyms_nearest_module(k, name, &near);
	else if (k)
		rt_ksyms_nearest(k, module, name, RT_KSYMS_TEXT, &near);
	if (k)
		rt_nearest_text(&near, text, sizeof(text));
	return rt_scan_fail(
		p->scan, at,
		"there is no %s '%s' here; the caller is SYMBOL, MODULE:SYMBOL, [MODULE] or "
		"ADDRESS-ADDRESS%s",
		whole ? "module" : "symbol", name, text);
}

/* Add all functions of that name, with the clones and parts that the compiler made of them. */
static int parse_function(struct rt_filter_parser *p, const char *at, const char *module,
			  const char *name, const struct rt_operand *operand, int *out)
{
	struct rt_ksyms *k = p->env->ksyms ? p->env->ksyms(p->env->data) : NULL;
	struct rt_ksym_list found;
	uint64_t start, end;
	int ret = -ENOENT;
	size_t i;

	if (!k) {
		if (p->env->symbol)
			ret = p->env->symbol(p->env->data, module, name, &start, &end);
		return ret ? no_caller(p, at, module, name, false) :
			     add_range(p, operand, start, end, out);
	}
	if (rt_ksyms_find(k, module, name, RT_KSYMS_TEXT | RT_KSYMS_CLONES | RT_KSYMS_PARTS,
			  &found))
		return rt_scan_no_memory(p->scan);
	if (!found.count)
		return no_caller(p, at, module, name, false);
	if (rt_ksyms_hidden(k))
		ret = rt_scan_fail(
			p->scan, at,
			"the kernel hides its addresses; see /proc/sys/kernel/kptr_restrict");
	else
		for (ret = 0, i = 0; !ret && i < found.count; i++)
			ret = add_range(p, operand, found.list[i]->start, found.list[i]->end, out);
	rt_ksym_list_free(&found);
	return ret;
}

static int parse_module(struct rt_filter_parser *p, const char *at, const char *name,
			const struct rt_operand *operand, int *out)
{
	uint64_t start, end;

	if (!rt_scan_take(p->scan, ']'))
		return rt_scan_fail(p->scan, p->scan->at, "']' is missing after the module");
	if (!p->env->module || p->env->module(p->env->data, name, &start, &end))
		return no_caller(p, at, NULL, name, true);
	return add_range(p, operand, start, end, out);
}

/* SYMBOL, MODULE:SYMBOL, [MODULE], ADDRESS-ADDRESS. */
static int parse_place(struct rt_filter_parser *p, const struct rt_operand *operand, int *out)
{
	const char *at = p->scan->at;
	bool whole = rt_scan_take(p->scan, '[');
	size_t size = rt_scan_symbol(p->scan);
	char *name, *module = NULL;
	int ret;

	if (!size && !whole)
		return parse_addresses(p, operand, out);
	name = rt_scan_string(p->scan, size);
	if (name && !whole && rt_scan_take(p->scan, ':')) {
		module = name;
		name = rt_scan_string(p->scan, rt_scan_symbol(p->scan));
	}
	if (!name)
		ret = rt_scan_no_memory(p->scan);
	else if (whole)
		ret = parse_module(p, at, name, operand, out);
	else
		ret = parse_function(p, at, module, name, operand, out);
	free(module);
	free(name);
	return ret;
}

int rt_caller_parse(struct rt_filter_parser *p, const struct rt_operand *operand, bool inverted,
		    int *out)
{
	*out = -1;
	if (parse_place(p, operand, out))
		return -EINVAL;
	return inverted ? rt_filter_invert(p, out) : 0;
}
