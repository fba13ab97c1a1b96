// SPDX-License-Identifier: GPL-2.0
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void rt_err_print(const struct rt_err *err)
{
	fprintf(stderr, "ringtail: %s\n", err->text);
}

void rt_err_point(const struct rt_err *err)
{
	if (*err->where && isatty(STDERR_FILENO))
		fprintf(stderr, "%s\n", err->where);
}

static void say(const char *kind, const char *fmt, va_list ap)
{
	fprintf(stderr, "ringtail: %s", kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void rt_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void rt_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}
