/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rt_line.h - parse what a test writes to a test module's file in /proc: a line "WORD REST", where
 * the rest may be a number.
 */
#ifndef RT_LINE_H
#define RT_LINE_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct rt_line {
	char text[128];
	const char *word;
	const char *rest;
	long number; /* the rest, or 0 */
};

static inline int rt_line_take(struct rt_line *line, const char __user *user, size_t size)
{
	char *rest;

	if (size >= sizeof(line->text))
		return -E2BIG;
	if (copy_from_user(line->text, user, size))
		return -EFAULT;
	line->text[size] = 0;
	rest = strim(line->text);
	line->word = strsep(&rest, " ");
	line->rest = rest ? rest : "";
	/* An address may be larger than any signed number. */
	if (kstrtol(line->rest, 0, &line->number) &&
	    kstrtoul(line->rest, 0, (unsigned long *)&line->number))
		line->number = 0;
	return 0;
}

#endif
