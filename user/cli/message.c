// SPDX-License-Identifier: GPL-2.0
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/terminal.h"

static void complain(struct rt_text *t)
{
	rt_text_char(t, '\n');
	rt_terminal_complain(t->base, t->len);
	rt_text_free(t);
}

void rt_err_print(const struct rt_err *err)
{
	struct rt_text t;

	rt_text_init(&t);
	rt_text_lit(&t, "ringtail: ");
	rt_text_str(&t, err->text);
	complain(&t);
}

void rt_err_point(const struct rt_err *err)
{
	struct rt_text t;

	if (!*err->where || !isatty(STDERR_FILENO))
		return;
	rt_text_init(&t);
	rt_text_str(&t, err->where);
	complain(&t);
}

static void say(const char *kind, const char *fmt, va_list ap)
{
	struct rt_text t;
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	rt_text_init(&t);
	rt_text_lit(&t, "ringtail: ");
	rt_text_str(&t, kind);
	rt_text_str(&t, text);
	free(text);
	complain(&t);
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
