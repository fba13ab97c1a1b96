// SPDX-License-Identifier: GPL-2.0
#include "base/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_name(struct rt_names *n, const char *text, size_t len)
{
	char **list = realloc(n->list, (n->count + 1) * sizeof(*list));

	if (!list)
		return -ENOMEM;
	n->list = list;
	list[n->count] = strndup(text, len);
	if (!list[n->count])
		return -ENOMEM;
	n->count++;
	return 0;
}

static int add_file(struct rt_names *n, const char *path, struct rt_err *err)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int ret = 0;

	if (!f)
		return rt_err_set(err, errno, "cannot open the list '%s': %s", path,
				  strerror(errno));
	while (!ret && (len = getline(&line, &room, f)) >= 0) {
		while (len && isspace((unsigned char)line[len - 1]))
			len--;
		if (len)
			ret = add_name(n, line, (size_t)len);
	}
	free(line);
	fclose(f);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int rt_names_parse(struct rt_names *n, const char *text, struct rt_err *err)
{
	static const char scheme[] = "file://";
	int ret = 0;

	memset(n, 0, sizeof(*n));
	while (*text && !ret) {
		size_t len = strcspn(text, ",");

		if (!strncmp(text, scheme, sizeof(scheme) - 1)) {
			char *path = strndup(text + sizeof(scheme) - 1, len - sizeof(scheme) + 1);

			ret = path ? add_file(n, path, err) : -ENOMEM;
			free(path);
		} else if (len) {
			ret = add_name(n, text, len);
		}
		text += len + (text[len] == ',');
	}
	if (!ret && !n->count)
		ret = rt_err_set(
			err, EINVAL,
			"a list of names is empty; give at least one, or leave the option out");
	if (ret) {
		rt_names_free(n);
		return ret == -ENOMEM ? rt_err_set(err, ENOMEM, "out of memory") : ret;
	}
	if (n->count)
		qsort(n->list, n->count, sizeof(*n->list), by_name);
	return 0;
}

void rt_names_free(struct rt_names *n)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		free(n->list[i]);
	free(n->list);
	memset(n, 0, sizeof(*n));
}

bool rt_names_has(const struct rt_names *n, const char *name)
{
	return n->count && bsearch(&name, n->list, n->count, sizeof(*n->list), by_name);
}

int rt_numbers_parse(struct rt_numbers *n, const char *what, const char *text, struct rt_err *err)
{
	const char *at = text;

	memset(n, 0, sizeof(*n));
	while (*at) {
		struct rt_number_range *list, range;
		char *end;

		if (!isdigit((unsigned char)*at))
			goto bad;
		range.first = range.last = strtoull(at, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				goto bad;
			range.last = strtoull(end + 1, &end, 10);
		}
		if ((*end && *end != ',') || range.last < range.first)
			goto bad;
		list = realloc(n->list, (n->count + 1) * sizeof(*list));
		if (!list) {
			rt_numbers_free(n);
			return rt_err_set(err, ENOMEM, "out of memory");
		}
		n->list = list;
		list[n->count++] = range;
		at = end + (*end == ',');
	}
	if (n->count)
		return 0;
bad:
	rt_numbers_free(n);
	return rt_err_set(err, EINVAL, "'--%s %s' is not a list of numbers such as 0-3,6", what,
			  text);
}

void rt_numbers_free(struct rt_numbers *n)
{
	free(n->list);
	memset(n, 0, sizeof(*n));
}

bool rt_numbers_has(const struct rt_numbers *n, uint64_t number)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		if (number >= n->list[i].first && number <= n->list[i].last)
			return true;
	return false;
}
